import Findings
package import System

/// A piece of HTML, or of SVG inside it.
///
/// Only literals of the source are markup: the compiler takes no other text without its escapes.
package struct HTML: Sendable, ExpressibleByStringInterpolation {
  /// The markup itself.
  fileprivate var markup: String

  package init(stringLiteral literal: StaticString) {
    markup = literal.description
  }

  package init(stringInterpolation: Interpolation) {
    markup = stringInterpolation.markup
  }

  /// Pieces in their order.
  package init(_ pieces: some Sequence<HTML>) {
    markup = ""
    for piece in pieces { markup += piece.markup }
  }

  /// Nothing.
  package static let empty: HTML = ""

  package var isEmpty: Bool { markup.isEmpty }

  /// The length in bytes.
  package var size: Int { markup.utf8.count }

  package var bytes: ByteBuffer {
    var buffer = ByteBuffer()
    buffer.append(markup)
    return buffer
  }

  package static func + (first: HTML, second: HTML) -> HTML {
    var sum = first
    sum += second
    return sum
  }

  package static func += (first: inout HTML, second: HTML) { first.markup += second.markup }

  /// What a literal is made of: markup of the source, and texts between it, which are escaped.
  package struct Interpolation: StringInterpolationProtocol {
    fileprivate var markup = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      markup.reserveCapacity(literalCapacity + interpolationCount * 8)
    }

    package mutating func appendLiteral(_ literal: StaticString) { markup += literal.description }

    package mutating func appendInterpolation(_ html: HTML) { markup += html.markup }

    package mutating func appendInterpolation(_ pieces: [HTML]) {
      for piece in pieces { markup += piece.markup }
    }

    package mutating func appendInterpolation(_ number: some BinaryInteger) { markup += String(number) }

    /// A number with at most one decimal, as coordinates are written.
    package mutating func appendInterpolation(_ number: Double) { markup += HTML.rounded(number) }

    /// A text, escaped.
    package mutating func appendInterpolation(_ text: String) { markup += HTML.escaped(text) }

    /// A text, escaped; of one that is then longer than some bytes the beginning and the end.
    package mutating func appendInterpolation(_ text: String, upTo most: Int) {
      markup += HTML.escaped(text, upTo: most)
    }
  }
}

extension HTML {
  /// The largest size in bytes of one escaped text.
  private static let longestText = 2000

  /// The one way of text into a page: on one line, without markup, controls or hidden characters, and of at most some
  /// bytes; a longer one loses its middle.
  private static func escaped(_ text: String, upTo most: Int = longestText) -> String {
    if text.utf8.count <= most, text.utf8.allSatisfy(isPlain) { return text }
    let front = text.unicodeScalars.prefix(most + 1)
    let pieces = front.map(escaped)
    // No scalar has less than one byte, so a longer text does not fit.
    if pieces.count <= most, pieces.lazy.map(\.utf8.count).reduce(0, +) <= most { return pieces.joined() }
    let half = (most - 3) / 2
    let end = fitting(text.unicodeScalars.suffix(half).reversed().lazy.map(escaped), half).reversed()
    return fitting(pieces, half).joined() + "…" + end.joined()
  }

  /// The first pieces that have room in some bytes.
  private static func fitting(_ pieces: some Sequence<String>, _ room: Int) -> [String] {
    var room = room
    return pieces.prefix { piece in
      room -= piece.utf8.count
      return room >= 0
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte < 0x7f && byte != UInt8(ascii: "<") && byte != UInt8(ascii: ">")
      && byte != UInt8(ascii: "&") && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "'")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "<": "&lt;"
    case ">": "&gt;"
    case "&": "&amp;"
    case "\"": "&quot;"
    case "'": "&#39;"
    case _ where scalar.isObeyedOrHidden: scalar.escape
    // HTML has no character for these, not even by their number.
    case _ where scalar.value & 0xfffe == 0xfffe: scalar.escape
    default: String(scalar)
    }
  }

  /// A number with at most one decimal.
  private static func rounded(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e12 else { return "0" }
    let tenths = Int((number * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (tenths.magnitude / 10, tenths.magnitude % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }
}

extension HTML {
  /// The policy of a page, which has no text from outside; its quotes must stay quotes.
  init(policy: String) {
    markup = policy
  }
}
