import Findings
import Flags
import Formats
import Projects
import Simulation

/// What came of a scenario, for people: what the player waits for first, with what to change.
struct SimulationText {
  private let run: SimulationRun
  private let width: Int

  /// The number of waits and failures that are shown.
  private static let mostShown = 10

  init(_ run: SimulationRun, width: Int) {
    self.run = run
    self.width = max(40, min(width, 100))
  }

  private var summary: SimulationResult.Summary { run.result.summary }

  var text: PlainText { head + stalls + failures + Timeline(run, width: width).text + figures + remarks }

  private var head: PlainText {
    let none = run.result.requests.isEmpty ? "no request" : "no stall"
    let waits =
      summary.stalls == 0
      ? none : "\(counted(summary.stalls, "stall")), \(TimeText.text(summary.stalled)) in all"
    let installed = summary.installed.map { "; installed after \(TimeText.text($0))" } ?? ""
    let failed = summary.errors == 0 ? "" : "; \(counted(summary.errors, "failure"))"
    return
      "\(displayed(run.path)) on \(SimulationRun.name(of: run.result.link)): \(waits)\(failed)\(installed)\n"
  }

  private var stalls: PlainText {
    let longest = run.stalls.sorted { ($1.duration, $0.step) < ($0.duration, $1.step) }
    if longest.isEmpty { return "" }
    let lines = longest.prefix(Self.mostShown).map { stall -> PlainText in
      let request = run.request(of: stall)
      let first =
        "\(TimeText.text(stall.duration)) at \(TimeText.text(stall.from)), step \(grouped(stall.step + 1)), for "
        + "\(quoted(request.name)): \(setNotation(request.tags))"
      return "  \(first)\n" + wrapped(StallText(stall, run).text, indentation: 4)
    }
    let more = longest.count - Self.mostShown
    return "\nstalls, the longest first:\n" + lines.joined()
      + (more > 0 ? "  and \(counted(more, "shorter one"))\n" : "")
  }

  private var failures: PlainText {
    let failed = run.result.requests.filter { $0.error != nil }
    if failed.isEmpty {
      return summary.errors == 0 ? "" : "\nfailures:\n" + wrapped(installFailure, indentation: 2)
    }
    let lines = failed.prefix(Self.mostShown).map { request -> PlainText in
      wrapped(
        "\(quoted(request.name)) for \(setNotation(request.tags)), begun at \(TimeText.text(request.began)): "
          + FailureText(request, run).text, indentation: 2)
    }
    let more = failed.count - Self.mostShown
    return "\nfailures:\n" + lines.joined() + (more > 0 ? "  and \(counted(more, "more"))\n" : "")
  }

  private var installFailure: String {
    run.result.link == nil
      ? "the install fails (offline): there is no network"
      : "the install fails (out-of-space): the app and the initial install do not fit; give the device more space, or "
        + "the prefetch order some of the tags"
  }

  private var figures: PlainText {
    var table = TextTable([.left, .right, .left])
    table.add("downloaded", ByteSize.text(summary.transferred))
    if summary.unused > 0 {
      table.add("for nothing", ByteSize.text(summary.unused), "of packs that no request held")
    }
    if summary.purges > 0 {
      table.add("purged", ByteSize.text(summary.purged), counted(summary.purges, "pack"))
      table.add("over-purged", ByteSize.text(summary.overPurged), "freed beyond what was needed")
    }
    table.add("stored at most", ByteSize.text(summary.peakStored))
    table.add("in use at most", ByteSize.text(summary.peakInUse))
    return "\n" + table.text(indentation: 2)
  }

  /// What to change besides what makes the player wait.
  private var remarks: PlainText {
    var sentences: [String] = []
    if summary.overPurged > 0, let largest = run.result.purges.max(by: { $0.size < $1.size }) {
      sentences.append(
        "purging takes whole packs: \(ByteSize.text(summary.overPurged)) more went than was needed. The largest that "
          + "went was \(run.name(ofPack: largest.pack)) with \(ByteSize.text(largest.size)); smaller packs, by more "
          + "tags, lose less")
    }
    let again = run.result.packs.indices.filter { run.result.packs[$0].downloads > 1 }
    if let pack = again.max(by: { run.result.packs[$0].transferred < run.result.packs[$1].transferred }) {
      sentences.append(
        "\(counted(again.count, "pack")) came more than once; \(run.name(ofPack: pack)) "
          + "\(counted(run.result.packs[pack].downloads, "time")). A higher \"preserve\" keeps what is wanted again"
      )
    }
    if sentences.isEmpty { return "" }
    return "\n" + sentences.map { wrapped($0, indentation: 0) }.joined()
  }

  private func wrapped(_ text: String, indentation: Int) -> PlainText {
    Screen(width: width, isColored: false).wrapped(text, indentation: indentation)
  }
}

/// What `simulate` prints: one scenario that was played, many made players, or a log that was replayed.
enum SimulateReport {
  /// `width` is that of a line of the terminal.
  case scenario(SimulationRun, SimulationResult, Advice?, steps: [ScenarioStep], width: Int)
  case players(PlayersReport)
  case replay(ReplayReport)

  static let forms: [ResultWriter<SimulateReport>] = [.text { $0.text }, .json { $0.json }]

  private var text: PlainText {
    switch self {
    case .scenario(let run, _, let advice, let steps, let width):
      SimulationText(run, width: width).text + (advice.map { AdviceText($0, steps: steps).text } ?? "")
    case .players(let report): report.text
    case .replay(let report): report.text
    }
  }

  private var json: JSONText {
    switch self {
    case .scenario(_, let result, let advice, let steps, _):
      SimulationJSON(result, more: advice.map { ["advice": $0.json(steps)] } ?? [:]).json
    case .players(let report): report.json
    case .replay(let report): report.json
    }
  }
}
