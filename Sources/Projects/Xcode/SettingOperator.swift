import Findings
import System

/// An operator behind the name of a setting in a reference, such as `:lower` or `:suffix=.txt`.
struct SettingOperator {
  private let name: String
  /// What stands behind the equal sign; nil without one.
  private let replacement: String?

  init(_ name: String, _ replacement: String?) {
    self.name = name
    self.replacement = replacement
  }

  /// Whether it gives a value to a setting that has none.
  var isDefault: Bool { name == "default" && replacement != nil }

  /// The result for a value; an unknown operator leaves it as it is.
  func apply(to value: String) -> String {
    if let replacement { return replace(value, by: replacement) }
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

  private func replace(_ value: String, by text: String) -> String {
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
        && (value.standardized + "/").hasPrefix(text.standardized + "/")
        ? "YES" : "NO"
    default: return value
    }
  }
}

extension String {
  /// A C identifier (mark `_`) or a name by RFC 1034 (mark `-`): ASCII letters, digits but in front, and the mark.
  ///
  /// Accents are separate characters before that, each of which the mark replaces with its letter.
  fileprivate func identifier(mark: Character) -> String {
    var result = ""
    for character in self {
      let isLetter = character.isASCII && character.isLetter
      let isDigit = character.isASCII && character.isNumber && !result.isEmpty
      result.append(isLetter || isDigit || character == mark ? character : mark)
    }
    return result
  }

  /// A C identifier in which letters of other scripts stay.
  fileprivate var extendedIdentifier: String {
    var result = ""
    for scalar in unicodeScalars {
      let properties = scalar.properties
      let isLeadingDigit = result.isEmpty && properties.generalCategory == .decimalNumber
      let isPart =
        scalar == "_" || properties.isXIDContinue && (!scalar.isASCII || scalar.value < 0x7b)
      result.unicodeScalars.append(isPart && !isLeadingDigit ? scalar : "_")
    }
    return result
  }

  /// The text with a backslash before each character that is none of a plain word's.
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

  /// A path without its last component; empty if it has only one.
  fileprivate var folder: String {
    guard let slash = lastIndex(of: "/") else { return "" }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// A file name's suffix with its dot; empty without one.
  fileprivate var suffix: String {
    guard let dot = lastIndex(of: "."), dot != startIndex, index(after: dot) != endIndex else { return "" }
    return String(self[dot...])
  }

  /// A file name without its suffix.
  fileprivate var base: String { String(dropLast(suffix.count)) }

  /// A path below this folder; an absolute one replaces it.
  fileprivate func path(with name: String) -> String {
    if isEmpty || name.hasPrefix("/") { return name }
    return hasSuffix("/") ? self + name : "\(self)/\(name)"
  }

  /// A path without `.`, repeated slashes and, if it is absolute, `..`.
  fileprivate var standardized: String {
    var parts: [Substring] = []
    for part in split(separator: "/") where part != "." {
      if part == ".." && hasPrefix("/") { _ = parts.popLast() } else { parts.append(part) }
    }
    let text = parts.joined(separator: "/")
    return hasPrefix("/") ? "/" + text : text.isEmpty && !isEmpty ? "." : text
  }

  /// The way to this absolute path from another.
  fileprivate func relative(to other: String) -> String {
    let from = other.standardized.split(separator: "/")
    let to = standardized.split(separator: "/")
    let shared = zip(from, to).prefix { $0 == $1 }.count
    let parts = Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared).map(String.init)
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }
}
