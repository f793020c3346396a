import Findings
import Flags
import Simulation

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
