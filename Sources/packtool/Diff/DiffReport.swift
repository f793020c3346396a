/// What every form of a comparison of two releases, or of more, tells.
enum DiffReport {
  case update(UpdateReport)
  case history(HistoryReport)

  /// Its text for people.
  func text(on screen: Screen) -> PlainText {
    written({ UpdateText($0, on: screen).text }, { HistoryText($0).text })
  }

  /// What one of two functions writes of it.
  func written<Document>(_ update: (UpdateReport) -> Document, _ history: (HistoryReport) -> Document)
    -> Document
  {
    switch self {
    case .update(let report): update(report)
    case .history(let report): history(report)
    }
  }
}
