/// An output format, and its rule for escaping text from outside.
package protocol WrittenForm {
  /// Escapes text from outside.
  ///
  /// Readers of the format then treat the result as plain text, not as markup or code.
  static func escaped(_ text: String) -> String
  static func text(of number: Double) -> String
}

extension WrittenForm {
  package static func text(of number: Double) -> String { String(number) }
}

/// Text that is safe to write in one output format.
///
/// Only literals in the source code are written unchanged. Any `String` can contain a name, a tag or the
/// message of a library. So an interpolated `String` is always escaped, and the compiler rejects a `String`
/// everywhere else.
package struct Written<Form: WrittenForm>: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// The text, in which all text from outside is escaped.
  package private(set) var text: String

  package init(stringLiteral words: StaticString) { text = words.description }

  package init(stringInterpolation parts: Interpolation) { text = parts.text }

  /// Converts text that is safe in another format, using a function that makes it safe in this format.
  package init<Other>(_ other: Written<Other>, by convert: (String) -> String) { text = convert(other.text) }

  package var isEmpty: Bool { text.isEmpty }

  /// A literal with interpolated values.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    package mutating func appendLiteral(_ words: StaticString) { text += words.description }

    /// Appends text that may come from outside, escaped.
    package mutating func appendInterpolation(_ outside: some StringProtocol) {
      text += Form.escaped(String(outside))
    }

    /// Appends text of the same format.
    package mutating func appendInterpolation(_ own: Written<Form>) { text += own.text }

    package mutating func appendInterpolation(_ own: [Written<Form>]) {
      for part in own { text += part.text }
    }

    /// Appends text of another format, escaped so that readers see it literally.
    package mutating func appendInterpolation<Other>(quoting other: Written<Other>) {
      text += Form.escaped(other.text)
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }
    package mutating func appendInterpolation(_ number: Double) { text += Form.text(of: number) }
  }

  package static func + (first: Written, second: Written) -> Written { "\(first)\(second)" }
  package static func += (first: inout Written, second: Written) { first.text += second.text }
}

extension Sequence {
  /// Joins all texts into one.
  package func joined<Form>(separator: Written<Form> = "") -> Written<Form> where Element == Written<Form> {
    var whole: Written<Form> = ""
    for (index, part) in enumerated() { whole += index == 0 ? part : separator + part }
    return whole
  }
}
