import Findings
import Formats
import Projects
import Simulation

/// The waits of made players on several links.
struct PlayersReport {
  private let players: Players
  private let results: [PlayersResult]

  /// The links of a report where none is named.
  private static let links = ["3G", "Slow 4G", "Fast 4G", "LTE", "Wi-Fi"].map(NetworkLink.named)

  /// Plays the players on each link.
  init(_ players: Players, on table: PackTable, links: [NetworkLink?]?) {
    self.players = players
    results = (links ?? Self.links).compactMap { PlayersResult(players, on: table, link: $0) }
  }

  var text: PlainText {
    var table = TextTable([.left, .right, .right, .right, .right, .right, .right, .right, .right])
    table.add("link", "installed", "95 %", "stalls", "95 %", "waits", "95 %", "download", "95 %")
    for result in results {
      table.add(
        result.link?.name ?? SimulationRun.name(of: result.link),
        result.installed.map { TimeText.text($0.median) } ?? "never",
        result.installed.map { TimeText.text($0.percentile95) } ?? "never",
        grouped(result.stalls.median), grouped(result.stalls.percentile95),
        TimeText.text(result.stalled.median), TimeText.text(result.stalled.percentile95),
        ByteSize.text(result.transferred.median), ByteSize.text(result.transferred.percentile95))
    }
    return
      "\(counted(players.runs, "\(players.pattern.rawValue) player")), seed \(players.seed): the median, and what "
      + "95 of 100 do not exceed\n\n" + table.text(indentation: 2)
  }

  var json: JSONText {
    .object([
      "formatVersion": .integer(1),
      "players": .string(players.pattern.rawValue),
      "runs": .integer(Int64(players.runs)),
      "seed": .integer(Int64(players.seed)),
      "links": .array(results.map(json)),
    ])
  }

  private func json(of result: PlayersResult) -> JSONText {
    .object([
      "link": SimulationJSON.json(of: result.link),
      "installed": result.installed.map(json) ?? .null,
      "stalls": json(of: result.stalls),
      "stalled": json(of: result.stalled),
      "transferred": json(of: result.transferred),
    ])
  }

  private func json(of spread: PlayersResult.Spread) -> JSONText {
    .object(["median": .integer(spread.median), "percentile95": .integer(spread.percentile95)])
  }
}
