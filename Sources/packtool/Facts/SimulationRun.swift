import Spelling
import Findings
import Projects
import Simulation

/// One run of a scenario with all that reports say of it.
struct SimulationRun {
  let scenario: Scenario
  let result: SimulationResult
  let table: PackTable
  /// The scenario's path as the user typed it.
  let path: String
  let stalls: [Stall]

  init(_ scenario: Scenario, _ result: SimulationResult, _ table: PackTable, path: String) {
    self.scenario = scenario
    self.result = result
    self.table = table
    self.path = path
    stalls = Stall.all(of: result, scenario)
  }

  static func name(of link: NetworkLink?) -> String {
    guard let link else { return "no network" }
    let figures = "\(rate(link.rate)), \(TimeText.text(link.latency))"
    return link.name.map { "\($0) (\(figures))" } ?? "a link of \(figures)"
  }

  private static func rate(_ rate: Int64) -> String {
    for (scale, unit) in [(Int64(1_000_000_000), "Gbit/s"), (1_000_000, "Mbit/s"), (1000, "kbit/s")]
    where rate >= scale {
      let tenths = rate / (scale / 10)
      return tenths % 10 == 0
        ? "\(grouped(tenths / 10)) \(unit)" : "\(grouped(tenths / 10)).\(tenths % 10) \(unit)"
    }
    return "\(rate) bit/s"
  }

  func request(of stall: Stall) -> SimulationResult.Request { result.requests[stall.request] }

  func name(ofPack pack: Int) -> String { setNotation(table.tags(of: pack)) }

  /// Bytes that came between two times; of a pack that came in part of it, by the time.
  func transfers(from: Int64, to: Int64) -> [SimulationResult.Transfer] {
    result.transfers.filter { $0.to > from && $0.from < to }
  }

  /// The packs that arrived while a player waited, and the advice.
  func words(on stall: Stall) -> String { "\(downloads(during: stall)). \(remedy(of: stall))" }

  private func downloads(during stall: Stall) -> String {
    let transfers = transfers(from: stall.from, to: stall.to)
    let longest = transfers.sorted { ($1.to - $1.from, $0.from) < ($0.to - $0.from, $1.from) }
    let names = longest.prefix(2).map { transfer in
      (transfer.pack.map(name) ?? "the app") + " (\(ByteSize.text(transfer.bytes)))"
    }
    if names.isEmpty { return "Nothing came meanwhile" }
    let rest = longest.count - names.count
    let more = rest > 0 ? " and \(counted(rest, "more pack"))" : ""
    return "Meanwhile came \(names.joined(separator: ", "))\(more)"
  }

  private func remedy(of stall: Stall) -> String {
    let request = quoted(request(of: stall).name)
    let wait = TimeText.text(stall.duration)
    switch stall.remedy(in: result, table) {
    case .keep(let pack, let purged):
      return
        "\(name(ofPack: pack)) had been purged at \(TimeText.text(purged)) and came again: preserve its tags, "
        + "or split what needed the space"
    case .hurry:
      return "The link served other requests first: give \(request) a higher priority, or \"urgent\""
    case .beginEarlier(let time):
      return "The link was free before: begin \(request) \(TimeText.text(time)) earlier, and nobody waits"
    case .beginAndSplit(let time):
      return
        "The link was free for \(TimeText.text(time)) before: begin \(request) as soon as that, which leaves "
        + "\(TimeText.text(max(0, stall.duration - time))) of the \(wait); for less, split its packs, or prefetch its tags"
    case .shrink:
      return "Its packs were on their way already: split them and wait only for the first, or put its tags "
        + "into the initial install"
    case .prefetch:
      return
        "Nothing was free before it: prefetch its tags, begin it before what came first, or split its packs and wait "
        + "only for the first"
    }
  }

  /// Why a request failed, and what to change.
  func failure(of request: SimulationResult.Request) -> String {
    switch request.error {
    case nil: ""
    case .invalidTag: "no pack has such a tag (invalid-tag, 4994)\(guess(for: request))"
    case .inUseLimit:
      "with it more would be in use than the device allows (in-use-limit, 4993); end requests that are done with"
    case .offline: "there is no network (offline); begin it while there is one, or prefetch its tags"
    case .outOfSpace:
      "it would not fit even if all were purged that may be (out-of-space, 4992); end requests, or make its packs "
        + "smaller"
    }
  }

  private func guess(for request: SimulationResult.Request) -> String {
    let tags = table.tags
    let unknown = request.tags.first { !tags.contains($0) }
    return suggestion(unknown.flatMap { nearest(to: $0, in: tags) })
  }
}
