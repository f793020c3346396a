import Findings
import Markup
import PackKit
import System

/// A report as one HTML file: pictures and tables that need neither style nor script, one style, one small script.
extension ReportFacts {
  static let largestPage = 1_000_000

  /// The file; with fewer rectangles and rows where long names would make it too large.
  var page: ByteBuffer {
    var page = html(.full)
    var detail = ReportDetail.full
    while page.text.utf8.count > Self.largestPage, let less = detail.halved {
      detail = less
      page = html(detail)
    }
    return page.bytes
  }

  /// The sections in their order; one without anything to show is left out.
  private func sections(_ detail: ReportDetail) -> [(id: HTML, title: HTML, content: HTML)] {
    let size = release.total.size.saturatingSum(with: release.untagged.size)
    let sections: [(id: HTML, title: HTML, content: HTML?)] = [
      ("summary", "What matters", summary),
      ("limits", "Limits", limitTable),
      (
        "sizes", "Where the bytes are",
        size == 0 ? nil : SizeTree(release, names, files, leaves: detail.leaves).html
      ),
      ("types", "What kinds of files", typeTable),
      ("sharing", "Which tags share packs", SharingSection(self, detail).html),
      ("timeline", "What is loaded first", timelineSection),
      (
        "update", "What the update costs",
        update.map { UpdateSection(report: $0, history: history, detail: detail).html }
      ),
      ("devices", "What devices get", slices?.html(detail)),
      (
        "scenario", "What a player waits for",
        simulations.isEmpty ? nil : simulations.map { ScenarioPicture($0).html }.joined()
      ),
      ("packs", "Packs", packTable(detail)),
      ("tags", "Tags", tagTable(detail)),
      ("files", "Largest files", fileTable(detail)),
      ("findings", "Findings", findingTable(detail)),
    ]
    return sections.compactMap { id, title, content in content.map { (id, title, $0) } }
  }

  private func html(_ detail: ReportDetail) -> HTML {
    let sections = sections(detail)
    let links = sections.map { id, title, _ -> HTML in "<li><a href=\"#\(id)\">\(title)</a></li>\n" }
    let bodies = sections.map { id, title, content -> HTML in
      """
      <section id="\(id)" aria-labelledby="h-\(id)">
      <h2 id="h-\(id)">\(title)</h2>
      \(content)</section>

      """
    }
    let body: HTML = """
      <header>
      <h1>\(release.bundleIdentifier, upTo: 240)</h1>
      <p>\(subtitle)</p>
      <nav aria-label="Sections"><ul>
      \(links)</ul></nav>
      </header>
      <main>
      \(bodies)</main>
      <footer><p>packtool \(packtoolVersion). Sizes are bytes of files unless they are called packed; 1 MB is 1,000,000 bytes.</p></footer>
      """
    return HTMLPage(
      title: "\(release.bundleIdentifier): packs", style: reportStyle, script: reportScript,
      body: body
    ).html
  }

  private var subtitle: String {
    let total = release.total
    let packed = release.packedSize(of: release.packs.indices)
    var parts = [
      counted(release.packs.count, "pack"), counted(total.files, "file"), ByteSize.text(total.size),
      packed.map { "\(ByteSize.text($0)) packed" } ?? "packed sizes not known: name a built folder",
      "limits \(release.profile)",
    ]
    if let device = release.device { parts.append("for \(device.name)") }
    return parts.joined(separator: " · ")
  }
}

/// How much a page shows of what could be drawn without end.
struct ReportDetail: Sendable {
  /// Rectangles of a treemap, rows of a table, rows and columns of a matrix.
  let leaves: Int
  let rows: Int
  let matrixRows: Int
  let matrixColumns: Int

  static let full = ReportDetail(leaves: 1500, rows: 300, matrixRows: 40, matrixColumns: 60)

  /// Half of everything; nil where that would be too little to show.
  var halved: ReportDetail? {
    if leaves < 50 { return nil }
    return ReportDetail(
      leaves: leaves / 2, rows: rows / 2, matrixRows: matrixRows / 2, matrixColumns: matrixColumns / 2)
  }
}
