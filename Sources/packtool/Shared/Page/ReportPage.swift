import Formats
import Model
import Pipeline
import System

/// A report as one HTML file, with one style sheet and one small script. Its pictures and tables also work
/// without the style sheet and the script.
extension ReportFacts {
  static let maxPageSize = 1_000_000

  /// The HTML file.
  ///
  /// If the file would be too large because of long names, it has fewer rectangles and rows.
  var page: ByteBuffer {
    let fileList = SizeTree.searchList(of: release, packNames: names, files: files)
    var detail = ReportDetail()
    var page = html(detail, list: fileList)
    while page.text.utf8.count > Self.maxPageSize, detail.leaves >= 50 {
      detail.divisor *= 2
      page = html(detail, list: fileList)
    }
    return page.bytes
  }

  /// A section of the page.
  private struct Section {
    let id: HTML
    let title: HTML
    /// The content of the section; nil if there is nothing to show.
    let content: HTML?

    init(_ id: HTML, title: HTML, content: HTML?) {
      self.id = id
      self.title = title
      self.content = content
    }
  }

  private func sections(_ detail: ReportDetail) -> [Section] {
    let size = release.total.size.saturatingSum(with: release.untagged.size)
    let sections = [
      Section("summary", title: "What matters", content: summary),
      Section("limits", title: "Limits", content: limitTable),
      Section(
        "sizes", title: "Sizes of packs and files",
        content: size == 0
          ? nil : SizeTree(release, names: names, files: files, leafCount: detail.leaves).html),
      Section("types", title: "Types of files", content: typeTable),
      Section(
        "sharing", title: "Tags that share packs", content: SharingSection(self, detail: detail).html),
      Section("timeline", title: "First downloads", content: timelineSection),
      Section(
        "update", title: "Cost of the update",
        content: update.map { UpdateSection(report: $0, history: history, detail: detail).html }),
      Section("devices", title: "Downloads of devices", content: slices?.html(detail)),
      Section(
        "scenario", title: "Waits of players",
        content: simulations.isEmpty ? nil : simulations.map { ScenarioPicture($0).html }.joined()),
      Section("packs", title: "Packs", content: packTable(detail)),
      Section("tags", title: "Tags", content: tagTable(detail)),
      Section("files", title: "Largest files", content: fileTable(detail)),
      Section("findings", title: "Findings", content: findingTable(detail)),
    ]
    return sections.filter { $0.content != nil }
  }

  private func html(_ detail: ReportDetail, list: HTML) -> HTML {
    let sections = sections(detail)
    let links = sections.map { section -> HTML in
      "<li><a href=\"#\(section.id)\">\(section.title)</a></li>\n"
    }
    let bodies = sections.map { section -> HTML in
      """
      <section id="\(section.id)" aria-labelledby="h-\(section.id)">
      <h2 id="h-\(section.id)">\(section.title)</h2>
      \(section.content ?? "")</section>

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
      <footer><p>packtool \(packtoolVersion). Sizes are uncompressed unless the report says otherwise; 1 MB is 1,000,000 bytes.</p></footer>
      \(list)
      """
    return .page(
      title: "\(release.bundleIdentifier): packs", style: reportStyle, script: reportScript, body: body)
  }

  private var subtitle: String {
    let total = release.total
    let packed = release.packedSize(of: release.packs.indices)
    var parts = [
      counted(release.packs.count, of: "pack"), counted(total.files, of: "file"), ByteSize.text(total.size),
      packed.map { "\(ByteSize.text($0)) compressed" }
        ?? "compressed sizes unknown; to see them, pass a built folder",
      "limits \(release.profile)",
    ]
    if let device = release.device { parts.append("for \(device.name)") }
    return parts.joined(separator: " · ")
  }
}

/// The amount of detail on a page.
///
/// The amount is halved until the page is small enough.
struct ReportDetail: Sendable {
  var divisor = 1
  /// The maximum number of rectangles of a treemap.
  var leaves: Int { 1500 / divisor }
  /// The maximum number of rows of a table.
  var rows: Int { 300 / divisor }
}

// HTML elements that several sections use.
extension HTML {
  /// A table cell with a size in bytes.
  ///
  /// The cell is sorted by the size. If the size is unknown, the cell contains a dash.
  static func size(_ bytes: Int64?) -> HTML {
    guard let bytes else { return "<td class=\"n\" align=\"right\">–</td>" }
    return "<td class=\"n\" data-v=\"\(bytes)\" align=\"right\">\(ByteSize.text(bytes))</td>"
  }

  /// Returns the short name of a pack.
  ///
  /// All tags of the pack are shown on hover.
  static func pack(_ name: String, tags: [String]) -> HTML {
    let whole = tags.joined(separator: " + ")
    return name == whole
      ? "\(name, upTo: 160)" : "<span title=\"\(whole, upTo: 600)\">\(name, upTo: 160)</span>"
  }

  static func note(_ text: String?) -> HTML { text.map { "<p class=\"note\">\($0)</p>\n" } ?? "" }

  /// Returns a note about the rows that a table leaves out; empty if the table has all rows.
  static func leftOut(
    _ count: Int, noun: String, prefix: String = "", suffix: String = ""
  ) -> HTML {
    count > 0 ? .note("\(prefix)\(counted(count, of: noun))\(suffix)") : ""
  }

  /// The meaning of a color in a picture.
  struct LegendEntry {
    /// The CSS class of the shapes with this color.
    let kind: HTML
    let color: HTML
    let meaning: String

    init(cssClass kind: HTML, color: HTML, meaning: String) {
      self.kind = kind
      self.color = color
      self.meaning = meaning
    }
  }

  static func legend(_ entries: [LegendEntry]) -> HTML {
    let parts = entries.map { entry -> HTML in
      """
      <span><svg width="11" height="11" aria-hidden="true"><rect class="\(entry.kind)" width="11" height="11" fill="\(entry.color)"/></svg> \(entry.meaning)</span> &#160;

      """
    }
    return "<p class=\"key\">\(parts)</p>\n"
  }

  static var deliveries: [LegendEntry] {
    Delivery.allCases.map { LegendEntry(cssClass: $0.mark.name, color: $0.mark.color, meaning: $0.title) }
  }

  /// Returns a bar for the used share of a limit.
  ///
  /// The color of the bar shows whether the limit is almost reached or exceeded.
  static func bar(_ share: Double) -> HTML {
    let width = max(0, min(share.isFinite ? share : 1, 1)) * 160
    let (color, kind): (HTML, HTML) =
      share > 1 ? ("#a4262c", "over") : share >= 0.9 ? ("#8a5a00", "near") : ("#1f5fa8", "fine")
    return """
      <svg width="160" height="12" role="img" aria-label="\(percent(share))"><rect class="track" width="160" height="12" fill="#e3e3df"/><rect class="\(kind)" width="\(width)" height="12" fill="\(color)"/></svg>
      """
  }

  /// Returns a picture that is 1,000 units wide.
  static func picture(height: Int, label: HTML, content: [HTML]) -> HTML {
    """
    <div class="pic"><svg viewBox="0 0 1000 \(height)" width="100%" font-family="system-ui, sans-serif" font-size="11" role="img" aria-label="\(label)">
    \(content)</svg></div>

    """
  }

  /// A row of a picture.
  ///
  /// It contains the name and the bar.
  struct Bar {
    let name: String
    /// Whether the row is the sum of other rows.
    var isSum = false
    /// The text that is shown on hover, below the name.
    let hover: String
    /// The text next to the bar.
    let text: String
    /// The number of bytes that the length of the bar stands for.
    let size: Int64
    /// The number of bytes that the dark part of the bar stands for.
    let dark: Int64
  }

  /// Draws a bar for each row.
  ///
  /// The largest bar has the full width of the picture.
  static func bars(_ rows: [Bar], label: HTML) -> HTML {
    guard let most = rows.map(\.size).max(), most > 0 else { return "" }
    let bars = rows.enumerated().map { row, bar -> HTML in
      let y = row * 18
      let (width, dark) = (Double(bar.size) / Double(most) * 600, Double(bar.dark) / Double(most) * 600)
      return """
        <g><title>\(bar.name, upTo: 140)
        \(bar.hover)</title>\(.rowName(bar.name, endingAt: 240, y: y + 12, weight: bar.isSum ? .bold : .normal))<rect class="o" x="248" y="\(y + 2)" width="\(width)" height="13" fill="#bcd3ee"/><rect class="i" x="248" y="\(y + 2)" width="\(dark)" height="13" fill="#1f4e8c"/><text class="t" x="\(254 + width)" y="\(y + 12)" fill="#111111">\(bar.text)</text></g>

        """
    }
    return picture(height: rows.count * 18, label: label, content: bars)
  }

  /// The weight of the font.
  enum FontWeight {
    case normal
    case bold
  }

  static func rowName(_ name: String, endingAt x: Int, y: Int, weight: FontWeight = .normal) -> HTML {
    "<text class=\"t\"\(weight == .bold ? " font-weight=\"600\"" : "") x=\"\(x)\" y=\"\(y)\" text-anchor=\"end\" fill=\"#111111\">\(name.cut(toColumns: 34), upTo: 140)</text>"
  }

  static func columns(in width: Double) -> Int { max(0, Int(width / 6.4)) }

  /// Formats a share such as `34 %`.
  static func percent(_ share: Double) -> String {
    guard share.isFinite, share < 1e6 else { return "more than all" }
    let tenths = Int((share * 1000).rounded())
    return tenths >= 100 ? "\(grouped((tenths + 5) / 10)) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

extension Delivery {
  /// The color and the CSS class that packs with a delivery mode have in pictures.
  struct Mark {
    /// The CSS class of the shapes.
    let name: HTML
    let color: HTML
    /// The color of text on the shapes.
    let ink: HTML

    /// The mark of files that are not in any pack.
    static var untagged: Mark { Mark(name: "u", color: "#c8c8c4", ink: "#111111") }
  }

  var mark: Mark {
    switch self {
    case .initialInstall: Mark(name: "i", color: "#1f4e8c", ink: "#ffffff")
    case .prefetch: Mark(name: "p", color: "#6f9fd8", ink: "#111111")
    case .onDemand: Mark(name: "o", color: "#bcd3ee", ink: "#111111")
    }
  }
}
