import Findings
import Formats
import Projects
import Releases
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
      results, .text("link") { $0.link?.name ?? SimulationRun.name(of: $0.link) },
      .number("installed") { $0.installed.map { TimeText.text($0.median) } ?? "never" },
      .number("95 %") { $0.installed.map { TimeText.text($0.percentile95) } ?? "never" },
      .count("stalls", \.stalls.median), .count("95 %", \.stalls.percentile95),
      .number("waits") { TimeText.text($0.stalled.median) },
      .number("95 %") { TimeText.text($0.stalled.percentile95) }, .size("download", \.transferred.median),
      .size("95 %", \.transferred.percentile95))
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

extension Replay {
  /// Downloads that are shown, those that differ most.
  private static let mostShown = 30

  /// The text for people; `path` is that of the log as the user typed it.
  func text(path: String) -> PlainText {
    let excess = downloads.map { ($0.logged.measured - $0.modelled).magnitude }
    let sorted = downloads.indices.sorted { (excess[$1], $0) < (excess[$0], $1) }
    let table = Table(
      sorted.prefix(Self.mostShown).map { downloads[$0] },
      .text("pack") { $0.logged.tags.isEmpty ? quoted($0.logged.pack) : setNotation($0.logged.tags) },
      .count("bytes", \.logged.bytes), .number("measured") { TimeText.text($0.logged.measured) },
      .number("model") { TimeText.text($0.modelled) },
      .number("more") { Self.share($0.logged.measured, $0.modelled) })
    let more = downloads.count - Self.mostShown
    let rest: PlainText = more > 0 ? "  and \(counted(more, "download")) that differ less\n" : ""
    return
      "\(displayed(path)): \(counted(downloads.count, "download")), \(ByteSize.text(size)) on "
      + "\(SimulationRun.name(of: link))\n\n" + table.text(indentation: 2) + rest
      + "\nin all \(TimeText.text(measured)), \(TimeText.text(modelled)) in the model "
      + "(\(Self.share(measured, modelled)))\n"
  }

  var json: JSONText {
    .object([
      "formatVersion": .integer(1),
      "link": SimulationResult.json(of: link),
      "downloads": .array(
        downloads.map { download, modelled in
          .object([
            "pack": .string(download.pack), "tags": .strings(download.tags),
            "bytes": .integer(download.bytes), "began": .integer(download.began),
            "measured": .integer(download.measured), "modelled": .integer(modelled),
          ])
        }),
      "summary": .object([
        "bytes": .integer(size), "measured": .integer(measured), "modelled": .integer(modelled),
      ]),
    ])
  }

  /// How much more a time is than another, in percent.
  private static func share(_ time: Int64, _ model: Int64) -> String {
    if model == 0 { return "" }
    let tenths = ((Double(time) / Double(model) - 1) * 1000).rounded()
    return "\(tenths < 0 ? "-" : "+")\((tenths / 10).magnitude) %"
  }
}

extension SimulationResult {
  /// The result for programs, with more members of the object.
  func json(more: [String: JSONText] = [:]) -> JSONText {
    let members: [String: JSONText] = [
      "formatVersion": .integer(1),
      "link": Self.json(of: link),
      "steps": .array(steps.enumerated().map(Self.json)),
      "requests": .array(requests.map(Self.json)),
      "packs": .array(packs.map(Self.json)),
      "summary": .object(summary.json),
    ]
    return .object(members.merging(more) { member, _ in member })
  }

  /// A link; null where there is no network.
  static func json(of link: NetworkLink?) -> JSONText {
    guard let link else { return .null }
    return .object(["rate": .integer(link.rate), "latency": .integer(link.latency)])
  }

  private static func json(of step: (offset: Int, element: Step)) -> JSONText {
    .object([
      "step": .integer(Int64(step.offset + 1)), "from": .integer(step.element.from),
      "to": .integer(step.element.to),
    ])
  }

  private static func json(of request: Request) -> JSONText {
    .object([
      "name": .string(request.name),
      "tags": .array(request.tags.map(JSONText.string)),
      "began": .integer(request.began),
      "available": request.available.map(JSONText.integer) ?? .null,
      "ended": request.ended.map(JSONText.integer) ?? .null,
      "waited": .integer(request.waited),
      "error": request.error.map { .string($0.rawValue) } ?? .null,
    ])
  }

  private static func json(of pack: Pack) -> JSONText {
    .object([
      "id": .string(pack.id), "downloads": .integer(Int64(pack.downloads)),
      "transferred": .integer(pack.transferred), "purges": .integer(Int64(pack.purges)),
    ])
  }
}

extension SimulationResult.Summary {
  var json: [String: JSONText] {
    .known([
      "installed": installed.map(JSONText.integer) ?? .null,
      "stalls": .integer(Int64(stalls)), "stalled": .integer(stalled),
      "transferred": .integer(transferred), "unused": .integer(unused),
      "purges": .integer(Int64(purges)), "purged": .integer(purged),
      "overPurged": .integer(overPurged), "peakStored": .integer(peakStored),
      "peakInUse": .integer(peakInUse), "errors": .integer(Int64(errors)),
      "end": .integer(end), "indexes": indexes > 0 ? .integer(indexes) : nil,
    ])
  }
}
