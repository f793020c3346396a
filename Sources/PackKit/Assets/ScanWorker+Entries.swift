import Findings
import Formats
import System

/// The entries of a folder by their kinds.
extension ScanWorker {
  mutating func add(_ item: Item, to folder: inout ScannedFolder) throws(SystemError) {
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

  mutating func addFile(_ item: Item, to folder: inout ScannedFolder) throws(SystemError) {
    // An untagged file that a link leads to is counted at its own path.
    if item.isTagged && item.status.size > AssetFile.largest {
      let message =
        "the file \(quoted(bytes: item.path)) is \(ByteSize.exact(item.status.size)); expected at most 1 TiB"
      return report(.fileTooLarge, message, item)
    }
    guard item.isTagged else { return }
    try add(item, standingFor: scanner.pointers?.pointer(inFile: item.path, item.status), to: &folder)
  }

  /// Adds a tagged file, with what it stands for if it is a pointer.
  mutating func add(_ item: Item, standingFor pointer: AssetPointer?, to folder: inout ScannedFolder) {
    guard let path = checkedPath(of: item) else { return }
    var tags = item.inherited
    for rule in item.ownRules { tags = union(tags, scanner.tagSets.ofRules[Int(rule)]) }
    if !scanner.templates.isEmpty {
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

  mutating func slot(for file: consuming AssetFile) -> FileList.Slot {
    if files.count == FileList.blockSize { endBlock() }
    let block = block ?? beginBlock()
    files.append(file)
    return FileList.slot(files.count - 1, inBlock: block)
  }

  mutating func beginBlock() -> Int {
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

  mutating func addFolder(_ item: Item, to folder: inout ScannedFolder) {
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

  mutating func addTarget(
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
      return try add(item.following(to: status), to: &folder)
    case .inside(let status) where !scanner.isFolder(item.task.number, within: status.identity):
      return addFolder(item.following(to: status), to: &folder)
    default:
      if isMeant, let (check, message) = mistake(ofLink: item, outcome) { report(check, message, item) }
    }
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
  func size(
    of status: FileStatus, named name: ArraySlice<UInt8>, in task: AssetScanner.Task
  ) throws(SystemError) -> Int64 {
    guard let pointers = scanner.pointers, status.size <= PointerText.longest else { return status.size }
    let path = task.path.isEmpty ? Array(name) : task.path + [UInt8(ascii: "/")] + name
    return try pointers.pointer(inFile: path, status)?.size ?? status.size
  }

  /// The cure of a dangling link that git-annex made; empty for others.
  func danglingHint(_ item: Item) -> String {
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
  mutating func report(_ check: Check, _ message: String, _ item: Item) {
    report(check, message, at: item.path, rules: item.rules)
  }

  mutating func report(
    _ check: Check, _ message: String, at path: [UInt8], rules: [RuleIndex.RuleID], severity: Severity? = nil
  ) {
    for rule in rules { findings.isUsed[Int(rule)] = true }
    let place = Place(joined(scanner.manifest.rootPath, escaped(bytes: path, upTo: 300)))
    findings.found.add(Diagnostic(check, message, at: place, severity: severity))
  }

  mutating func reportReplacedFolder(_ task: AssetScanner.Task) {
    report(
      .fileChanged,
      "something else took the place of the folder \(quoted(bytes: task.path)) while it was read; build again once "
        + "it rests", at: task.path, rules: task.state.inherited)
  }

  mutating func reportDeepFolder(_ path: [UInt8], rules: [RuleIndex.RuleID], isTagged: Bool) {
    let message =
      "the folder \(quoted(bytes: path)) is below \(grouped(AssetScan.deepestLevel)) others; what is in it is not read"
    report(.unreadableFile, message, at: path, rules: rules, severity: isTagged ? nil : .warning)
  }

  mutating func reportUnreadableFolder(
    _ path: [UInt8], rules: [RuleIndex.RuleID], isTagged: Bool
  ) {
    let message =
      "the folder \(quoted(bytes: path)) cannot be read: permission denied"
      + (isTagged ? "" : "; its files are not counted")
    report(.unreadableFile, message, at: path, rules: rules, severity: isTagged ? nil : .warning)
  }
}
