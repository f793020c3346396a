/// A day of the Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
  package let year: Int64
  /// The month, from 1 to 12.
  package let month: Int64
  /// The day of the month, from 1 to 31.
  package let day: Int64

  /// Creates the day that is a number of days after 1970-01-01.
  ///
  /// If the number is negative, it is a day before 1970-01-01. The calculation uses eras of 400 years that
  /// begin in March, because leap days are then at the end of a year.
  package init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
  }

  /// Returns the number of days from 1970-01-01 to a date; nil if the date does not exist or its year has
  /// more than four digits.
  package static func day(year: Int64, month: Int64, day: Int64) -> Int64? {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
    let shifted = month > 2 ? month - 3 : month + 9
    let marchYear = month > 2 ? year : year - 1
    let (era, yearOfEra) = marchYear.floored(by: 400)
    let dayOfYear = (153 * shifted + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    let date = CivilDate(daysSince1970: days)
    return date.month == month && date.day == day ? days : nil
  }
}

extension Int64 {
  /// Returns the quotient, rounded down, and the remainder, which is never negative.
  package func floored(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}

/// Converts times in UTC to and from strings in RFC 3339 format, such as `2026-11-22T21:49:30Z`.
package enum UTCTime {
  /// Returns the string for a time in seconds since 1970.
  ///
  /// The string has `fractionDigits` digits for the fraction of the second.
  package static func text(ofSeconds time: Int64, fraction: Int64 = 0, fractionDigits: Int = 0) -> String {
    let (day, second) = time.floored(by: 86_400)
    let date = CivilDate(daysSince1970: day)
    return "\(padded(date.year, width: 4))-\(padded(date.month, width: 2))-\(padded(date.day, width: 2))T"
      + [second / 3600, second / 60 % 60, second % 60].map { padded($0, width: 2) }.joined(separator: ":")
      + (fractionDigits > 0 ? ".\(padded(fraction, width: fractionDigits))Z" : "Z")
  }

  /// Returns the seconds since 1970 and the fraction of the time in a string.
  ///
  /// The fraction in the string must have `fractionDigits` digits. Returns nil for any other string.
  package static func time(of text: String, fractionDigits: Int = 0) -> (seconds: Int64, fraction: Int64)? {
    let form =
      "0000-00-00T00:00:00" + (fractionDigits > 0 ? "." + String(repeating: "0", count: fractionDigits) : "")
      + "Z"
    guard text.utf8.count == form.utf8.count,
      zip(text.utf8, form.utf8).allSatisfy({ $1 == UInt8(ascii: "0") ? (0x30...0x39).contains($0) : $0 == $1 }
      )
    else { return nil }
    let numbers = text.split { !$0.isNumber }.compactMap { Int64($0) }
    guard numbers[3] < 24, numbers[4] < 60, numbers[5] < 60,
      let day = CivilDate.day(year: numbers[0], month: numbers[1], day: numbers[2])
    else { return nil }
    let seconds = ((day * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
    return (seconds, fractionDigits > 0 ? numbers[6] : 0)
  }

  private static func padded(_ number: Int64, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
