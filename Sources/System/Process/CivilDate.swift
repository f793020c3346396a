/// A day of the Gregorian calendar.
package struct CivilDate: Sendable, Hashable {
  package let year: Int64
  /// From 1 to 12.
  package let month: Int64
  /// From 1 to 31.
  package let day: Int64

  /// The day that is this many days after 1970-01-01, or before it if negative.
  ///
  /// Counted in eras of 400 years that begin in March, so that leap days come last.
  package init(daysSince1970 days: Int64) {
    let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
  }

  /// The number of days from 1970-01-01 to a date; nil if there is no such date, or its year has over four digits.
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
  /// The quotient rounded down, and the remainder, which is never negative.
  package func floored(by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}
