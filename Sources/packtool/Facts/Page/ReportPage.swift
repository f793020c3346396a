import Findings
import Markup
import PackKit
import System

/// A report as one HTML file: pictures and tables that need neither style nor script, one style, one small script.
struct ReportPage {
  private let facts: ReportFacts

  /// The largest size in bytes of a page.
  static let largest = 1_000_000

  init(_ facts: ReportFacts) {
    self.facts = facts
  }

  /// The file; with fewer rectangles and rows where long names would make it too large.
  var bytes: ByteBuffer {
    var page = html(.full)
    var detail = ReportDetail.full
    while page.text.utf8.count > Self.largest, let less = detail.halved {
      detail = less
      page = html(detail)
    }
    return page.bytes
  }

  private func html(_ detail: ReportDetail) -> HTML {
    let sections = ReportSection.allCases.compactMap { section in
      section.content(of: facts, detail).map { (section, $0) }
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
      <h1>\(facts.release.bundleIdentifier, upTo: 240)</h1>
      <p>\(subtitle)</p>
      <nav aria-label="Sections"><ul>
      \(links)</ul></nav>
      </header>
      <main>
      \(bodies)</main>
      <footer><p>packtool \(packtoolVersion). Sizes are bytes of files unless they are called packed; 1 MB is 1,000,000 bytes.</p></footer>
      """
    return HTMLPage(
      title: "\(facts.release.bundleIdentifier): packs", style: ReportStyle.text, script: ReportScript.text,
      body: body
    ).html
  }

  private var subtitle: String {
    let total = facts.release.total
    let packed = facts.release.packedSize(of: facts.release.packs.indices)
    var parts = [
      counted(facts.release.packs.count, "pack"), counted(total.files, "file"), ByteSize.text(total.size),
      packed.map { "\(ByteSize.text($0)) packed" } ?? "packed sizes not known: name a built folder",
      "limits \(facts.release.profile)",
    ]
    if let device = facts.release.device { parts.append("for \(device.name)") }
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

  /// The content of the section; nil where there is none.
  func content(of facts: ReportFacts, _ detail: ReportDetail) -> HTML? {
    switch self {
    case .summary: SummarySection(facts).html
    case .limits: LimitSection(facts).html
    case .sizes: TreemapSection(facts, detail).html
    case .sharing: SharingSection(facts, detail).html
    case .timeline: TimelineSection(facts).html
    case .update: UpdateSection(facts, detail).html
    case .devices: DeviceSection(facts, detail).html
    case .scenario: ScenarioSection(facts, detail).html
    case .packs: PackSection(facts, detail).html
    case .tags: TagSection(facts, detail).html
    case .files: FileSection(facts, detail).html
    case .findings: FindingSection(facts, detail).html
    }
  }
}
