import Formats
import Projects
import Simulation

/// The JSON of a scenario.
struct SimulationJSON {
  private let result: SimulationResult
  /// The members of the object besides the result.
  private let more: [String: JSONText]

  init(_ result: SimulationResult, more: [String: JSONText] = [:]) {
    self.result = result
    self.more = more
  }

  var json: JSONText { .object(members.merging(more) { member, _ in member }) }

  private var members: [String: JSONText] {
    [
      "formatVersion": .integer(1),
      "link": Self.json(of: result.link),
      "steps": .array(result.steps.enumerated().map(json)),
      "requests": .array(result.requests.map(json)),
      "packs": .array(result.packs.map(json)),
      "summary": .object(Self.members(of: result.summary)),
    ]
  }

  /// A link; null where there is no network.
  static func json(of link: NetworkLink?) -> JSONText {
    guard let link else { return .null }
    return .object(["rate": .integer(link.rate), "latency": .integer(link.latency)])
  }

  private func json(of step: (offset: Int, element: SimulationResult.Step)) -> JSONText {
    .object([
      "step": .integer(Int64(step.offset + 1)), "from": .integer(step.element.from),
      "to": .integer(step.element.to),
    ])
  }

  private func json(of request: SimulationResult.Request) -> JSONText {
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

  private func json(of pack: SimulationResult.Pack) -> JSONText {
    .object([
      "id": .string(pack.id), "downloads": .integer(Int64(pack.downloads)),
      "transferred": .integer(pack.transferred), "purges": .integer(Int64(pack.purges)),
    ])
  }

  /// The counts of a run, by their names.
  static func members(of summary: SimulationResult.Summary) -> [String: JSONText] {
    [
      "installed": summary.installed.map(JSONText.integer) ?? .null,
      "stalls": .integer(Int64(summary.stalls)), "stalled": .integer(summary.stalled),
      "transferred": .integer(summary.transferred), "unused": .integer(summary.unused),
      "purges": .integer(Int64(summary.purges)), "purged": .integer(summary.purged),
      "overPurged": .integer(summary.overPurged), "peakStored": .integer(summary.peakStored),
      "peakInUse": .integer(summary.peakInUse), "errors": .integer(Int64(summary.errors)),
      "end": .integer(summary.end),
    ]
  }
}
