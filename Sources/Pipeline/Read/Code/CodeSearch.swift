package import Formats
import Model
package import System

/// Compares the tags that an app's code requests with the tags of a plan.
package struct CodeSearch {
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  /// The files that have findings.
  ///
  /// Messages quote lines from these files.
  package private(set) var texts: [SourceText] = []

  /// The maximum size in bytes of a file that is searched.
  package static let maxFileSize = 4 << 20

  private let plan: PackPlan
  private let pattern: RegularExpression?
  private let tags: Set<String>
  private var used: Set<String> = []
  /// The tags that occur as strings anywhere in the code.
  private var mentioned: Set<String> = []
  /// The beginnings and the ends of strings whose other parts the code adds at run time.
  private var fronts: Set<String> = []
  private var backs: Set<String> = []
  /// The places of requests whose tags the code makes at run time.
  private var computed: [Place] = []
  private var guesses = Guesses()
  /// The number of files that were searched.
  private var fileCount = 0
  /// The number of code files in languages that are not searched, by file name extension.
  private var passedOver: [String: Int] = [:]

  /// Searches the code below folders.
  ///
  /// If there is a pattern, it searches all text files for matches of the pattern instead.
  package init(for plan: PackPlan, in folders: [String], pattern: RegularExpression?) throws(SystemError) {
    self.plan = plan
    self.pattern = pattern
    // A rule that matches nothing already has a finding, so its tags also count as known tags.
    tags = Set(plan.tags.map(\.name)).union(plan.manifest.tagUses.keys)
    for folder in folders { try search(folder) }
    if findings.findings.hasErrors && fileCount == 0 { return }
    reportSkippedFiles(in: folders)
    if fileCount > 0 { reportUnused(in: folders) }
  }

  /// Reports code that was not searched, and folders in which no code was searched.
  private mutating func reportSkippedFiles(in folders: [String]) {
    let place = Place(folders.first ?? ".")
    let languages = listed(CodeLanguage.allCases.map { ".\($0.rawValue)" })
    let hint =
      "pass the pattern of a request with \"--sources-pattern\" to search all text files"
    let endings = passedOver.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let others = endings.map { "\(grouped($0.value)) \(quoted(".\($0.key)"))" }.joined(separator: ", ")
    if fileCount == 0 {
      let found = endings.isEmpty ? "" : " (others: \(others))"
      let message =
        "there are no source files below \(listed(folders, atMost: 3))\(found); packtool searches files that "
        + "end in \(languages); name the folder of the app's code, or \(hint)"
      findings.add(Diagnostic(.unreadSource, message: message, at: place))
    } else if !endings.isEmpty {
      let message = "packtool did not search code files in other languages for tags: \(others); \(hint)"
      findings.add(Diagnostic(.unreadSource, message: message, at: place, severity: .note))
    }
  }

  private mutating func search(_ folder: String) throws(SystemError) {
    guard try FileOperations.statusIfThere(folder)?.kind == .folder else {
      findings.add(
        Diagnostic(
          .unreadSource, message: "\(quoted(folder)) is not a folder", at: Place(folder), severity: .error))
      return
    }
    let root = try Folder(folder)
    var walk = FolderWalk(root, symlinks: RunScope.current.symlinks)
    var paths: [[UInt8]] = []
    while let entry = try walk.next() {
      let name = lastName(of: String(decoding: entry.path, as: UTF8.self))
      if entry.status.kind == .folder {
        // The code in these folders belongs to other projects, or tools have generated it.
        if name.hasPrefix(".") || ["node_modules", "DerivedData"].contains(name) { walk.skipContents() }
      } else if entry.status.kind == .file {
        if pattern != nil || CodeLanguage(ofFile: name) != nil {
          paths.append(entry.path)
        } else if let ending = OtherLanguage.ending(ofFile: name) {
          passedOver[ending, default: 0] += 1
        }
      }
    }
    fileCount += paths.count
    for path in paths.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      try search(path, root: root, folder: folder)
    }
  }

  private mutating func search(_ path: [UInt8], root: Folder, folder: String) throws(SystemError) {
    let shown = joined(trimmed(folder), String(decoding: path, as: UTF8.self))
    let bytes: [UInt8]
    do throws(SystemError) {
      guard let whole = try root.openFile(path).contents(limit: Self.maxFileSize) else {
        if pattern == nil {
          report(
            .unreadSource,
            reason: "is not searched, because it is larger than \(grouped(Self.maxFileSize)) bytes", at: shown
          )
        }
        return
      }
      bytes = whole
    } catch {
      if error.isInterruption { throw error }
      return report(.unreadSource, reason: "cannot be read: \(error.reason)", at: shown)
    }
    // A file with a zero byte is not a text file.
    if bytes.prefix(8192).contains(0) { return }
    search(SourceText(path: shown, bytes: bytes))
  }

  private mutating func report(_ check: Check, reason: String, at path: String) {
    findings.add(Diagnostic(check, message: "\(quoted(path)) \(reason)", at: Place(path)))
  }

  private mutating func search(_ text: SourceText) {
    if let pattern { return add(pattern.tags(in: text), from: text) }
    guard let language = CodeLanguage(ofFile: text.path) else { return }
    let code = CodeTokens(text, language: language)
    let requests = TagRequests(in: code)
    add(requests.tags, from: text)
    add(requests.named, from: text, as: .mention)
    used.formUnion(requests.possible.filter(tags.contains))
    computed += requests.computed.map { text.place(at: $0) }
    // A JSON file is not searched. For example, a manifest contains every tag, but does not request any tag.
    if language == .json { return }
    for token in code.tokens {
      if token.kind == .string {
        let value = code.string(token)
        if tags.contains(value) { mentioned.insert(value) }
      } else if token.kind == .template {
        let (front, back) = code.ends(ofTemplate: token)
        if front.isEmpty { backs.insert(back) } else { fronts.insert(front) }
      }
    }
  }

  /// The way in which code uses a tag.
  private enum TagUse {
    case request
    case mention
  }

  private mutating func add(
    _ requests: [Located<String>], from text: SourceText, as use: TagUse = .request
  ) {
    var isQuoted = false
    for tag in requests {
      if tags.contains(tag.value) {
        if use == .request { used.insert(tag.value) }
        continue
      }
      let guess = suggestion(guesses.nearest(to: tag.value, in: tags)?.name)
      let verb = use == .request ? "requests" : "names"
      let message = "the code \(verb) the tag \(quoted(tag.value)), which no file has\(guess)"
      findings.add(Diagnostic(.unknownTagInCode, message: message, at: text.place(at: tag.offset)))
      isQuoted = true
    }
    if isQuoted, texts.last?.path != text.path { texts.append(text) }
  }

  /// Reports tags that no code requests.
  ///
  /// If code makes tags at run time, the function reports a tag only if no string in the code contains it.
  private mutating func reportUnused(in folders: [String]) {
    let known = computed.isEmpty ? used : used.union(mentioned)
    let notes = computed.first.map { place in
      Diagnostic.AttachedLine(
        "\(counted(computed.count, of: "request")) \(computed.count == 1 ? "makes its" : "make their") tags "
          + "at run time, and no string in the code is equal to this tag; the first such request is here",
        at: place)
    }
    for tag in plan.tags where !known.contains(tag.name) {
      if !computed.isEmpty && isMade(tag.name) { continue }
      let message = "no code below \(listed(folders, atMost: 3)) requests the tag \(quoted(tag.name))"
      findings.add(
        Diagnostic(
          .unusedTag, message: message, at: plan.place(ofTags: [tag.name]), notes: notes.map { [$0] } ?? []))
    }
  }

  /// Whether code might make this tag at run time by completing one of its strings.
  private func isMade(_ tag: String) -> Bool {
    tag.indices.contains { fronts.contains(String(tag[...$0])) || backs.contains(String(tag[$0...])) }
  }
}

/// Languages whose code is searched only with a pattern.
private enum OtherLanguage {
  private static let endings: Set<String> = [
    "c", "cc", "cpp", "cxx", "hpp", "hxx", "java", "js", "mjs", "ts", "tsx", "jsx", "py", "rs", "go", "dart",
    "rb", "fs",
    "vb", "hx", "nut", "wren", "zig", "ink", "rpy", "kts", "php", "vala", "odin", "jai", "ml", "clj", "scala",
  ]

  /// Returns the file name extension of a file with such code; nil for other files.
  static func ending(ofFile name: String) -> String? {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = String(name[name.index(after: dot)...])
    return endings.contains(ending) ? ending : nil
  }
}

extension RegularExpression {
  private static let maxLineSize = 1 << 14

  /// Returns the tags that the pattern finds in a file, with their offsets.
  fileprivate func tags(in text: SourceText) -> [Located<String>] {
    var tags: [Located<String>] = []
    var start = 0
    for bytes in text.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      defer { start += bytes.count + 1 }
      guard bytes.count <= Self.maxLineSize, let line = String(validating: bytes, as: UTF8.self) else {
        continue
      }
      for range in matches(in: line) {
        let tag = bytes.dropFirst(range.lowerBound).prefix(range.count)
        tags.append(Located(String(decoding: tag, as: UTF8.self), at: start + range.lowerBound))
      }
    }
    return tags
  }
}
