import Model
import Packing
import Pipeline
import System
@testable import packtool
import Support
import Testing

/// Tests the line that shows the progress of a build, and when this line is shown.
@Suite struct ProgressTests {
  /// A clock that stands still until a test sets it.
  private final class Clock: Sendable {
    private let time = Monitor(1000.0)

    var seconds: Double { time.change { $0 } }

    func go(to seconds: Double) { time.change { $0 = 1000 + seconds } }
  }

  /// Returns the progress lines of a build of 1 GB.
  ///
  /// At each of the given seconds, another 10 % is packed.
  private func said(
    at seconds: [Double], isScreen: Bool = false, _ environment: [String: String] = [:],
    _ options: SharedOptions = SharedOptions()
  ) throws -> [String] {
    let plan = try SyntheticPlan([.init("a", 1_000_000_000, "Level 1")]).plan
    let (clock, terminal) = (Clock(), CapturedTerminal(isScreen: isScreen))
    let session = Session(environment: Environment(environment), terminal: terminal) { clock.seconds }
    let progress = session.progress(of: plan, decisions: [.write(.newPack)], options: options)
    let texts = seconds.map { moment in
      clock.go(to: moment)
      let before = terminal.errors.count
      progress?.advance(by: 100_000_000, of: plan.tree.files[0])
      return String(terminal.errors.dropFirst(before))
    }
    progress?.clear()
    return texts + [String(terminal.errors.dropFirst(texts.joined().count))]
  }

  /// Without a terminal, a line is written to the log every 30 seconds.
  ///
  /// A build that ends earlier writes no line.
  @Test(arguments: [[:], ["CI": "true"]] as [[String: String]])
  func `without a terminal a line comes each half minute`(
    environment: [String: String]
  ) throws {
    let texts = try said(
      at: [0.5, 29.9, 30, 31, 59.9, 60, 60.1, 95], isScreen: !environment.isEmpty, environment)
    #expect(
      texts == [
        "", "", "packing: 30 %, 300 MB of 1.00 GB, 10.0 MB/s, 1 min 10 s left\n", "", "",
        "packing: 60 %, 600 MB of 1.00 GB, 10.0 MB/s, 40 s left\n", "",
        "packing: 80 %, 800 MB of 1.00 GB, 8.42 MB/s, 24 s left\n", "",
      ])
  }

  @Test func `on a terminal a line is rewritten and removed`() throws {
    let texts = try said(at: [0.1, 0.25, 0.3, 0.5], isScreen: true)
    #expect(texts.map(\.isEmpty) == [true, false, true, false, false])
    #expect(texts[1].hasPrefix("\r\u{1b}[Kpacking ▕") && texts[1].contains(" left"))
    #expect(texts[4] == "\r\u{1b}[K")
  }

  @Test func `no progress is shown to users who turned it off`() throws {
    var options = SharedOptions()
    options.isQuiet = true
    #expect(try said(at: [30, 60], [:], options) == ["", "", ""])
  }

  private func state(_ done: Int64, after seconds: Double, pack: String = "Level 1 + Level 2")
    -> ProgressState
  {
    var state = ProgressState(total: 220_000_000)
    state.done = done
    state.elapsed = seconds
    state.pack = pack
    return state
  }

  @Test func `figures have rate and time left`() {
    #expect(state(88_000_000, after: 8).figures == "40 %, 88.0 MB of 220 MB, 11.0 MB/s, 12 s left")
    #expect(state(0, after: 0).figures == "0 %, 0 bytes of 220 MB")
    #expect(state(500_000_000, after: 5).figures == "100 %, 220 MB of 220 MB, 100 MB/s, 0 s left")
    #expect(ProgressState(total: 0).figures == "100 %, 0 bytes of 0 bytes")
  }

  @Test func `a line fits its terminal`() {
    let line = state(88_000_000, after: 8).line(width: 120)
    #expect(
      line
        == "packing ▕████████            ▏ 40 %, 88.0 MB of 220 MB, 11.0 MB/s, 12 s left: Level 1 + Level 2")
    for width in [1, 10, 40, 60, 80, 100] {
      for pack in ["", "日本語の長い名前、とても長い", String(repeating: "long ", count: 40)] {
        #expect(state(88_000_000, after: 8, pack: pack).line(width: width).screenWidth < width, "\(width)")
      }
    }
  }
}
