import Findings
import System

/// A time as Xcode writes it in a manifest: `2026-11-21T12:00:00.000Z`.
struct ModificationTime: Sendable {
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
