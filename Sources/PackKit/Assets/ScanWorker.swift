import Findings
import System

/// One thread of a scan, which reads folders and matches their entries with the rules.
struct ScanWorker {
  let scanner: AssetScanner
  var findings: ScanFindings
  /// Whether two names of a folder differ perhaps only in case or Unicode form.
  private(set) var hasSimilarNames = false
  /// Whether the name of a tagged file begins with a dot.
  var hasHiddenFiles = false
  /// The path of the folder that is read, with a slash unless it is the root; then the name of an entry.
  private var path: [UInt8] = []
  private var folderLength = 0
  /// A cache of unions by both sets as one number, since most files of a folder need the same one.
  var unions: [Int64: TagSets.ID] = [:]
  /// A cache of the sets of made tags, for the same reason.
  var madeSets: [MadeSet: TagSets.ID] = [:]
  /// The index of the block of files that this thread fills; nil before the first file.
  var block: Int?
  var files: [AssetFile] = []

  /// The tags that the templates of a rule made for a file.
  struct MadeSet: Hashable {
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
      if match.isExcluded || BuiltInExcludes.contains(name) { continue }
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
  mutating func withPath<Result>(of item: Item, _ body: (Span<UInt8>) -> Result) -> Result {
    path.removeSubrange(folderLength...)
    path += item.name
    return body(path.span)
  }

  /// An entry of a folder with the rules that match it.
  struct Item {
    let task: AssetScanner.Task
    let name: ArraySlice<UInt8>
    let status: FileStatus
    let ownRules: [RuleIndex.RuleID]
    /// The tag set of the inherited rules.
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
