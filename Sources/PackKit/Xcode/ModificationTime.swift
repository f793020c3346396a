/// A moment as Xcode writes it in a manifest: `2026-11-21T12:00:00.000Z`.
struct ModificationTime: Sendable {
  private let seconds: Int64
  private let milliseconds: Int64

  /// Nanoseconds since 1970; what is finer than a millisecond is cut off.
  init(nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.floored(by: 1_000_000_000)
    self.seconds = seconds
    milliseconds = rest / 1_000_000
  }

  /// Whole seconds since 1970.
  init(seconds: Int64) {
    self.seconds = seconds
    milliseconds = 0
  }

  var text: String {
    let (day, second) = seconds.floored(by: 86_400)
    let (year, month, date) = civilDate(daysSince1970: day)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T"
      + [second / 3600, second / 60 % 60, second % 60].map { padded($0, 2) }.joined(separator: ":")
      + ".\(padded(milliseconds, 3))Z"
  }
}

extension Int64 {
  /// The quotient rounded down and what is left, from 0 up.
  fileprivate func floored(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}

private func padded(_ number: Int64, _ width: Int) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}

/// Year, month and day of the Gregorian calendar, from eras of 400 years that begin in March: leap days come last.
private func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shifted = (5 * dayOfYear + 2) / 153
  let month = shifted < 10 ? shifted + 3 : shifted - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
}
