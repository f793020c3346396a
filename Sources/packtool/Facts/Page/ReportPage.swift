import Findings
import Markup
import PackKit
import System

/// A report as one HTML file: pictures and tables that need neither style nor script, one style, one small script.
extension ReportFacts {
  /// The largest size in bytes of a page.
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

  private func html(_ detail: ReportDetail) -> HTML {
    let sections = ReportSection.allCases.compactMap { section in
      content(of: section, detail).map { (section, $0) }
    }
    let links = sections.map { section, _ -> HTML in
      "<li><a href=\"#\(section.rawValue)\">\(section.title)</a></li>\n"
    }
    let bodies = sections.map { section, content -> HTML in
      """
      <section id="\(section.rawValue)" aria-labelledby="h-\(section.rawValue)">
      <h2 id="h-\(section.rawValue)">\(section.title)</h2>
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

  /// The content of a section; nil where there is none.
  private func content(of section: ReportSection, _ detail: ReportDetail) -> HTML? {
    let size = release.total.size.saturatingSum(with: release.untagged.size)
    return switch section {
    case .summary: summary
    case .limits: limitTable
    case .sizes: size == 0 ? nil : SizeTree(release, names, files, leaves: detail.leaves).html
    case .types: typeTable
    case .sharing: SharingSection(self, detail).html
    case .timeline: timelineSection
    case .update: update.map { UpdateSection(report: $0, history: history, detail: detail).html }
    case .devices: slices?.html(detail)
    case .scenario: simulations.isEmpty ? nil : simulations.map { ScenarioPicture($0).html }.joined()
    case .packs: packTable(detail)
    case .tags: tagTable(detail)
    case .files: fileTable(detail)
    case .findings: findingTable(detail)
    }
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

/// The sections of a page in their order; one without anything to show is left out.
enum ReportSection: String, CaseIterable {
  case summary
  case limits
  case sizes
  case types
  case sharing
  case timeline
  case update
  case devices
  case scenario
  case packs
  case tags
  case files
  case findings

  var title: String {
    switch self {
    case .summary: "What matters"
    case .limits: "Limits"
    case .sizes: "Where the bytes are"
    case .types: "What kinds of files"
    case .sharing: "Which tags share packs"
    case .timeline: "What is loaded first"
    case .update: "What the update costs"
    case .devices: "What devices get"
    case .scenario: "What a player waits for"
    case .packs: "Packs"
    case .tags: "Tags"
    case .files: "Largest files"
    case .findings: "Findings"
    }
  }
}
