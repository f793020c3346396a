import Findings
import Formats
import PackKit

/// The build settings of a target in one configuration, followed by those of files and of the project.
struct BuildSettings {
  /// An unexpanded value.
  private struct Entry {
    /// The text, or the elements of an array.
    let parts: [String]
    let isList: Bool
    let offset: Int
  }

  /// The values of each name, including conditional names: the effective one first, then those that it inherits.
  private var entries: [String: [Entry]] = [:]
  /// Names that are only set for other configurations, and therefore are empty, not unknown.
  private var emptyNames: Set<String> = []
  private let configuration: String
  /// The settings that Xcode itself defines.
  private let builtIn: [String: String]

  /// The largest number of references that are expanded for a value.
  private static let mostSteps = 10_000
  private static let deepestStep = 32
  /// The largest size of a value in bytes, since settings that refer to others twice grow exponentially.
  private static let longestValue = 1 << 20
  /// The largest total size in bytes of all names and values that are expanded for a value.
  private static let mostBytes = 4 << 20

  init(configuration: String, builtIn: [String: String]) {
    self.configuration = configuration
    self.builtIn = builtIn
  }

  /// Adds the settings of a dictionary with lower precedence.
  mutating func add(_ node: PlistTree.Node, of tree: PlistTree) {
    for (key, value) in tree.members(node).reversed() {
      guard let name = tree.string(key) else { continue }
      let parts = tree.isArray(value) ? tree.elements(value) : [value]
      let texts = parts.compactMap { tree.string($0) }
      add(Entry(parts: texts, isList: tree.isArray(value), offset: tree.offset(of: key)), as: name)
    }
  }

  /// Adds a setting with lower precedence.
  mutating func add(_ value: Located<String>, as key: String) {
    add(Entry(parts: [value.value], isList: false, offset: value.offset), as: key)
  }

  /// Adds the value of a name, or of a conditional name; conditions on the configuration are evaluated here.
  private mutating func add(_ entry: Entry, as key: String) {
    let parts = key.split(separator: "[")
    var name = parts.first.map(String.init) ?? key
    for condition in parts.dropFirst() {
      guard condition.hasPrefix("config="), condition.hasSuffix("]") else {
        name += "[\(condition)"
        continue
      }
      let pattern = try? NamePattern(String(condition.dropFirst(7).dropLast()))
      guard let pattern, pattern.matches(Array(configuration.utf8)[...]) else {
        emptyNames.insert(name)
        return
      }
    }
    entries[name, default: []].append(entry)
  }

  /// A setting as one text; nil if it is not set.
  func text(_ name: String, _ findings: inout ProjectFindings) -> Located<String>? {
    reportConditions(on: name, &findings)
    guard let entry = entry(name, at: 0) else { return nil }
    var expansion = Expansion(setting: name, offset: entry.offset)
    let value = expand(entry.parts.joined(separator: " "), name, 0, &expansion)
    expansion.report(&findings)
    return Located(value, at: entry.offset)
  }

  /// A setting as a boolean; false if it is not set.
  func flag(_ name: String, _ findings: inout ProjectFindings) -> Located<Bool>? {
    text(name, &findings).map {
      Located(["YES", "TRUE", "1"].contains($0.value.uppercased()), at: $0.offset)
    }
  }

  /// A setting as a list: the elements of an array, or the words of a text.
  func list(_ name: String, _ findings: inout ProjectFindings) -> [Located<String>] {
    reportConditions(on: name, &findings)
    guard let entry = entry(name, at: 0) else { return [] }
    var expansion = Expansion(setting: name, offset: entry.offset)
    let words = words(of: entry, name, &expansion)
    expansion.report(&findings)
    return words.map { Located($0, at: entry.offset) }
  }

  /// The words of an element: several only if it refers to another setting.
  private func words(
    of entry: Entry, _ name: String, _ expansion: inout Expansion
  ) -> [String] {
    entry.parts.flatMap { part -> [String] in
      let value = expand(part, name, 0, &expansion)
      if entry.isList && !part.contains("$") { return value.isEmpty ? [] : [value] }
      return shellWords(of: value)
    }
  }

  /// The effective value of a name at level 0; the inherited ones at higher levels.
  private func entry(_ name: String, at level: Int) -> Entry? {
    guard let entries = entries[name], level < entries.count else { return nil }
    return entries[level]
  }

  private func reportConditions(on name: String, _ findings: inout ProjectFindings) {
    let conditional = entries.filter { $0.key.hasPrefix("\(name)[") }.map { ($0.key, $0.value[0].offset) }
    for (key, offset) in conditional.sorted(by: { $0.1 < $1.1 }) {
      findings.add(
        .conditionalSetting,
        "\(quoted(key)) is a value for some devices only, which is not carried; \(quoted(name)) without a "
          + "condition counts", at: offset)
    }
  }

  /// The state of the expansion of one setting.
  private struct Expansion {
    let setting: String
    let offset: Int
    var depth = 0
    var steps = 0
    var bytes = 0
    /// The unknown names.
    var unknown: [String] = []

    func report(_ findings: inout ProjectFindings) {
      for name in Set(unknown).sorted() {
        findings.add(
          .unresolvedSetting,
          "\(quoted(setting)) names \(quoted("$(\(name))")), which is not known; it is taken as empty",
          at: offset)
      }
    }
  }

  /// Replaces `$(NAME)` and `${NAME}`, including nested ones.
  private func expand(
    _ text: String, _ name: String, _ level: Int, _ expansion: inout Expansion
  ) -> String {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst(), result.utf8.count < Self.longestValue {
      let close: UnicodeScalar? = rest.first == "(" ? ")" : rest.first == "{" ? "}" : nil
      guard scalar == "$", let close, let open = rest.first,
        let end = Self.end(of: rest, open: open, close: close)
      else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let inner = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
      result += value(of: inner, within: name, level, &expansion)
    }
    return result
  }

  /// The index of the bracket that closes the one at the start of a text.
  private static func end(
    of text: Substring.UnicodeScalarView, open: UnicodeScalar, close: UnicodeScalar
  ) -> String.Index? {
    var depth = 0
    return text.indices.first { place in
      if text[place] == open { depth += 1 }
      if text[place] == close { depth -= 1 }
      return depth == 0
    }
  }

  /// The value of a reference: a name, with operators after colons.
  private func value(
    of inner: String, within name: String, _ level: Int, _ expansion: inout Expansion
  ) -> String {
    expansion.depth += 1
    expansion.steps += 1
    defer { expansion.depth -= 1 }
    if expansion.depth > Self.deepestStep || expansion.steps > Self.mostSteps
      || expansion.bytes > Self.mostBytes
    {
      expansion.unknown.append(inner)
      return ""
    }
    let expanded = expand(inner, name, level, &expansion)
    let parts = expanded.split(separator: ":", omittingEmptySubsequences: false)
    let wanted = parts.first.map(String.init) ?? ""
    // An empty reference is used to keep the slashes of a URL in an .xcconfig from being a comment.
    if wanted.isEmpty && parts.count <= 1 { return "" }
    // A setting that refers to itself means its inherited value.
    let isInherited = wanted == "inherited" || wanted == name
    let target = isInherited ? name : wanted
    var value: String
    let wantedLevel = isInherited ? level + 1 : 0
    if let entry = entry(target, at: wantedLevel) {
      value = expand(entry.parts.joined(separator: " "), target, wantedLevel, &expansion)
    } else if let known = builtIn[target] {
      value = known
    } else {
      value = parts.dropFirst().first { $0.hasPrefix("default=") }.map { String($0.dropFirst(8)) } ?? ""
      let isKnown = isInherited || emptyNames.contains(target)
      if !isKnown && !parts.contains(where: { $0.hasPrefix("default=") }) {
        expansion.unknown.append(target)
      }
    }
    expansion.bytes += expanded.utf8.count + value.utf8.count
    for part in parts.dropFirst() {
      if expansion.bytes > Self.mostBytes {
        expansion.unknown.append(target)
        return ""
      }
      value = Self.apply(String(part), to: value)
      expansion.bytes += value.utf8.count
    }
    return value
  }

  private static func apply(_ operation: String, to value: String) -> String {
    func replacing(_ isKept: (UInt8) -> Bool, by mark: String) -> String {
      value.unicodeScalars.map { $0.isASCII && isKept(UInt8($0.value)) ? String($0) : mark }.joined()
    }
    func isWord(_ byte: UInt8) -> Bool {
      isWordByte(byte) && byte != UInt8(ascii: "$") && byte != UInt8(ascii: "+")
    }
    switch operation {
    case "lower": return value.lowercased()
    case "upper": return value.uppercased()
    case "rfc1034identifier": return replacing({ isWord($0) && $0 != UInt8(ascii: "_") }, by: "-")
    case "identifier", "c99extidentifier":
      return replacing({ isWord($0) && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ".") }, by: "_")
    default: return value
    }
  }
}
