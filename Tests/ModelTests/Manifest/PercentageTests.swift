@testable import Model
@testable import Pipeline
import Testing

@Suite struct PercentageTests {
  @Test(
    arguments: [
      ("5 %", 100, 5), ("5%", 199, 9), ("2.5 %", 1000, 25), ("0.9 %", 100_000, 900), ("0.09 %", 100_000, 90),
      ("0.25 %", 100_000, 250), ("0.001 %", 100_000, 1), ("0.001%", 99_999, 0),
      ("100 %", 7, 7), ("999999.999 %", 1, 9999), ("0 %", .max, 0), ("100%", .max, .max),
      ("50 %", .max, .max / 2),
      ("200 %", .max, .max), ("5 %", 0, 0),
    ] as [(String, Int64, Int64)])
  func `parts are exact`(text: String, whole: Int64, part: Int64) throws {
    #expect(try #require(Percentage(text)).part(of: whole) == part)
  }

  @Test(arguments: [
    "", "%", " %", "5", "5  %", "5 % ", "-1 %", "+1 %", "1.%", ".5%", "1.2345%", "1234567%", "1e3%", "1,5%",
    "٥%", "1..2%",
    "5 %\n",
  ])
  func `other texts are none`(text: String) {
    #expect(Percentage(text) == nil)
  }

  @Test(arguments: [
    ("5 %", "5 %"), ("2.50%", "2.5 %"), ("0.125 %", "0.125 %"), ("1000%", "1,000 %"), ("0.010%", "0.01 %"),
  ])
  func `they are written short`(text: String, written: String) throws {
    #expect("\(try #require(Percentage(text)))" == written)
  }

  @Test func `growth is rounded`() {
    #expect(Percentage(growthTo: 4, from: 3).map { "\($0)" } == "33.333 %")
    #expect(Percentage(growthTo: 3, from: 3).map { "\($0)" } == "0 %")
    #expect(Percentage(growthTo: 3, from: 0) == nil)
    #expect(Percentage(growthTo: 2, from: 3) == nil && Percentage(growthTo: -1, from: 3) == nil)
    #expect(Percentage(growthTo: .max, from: 1) == nil)
  }
}
