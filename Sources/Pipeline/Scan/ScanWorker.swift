import Formats
import Model
import System

/// One thread of a scan, which reads folders and matches their entries with the rules.
struct ScanWorker {
  private let scanner: AssetScanner
  private(set) var findings: ScanFindings
  /// A cache for unions of two tag sets.
  ///
  /// The key combines the ids of both sets into one number. Most files of a folder need the same union.
  private var unions: [Int64: TagSets.ID] = [:]
  /// The index of the block of files that this thread fills; nil before the first file.
  private var block: Int?
  private var files: [AssetFile] = []
  /// The index of the folder whose path was checked last.
  ///
  /// Archives can contain the path of this folder.
  private var checkedFolder: Int?
  /// The path that was converted to a string last.
  ///
  /// Paths of files in the same folder keep the first part of the bytes.
  private var lastPath = PathBytes()

  private struct PathBytes {
    /// The index of the folder; nil before the first path.
    var folder: Int?
    /// The size of the folder's path and a slash.
    var folderSize = 0
    var bytes: [UInt8] = []
  }

  init(_ scanner: AssetScanner) {
    self.scanner = scanner
    findings = ScanFindings(of: scanner.manifest)
  }

  /// Reads a folder, and adds its subfolders to the shared list.
  mutating func read(_ task: AssetScanner.Task) throws(SystemError) -> ScannedFolder {
    var folder = ScannedFolder()
    let listed: FolderListing?
    do throws(SystemError) {
      listed = try scanner.root.listing(
        of: task.path, expecting: task.identity, symlinks: task.isLinked ? .followed : .notFollowed)
    } catch {
      if error.isMissing && !task.path.isEmpty { return folder }
      guard error.isDenied else { throw error }
      let end = task.state.mayMatch ? "" : "; its files are not counted"
      let statement = UnreadableFile.statement(on: .folder, at: place(of: task.path).path)
      reportFolder(task.path, state: task.state, statement: statement + end)
      return folder
    }
    guard let listing = listed else {
      if task.state.mayMatch { reportReplacedFolder(task) }
      return folder
    }
    // The output folder of a build is never packed, in any layout.
    if !task.path.isEmpty && listing.has(PublishedNames.recordFolder, kind: .folder) { return folder }
    if task.state.mayMatch && !findings.hasSimilarNames {
      findings.hasSimilarNames = listing.mayHaveSimilarNames()
    }
    let inheritedSet = tagSet(of: task.state.inherited)
    // These values are copied to local variables once. Otherwise, threads would change many reference counts
    // of the index for each name.
    let rules = scanner.rules
    let others = scanner.others
    let hasNamed = !scanner.named.isEmpty
    let matchesNames = rules.matchesNames(in: task.state)
    // The capacity is reserved because an array otherwise doubles its capacity when it grows. On average, a
    // third of the capacity would stay unused.
    if task.state.mayMatch { folder.items.reserveCapacity(listing.entries.count) }
    for entry in listing.entries {
      let name = listing.name(of: entry)
      if entry.status.identity == scanner.output { continue }
      // A match is a large structure, so none is made in folders where it would always be empty.
      let match = matchesNames ? rules.match(name, in: task.state) : nil
      if let match {
        for exclude in match.excludes { findings.isExcludeUsed[Int(exclude)] = true }
        if match.isExcluded { continue }
      }
      if isNeverPacked(name) || others.contains(entry.status.identity) { continue }
      var inherited = inheritedSet
      if let match {
        note(match, ofEntry: entry.status.kind)
        if let rules = match.inherited { inherited = tagSet(of: rules) }
      }
      // The most frequent case is an untagged file.
      if entry.status.kind == .file && inherited == nil && match?.rules.isEmpty ?? true {
        if !task.isLinked, !hasNamed || scanner.named[entry.status.identity] == nil {
          try count(entry.status, named: name, in: task, folder: &folder)
        }
        continue
      }
      let item = Item(
        task: task, name: name, status: entry.status, ownRules: match?.rules ?? [],
        inheritedRules: match?.inherited, inherited: inherited)
      try add(item, to: &folder)
    }
    return folder
  }

  /// Notes the rules that match a name but do not take it.
  private mutating func note(_ match: RuleMatcher.Match, ofEntry kind: FileStatus.Kind) {
    let isFolder = kind == .folder
    for except in match.excepts where !isFolder || scanner.rules.isOfPath(except) {
      findings.isExceptUsed[Int(except)] = true
    }
    if !isFolder { for rule in match.outranked { findings.isOutranked[Int(rule)] = true } }
  }

  /// Counts an untagged file, and reports it if its size exceeds the maximum that an index can contain.
  private mutating func count(
    _ status: FileStatus, named name: ArraySlice<UInt8>, in task: AssetScanner.Task,
    folder: inout ScannedFolder
  ) throws(SystemError) {
    if scanner.untagged == .ignored { return }
    let size = try size(of: status, named: name, in: task)
    folder.untagged.add(size)
    let isTooLarge = status.size > ByteSize.largestExact
    guard scanner.untagged == .listed || isTooLarge else { return }
    let path = task.path(of: name)
    if scanner.untagged == .listed {
      folder.untaggedFiles.append(UntaggedFile(path: String(decoding: path, as: UTF8.self), size: size))
    }
    guard isTooLarge else { return }
    let message = "the file \(quoted(bytes: path)) has no tags, but \(excessMessage(status.size))"
    report(.fileTooLarge, message: message, at: path, rules: [], severity: .warning)
  }

  /// An entry of a folder, and the rules that match the entry.
  private struct Item {
    let task: AssetScanner.Task
    let name: ArraySlice<UInt8>
    let status: FileStatus
    let ownRules: [RuleMatcher.RuleID]
    /// The rules of parent folders that take the entry; nil if all rules that the entry's folder inherits
    /// take the entry.
    let inheritedRules: [RuleMatcher.RuleID]?
    let inherited: TagSets.ID?
    var isLink = false

    var path: [UInt8] { task.path(of: name) }

    /// Returns this entry with the status of the file or folder that its symlink leads to.
    func following(to status: FileStatus) -> Item {
      Item(
        task: task, name: name, status: status, ownRules: ownRules, inheritedRules: inheritedRules,
        inherited: inherited, isLink: true)
    }

    var rules: [RuleMatcher.RuleID] { (inheritedRules ?? task.state.inherited) + ownRules }
    var isTagged: Bool { inherited != nil || !ownRules.isEmpty }
  }
}

/// Adds the entries of a folder, each according to its kind.
extension ScanWorker {
  private mutating func add(_ item: Item, to folder: inout ScannedFolder) throws(SystemError) {
    switch item.status.kind {
    case .folder: addFolder(item, to: &folder)
    case .file: try addFile(item, to: &folder)
    case .link: try addTarget(ofLink: item, to: &folder)
    case .fifo, .socket, .device:
      guard item.isTagged else { return }
      report(
        .specialFile,
        message: "\(quoted(bytes: item.path)) is a \(item.status.kind), which has no content to pack",
        item: item)
    }
  }

  private mutating func addFile(_ item: Item, to folder: inout ScannedFolder) throws(SystemError) {
    // An untagged file is counted at its own path, and not at the path of a symlink that leads to the file.
    guard item.isTagged else { return }
    // The identity is compared instead of the path, because a symlink with another name can lead to such a
    // file. For other entries, `read` has compared it.
    if item.isLink, scanner.others.contains(item.status.identity) { return }
    if let named = (scanner.named.isEmpty ? nil : scanner.named[item.status.identity]) ?? item.task.named {
      return reportNamed(item, as: named)
    }
    if item.status.size > AssetFile.largest {
      let message =
        "the file \(quoted(bytes: item.path)) is \(ByteSize.exact(item.status.size)); expected at most 1 TiB"
      return report(.fileTooLarge, message: message, item: item)
    }
    try add(item, standingFor: pointer(inFile: item.name, status: item.status, in: item.task), to: &folder)
  }

  private mutating func add(_ item: Item, standingFor pointer: AssetPointer?, to folder: inout ScannedFolder)
  {
    guard let path = checkedPath(of: item) else { return }
    var tags = item.inherited
    for rule in item.ownRules { tags = union(tags, scanner.tagSets.ofRules[Int(rule)]) }
    if !scanner.captures.isEmpty {
      guard let all = addGeneratedTags(to: tags, of: item, path: path) else { return }
      tags = all
    }
    for rule in item.inheritedRules ?? item.task.state.inherited { findings.isUsed[Int(rule)] = true }
    for rule in item.ownRules { findings.isUsed[Int(rule)] = true }
    let destination = scanner.hasDestinations ? destination(of: path, item: item) : nil
    if let destination, isTooLong(destination.utf8.count, item: item) { return }
    let slot = nextSlot()
    // The file is created where it is needed, because a copy changes reference counts.
    files.append(
      AssetFile(
        path: path, size: pointer?.size ?? item.status.size, stamp: FileStamp(item.status), tagSet: tags!,
        destination: destination, pointer: pointer))
    folder.items.append(.file(slot))
    if item.name.first == UInt8(ascii: ".") { findings.hasHiddenFiles = true }
    if UnlikelyName.mayMatch(file: item.name.span) { findings.hasUnlikelyNames = true }
  }

  /// Returns the slot of the file that is appended to `files` next.
  private mutating func nextSlot() -> FileList.Slot {
    if files.count == FileList.blockSize { endBlock() }
    return FileList.slot(files.count, inBlock: block ?? beginBlock())
  }

  private mutating func beginBlock() -> Int {
    let number = scanner.beginBlock()
    block = number
    ThisProcess.reserveMemory(forBytes: FileList.blockSize * Self.bytesOfFile)
    files.reserveCapacity(FileList.blockSize)
    return number
  }

  /// The approximate number of bytes of memory that a file and its path need.
  private static let bytesOfFile = 256

  /// Passes the files of the current block to the scanner.
  mutating func endBlock() {
    if let block { scanner.endBlock(block, files: files) }
    block = nil
    files = []
  }

  private mutating func addFolder(_ item: Item, to folder: inout ScannedFolder) {
    if scanner.others.contains(item.status.identity) { return }
    if UnlikelyName.mayMatch(folder: item.name.span) { findings.hasUnlikelyNames = true }
    if isCatalog(item.name.span, upTo: item.name.count) { findings.hasCatalogs = true }
    let state = scanner.rules.state(below: item.name, in: item.task.state)
    // If a folder's name makes every path below it invalid, only the folder is reported.
    if !state.inherited.isEmpty && checkedPath(of: item) == nil { return }
    // If no rule applies, the files are counted at their own paths, and not at the path of this symlink.
    if (item.isLink || scanner.untagged == .ignored) && !state.mayMatch { return }
    if item.task.depth == scanner.deepestLevel {
      let depth = grouped(scanner.deepestLevel)
      return reportFolder(
        item.path, state: state,
        statement: "is below \(depth) other folders; packtool does not read its contents")
    }
    let number = scanner.enter(
      item.path, state: state, identity: item.status.identity, parent: item.task,
      depth: item.task.depth + 1, throughLink: item.isLink)
    if let number { folder.items.append(.folder(UInt32(number))) }
  }

  private mutating func addTarget(ofLink item: Item, to folder: inout ScannedFolder) throws(SystemError) {
    let below = scanner.rules.state(below: item.name, in: item.task.state)
    let countsTarget = scanner.untagged != .ignored && (scanner.acceptsPointers || scanner.links.followsAll)
    guard item.isTagged || below.mayMatch || countsTarget else { return }
    // Errors of a symlink are reported only if a rule matches the symlink itself, because a glob can lead
    // through many symlinks.
    let isIncluded = item.isTagged || !below.inherited.isEmpty
    let outcome = try scanner.links.resolve(item.path)
    switch outcome {
    case .nowhere, .outside:
      guard scanner.acceptsPointers, let pointer = try scanner.root.pointer(inLink: item.path) else { break }
      if item.isTagged { return add(item, standingFor: pointer, to: &folder) }
      if !item.task.isLinked { folder.untagged.add(pointer.size) }
      return
    case .followedOut(let status) where status.kind == .file && !item.isTagged:
      return try count(target: status, ofLink: item, to: &folder)
    case .inside(let status) where status.kind != .folder,
      .followedOut(let status) where status.kind != .folder:
      return try add(item.following(to: status), to: &folder)
    case .inside(let status) where !scanner.isFolder(item.task.number, within: status.identity),
      .followedOut(let status) where !scanner.isFolder(item.task.number, within: status.identity):
      return addFolder(item.following(to: status), to: &folder)
    default: break
    }
    if isIncluded, let (check, message) = mistake(ofLink: item, outcome: outcome) {
      report(check, message: message, item: item)
    }
  }

  /// Counts an untagged file outside the root, which the scan finds only through a symlink.
  private mutating func count(
    target status: FileStatus, ofLink item: Item, to folder: inout ScannedFolder
  ) throws(SystemError) {
    if item.task.isLinked || scanner.others.contains(status.identity) { return }
    if scanner.named[status.identity] != nil { return }
    try count(status, named: item.name, in: item.task, folder: &folder)
  }

  /// Returns the mistake in a symlink that a rule matches; nil if the symlink leads to files that are never
  /// packed.
  private func mistake(ofLink item: Item, outcome: SymlinkResolver.Outcome) -> (Check, String)? {
    let link = "the symlink \(quoted(bytes: item.path)) leads"
    if outcome.isMissing, let advice = annexAdvice(item) {
      return (
        .lfsPointer, "\(quoted(bytes: item.path)) is a git-annex pointer, not the file itself; \(advice)"
      )
    }
    switch outcome {
    case .output: return nil
    case .inside, .followedOut: return (.linkLoop, "\(link) to a folder that contains it")
    case .changed:
      let link = "the target of the symlink \(quoted(bytes: item.path))"
      return (.fileChanged, "\(link) changed during the scan; build again when no program writes to it")
    case .outside(let target):
      return (
        .linkEscapesRoot,
        "\(link) out of the root folder, to \(quoted(target)); exclude it, or use --symlinks follow"
      )
    case .nowhere(let missing):
      // The symlink's own text is what users see in a listing. If it leads through a missing folder or another
      // symlink, the missing file has another name.
      let text = (try? scanner.root.target(ofLink: item.path)).map { quoted(bytes: $0) } ?? quoted(missing)
      let lack =
        text == quoted(missing) ? "which does not exist" : "but \(quoted(missing)) does not exist"
      return (.danglingLink, "\(link) to \(text), \(lack); remove the symlink, or exclude it")
    case .closed(let target):
      return (
        .unreadableFile,
        "\(link) to \(quoted(target)), which cannot be read: permission denied; let the user who runs packtool "
          + "read it, or exclude the symlink"
      )
    case .endless:
      return (
        .linkLoop, "\(link) through more than \(SymlinkResolver.maxLinks) symlinks, which no system follows"
      )
    case .cycle(let chain):
      let cycle = (chain + [chain[0]]).map { quoted($0) }.joined(separator: " to ")
      return (.linkLoop, "symlinks lead to each other in a circle: \(cycle); exclude them")
    }
  }
}

/// Files and symlinks that might be pointers.
extension ScanWorker {
  /// Returns the number of bytes that an untagged file adds to the app bundle.
  private func size(
    of status: FileStatus, named name: ArraySlice<UInt8>, in task: AssetScanner.Task
  ) throws(SystemError) -> Int64 {
    try pointer(inFile: name, status: status, in: task)?.size ?? status.size
  }

  private func pointer(
    inFile name: ArraySlice<UInt8>, status: FileStatus, in task: AssetScanner.Task
  ) throws(SystemError) -> AssetPointer? {
    scanner.acceptsPointers ? try scanner.root.pointer(inFile: task.path(of: name), status: status) : nil
  }

  /// Returns the advice about a symlink to a file that git-annex has not fetched; nil for other symlinks.
  private func annexAdvice(_ item: Item) -> String? {
    guard let target = try? scanner.root.target(ofLink: item.path) else { return nil }
    return switch PointerText(linkTarget: target) {
    case .file: "run \"git annex get\", or use --pointers to plan without the file"
    case .otherKey:
      "run \"git annex get\", because its key does not contain the SHA-256 and size that --pointers needs"
    case nil: nil
    }
  }
}

/// The findings of a scan.
extension ScanWorker {
  private mutating func report(_ check: Check, message: String, item: Item) {
    report(check, message: message, at: item.path, rules: item.rules)
  }

  private mutating func report(
    _ check: Check, message: String, at path: [UInt8], rules: [RuleMatcher.RuleID], severity: Severity? = nil
  ) {
    for rule in rules { findings.isUsed[Int(rule)] = true }
    findings.found.add(Diagnostic(check, message: message, at: place(of: path), severity: severity))
  }

  private func place(of path: [UInt8]) -> Place {
    Place(joined(scanner.manifest.rootPath, escaped(bytes: path, upTo: 300)))
  }

  /// Reports a file that a rule matches although the command line uses it for another purpose.
  private mutating func reportNamed(_ item: Item, as named: RunScope.NamedFile) {
    RunScope.current.namedAssets.change { _ = $0.insert(named.path) }
    let rule = item.rules.first.map { scanner.manifest.rules[Int($0)].text.value } ?? ""
    report(
      .runFileInPack,
      message:
        "the rule \(quoted(rule)) packs \(quoted(bytes: item.path)), but \(quoted(named.name)) also uses "
        + "this file; keep the file outside the root, or leave it out with \"exclude\"",
      item: item)
  }

  private mutating func reportReplacedFolder(_ task: AssetScanner.Task) {
    report(
      .fileChanged,
      message:
        "the folder \(quoted(bytes: task.path)) was replaced while it was read; build again when no program "
        + "writes to it", at: task.path, rules: task.state.inherited)
  }

  /// Reports a folder that is not read.
  ///
  /// The finding is only a warning if no rule can match files in the folder.
  private mutating func reportFolder(_ path: [UInt8], state: RuleMatcher.FolderState, statement: String) {
    report(
      .unreadableFile, message: "the folder \(quoted(bytes: path)) \(statement)", at: path,
      rules: state.inherited,
      severity: state.mayMatch ? nil : .warning)
  }
}

/// Tags and destinations that rules assign to files.
extension ScanWorker {
  private mutating func tagSet(of rules: [RuleMatcher.RuleID]) -> TagSets.ID? {
    rules.reduce(nil) { set, rule in union(set, scanner.tagSets.ofRules[Int(rule)]) }
  }

  private mutating func union(_ first: TagSets.ID?, _ second: TagSets.ID) -> TagSets.ID {
    guard let first, first != second else { return second }
    let pair = Int64(first) << 32 | Int64(second)
    if let known = unions[pair] { return known }
    let union = scanner.tagSets.union(first, second)
    unions[pair] = union
    return union
  }

  /// Adds the generated tags.
  ///
  /// Returns nil if there are too many tags. If a tag is not valid, it reports a finding and returns nil.
  private mutating func addGeneratedTags(to tags: TagSets.ID?, of item: Item, path: String) -> TagSets.ID? {
    var all = tags
    for rule in item.ownRules {
      guard let captures = scanner.captures[rule] else { continue }
      let made = scanner.manifest.rules[Int(rule)].tags(from: captures, for: path)
      for tag in made {
        guard let mistake = StringFormat.tag.mistake(in: tag.tag) else { continue }
        for rule in item.rules { findings.isUsed[Int(rule)] = true }
        let message =
          "the template \(quoted(tag.template.text.value)) generates no valid tag for \(quoted(path)): "
          + "\(mistake.message)"
        let place = scanner.manifest.text.place(at: tag.template.text.offset)
        findings.found.add(Diagnostic(mistake.check, message: message, at: place))
        return nil
      }
      guard let set = scanner.tagSets.set(of: made, by: rule) else { return nil }
      all = union(all, set)
    }
    return all
  }

  /// Returns the path inside the pack if a rule sets a destination; otherwise nil.
  private mutating func destination(of path: String, item: Item) -> String? {
    let rules = scanner.manifest.rules
    guard item.rules.contains(where: { rules[Int($0)].destination != nil }) else { return nil }
    let places = item.rules.map { (rule: rules[Int($0)], place: rules[Int($0)].place(ofFile: path)) }
    if let other = places.first(where: { !$0.place.isSameInBytes(as: places[0].place) }) {
      let text = scanner.manifest.text
      findings.found.add(
        Diagnostic(
          .twoDestinations,
          message:
            "this rule puts \(quoted(path)) at \(quoted(other.place)), but another rule puts it at "
            + "\(quoted(places[0].place))",
          at: text.place(at: other.rule.text.offset),
          notes: [.init("the other rule is here", at: text.place(at: places[0].rule.text.offset))]))
    }
    return places[0].place
  }

  /// Returns the path as a string.
  ///
  /// If archives cannot contain the path, reports a finding and returns nil.
  private mutating func checkedPath(of item: Item) -> String? {
    guard let path = text(ofPath: item) else {
      report(
        .invalidName, message: "the name \(quoted(bytes: item.path)) is not UTF-8; rename the file or folder",
        item: item)
      return nil
    }
    // The path of a folder is checked once, and not again for each file and folder in it.
    let isFolderChecked = !item.task.state.inherited.isEmpty || item.task.number == checkedFolder
    let form = PathForm(of: isFolderChecked ? item.name.span : path.utf8Span.span)
    if form.hasControlCharacter || form.hasBackslash {
      let mark =
        form.hasControlCharacter
        ? "a control character" : "a backslash, which some programs read as a slash"
      report(.invalidName, message: "the name \(quoted(path)) contains \(mark)", item: item)
      return nil
    }
    if !form.isStorableOnWindows { findings.hasUnportableNames = true }
    checkedFolder = item.task.number
    return isTooLong(path.utf8.count, item: item) ? nil : path
  }

  /// Returns the path of an entry; nil if it is not UTF-8.
  ///
  /// The bytes are joined before the conversion, because a string that grows allocates memory again.
  /// `String(validating:as:)` would take several times as long as `UTF8Span`, because it is not specialized for
  /// arrays.
  private mutating func text(ofPath item: Item) -> String? {
    if lastPath.folder != item.task.number {
      let path = item.task.path
      lastPath.bytes = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
      lastPath.folder = item.task.number
      lastPath.folderSize = lastPath.bytes.count
    }
    lastPath.bytes.removeLast(lastPath.bytes.count - lastPath.folderSize)
    lastPath.bytes += item.name
    guard let text = try? UTF8Span(validating: lastPath.bytes.span) else { return nil }
    return String(copying: text)
  }

  /// Whether a path of this size in bytes is too long for archives.
  ///
  /// If it is too long, the function reports this.
  private mutating func isTooLong(_ count: Int, item: Item) -> Bool {
    if count <= RelativePath.maxSize { return false }
    report(
      .invalidName,
      message:
        "a path is \(counted(count, of: "byte")) long, but in an archive the maximum is "
        + "\(grouped(RelativePath.maxSize))",
      item: item)
    return true
  }
}

extension ResourceRule {
  /// Returns the path, inside the pack, of a file that the rule matches.
  fileprivate func place(ofFile path: String) -> String {
    guard let destination else { return path }
    let depth =
      switch pattern {
      case .path(let path): path.components.count
      case .glob(let glob): glob.fixedDepth
      }
    // The path is split by scalars, because a slash and a combining mark form one Character that differs from
    // "/".
    let components = path.unicodeScalars.split(separator: "/").map(String.init)
    var below = components.dropFirst(depth)
    // For a rule about a single file, the destination is the file's new path or, with a trailing slash, its
    // new folder.
    if below.isEmpty && destination.isFolder { below = components.suffix(1) }
    return (destination.path.components + below).joined(separator: "/")
  }
}
