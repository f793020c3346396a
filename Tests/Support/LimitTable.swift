import Testing

/// One cell of the table of limits in the specification.
///
/// The table is repeated here, because tests must not use the table in the code that they test.
package struct LimitCell: Sendable, CustomTestStringConvertible {
  /// The limit that a cell states.
  package enum Amount: Sendable {
    case megabytes(Int64)
    case gigabytes(Int64)
    case packs(Int64)
    case none
  }

  package let profile: String
  /// The check that compares plans with the limit.
  package let check: String
  package let amount: Amount

  package var testDescription: String { "\(check) of \(profile): \(amount)" }

  private static let profiles = [
    "app-store", "app-store-ios18", "app-store-tvos", "wwdc15", "wwdc16", "wwdc16-tvos", "background-assets",
  ]

  private static let rows: [(check: String, amounts: [Amount])] = [
    (
      "pack-size",
      [
        .megabytes(512), .gigabytes(8), .megabytes(512), .megabytes(512), .megabytes(512), .megabytes(512),
        .none,
      ]
    ),
    (
      "pack-count",
      [.packs(1000), .packs(1000), .packs(1000), .none, .packs(1000), .packs(1000), .packs(200)]
    ),
    (
      "initial-install-size",
      [.gigabytes(2), .none, .gigabytes(2), .none, .gigabytes(2), .gigabytes(2), .none]
    ),
    (
      "prefetch-size",
      [.gigabytes(4), .none, .gigabytes(4), .gigabytes(2), .gigabytes(4), .gigabytes(4), .none]
    ),
    (
      "total-size",
      [
        .gigabytes(20), .gigabytes(70), .gigabytes(20), .gigabytes(18), .gigabytes(20), .gigabytes(20),
        .gigabytes(200),
      ]
    ),
    (
      "app-bundle-size",
      [
        .gigabytes(2), .gigabytes(4), .gigabytes(4), .gigabytes(2), .gigabytes(4), .megabytes(200),
        .gigabytes(4),
      ]
    ),
    (
      "tag-size",
      [
        .megabytes(64), .megabytes(64), .megabytes(64), .megabytes(64), .megabytes(64), .megabytes(64), .none,
      ]
    ),
    ("in-use-size", [.gigabytes(2), .none, .none, .gigabytes(2), .gigabytes(2), .gigabytes(2), .none]),
    (
      "cellular-size",
      [.megabytes(200), .megabytes(200), .none, .megabytes(100), .none, .none, .megabytes(200)]
    ),
  ]

  /// All cells of the table, row by row.
  package static let all = rows.flatMap { row in
    zip(profiles, row.amounts).map { LimitCell(profile: $0, check: row.check, amount: $1) }
  }

  package init(profile: String, check: String, amount: Amount) {
    self.profile = profile
    self.check = check
    self.amount = amount
  }

  /// Whether the limit is only Apple's advice, which is not an error in a submission.
  package var isAdvice: Bool { ["tag-size", "in-use-size", "cellular-size"].contains(check) }

  /// Whether the profile does not have this limit.
  package var isDash: Bool { if case .none = amount { true } else { false } }

  /// The limit in bytes if MB means 10^6 bytes, and if it means 2^20 bytes; nil if there is no limit, or if
  /// the limit is a number of packs.
  package var readings: (decimal: Int64, binary: Int64)? {
    switch amount {
    case .megabytes(let count): (count * 1_000_000, count * 1_048_576)
    case .gigabytes(let count): (count * 1_000_000_000, count * 1_073_741_824)
    case .packs, .none: nil
    }
  }
}
