import Findings
import Formats

/// Numbers and the ranges that they are in.
extension ShapeChecker {
  mutating func checkFraction(_ value: JSONValue, _ number: String, key: String) {
    if value.fraction != nil { return }
    let message = "\(quoted(key)) takes a number from 0 to 1, not \(quoted(number))"
    reject(value.offset, .invalidValue, message)
  }

  mutating func check(_ value: JSONValue, isIn range: ClosedRange<Int>, key: String) {
    if let number = value.wholeNumber, range.contains(Int(number)) { return }
    guard case .number(let text) = value.content else { return }
    let message =
      "\(quoted(key)) takes a whole number from \(range.lowerBound) to \(grouped(range.upperBound)), not \(quoted(text))"
    reject(value.offset, .invalidValue, message)
  }

  mutating func checkWholeNumber(_ value: JSONValue, key: String, from least: Int64 = 0) {
    let isRight = value.wholeNumber.map { $0 >= least } ?? false
    guard !isRight, case .number(let text) = value.content else { return }
    if text.hasPrefix("-"), least == 0 {
      return reject(
        value.offset, .invalidValue, "\(quoted(key)) must not be negative, but is \(quoted(text))")
    }
    let range = least > 0 ? "of at least \(least)" : "from 0 to \(grouped(Int64.max))"
    reject(
      value.offset, .invalidValue, "\(quoted(key)) takes a whole number \(range), not \(quoted(text))")
  }
}
