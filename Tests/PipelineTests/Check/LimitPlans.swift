@testable import Formats
import Support
import Testing

// Plans in which the value that a cell limits has a given amount.
extension LimitCell {
  /// Returns the findings of the cell's check for `amount` bytes or packs, with their notes.
  func lines(at amount: Int64) throws -> [String] { try findings(at: amount).flatMap(\.lines) }

  /// Returns whether this amount is an error in a submission.
  func breaks(at amount: Int64) throws -> Bool {
    try findings(at: amount).contains { $0.severityRule == .breaksStoreLimit }
  }

  /// Returns the findings of the cell's check for `amount` bytes or packs.
  func findings(at amount: Int64) throws -> [Diagnostic] {
    let limits = "\"limits\": \"\(profile)\""
    let lists = "\"initialInstallTags\": [\"First\"], \"prefetchTagOrder\": [\"Next\"]"
    var appBundle: Int64?
    var files: [SyntheticPlan.File] = []
    switch check {
    case "pack-size":
      files = [.init("a", amount - 1, "First"), .init("b", 1, "First"), .init("n", 9, "Next")]
    case "pack-count":
      files = (0..<amount - 2).map { .init("\($0)", 9, "Tag \($0)") }
      files += [.init("a", 9, "First"), .init("n", 9, "Next")]
    case "initial-install-size":
      files = [.init("a", amount - 1, "First"), .init("b", 1, "First", "Next"), .init("n", 9, "Next")]
    case "prefetch-size":
      files = [.init("a", 1, "First"), .init("n", amount - 1, "Next"), .init("z", 9, "Other")]
    case "total-size":
      files = [.init("a", 1, "First"), .init("n", 1, "Next"), .init("z", amount - 2, "Other")]
    case "app-bundle-size":
      files = [.init("a", 9, "First"), .init("n", 9, "Next")]
      appBundle = amount
    case "tag-size", "in-use-size":
      files = [.init("a", amount - 1, "First"), .init("b", 1, "First", "Next"), .init("n", 9, "Next")]
    case "cellular-size":
      files = [.init("a", amount - 8, "First"), .init("n", 9, "Next"), .init("z", 9, "Other")]
      appBundle = 8
    default: Issue.record("no plan for \(check)")
    }
    let plan = try SyntheticPlan(files, limits, lists)
    return plan.findings(appBundle: appBundle).filter { $0.check.id == check }
  }
}
