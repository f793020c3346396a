package import Findings
package import Formats

/// Holds values against the shapes of their keys and reports all that does not fit.
package struct ShapeChecker {
  let text: SourceText
  package internal(set) var findings = FindingList()
  /// What the braces of globs may still stand for.
  var globRoom = GlobRoom()
  /// The offsets of values that were reported, which the reader skips.
  package private(set) var rejected = OffsetSet()
  /// The elements of long lists that have the usual form, by the offset of the list.
  private(set) var rows: [Int: JSONRows] = [:]

  /// The number of elements from which on a list is checked by a pattern first.
  private static let manyElements = 16
  /// The number of unknown keys for which a similar one is looked up, which is that of those reported.
  static let mostGuesses = FindingList.mostOfOneCheck
  /// How many guesses were made.
  var guesses = 0
  /// The keys that were probably meant by unknown ones.
  var meantKeys: Set<String> = []

  /// What messages call the whole text.
  private let document: String

  package init(text: SourceText, document: String = "the manifest") {
    self.text = text
    self.document = document
  }

  package mutating func check(_ value: JSONValue, _ shape: Shape, key: String, isElement: Bool = false) {
    switch (shape, value.content) {
    case (_, .unreadable): rejected.insert(value.offset)
    case (.text(let form), .string(let string)): check(string, form, at: value.offset)
    case (.choice(let words), .string(let string)): check(string, isOneOf: words, at: value.offset)
    case (.name(let list), .string(let string)): check(string, isIn: list, at: value.offset)
    case (.list(let element, let minimum, let maximum), .array(let elements)):
      let count = elements.count
      if count > maximum {
        let message =
          "\(quoted(key)) takes at most \(grouped(maximum)) elements, not \(grouped(count))"
        return reject(value.offset, .invalidValue, message)
      }
      if count < minimum {
        reject(value.offset, .invalidValue, "\(quoted(key)) needs at least \(counted(minimum, "element"))")
      }
      check(elements, count: count, element, key: key, at: value.offset)
    case (.object(let object), .object(let members)): check(members, object, at: value.offset)
    case (.map(let keys, let command, let element), .object(let members)):
      check(members, among: keys, listedBy: command, element)
    case (.table(let element), .object(let members)):
      for member in members where member.key != "$comment" { check(member.value, element, key: member.key) }
    case (.percentage, .string(let string)): checkPercentage(string, at: value.offset)
    case (.wholeNumber, .number), (.size, .number): checkWholeNumber(value, key: key)
    case (.positiveNumber, .number): checkWholeNumber(value, key: key, from: 1)
    case (.number(let range), .number): check(value, isIn: range, key: key)
    case (.fraction, .number(let number)): checkFraction(value, number, key: key)
    case (.variants(let variants), .object(let members)): check(members, variants, at: value.offset)
    case (.size, .string(let string)): checkSize(string, at: value.offset)
    case (.null, .null), (.yes, .bool(true)), (.boolean, .bool), (.anything, _): break
    case (.either(let first, let second), _):
      check(value, first.takes(value) || !second.takes(value) ? first : second, key: key, in: shape)
    default: rejectType(of: value, key: key, shape, isElement: isElement)
    }
  }

  /// Checks the elements of a list; of a long one only those that lack the usual form.
  private mutating func check(
    _ elements: JSONElements, count: Int, _ element: Shape, key: String, at offset: Int
  ) {
    let isLong = count >= Self.manyElements
    if isLong, case .object(let object) = element {
      let found = JSONRows(of: elements, count: count, object.pattern)
      for row in 0..<found.count {
        if let item = found.other(row) { check(item, element, key: key, isElement: true) }
      }
      rows[offset] = found
    } else {
      let pattern = isLong ? element.pattern : nil
      for item in elements where !(pattern.map(item.matches) ?? false) {
        check(item, element, key: key, isElement: true)
      }
    }
  }

  /// Checks a value against one of two shapes; the message on a value of neither type names both.
  private mutating func check(_ value: JSONValue, _ shape: Shape, key: String, in outer: Shape) {
    if shape.takes(value) { check(value, shape, key: key) } else { rejectType(of: value, key: key, outer) }
  }

  private mutating func rejectType(
    of value: JSONValue, key: String, _ shape: Shape, isElement: Bool = false
  ) {
    let document = document
    rejected.insert(value.offset)
    findings.add(.wrongType, at: text.place(at: value.offset)) {
      let claim =
        key.isEmpty
        ? "\(document) must be"
        : isElement ? "each element of \(quoted(key)) must be" : "\(quoted(key)) takes"
      guard case .list(.text, _, _) = shape, case .string(let word) = value.content else {
        return "\(claim) \(shape.typeName), not \(value.typeName)"
      }
      return "\(claim) \(shape.typeName); write [\(quoted(word))]"
    }
  }

  /// Rejects a value; `meant` is what was surely meant by a text.
  mutating func reject(
    _ offset: Int, _ check: Check, _ message: @autoclosure () -> String, meant: String? = nil
  ) {
    rejected.insert(offset)
    guard let meant else { return report(check, message(), at: offset) }
    let fix = text.replacing(stringAt: offset, by: meant)
    findings.add(Diagnostic(check, message(), at: text.place(at: offset), fix: fix))
  }

  mutating func report(_ check: Check, _ message: @autoclosure () -> String, at offset: Int) {
    findings.add(check, at: text.place(at: offset), message)
  }
}
