import System

/// A time as zip stores it: in steps of two seconds, from 1980 to 2107.
///
/// packtool always writes UTC.
package struct ZipTime: Sendable, Hashable {
  let date: UInt16
  let time: UInt16
}

extension ZipTime {
  /// Creates the time that zip can store and that is nearest to a number of seconds since 1970.
  package init(secondsSince1970 seconds: Int64) {
    let first: Int64 = 315_532_800  // 1980-01-01 00:00:00
    let last: Int64 = 4_354_819_198  // 2107-12-31 23:59:58
    let seconds = min(max(seconds, first), last)
    let day = CivilDate(daysSince1970: seconds / 86_400)
    let rest = seconds % 86_400
    date = UInt16((day.year - 1980) << 9 | day.month << 5 | day.day)
    time = UInt16((rest / 3600) << 11 | (rest / 60 % 60) << 5 | rest % 60 / 2)
  }
}
