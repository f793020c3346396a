package import Formats
package import System

/// The share of a release that a manifest describes.
package enum ManifestScope: Sendable {
  /// All packs of the release.
  case release
  /// The files of one pack or of several packs; other manifests describe the other packs.
  case packs
  /// The lists of tags, the limits and the severities, for packs that other manifests describe.
  case settings
}

/// Reads a manifest and reports every mistake in its text.
package struct ManifestReader {
  /// The manifest, without the values that could not be read; nil if the text is not a JSON object.
  package private(set) var manifest: Manifest?
  package var diagnostics: [Diagnostic] { findings.findings }
  var findings = FindingList()
  /// The text that was read; nil if the file does not exist.
  package private(set) var text: SourceText?
  /// The JSON value of the text, of any type; nil if the text is not JSON.
  package private(set) var value: JSONValue?

  /// The maximum size of a manifest in bytes.
  package static let maxManifestSize = 256 << 20

  /// Reads the manifest at the path in an argument: a file, or the folder that contains it.
  ///
  /// If the manifest does not exist, the function calls `guess`, which returns the path that the user
  /// probably intended.
  package init(
    argument: String, scope: ManifestScope = .release, guess: (String) -> String? = { _ in nil }
  ) throws(SystemError) {
    let path = try Self.manifestPath(for: argument)
    if let other = try Self.second(nextTo: path, for: argument) {
      let message = "\(quoted(other)) also exists; keep one of the two manifests, or name the manifest file"
      self.init(mistake: .twoManifests, message: message, path: path)
      return
    }
    let contents: FileContents
    do throws(SystemError) {
      contents = try FileContents(of: path, limit: Self.maxManifestSize)
    } catch {
      guard let refusal = error.refused else { throw error }
      self.init(mistake: .linkEscapesCheckout, message: refusal, path: path)
      return
    }
    switch contents {
    case .bytes(let bytes):
      let text = SourceText(path: path, bytes: bytes)
      guard let other = OtherFormat(of: text) else {
        self.init(text: text, scope: scope)
        return
      }
      let hint =
        other.isText
        ? "a manifest is JSON, and \"packtool schema\" describes its keys"
        : guess(argument) ?? "name Manifest.json or its folder"
      let message = "this file is \(other.words), not a manifest; \(hint)"
      self.init(mistake: .jsonSyntax, message: message, path: path)
    case .missing where isWebAddress(argument):
      let message = "\(quoted(argument)) is not a local file; download the manifest and its files"
      self.init(mistake: .missingManifest, message: message, path: path)
    case .missing:
      let known = Self.knownHint(for: argument, guess: guess)
      let hint = known ?? "name a manifest or its folder, or make a manifest with \"packtool init FOLDER\""
      self.init(
        mistake: .missingManifest, message: "\(quoted(path)) does not exist; \(hint)", path: path,
        notes: known == nil ? Self.helpWithFolder(of: path) + Self.helpToMakeManifest : [])
    case .noFile:
      let message =
        "\(quoted(path)) is not a regular file; a manifest must be a file, because its paths are relative to "
        + "its folder"
      self.init(mistake: .missingManifest, message: message, path: path)
    case .tooLong:
      let message = "the manifest is longer than \(ByteSize.exact(Self.maxManifestSize))"
      self.init(mistake: .jsonSyntax, message: message, path: path)
    }
  }

  private static func knownHint(for argument: String, guess: (String) -> String?) -> String? {
    if argument == "-" { return "a manifest must be a file, because its paths are relative to its folder" }
    return guess(argument)
  }

  /// A line about the folder in which packtool looked for a relative path.
  private static func helpWithFolder(of path: String) -> [Diagnostic.AttachedLine] {
    guard !path.hasPrefix("/"), let folder = try? FileOperations.realPath(of: ".") else { return [] }
    return [
      .help(
        "packtool looked in the current folder \(quoted(bytes: folder)); \"packtool -C DIR build\" builds in "
          + "another folder")
    ]
  }

  private static let helpToMakeManifest: [Diagnostic.AttachedLine] = [
    .help("\"packtool import App.xcodeproj -o Manifest.json\" makes a manifest from an Xcode project"),
    .help("\"packtool schema\" describes the keys of a manifest"),
  ]

  private init(
    mistake check: Check, message: String, path: String, notes: [Diagnostic.AttachedLine] = []
  ) {
    findings.add(Diagnostic(check, message: message, at: Place(path), notes: notes))
  }

  /// Reads a manifest from its text.
  package init(text: SourceText, scope: ManifestScope = .release) {
    self.text = text
    let (value, mistakes) = JSONReader.read(text)
    findings.add(mistakes)
    self.value = value
    guard let value else { return }
    if let message = Self.message(onOtherFile: value, at: text.path) {
      findings.add(Diagnostic(.invalidValue, message: message, at: Place(text.path)))
      return
    }
    var checker = ShapeChecker(text: text)
    if case .string(let root)? = value.member("root")?.content {
      checker.rootPath = joined(folderPath(of: text.path), root)
    }
    checker.check(value, shape: Manifest.shape(for: scope), key: "")
    findings.add(checker.findings)
    guard case .object = value.content else { return }
    var manifest = Manifest(text: text, folder: folderPath(of: text.path))
    manifest.scope = scope
    ManifestValueReader(from: checker).read(value, into: &manifest, by: Manifest.keys)
    // If the root could not be read, every rule would seem to match nothing.
    if checker.meantKeys.contains("root") { manifest.isRootUnknown = true }
    // If the paths of all rules are in ascending byte order, no rule is repeated.
    let areAscending = checker.rows[manifest.rulesOffset]?.areAscending(by: ResourceRule.pathColumn) ?? false
    checkRules(of: manifest, comparing: areAscending ? nil : SeenPatterns())
    checkTemplates(of: &manifest)
    checkLists(of: &manifest, againstRulesIn: value)
    checkTags(of: manifest)
    checkForms(of: manifest)
    checkSeverities(of: manifest, in: value)
    if scope == .settings { manifest.useListsForPlacesOfTags() }
    checkLayout(of: manifest, in: value)
    self.manifest = manifest
  }

  /// Returns the message about a JSON file that is certainly not a manifest; nil for any other file.
  private static func message(onOtherFile value: JSONValue, at path: String) -> String? {
    if value.member("resources") != nil
      || value.member("bundleIdentifier") != nil && value.member("packs") == nil
    {
      return nil
    }
    if value.hasMembers(["assetPackID", "fileSelectors"]) {
      let command = ShellText.words(["packtool", "import", path, "-o", "New.json"]).text
      return
        "this file is a manifest for Apple's Background Assets; make a manifest for packtool from it with "
        + quoted(command)
    }
    guard let kind = RecognizedFileKind(value: value), kind != .manifest else { return nil }
    return "this file is \(kind.words), not a manifest; name Manifest.json or its folder"
  }

  /// Returns the path of the manifest for an argument.
  package static func manifestPath(for argument: String) throws(SystemError) -> String {
    guard try FileOperations.statusIfThere(argument)?.kind == .folder else { return argument }
    let paths = [Manifest.fileName, Manifest.fileNameWithComments].map { joined(shortened(argument), $0) }
    if try FileOperations.exists(paths[0]) { return paths[0] }
    return try FileOperations.exists(paths[1]) ? paths[1] : paths[0]
  }

  /// Returns the name of the second manifest if a folder contains two manifests; nil if the argument is not a
  /// folder or contains only one manifest.
  private static func second(nextTo path: String, for argument: String) throws(SystemError) -> String? {
    let other = joined(folderPath(of: path), Manifest.fileNameWithComments)
    guard path != argument, path != other, try FileOperations.exists(path), try FileOperations.exists(other)
    else { return nil }
    return Manifest.fileNameWithComments
  }

  /// Reports repeated tags within rules, and repeated rules.
  ///
  /// Pass nil as `patterns` if all rules are known to be different.
  private mutating func checkRules(of manifest: Manifest, comparing patterns: SeenPatterns?) {
    var patterns = patterns
    for number in manifest.rules.indices {
      if manifest.rules[number].tags.count > 1 { reportRepeated(manifest.rules[number].tags, in: manifest) }
      if let earlier = patterns?.insert(manifest.rules[number], number: number) {
        let rule = manifest.rules[number]
        let isSame = manifest.rules[earlier].hasSameTags(as: rule)
        let message =
          "two rules are for \(quoted(rule.text.value))"
          + (isSame
            ? "; remove one of them"
            : ", with different tags; correct the path of one rule, or give all tags to one of them")
        let first = manifest.rules[earlier].text.offset
        report(.duplicateRule, message: message, at: rule.text.offset, in: manifest, firstAt: first)
      }
    }
  }

  private mutating func reportRepeated(_ tags: [Located<String>], in manifest: Manifest) {
    var first: [String: Int] = [:]
    for tag in tags {
      guard let earlier = first.updateValue(tag.offset, forKey: tag.value) else { continue }
      first[tag.value] = earlier
      let message = "this list contains the tag \(quoted(tag.value)) twice"
      report(
        .repeatedTag, message: message, at: tag.offset, in: manifest, firstAt: earlier,
        fix: manifest.text.removing(elementAt: tag.offset))
    }
  }

  private mutating func checkLists(of manifest: inout Manifest, againstRulesIn value: JSONValue) {
    // If no mistake has been found so far, every rule has been read.
    let known =
      findings.isEmpty ? Set(manifest.firstOffsets.keys) : tagsOfAllRules(in: value, readAs: manifest.rules)
    var guesses = Guesses()
    for list in [manifest.initialInstallTags, manifest.prefetchTagOrder] {
      for tag in list {
        guard let known, !known.contains(tag.value) else { continue }
        // Rules of other manifests, or templates, can give the tag.
        if manifest.hasTemplates || manifest.scope != .release {
          manifest.tagsToGenerate.append(tag)
          continue
        }
        let parts = separateTags(in: tag.value, among: known)
        let guess = parts == nil ? guesses.nearest(to: tag.value, in: known) : nil
        let hint = parts.map { "; write \(listedStrings($0))" } ?? suggestion(guess?.name)
        let message = "no rule gives a file the tag \(quoted(tag.value))\(hint)"
        report(
          .unknownTag, message: message, at: tag.offset, in: manifest,
          fix: parts.map { manifest.text.replacing(stringAt: tag.offset, by: $0) }
            ?? manifest.fix(of: tag, guess: guess))
      }
      reportRepeated(list, in: manifest)
    }
    let initial = Dictionary(manifest.initialInstallTags.map { ($0.value, $0.offset) }) { first, _ in first }
    for tag in manifest.prefetchTagOrder {
      guard let earlier = initial[tag.value] else { continue }
      let message =
        "the tag \(quoted(tag.value)) is in the prefetch order and also in \"initialInstallTags\", which "
        + "takes precedence; remove the tag from one of the two lists"
      report(
        .tagInBothLists, message: message, at: tag.offset, in: manifest, firstAt: earlier,
        note: "\"initialInstallTags\" lists the tag here")
    }
  }

  /// Reports tags that rules assign but that the list of all tags does not contain.
  private mutating func checkTags(of manifest: Manifest) {
    guard let tags = manifest.tags else { return }
    reportRepeated(tags, in: manifest)
    let known = Set(tags.map(\.value))
    var guesses = Guesses()
    for rule in manifest.rules {
      for tag in rule.tags where !known.contains(tag.value) {
        let guess = guesses.nearest(to: tag.value, in: known)
        // The typo may be in the list of tags, not in the rule. But if another rule assigns the tag as the
        // list spells it, the list is right.
        let isGiven = guess.map { manifest.firstOffsets[$0.name] != nil } ?? false
        report(
          .unknownTag,
          message: "\"tags\" does not list the tag \(quoted(tag.value))\(suggestion(guess?.name))",
          at: tag.offset, in: manifest, fix: isGiven ? manifest.fix(of: tag, guess: guess) : nil)
      }
    }
  }

  /// Reports tags that have the same characters as an earlier tag, but other bytes.
  private mutating func checkForms(of manifest: Manifest) {
    var reported: Set<ByteKey> = []
    // ASCII strings cannot differ only in Unicode normalization, so only tags with other characters need this
    // check.
    if manifest.hasOtherThanASCIITags {
      for rule in manifest.rules { checkForms(of: rule.tags, in: manifest, reported: &reported) }
    }
    checkForms(of: manifest.initialInstallTags, in: manifest, reported: &reported)
    checkForms(of: manifest.prefetchTagOrder, in: manifest, reported: &reported)
  }

  private mutating func checkForms(
    of tags: [Located<String>], in manifest: Manifest, reported: inout Set<ByteKey>
  ) {
    for tag in tags {
      guard let first = manifest.firstOffsets.index(forKey: tag.value) else { continue }
      let (form, earlier) = manifest.firstOffsets[first]
      if form.isSameInBytes(as: tag.value) || !reported.insert(ByteKey(tag.value)).inserted { continue }
      let message =
        "the tag \(quoted(tag.value)) has a different Unicode form here, with "
        + "\(counted(tag.value.utf8.count, of: "byte")) instead of \(grouped(form.utf8.count)); packtool "
        + "treats both as one tag and uses the first form"
      report(
        .tagInTwoForms, message: message, at: tag.offset, in: manifest, firstAt: earlier,
        fix: manifest.text.replacing(stringAt: tag.offset, by: form))
    }
  }

  /// Returns the tags of all rules, including rules with mistakes.
  ///
  /// Returns nil if the tags or templates of a rule cannot be read, because they could be any tags.
  private func tagsOfAllRules(in value: JSONValue, readAs read: [ResourceRule]) -> Set<String>? {
    guard let rules = value.member("resources")?.elements else { return nil }
    var known: Set<String> = []
    var templateCount = 0
    for rule in rules {
      let templates = rule.member("tagTemplates")
      if let tags = rule.member("tags") {
        guard let elements = tags.elements else { return nil }
        for tag in elements {
          guard let tag = tag.string else { return nil }
          known.insert(tag)
        }
      } else if templates == nil {
        return nil
      }
      if let templates {
        guard let elements = templates.elements else { return nil }
        templateCount += elements.count
      }
    }
    // If a template was rejected, it could have generated any tag.
    return templateCount == read.reduce(0) { $0 + $1.templates.count } ? known : nil
  }

  private mutating func checkSeverities(of manifest: Manifest, in value: JSONValue) {
    for (id, choice) in manifest.severities {
      guard let reason = Check.named(id)?.fixedBecause, choice != .error,
        let member = value.member("severity")?.member(id)
      else { continue }
      let message = "the check \(quoted(id)) reports \(reason), so its severity cannot be lowered"
      report(.invalidValue, message: message, at: member.offset, in: manifest)
    }
  }

  /// Reports a finding.
  ///
  /// The fix is computed only if the finding is reported, and not if the finding is only counted.
  private mutating func report(
    _ check: Check, message: String, at offset: Int, in manifest: Manifest, firstAt earlier: Int? = nil,
    note: String = "the first occurrence is here", fix: @autoclosure () -> TextEdit? = nil
  ) {
    let place = manifest.text.place(at: offset)
    findings.add(
      check, at: place,
      making: {
        let notes = earlier.map { Diagnostic.AttachedLine(note, at: manifest.text.place(at: $0)) }
        return Diagnostic(check, message: message, at: place, notes: notes.map { [$0] } ?? [], fix: fix())
      })
  }
}

/// Checks of tag templates, which depend on the glob of their rule.
extension ManifestReader {
  /// Reports templates that their rule's glob cannot fill, and removes them from the manifest.
  mutating func checkTemplates(of manifest: inout Manifest) {
    if !manifest.hasTemplates { return }
    for number in manifest.rules.indices where !manifest.rules[number].templates.isEmpty {
      guard let finding = finding(on: manifest.rules[number], in: manifest.text) else { continue }
      findings.add(finding)
      manifest.rules[number].templates = []
    }
  }

  /// Returns the finding about a rule whose glob cannot fill its templates; nil if the glob can fill them.
  private func finding(on rule: ResourceRule, in text: SourceText) -> Diagnostic? {
    guard case .glob = rule.pattern else {
      return Diagnostic(
        .invalidValue,
        message: "\"tagTemplates\" needs a \"glob\" with wildcards; a \"path\" has no wildcards",
        at: text.place(at: rule.templates[0].text.offset))
    }
    guard let fewest = rule.captures?.fewest else {
      let most =
        "\(grouped(GlobCaptures.maxGlobSize)) bytes and can stand for at most "
        + "\(grouped(GlobCaptures.maxBranches)) patterns"
      return Diagnostic(
        .invalidPath,
        message:
          "a glob with \"tagTemplates\" can have at most \(most); split the rule of "
          + "\(quoted(rule.text.value)) into several rules",
        at: text.place(at: rule.text.offset))
    }
    guard let template = rule.templates.first(where: { $0.highest > fewest.wildcards }) else { return nil }
    let braces = fewest.pattern == rule.text.value ? "" : ", which is one of the glob's patterns,"
    let message =
      "\(quoted(template.text.value)) uses wildcard \(template.highest), but "
      + "\(quoted(fewest.pattern))\(braces) has "
      + (fewest.wildcards == 0 ? "no wildcards" : "only \(counted(fewest.wildcards, of: "wildcard"))")
    return Diagnostic(.invalidValue, message: message, at: text.place(at: template.text.offset))
  }
}

extension ResourceRule {
  fileprivate func hasSameTags(as other: ResourceRule) -> Bool {
    Set(tags.map(\.value)) == Set(other.tags.map(\.value))
      && templates.map(\.text.value) == other.templates.map(\.text.value)
  }
}

/// The patterns of the rules that were checked so far.
///
/// They are kept to find a second rule for the same files.
private struct SeenPatterns {
  /// The rules by the bytes of their path.
  ///
  /// Two Unicode normalizations of a path are different paths, but Swift strings would treat them as equal.
  private var paths: [[UInt8]: Int] = [:]
  private var globs: [Glob: Int] = [:]
  /// The rules that do not take every file that their pattern matches.
  private var selective: [Selection: Int] = [:]

  /// The files that a rule with `except` or `otherwise` takes.
  private struct Selection: Hashable {
    let key: String
    let text: ByteKey
    let excepts: Set<ByteKey>
    let isOtherwise: Bool
  }

  /// Adds the pattern of a rule.
  ///
  /// Returns the number of the first rule for the same files; nil if no earlier rule is for the same files.
  mutating func insert(_ rule: ResourceRule, number: Int) -> Int? {
    if !rule.appliesToAllMatches {
      let selection = Selection(
        key: rule.pattern.key, text: ByteKey(rule.pattern.text),
        excepts: Set(rule.excepts.map { ByteKey($0.value.text) }), isOtherwise: rule.isOtherwise)
      if let first = selective[selection] { return first }
      selective[selection] = number
      return nil
    }
    switch rule.pattern {
    case .path(let path):
      let bytes = Array(path.text.utf8)
      if let first = paths[bytes] { return first }
      paths[bytes] = number
    case .glob(let glob):
      if let first = globs[glob] { return first }
      globs[glob] = number
    }
    return nil
  }
}
