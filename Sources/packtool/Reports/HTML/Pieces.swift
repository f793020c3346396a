import Findings
import Markup
import PackKit

// What several sections are made of.
extension HTML {
  /// A cell with a size in bytes, by which tables are sorted; a dash where it is not known.
  static func size(_ bytes: Int64?) -> HTML {
    guard let bytes else { return "<td>–</td>" }
    return "<td class=\"n\" data-v=\"\(bytes)\" align=\"right\">\(ByteSize.text(bytes))</td>"
  }

  /// A cell with a count.
  static func count(_ number: some BinaryInteger) -> HTML {
    "<td class=\"n\" data-v=\"\(number)\" align=\"right\">\(grouped(number))</td>"
  }

  /// A cell with a text from outside, of which a long one loses its middle.
  static func name(_ text: String, _ most: Int = 160) -> HTML { "<td>\(text, upTo: most)</td>" }

  /// A table with a caption, headings and rows.
  static func table(_ caption: String, _ headings: [String], _ rows: [HTML]) -> HTML {
    let heads = headings.map { heading -> HTML in "<th scope=\"col\">\(heading)</th>" }
    return """
      <div class="wide"><table class="sort" cellpadding="3">
      <caption>\(caption)</caption>
      <thead><tr>\(heads)</tr></thead>
      <tbody>
      \(rows)</tbody></table></div>

      """
  }

  /// A paragraph of small text; nothing for nil.
  static func note(_ text: String?) -> HTML { text.map { "<p class=\"note\">\($0)</p>\n" } ?? "" }

  /// A bar for a share of a whole, which is drawn to its end at most.
  static func bar(_ share: Double, isFull: Bool = false) -> HTML {
    let width = max(0, min(share.isFinite ? share : 1, 1)) * 160
    let (color, kind): (HTML, HTML) =
      isFull ? ("#a4262c", "over") : share >= 0.9 ? ("#8a5a00", "near") : ("#1f5fa8", "fine")
    return """
      <svg width="160" height="12" role="img" aria-label="\(percent(share))"><rect class="track" width="160" height="12" fill="#e3e3df"/><rect class="\(kind)" width="\(width)" height="12" fill="\(color)"/></svg>
      """
  }

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
  /// The tags as headings and cells have them.
  var label: String { tags.joined(separator: " + ") }
}
