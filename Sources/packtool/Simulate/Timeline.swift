import Simulation
import Findings
import Projects
import Releases
import System

/// A run drawn to scale: a row for the link, one for each request, a column for each stretch of time.
struct Timeline {
  private let run: SimulationRun
  private let width: Int

  /// Requests that are drawn.
  private static let mostRows = 20
  /// Columns of a row's name.
  private static let widestName = 24

  /// What a cell shows; where several fall into one, the highest counts.
  private enum Cell: Int, Comparable {
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

    static func < (first: Cell, second: Cell) -> Bool { first.rawValue < second.rawValue }
  }

  init(_ run: SimulationRun, width: Int) {
    self.run = run
    self.width = width
  }

  /// The install, which is long and without events, is left out.
  private var start: Int64 { run.result.summary.installed ?? 0 }
  private var end: Int64 { run.result.summary.end }

  var text: PlainText {
    if end == start { return "" }
    let requests = shown
    let names = requests.map { displayed(name(of: $0)) } + ["link"]
    let column = min(Self.widestName, names.map(\.screenWidth).max() ?? 0)
    let cells = max(20, min(width, 100) - column - 6)
    var rows: [(String, [Cell])] = [("link", link(cells))]
    rows += requests.map { (displayed(name(of: $0)), draw(parts(of: $0), cells)) }
    let scale = "one column is \(TimeText.text(max(1, (end - start) / Int64(cells))))"
    return "\ntimeline, \(TimeText.text(start)) to \(TimeText.text(end)); \(scale)\n"
      + rows.map { line($0.0, $0.1, column) }.joined()
      + "  \(Cell.waiting.text) the player waits   \(Cell.loading.text) loading   \(Cell.inUse.text) in use\n"
      + omitted(requests.count)
  }

  private func line(_ name: String, _ cells: [Cell], _ column: Int) -> PlainText {
    let cut = name.cut(toColumns: column)
    let space = String(repeating: " ", count: max(0, column - cut.screenWidth))
    return "  \(cut)\(space)  │\(cells.map(\.text).joined())│\n"
  }

  private func omitted(_ count: Int) -> PlainText {
    let rest = run.result.requests.count - count
    return rest > 0 ? "  \(counted(rest, "more request")) not drawn\n" : ""
  }

  /// The requests that are drawn, in order: those that a player waited for before others.
  private var shown: [Int] {
    let requests = run.result.requests
    if requests.count <= Self.mostRows { return Array(requests.indices) }
    let byWait = requests.indices.sorted { first, second in
      let waits = (requests[first].waited, requests[second].waited)
      return waits.0 == waits.1 ? first < second : waits.0 > waits.1
    }
    return byWait.prefix(Self.mostRows).sorted()
  }

  private func name(of request: Int) -> String { run.result.requests[request].name }

  private func parts(of number: Int) -> [(Int64, Int64, Cell)] {
    let request = run.result.requests[number]
    let ended = request.ended ?? request.began
    let available = request.available ?? ended
    let waits = run.stalls.filter { $0.request == number }.map { ($0.from, $0.to, Cell.waiting) }
    return [(request.began, available, .loading), (available, ended, .inUse)] + waits
  }

  private func link(_ cells: Int) -> [Cell] {
    draw(run.result.transfers.map { ($0.from, $0.to, .loading) }, cells)
  }

  private func draw(_ parts: [(Int64, Int64, Cell)], _ count: Int) -> [Cell] {
    var cells = Array(repeating: Cell.nothing, count: count)
    for (from, to, cell) in parts where to > max(from, start) {
      for place in self.cell(at: from, of: count)...self.cell(at: to - 1, of: count) {
        cells[place] = max(cells[place], cell)
      }
    }
    return cells
  }

  /// The cell of a moment.
  private func cell(at time: Int64, of count: Int) -> Int {
    let (high, low) = UInt64(max(0, min(time, end - 1) - start)).multipliedFullWidth(by: UInt64(count))
    return Int(UInt64(end - start).dividingFullWidth((high, low)).quotient)
  }
}
