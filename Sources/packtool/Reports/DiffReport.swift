/// What every form of a comparison of two releases, or of more, tells.
enum DiffReport {
  case update(UpdateReport)
  case history(HistoryReport)

  /// Its text for people.
  func text(on screen: Screen) -> String {
    text({ UpdateText($0, on: screen).text }, { HistoryText($0).text })
  }

  /// What one of two functions writes of it.
  func text(_ update: (UpdateReport) -> String, _ history: (HistoryReport) -> String) -> String {
    switch self {
    case .update(let report): update(report)
    case .history(let report): history(report)
    }
  }
}
