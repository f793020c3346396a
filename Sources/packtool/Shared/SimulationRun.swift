import Formats
import Model
import Pipeline
import Play
import System

struct SimulationRun {
  let scenario: Scenario
  let result: SimulationResult
  let table: PackTable
  let path: String
  /// The size of the app as the store shows it; nil if the scenario does not install the app.
  let firstDownload: FirstDownload?
  var stalls: [Stall] { Stall.all(of: result, scenario: scenario) }

  static func name(of network: NetworkProfile?) -> String {
    guard let network else { return "no network" }
    if network.losesAll { return "\(network.name ?? "") (nothing arrives)" }
    let lookup = network.lookup > 0 ? " and \(TimeText.text(network.lookup)) for each connection" : ""
    let figures = "\(rate(network.rate)), \(TimeText.text(network.latency))\(lookup)"
    return network.name.map { "\($0) (\(figures))" } ?? "a network with \(figures)"
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

  /// A string such as `; installed after 33 s`.
  ///
  /// If the size of the app is not included, the string says this.
  var installed: String {
    let app = result.transfers.contains { $0.pack == nil } ? "" : " without the app"
    return result.summary.installed.map { "; installed after \(TimeText.text($0))\(app)" } ?? ""
  }

  func request(of stall: Stall) -> SimulationResult.Request { result.requests[stall.request] }

  func name(ofPack pack: Int) -> String { setNotation(table.tags(of: pack)) }

  func words(on stall: Stall) -> String { "\(downloads(during: stall)). \(remedy(of: stall))" }

  private func downloads(during stall: Stall) -> String {
    let transfers = result.transfers(from: stall.from, to: stall.to)
    let longest = transfers.sorted { ($1.to - $1.from, $0.from) < ($0.to - $0.from, $1.from) }
    let names = longest.prefix(2).map { transfer in
      (transfer.pack.map(name) ?? "the app") + " (\(ByteSize.text(transfer.bytes)))"
    }
    if names.isEmpty { return "During the wait nothing was downloaded" }
    let rest = longest.count - names.count
    let more = rest > 0 ? " and \(counted(rest, of: "more pack"))" : ""
    return "During the wait \(names.joined(separator: ", "))\(more) arrived"
  }

  private func remedy(of stall: Stall) -> String {
    let request = quoted(request(of: stall).name)
    let wait = TimeText.text(stall.duration)
    switch stall.remedy(in: result, table: table) {
    case .retry:
      return "The network lost all data: inform the player, and let them try again when there is a network"
    case .keep(let pack, let purged):
      return
        "\(name(ofPack: pack)) had been purged at \(TimeText.text(purged)) and was downloaded again: "
        + "preserve its tags, or split the packs that needed the space"
    case .raisePriority:
      return "The network was busy with other requests: give \(request) a higher priority, or \"urgent\""
    case .beginEarlier(let time):
      return
        "No request needed the network before: begin \(request) \(TimeText.text(time)) earlier to avoid the "
        + "wait"
    case .beginAndSplit(let time):
      return
        "No request needed the network for \(TimeText.text(time)) before: begin \(request) at the start of that "
        + "time to reduce the wait to \(TimeText.text(max(0, stall.duration - time))) of \(wait); to wait less, "
        + "split its packs, or \(earlierDelivery(of: stall))"
    case .shrink:
      return "The packs of \(request) were already being downloaded: split the packs and wait only for the "
        + "first, or put the tags into the initial install"
    case .install:
      return
        "\(request) began when the app started: put its tags into the initial install, or split its packs and "
        + "wait only for the first"
    case .prefetch:
      return
        "The network was always busy before: \(earlierDelivery(of: stall)), begin \(request) before the "
        + "earlier requests, or split its packs and wait only for the first"
    }
  }

  /// Advice to download a request's packs before the request: prefetch them, or install packs that are
  /// prefetched already.
  private func earlierDelivery(of stall: Stall) -> String {
    stall.isPrefetched(in: result, table: table)
      ? "put its tags into the initial install" : "prefetch its tags"
  }

  func failure(of request: SimulationResult.Request) -> String {
    switch request.error {
    case nil: ""
    case .invalidTag: "no pack has this tag (invalid-tag, 4994)\(guess(for: request))"
    case .inUseLimit:
      "more bytes would be in use than the device allows (in-use-limit, 4993); end requests that are no "
        + "longer needed"
    case .offline: "there is no network (offline); begin it while there is a network, or prefetch its tags"
    case .timedOut:
      "no data arrived for as long as the player is willing to wait (timed-out); offer to try again"
    case .outOfSpace:
      "its packs would not fit even if the device purged all packs that it can (out-of-space, 4992); end "
        + "requests, or make its packs smaller"
    }
  }

  private func guess(for request: SimulationResult.Request) -> String {
    let tags = table.tags
    let unknown = request.tags.first { !tags.contains($0) }
    return suggestion(unknown.flatMap { nearest(to: $0, in: tags) })
  }
}

/// The picture of a scenario.
///
/// The picture shows the packs and the waits over time, and the state of each tag after each step.
struct ScenarioPicture {
  private let run: SimulationRun
  private let names: TagNames
  private let axis: TimeAxis
  private var end: Int64 { max(1, run.result.summary.end) }

  init(_ run: SimulationRun) {
    self.run = run
    names = TagNames(Set(run.result.transfers.compactMap(\.pack)).map { run.table.tags(of: $0) })
    let times =
      run.result.transfers.map { $0.from...max($0.from, $0.to) }
      + run.stalls.map { $0.from...max($0.from, $0.to) }
    axis = TimeAxis(of: times, end: max(1, run.result.summary.end))
  }

  private static let (maxPacks, maxSteps, maxTags) = (24, 24, 24)

  var html: HTML { "<h3>\(run.path, upTo: 160)</h3>\n<p>\(summary)</p>\n" + gantt + waits + gauge }

  private var summary: String {
    let summary = run.result.summary
    return
      "On \(SimulationRun.name(of: run.result.network)): \(counted(summary.stalls, of: "wait")), "
      + "\(TimeText.text(summary.stalled)) in all\(run.installed); \(ByteSize.text(summary.transferred)) downloaded, "
      + "\(counted(summary.errors, of: "failure"))."
  }

  private func x(_ time: Int64) -> Double { 240 + axis.share(of: time) * 750 }

  private var packs: [Int?] {
    var seen: Set<Int?> = []
    let order = run.result.transfers.map(\.pack).filter { seen.insert($0).inserted }
    if order.count <= Self.maxPacks { return order }
    let bytes = Dictionary(run.result.transfers.map { ($0.pack, $0.bytes) }) { $0.saturatingSum(with: $1) }
    let heaviest = Set(
      order.enumerated().sorted { (bytes[$1.1] ?? 0, $0.0) < (bytes[$0.1] ?? 0, $1.0) }.prefix(Self.maxPacks)
        .map(\.1))
    return order.filter(heaviest.contains)
  }

  private var gantt: HTML {
    let packs = packs
    if packs.isEmpty { return "" }
    let height = packs.count * 16 + 24
    let stalls = run.stalls.prefix(200).map { stall -> HTML in
      """
      <g><title>the player waits \(TimeText.text(stall.duration)) for \(listed(run.request(of: stall).tags, atMost: 4), upTo: 140)</title><rect class="over" x="\(x(stall.from))" y="0" width="\(max(3, x(stall.to) - x(stall.from)))" height="\(height - 22)" fill="#a4262c" fill-opacity="0.22"/></g>

      """
    }
    let rows = packs.enumerated().map { row, pack in bars(of: pack, row: row) }
    let count = Set(run.result.transfers.map(\.pack)).count
    let breaks = axis.breaks.map { share -> HTML in
      """
      <line class="axis" x1="\(240 + share * 750)" y1="0" x2="\(240 + share * 750)" y2="\(height - 22)" stroke="#5c5c58" stroke-dasharray="1 4"/>
      """
    }
    let left =
      axis.breaks.isEmpty
      ? nil : "Dotted lines mark omitted periods without a download or a wait."
    let times: HTML =
      "<text class=\"t\" x=\"240\" y=\"\(height - 6)\" fill=\"#111111\">0 s</text><text class=\"t\" x=\"990\" y=\"\(height - 6)\" text-anchor=\"end\" fill=\"#111111\">\(TimeText.text(end))</text>"
    return .legend([
      HTML.LegendEntry(cssClass: "p", color: "#6f9fd8", meaning: "is downloaded"),
      HTML.LegendEntry(cssClass: "i", color: "#1f4e8c", meaning: "is downloaded for a request"),
      HTML.LegendEntry(cssClass: "over", color: "#a4262c", meaning: "the player waits"),
    ])
      + .picture(
        height: height, label: "Packs over time, and when the player waits",
        content: stalls + rows + breaks + [times]
      )
      + .note(left) + .leftOut(count - packs.count, noun: "smaller pack", suffix: " not drawn.")
  }

  private func bars(of pack: Int?, row: Int) -> HTML {
    let name = pack.map { names.name(of: run.table.tags(of: $0)) } ?? "the app"
    let parts = run.result.transfers.filter { $0.pack == pack }.prefix(60).map { transfer -> HTML in
      let (kind, color): (HTML, HTML) = transfer.isForRequest ? ("i", "#1f4e8c") : ("p", "#6f9fd8")
      return """
        <g><title>\(name, upTo: 140)
        \(ByteSize.text(transfer.bytes)) from \(TimeText.text(transfer.from)) to \(TimeText.text(transfer.to))</title><rect class="\(kind)" x="\(x(transfer.from))" y="\(row * 16 + 2)" width="\(max(0.8, x(transfer.to) - x(transfer.from)))" height="12" fill="\(color)"/></g>
        """
    }
    return "\(.rowName(name, endingAt: 232, y: row * 16 + 12))\(Array(parts))\n"
  }

  private var waits: HTML {
    let longest = run.stalls.sorted { ($1.duration, $0.step) < ($0.duration, $1.step) }.prefix(10)
    let lines = longest.map { stall -> HTML in
      "<li>\(TimeText.text(stall.duration)) at \(TimeText.text(stall.from)), step \(stall.step + 1), for \(listed(run.request(of: stall).tags, atMost: 4), upTo: 200). \(TagNames.shortening(run.words(on: stall)), upTo: 600).</li>\n"
    }
    return lines.isEmpty ? "" : "<ol>\n\(Array(lines))</ol>\n"
  }

  /// A table that is similar to the table in Xcode's debugger.
  ///
  /// The table shows the state of each tag after each step.
  private var gauge: HTML {
    let all = run.result.steps.indices
    let steps =
      all.count <= Self.maxSteps
      ? Array(all) : (0..<Self.maxSteps).map { $0 * (all.count - 1) / (Self.maxSteps - 1) }
    let gauges = TagGauge.all(of: run.result, table: run.table, after: steps)
    // Tags that the scenario uses come first. The other tags have a row too, as in Xcode's debugger.
    let wanted = Set(run.result.requests.flatMap(\.tags))
    func isUsed(_ gauge: TagGauge) -> Bool {
      wanted.contains(gauge.tag) || gauge.states.contains { $0 == .downloaded || $0 == .inUse }
    }
    let sorted = gauges.filter(isUsed) + gauges.filter { !isUsed($0) }
    if sorted.isEmpty { return "" }
    let heads = steps.map { step -> HTML in
      "<th scope=\"col\"><abbr title=\"at \(TimeText.text(run.result.steps[step].to))\">\(step + 1)</abbr></th>"
    }
    let rows = sorted.prefix(Self.maxTags).map { gauge -> HTML in
      let cells = gauge.states.map { state -> HTML in
        "<td class=\"s \(state.mark.name)\"><abbr title=\"\(state.rawValue)\">\(state.mark.sign)</abbr></td>"
      }
      return "<tr><th scope=\"row\">\(gauge.tag, upTo: 120)</th>\(.size(gauge.size))\(cells)</tr>\n"
    }
    let legend = TagGauge.State.allCases.map { state -> HTML in "\(state.mark.sign) \(state.rawValue) &#160; "
    }
    let more = sorted.count - rows.count
    return """
      <div class="wide"><table class="gauge" cellpadding="2"><caption>The state of each tag after each step</caption>
      <thead><tr><th scope="col">tag</th><th scope="col">size</th>\(heads)</tr></thead>
      <tbody>\(Array(rows))</tbody></table></div>
      <p class="key">\(legend)</p>
      \(.note(more > 0 ? "and \(counted(more, of: "more tag"))" : nil))
      """
  }
}

extension TagGauge.State {
  fileprivate var mark: (name: HTML, sign: HTML) {
    switch self {
    case .notDownloaded: ("s0", "·")
    case .downloading: ("s1", "◔")
    case .downloaded: ("s2", "○")
    case .inUse: ("s3", "●")
    case .purged: ("s4", "×")
    }
  }
}

/// A time axis that omits long periods without any event.
private struct TimeAxis {
  private var parts: [ClosedRange<Int64>] = []
  private let total: Double
  /// The positions at which periods are omitted, as shares of the width.
  private(set) var breaks: [Double] = []

  /// Makes an axis from 0 to `end`, for events at the given times.
  init(of times: [ClosedRange<Int64>], end: Int64) {
    // The axis omits a gap between events that is at least this long.
    let gap = end / 12
    for time in ([0...0, end...end] + times).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = parts.last, time.lowerBound - last.upperBound <= gap {
        parts[parts.count - 1] = last.lowerBound...max(last.upperBound, time.upperBound)
      } else {
        parts.append(time)
      }
    }
    total = max(1, parts.reduce(0) { $0 + Double($1.upperBound - $1.lowerBound) })
    breaks = parts.dropLast().map { share(of: $0.upperBound) }
  }

  /// Returns the position of a time as a share of the width.
  ///
  /// If the time is in an omitted period, returns the position of that period.
  func share(of time: Int64) -> Double {
    parts.reduce(0) { $0 + Double(max(0, min(time, $1.upperBound) - $1.lowerBound)) } / total
  }
}

/// Returns the network profile that a flag names.
func networkLink(
  _ name: String, among names: [String] = NetworkProfile.all.map(\.name) + [NetworkProfile.noName]
) throws(FlagMistake) -> NetworkProfile {
  if let network = NetworkProfile.named(name) { return network }
  throw FlagMistake(
    "contains the network profile \(quoted(name)), which does not exist\(linkHint(name, among: names))")
}
