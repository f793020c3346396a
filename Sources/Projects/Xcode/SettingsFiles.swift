import Findings
import Formats
import PackKit
import System

/// The files of build settings (.xcconfig) behind a project's configurations, and those that they include.
package struct SettingsFiles {
  /// A setting by its name, with conditions behind it as they are written, and its value.
  typealias Setting = (key: String, value: Located<String>)

  /// The project's folder, with what may be read around it; nil where nothing on the disk is looked at.
  private let site: (folder: String, bounds: SettingsBounds)?
  /// Where Xcode looks for what it does not find beside the file that includes it.
  private let sourceRoot: ProjectPath
  /// What has been read, with the offset of its first byte.
  private var known: [ProjectPath: (file: SettingsFile, start: Int)] = [:]
  private var bytesLeft = Self.mostBytes
  private var linesLeft = Self.mostLines

  /// Bytes of all files.
  package static let mostBytes = 4 << 20
  /// Lines that are followed, again where a file is included again.
  package static let mostLines = 100_000
  /// Lines that an inclusion counts for, as it looks at the disk.
  private static let linesOfInclusion = 100
  /// Files that include one another; each takes a part of the stack.
  package static let deepest = 64

  /// The files of a project; `root` is the folder below which they are read, nil for that of the repository.
  ///
  /// - Throws: where a folder is not there.
  init(of project: XcodeProject, in folder: String?, root: String? = nil) throws(SystemError) {
    if let folder {
      site = (folder, try SettingsBounds(project: folder, root: root))
    } else {
      site = nil
    }
    sourceRoot = project.folder
  }

  /// The settings of a file in the order in which they are set; none, with a finding, where it cannot be read.
  ///
  /// - Throws: where the disk fails.
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

  /// Takes the lines of a file, which the last of the paths names and the others include.
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

  /// Takes off lines that are followed; false, and a finding the first time, where none are left.
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

  /// The file that a line includes; nil, with a finding where it has to be there, where it cannot be.
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

  /// Where Xcode looks for a file: beside the one that includes it, those that include that, and in the project; what has
  /// no suffix may have the usual one.
  private func candidates(for text: String, from paths: [ProjectPath]) -> [ProjectPath] {
    let names = lastName(of: text).contains(".") ? [text] : [text, text + ".xcconfig"]
    return (paths.reversed().map(\.folder) + [sourceRoot]).flatMap { folder in
      names.map { folder.appending($0) }
    }
  }

  /// What a message says of a file that lies elsewhere.
  private var outsideText: String {
    "lies outside of \(quoted(site?.bounds.rootText ?? "")), below which files of settings are read; name another folder "
      + "with --root"
  }

  private enum Loaded {
    case file(SettingsFile, start: Int)
    case missing
    /// Where no file is read.
    case outside
    /// With what a message says of it.
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
          .projectSyntax, "is too long: the files of settings may have \(grouped(Self.mostBytes)) bytes")
      }
    } catch {
      guard error.isDenied || error.isLink else { throw error }
      return .refused(.unreadSettings, "may not be read")
    }
    bytesLeft -= bytes.count
    if bytes.contains(0) { return .refused(.unreadSettings, "is no text") }
    let text = SourceText(path: place, bytes: bytes, endsLinesAtReturns: true)
    let file = SettingsFile(text.bytes)
    // What sets nothing may be any file, a secret one too: no line of it is quoted.
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
