/// The loading priority of a request: a number from 0 to 1, or urgent.
///
/// Requests with a higher priority are loaded first.
public struct LoadingPriority: Sendable, Hashable, Comparable, ExpressibleByFloatLiteral {
  private let rank: Double

  /// Makes a priority from 0 to 1; a number outside the range becomes 0 or 1, and NaN becomes 0.5.
  public init(_ level: Double) { rank = level.isNaN ? 0.5 : min(max(level, 0), 1) }

  /// Makes a priority from 0 to 1.
  public init(floatLiteral level: Double) { self.init(level) }
  private init(rank: Double) { self.rank = rank }

  /// A priority above all numbers.
  ///
  /// While an urgent request waits, the store downloads no packs for other requests.
  public static let urgent = LoadingPriority(rank: .infinity)

  /// Whether the first priority is lower than the second.
  public static func < (first: LoadingPriority, second: LoadingPriority) -> Bool { first.rank < second.rank }
}
