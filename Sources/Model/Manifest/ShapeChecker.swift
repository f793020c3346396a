package import Formats
import System

/// Checks values against the shapes of their keys, and reports every value that does not have the right
/// shape.
package struct ShapeChecker {
  let text: SourceText
  package internal(set) var findings = FindingList()
  /// The number of patterns to which the braces of globs can still expand.
  var expansionBudget = ExpansionBudget()
  /// The offsets of values that were reported as mistakes.
  ///
  /// The reader skips these values.
  private(set) var rejected = OffsetSet()
  /// The elements of long lists that have the usual form, by the offset of the list.
  private(set) var rows: [Int: JSONRows] = [:]

  /// The elements of a list with at least this many elements are first compared with a pattern.
  private static let manyElements = 16
  /// The maximum number of unknown keys for which the checker looks for a similar key.
  ///
  /// It is equal to the maximum number of findings that are reported for one check.
  static let maxGuesses = FindingList.maxPerCheck
  var guesses = 0
  /// The keys that the user probably intended where the text has unknown keys.
  var meantKeys: Set<String> = []

  /// The path of the root, for messages about absolute paths.
  var rootPath = "."

  /// The description of the whole text in messages, such as "the manifest".
  private let document: String

  /// The topic of `packtool help` that describes the keys, until a finding refers to it.
  private var topic: String?

  package init(text: SourceText, document: String = "the manifest", topic: String? = nil) {
    self.text = text
    self.document = document
    self.topic = topic
  }

  /// Returns a line that refers to the page about the keys, for the first finding about a key; afterwards
  /// returns an empty list.
  fileprivate mutating func referenceToPage() -> [Diagnostic.AttachedLine] {
    guard let topic = topic.take() else { return [] }
    return [.help("\"packtool help \(topic)\" describes all keys")]
  }

  /// Whether a value is the value of a key or an element in its list.
  package enum ValueRole: Sendable {
    case value
    /// An element of the key's list.
    case element
  }

  package mutating func check(
    _ value: JSONValue, shape: Shape, key: String, role: ValueRole = .value
  ) {
    switch (shape, value.content) {
    case (_, .unreadable): rejected.insert(value.offset)
    case (.text(let format), .string(let string)): check(string, format: format, at: value.offset)
    case (.choice(let words), .string(let string)): check(string, isOneOf: words, at: value.offset)
    case (.name(let names, let command, let refusal), .string(let string)):
      check(string, isOneOf: names, listedBy: command, refusal: refusal, at: value.offset)
    case (.list(let element, let minimum, let maximum), .array(let elements)):
      let count = elements.count
      if count > maximum {
        let message =
          "\(quoted(key)) must have at most \(grouped(maximum)) elements, but has \(grouped(count))"
        return rejectValue(at: value.offset, check: .invalidValue, message: message)
      }
      if count < minimum {
        rejectValue(
          at: value.offset, check: .invalidValue,
          message: "\(quoted(key)) must have at least \(counted(minimum, of: "element"))")
      }
      checkElements(elements, elementCount: count, shape: element, key: key, at: value.offset)
    case (.object(let object), .object(let members)): check(members, object: object, at: value.offset)
    case (.map(let keys, let command, let element), .object(let members)):
      check(members, among: keys, listedBy: command, element: element)
    case (.table(let element), .object(let members)):
      for member in members where member.key != "$comment" {
        check(member.value, shape: element, key: member.key)
      }
    case (.percentage, .string(let string)): checkPercentage(string, at: value.offset)
    case (.number(let range), .number): check(value, isIn: range, key: key)
    case (.size, .number): check(value, isIn: 0...Int.max, key: key)
    case (.fraction, .number(let number)): checkFraction(value, number: number, key: key)
    case (.variants(let name, let shapes), .object(let members)):
      check(members, isOneOf: shapes(), name: name, at: value.offset)
    case (.size, .string(let string)): checkSize(string, at: value.offset)
    case (.null, .null), (.onlyTrue, .bool(true)), (.boolean, .bool), (.anything, _): break
    case (.either(let first, let second), _):
      check(
        value, shape: first.permits(value) || !second.permits(value) ? first : second, key: key,
        alternativeOf: shape)
    default: rejectType(of: value, key: key, shape: shape, role: role)
    }
  }

  /// Checks the elements of a list.
  ///
  /// In a long list, only elements that do not have the usual form need the full check.
  private mutating func checkElements(
    _ elements: JSONElements, elementCount: Int, shape: Shape, key: String, at offset: Int
  ) {
    let isLong = elementCount >= Self.manyElements
    if isLong, case .object(let object) = shape {
      let found = JSONRows(of: elements, elementCount: elementCount, pattern: object.pattern)
      for row in 0..<found.count {
        if let item = found.other(row) { check(item, shape: shape, key: key, role: .element) }
      }
      rows[offset] = found
    } else {
      let pattern = isLong ? shape.pattern : nil
      for item in elements where !(pattern.map(item.matches) ?? false) {
        check(item, shape: shape, key: key, role: .element)
      }
    }
  }

  /// Checks a value against one of two shapes.
  ///
  /// If the value has neither of the two types, the message mentions both types.
  private mutating func check(_ value: JSONValue, shape: Shape, key: String, alternativeOf outer: Shape) {
    if shape.permits(value) {
      check(value, shape: shape, key: key)
    } else {
      rejectType(of: value, key: key, shape: outer)
    }
  }

  private mutating func rejectType(
    of value: JSONValue, key: String, shape: Shape, role: ValueRole = .value
  ) {
    let (document, text) = (document, text)
    rejected.insert(value.offset)
    let place = text.place(at: value.offset)
    findings.add(
      .wrongType, at: place,
      making: {
        let claim =
          key.isEmpty
          ? "\(document) must be"
          : role == .element ? "each element of \(quoted(key)) must be" : "\(quoted(key)) must be"
        let fix = text.converting(value, to: shape)
        guard case .list(.text, _, _) = shape, case .string(let word) = value.content else {
          let isFalse = if case .onlyTrue = shape, case .bool = value.content { true } else { false }
          let message = "\(claim) \(shape.typeName), not \(isFalse ? "false" : value.typeName)"
          return Diagnostic(.wrongType, message: message, at: place, fix: fix)
        }
        return Diagnostic(
          .wrongType, message: "\(claim) \(shape.typeName); write [\(quoted(word))]", at: place, fix: fix)
      })
  }

  /// Whether a value has the type of a shape, or a fix can give it this type.
  fileprivate func canBecome(_ shape: Shape, value: JSONValue) -> Bool {
    // A syntax error has no type yet.
    if case .unreadable = value.content { return true }
    return shape.permits(value) || text.converting(value, to: shape) != nil
  }

  /// Rejects a value.
  ///
  /// `replacement` is the string that the user certainly intended; nil if that is unknown.
  mutating func rejectValue(
    at offset: Int, check: Check, message: @autoclosure () -> String, replacement: String? = nil
  ) {
    rejected.insert(offset)
    guard let replacement else { return report(check, message: message(), at: offset) }
    let fix = text.replacing(stringAt: offset, by: replacement)
    findings.add(Diagnostic(check, message: message(), at: text.place(at: offset), fix: fix))
  }

  mutating func report(_ check: Check, message: @autoclosure () -> String, at offset: Int) {
    findings.add(check, at: text.place(at: offset), message: message)
  }
}

extension ShapeChecker {
  mutating func checkFraction(_ value: JSONValue, number: String, key: String) {
    if value.fraction != nil { return }
    let message = "\(quoted(key)) must be a number from 0 to 1, not \(quoted(number))"
    rejectValue(at: value.offset, check: .invalidValue, message: message)
  }

  mutating func check(_ value: JSONValue, isIn range: ClosedRange<Int>, key: String) {
    if let number = value.wholeNumber, range.contains(Int(number)) { return }
    guard case .number(let text) = value.content else { return }
    let least = range.lowerBound
    let isBounded = least == 0 || range.upperBound < .max
    let form = isBounded ? "from \(least) to \(grouped(range.upperBound))" : "of at least \(least)"
    let claim =
      least == 0 && text.hasPrefix("-")
      ? "must not be negative, but is" : "must be a whole number \(form), written only with digits, not"
    rejectValue(at: value.offset, check: .invalidValue, message: "\(quoted(key)) \(claim) \(quoted(text))")
  }
}

/// Checks of strings: formats, names from a list, sizes and percentages.
extension ShapeChecker {
  mutating func check(_ string: String, format: StringFormat, at offset: Int) {
    guard let mistake = mistake(in: string, format: format) else { return }
    if case .path(within: "the root folder") = format, let path = pathBelowRoot(string) {
      let message = "\(mistake.message), such as \(quoted(path))"
      return rejectValue(at: offset, check: mistake.check, message: message, replacement: path)
    }
    let canCorrect = if case .glob = format { expansionBudget.allowsCorrection(of: string) } else { true }
    rejectValue(
      at: offset, check: mistake.check, message: mistake.message,
      replacement: canCorrect ? format.corrected(string) : nil)
  }

  /// Returns the part of an absolute path after the path of the root; nil for any other path.
  private func pathBelowRoot(_ path: String) -> String? {
    guard path.hasPrefix("/"), let root = try? FileOperations.realPath(of: rootPath),
      let text = String(validating: root, as: UTF8.self), path.hasPrefix(text + "/")
    else { return nil }
    let below = trimmed(String(path.dropFirst(text.count + 1)))
    return (try? RelativePath(below)) == nil ? nil : below
  }

  private mutating func mistake(in string: String, format: StringFormat) -> (check: Check, message: String)? {
    guard case .glob = format else { return format.mistake(in: string) }
    do throws(Glob.Mistake) {
      return try expansionBudget.mistake(in: string)
    } catch {
      return (error.check, error.message(for: string))
    }
  }

  /// Checks that a string is one of the given words.
  ///
  /// The message lists the words, or mentions the command that lists them.
  mutating func check(
    _ string: String, isOneOf words: [String], listedBy command: String? = nil,
    refusal: (String) -> String? = { _ in nil }, at offset: Int
  ) {
    if words.contains(string) { return }
    if let refusal = refusal(string) {
      return rejectValue(at: offset, check: .invalidValue, message: refusal)
    }
    if let meant = SeverityChoice(otherName: string)?.rawValue, words.contains(meant) {
      let message = "\(quoted(string)) is unknown\(suggestion(meant))"
      return rejectValue(at: offset, check: .invalidValue, message: message, replacement: meant)
    }
    let guess = NearestName(to: string, in: words)
    let list = command.map { "\(quoted($0)) lists all allowed values" } ?? "expected one of \(listed(words))"
    let hint = guess == nil ? "; \(list)" : suggestion(guess?.name)
    rejectValue(
      at: offset, check: .invalidValue, message: "\(quoted(string)) is unknown\(hint)",
      replacement: guess?.sureName)
  }

  mutating func checkSize(_ string: String, at offset: Int) {
    if ByteSize.bytes(in: string) != nil { return }
    let corrected = ByteSize.corrected(string)
    let hint =
      corrected.map(suggestion)
      ?? "; expected a number of bytes, or a string with ASCII digits and a unit up to TB or TiB, such as "
      + "\"64 MB\" or \"1.5 GiB\""
    rejectValue(
      at: offset, check: .invalidValue, message: "\(quoted(string)) is not a size\(hint)",
      replacement: corrected)
  }

  mutating func checkPercentage(_ string: String, at offset: Int) {
    if Percentage(string) != nil { return }
    let message = "\(quoted(string)) is not a percentage; expected a string such as \"5 %\" or \"2.5 %\""
    rejectValue(at: offset, check: .invalidValue, message: message)
  }
}

extension ShapeChecker {
  /// Checks the members of an object whose keys must be in a list.
  mutating func check(
    _ members: JSONMembers, among keys: [String], listedBy command: String, element: Shape
  ) {
    var usedKeys: Set<String>?
    for member in members where member.key != "$comment" {
      if !keys.contains(member.key) {
        reportUnknownKey(
          member, of: members, among: keys.map { KeyShape($0, shape: element) }, usedKeys: &usedKeys,
          orElse: "\(quoted(command)) lists all allowed keys"
        )
      }
      check(member.value, shape: element, key: member.key)
    }
  }

  mutating func check(_ members: some Sequence<JSONMember>, object: ObjectShape, at offset: Int) {
    var present: Set<String> = []
    var usedKeys: Set<String>?
    for member in members where member.key != "$comment" {
      guard let key = object.keys.first(where: { $0.name == member.key }) else {
        // If a key is misspelled, the intended key is not reported as missing.
        if let guess = reportUnknownKey(
          member, of: members, among: object.keys, usedKeys: &usedKeys)
        {
          present.insert(guess)
        }
        continue
      }
      present.insert(key.name)
      check(member.value, shape: key.shape, key: member.key)
    }
    for key in object.keys where key.isRequired && !present.contains(key.name) {
      if let other = key.unless, present.contains(other) { continue }
      let explanation = key.example.map { "; it is \(key.summary.withSmallFirstLetter), such as \($0)" } ?? ""
      let notes = referenceToPage()
      findings.add(
        Diagnostic(
          .missingKey, message: "the key \(quoted(key.name)) is missing\(explanation)",
          at: text.place(at: offset), notes: notes))
    }
    if object.oneOf.isEmpty { return }
    let chosen = members.filter { object.oneOf.contains($0.key) }
    if !object.oneOf.contains(where: present.contains) {
      report(.missingKey, message: "expected exactly one of the keys \(listed(object.oneOf))", at: offset)
    } else if let second = chosen.first(where: { $0.key != chosen[0].key }) {
      rejectValue(
        at: second.keyOffset, check: .invalidValue,
        message:
          "\(quoted(second.key)) and \(quoted(chosen[0].key)) cannot be used together; keep one of them")
    }
  }

  /// Checks the members of an object whose kind is identified by its first key.
  mutating func check(_ members: JSONMembers, isOneOf shapes: [ObjectShape], name: String, at offset: Int) {
    let firstKeys = shapes.map { $0.keys[0] }
    let names = firstKeys.map(\.name)
    let present = Set(members.map(\.key))
    guard let shape = shapes.first(where: { present.contains($0.keys[0].name) }) else {
      let unknownMembers = members.filter { $0.key != "$comment" }
      if let meant = shapes.first(where: { unknownMembers.contains(where: $0.isMeant) }) {
        reportOtherNames(in: unknownMembers, of: meant)
        return
      }
      var usedKeys: Set<String>?
      for member in unknownMembers {
        reportUnknownKey(member, of: members, among: firstKeys, usedKeys: &usedKeys)
      }
      if unknownMembers.isEmpty {
        report(.missingKey, message: "a \(name) must have one of the keys \(listed(names))", at: offset)
      }
      return
    }
    let own = shape.keys.map(\.name)
    for member in members where names.contains(member.key) && !own.contains(member.key) {
      rejectValue(
        at: member.keyOffset, check: .invalidValue,
        message:
          "\(quoted(member.key)) and \(quoted(own[0])) cannot be in the same \(name); write two \(name)s")
    }
    check(members.filter { own.contains($0.key) || !names.contains($0.key) }, object: shape, at: offset)
  }
}

/// Reports keys that an object does not accept.
extension ShapeChecker {
  /// Reports the keys of an object that has another name instead of the first key of its shape.
  private mutating func reportOtherNames(in members: [JSONMember], of shape: ObjectShape) {
    let names = shape.keys.map(\.name)
    var usedKeys: Set<String>?
    for member in members where !names.contains(member.key) {
      guard shape.isMeant(by: member) else {
        reportUnknownKey(member, of: members, among: shape.keys, usedKeys: &usedKeys)
        continue
      }
      let example = shape.example.map { ", as in \($0)" } ?? ""
      findings.add(
        Diagnostic(
          .unknownKey,
          message: "the key \(quoted(member.key)) is unknown; did you mean \(quoted(names[0]))\(example)?",
          at: text.place(at: member.keyOffset), notes: referenceToPage()))
    }
  }

  /// Reports an unknown key, and returns the key that the user probably intended.
  ///
  /// `usedKeys` contains the keys that the object already has, and the keys that earlier fixes add.
  @discardableResult
  mutating func reportUnknownKey(
    _ member: JSONMember, of members: some Sequence<JSONMember>, among keys: [KeyShape],
    usedKeys: inout Set<String>?, orElse hint: String? = nil
  ) -> String? {
    let names = keys.map(\.name)
    let isGuessed = guesses < Self.maxGuesses
    let near = isGuessed ? NearestName(to: member.key, in: names + ["$comment"]) : nil
    let only =
      isGuessed && near == nil
      ? onlyName(beginningAs: member.key, in: names) ?? onlyName(abbreviatedAs: member.key, in: names) : nil
    let guess = near?.name ?? only ?? (isGuessed ? commonName(for: member.key, in: names) : nil)
    guesses += 1
    if let guess { meantKeys.insert(guess) }
    let sure = (near?.sureName ?? only).flatMap { key -> String? in
      // Another name would only turn this finding into one about the type of the value.
      if let shape = keys.first(where: { $0.name == key })?.shape, !canBecome(shape, value: member.value) {
        return nil
      }
      var known = usedKeys.take() ?? Set(members.map(\.key))
      let isFree = known.insert(key).inserted
      usedKeys = known
      return isFree ? key : nil
    }
    let text = text
    let notes = referenceToPage()
    findings.add(
      .unknownKey, at: text.place(at: member.keyOffset),
      making: {
        let hint = guess == nil ? "; \(hint ?? "expected one of \(listed(names))")" : suggestion(guess)
        return Diagnostic(
          .unknownKey, message: "the key \(quoted(member.key)) is unknown\(hint)",
          at: text.place(at: member.keyOffset), notes: notes,
          fix: sure.flatMap { text.replacing(stringAt: member.keyOffset, by: $0) })
      })
    return guess
  }
}

extension SourceText {
  /// Returns the edit that gives a value the type of a shape; nil if no edit certainly has the intended result.
  fileprivate func converting(_ value: JSONValue, to shape: Shape) -> TextEdit? {
    switch (shape, value.content) {
    case (.list(.text, _, _), .string): bracketing(stringAt: value.offset)
    case (.text, .array): unbracketing(listAt: value.offset)
    default: nil
    }
  }
}

extension String {
  /// The string with a small first letter, so that it can be part of a sentence.
  fileprivate var withSmallFirstLetter: String { prefix(1).lowercased() + dropFirst() }
}

/// The number and size of patterns to which the braces in a manifest can still expand.
///
/// There is a limit because a few bytes can expand to gigabytes.
package struct ExpansionBudget {
  /// The maximum number of patterns to which all braces of a manifest can expand.
  package static let maxPatterns = 100_000
  /// The maximum total size of these patterns in bytes.
  package static let maxBytes = 16 << 20

  private var patterns: Int
  private var bytes: Int

  package init(patterns: Int = maxPatterns, bytes: Int = maxBytes) {
    (self.patterns, self.bytes) = (patterns, bytes)
  }

  /// Reads a glob and subtracts its patterns from the budget.
  ///
  /// Returns a finding if the patterns exceed the budget. After the budget is used up, no more braces are
  /// expanded, because expanding a single glob can need a megabyte of memory and several milliseconds.
  mutating func mistake(in text: String) throws(Glob.Mistake) -> (check: Check, message: String)? {
    if !hasBraces(text) {
      _ = try Glob(text)
      return nil
    }
    if hasBudgetLeft {
      let expansion = try expansion(of: text)
      if expansion.patterns.count > 1 {
        spend(patternCount: expansion.patterns.count, byteCount: expansion.size)
      }
      if hasBudgetLeft {
        _ = try Glob(expansion)
        return nil
      }
    }
    let most = "\(grouped(Self.maxPatterns)) patterns or \(ByteSize.exact(Self.maxBytes)) of them"
    return (
      .invalidPath,
      "up to \(quoted(text)), the braces of all globs stand for more than \(most); use fewer braces"
    )
  }

  /// Whether a glob may be corrected.
  ///
  /// A correction expands the glob's braces again, which is not allowed after the budget is used up.
  func allowsCorrection(of text: String) -> Bool { hasBudgetLeft || !hasBraces(text) }

  private func hasBraces(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "{")) }

  private var hasBudgetLeft: Bool { patterns >= 0 && bytes >= 0 }

  private mutating func spend(patternCount patterns: Int, byteCount: Int) {
    self.patterns -= patterns
    self.bytes -= byteCount
  }

  private mutating func expansion(of text: String) throws(Glob.Mistake) -> Glob.Expansion {
    do throws(Glob.Mistake) {
      return try Glob.Expansion(text)
    } catch {
      switch error {
      case .tooManyBranches: spend(patternCount: Glob.maxBranches, byteCount: 0)
      case .tooManyBytes: spend(patternCount: 0, byteCount: Glob.maxExpandedBytes)
      case .path, .unclosed, .partialStars: break
      }
      throw error
    }
  }
}
