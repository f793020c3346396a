import Findings
import Flags
import Simulation

/// What a command line says of made players.
struct PlayerOptions: Sendable {
  private(set) var pattern: PlayerPattern?
  private(set) var runs: Int?
  private(set) var seed: Int?

  /// Players that one run makes at most.
  private static let runsRange = 1...100_000

  /// The flag that makes no sense alone; nil where all do.
  var flagWithoutPattern: String? {
    pattern != nil ? nil : runs != nil ? "--runs" : seed != nil ? "--seed" : nil
  }

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<PlayerOptions>) -> [Flag<Options>] {
    own.map { $0.lifted(into: part).grouped(under: "players") }
  }

  private static let own: [Flag<PlayerOptions>] = [
    .choice(
      "--players", valueName: "PATTERN",
      summary: "make players: linear (level after level), branching (some next places), random (any tag)",
      into: \.pattern),
    .number("--runs", summary: "how many players (default: 100)", range: runsRange, into: \.runs),
    .number(
      "--seed", summary: "the seed of their random numbers (default: 1)", range: 0...Int(Int32.max),
      into: \.seed),
  ]
}
