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

/// The link that a command line names, in place of a scenario's.
struct LinkChoice: Sendable {
  /// Nil within for no network; nil where none is named.
  private(set) var link: NetworkLink??

  /// The flag, for a command whose options hold this as a part.
  static func flag<Options>(in part: Flag<Options>.Target<LinkChoice>) -> Flag<Options> {
    let names = NetworkLink.all.map(\.name) + [NetworkLink.noName]
    let own: Flag<LinkChoice> = .parsed(
      "--link", valueName: "NAME",
      summary: "the link at the start, in place of the scenario's: \(listed(names))",
      parse: link, into: \.link)
    return own.lifted(into: part)
  }

  private static func link(_ name: String) throws(FlagMistake) -> NetworkLink?? {
    if NetworkLink.isNone(name) { return .some(nil) }
    if let link = NetworkLink.named(name) { return .some(link) }
    throw FlagMistake(
      "names the link \(quoted(name)), which does not exist\(linkHint(name))")
  }
}
