@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

@Suite struct ZipTimeTests {
  @Test(
    arguments: [
      ("1980-01-01 00:00:00", 315_532_800), ("1980-02-29 23:59:58", 320_716_798),
      ("1980-01-31 00:00:00", 318_124_800), ("2001-03-29 10:00:00", 985_860_000),
      ("1999-12-31 23:59:58", 946_684_798), ("2000-02-29 12:34:56", 951_827_696),
      ("2000-03-01 00:00:00", 951_868_800), ("2024-02-29 00:00:02", 1_709_164_802),
      ("2024-12-31 01:02:04", 1_735_606_924), ("2038-01-19 03:14:08", 2_147_483_648),
      ("2100-02-28 23:59:58", 4_107_542_398), ("2100-03-01 00:00:00", 4_107_542_400),
      ("2107-12-31 23:59:58", 4_354_819_198),
    ] as [(String, Int64)])
  func `known moments`(_ text: String, _ seconds: Int64) {
    #expect(ZipTime(secondsSince1970: seconds).text == text)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 315_532_799])
  func `before 1980 it is the start of 1980`(_ seconds: Int64) {
    #expect(ZipTime(secondsSince1970: seconds).text == "1980-01-01 00:00:00")
  }

  @Test(arguments: [4_354_819_199, 4_354_819_200, 1 << 40, Int64.max])
  func `after 2107 it is the end of 2107`(_ seconds: Int64) {
    #expect(ZipTime(secondsSince1970: seconds).text == "2107-12-31 23:59:58")
  }

  @Test func `odd seconds are rounded down`() {
    let even = ZipTime(secondsSince1970: 951_827_696)
    #expect(ZipTime(secondsSince1970: 951_827_697) == even)
    #expect(ZipTime(secondsSince1970: 951_827_698) != even)
  }

  @Test func `every day at some moment is what the C library says`() {
    var random = SeededRandom(seed: 1)
    for day in stride(from: 315_532_800, to: 4_354_819_198, by: 86_400) as StrideTo<Int64> {
      var seconds = time_t(day + Int64.random(in: 0..<86_400, using: &random))
      let time = ZipTime(secondsSince1970: Int64(seconds))
      var parts = tm()
      gmtime_r(&seconds, &parts)
      #expect(Int32(time.date) == (parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday)
      #expect(Int32(time.time) == parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2)
    }
  }
}

extension ZipTime {
  /// The time as a zip reader extracts it from the two fields.
  fileprivate var text: String {
    let (date, time) = (Int(date), Int(time))
    let day = [padded(date >> 9 + 1980), padded(date >> 5 & 15), padded(date & 31)]
    let moment = [padded(time >> 11), padded(time >> 5 & 63), padded((time & 31) * 2)]
    return day.joined(separator: "-") + " " + moment.joined(separator: ":")
  }
}

private func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
