import Formats
import Inspect
import Model
import Pipeline
import Play
import System

extension SimulationRun {
  private static let maxShown = 10
  /// The maximum number of unused packs that are named.
  private static let maxNamed = 3

  private var summary: SimulationResult.Summary { result.summary }

  func text(width: Int) -> PlainText {
    let screen = Screen(width: max(40, min(width, 100)), isColored: false)
    return head + storeSize(on: screen) + waits(on: screen) + failures(on: screen)
      + Timeline(run: self, width: max(40, min(width, 100))).text + figures + remarks(on: screen)
  }

  private var head: PlainText {
    let none = result.requests.isEmpty ? "no request" : "no stall"
    let waits =
      summary.stalls == 0
      ? none : "\(counted(summary.stalls, of: "stall")), \(TimeText.text(summary.stalled)) in all"
    let failed = summary.errors == 0 ? "" : "; \(counted(summary.errors, of: "failure"))"
    return
      "\(displayed(path)) on \(Self.name(of: result.network)): \(waits)\(failed)\(installed)\n"
  }

  private func storeSize(on screen: Screen) -> PlainText {
    guard let firstDownload, firstDownload.size > 0 else { return "" }
    return screen.wrapped(firstDownload.sentence, hangingIndent: 2)
  }

  private func waits(on screen: Screen) -> PlainText {
    let longest = stalls.sorted { ($1.duration, $0.step) < ($0.duration, $1.step) }
    if longest.isEmpty { return "" }
    let lines = longest.prefix(Self.maxShown).map { stall -> PlainText in
      let request = request(of: stall)
      let first =
        "\(TimeText.text(stall.duration)) at \(TimeText.text(stall.from)), step \(grouped(stall.step + 1)), for "
        + "\(quoted(request.name)): \(setNotation(request.tags))"
      return "  \(first)\n" + screen.wrapped(words(on: stall), indentation: 4)
    }
    return "\nstalls, the longest first:\n" + lines.joined()
      + andMore(longest.count - Self.maxShown, noun: "shorter stall")
  }

  private func failures(on screen: Screen) -> PlainText {
    let failed = result.requests.filter { $0.error != nil }
    if failed.isEmpty {
      return summary.errors == 0 ? "" : "\nfailures:\n" + screen.wrapped(installFailure, indentation: 2)
    }
    let lines = failed.prefix(Self.maxShown).map { request -> PlainText in
      screen.wrapped(
        "\(quoted(request.name)) for \(setNotation(request.tags)), begun at \(TimeText.text(request.began)): "
          + failure(of: request), indentation: 2)
    }
    let left = failed.count - Self.maxShown
    return "\nfailures:\n" + lines.joined() + (left > 0 ? "  and \(counted(left, of: "more"))\n" : "")
  }

  private var installFailure: String {
    if result.network?.losesAll == true {
      return "the installation fails (timed-out): no data arrived for \(TimeText.text(scenario.patience))"
    }
    return result.network == nil
      ? "the installation fails (offline): there is no network"
      : "the installation fails (out-of-space): the app and the initial install do not fit; give the device "
        + "more space, or move some tags to the prefetch order"
  }

  private var figures: PlainText {
    var table = TextTable([.left, .right, .left])
    table.add("downloaded", ByteSize.text(summary.transferred))
    if summary.indexes > 0 { table.add("indexes", ByteSize.text(summary.indexes), "of updates, in addition") }
    for size in result.steps.compactMap(\.downloadSize) {
      table.add("staged update", ByteSize.text(size), "to download for tags that were stored")
    }
    if summary.unused > 0 {
      table.add("unused", ByteSize.text(summary.unused), "of packs that no request used:")
      addUnusedPacks(to: &table)
    }
    if summary.purges > 0 {
      table.add("purged", ByteSize.text(summary.purged), counted(summary.purges, of: "pack"))
      table.add("over-purged", ByteSize.text(summary.overPurged), "more than was needed")
    }
    table.add("maximum stored", ByteSize.text(summary.peakStored))
    table.add("maximum in use", ByteSize.text(summary.peakInUse))
    return "\n" + table.text(indentation: 2)
  }

  /// Adds the packs that no request used, the largest first.
  private func addUnusedPacks(to table: inout TextTable) {
    let packs = result.packs.indices.filter { result.packs[$0].unused > 0 }.sorted {
      (result.packs[$1].unused, $0) < (result.packs[$0].unused, $1)
    }
    for pack in packs.prefix(Self.maxNamed) {
      table.add("", ByteSize.text(result.packs[pack].unused), name(ofPack: pack))
    }
    let rest = packs.dropFirst(Self.maxNamed)
    if rest.isEmpty { return }
    let size = rest.saturatingSum { result.packs[$0].unused }
    table.add("", ByteSize.text(size), "in \(counted(rest.count, of: "more pack", plural: "more packs"))")
  }

  private func remarks(on screen: Screen) -> PlainText {
    var sentences: [String] = []
    if summary.overPurged > 0, let largest = result.purges.max(by: { $0.size < $1.size }) {
      sentences.append(
        "devices purge whole packs, so \(ByteSize.text(summary.overPurged)) more than needed was purged. The "
          + "largest purged pack was \(name(ofPack: largest.pack)) with \(ByteSize.text(largest.size)); if "
          + "you split packs with more tags, devices purge less")
    }
    // Packs that were downloaded again because of an update are not included, because no advice could have
    // avoided these downloads.
    let again = result.packs.indices.filter { result.packs[$0].downloads > 1 && result.packs[$0].purges > 0 }
    if let pack = again.max(by: { result.packs[$0].transferred < result.packs[$1].transferred }) {
      sentences.append(
        "\(counted(again.count, of: "pack")) \(again.count == 1 ? "was" : "were") downloaded more than once: "
          + "\(name(ofPack: pack)) \(counted(result.packs[pack].downloads, of: "time")). A higher "
          + "\"preserve\" keeps packs that are needed again"
      )
    }
    if sentences.isEmpty { return "" }
    return "\n" + sentences.map { screen.wrapped($0) }.joined()
  }
}

/// A drawing of a run.
///
/// It has a row for the network, a row for each request, and a column for each period of time. All periods
/// have the same length.
struct Timeline {
  let run: SimulationRun
  let width: Int

  private static let maxRows = 20
  private static let widestName = 24

  /// The state that a cell shows.
  ///
  /// If there are several states in the period of a cell, the cell shows the state that is last in this list.
  private enum Cell: Comparable {
    case nothing
    case inUse
    case loading
    case waiting

    var text: String {
      switch self {
      case .nothing: " "
      case .inUse: "─"
      case .loading: "░"
      case .waiting: "█"
      }
    }
  }

  /// A period during which a row has one state.
  private struct Stretch {
    let from: Int64
    let to: Int64
    let cell: Cell
  }

  /// The time at which the drawing starts.
  ///
  /// The installation is omitted, because it is long and has no events.
  private var start: Int64 { run.result.summary.installed ?? 0 }
  private var end: Int64 { run.result.summary.end }

  var text: PlainText {
    if end == start { return "" }
    let requests = shown
    let omitted = run.result.requests.count - requests.count
    let names = requests.map { displayed(name(of: $0)) } + ["link"]
    let nameWidth = min(Self.widestName, names.map(\.screenWidth).max() ?? 0)
    let cellCount = max(20, min(width, 100) - nameWidth - 6)
    let transfers = run.result.transfers.map { Stretch(from: $0.from, to: $0.to, cell: .loading) }
    var rows: [(String, [Cell])] = [("link", draw(transfers, count: cellCount))]
    rows += requests.map { (displayed(name(of: $0)), draw(stretches(of: $0), count: cellCount)) }
    let scale = "one column is \(TimeText.text(max(1, (end - start) / Int64(cellCount))))"
    return "\ntimeline, \(TimeText.text(start)) to \(TimeText.text(end)); \(scale)\n"
      + rows.map { line($0.0, cells: $0.1, column: nameWidth) }.joined()
      + "  \(Cell.waiting.text) the player waits   \(Cell.loading.text) loading   \(Cell.inUse.text) in use\n"
      + (omitted > 0 ? "  \(counted(omitted, of: "more request")) not drawn\n" : "")
  }

  private func line(_ name: String, cells: [Cell], column: Int) -> PlainText {
    let cut = name.cut(toColumns: column)
    let space = String(repeating: " ", count: max(0, column - cut.screenWidth))
    return "  \(cut)\(space)  │\(cells.map(\.text).joined())│\n"
  }

  /// The requests that are drawn, in order.
  ///
  /// If not all requests can be drawn, the requests with the longest waits are chosen.
  private var shown: [Int] {
    let requests = run.result.requests
    if requests.count <= Self.maxRows { return Array(requests.indices) }
    let byWait = requests.indices.sorted { first, second in
      let waits = (requests[first].waited, requests[second].waited)
      return waits.0 == waits.1 ? first < second : waits.0 > waits.1
    }
    return byWait.prefix(Self.maxRows).sorted()
  }

  private func name(of request: Int) -> String { run.result.requests[request].name }

  private func stretches(of number: Int) -> [Stretch] {
    let request = run.result.requests[number]
    let ended = request.ended ?? request.began
    let available = request.available ?? ended
    let waits = run.stalls.filter { $0.request == number }.map {
      Stretch(from: $0.from, to: $0.to, cell: .waiting)
    }
    return [
      Stretch(from: request.began, to: available, cell: .loading),
      Stretch(from: available, to: ended, cell: .inUse),
    ] + waits
  }

  private func draw(_ stretches: [Stretch], count: Int) -> [Cell] {
    var cells = Array(repeating: Cell.nothing, count: count)
    for stretch in stretches where stretch.to > max(stretch.from, start) {
      for place in cell(at: stretch.from, of: count)...cell(at: stretch.to - 1, of: count) {
        cells[place] = max(cells[place], stretch.cell)
      }
    }
    return cells
  }

  private func cell(at time: Int64, of count: Int) -> Int {
    let (high, low) = UInt64(max(0, min(time, end - 1) - start)).multipliedFullWidth(by: UInt64(count))
    return Int(UInt64(end - start).dividingFullWidth((high, low)).quotient)
  }
}

extension Advice {
  func text(_ steps: [ScenarioStep]) -> PlainText {
    let shown = proposals.prefix(10)
    let table = Table(
      shown, columns: .text("change") { Self.sentence(for: $0.change, steps: steps) },
      .number("saves") { $0.saved < 0 ? "-" : TimeText.text($0.saved) },
      .number("installed") { $0.summary.installed.map(TimeText.text) ?? "-" },
      .number("waits") { TimeText.text($0.summary.stalled) })
    var text: PlainText =
      "\nadvice, from running the scenario with each of "
      + "\(counted(tried, of: "change"))\(isShort ? ", the closest to the expected results first" : ""):\n"
      + (shown.isEmpty ? "  no change makes the waits shorter\n" : table.text(indentation: 2))
      + andMore(proposals.count - shown.count, noun: "more change", suffix: " that save less")
    if untried > 0 {
      text +=
        "  \(counted(untried, of: "more change")) \(untried == 1 ? "was" : "were") not tried, because the "
        + "time ran out\n"
    }
    if !knowsLists {
      text +=
        "  an earlier version of packtool built this folder, without tag lists; to try changes to the lists, "
        + "build the folder again, or pass the manifest\n"
    }
    return text
  }

  func json(_ steps: [ScenarioStep]) -> JSONText {
    .fields([
      "tried": tried,
      "changes": proposals.map { proposal in
        JSONText.fields([
          "change": Self.sentence(for: proposal.change, steps: steps), "saves": proposal.saved,
          "summary": proposal.summary.json,
        ])
      },
    ])
  }

  private static func sentence(for change: Change, steps: [ScenarioStep]) -> String {
    switch change {
    case .swapPrefetch(let first, let second):
      return "prefetch \(quoted(second)) before \(quoted(first))"
    case .addToInstall(let tag): return "put \(quoted(tag)) into the initial install"
    case .moveToPrefetch(let tag): return "prefetch \(quoted(tag)) instead of installing it"
    case .beginAllEarlier: return "begin every request one level earlier"
    case .beginEarlier(let step):
      guard case .begin(let tags, let name, _) = steps[step].action else { return "" }
      return "begin \(quoted(name)), for \(listed(tags, atMost: 3)), one level earlier"
    }
  }
}

// The results of generated players on several networks.
extension Players {
  func results(on table: PackTable, links: [NetworkProfile?]?) -> [PlayersResult] {
    (links ?? ["3G", "Slow 4G", "Fast 4G", "LTE", "Wi-Fi"].map(NetworkProfile.named)).compactMap {
      PlayersResult(self, on: table, network: $0)
    }
  }

  func text(of results: [PlayersResult]) -> PlainText {
    let table = Table(
      results, columns: .text("link") { $0.network?.name ?? SimulationRun.name(of: $0.network) },
      .number("installed") { $0.installed.map { TimeText.text($0.median) } ?? "never" },
      .number("95 %") { $0.installed.map { TimeText.text($0.percentile95) } ?? "never" },
      .count("stalls", count: \.stalls.median), .count("95 %", count: \.stalls.percentile95),
      .number("waits") { TimeText.text($0.stalled.median) },
      .number("95 %") { TimeText.text($0.stalled.percentile95) },
      .size("download", bytes: \.transferred.median),
      .size("95 %", bytes: \.transferred.percentile95))
    return
      "\(counted(runs, of: "\(pattern.rawValue) player")), seed \(seed): the median, and the value that 95 "
      + "of 100 players do not exceed\n\n" + table.text(indentation: 2)
  }

  func json(of results: [PlayersResult]) -> JSONText {
    .fields([
      "formatVersion": 1, "players": pattern.rawValue, "runs": runs, "seed": Int64(seed),
      "links": results.map(Self.json),
    ])
  }

  private static func json(of result: PlayersResult) -> JSONText {
    .fields([
      "link": SimulationResult.json(of: result.network), "installed": result.installed?.jsonText ?? .null,
      "stalls": result.stalls, "stalled": result.stalled, "transferred": result.transferred,
    ])
  }
}

extension PlayersResult.Spread: JSONRepresentable {
  var jsonText: JSONText { .fields(["median": median, "percentile95": percentile95]) }
}

extension Replay {
  private static let maxShown = 30

  func text(path: String) -> PlainText {
    let excess = downloads.map { ($0.logged.measured - $0.modelled).magnitude }
    let sorted = downloads.indices.sorted { (excess[$1], $0) < (excess[$0], $1) }
    let table = Table(
      sorted.prefix(Self.maxShown).map { downloads[$0] },
      columns: .text("pack") {
        $0.logged.tags.isEmpty ? quoted($0.logged.pack) : setNotation($0.logged.tags)
      },
      .count("bytes", count: \.logged.bytes), .number("measured") { TimeText.text($0.logged.measured) },
      .number("model") { TimeText.text($0.modelled) },
      .number("more") { Self.share($0.logged.measured, model: $0.modelled) })
    return
      "\(displayed(path)): \(counted(downloads.count, of: "download")), \(ByteSize.text(size)) over "
      + "\(SimulationRun.name(of: network))\n\n" + table.text(indentation: 2)
      + andMore(downloads.count - Self.maxShown, noun: "download", suffix: " that differ less")
      + "\nin all \(TimeText.text(measured)) measured, \(TimeText.text(modelled)) in the model "
      + "(\(Self.share(measured, model: modelled)))\n"
  }

  var json: JSONText {
    .fields([
      "formatVersion": 1, "link": SimulationResult.json(of: network),
      "downloads": downloads.map { download, modelled in
        JSONText.fields([
          "pack": download.pack, "tags": download.tags, "bytes": download.bytes, "began": download.began,
          "measured": download.measured, "modelled": modelled,
        ])
      },
      "summary": JSONText.fields(["bytes": size, "measured": measured, "modelled": modelled]),
    ])
  }

  private static func share(_ time: Int64, model: Int64) -> String {
    if model == 0 { return "" }
    let tenths = ((Double(time) / Double(model) - 1) * 1000).rounded()
    return "\(tenths < 0 ? "-" : "+")\((tenths / 10).magnitude) %"
  }
}

extension SimulationResult {
  func json(firstDownload: FirstDownload? = nil, advice: JSONText? = nil) -> JSONText {
    .fields([
      "formatVersion": 1, "link": Self.json(of: network), "firstDownload": firstDownload?.json,
      "steps": steps.enumerated().map {
        JSONText.fields([
          "step": $0 + 1, "from": $1.from, "to": $1.to, "downloadSize": $1.downloadSize,
        ])
      },
      "requests": requests.map(Self.json), "packs": packs.map(Self.json), "summary": summary.json,
      "advice": advice,
    ])
  }

  /// Returns a network profile as JSON; null if there is no network.
  static func json(of network: NetworkProfile?) -> JSONText {
    guard let network else { return .null }
    return .fields([
      "rate": network.losesAll ? 0 : network.rate, "latency": network.latency,
      "lookup": network.lookup > 0 ? network.lookup : nil,
    ])
  }

  private static func json(of request: Request) -> JSONText {
    .fields([
      "name": request.name, "tags": request.tags, "began": request.began,
      "available": request.available.map(JSONText.integer) ?? .null,
      "ended": request.ended.map(JSONText.integer) ?? .null, "waited": request.waited,
      "downloadSize": request.downloadSize.map(JSONText.integer) ?? .null,
      "error": request.error.map { JSONText.string($0.rawValue) } ?? .null,
    ])
  }

  private static func json(of pack: Pack) -> JSONText {
    .fields([
      "id": pack.id, "downloads": pack.downloads, "transferred": pack.transferred, "purges": pack.purges,
    ])
  }
}

extension SimulationResult.Summary {
  var json: [String: JSONText] {
    .fields([
      "installed": installed.map(JSONText.integer) ?? .null, "stalls": stalls, "stalled": stalled,
      "transferred": transferred, "unused": unused, "purges": purges, "purged": purged,
      "overPurged": overPurged, "peakStored": peakStored, "peakInUse": peakInUse, "errors": errors,
      "end": end, "indexes": indexes > 0 ? indexes : nil,
    ])
  }
}
