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
    device: DeviceClass? = nil,
    jobs: Int
  ) throws(SystemError) {
    guard var scenario = reader.scenario, let text = reader.text else { return nil }
    if let link { scenario.link = link }
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
      diagnostics += ExpectationFindings(scenario, result, table, text).findings
    } catch {
      let place = text.place(at: scenario.steps[error.source].offset)
      diagnostics.append(Diagnostic(.invalidValue, error.message, at: place))
    }
  }
}

extension ScenarioMistake {
  /// What is wrong, and what to do.
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
