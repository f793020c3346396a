import Findings
import PackKit
import System

/// A progress line on the terminal for long builds.
final class Progress: Sendable {
  private let total: Int64
  private let session: Session
  private let state: Monitor<State>

  private struct State {
    var done: Int64 = 0
    var nextLine: Double
    var isShown = false
  }

  /// Seconds before the first update and between two.
  private static let pause = 0.2

  init(total: Int64, _ session: Session) {
    self.total = total
    self.session = session
    state = Monitor(State(nextLine: ThisProcess.seconds + Self.pause))
  }

  /// Adds a number of packed bytes.
  func advance(by bytes: Int64) {
    state.change { state in
      state.done = state.done.saturatingSum(with: bytes)
      let now = ThisProcess.seconds
      if now < state.nextLine || total == 0 { return }
      state.nextLine = now + Self.pause
      state.isShown = true
      let percent = min(Int(Double(state.done) / Double(total) * 100), 100)
      session.explain("\r\u{1b}[Kpacking: \(percent) % of \(ByteSize.text(total))")
    }
  }

  /// Removes the line.
  func clear() {
    state.change { if $0.isShown { session.explain("\r\u{1b}[K") } }
  }
}

extension Session {
  /// The progress of a build; nil without a terminal.
  func progress(of plan: PackPlan, _ options: SharedOptions) -> Progress? {
    let isWatched =
      isLively(.error) && (environment["CI"] ?? "").isEmpty && !options.isQuiet
      && !options.outputs.isDocument
    return isWatched ? Progress(total: plan.packs.saturatingSum { $0.size }, self) : nil
  }
}
