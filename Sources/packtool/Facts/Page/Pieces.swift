import Findings
import Markup
import PackKit

// What several sections are made of.
extension HTML {
  /// A cell with a size in bytes, by which tables are sorted; a dash where it is not known.
  static func size(_ bytes: Int64?) -> HTML {
    guard let bytes else { return "<td class=\"n\" align=\"right\">–</td>" }
    return "<td class=\"n\" data-v=\"\(bytes)\" align=\"right\">\(ByteSize.text(bytes))</td>"
  }

  /// The short name of a pack, with all of its tags on hover.
  static func pack(_ name: String, _ tags: [String]) -> HTML {
    let whole = tags.joined(separator: " + ")
    return name == whole
      ? "\(name, upTo: 160)" : "<span title=\"\(whole, upTo: 600)\">\(name, upTo: 160)</span>"
  }

  static func note(_ text: String?) -> HTML { text.map { "<p class=\"note\">\($0)</p>\n" } ?? "" }

  /// How much was left out of a table; nothing where it is whole.
  static func note(_ left: Int, _ noun: String, _ more: String = "", _ lead: String = "") -> HTML {
    left > 0 ? .note("\(lead)\(counted(left, noun))\(more)") : ""
  }

  /// A legend: for each colour of a drawing, by its class, what it means.
  static func legend(_ entries: [(kind: HTML, color: HTML, meaning: String)]) -> HTML {
    let parts = entries.map { entry -> HTML in
      """
      <span><svg width="11" height="11" aria-hidden="true"><rect class="\(entry.kind)" width="11" height="11" fill="\(entry.color)"/></svg> \(entry.meaning)</span> &#160;

      """
    }
    return "<p class=\"key\">\(parts)</p>\n"
  }

  static let deliveries: [(kind: HTML, color: HTML, meaning: String)] = Delivery.allCases.map {
    ($0.mark.name, $0.mark.color, $0.title)
  }

  /// A bar for a share of a whole, which is drawn to its end at most.
  static func bar(_ share: Double, isFull: Bool = false) -> HTML {
    let width = max(0, min(share.isFinite ? share : 1, 1)) * 160
    let (color, kind): (HTML, HTML) =
      isFull ? ("#a4262c", "over") : share >= 0.9 ? ("#8a5a00", "near") : ("#1f5fa8", "fine")
    return """
      <svg width="160" height="12" role="img" aria-label="\(percent(share))"><rect class="track" width="160" height="12" fill="#e3e3df"/><rect class="\(kind)" width="\(width)" height="12" fill="\(color)"/></svg>
      """
  }

  /// The name of a row of a drawing, which ends at some place.
  static func rowName(_ name: String, endingAt x: Int, _ y: Int, isSum: Bool = false) -> HTML {
    "<text class=\"t\"\(isSum ? " font-weight=\"600\"" : "") x=\"\(x)\" y=\"\(y)\" text-anchor=\"end\" fill=\"#111111\">\(name.cut(toColumns: 34), upTo: 140)</text>"
  }

  /// How many columns of a drawing's text have room in some units.
  static func columns(in width: Double) -> Int { max(0, Int(width / 6.4)) }

  /// `34 %`.
  static func percent(_ share: Double) -> String {
    guard share.isFinite, share < 1e6 else { return "more than all" }
    let tenths = Int((share * 1000).rounded())
    return tenths >= 100 ? "\(grouped((tenths + 5) / 10)) %" : "\(tenths / 10).\(tenths % 10) %"
  }
}

extension Delivery {
  /// The class of drawings of the delivery, and its colour where there is no style.
  var mark: (name: HTML, color: HTML, ink: HTML) {
    switch self {
    case .initialInstall: ("i", "#1f4e8c", "#ffffff")
    case .prefetch: ("p", "#6f9fd8", "#111111")
    case .onDemand: ("o", "#bcd3ee", "#111111")
    }
  }
}

extension Release.Pack {
  var label: String { tags.joined(separator: " + ") }
}
