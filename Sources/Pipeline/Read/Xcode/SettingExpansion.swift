import Formats
import Model
import System

/// Replaces references in the value of a setting with the values of the settings that they refer to.
///
/// The replacement works in the same way as in Apple's swift-build. It replaces `$(NAME)`, `${NAME}`,
/// `$[NAME]` and `$NAME`, including names that contain references. It applies operators such as `:lower` or
/// `:default=…` as well.
struct SettingExpansion {
  private typealias Text = Substring.UnicodeScalarView
  /// An operator after a name, such as `:lower` or `:suffix=.txt`.
  private struct Operator {
    let name: String
    /// The characters after the equal sign; nil if there is no equal sign.
    let replacement: String?
  }

  private(set) var unknown: [String] = []
  private let settings: BuildSettings
  /// The settings that are being expanded, from the outermost to the innermost, each with the level of
  /// inheritance.
  private var open: [(name: String, level: Int)]
  private var depth = 0
  private var steps = 0
  private var bytes = 0

  /// The maximum number of references that are expanded for one value.
  private static let maxSteps = 10_000
  private static let deepestStep = 32
  /// The maximum size of a value in bytes.
  ///
  /// A limit is needed because values grow exponentially if each setting refers twice to another setting.
  private static let maxValueSize = 1 << 20
  /// The maximum total size in bytes of all names and values that are expanded for one value.
  private static let maxBytes = 4 << 20

  init(of name: String, in settings: BuildSettings) {
    self.settings = settings
    open = [(name, 0)]
  }

  mutating func expand(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
    var rest = Text(text.unicodeScalars)
    return expand(from: &rest, until: nil)
  }

  /// Expands a string up to its end, or, inside a reference, up to a colon or the closing bracket.
  private mutating func expand(from rest: inout Text, until close: UnicodeScalar?) -> String {
    var result = ""
    while let scalar = rest.first, close == nil || (scalar != ":" && scalar != close) {
      rest.removeFirst()
      if scalar == "$" {
        result += expandReference(from: &rest)
      } else {
        result.unicodeScalars.append(scalar)
      }
      if result.utf8.count > Self.maxValueSize {
        rest = Text()
        return ""
      }
    }
    return result
  }

  /// Expands the reference after a dollar sign.
  private mutating func expandReference(from rest: inout Text) -> String {
    guard let first = rest.first else { return "$" }
    if let close = Self.closings[first] { return expandBrackets(from: &rest, closedBy: close) }
    if first == "$" {
      rest.removeFirst()
      return "$"
    }
    guard first.startsSettingName else { return "$" }
    let name = String(Text(rest.prefix { $0.isInSettingName }))
    rest.removeFirst(name.unicodeScalars.count)
    // A reference without brackets stays unchanged if its setting is not set.
    return isKnown(name) ? value(of: name) : "$\(name)"
  }

  private static let closings: [UnicodeScalar: UnicodeScalar] = ["(": ")", "{": "}", "[": "]"]

  private mutating func expandBrackets(from rest: inout Text, closedBy close: UnicodeScalar) -> String {
    let start = rest
    let unknownCount = unknown.count
    rest.removeFirst()
    defer { depth -= 1 }
    guard begin() else {
      unknown.append(String(start.dropFirst().prefix { $0 != close }.prefix(40)))
      rest = Text()
      return ""
    }
    let name = expand(from: &rest, until: close)
    var operations: [Operator] = []
    while rest.first == ":" {
      rest.removeFirst()
      let title = String(Text(rest.prefix { $0 != "=" && $0 != ":" && $0 != close }))
      rest.removeFirst(title.unicodeScalars.count)
      var replacement: String?
      if rest.first == "=" {
        rest.removeFirst()
        replacement = expand(from: &rest, until: close)
      }
      operations.append(Operator(name: title, replacement: replacement))
    }
    guard rest.popFirst() == close else {
      // An unclosed reference is ordinary text.
      unknown.removeSubrange(unknownCount...)
      rest = Text()
      return "$" + String(start)
    }
    return apply(operations, to: name)
  }

  /// Counts a reference.
  ///
  /// Returns false if there are too many references. A reference can contain other references.
  private mutating func begin() -> Bool {
    depth += 1
    steps += 1
    return depth <= Self.deepestStep && steps <= Self.maxSteps && bytes <= Self.maxBytes
  }

  private mutating func apply(_ operations: [Operator], to name: String) -> String {
    let hasDefault = operations.contains { $0.name == "default" && $0.replacement != nil }
    // In an .xcconfig file, users write an empty reference between the two slashes of a URL, because two
    // adjacent slashes would begin a comment. So an empty reference is replaced with nothing.
    var value = name.isEmpty || (hasDefault && !isKnown(name)) ? "" : value(of: name)
    bytes += name.utf8.count + value.utf8.count
    for operation in operations {
      if bytes > Self.maxBytes {
        unknown.append(name)
        return ""
      }
      value = value.applying(operation.name, replacement: operation.replacement)
      bytes += value.utf8.count
    }
    return value
  }

  private func isKnown(_ name: String) -> Bool {
    ["inherited", "value"].contains(name) || settings.isSet(name)
  }

  /// Returns the value of a setting.
  ///
  /// If a setting refers to itself, the reference means the inherited value.
  private mutating func value(of wanted: String) -> String {
    defer { depth -= 1 }
    guard begin() else {
      unknown.append(wanted)
      return ""
    }
    let current = open[open.count - 1]
    let isInherited = wanted == "inherited" || wanted == "value" || wanted == current.name
    let target = isInherited ? (current.name, current.level + 1) : (wanted, 0)
    guard let entry = settings.entry(target.0, inheritanceLevel: target.1) else {
      if !isInherited && !settings.isSet(wanted) { unknown.append(wanted) }
      return ""
    }
    open.append(target)
    defer { open.removeLast() }
    return expand(entry.text)
  }
}

extension UnicodeScalar {
  /// Whether the name of a setting can begin with this character.
  fileprivate var startsSettingName: Bool {
    switch self {
    case "A"..."Z", "a"..."z", "_": true
    default: false
    }
  }

  /// Whether the name of a setting can contain this character after the first character.
  fileprivate var isInSettingName: Bool { startsSettingName || ("0"..."9").contains(self) }
}

extension String {
  /// Returns the value after applying an operator.
  ///
  /// An unknown operator does not change the value.
  fileprivate func applying(_ name: String, replacement: String?) -> String {
    if let replacement { return applying(name, with: replacement) }
    let value = self
    switch name {
    case "quote": return value.withEscapes
    case "lower": return value.lowercased()
    case "upper": return value.uppercased()
    case "identifier": return value.identifier(mark: "_")
    case "rfc1034identifier": return value.identifier(mark: "-")
    case "c99extidentifier": return value.extendedIdentifier
    case "__md5": return MD5.hex(of: value)
    case "__stripslash": return value.hasPrefix("/") ? String(value.dropFirst()) : value
    case "dir":
      let folder = value.folder
      return folder.isEmpty ? "./" : folder.hasSuffix("/") ? folder : folder + "/"
    case "file": return value.file
    case "base": return value.file.base
    case "suffix": return value.file.suffix
    case "standardizepath": return value.standardized
    case "not": return value == "YES" ? "NO" : "YES"
    case "truncatedversion": return value.split(separator: ".", maxSplits: 3).prefix(3).joined(separator: ".")
    default: return value
    }
  }

  private func applying(_ name: String, with text: String) -> String {
    let value = self
    switch name {
    case "default": return value.isEmpty ? text : value
    case "dir": return value.isEmpty ? value : text.path(with: value.file)
    case "file": return value.isEmpty ? value : value.folder.path(with: text)
    case "base": return value.isEmpty ? value : value.folder.path(with: text) + value.file.suffix
    case "suffix":
      if value.isEmpty { return value }
      let suffix = text.split(separator: ".").last.map(String.init) ?? ""
      return "\(value.folder.path(with: value.file.base)).\(suffix)"
    case "relativeto": return value.hasPrefix("/") && text.hasPrefix("/") ? text.relative(to: value) : value
    case "isancestor":
      return value.hasPrefix("/") && text.hasPrefix("/")
        && (value.standardized + "/").hasPrefix(text.standardized + "/") ? "YES" : "NO"
    default: return value
    }
  }

  /// Returns a C identifier (mark `_`) or a name as in RFC 1034 (mark `-`).
  ///
  /// The result consists of ASCII letters, digits and the mark, and does not begin with a digit. The mark
  /// replaces all other characters, including letters with accents.
  fileprivate func identifier(mark: Character) -> String {
    var result = ""
    for character in self {
      let isLetter = character.isASCII && character.isLetter
      let isDigit = character.isASCII && character.isNumber && !result.isEmpty
      result.append(isLetter || isDigit ? character : mark)
    }
    return result
  }

  /// The string as a C identifier that can also contain letters of other scripts.
  fileprivate var extendedIdentifier: String {
    var result = ""
    for scalar in unicodeScalars {
      let properties = scalar.properties
      let isLeadingDigit = result.isEmpty && properties.generalCategory == .decimalNumber
      result.unicodeScalars.append(properties.isXIDContinue && !isLeadingDigit ? scalar : "_")
    }
    return result
  }

  fileprivate var withEscapes: String {
    if isEmpty { return "\"\"" }
    return reduce(into: "") { result, character in
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if !isPlain && !"/.,+-_=\t\n\r".contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  /// The last component of a path.
  fileprivate var file: String {
    guard let slash = lastIndex(of: "/") else { return self }
    return String(self[index(after: slash)...])
  }

  /// A path without its last component; empty if the path has only one component.
  fileprivate var folder: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The suffix of a file name, with its dot; empty if the name has no suffix.
  fileprivate var suffix: String {
    guard let dot = lastIndex(of: "."), dot != startIndex, index(after: dot) != endIndex else { return "" }
    return String(self[dot...])
  }

  /// A file name without its suffix.
  fileprivate var base: String { String(dropLast(suffix.count)) }

  /// Returns the path of `name` inside this folder; if `name` is an absolute path, returns `name`.
  fileprivate func path(with name: String) -> String {
    if isEmpty || name.hasPrefix("/") { return name }
    return hasSuffix("/") ? self + name : "\(self)/\(name)"
  }

  /// The path without `.` and repeated slashes.
  ///
  /// If the path is absolute, `..` is also removed.
  fileprivate var standardized: String {
    var parts: [Substring] = []
    for part in split(separator: "/") where part != "." {
      if part == ".." && hasPrefix("/") { _ = parts.popLast() } else { parts.append(part) }
    }
    let text = parts.joined(separator: "/")
    return hasPrefix("/") ? "/" + text : text.isEmpty && !isEmpty ? "." : text
  }

  /// Returns the relative path that leads from `other` to this absolute path.
  fileprivate func relative(to other: String) -> String {
    let parts = relativeComponents(
      from: other.standardized.split(separator: "/").map(String.init),
      to: standardized.split(separator: "/").map(String.init))
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }
}
