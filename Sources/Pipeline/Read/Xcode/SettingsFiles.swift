import Formats
import Model
import System

/// The .xcconfig files of a project's configurations, and the files that they include.
package struct SettingsFiles {
  /// A setting, as a line of a file contains it.
  struct Setting {
    /// The name of the setting, including conditions that are not parsed yet.
    let key: String
    let value: Located<String>
  }

  /// A file that a line includes.
  private struct IncludedFile {
    let path: ProjectPath
    let file: SettingsFile
    /// The offset of the file's first byte in the combined text that findings refer to.
    let start: Int
  }

  /// The project's folder, and the bounds within which files are read; nil if no files are read.
  private let site: (folder: String, bounds: ProjectBounds)?
  private let findings: ProjectFindings
  /// The folder in which Xcode looks for files that are not next to the including file.
  private let sourceRoot: ProjectPath
  /// The files that have been read, each with the offset of its first byte.
  private var known: [ProjectPath: (file: SettingsFile, start: Int)] = [:]
  private var bytesLeft = Self.maxBytes
  private var linesLeft = Self.maxLines

  /// The maximum total size of all files in bytes.
  package static let maxBytes = 4 << 20
  /// The maximum number of evaluated lines.
  ///
  /// The lines of a file are counted each time the file is included.
  package static let maxLines = 100_000
  /// The number of lines that one inclusion counts for.
  ///
  /// An inclusion counts for many lines because it accesses the disk.
  private static let linesOfInclusion = 100
  /// The maximum depth to which inclusions can be nested.
  ///
  /// There is a maximum because each level uses memory on the stack.
  package static let deepest = 64

  /// Prepares to read the files of a project.
  ///
  /// Files are read only below `root`, or in the repository if `root` is nil.
  init(of project: XcodeProject, in folder: String?, root: String? = nil) throws(SystemError) {
    site =
      if let folder { (folder, try ProjectBounds(projectFolder: folder, requestedRoot: root)) } else { nil }
    findings = project.findings
    sourceRoot = project.folder
  }

  /// Returns the settings of a file, in the order of the file.
  ///
  /// If the file cannot be read, reports a finding and returns an empty list.
  mutating func settings(
    of path: ProjectPath, for configuration: String, at offset: Int
  ) throws(SystemError) -> [Setting] {
    var settings: [Setting] = []
    let what = "the configuration \(quoted(configuration)) has settings in \(quoted(path.text)), which"
    switch try load(path) {
    case .file(let file, let start): try follow(file, start: start, paths: [path], settings: &settings)
    case .missing: findings.add(.unreadSettings, message: "\(what) does not exist", at: offset)
    case .outside: findings.add(.unreadSettings, message: "\(what) \(outsideText)", at: offset)
    case .refused(let check, let reason): findings.add(check, message: "\(what) \(reason)", at: offset)
    }
    return settings
  }

  /// Evaluates the lines of the file at the last path in a list; the other paths are the files that include
  /// it.
  private mutating func follow(
    _ file: SettingsFile, start: Int, paths: [ProjectPath], settings: inout [Setting]
  ) throws(SystemError) {
    for line in file.lines {
      let offset = start + line.offset
      switch line.value {
      case .setting(let key, let value):
        guard spendLines(1, at: offset) else { return }
        settings.append(Setting(key: key, value: Located(value, at: offset)))
      case .inclusion(let path, let isOptional):
        guard spendLines(Self.linesOfInclusion, at: offset) else { return }
        guard let included = try findFile(path, isOptional: isOptional, includedFrom: paths, at: offset)
        else { continue }
        try follow(included.file, start: included.start, paths: paths + [included.path], settings: &settings)
      }
    }
  }

  /// Subtracts lines from the number of lines that may still be evaluated.
  ///
  /// Returns false if no lines are left. The first time, it also reports a finding.
  private mutating func spendLines(_ count: Int, at offset: Int) -> Bool {
    guard linesLeft > 0 else { return false }
    linesLeft -= count
    if linesLeft > 0 { return true }
    let message =
      "the settings files have more than \(grouped(Self.maxLines)) lines, counting each line that includes a "
      + "file as \(Self.linesOfInclusion)"
    findings.add(.projectSyntax, message: message, at: offset)
    return false
  }

  /// Finds the file that a line includes.
  ///
  /// Returns nil if the file cannot be read. If the file is required, the function also reports a finding.
  private mutating func findFile(
    _ text: String, isOptional: Bool, includedFrom paths: [ProjectPath], at offset: Int
  ) throws(SystemError) -> IncludedFile? {
    if text.hasPrefix("<") {
      findings.add(
        .unreadSettings,
        message: "the included file \(quoted(text)) is part of Xcode, and packtool does not read it",
        at: offset)
      return nil
    }
    var outside: ProjectPath?
    for path in candidates(for: text, includedFrom: paths) {
      switch try load(path) {
      case .missing: continue
      case .outside:
        outside = outside ?? path
        continue
      case .refused(let check, let reason):
        findings.add(check, message: "the included file \(quoted(path.text)) \(reason)", at: offset)
      case .file where paths.contains(path):
        findings.add(
          .unreadSettings, message: "\(quoted(path.text)) includes itself here; packtool ignores the line",
          at: offset)
      case .file where paths.count == Self.deepest:
        findings.add(
          .projectSyntax, message: "more than \(Self.deepest) files include one another", at: offset)
      case .file(let file, let start): return IncludedFile(path: path, file: file, start: start)
      }
      return nil
    }
    if let outside {
      findings.add(
        .unreadSettings, message: "the included file \(quoted(outside.text)) \(outsideText)", at: offset)
    } else if !isOptional {
      findings.add(.unreadSettings, message: "the included file \(quoted(text)) does not exist", at: offset)
    }
    return nil
  }

  /// Returns the paths that Xcode tries for a file: next to each of the including files, and in the project's
  /// folder.
  ///
  /// If a name has no suffix, the name with `.xcconfig` is also tried.
  private func candidates(for text: String, includedFrom paths: [ProjectPath]) -> [ProjectPath] {
    let names = lastName(of: text).contains(".") ? [text] : [text, text + ".xcconfig"]
    return (paths.reversed().map(\.folder) + [sourceRoot]).flatMap { folder in
      names.map { folder.appending($0) }
    }
  }

  private var outsideText: String {
    "is outside \(quoted(site?.bounds.rootText ?? "")), so packtool does not read it; to read it, pass "
      + "another folder with --root"
  }

  private enum Loaded {
    case file(SettingsFile, start: Int)
    case missing
    case outside
    /// The file cannot be used.
    ///
    /// The associated string is the message about the file.
    case refused(Check, String)
  }

  private mutating func load(_ path: ProjectPath) throws(SystemError) -> Loaded {
    if let (file, start) = known[path] { return .file(file, start: start) }
    guard let (folder, bounds) = site else { return .missing }
    if path.text.hasPrefix("$") { return .refused(.unreadSettings, "is in a folder that only Xcode knows") }
    let filePath = path.text.hasPrefix("/") ? path.text : joined(folder, path.text)
    let bytes: [UInt8]
    do throws(SystemError) {
      switch try bounds.contents(of: path.text, limit: bytesLeft) {
      case .bytes(let contents): bytes = contents
      case .missing: return .missing
      case nil: return .outside
      case .noFile: return .refused(.unreadSettings, "is not a file")
      case .tooLong:
        return .refused(
          .projectSyntax,
          "is too long; all settings files together can have at most \(ByteSize.exact(Self.maxBytes))")
      }
    } catch {
      guard error.isDenied || error.isLink else { throw error }
      return .refused(.unreadSettings, "cannot be read: permission denied")
    }
    bytesLeft -= bytes.count
    if bytes.contains(0) { return .refused(.unreadSettings, "is not a text file") }
    let text = SourceText(path: filePath, bytes: bytes, lineEnds: .newlinesAndReturns)
    let file = SettingsFile(text.bytes)
    // A file without any setting could be any file, even a secret file, so messages do not quote its lines.
    if !file.mistakes.isEmpty && !file.setsAnything {
      return .refused(
        .projectSyntax, "is not a settings file: it contains no settings, but lines that are not comments")
    }
    let start = findings.text.append(text)
    for mistake in file.mistakes {
      findings.add(.projectSyntax, message: mistake.value, at: start + mistake.offset)
    }
    known[path] = (file, start)
    return .file(file, start: start)
  }
}

/// A file of build settings (.xcconfig): assignments, and inclusions of other files.
///
/// The syntax is the syntax of Apple's swift-build: `//` begins a comment even within a value. At the end of
/// a line, a semicolon is ignored, and a backslash continues the value on the next line.
struct SettingsFile {
  enum Line {
    /// A setting.
    ///
    /// The key is its name, including unparsed conditions.
    case setting(key: String, value: String)
    case inclusion(path: String, isOptional: Bool)
  }

  private(set) var lines: [Located<Line>] = []
  private(set) var mistakes: [Located<String>] = []

  private(set) var setsAnything = false

  /// The maximum number of reported mistakes.
  ///
  /// The number is limited because nearly every line is a mistake if the file is not a settings file.
  private static let maxMistakes = 20

  init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty && mistakes.count < Self.maxMistakes {
      let line = Self.readLine(from: &rest)
      guard let first = line.first, !line.startsComment else { continue }
      if first == UInt8(ascii: "#") {
        readInclusion(line)
      } else if first.isInName && !first.isDigit {
        readSetting(line, rest: &rest)
      } else {
        add("a line must begin with a setting's name, with \"#include\" or with \"//\"", at: line)
      }
    }
  }

  /// Reads `#include "path"` or `#include? "path"`.
  private mutating func readInclusion(_ line: ArraySlice<UInt8>) {
    let words = line.dropFirst().trimmed
    let name = words.prefix { !$0.isSpace && $0 != UInt8(ascii: "\"") }
    guard name.elementsEqual("include".utf8) || name.elementsEqual("include?".utf8) else {
      return add(
        "\(quoted("#" + text(name))) is not a directive; the directives are \"#include\" and \"#include?\"",
        at: line)
    }
    let quotation = words.dropFirst(name.count).trimmed
    let path = quotation.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
    guard quotation.first == UInt8(ascii: "\""), path.endIndex < quotation.endIndex, !path.isEmpty else {
      return add("\(quoted("#" + text(name))) needs a path between quotation marks", at: line)
    }
    let behind = quotation[path.endIndex...].dropFirst().trimmed
    if !behind.isEmpty && !behind.startsComment {
      return add("there is more text after the path of \(quoted("#" + text(name)))", at: behind)
    }
    let isOptional = name.last == UInt8(ascii: "?")
    lines.append(Located(.inclusion(path: text(path), isOptional: isOptional), at: line.startIndex))
  }

  /// Reads `NAME = value` or `NAME[sdk=…][arch=…] = value` with its continuation lines.
  private mutating func readSetting(_ line: ArraySlice<UInt8>, rest: inout ArraySlice<UInt8>) {
    let name = line.prefix(while: \.isInName)
    var key = text(name)
    var left = line.dropFirst(name.count).trimmed
    while left.first == UInt8(ascii: "[") {
      let condition = left.prefix { $0 != UInt8(ascii: "]") }
      guard condition.endIndex < left.endIndex, condition.contains(UInt8(ascii: "=")) else {
        return add("the condition of \(quoted(key)) does not have the form [sdk=…]", at: left)
      }
      key += text(condition) + "]"
      left = left[condition.endIndex...].dropFirst().trimmed
    }
    guard left.first == UInt8(ascii: "=") else {
      return add("expected \"=\" after the name \(quoted(key))", at: line)
    }
    var value = left.dropFirst().settingValue
    var parts: [String] = []
    while value.last == UInt8(ascii: "\\") {
      parts.append(text(value.dropLast().trimmed))
      value = Self.readLine(from: &rest).settingValue
    }
    parts.append(text(value))
    let whole = parts.filter { !$0.isEmpty }.joined(separator: " ")
    lines.append(Located(.setting(key: key, value: whole), at: line.startIndex))
    setsAnything = true
  }

  private static func readLine(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
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

  fileprivate var isInName: Bool { isLetterOrDigit || self == UInt8(ascii: "_") }
}

extension ArraySlice<UInt8> {
  fileprivate var trimmed: Self {
    let begun = drop(while: \.isSpace)
    return begun[..<(begun.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? begun.startIndex)]
  }

  fileprivate var startsComment: Bool { starts(with: "//".utf8) }

  /// The value in a line, without the comment and without the trailing semicolon.
  fileprivate var settingValue: Self {
    let comment = indices.first { self[$0...].startsComment }
    let value = self[..<(comment ?? endIndex)].trimmed
    return value.last == UInt8(ascii: ";") ? value.dropLast().trimmed : value
  }
}
