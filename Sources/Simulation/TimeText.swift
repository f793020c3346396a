import Findings
import Projects

/// Times as people write them.
package enum TimeText {

  /// Microseconds for reading: three digits below a minute, two units above.
  package static func text(_ time: Int64) -> String {
    if time == 0 { return "0 s" }
    if time < 1000 { return "\(time) us" }
    if time < 999_500 { return "\(digits(time, 1000)) ms" }
    if time < 59_950_000 { return "\(digits(time, 1_000_000)) s" }
    let seconds = time / 1_000_000 + (time % 1_000_000 >= 500_000 ? 1 : 0)
    if seconds < 3600 { return two(seconds / 60, "min", seconds % 60, "s") }
    let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
    if minutes < 1440 { return two(minutes / 60, "h", minutes % 60, "min") }
    let hours = minutes / 60 + (minutes % 60 >= 30 ? 1 : 0)
    return "\(grouped(hours / 24)) \(hours / 24 == 1 ? "day" : "days")"
      + (hours % 24 > 0 ? " \(hours % 24) h" : "")
  }

  /// Microseconds to the last one, in seconds: `61.2`, `0.000001`.
  package static func exact(_ time: Int64) -> String {
    let fraction = time % 1_000_000
    if fraction == 0 { return "\(grouped(time / 1_000_000)) s" }
    var digits = String(1_000_000 + fraction).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(grouped(time / 1_000_000)).\(digits) s"
  }

  private static func two(_ first: Int64, _ unit: String, _ second: Int64, _ smaller: String) -> String {
    second == 0 ? "\(first) \(unit)" : "\(first) \(unit) \(second) \(smaller)"
  }

  /// A number of units with three digits in all, without noughts at its end.
  private static func digits(_ time: Int64, _ unit: Int64) -> String {
    if time >= unit * 100 || time % unit == 0 { return "\((time + unit / 2) / unit)" }
    let places: Int64 = time >= unit * 10 ? 10 : 100
    let scaled = (time * places + unit / 2) / unit
    var fraction = String(places + scaled % places).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return "\(scaled / places)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}
