import Findings
import Formats
import Projects
import System

/// Holds what came of a scenario against what it expects.
struct ExpectationFindings {
  private let scenario: Scenario
  private let result: SimulationResult
  private let table: PackTable
  private let text: SourceText

  /// What a finding names of what cost most.
  private static let mostNamed = 3

  init(_ scenario: Scenario, _ result: SimulationResult, _ table: PackTable, _ text: SourceText) {
    self.scenario = scenario
    self.result = result
    self.table = table
    self.text = text
  }

  var findings: [Diagnostic] { scenario.expectations.compactMap(finding) }

  private func finding(_ expected: Expectation) -> Diagnostic? {
    let summary = result.summary
    switch expected.kind {
    case .installed: return installed(expected)
    case .stalled:
      let message =
        "the player waits \(TimeText.exact(summary.stalled)) in all\(over(summary.stalled, expected))"
      return finding(.stalls, summary.stalled, expected, message, stallNotes)
    case .stalls:
      let times = counted(summary.stalls, "time")
      let message = "the player waits \(times); expected at most \(grouped(expected.most))"
      return finding(.stalls, Int64(summary.stalls), expected, message, stallNotes)
    case .downloaded:
      let over = ByteSize.number(summary.transferred - min(expected.most, summary.transferred))
      let message =
        "\(ByteSize.exact(summary.transferred)) are downloaded, \(over) over the \(ByteSize.number(expected.most)) expected"
      return finding(.transferSize, summary.transferred, expected, message, packNotes)
    case .errors:
      let message =
        "\(counted(summary.errors, "request fails", plural: "requests fail")); expected at most "
        + grouped(expected.most)
      return finding(.failedRequest, Int64(summary.errors), expected, message, errorNotes)
    }
  }

  private func installed(_ expected: Expectation) -> Diagnostic? {
    guard let installed = result.summary.installed else {
      let reason =
        result.summary.errors > 0 && result.requests.isEmpty
        ? "its install fails" : "no step installs it; {\"install\": true} does, as the first step"
      return Diagnostic(
        .slowInstall, "the app is never installed: \(reason)", at: text.place(at: expected.offset))
    }
    let message = "the app is installed after \(TimeText.exact(installed))\(over(installed, expected))"
    return finding(.slowInstall, installed, expected, message, installNotes)
  }

  private func over(_ time: Int64, _ expected: Expectation) -> String {
    ", \(TimeText.exact(max(0, time - expected.most))) more than expected"
  }

  private func finding(
    _ check: Check, _ value: Int64, _ expected: Expectation, _ message: String,
    _ notes: () -> [Diagnostic.Note]
  ) -> Diagnostic? {
    if value <= expected.most { return nil }
    return Diagnostic(check, message, at: text.place(at: expected.offset), notes: notes())
  }

  private func stallNotes() -> [Diagnostic.Note] {
    let stalls = Stall.all(of: result, scenario).sorted { ($1.duration, $0.step) < ($0.duration, $1.step) }
    return stalls.prefix(Self.mostNamed).map { stall in
      let request = result.requests[stall.request]
      return Diagnostic.Note(
        "\(TimeText.exact(stall.duration)) for \(setNotation(request.tags)), begun "
          + "\(TimeText.exact(stall.from - request.began)) before",
        at: place(ofStep: stall.step))
    }
  }

  private func packNotes() -> [Diagnostic.Note] {
    let most = result.packs.indices.sorted { first, second in
      let sizes = (result.packs[first].transferred, result.packs[second].transferred)
      return sizes.0 == sizes.1 ? first < second : sizes.0 > sizes.1
    }
    let notes = most.prefix(Self.mostNamed).filter { result.packs[$0].transferred > 0 }.map { pack in
      let times = result.packs[pack].downloads > 1 ? ", \(result.packs[pack].downloads) times" : ""
      return Diagnostic.Note(
        "\(ByteSize.exact(result.packs[pack].transferred)) for the pack of \(setNotation(table.tags(of: pack)))\(times)"
      )
    }
    let packs = result.packs.reduce(Int64(0)) { $0.saturatingSum(with: $1.transferred) }
    let app = result.summary.transferred - min(packs, result.summary.transferred)
    return (app > 0 ? [.init("\(ByteSize.exact(app)) for the app")] : []) + notes
  }

  private func installNotes() -> [Diagnostic.Note] {
    let transfers = result.transfers.filter { $0.to <= result.summary.installed ?? 0 }
    let longest = transfers.sorted { ($1.to - $1.from, $0.from) < ($0.to - $0.from, $1.from) }
    return longest.prefix(Self.mostNamed).map { transfer in
      let what = transfer.pack.map { "the pack of \(setNotation(table.tags(of: $0)))" } ?? "the app"
      return .init(
        "\(TimeText.exact(transfer.to - transfer.from)) for \(what), \(ByteSize.exact(transfer.bytes))")
    }
  }

  private func errorNotes() -> [Diagnostic.Note] {
    if result.requests.isEmpty { return [.init("the install fails")] }
    return result.requests.filter { $0.error != nil }.prefix(Self.mostNamed).map { request in
      .init(
        "\(quoted(request.name)) for \(setNotation(request.tags)): \(request.error?.rawValue ?? "")",
        at: place(ofStep: request.step))
    }
  }

  private func place(ofStep step: Int) -> Place {
    text.place(at: scenario.steps[result.steps[step].source].offset)
  }
}
