/// A form of output with its one rule for text from outside.
package protocol WrittenForm {
  /// Text from outside, which after this is only text to all readers of the form.
  static func escaped(_ text: String) -> String
  static func text(of number: Double) -> String
}

extension WrittenForm {
  package static func text(of number: Double) -> String { String(number) }
}

/// Text that may be written in one form.
///
/// Only literals of the source are written as they are. Any `String` may hold a name, a tag or the message of a
/// library; so one is escaped where it is interpolated, and the compiler refuses it everywhere else.
package struct Written<Form: WrittenForm>: Sendable, Equatable, ExpressibleByStringInterpolation {
  /// The text, in which nothing from outside is more than text.
  package private(set) var text: String

  package init(stringLiteral words: StaticString) { text = words.description }

  package init(stringInterpolation parts: Interpolation) { text = parts.text }

  /// Text that is safe in another form, made safe in this one by a function that knows both.
  package init<Other>(_ other: Written<Other>, by convert: (String) -> String) { text = convert(other.text) }

  package var isEmpty: Bool { text.isEmpty }

  /// The parts of a literal with values in it.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    package mutating func appendLiteral(_ words: StaticString) { text += words.description }

    /// Appends text that may come from outside.
    package mutating func appendInterpolation(_ outside: some StringProtocol) {
      text += Form.escaped(String(outside))
    }

    /// Appends text of this form.
    package mutating func appendInterpolation(_ own: Written<Form>) { text += own.text }

    package mutating func appendInterpolation(_ own: [Written<Form>]) {
      for part in own { text += part.text }
    }

    /// Appends text that was made for another form, as a quote.
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
  /// All texts in one.
  package func joined<Form>(separator: Written<Form> = "") -> Written<Form> where Element == Written<Form> {
    var whole: Written<Form> = ""
    for (index, part) in enumerated() { whole += index == 0 ? part : separator + part }
    return whole
  }
}
