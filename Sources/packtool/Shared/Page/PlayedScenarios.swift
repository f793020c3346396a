import Formats
import Play
import System

struct PlayedScenarios {
  private(set) var runs: [SimulationRun] = []
  private(set) var findings: [Diagnostic] = []
  private(set) var texts: [SourceText] = []

  /// Plays scenarios with a release.
  ///
  /// If the release cannot be read, the scenarios are only read and not played.
  init(at scenarioPaths: [String], on release: SimulatedReleaseReader?, jobs: Int) throws(SystemError) {
    for path in scenarioPaths {
      let reader = try ScenarioReader(path: path)
      findings += reader.diagnostics
      if let text = reader.text { texts.append(text) }
      guard let release, let play = try ScenarioPlay(reader, on: release, jobs: jobs) else { continue }
      findings += play.diagnostics
      if let result = play.result, let table = play.table {
        runs.append(
          SimulationRun(
            scenario: play.scenario, result: result, table: table, path: path,
            firstDownload: play.firstDownload))
      }
    }
  }
}
