@testable import Findings
import Support
import Testing

/// One cell of the contract's table of limits, written out here so that it is not read from what it tests.
struct LimitCell: CustomTestStringConvertible {
  /// What a cell says.
  enum Amount {
    case megabytes(Int64)
    case gigabytes(Int64)
    case packs(Int64)
    case none
  }

  let profile: String
  /// The check that holds plans against the limit.
  let check: String
  let amount: Amount

  var testDescription: String { "\(check) of \(profile): \(amount)" }

  private static let profiles = [
    "app-store", "app-store-ios18", "app-store-tvos", "wwdc15", "background-assets",
  ]

  private static let rows: [(check: String, amounts: [Amount])] = [
    ("pack-size", [.megabytes(512), .gigabytes(8), .megabytes(512), .megabytes(512), .none]),
    ("pack-count", [.packs(1000), .packs(1000), .packs(1000), .none, .packs(100)]),
    ("initial-install-size", [.gigabytes(2), .none, .gigabytes(2), .none, .none]),
    ("prefetch-size", [.gigabytes(4), .none, .gigabytes(4), .gigabytes(2), .none]),
    ("total-size", [.gigabytes(20), .gigabytes(70), .gigabytes(20), .gigabytes(18), .gigabytes(200)]),
    ("app-bundle-size", [.gigabytes(2), .gigabytes(4), .gigabytes(4), .gigabytes(2), .gigabytes(4)]),
    ("tag-size", [.megabytes(64), .megabytes(64), .megabytes(64), .megabytes(64), .none]),
    ("in-use-size", [.gigabytes(2), .none, .none, .gigabytes(2), .none]),
    ("cellular-size", [.megabytes(200), .megabytes(200), .none, .megabytes(100), .megabytes(200)]),
  ]

  static let all = rows.flatMap { row in
    zip(profiles, row.amounts).map { LimitCell(profile: $0, check: row.check, amount: $1) }
  }

  /// Whether the limit is Apple's advice, which a submission does not make an error.
  var isAdvice: Bool { ["tag-size", "in-use-size", "cellular-size"].contains(check) }

  var isDash: Bool { if case .none = amount { true } else { false } }

  /// The limit in bytes where MB is 10^6 and where it is 2^20; nil where there is none or it counts packs.
  var readings: (decimal: Int64, binary: Int64)? {
    switch amount {
    case .megabytes(let count): (count * 1_000_000, count * 1_048_576)
    case .gigabytes(let count): (count * 1_000_000_000, count * 1_073_741_824)
    case .packs, .none: nil
    }
  }

  /// The findings of the cell's check, and their notes, where what it measures is `amount` bytes or packs.
  func lines(at amount: Int64) throws -> [String] { try findings(at: amount).flatMap(\.lines) }

  /// Whether an amount is an error in a submission.
  func breaks(at amount: Int64) throws -> Bool {
    try findings(at: amount).contains(where: \.breaksStoreLimit)
  }

  /// The findings of the cell's check where what it measures is `amount` bytes or packs.
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
