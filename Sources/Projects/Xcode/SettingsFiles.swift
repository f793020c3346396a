import Findings
import Formats
import PackKit
import System

/// The .xcconfig files of a project's configurations, and those that they include.
package struct SettingsFiles {
  /// A setting by its name, including unparsed conditions, with its value.
  typealias Setting = (key: String, value: Located<String>)

  /// The project's folder and the bounds of reading; nil if no file is read.
  private let site: (folder: String, bounds: SettingsBounds)?
  /// The folder in which Xcode searches files that are not next to the including file.
  private let sourceRoot: ProjectPath
  /// The files that have been read, with the offset of their first byte.
  private var known: [ProjectPath: (file: SettingsFile, start: Int)] = [:]
  private var bytesLeft = Self.mostBytes
  private var linesLeft = Self.mostLines

  /// The largest total size of all files in bytes.
  package static let mostBytes = 4 << 20
  /// The largest number of evaluated lines; lines of a file count again for each inclusion.
  package static let mostLines = 100_000
  /// The number of lines that an inclusion counts for, since it accesses the disk.
  private static let linesOfInclusion = 100
  /// The deepest nesting of inclusions, each of which uses the stack.
  package static let deepest = 64

  /// The files of a project; `root` is the folder below which they are read, nil for the repository.
  ///
  /// - Throws: if a folder does not exist.
  init(of project: XcodeProject, in folder: String?, root: String? = nil) throws(SystemError) {
    if let folder {
      site = (folder, try SettingsBounds(project: folder, root: root))
    } else {
      site = nil
    }
    sourceRoot = project.folder
  }

  /// The settings of a file in order; none, with a finding, if it cannot be read.
  ///
  /// - Throws: if the disk fails.
  mutating func settings(
    of path: ProjectPath, for configuration: String, at offset: Int, _ findings: inout ProjectFindings
  ) throws(SystemError) -> [Setting] {
    var settings: [Setting] = []
    let what = "the configuration \(quoted(configuration)) has settings in \(quoted(path.text)), which"
    switch try load(path, &findings) {
    case .file(let file, let start): try follow(file, start, [path], &settings, &findings)
    case .missing: findings.add(.unreadSettings, "\(what) does not exist", at: offset)
    case .outside: findings.add(.unreadSettings, "\(what) \(outsideText)", at: offset)
    case .refused(let check, let reason): findings.add(check, "\(what) \(reason)", at: offset)
    }
    return settings
  }

  /// Evaluates the lines of the file at the last of the paths; the others are the including files.
  private mutating func follow(
    _ file: SettingsFile, _ start: Int, _ paths: [ProjectPath], _ settings: inout [Setting],
    _ findings: inout ProjectFindings
  ) throws(SystemError) {
    for line in file.lines {
      let offset = start + line.offset
      switch line.value {
      case .setting(let key, let value):
        guard take(1, at: offset, &findings) else { return }
        settings.append((key, Located(value, at: offset)))
      case .inclusion(let path, let isOptional):
        guard take(Self.linesOfInclusion, at: offset, &findings) else { return }
        guard let included = try find(path, isOptional, from: paths, at: offset, &findings) else { continue }
        try follow(included.file, included.start, paths + [included.path], &settings, &findings)
      }
    }
  }

  /// Subtracts lines from the limit; false, with a finding the first time, if none are left.
  private mutating func take(_ count: Int, at offset: Int, _ findings: inout ProjectFindings) -> Bool {
    guard linesLeft > 0 else { return false }
    linesLeft -= count
    if linesLeft > 0 { return true }
    let message =
      "the files of settings have more than \(grouped(Self.mostLines)) lines, each that includes a file counted as "
      + "\(Self.linesOfInclusion)"
    findings.add(.projectSyntax, message, at: offset)
    return false
  }

  /// The file that a line includes; nil if it cannot be read, with a finding if it is required.
  private mutating func find(
    _ text: String, _ isOptional: Bool, from paths: [ProjectPath], at offset: Int,
    _ findings: inout ProjectFindings
  ) throws(SystemError) -> (path: ProjectPath, file: SettingsFile, start: Int)? {
    if text.hasPrefix("<") {
      findings.add(.unreadSettings, "\(quoted(text)) lies in Xcode itself, which is not read", at: offset)
      return nil
    }
    var outside: ProjectPath?
    for path in candidates(for: text, from: paths) {
      switch try load(path, &findings) {
      case .missing: continue
      case .outside:
        outside = outside ?? path
        continue
      case .refused(let check, let reason):
        findings.add(check, "\(quoted(path.text)) \(reason)", at: offset)
      case .file where paths.contains(path):
        findings.add(
          .unreadSettings, "\(quoted(path.text)) includes itself here; the line is passed over", at: offset)
      case .file where paths.count == Self.deepest:
        findings.add(.projectSyntax, "more than \(Self.deepest) files include one another", at: offset)
      case .file(let file, let start): return (path, file, start)
      }
      return nil
    }
    if let outside {
      findings.add(.unreadSettings, "\(quoted(outside.text)) \(outsideText)", at: offset)
    } else if !isOptional {
      findings.add(.unreadSettings, "\(quoted(text)) does not exist", at: offset)
    }
    return nil
  }

  /// The paths that Xcode tries for a file: next to each of the including files, and in the project; a name
  /// without a suffix is also tried with `.xcconfig`.
  private func candidates(for text: String, from paths: [ProjectPath]) -> [ProjectPath] {
    let names = lastName(of: text).contains(".") ? [text] : [text, text + ".xcconfig"]
    return (paths.reversed().map(\.folder) + [sourceRoot]).flatMap { folder in
      names.map { folder.appending($0) }
    }
  }

  /// The message on a file outside the bounds.
  private var outsideText: String {
    "lies outside of \(quoted(site?.bounds.rootText ?? "")), below which files of settings are read; name another folder "
      + "with --root"
  }

  private enum Loaded {
    case file(SettingsFile, start: Int)
    case missing
    /// The file is outside the bounds.
    case outside
    /// The file cannot be used, with the message.
    case refused(Check, String)
  }

  private mutating func load(
    _ path: ProjectPath, _ findings: inout ProjectFindings
  ) throws(SystemError) -> Loaded {
    if let (file, start) = known[path] { return .file(file, start: start) }
    guard let (folder, bounds) = site else { return .missing }
    if path.text.hasPrefix("$") { return .refused(.unreadSettings, "has a place that only Xcode knows") }
    let place = path.text.hasPrefix("/") ? path.text : joined(folder, path.text)
    let bytes: [UInt8]
    do throws(SystemError) {
      switch try bounds.contents(of: path.text, limit: bytesLeft) {
      case .bytes(let contents): bytes = contents
      case .missing: return .missing
      case .outside: return .outside
      case .noFile: return .refused(.unreadSettings, "is no file")
      case .tooLong:
        return .refused(
          .projectSyntax, "is too long: the files of settings may have \(ByteSize.exact(Self.mostBytes))")
      }
    } catch {
      guard error.isDenied || error.isLink else { throw error }
      return .refused(.unreadSettings, "cannot be read: permission denied")
    }
    bytesLeft -= bytes.count
    if bytes.contains(0) { return .refused(.unreadSettings, "is no text") }
    let text = SourceText(path: place, bytes: bytes, endsLinesAtReturns: true)
    let file = SettingsFile(text.bytes)
    // A file without a setting may be any file, even a secret one, so no line of it is quoted.
    if !file.mistakes.isEmpty && !file.setsAnything {
      return .refused(
        .projectSyntax, "is no file of settings: it sets nothing, and some of its lines are no comment")
    }
    let start = findings.include(text)
    for mistake in file.mistakes { findings.add(.projectSyntax, mistake.value, at: start + mistake.offset) }
    known[path] = (file, start)
    return .file(file, start: start)
  }
}
