package import Formats
package import Model
package import System

/// The files of a manifest, with all findings about them.
package struct AssetScan: Sendable {
  /// The manifest.
  ///
  /// Its paths have the same spelling as on the disk.
  package private(set) var manifest: Manifest
  /// The files; nil if there is no root folder.
  package private(set) var tree: AssetTree?
  /// The open root folder, for reading files; nil if it does not exist.
  package private(set) var root: Folder?
  /// All findings.
  package var diagnostics: [Diagnostic] { found.findings }
  private var found = FindingList()

  /// The maximum depth of folders that are read.
  ///
  /// There is a maximum because the kernel needs one step for each level to open a folder.
  package static let deepestLevel = 4096

  /// Scans every file below a manifest's root.
  ///
  /// - Parameters:
  ///   - manifest: the manifest whose rules assign tags to files.
  ///   - output: the folder that a build writes to. It is never packed.
  ///   - acceptsPointers: whether a pointer counts as the file that it represents.
  ///   - jobs: the number of threads that read folders.
  ///   - untagged: the information that is kept about files without tags.
  /// - Throws: if the file system fails; a file that packtool is not permitted to read is a finding.
  package init(
    of manifest: Manifest, leavingOut output: FileIdentity?, acceptsPointers: Bool = false, jobs: Int,
    untagged: UntaggedListing = .counted
  ) throws(SystemError) {
    self.manifest = manifest
    let status = try FileOperations.statusIfThere(manifest.rootPath)
    guard let status, status.kind == .folder else {
      let reason = status == nil ? "does not exist" : "is not a folder"
      let near = status == nil ? manifest.nearRoot : nil
      let message = "the root folder \(quoted(manifest.rootPath)) \(reason)\(near?.hint ?? "")"
      let fix = near?.replacement.flatMap {
        manifest.text.replacing(stringAt: manifest.root.offset, by: $0)
      }
      found.add(
        Diagnostic(
          .invalidPath, message: message, at: manifest.text.place(at: manifest.root.offset), fix: fix))
      return
    }
    let scanner = try AssetScanner(
      manifest, leavingOut: output, acceptsPointers: acceptsPointers, untagged: untagged)
    var (tree, findings) = try scanner.scan(jobs: jobs)
    if let respelled = manifest.respelled(isRuleUsed: findings.isUsed, in: scanner.root) {
      self = try AssetScan(
        of: respelled, leavingOut: output, acceptsPointers: acceptsPointers, jobs: jobs, untagged: untagged)
      return
    }
    if scanner.tagSets.isFull {
      // Nothing is returned in this case, because the order of the threads would decide which files have
      // tags.
      let message =
        "the templates generate more than \(grouped(SharedTagSets.maxTags)) tags, counted for each set of "
        + "tags that files have; use fewer templates, or globs that match fewer files"
      let template = manifest.rules.lazy.compactMap(\.templates.first).first
      found.add(
        Diagnostic(.invalidValue, message: message, at: manifest.text.place(at: template?.text.offset ?? 0)))
      return
    }
    if let resources = manifest.bundledFiles { tree.replaceUntagged(from: resources, listing: untagged) }
    self.tree = tree
    root = scanner.root
    found = findings.found
    found.add(UnusedExcludes(manifest, isUsed: findings.isExcludeUsed, root: scanner.root).findings)
    found.add(UnusedExcepts(manifest, isUsed: findings.isExceptUsed, root: scanner.root).findings)
    if manifest.hasTemplates {
      if manifest.scope == .release { found.add(manifest.neverGeneratedTags(tree.generatedTags)) }
      found.add(manifest.unlistedTags(tree.generatedTags))
    }
    let unused = findings.isUsed.indices.filter { !findings.isUsed[$0] }
    let unmatched = UnmatchedRules(
      manifest: manifest, root: scanner.root, rules: unused.map { manifest.rules[$0] },
      outranked: Set(unused.filter { findings.isOutranked[$0] }.map { manifest.rules[$0].text.offset }),
      excepted: manifest.rulesWithUsedExcepts(findings.isExceptUsed),
      index: RuleMatcher(excludes: manifest.excludes), tree: tree)
    found.add(unmatched.findings)
  }
}

extension Manifest {
  /// Returns the offsets of the rules whose `except` left out a file.
  ///
  /// `isUsed` contains the globs in the `except` of all rules.
  fileprivate func rulesWithUsedExcepts(_ isUsed: [Bool]) -> Set<Int> {
    if isUsed.isEmpty { return [] }
    var offsets: Set<Int> = []
    var next = 0
    for index in rules.indices {
      let end = next + rules[index].excepts.count
      if isUsed[next..<end].contains(true) { offsets.insert(rules[index].text.offset) }
      next = end
    }
    return offsets
  }

  /// A folder that was probably meant, if the root does not exist.
  fileprivate var nearRoot: PathGuess.Near? {
    guard let path = try? RelativePath(root.value), let above = try? Folder(folder) else { return nil }
    return PathGuess(manifest: self, root: above).nearName(of: path)
  }

  fileprivate func neverGeneratedTags(_ made: [String: GeneratedTag]) -> [Diagnostic] {
    let known = Array(firstOffsets.keys) + made.keys
    var guesses = Guesses()
    return tagsToGenerate.filter { made[$0.value] == nil }.map { tag in
      let guess = guesses.nearest(to: tag.value, in: known)
      return Diagnostic(
        .unknownTag, message: "no rule gives a file the tag \(quoted(tag.value))\(suggestion(guess?.name))",
        at: text.place(at: tag.offset), fix: fix(of: tag, guess: guess))
    }
  }

  fileprivate func unlistedTags(_ made: [String: GeneratedTag]) -> [Diagnostic] {
    guard let tags else { return [] }
    let known = Set(tags.map(\.value))
    let unlisted = made.filter { !known.contains($0.key) }.sorted { $0.key.precedesInBytes($1.key) }
    var guesses = Guesses()
    return unlisted.map { tag in
      let guess = guesses.nearest(to: tag.key, in: known)
      return Diagnostic(
        .unknownTag,
        message:
          "\"tags\" does not list the tag \(quoted(tag.key)), which this template "
          + "generates\(suggestion(guess?.name))",
        at: text.place(at: tag.value.offset))
    }
  }

  /// Returns the manifest with the rules that match nothing changed to the Unicode normalization of the disk;
  /// nil if no rule changes.
  func respelled(isRuleUsed isUsed: [Bool], in root: Folder) -> Manifest? {
    var disk = NamesOnDisk(root: root)
    var manifest = self
    var isSame = true
    for number in rules.indices where !isUsed[number] {
      guard let pattern = disk.respelled(rules[number].pattern) else { continue }
      manifest.rules[number].pattern = pattern
      isSame = false
    }
    return isSame ? nil : manifest
  }
}

/// The names in folders.
///
/// Each folder is read only once. The key can be any Unicode normalization of a name, because Swift ignores
/// the normalization when it compares strings.
private struct NamesOnDisk {
  let root: Folder
  var names: [[UInt8]: [String: String]] = [:]

  /// Returns a pattern whose path, or glob up to its first wildcard, has the spelling of the disk; nil if the
  /// spelling is already the same or if the path does not exist.
  mutating func respelled(_ pattern: ResourceRule.Pattern) -> ResourceRule.Pattern? {
    switch pattern {
    case .path(let path):
      return respelled(path.components).map { .path(RelativePath(normal: $0.joined(separator: "/"))) }
    case .glob(let glob):
      let parts = glob.text.unicodeScalars.split(separator: "/").map(String.init)
      guard let fixed = respelled(Array(parts.prefix(glob.fixedDepth))) else { return nil }
      return (try? Glob((fixed + parts.dropFirst(glob.fixedDepth)).joined(separator: "/"))).map { .glob($0) }
    }
  }

  private mutating func respelled(_ components: [String]) -> [String]? {
    if components.allSatisfy({ $0.utf8.allSatisfy { $0 < 0x80 } }) { return nil }
    var (path, found): ([UInt8], [String]) = ([], [])
    for component in components {
      let start = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
      let isThere = (try? root.status(of: start + component.utf8, symlinks: .notFollowed)) != nil
      guard let name = isThere ? component : names(in: path)[component] else { return nil }
      path = start + name.utf8
      found.append(name)
    }
    return zip(found, components).allSatisfy { $0.isSameInBytes(as: $1) } ? nil : found
  }

  private mutating func names(in path: [UInt8]) -> [String: String] {
    if names[path] == nil, let listing = try? root.listing(of: path) {
      names[path] = Dictionary(listing.texts.map { ($0, $0) }) { first, _ in first }
    }
    return names[path] ?? [:]
  }
}
