import Formats
import Simulation

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
