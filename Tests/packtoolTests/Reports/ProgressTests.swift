import Testing
@testable import packtool

/// How far a build is, as its line says it.
@Suite struct ProgressTests {
  private func state(_ done: Int64, after seconds: Double, pack: String = "Level 1 + Level 2")
    -> ProgressState
  {
    var state = ProgressState(total: 220_000_000)
    state.done = done
    state.elapsed = seconds
    state.pack = pack
    return state
  }

  @Test func figuresHaveRateAndTimeLeft() {
    #expect(state(88_000_000, after: 8).figures == "40 %, 88.0 MB of 220 MB, 11.0 MB/s, 12 s left")
    #expect(state(0, after: 0).figures == "0 %, 0 bytes of 220 MB")
    #expect(state(500_000_000, after: 5).figures == "100 %, 220 MB of 220 MB, 100 MB/s, 0 s left")
    #expect(ProgressState(total: 0).figures == "100 %, 0 bytes of 0 bytes")
  }

  @Test func aLineFitsItsTerminal() {
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
