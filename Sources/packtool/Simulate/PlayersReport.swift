import Findings
import Formats
import Projects
import Simulation

// The waits of made players on several links.
extension Players {
  /// The result on each link; on some usual ones where none is named.
  func results(on table: PackTable, links: [NetworkLink?]?) -> [PlayersResult] {
    (links ?? ["3G", "Slow 4G", "Fast 4G", "LTE", "Wi-Fi"].map(NetworkLink.named)).compactMap {
      PlayersResult(self, on: table, link: $0)
    }
  }

  func text(of results: [PlayersResult]) -> PlainText {
    let table = Table(
      results,
      [
        .text("link") { $0.link?.name ?? SimulationRun.name(of: $0.link) },
        .number("installed") { $0.installed.map { TimeText.text($0.median) } ?? "never" },
        .number("95 %") { $0.installed.map { TimeText.text($0.percentile95) } ?? "never" },
        .count("stalls", \.stalls.median), .count("95 %", \.stalls.percentile95),
        .number("waits") { TimeText.text($0.stalled.median) },
        .number("95 %") { TimeText.text($0.stalled.percentile95) },
        .size("download", \.transferred.median), .size("95 %", \.transferred.percentile95),
      ])
    return
      "\(counted(runs, "\(pattern.rawValue) player")), seed \(seed): the median, and what "
      + "95 of 100 do not exceed\n\n" + table.text(indentation: 2)
  }

  func json(of results: [PlayersResult]) -> JSONText {
    .object([
      "formatVersion": .integer(1),
      "players": .string(pattern.rawValue),
      "runs": .integer(Int64(runs)),
      "seed": .integer(Int64(seed)),
      "links": .array(results.map(Self.json)),
    ])
  }

  private static func json(of result: PlayersResult) -> JSONText {
    .object([
      "link": SimulationResult.json(of: result.link),
      "installed": result.installed.map(json) ?? .null,
      "stalls": json(of: result.stalls),
      "stalled": json(of: result.stalled),
      "transferred": json(of: result.transferred),
    ])
  }

  private static func json(of spread: PlayersResult.Spread) -> JSONText {
    .object(["median": .integer(spread.median), "percentile95": .integer(spread.percentile95)])
  }
}
