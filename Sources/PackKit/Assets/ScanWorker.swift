import Findings
import Formats
import System

/// One thread of a scan, which reads folders and matches their entries with the rules.
struct ScanWorker {
  private let scanner: AssetScanner
  private(set) var findings: ScanFindings
  /// Whether two names of a folder differ perhaps only in case or Unicode form.
  private(set) var hasSimilarNames = false
  /// Whether the name of a tagged file begins with a dot.
  private(set) var hasHiddenFiles = false
  /// The path of the folder that is read, with a slash unless it is the root; then the name of an entry.
  private var path: [UInt8] = []
  private var folderLength = 0
  /// A cache of unions by both sets as one number, since most files of a folder need the same one.
  private var unions: [Int64: TagSets.ID] = [:]
  /// A cache of the sets of made tags, for the same reason.
  private var madeSets: [MadeSet: TagSets.ID] = [:]
  /// The index of the block of files that this thread fills; nil before the first file.
  private var block: Int?
  private var files: [AssetFile] = []

  /// The tags that the templates of a rule made for a file.
  private struct MadeSet: Hashable {
    let rule: RuleIndex.RuleID
    /// By their bytes, since of two Unicode forms each must reach the shared sets.
    let tags: [ByteKey]
  }

  init(_ scanner: AssetScanner) {
    self.scanner = scanner
    findings = ScanFindings(of: scanner.manifest)
  }

  /// Reads a folder; its subfolders are added to the shared list.
  mutating func read(_ task: AssetScanner.Task) throws(SystemError) -> ScannedFolder {
    var folder = ScannedFolder()
    let listed: FolderListing?
    do throws(SystemError) {
      listed = try scanner.root.listing(of: task.path, met: task.identity, throughLink: task.isLinked)
    } catch {
      if error.isMissing && !task.path.isEmpty { return folder }
      guard error.isDenied else { throw error }
      reportUnreadableFolder(task.path, rules: task.state.inherited, isTagged: task.state.mayMatch)
      return folder
    }
    guard let listing = listed else {
      if task.state.mayMatch { reportReplacedFolder(task) }
      return folder
    }
    // What a build wrote is never packed, whatever its layout.
    if !task.path.isEmpty && listing.has(PublishedNames.recordFolder, .folder) { return folder }
    if task.state.mayMatch && !hasSimilarNames { hasSimilarNames = listing.mayHaveSimilarNames() }
    startPath(of: task)
    let inherited = tagSet(of: task.state.inherited)
    // Taken once: a rule index has many parts, each of which threads would count references to for each name.
    let rules = scanner.rules
    // Growth by doubling would leave a third of the capacity unused.
    if task.state.mayMatch { folder.items.reserveCapacity(listing.entries.count) }
    for entry in listing.entries {
      let name = listing.name(of: entry)
      if entry.status.identity == scanner.output { continue }
      let match = rules.match(name, in: task.state)
      for exclude in match.excludes { findings.isExcludeUsed[Int(exclude)] = true }
      if match.isExcluded || isNeverPacked(name) { continue }
      // The common case: an untagged file.
      if entry.status.kind == .file && inherited == nil && match.rules.isEmpty {
        if !task.isLinked { try count(entry.status, named: name, in: task, &folder) }
        continue
      }
      if scanner.sources.contains(entry.status.identity) { continue }
      let item = Item(
        task: task, name: name, status: entry.status, ownRules: match.rules, inherited: inherited)
      try add(item, to: &folder)
    }
    return folder
  }

  /// Counts an untagged file; one whose size exceeds what an index can state is reported.
  private mutating func count(
    _ status: FileStatus, named name: ArraySlice<UInt8>, in task: AssetScanner.Task,
    _ folder: inout ScannedFolder
  ) throws(SystemError) {
    let size = try size(of: status, named: name, in: task)
    folder.untagged.add(size)
    let isTooLarge = status.size > ByteSize.largestExact
    guard scanner.listsUntagged || isTooLarge else { return }
    let path = task.path.isEmpty ? Array(name) : task.path + [UInt8(ascii: "/")] + name
    if scanner.listsUntagged {
      folder.untaggedFiles.append(UntaggedFile(path: String(decoding: path, as: UTF8.self), size: size))
    }
    guard isTooLarge else { return }
    let message = "the file \(quoted(bytes: path)) has no tags, but \(excessMessage(status.size))"
    report(.fileTooLarge, message, at: path, rules: [], severity: .warning)
  }

  private mutating func startPath(of task: AssetScanner.Task) {
    path.removeAll(keepingCapacity: true)
    path += task.path
    if !task.path.isEmpty { path.append(UInt8(ascii: "/")) }
    folderLength = path.count
  }

  /// Calls `body` with the path of an entry of the folder that is read, which needs no memory of its own.
  private mutating func withPath<Result>(of item: Item, _ body: (Span<UInt8>) -> Result) -> Result {
    path.removeSubrange(folderLength...)
    path += item.name
    return body(path.span)
  }

  /// An entry of a folder with the rules that match it.
  private struct Item {
    let task: AssetScanner.Task
    let name: ArraySlice<UInt8>
    let status: FileStatus
    let ownRules: [RuleIndex.RuleID]
    let inherited: TagSets.ID?
    var isLink = false

    var path: [UInt8] { task.path.isEmpty ? Array(name) : task.path + [UInt8(ascii: "/")] + name }

    /// The same entry with the status of its link's target.
    func following(to status: FileStatus) -> Item {
      Item(task: task, name: name, status: status, ownRules: ownRules, inherited: inherited, isLink: true)
    }

    var rules: [RuleIndex.RuleID] { task.state.inherited + ownRules }
    var isTagged: Bool { inherited != nil || !ownRules.isEmpty }
  }
}

/// The entries of a folder by their kinds.
extension ScanWorker {
  private mutating func add(_ item: Item, to folder: inout ScannedFolder) throws(SystemError) {
    switch item.status.kind {
    case .folder: addFolder(item, to: &folder)
    case .file: try addFile(item, to: &folder)
    case .link: try addTarget(ofLink: item, to: &folder)
    case .fifo, .socket, .device:
      guard item.isTagged else { return }
      report(
        .specialFile, "\(quoted(bytes: item.path)) is a \(item.status.kind), which has no content to pack",
        item)
    }
  }

  private mutating func addFile(_ item: Item, to folder: inout ScannedFolder) throws(SystemError) {
    // An untagged file that a link leads to is counted at its own path.
    if item.isTagged && item.status.size > AssetFile.largest {
      let message =
        "the file \(quoted(bytes: item.path)) is \(ByteSize.exact(item.status.size)); expected at most 1 TiB"
      return report(.fileTooLarge, message, item)
    }
    guard item.isTagged else { return }
    try add(item, standingFor: pointer(inFile: item.path, item.status), to: &folder)
  }

  private mutating func add(_ item: Item, standingFor pointer: AssetPointer?, to folder: inout ScannedFolder)
  {
    guard let path = checkedPath(of: item) else { return }
    var tags = item.inherited
    for rule in item.ownRules { tags = union(tags, scanner.tagSets.ofRules[Int(rule)]) }
    if !scanner.captures.isEmpty {
      guard let all = addMadeTags(to: tags, of: item, path) else { return }
      tags = all
    }
    for rule in item.task.state.inherited { findings.isUsed[Int(rule)] = true }
    for rule in item.ownRules { findings.isUsed[Int(rule)] = true }
    let destination = scanner.hasDestinations ? destination(of: path, item) : nil
    if let destination, isTooLong(destination.utf8.count, item) { return }
    let file = AssetFile(
      path: path, size: pointer?.size ?? item.status.size, stamp: FileStamp(item.status), tagSet: tags!,
      destination: destination, pointer: pointer)
    if item.name.first == UInt8(ascii: ".") { hasHiddenFiles = true }
    folder.items.append(.file(slot(for: file)))
  }

  private mutating func slot(for file: consuming AssetFile) -> FileList.Slot {
    if files.count == FileList.blockSize { endBlock() }
    let block = block ?? beginBlock()
    files.append(file)
    return FileList.slot(files.count - 1, inBlock: block)
  }

  private mutating func beginBlock() -> Int {
    let number = scanner.beginBlock()
    block = number
    ThisProcess.makeRoom(forBytes: FileList.blockSize * Self.bytesOfFile)
    files.reserveCapacity(FileList.blockSize)
    return number
  }

  /// About what a file with its path takes.
  private static let bytesOfFile = 256

  /// Hands over the files of the current block.
  mutating func endBlock() {
    if let block { scanner.endBlock(block, files) }
    block = nil
    files = []
  }

  private mutating func addFolder(_ item: Item, to folder: inout ScannedFolder) {
    let state = scanner.rules.state(below: item.name, in: item.task.state)
    // One finding for a name that makes every path below it invalid.
    if !state.inherited.isEmpty && checkedPath(of: item) == nil { return }
    // Without a rule the app does not use this link to reach the files; they are counted at their own paths.
    if item.isLink && !state.mayMatch { return }
    if item.task.depth == AssetScan.deepestLevel {
      return reportDeepFolder(item.path, rules: state.inherited, isTagged: state.mayMatch)
    }
    let number = scanner.enter(
      item.path, state: state, identity: item.status.identity, parent: item.task.number,
      depth: item.task.depth + 1, throughLink: item.isLink)
    if let number { folder.items.append(.folder(UInt32(number))) }
  }

  private mutating func addTarget(
    ofLink item: Item, to folder: inout ScannedFolder
  ) throws(SystemError) {
    let below = scanner.rules.state(below: item.name, in: item.task.state)
    guard item.isTagged || below.mayMatch || scanner.takesPointers else { return }
    // Only a rule for the link itself makes its errors a finding; a glob may pass many links.
    let isMeant = item.isTagged || !below.inherited.isEmpty
    let outcome = try scanner.links.resolve(item.path)
    switch outcome {
    case .nowhere, .outside:
      guard scanner.takesPointers, let pointer = try scanner.root.pointer(inLink: item.path) else { break }
      if item.isTagged { return add(item, standingFor: pointer, to: &folder) }
      if !item.task.isLinked { folder.untagged.add(pointer.size) }
      return
    case .inside(let status) where status.kind != .folder:
      return try add(item.following(to: status), to: &folder)
    case .inside(let status) where !scanner.isFolder(item.task.number, within: status.identity):
      return addFolder(item.following(to: status), to: &folder)
    default: break
    }
    if isMeant, let (check, message) = mistake(ofLink: item, outcome) { report(check, message, item) }
  }

  /// The mistake in a link that a rule names; nil for a link to what is left out.
  private func mistake(ofLink item: Item, _ outcome: LinkResolver.Outcome) -> (Check, String)? {
    let link = "the link \(quoted(bytes: item.path)) leads"
    switch outcome {
    case .output: return nil
    case .inside: return (.linkLoop, "\(link) to a folder that it is in")
    case .changed:
      let link = "what the link \(quoted(bytes: item.path)) leads to"
      return (.fileChanged, "\(link) changed while it was looked at; build again once it rests")
    case .outside(let target):
      return (.linkEscapesRoot, "\(link) out of the root folder, to \(quoted(target))")
    case .nowhere(let target):
      return (.danglingLink, "\(link) to \(quoted(target)), which does not exist\(danglingHint(item))")
    case .closed(let target):
      return (.unreadableFile, "\(link) to \(quoted(target)), which cannot be read: permission denied")
    case .endless:
      return (.linkLoop, "\(link) through more than \(LinkResolver.mostLinks) links, which no system follows")
    case .circle(let chain):
      let way = (chain + [chain[0]]).map { quoted($0) }.joined(separator: " to ")
      return (.linkLoop, "links go round in a circle: \(way)")
    }
  }
}

/// Files and links that may stand for others.
extension ScanWorker {
  /// The bytes that an untagged file adds to the app bundle.
  private func size(
    of status: FileStatus, named name: ArraySlice<UInt8>, in task: AssetScanner.Task
  ) throws(SystemError) -> Int64 {
    guard scanner.takesPointers, status.size <= PointerText.longest else { return status.size }
    let path = task.path.isEmpty ? Array(name) : task.path + [UInt8(ascii: "/")] + name
    return try pointer(inFile: path, status)?.size ?? status.size
  }

  private func pointer(inFile path: [UInt8], _ status: FileStatus) throws(SystemError) -> AssetPointer? {
    scanner.takesPointers ? try scanner.root.pointer(inFile: path, status) : nil
  }

  /// The cure of a dangling link that git-annex made; empty for others.
  private func danglingHint(_ item: Item) -> String {
    guard let target = try? scanner.root.target(ofLink: item.path) else { return "" }
    return switch PointerText(linkTarget: target) {
    case .file: "; run \"git annex get\", or use --pointers to plan without the file"
    case .otherKey:
      "; run \"git annex get\", for its key does not state the SHA-256 and size that --pointers needs"
    case nil: ""
    }
  }
}

/// The findings of a scan.
extension ScanWorker {
  private mutating func report(_ check: Check, _ message: String, _ item: Item) {
    report(check, message, at: item.path, rules: item.rules)
  }

  private mutating func report(
    _ check: Check, _ message: String, at path: [UInt8], rules: [RuleIndex.RuleID], severity: Severity? = nil
  ) {
    for rule in rules { findings.isUsed[Int(rule)] = true }
    let place = Place(joined(scanner.manifest.rootPath, escaped(bytes: path, upTo: 300)))
    findings.found.add(Diagnostic(check, message, at: place, severity: severity))
  }

  private mutating func reportReplacedFolder(_ task: AssetScanner.Task) {
    report(
      .fileChanged,
      "something else took the place of the folder \(quoted(bytes: task.path)) while it was read; build again once "
        + "it rests", at: task.path, rules: task.state.inherited)
  }

  private mutating func reportDeepFolder(_ path: [UInt8], rules: [RuleIndex.RuleID], isTagged: Bool) {
    let message =
      "the folder \(quoted(bytes: path)) is below \(grouped(AssetScan.deepestLevel)) others; what is in it is not read"
    report(.unreadableFile, message, at: path, rules: rules, severity: isTagged ? nil : .warning)
  }

  private mutating func reportUnreadableFolder(
    _ path: [UInt8], rules: [RuleIndex.RuleID], isTagged: Bool
  ) {
    let message =
      "the folder \(quoted(bytes: path)) cannot be read: permission denied"
      + (isTagged ? "" : "; its files are not counted")
    report(.unreadableFile, message, at: path, rules: rules, severity: isTagged ? nil : .warning)
  }
}

/// Tags and destinations by rules.
extension ScanWorker {
  private mutating func tagSet(of rules: [RuleIndex.RuleID]) -> TagSets.ID? {
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

  /// Adds the tags that templates make; nil if one is no tag, which is reported, or there are too many.
  private mutating func addMadeTags(to tags: TagSets.ID?, of item: Item, _ path: String) -> TagSets.ID? {
    var all = tags
    for rule in item.ownRules {
      guard let captures = scanner.captures[rule] else { continue }
      let made = scanner.manifest.rules[Int(rule)].tags(from: captures, for: path)
      for tag in made {
        guard let mistake = TextForm.tag.mistake(in: tag.tag) else { continue }
        for rule in item.rules { findings.isUsed[Int(rule)] = true }
        let message =
          "the template \(quoted(tag.template.text.value)) makes no tag for \(quoted(path)): \(mistake.message)"
        let place = scanner.manifest.text.place(at: tag.template.text.offset)
        findings.found.add(Diagnostic(mistake.check, message, at: place))
        return nil
      }
      guard let set = madeSet(of: made, by: rule) else { return nil }
      all = union(all, set)
    }
    return all
  }

  private mutating func madeSet(
    of made: [MadeTagName], by rule: RuleIndex.RuleID
  ) -> TagSets.ID? {
    let key = MadeSet(rule: rule, tags: made.map { ByteKey($0.tag) })
    if let known = madeSets[key] { return known }
    let set = scanner.tagSets.set(of: made, by: rule)
    madeSets[key] = set
    return set
  }

  /// The path inside the pack, if a rule sets another than the path below the root.
  private mutating func destination(of path: String, _ item: Item) -> String? {
    let rules = scanner.manifest.rules
    guard item.rules.contains(where: { rules[Int($0)].destination != nil }) else { return nil }
    let places = item.rules.map { (rule: rules[Int($0)], place: rules[Int($0)].place(ofFile: path)) }
    if let other = places.first(where: { !$0.place.isSameInBytes(as: places[0].place) }) {
      let text = scanner.manifest.text
      findings.found.add(
        Diagnostic(
          .twoDestinations,
          "this rule sends \(quoted(path)) to \(quoted(other.place)), another to \(quoted(places[0].place))",
          at: text.place(at: other.rule.text.offset),
          notes: [.init("the other rule is here", at: text.place(at: places[0].rule.text.offset))]))
    }
    return places[0].place
  }

  /// The path as text; nil, with a finding, if no archive can contain it.
  private mutating func checkedPath(of item: Item) -> String? {
    let (path, form) = withPath(of: item) { (text(of: $0), PathForm(of: $0)) }
    guard let path else {
      report(.invalidName, "the name \(quoted(bytes: item.path)) is not UTF-8", item)
      return nil
    }
    if form.hasControlCharacter {
      report(.invalidName, "the name \(quoted(path)) has a control character", item)
      return nil
    }
    if form.hasBackslash {
      report(
        .invalidName,
        "the name \(quoted(path)) has a backslash, which some readers of packs take for a slash", item)
      return nil
    }
    return isTooLong(path.utf8.count, item) ? nil : path
  }

  /// Whether a path of this size in bytes is too long for archives, which is reported.
  private mutating func isTooLong(_ count: Int, _ item: Item) -> Bool {
    if count <= RelativePath.longest { return false }
    report(
      .invalidName,
      "a path is \(counted(count, "byte")) long; an archive holds at most \(grouped(RelativePath.longest))",
      item)
    return true
  }
}

private func text(of bytes: Span<UInt8>) -> String? {
  do {
    return String(copying: try UTF8Span(validating: bytes))
  } catch {
    return nil
  }
}

extension ResourceRule {
  /// The path inside the pack of a file that the rule matches.
  fileprivate func place(ofFile path: String) -> String {
    guard let destination else { return path }
    let depth =
      switch pattern {
      case .path(let path): path.components.count
      case .glob(let glob): glob.fixedDepth
      }
    // Split by scalars, since a slash followed by a combining mark is one Character, which differs from "/".
    let components = path.unicodeScalars.split(separator: "/").map(String.init)
    var below = components.dropFirst(depth)
    // The destination of a rule for a single file is its new path, or with a trailing slash its folder.
    if below.isEmpty && destination.isFolder { below = components.suffix(1) }
    return (destination.path.components + below).joined(separator: "/")
  }
}
