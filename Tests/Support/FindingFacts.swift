package import Formats

// Tests compare the facts of a finding: its severity, its check, its place, and the values in its message.
// Only the snapshot of a check contains the words of its findings. So if the words change, no other test has
// to change.

extension Diagnostic {
  /// The finding without its words and place, for example `error [no-match] "Levels"`.
  package var facts: String { "\(severity) \(checkAndValues)" }

  /// The finding without its words, place and severity.
  package var checkAndValues: String { ["[\(check.id)]", namedValues].joinedFacts }

  /// The names and numbers in the message.
  package var namedValues: String { values(in: message) }

  /// Whether the message contains all values.
  package func names(_ values: String...) -> Bool { values.allSatisfy { message.names($0) } }

  /// Whether the finding has the facts.
  ///
  /// The finding must be of the check in brackets, and all values in `facts` must be in the finding or in its
  /// notes.
  package func hasFacts(_ facts: String) -> Bool {
    let expected = ExpectedFacts(facts)
    let texts = [message] + notes.map(\.message)
    return expected.check == check.id
      && expected.values.allSatisfy { value in texts.contains { $0.names(value) } }
  }
}

/// The facts that a test expects of a finding: a check in brackets, then quoted names and numbers.
///
/// An example is `[no-match] "Levels" 3`.
struct ExpectedFacts {
  /// The ID of the check in brackets; nil if there is no ID.
  let check: String?
  /// The names without their quotes, and the numbers with their units.
  let values: [String]

  init(_ facts: String) {
    check = facts.firstMatch(of: /^\[([a-z0-9-]+)\]/).map { String($0.1) }
    values = quotedAndNumbers(in: facts).map { value in
      value.hasPrefix("\"") ? String(value.dropFirst().dropLast()) : value
    }.filter { !$0.isEmpty }
  }
}

extension Diagnostic.AttachedLine {
  /// The note without its words and place, for example `note "Levels" 12`.
  package var facts: String { ["note", namedValues].joinedFacts }

  /// The names and numbers in the message.
  package var namedValues: String { values(in: message) }
}

extension [String] {
  fileprivate var joinedFacts: String { filter { !$0.isEmpty }.joined(separator: " ") }
}

/// Returns the values in a text, in order.
///
/// Values are quoted names, and numbers with their units.
package func values(in text: String) -> String { quotedAndNumbers(in: text).joined(separator: " ") }

/// Returns the values in a text as a list.
func quotedAndNumbers(in text: String) -> [String] {
  var scanner = ValueScanner(text)
  return scanner.values
}

/// Finds quoted names and numbers in a text.
private struct ValueScanner {
  private let text: [Unicode.Scalar]
  private var position = 0

  private static let units = [
    " %", "%", " bytes", " byte", " kB", " MB", " GB", " TB", " KiB", " MiB", " GiB", " TiB", " µs", " ms",
    " s",
  ].map { Array($0.unicodeScalars) }

  init(_ text: String) { self.text = Array(text.unicodeScalars) }

  var values: [String] {
    mutating get {
      var values: [String] = []
      while position < text.count {
        if let value = takeQuoted() ?? takeNumber() { values.append(value) } else { position += 1 }
      }
      return values
    }
  }

  private mutating func takeQuoted() -> String? {
    guard text[position] == "\"" else { return nil }
    var end = position + 1
    while end < text.count, text[end] != "\"" { end += text[end] == "\\" ? 2 : 1 }
    guard end < text.count else { return nil }
    return take(upTo: end + 1)
  }

  private mutating func takeNumber() -> String? {
    if position > 0, isPartOfWord(text[position - 1]) { return nil }
    var end = position
    if text[end] == "-" { end += 1 }
    guard end < text.count, isDigit(text[end]) else { return nil }
    while end < text.count, isDigit(text[end]) || text[end] == "." || text[end] == "," { end += 1 }
    while !isDigit(text[end - 1]) { end -= 1 }
    let unit = Self.units.first { unit in
      let next = end + unit.count
      return text[end...].starts(with: unit)
        && (next == text.count || !isPartOfWord(text[next]) || unit.last == "%")
    }
    return take(upTo: end + (unit?.count ?? 0))
  }

  private mutating func take(upTo end: Int) -> String {
    defer { position = end }
    var value = String.UnicodeScalarView()
    value.append(contentsOf: text[position..<end])
    return String(value)
  }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { "0"..."9" ~= scalar }

  private func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || isDigit(scalar) || scalar == "_" || scalar == "-" || scalar == "."
  }
}
