import Findings
import System

/// A time as Xcode writes it in a manifest: `2026-11-21T12:00:00.000Z`.
struct ModificationTime: Sendable, Hashable, Comparable {
  private let seconds: Int64
  private let milliseconds: Int64

  /// The time from nanoseconds since 1970, rounded down to milliseconds.
  init(nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.floored(by: 1_000_000_000)
    self.seconds = seconds
    milliseconds = rest / 1_000_000
  }

  /// The time from seconds since 1970.
  init(seconds: Int64) {
    self.seconds = seconds
    milliseconds = 0
  }

  /// The time of a text in that form with a year of four digits; nil for any other text.
  init?(_ text: String) {
    let form = "0000-00-00T00:00:00.000Z"
    guard text.utf8.count == form.utf8.count,
      zip(text.utf8, form.utf8).allSatisfy({ $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 }
      )
    else { return nil }
    let numbers = text.split { !$0.isNumber }.compactMap { Int64($0) }
    guard numbers.count == 7,
      let day = CivilDate.day(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    seconds = day * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
    milliseconds = numbers[6]
  }

  /// The time one millisecond later.
  var next: ModificationTime {
    milliseconds < 999
      ? ModificationTime(seconds: seconds, milliseconds: milliseconds + 1)
      : ModificationTime(seconds: seconds + 1, milliseconds: 0)
  }

  private init(seconds: Int64, milliseconds: Int64) {
    self.seconds = seconds
    self.milliseconds = milliseconds
  }

  static func < (first: ModificationTime, second: ModificationTime) -> Bool {
    (first.seconds, first.milliseconds) < (second.seconds, second.milliseconds)
  }

  var text: String {
    let (day, second) = seconds.floored(by: 86_400)
    let date = CivilDate(daysSince1970: day)
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
      + [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
      + ".\(padded(milliseconds, 3))Z"
  }
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
