package import Formats

/// A tag with places for what the wildcards of a glob match: `Level $1`; `$$` is a dollar.
package struct TagTemplate: Sendable {
  enum Part: Sendable, Equatable {
    case text(String)
    /// The match of a wildcard, by its number in the glob, counted from 1.
    case wildcard(Int)
  }

  /// The template as it was written.
  package let text: Located<String>
  let parts: [Part]

  enum Mistake: Error {
    /// A `$` with neither a number nor another `$` behind it.
    case loneDollar
    /// A number that counts from 0, or has more than four digits.
    case number(String)
  }

  init(_ text: Located<String>) throws(Mistake) {
    self.text = text
    parts = try Self.parts(of: text.value)
  }

  /// A text in a template, in which a dollar is two.
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

  /// The highest number of a wildcard that it names; 0 for none.
  var highest: Int { parts.reduce(0) { if case .wildcard(let number) = $1 { max($0, number) } else { $0 } } }

  /// The tag for what the wildcards match, of which there are at least `highest`.
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
      "\(quoted(text)) has a \"$\" without a number; write \"$1\" for what the first wildcard matches, \"$$\" for a dollar"
    case .number(let digits):
      "\(quoted(text)) has \(quoted("$" + digits)); wildcards are counted from \"$1\" to \"$9999\""
    }
  }
}
