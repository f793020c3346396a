import Formats
import Projects
import Simulation

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
  /// The counts of a run, by their names.
  var json: [String: JSONText] {
    [
      "installed": installed.map(JSONText.integer) ?? .null,
      "stalls": .integer(Int64(stalls)), "stalled": .integer(stalled),
      "transferred": .integer(transferred), "unused": .integer(unused),
      "purges": .integer(Int64(purges)), "purged": .integer(purged),
      "overPurged": .integer(overPurged), "peakStored": .integer(peakStored),
      "peakInUse": .integer(peakInUse), "errors": .integer(Int64(errors)),
      "end": .integer(end),
    ]
  }
}
