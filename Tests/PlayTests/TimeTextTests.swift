import Play
import Testing

@Suite struct TimeTextTests {
  /// Numbers of microseconds, and their representations for users.
  @Test(
    arguments: [
      (0, "0 s"), (1, "1 us"), (999, "999 us"), (1000, "1 ms"), (1004, "1 ms"), (1005, "1.01 ms"),
      (9_994, "9.99 ms"), (10_000, "10 ms"), (10_040, "10 ms"), (10_050, "10.1 ms"), (99_940, "99.9 ms"),
      (100_499, "100 ms"), (999_499, "999 ms"), (999_500, "1 s"), (1_250_000, "1.25 s"),
      (10_040_000, "10 s"), (10_050_000, "10.1 s"), (59_949_999, "59.9 s"), (59_950_000, "1 min"),
      (90_000_000, "1 min 30 s"), (3_599_499_999, "59 min 59 s"), (3_599_500_000, "1 h"),
      (86_370_000_000, "1 day"), (90_000_000_000, "1 day 1 h"),
    ] as [(Int64, String)])
  func `times are written short`(time: Int64, text: String) { #expect(TimeText.text(time) == text) }
}
