import Formats
import Model
import Packing
import Pipeline
import Play
import System

struct ProgressState: Sendable {
  var done: Int64 = 0
  let total: Int64
  var elapsed: Double = 0
  var pack = ""
  var nextLine = 0.0
  var isShown = false

  private var share: Double { total > 0 ? min(Double(done) / Double(total), 1) : 1 }

  /// The rate in bytes per second; 0 before the rate is known.
  private var rate: Double { elapsed > 0 ? Double(done) / elapsed : 0 }

  /// The numbers, such as `41 %, 90.2 MB of 220 MB, 12.0 MB/s, 9 s left`.
  var figures: String {
    let size = "\(Int(share * 100)) %, \(ByteSize.text(min(done, total))) of \(ByteSize.text(total))"
    guard rate >= 1, rate < 1e15 else { return size }
    let left = Double(max(0, total - done)) / rate
    let time = left < 1e6 ? ", \(TimeText.text(Int64(left.rounded(.up)) * 1_000_000)) left" : ""
    return "\(size), \(ByteSize.text(Int64(rate)))/s\(time)"
  }

  /// Returns the line for a terminal.
  ///
  /// The line contains a bar, the figures and the pack's name. If the name does not fit, only its beginning
  /// is shown.
  func line(width: Int) -> String {
    let barWidth = width >= 70 ? 20 : 0
    let bar = barWidth > 0 ? Screen.bar(max(1, Int64(share * 1000)), of: 1000, width: barWidth) : ""
    let space = String(repeating: " ", count: max(0, barWidth - bar.screenWidth))
    let frame = barWidth > 0 ? "▕\(bar)\(space)▏ " : ""
    let text = "packing \(frame)\(figures)"
    let room = width - 1 - text.screenWidth - 2
    if pack.isEmpty || room < 6 { return String(text.prefix(max(0, width - 1))) }
    return "\(text): \(pack.cut(toColumns: room))"
  }
}

/// Shows the progress of a long build.
///
/// On a terminal, it rewrites one line. Elsewhere, it prints a line every 30 seconds.
final class Progress: Sendable {
  private let session: Session
  private let plan: PackPlan
  private let start: Double
  /// The number of columns of the terminal; nil if there is no terminal.
  private let width: Int?
  private let state: Monitor<ProgressState>

  /// The number of seconds before the first line, and between two lines.
  ///
  /// The first number is used on a terminal, and the second number elsewhere.
  private static let (pause, longPause) = (0.2, 30.0)

  init(_ plan: PackPlan, total: Int64, width: Int?, session: Session) {
    self.plan = plan
    self.width = width
    self.session = session
    start = session.clock()
    let first = start + (width == nil ? Self.longPause : Self.pause)
    state = Monitor(ProgressState(total: total, nextLine: first))
  }

  func advance(by bytes: Int64, of file: AssetFile) {
    state.change { state in
      state.done = state.done.saturatingSum(with: bytes)
      let now = session.clock()
      if now < state.nextLine || state.total == 0 { return }
      state.elapsed = now - start
      state.pack = displayed(plan.tree.tagSets.tags(of: file.tagSet).joined(separator: " + "))
      state.nextLine = now + (width == nil ? Self.longPause : Self.pause)
      show(&state)
    }
  }

  private func show(_ state: inout ProgressState) {
    guard let width else { return session.writeToStandardError("packing: \(state.figures)\n") }
    state.isShown = true
    session.writeToStandardError("\r\u{1b}[K\(state.line(width: width))")
  }

  func clear() { state.change { if $0.isShown { session.writeToStandardError("\r\u{1b}[K") } } }
}

extension Session {
  /// Returns the progress display for a build with these decisions; nil if the options suppress the display.
  func progress(of plan: PackPlan, decisions: [BuildDecision], options: SharedOptions) -> Progress? {
    if options.isQuiet || options.outputs.isDocument { return nil }
    let isWatched = canRewriteLines(.error) && environment.value(of: .ci) == nil
    let totalBytes = plan.size(toWrite: decisions)
    return Progress(
      plan, total: totalBytes, width: isWatched ? columns(of: .error) ?? 80 : nil, session: self)
  }
}
