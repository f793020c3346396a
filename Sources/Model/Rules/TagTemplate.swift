package import Formats

/// A template for tags, such as `Level $1`.
///
/// In it, `$1` stands for the text that the first wildcard of a glob matches. `$$` stands for a dollar sign.
package struct TagTemplate: Sendable {
  enum Part: Sendable, Equatable {
    case text(String)
    /// The text that a wildcard matches.
    ///
    /// The number is the position of the wildcard in the glob, counted from 1.
    case wildcard(Int)
  }

  /// The template as the manifest contains it.
  package let text: Located<String>
  let parts: [Part]

  enum Mistake: Error {
    /// A `$` that is followed neither by a number nor by another `$`.
    case loneDollar
    /// A number that begins with 0 or has more than four digits.
    case number(String)
  }

  init(_ text: Located<String>) throws(Mistake) {
    self.text = text
    parts = try Self.parts(of: text.value)
  }

  /// Returns a template that generates exactly this string.
  ///
  /// Each dollar sign is doubled.
  package static func literal(_ text: String) -> String { text.replacing("$", with: "$$") }

  private static func parts(of text: String) throws(Mistake) -> [Part] {
    var parts: [Part] = []
    var plain = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "$" else {
        plain.unicodeScalars.append(scalar)
        continue
      }
      if rest.first == "$" {
        rest.removeFirst()
        plain += "$"
        continue
      }
      if !plain.isEmpty { parts.append(.text(plain)) }
      plain = ""
      parts.append(.wildcard(try number(from: &rest)))
    }
    return plain.isEmpty ? parts : parts + [.text(plain)]
  }

  private static func number(from rest: inout Substring.UnicodeScalarView) throws(Mistake) -> Int {
    let digits = String(rest.prefix { ("0"..."9").contains($0) })
    rest = rest.dropFirst(digits.utf8.count)
    if digits.isEmpty { throw .loneDollar }
    guard digits.utf8.count <= 4, !digits.hasPrefix("0"), let number = Int(digits) else {
      throw .number(digits)
    }
    return number
  }

  /// The highest wildcard number in the template; 0 if the template has no wildcard number.
  var highest: Int { parts.reduce(0) { if case .wildcard(let number) = $1 { max($0, number) } else { $0 } } }

  /// Returns the tag for the strings that the wildcards match.
  ///
  /// There must be at least `highest` strings.
  func tag(of captures: [String]) -> String {
    parts.reduce(into: "") { tag, part in
      switch part {
      case .text(let text): tag += text
      case .wildcard(let number): tag += captures[number - 1]
      }
    }
  }
}

extension TagTemplate.Mistake {
  func message(for text: String) -> String {
    switch self {
    case .loneDollar:
      "\(quoted(text)) has a \"$\" without a number; write \"$1\" for the text that the first wildcard "
        + "matches, \"$$\" for a dollar sign"
    case .number(let digits):
      "\(quoted(text)) has \(quoted("$" + digits)); wildcards are counted from \"$1\" to \"$9999\""
    }
  }
}
