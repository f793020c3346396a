import Findings
import Formats
import System

/// One thread of a scan, which reads folders and matches their entries with the rules.
struct ScanWorker {
  private let scanner: AssetScanner
  private(set) var findings: ScanFindings
  /// A cache of unions, since most files of a folder need the same one.
  private var unions: [Pair: TagSets.ID] = [:]
  /// The index of the block of files that this thread fills; nil before the first file.
  private var block: Int?
  private var files: [AssetFile] = []

  /// Two tag sets to be united.
  private struct Pair: Hashable {
    let first: TagSets.ID
    let second: TagSets.ID
  }

  init(_ scanner: AssetScanner) {
    self.scanner = scanner
    findings = ScanFindings(ruleCount: scanner.manifest.rules.count)
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
    if !task.path.isEmpty && isBuiltFolder(listing) { return folder }
    let inherited = tagSet(of: task.state.inherited)
    // Growth by doubling would leave a third of the capacity unused.
    if task.state.mayMatch { folder.items.reserveCapacity(listing.entries.count) }
    for entry in listing.entries {
      let name = listing.name(of: entry)
      if BuiltInExcludes.contains(name) || entry.status.identity == scanner.output { continue }
      let match = scanner.rules.match(name, in: task.state)
      if match.isExcluded { continue }
      // The common case: an untagged file.
      if entry.status.kind == .file && inherited == nil && match.rules.isEmpty {
        if !task.isLinked { try count(entry.status, named: name, in: task, &folder.untagged) }
        continue
      }
      let item = Item(
        task: task, name: name, status: entry.status, ownRules: match.rules, inherited: inherited)
      try add(item, to: &folder)
    }
    return folder
  }

  /// Counts an untagged file; one whose size exceeds what an index can state is reported.
  private mutating func count(
    _ status: FileStatus, named name: ArraySlice<UInt8>, in task: AssetScanner.Task,
    _ untagged: inout FileCount
  ) throws(SystemError) {
    untagged.add(try size(of: status, named: name, in: task))
    guard status.size > ByteSize.largestExact else { return }
    let path = task.path.isEmpty ? Array(name) : task.path + [UInt8(ascii: "/")] + name
    let message = "the file \(quoted(bytes: path)) has no tags, but \(excessMessage(status.size))"
    report(.fileTooLarge, message, at: path, rules: [], severity: .warning)
  }

  /// An entry of a folder with the rules that match it.
  private struct Item {
    let task: AssetScanner.Task
    let name: ArraySlice<UInt8>
    let status: FileStatus
    let ownRules: [RuleIndex.RuleID]
    /// The tag set of the inherited rules.
    let inherited: TagSets.ID?
    let path: [UInt8]
    var isLink = false

    init(
      task: AssetScanner.Task, name: ArraySlice<UInt8>, status: FileStatus, ownRules: [RuleIndex.RuleID],
      inherited: TagSets.ID?
    ) {
      self.task = task
      self.name = name
      self.status = status
      self.ownRules = ownRules
      self.inherited = inherited
      path = task.path.isEmpty ? Array(name) : task.path + [UInt8(ascii: "/")] + name
    }

    /// The same entry with the status of its link's target.
    func following(to status: FileStatus) -> Item {
      var item = Item(task: task, name: name, status: status, ownRules: ownRules, inherited: inherited)
      item.isLink = true
      return item
    }

    var rules: [RuleIndex.RuleID] { task.state.inherited + ownRules }
    var isTagged: Bool { inherited != nil || !ownRules.isEmpty }
  }

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
        "the file \(quoted(bytes: item.path)) is \(counted(item.status.size, "byte")); expected at most 1 TiB"
      return report(.fileTooLarge, message, item)
    }
    guard item.isTagged else { return }
    try add(item, standingFor: scanner.pointers?.pointer(inFile: item.path, item.status), to: &folder)
  }

  /// Adds a tagged file, with what it stands for if it is a pointer.
  private mutating func add(
    _ item: Item, standingFor pointer: AssetPointer?, to folder: inout ScannedFolder
  ) {
    guard let path = checkedPath(of: item) else { return }
    var tags = item.inherited
    for rule in item.ownRules { tags = union(tags, scanner.tagSets.ofRules[Int(rule)]) }
    for rule in item.rules { findings.isUsed[Int(rule)] = true }
    let destination = destination(of: path, item)
    if let destination, isTooLong(destination.utf8.count, item) { return }
    let file = AssetFile(
      path: path, size: pointer?.size ?? item.status.size, stamp: FileStamp(item.status), tagSet: tags!,
      destination: destination, pointer: pointer)
    folder.items.append(.file(slot(for: file)))
  }

  private mutating func slot(for file: AssetFile) -> FileList.Slot {
    if files.count == FileList.blockSize { endBlock() }
    let block = block ?? beginBlock()
    files.append(file)
    return FileList.slot(files.count - 1, inBlock: block)
  }

  private mutating func beginBlock() -> Int {
    let number = scanner.beginBlock()
    block = number
    files.reserveCapacity(FileList.blockSize)
    return number
  }

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
    let number = scanner.enter(
      item.path, state: state, identity: item.status.identity, parent: item.task.number,
      throughLink: item.isLink)
    if let number { folder.items.append(.folder(UInt32(number))) }
  }

  private mutating func addTarget(
    ofLink item: Item, to folder: inout ScannedFolder
  ) throws(SystemError) {
    let below = scanner.rules.state(below: item.name, in: item.task.state)
    guard item.isTagged || below.mayMatch || scanner.pointers != nil else { return }
    // Only a rule for the link itself makes its errors a finding; a glob may pass many links.
    let isMeant = item.isTagged || !below.inherited.isEmpty
    let outcome = try scanner.links.resolve(item.path)
    if outcome.hasNoFile, let pointer = try scanner.pointers?.pointer(inLink: item.path) {
      if item.isTagged { return add(item, standingFor: pointer, to: &folder) }
      if !item.task.isLinked { folder.untagged.add(pointer.size) }
      return
    }
    switch outcome {
    case .inside(let status) where status.kind != .folder:
      try add(item.following(to: status), to: &folder)
    case .inside(let status):
      guard scanner.isFolder(item.task.number, within: status.identity) else {
        return addFolder(item.following(to: status), to: &folder)
      }
      if isMeant {
        report(.linkLoop, "the link \(quoted(bytes: item.path)) leads to a folder that it is in", item)
      }
    case .output: return
    case .changed:
      guard isMeant else { return }
      report(
        .fileChanged,
        "what the link \(quoted(bytes: item.path)) leads to changed while it was looked at; build again once it rests",
        item)
    case .outside(let target):
      guard isMeant else { return }
      report(
        .linkEscapesRoot,
        "the link \(quoted(bytes: item.path)) leads out of the root folder, to \(quoted(target))", item)
    case .nowhere(let target):
      guard isMeant else { return }
      report(
        .danglingLink,
        "the link \(quoted(bytes: item.path)) leads to \(quoted(target)), which does not exist"
          + danglingHint(item), item)
    case .closed(let target):
      guard isMeant else { return }
      report(
        .unreadableFile,
        "the link \(quoted(bytes: item.path)) leads to \(quoted(target)), which may not be read", item)
    case .endless:
      guard isMeant else { return }
      report(
        .linkLoop,
        "the link \(quoted(bytes: item.path)) leads through more than \(LinkResolver.mostLinks) links, which no "
          + "system follows", item)
    case .circle(let chain):
      guard isMeant else { return }
      let way = (chain + [chain[0]]).map { quoted($0) }.joined(separator: " to ")
      report(.linkLoop, "links go round in a circle: \(way)", item)
    }
  }
}

// Files and links that may stand for others.
extension ScanWorker {
  /// The bytes that an untagged file adds to the app bundle.
  private func size(
    of status: FileStatus, named name: ArraySlice<UInt8>, in task: AssetScanner.Task
  ) throws(SystemError) -> Int64 {
    guard let pointers = scanner.pointers, status.size <= PointerText.longest else { return status.size }
    let path = task.path.isEmpty ? Array(name) : task.path + [UInt8(ascii: "/")] + name
    return try pointers.pointer(inFile: path, status)?.size ?? status.size
  }

  /// What to do about a dangling link that git-annex made; empty for others.
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

// Tags and destinations by rules.
extension ScanWorker {
  private mutating func tagSet(of rules: [RuleIndex.RuleID]) -> TagSets.ID? {
    rules.reduce(nil) { set, rule in union(set, scanner.tagSets.ofRules[Int(rule)]) }
  }

  private mutating func union(_ first: TagSets.ID?, _ second: TagSets.ID) -> TagSets.ID {
    guard let first, first != second else { return second }
    let pair = Pair(first: first, second: second)
    if let known = unions[pair] { return known }
    let union = scanner.tagSets.union(first, second)
    unions[pair] = union
    return union
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
    guard let path = String(validating: item.path, as: UTF8.self) else {
      report(.invalidName, "the name \(quoted(bytes: item.path)) is not UTF-8", item)
      return nil
    }
    if path.unicodeScalars.contains(where: isControl) {
      report(.invalidName, "the name \(quoted(path)) has a control character", item)
      return nil
    }
    if path.utf8.contains(UInt8(ascii: "\\")) {
      report(
        .invalidName,
        "the name \(quoted(path)) has a backslash, which some readers of packs take for a slash", item)
      return nil
    }
    return isTooLong(item.path.count, item) ? nil : path
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

// The findings of a scan.
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

  private mutating func reportUnreadableFolder(
    _ path: [UInt8], rules: [RuleIndex.RuleID], isTagged: Bool
  ) {
    let message =
      "the folder \(quoted(bytes: path)) may not be read"
      + (isTagged ? "" : ", so its files are not counted")
    report(.unreadableFile, message, at: path, rules: rules, severity: isTagged ? nil : .warning)
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

/// Whether a folder is the output of a build, which is never packed.
private func isBuiltFolder(_ listing: FolderListing) -> Bool {
  let marks: [(name: String, kind: FileStatus.Kind)] = [
    (PublishedNames.recordFolder, .folder), (PublishedNames.index, .file),
    (PublishedNames.packsFolder, .folder),
  ]
  return marks.allSatisfy { mark in
    listing.entries.contains { entry in
      entry.status.kind == mark.kind && listing.name(of: entry).elementsEqual(mark.name.utf8)
    }
  }
}
