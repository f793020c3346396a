package import Findings
import Formats
package import PackKit
import Projects
import Spelling
package import System

/// A scenario played against a release, with all that is wrong on the way.
package struct ScenarioPlay: Sendable {
  package let scenario: Scenario
  /// Nil where the scenario makes no sense.
  package private(set) var result: SimulationResult?
  package private(set) var diagnostics: [Diagnostic] = []
  /// The packs and tags of all releases that the scenario puts in place; nil where some cannot be read.
  package private(set) var table: PackTable?
  /// The releases that updates put in place, by the names that the scenario gives them.
  package private(set) var updates: [String: SimulatedRelease] = [:]
  private let text: SourceText

  /// Plays what a reader has read on a release, where it could be read; `link` takes the place of the scenario's, and of
  /// its updates only what `device` gets counts.
  ///
  /// - Throws: where the machine fails.
  package init?(
    _ reader: ScenarioReader, on release: SimulatedRelease, link: NetworkLink?? = nil,
    rules: RuntimeRules = RuntimeRules(), device: DeviceClass? = nil,
    jobs: Int
  ) throws(SystemError) {
    guard var scenario = reader.scenario, let text = reader.text else { return nil }
    if let link { scenario.link = link }
    scenario.rules = rules
    self.scenario = scenario
    self.text = text
    if !reader.hasLink && link == nil {
      let message = "the key \"link\" is missing, and no --link is given"
      diagnostics = [Diagnostic(.missingKey, message, at: text.place(at: 0))]
      return
    }
    try readUpdates(of: reader, device, jobs: jobs)
    if !diagnostics.hasErrors { run(on: release) }
  }

  private mutating func readUpdates(
    of reader: ScenarioReader, _ device: DeviceClass?, jobs: Int
  ) throws(SystemError) {
    for update in reader.updates {
      let path = joined(folderPath(of: reader.path), update.value)
      let reading = try SimulatedReleaseReader(path, device: device, jobs: jobs)
      if let release = reading.release {
        updates[update.value] = release
      } else {
        let first = reading.diagnostics.first { $0.severity == .error }
        let message = "the update \(quoted(update.value)) cannot be read, at \(quoted(reading.path))"
        diagnostics.append(
          Diagnostic(
            .invalidValue, message, at: text.place(at: update.offset),
            notes: first.map { [.init($0.message, at: $0.place)] } ?? []))
      }
    }
  }

  /// Errors about tags that no release of the scenario has, each where it comes first.
  private func unknownTags(in table: PackTable) -> [Diagnostic] {
    var seen: Set<String> = []
    var guesses = Guesses()
    return scenario.steps.flatMap { step -> [Diagnostic] in
      let asked: [String] =
        switch step.action {
        case .begin(let tags, _, _), .conditional(let tags, _), .preserve(let tags, _): tags
        default: []
        }
      return asked.filter { table.tag($0) == nil && seen.insert($0).inserted }.map { tag in
        let guess = suggestion(guesses.nearest(to: tag, in: table.tags)?.name)
        return Diagnostic(
          .unknownTag, "no pack has the tag \(quoted(tag))\(guess)", at: text.place(at: step.offset))
      }
    }
  }

  private mutating func run(on release: SimulatedRelease) {
    guard let table = PackTable(release, updates: updates) else {
      let message = "all packs together have more bytes than can be counted"
      diagnostics.append(Diagnostic(.invalidValue, message, at: text.place(at: 0)))
      return
    }
    self.table = table
    diagnostics += unknownTags(in: table)
    do throws(ScenarioMistake) {
      let result = try Simulation.run(scenario, on: table, isDetailed: true)
      self.result = result
      let expected = ExpectationFindings(scenario: scenario, result: result, table: table, text: text)
      diagnostics += scenario.expectations.compactMap(expected.finding)
    } catch {
      let place = text.place(at: scenario.steps[error.source].offset)
      diagnostics.append(Diagnostic(.invalidValue, error.message, at: place))
    }
  }
}

extension ScenarioMistake {
  /// The mistake and its cure.
  var message: String {
    switch kind {
    case .nameInUse(let name):
      "the request \(quoted(name)) is still open here; end it first, or choose another name"
    case .unknownName(let name): "no step before this one begins a request \(quoted(name))"
    case .requestsOpenAtUpdate(let names):
      "\(listed(names, atMost: 3)) \(names.count == 1 ? "is" : "are") open here; an app is updated while it does not "
        + "run, so end all requests, or {\"quit\": true}"
    case .installNotFirst: "\"install\" is at most once, and the first step"
    case .unknownRelease(let name): "the update \(quoted(name)) was not read"
    case .endless: "this takes until after the year 292,000, which is as far as time is counted"
    case .tooMuchWork:
      "the steps up to here look at packs and requests more than \(grouped(Simulation.Bounds().looks)) times"
    case .tooManyPins: "the open requests hold more than \(grouped(Simulation.Bounds().pins)) packs"
    }
  }
}

/// Holds what came of a scenario against what it expects.
private struct ExpectationFindings {
  let scenario: Scenario
  let result: SimulationResult
  let table: PackTable
  let text: SourceText

  /// What a finding names of what cost most.
  private static let mostNamed = 3

  func finding(_ expected: Expectation) -> Diagnostic? {
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
