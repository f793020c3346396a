import Formats
import Model
import System

/// Walks the root folder on several threads and assigns tags to each file.
///
/// No function is recursive, because threads take folders from a shared list. The files of each folder are
/// collected separately, and sorted at the end.
final class AssetScanner: Sendable {
  let manifest: Manifest
  let rules: RuleMatcher
  let root: Folder
  let links: SymlinkResolver
  /// The folder that the build writes to, which is never packed.
  let output: FileIdentity?
  /// The files that the manifest was read from, and files that the manifest uses for other purposes than
  /// packing.
  ///
  /// They are never packed or counted.
  ///
  /// There are so few of these files that a linear search is faster than a hash table.
  let others: [FileIdentity]
  /// The files that the command line uses for another purpose than as assets, each with the flag or argument
  /// that specifies it.
  ///
  /// Rules must not match these files.
  let named: [FileIdentity: RunScope.NamedFile]
  let tagSets: SharedTagSets
  /// The compiled globs of rules with tag templates, by the index of the rule.
  let captures: [RuleMatcher.RuleID: GlobCaptures]
  /// Whether a pointer is treated like the file that it represents; if false, it is treated like any other
  /// file.
  let acceptsPointers: Bool
  /// The maximum number of folders that are entered through symlinks.
  ///
  /// There is a maximum because a few symlinks can lead to endlessly many folders.
  private let maxLinkedFolders: Int
  /// The maximum depth of folders that are read.
  let deepestLevel: Int
  let untagged: UntaggedListing
  let hasDestinations: Bool
  private let walk: Monitor<Walk>
  private let blocks = Monitor<[[AssetFile]]>([])

  /// A folder to be read.
  ///
  /// The type is a class because each entry of the folder refers to its folder's task.
  final class Task: Sendable {
    let number: Int
    let path: [UInt8]
    let state: RuleMatcher.FolderState
    /// The folder's identity at the time when the folder was found.
    let identity: FileIdentity
    /// Whether the folder was entered through a symlink.
    ///
    /// If so, its files also exist at another path.
    let isLinked: Bool
    /// The number of folders above this folder.
    let depth: Int
    /// The flag that specifies this folder, or one of its parent folders, as an earlier release; nil if there
    /// is no such flag.
    let named: RunScope.NamedFile?

    init(
      number: Int, path: [UInt8], state: RuleMatcher.FolderState, identity: FileIdentity, isLinked: Bool,
      depth: Int = 0, named: RunScope.NamedFile? = nil
    ) {
      self.named = named
      self.number = number
      self.path = path
      self.state = state
      self.identity = identity
      self.isLinked = isLinked
      self.depth = depth
    }

    /// Returns the path of the entry with a name in the folder.
    func path(of name: ArraySlice<UInt8>) -> [UInt8] {
      if path.isEmpty { return Array(name) }
      // One allocation instead of three, because a scan makes the path of every file.
      var bytes: [UInt8] = []
      bytes.reserveCapacity(path.count + 1 + name.count)
      bytes += path
      bytes.append(UInt8(ascii: "/"))
      bytes += name
      return bytes
    }
  }

  /// The state that the threads share.
  private struct Walk {
    var waiting: [Task] = []
    var busyWorkers = 0
    var folders: [FolderRecord] = []
    var linkedFolders = 0
    var failure: SystemError?
  }

  /// A folder that was found.
  ///
  /// Its contents are added after the folder has been read.
  private struct FolderRecord {
    let path: [UInt8]
    let identity: FileIdentity
    let parent: Int?
    let isLinked: Bool
    var contents = ScannedFolder()
  }

  init(
    _ manifest: Manifest, leavingOut output: FileIdentity?, acceptsPointers: Bool = false,
    maxLinkedFolders: Int = 100_000, deepestLevel: Int = AssetScan.deepestLevel,
    maxTags: Int = SharedTagSets.maxTags, untagged: UntaggedListing = .counted
  ) throws(SystemError) {
    self.manifest = manifest
    self.deepestLevel = deepestLevel
    self.untagged = untagged
    self.maxLinkedFolders = maxLinkedFolders
    self.output = output
    var others: [FileIdentity] = []
    for path in manifest.otherPaths {
      if let identity = try FileOperations.statusIfThere(path)?.identity { others.append(identity) }
    }
    self.others = others
    var named: [FileIdentity: RunScope.NamedFile] = [:]
    for file in RunScope.current.files {
      guard let status = try? FileOperations.statusIfThere(file.path) else { continue }
      named[status.identity] = file
    }
    self.named = named
    rules = RuleMatcher(manifest)
    hasDestinations = manifest.hasDestinations
    root = try Folder(manifest.rootPath)
    self.acceptsPointers = acceptsPointers
    links = try SymlinkResolver(root: manifest.rootPath, leavingOut: output)
    tagSets = SharedTagSets(manifest, maxTags: maxTags)
    let templated =
      manifest.hasTemplates ? manifest.rules.indices.filter { !manifest.rules[$0].templates.isEmpty } : []
    captures = Dictionary(
      uniqueKeysWithValues: templated.compactMap { number in
        manifest.rules[number].captures.map { (RuleMatcher.RuleID(number), $0) }
      })
    walk = Monitor(Walk())
    let identity = try root.status().identity
    _ = enter([], state: rules.root, identity: identity, parent: nil, depth: 0, throughLink: false)
  }

  func scan(jobs: Int) throws(SystemError) -> (tree: AssetTree, findings: ScanFindings) {
    let findings = Monitor(ScanFindings(of: manifest))
    onThreads(jobs) { _ in
      var worker = ScanWorker(self)
      while let task = self.nextTask() {
        self.finish(task) { () throws(SystemError) in try worker.read(task) }
      }
      worker.endBlock()
      findings.change { $0.add(worker.findings) }
    }
    var found = findings.change { $0 }
    return try walk.change { walk throws(SystemError) in
      if let failure = walk.failure { throw failure }
      let tags = tagSets.value
      var tree = AssetTree(tagSets: tags.sets)
      tree.generatedTags = tags.generated
      let order = Self.collect(&walk.folders, into: &tree)
      tree.mayHaveClashes = found.hasSimilarNames
      tree.mayHaveHiddenFiles = found.hasHiddenFiles
      tree.mayHaveUnportableNames = found.hasUnportableNames || hasDestinations
      tree.mayHaveUnlikelyNames = found.hasUnlikelyNames
      tree.mayHaveCatalogs = found.hasCatalogs
      // Only destinations and symlinks to folders change the order of paths.
      tree.isInPackOrder = !hasDestinations && walk.linkedFolders == 0
      tree.files = FileList(blocks: blocks.change { $0 }, order: order)
      if walk.linkedFolders > maxLinkedFolders {
        let message =
          "symlinks lead to more than \(grouped(maxLinkedFolders)) folders; remove symlinks to folders that "
          + "contain symlinks"
        found.found.add(Diagnostic(.linkLoop, message: message, at: Place(manifest.rootPath)))
      }
      return (tree, found)
    }
  }

  /// Adds a folder to the list of folders to read.
  ///
  /// Returns nil if too many folders were entered through symlinks.
  func enter(
    _ path: [UInt8], state: RuleMatcher.FolderState, identity: FileIdentity, parent: Task?, depth: Int,
    throughLink: Bool
  ) -> Int? {
    // The root folder is not checked, because it can also be the root of an earlier release's manifest.
    let named = path.isEmpty ? nil : named[identity] ?? parent?.named
    return walk.change { walk in
      if throughLink {
        walk.linkedFolders += 1
        if walk.linkedFolders > maxLinkedFolders { return nil }
      }
      let number = walk.folders.count
      let isLinked = throughLink || parent?.isLinked ?? false
      walk.folders.append(
        FolderRecord(path: path, identity: identity, parent: parent?.number, isLinked: isLinked))
      walk.waiting.append(
        Task(
          number: number, path: path, state: state, identity: identity, isLinked: isLinked, depth: depth,
          named: named))
      return number
    }
  }

  func beginBlock() -> Int {
    blocks.change { blocks in
      blocks.append([])
      return blocks.count - 1
    }
  }

  func endBlock(_ number: Int, files: consuming [AssetFile]) {
    let files = files
    blocks.change { $0[number] = files }
  }

  func isFolder(_ number: Int, within identity: FileIdentity) -> Bool {
    walk.change { walk in
      var next: Int? = number
      while let number = next {
        if walk.folders[number].identity == identity { return true }
        next = walk.folders[number].parent
      }
      return false
    }
  }

  private func nextTask() -> Task? {
    walk.wait(until: { !$0.waiting.isEmpty || $0.busyWorkers == 0 || $0.failure != nil }) { walk in
      guard walk.failure == nil, let task = walk.waiting.popLast() else { return nil }
      walk.busyWorkers += 1
      return task
    }
  }

  private func finish(_ task: Task, read: () throws(SystemError) -> ScannedFolder) {
    let result = Result(catching: read)
    walk.change { walk in
      walk.busyWorkers -= 1
      switch result {
      case .success(let folder): walk.folders[task.number].contents = folder
      case .failure(let error): walk.failure = error
      }
    }
  }

  /// Collects the files in byte order of their paths, by visiting the folders depth first.
  private static func collect(
    _ folders: inout [FolderRecord], into tree: inout AssetTree
  ) -> [FileList.Slot] {
    var order: [FileList.Slot] = []
    order.reserveCapacity(folders.reduce(0) { $0 + $1.contents.items.count })
    var open: [ArraySlice<ScannedFolder.Item>] = []
    func enter(_ number: Int) {
      tree.folders.append(folders[number].path)
      tree.untagged += folders[number].contents.untagged
      tree.untaggedInFolders.append(folders[number].contents.untagged)
      tree.untaggedFiles += folders[number].contents.untaggedFiles
      open.append(folders[number].contents.items[...])
      folders[number].contents = ScannedFolder()
    }
    enter(0)
    while let last = open.indices.last {
      switch open[last].popFirst() {
      case .file(let slot): order.append(slot)
      case .folder(let number): enter(Int(number))
      case nil: open.removeLast()
      }
    }
    return order
  }
}

/// The contents of one folder, in byte order.
struct ScannedFolder {
  enum Item {
    case file(FileList.Slot)
    /// The index of a folder.
    case folder(UInt32)
  }

  var items: [Item] = []
  var untagged = FileCount()
  var untaggedFiles: [UntaggedFile] = []
}

struct ScanFindings {
  var found = FindingList()
  /// For each rule, whether it matched a file or already has a finding.
  var isUsed: [Bool]
  /// For each exclude, whether it matched a file or folder.
  var isExcludeUsed: [Bool]
  /// For each glob in the `except` of a rule, whether it left out a file or folder of the rule.
  ///
  /// The globs of all rules are counted together.
  var isExceptUsed: [Bool]
  /// For each rule with `otherwise`, whether it matched a file that a rule without `otherwise` took.
  var isOutranked: [Bool]
  /// Whether two names in a folder might differ only in case or Unicode normalization.
  var hasSimilarNames = false
  /// Whether the name of a tagged file begins with a dot.
  var hasHiddenFiles = false
  /// Whether Windows cannot store the path of a tagged file.
  var hasUnportableNames = false
  var hasUnlikelyNames = false
  var hasCatalogs = false

  init(of manifest: Manifest) {
    isUsed = Array(repeating: false, count: manifest.rules.count)
    isExcludeUsed = Array(repeating: false, count: manifest.excludes.count)
    let exceptCount = manifest.rules.indices.reduce(0) { $0 + manifest.rules[$1].excepts.count }
    isExceptUsed = Array(repeating: false, count: exceptCount)
    isOutranked = Array(repeating: false, count: manifest.rules.count)
  }

  mutating func add(_ other: ScanFindings) {
    found.add(other.found)
    hasSimilarNames = hasSimilarNames || other.hasSimilarNames
    hasHiddenFiles = hasHiddenFiles || other.hasHiddenFiles
    hasUnportableNames = hasUnportableNames || other.hasUnportableNames
    hasUnlikelyNames = hasUnlikelyNames || other.hasUnlikelyNames
    hasCatalogs = hasCatalogs || other.hasCatalogs
    for (rule, used) in other.isUsed.enumerated() where used { isUsed[rule] = true }
    for (exclude, used) in other.isExcludeUsed.enumerated() where used { isExcludeUsed[exclude] = true }
    for (except, used) in other.isExceptUsed.enumerated() where used { isExceptUsed[except] = true }
    for (rule, outranked) in other.isOutranked.enumerated() where outranked { isOutranked[rule] = true }
  }
}

// Pointers: files and symlinks that represent other files.
extension Folder {
  /// Returns the content that a pointer file represents; nil if the file is not a pointer.
  ///
  /// The result is also nil if the file cannot be read, because other checks report unreadable files.
  func pointer(inFile path: [UInt8], status: FileStatus) throws(SystemError) -> AssetPointer? {
    guard status.size <= PointerText.maxSize else { return nil }
    let text = try unless {
      $0.isMissing || $0.isDenied || $0.isNoFile || $0.isLink
    } call: {
      () throws(SystemError) -> PointerText? in
      let file = try openFile(path)
      guard try file.status().identity == status.identity else { return nil }
      // One byte more than expected is read, to detect a file that has grown.
      return PointerText(contents: try file.bytes(count: Int(status.size) + 1, at: 0))
    }
    return (text ?? nil)?.content.map { AssetPointer(digest: $0.digest, size: $0.size) }
  }

  /// Returns the content that a symlink represents; nil if the symlink's target is not a git-annex key.
  func pointer(inLink path: [UInt8]) throws(SystemError) -> AssetPointer? {
    let target = try unless {
      $0.isMissing || $0.isDenied || $0.isNoLink
    } call: { () throws(SystemError) in
      try self.target(ofLink: path)
    }
    let text = target.flatMap(PointerText.init(linkTarget:))
    return text?.content.map { AssetPointer(digest: $0.digest, size: $0.size, isLink: true) }
  }
}

extension PointerText {
  /// The digest and size of the real file; nil if the pointer does not state both.
  fileprivate var content: (digest: Digest, size: Int64)? {
    guard case .file(let digest, let size) = self else { return nil }
    return (digest, size)
  }
}
