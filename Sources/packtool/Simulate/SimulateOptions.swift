import Findings
import Flags
import Simulation

/// The options of made players.
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

  /// The flags of these options.
  static let flags: [Flag<PlayerOptions>] = .grouped(
    under: "players",
    [
      .choice(
        "--players", valueName: "PATTERN",
        summary: "make players: linear (level after level), branching (some next places), random (any tag)",
        into: \.pattern),
      .number("--runs", summary: "how many players (default: 100)", range: runsRange, into: \.runs),
      .number(
        "--seed", summary: "the seed of their random numbers (default: 1)", range: 0...Int(Int32.max),
        into: \.seed),
    ])
}

extension Flag {
  /// The flag `--link`: nil within for no network; nil where none is named.
  static func link(into target: Target<NetworkLink??>) -> Flag {
    let names = NetworkLink.all.map(\.name) + [NetworkLink.noName]
    return .parsed(
      "--link", valueName: "NAME",
      summary: "the link at the start, in place of the scenario's: \(listed(names))",
      parse: { name throws(FlagMistake) -> NetworkLink?? in
        if NetworkLink.isNone(name) { return .some(nil) }
        if let link = NetworkLink.named(name) { return .some(link) }
        throw FlagMistake("names the link \(quoted(name)), which does not exist\(linkHint(name))")
      }, into: target)
  }
}
