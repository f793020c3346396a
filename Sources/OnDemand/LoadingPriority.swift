/// How soon the packs of a request are loaded: 0 to 1, higher first, or before all others.
public struct LoadingPriority: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral {
  private let rank: Double

  /// A priority from 0 to 1; a value outside counts as the nearest, and NaN as 0.5.
  public init(_ level: Double) { rank = level.isNaN ? 0.5 : min(max(level, 0), 1) }

  /// A priority from 0 to 1.
  public init(floatLiteral level: Double) { self.init(level) }
  private init(rank: Double) { self.rank = rank }

  /// Before all others: while such a request waits, nothing else is loaded.
  public static let urgent = LoadingPriority(rank: .infinity)

  /// Whether one is loaded after another.
  public static func < (first: LoadingPriority, second: LoadingPriority) -> Bool { first.rank < second.rank }
}
