/// A moment as zip stores it: two seconds fine, from 1980 to 2107, here always in UTC.
package struct ZipTime: Sendable, Hashable {
  let date: UInt16
  let time: UInt16

  /// A moment as it stands in an archive.
  init(date: UInt16, time: UInt16) {
    self.date = date
    self.time = time
  }

  /// The moment nearest to a number of seconds since 1970 that zip can store.
  package init(secondsSince1970 seconds: Int64) {
    let first: Int64 = 315_532_800  // 1980-01-01 00:00:00
    let last: Int64 = 4_354_819_198  // 2107-12-31 23:59:58
    let seconds = min(max(seconds, first), last)
    let (year, month, day) = Self.civilDate(daysSince1970: seconds / 86_400)
    let rest = seconds % 86_400
    date = UInt16((year - 1980) << 9 | month << 5 | day)
    time = UInt16((rest / 3600) << 11 | (rest / 60 % 60) << 5 | rest % 60 / 2)
  }

  /// Year, month and day of the Gregorian calendar for a day from 1970 on.
  private static func civilDate(daysSince1970 days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    var year: Int64 = 1970
    var rest = days
    while rest >= length(ofYear: year) {
      rest -= length(ofYear: year)
      year += 1
    }
    let february: Int64 = length(ofYear: year) == 366 ? 29 : 28
    var month: Int64 = 1
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
      if rest < length { break }
      rest -= length
      month += 1
    }
    return (year, month, rest + 1)
  }

  private static func length(ofYear year: Int64) -> Int64 {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
  }
}
