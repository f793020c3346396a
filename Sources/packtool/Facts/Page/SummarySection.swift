import Markup

/// What matters, in sentences.
struct SummarySection {
  private let facts: ReportFacts

  init(_ facts: ReportFacts) {
    self.facts = facts
  }

  var html: HTML? {
    let lines = Headline.all(of: facts)
    if lines.isEmpty { return nil }
    return "<ul class=\"heads\">\n\(lines.map(line))</ul>\n"
  }

  private func line(_ headline: Headline) -> HTML {
    let mark: HTML =
      switch headline.weight {
      case .bad: "<strong>Error.</strong> "
      case .warning: "<strong>Look here.</strong> "
      case .fact: ""
      }
    return "<li class=\"\(headline.weight.rawValue)\">\(mark)\(headline.text)</li>\n"
  }
}
