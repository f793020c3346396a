import Findings
import Formats

/// A file of build settings (.xcconfig): assignments and inclusions of other files.
///
/// Read as by Apple's swift-build: `//` begins a comment even within a value, a semicolon at the end of a line is
/// ignored, and a backslash there continues the value in the next line.
struct SettingsFile {
  enum Line {
    /// A setting by its name, including unparsed conditions.
    case setting(key: String, value: String)
    case inclusion(path: String, isOptional: Bool)
  }

  /// The lines with their offsets.
  private(set) var lines: [Located<Line>] = []
  private(set) var mistakes: [Located<String>] = []

  var setsAnything: Bool {
    lines.contains { line in
      if case .setting = line.value { true } else { false }
    }
  }

  /// The largest number of reported mistakes, since a file of another kind has one in each line.
  private static let mostMistakes = 20

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty && mistakes.count < Self.mostMistakes {
      let line = Self.takeLine(from: &rest)
      guard let first = line.first, !line.startsComment else { continue }
      if first == UInt8(ascii: "#") {
        readInclusion(line)
      } else if first.isInName && !first.isDigit {
        readSetting(line, &rest)
      } else {
        add("a line begins with a setting's name, with \"#include\" or with \"//\"", at: line)
      }
    }
  }

  /// Reads `#include "path"` or `#include? "path"`.
  private mutating func readInclusion(_ line: ArraySlice<UInt8>) {
    let words = line.dropFirst().trimmed
    let name = words.prefix { !$0.isSpace && $0 != UInt8(ascii: "\"") }
    guard name.elementsEqual("include".utf8) || name.elementsEqual("include?".utf8) else {
      return add(
        "\(quoted("#" + text(name))) is no directive; only \"#include\" and \"#include?\" are", at: line)
    }
    let quotation = words.dropFirst(name.count).trimmed
    let path = quotation.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
    guard quotation.first == UInt8(ascii: "\""), path.endIndex < quotation.endIndex, !path.isEmpty else {
      return add("\(quoted("#" + text(name))) needs a path between quotation marks", at: line)
    }
    let behind = quotation[path.endIndex...].dropFirst().trimmed
    if !behind.isEmpty && !behind.startsComment {
      return add("nothing may stand behind the path of \(quoted("#" + text(name)))", at: behind)
    }
    let isOptional = name.last == UInt8(ascii: "?")
    lines.append(Located(.inclusion(path: text(path), isOptional: isOptional), at: line.startIndex))
  }

  /// Reads `NAME = value` or `NAME[sdk=…][arch=…] = value` with its continuation lines.
  private mutating func readSetting(_ line: ArraySlice<UInt8>, _ rest: inout ArraySlice<UInt8>) {
    let name = line.prefix(while: \.isInName)
    var key = text(name)
    var left = line.dropFirst(name.count).trimmed
    while left.first == UInt8(ascii: "[") {
      let condition = left.prefix { $0 != UInt8(ascii: "]") }
      guard condition.endIndex < left.endIndex, condition.contains(UInt8(ascii: "=")) else {
        return add("the condition of \(quoted(key)) is not of the form [sdk=…]", at: left)
      }
      key += text(condition) + "]"
      left = left[condition.endIndex...].dropFirst().trimmed
    }
    guard left.first == UInt8(ascii: "=") else {
      return add("\(quoted(key)) has no \"=\" behind it", at: line)
    }
    var value = left.dropFirst().settingValue
    var parts: [String] = []
    while value.last == UInt8(ascii: "\\") {
      parts.append(text(value.dropLast().trimmed))
      value = Self.takeLine(from: &rest).settingValue
    }
    parts.append(text(value))
    let whole = parts.filter { !$0.isEmpty }.joined(separator: " ")
    lines.append(Located(.setting(key: key, value: whole), at: line.startIndex))
  }

  private static func takeLine(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    rest = rest[line.endIndex...]
    rest = rest.dropFirst(rest.starts(with: "\r\n".utf8) ? 2 : 1)
    return line.trimmed
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private mutating func add(_ mistake: String, at bytes: ArraySlice<UInt8>) {
    mistakes.append(Located(mistake, at: bytes.startIndex))
  }
}

extension UInt8 {
  fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || (9...13).contains(self) }

  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// Whether it is an ASCII letter, a digit or an underscore.
  fileprivate var isInName: Bool {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"): true
    default: isDigit
    }
  }
}

extension ArraySlice<UInt8> {
  /// Without leading and trailing white space.
  fileprivate var trimmed: Self {
    let begun = drop(while: \.isSpace)
    return begun[..<(begun.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? begun.startIndex)]
  }

  fileprivate var startsComment: Bool { starts(with: "//".utf8) }

  /// The value in a line, without a comment and a trailing semicolon.
  fileprivate var settingValue: Self {
    let comment = indices.first { self[$0...].startsComment }
    let value = self[..<(comment ?? endIndex)].trimmed
    return value.last == UInt8(ascii: ";") ? value.dropLast().trimmed : value
  }
}
