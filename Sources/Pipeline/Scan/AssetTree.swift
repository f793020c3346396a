import Formats
package import Model
package import System

/// All tagged files of an app's resources, and the count of untagged ones.
package struct AssetTree: Sendable {
  /// The tagged files, folder by folder; in byte order of their paths, except below links to folders.
  package var files = FileList()
  package var tagSets: TagSets
  /// The tags that templates made.
  package var generatedTags: [String: GeneratedTag] = [:]
  /// The paths of the folders that were read, which may have any bytes; the root's is empty.
  package var folders: [[UInt8]] = []
  /// The files that no rule matches in each of these folders, without those of its subfolders.
  package var untaggedInFolders: [FileCount] = []
  /// The files that no rule matches, which stay in the app bundle.
  package var untagged = FileCount()
  /// These files, folder by folder; empty unless the scan was asked to list them.
  package var untaggedFiles: [UntaggedFile] = []
  /// Whether the files are known to be in byte order of their paths inside packs.
  package var isInPackOrder = false
  /// Whether two names of one folder may be one where neither case nor Unicode form counts; else no two paths are.
  package var mayHaveClashes = true
  /// Whether the names of some files may begin with a dot.
  package var mayHaveHiddenFiles = true
  /// Whether there may be paths inside packs that Windows cannot store.
  package var mayHaveUnportableNames = true
  /// The files of which a device gets only some.
  package var variants = AssetVariants()

  package init(files: FileList = FileList(), tagSets: TagSets) {
    self.files = files
    self.tagSets = tagSets
  }

  /// Takes an app's resources that no rule matches for untagged, in place of all others below the root.
  mutating func replaceUntagged(from resources: [UntaggedFile], listing: UntaggedListing) {
    let tagged = Set(files.map { ByteKey($0.path) })
    let rest = resources.filter { !tagged.contains(ByteKey($0.path)) }
    untagged = rest.reduce(into: FileCount()) { $0.add($1.size) }
    untaggedFiles = listing == .listed ? rest : []
  }
}

/// What is noted of files without tags.
package enum UntaggedListing: Sendable {
  /// Their number and size.
  case counted
  /// Each file.
  case listed
}

/// One file with tags.
package struct AssetFile: Sendable {
  /// The largest size of a file in bytes; sums over millions of such files fit 64 bits.
  package static let largest: Int64 = 1 << 40

  /// The path, relative to the root.
  package let path: String
  /// The size in bytes; of a pointer, that of the file that it stands for.
  package let size: Int64
  package let stamp: FileStamp
  package var tagSet: TagSets.ID
  /// The path inside the pack, if a rule sets another than the path below the root.
  package var destination: String?
  /// The content that the file stands for; nil if it is no pointer, or the scan was not asked for pointers.
  package let pointer: AssetPointer?

  package init(
    path: String, size: Int64, stamp: FileStamp, tagSet: TagSets.ID, destination: String?,
    pointer: AssetPointer? = nil
  ) {
    self.pointer = pointer
    self.path = path
    self.size = size
    self.stamp = stamp
    self.tagSet = tagSet
    self.destination = destination
  }

  /// The path inside the pack.
  package var packPath: String { destination ?? path }
}

/// The file that a Git LFS pointer or a git-annex key stands for.
///
/// A class, so that the files of a tree without pointers need no room for digests.
package final class AssetPointer: Sendable {
  /// The digest of the file's content.
  package let digest: Digest
  /// The size of the file in bytes, at most `AssetFile.largest`.
  package let size: Int64
  /// Whether the pointer is a symbolic link, which leads to no file below the root.
  package let isLink: Bool

  package init(digest: Digest, size: Int64, isLink: Bool = false) {
    self.digest = digest
    self.size = size
    self.isLink = isLink
  }
}

/// The files of a tree in order.
///
/// They stay in the blocks that the threads of a scan filled: sorting into one array would hold a million files in
/// memory twice.
package struct FileList: Sendable {
  /// The number of files in a block; each thread has at most one that is not full.
  static let blockSize = 1 << 11

  /// A file's block and its index there, as one number: enough for 4 billion files.
  typealias Slot = UInt32

  private var blocks: [[AssetFile]]
  private var slots: [Slot]

  init(blocks: [[AssetFile]], order: [Slot]) {
    self.blocks = blocks
    slots = order
  }

  package init(_ files: some Sequence<AssetFile> = EmptyCollection()) {
    self.init(blocks: [], order: [])
    for file in files { append(file) }
  }

  package mutating func append(_ file: AssetFile) {
    if blocks.last.map({ $0.count == Self.blockSize }) ?? true { blocks.append([]) }
    slots.append(Self.slot(blocks[blocks.count - 1].count, inBlock: blocks.count - 1))
    blocks[blocks.count - 1].append(file)
  }

  static func slot(_ index: Int, inBlock block: Int) -> Slot { Slot(block * blockSize + index) }
}

extension FileList: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { slots.count }

  package subscript(position: Int) -> AssetFile {
    // Lends the file: a copy counts three references, which threads that share a file would wait for.
    @inline(__always) _read {
      let slot = Int(slots[position])
      yield blocks[slot / Self.blockSize][slot % Self.blockSize]
    }
  }
}

/// The times and identity that show, without reading it, whether a file has changed.
package struct FileStamp: Sendable, Hashable {
  /// Time of the last change of content, in nanoseconds since 1970.
  package let modified: Int64
  /// Time of the last change of content, name or rights, in nanoseconds since 1970.
  package let changed: Int64
  package let identity: FileIdentity

  /// The stamp of nothing, which proves nothing.
  package static let unknown = FileStamp(modified: 0, changed: 0, identity: FileIdentity(device: 0, inode: 0))

  package init(_ status: FileStatus) {
    self.init(modified: status.modified, changed: status.changed, identity: status.identity)
  }

  package init(modified: Int64, changed: Int64, identity: FileIdentity) {
    self.modified = modified
    self.changed = changed
    self.identity = identity
  }

  /// A stamp that changes if anything in a folder does.
  ///
  /// Its `changed` is not a time but a digest of all names, sizes and times below the folder.
  package init(ofAllIn path: String) throws(SystemError) {
    let folder = try Folder(path)
    let status = try folder.status()
    let digest = try Self.digest(ofAllIn: folder)
    self.init(modified: status.modified, changed: Int64(bitPattern: digest), identity: status.identity)
  }

  private static func digest(ofAllIn folder: Folder) throws(SystemError) -> UInt64 {
    // FNV-1a over numbers: it detects accidental changes, and is the same in every run.
    var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    var walk = FolderWalk(folder)
    while let entry = try walk.next() {
      let times = [entry.status.size, entry.status.modified, entry.status.changed].map(
        UInt64.init(bitPattern:))
      for number in entry.path.map(UInt64.init) + times + [entry.status.identity.inode] {
        digest = (digest ^ number) &* 0x100_0000_01b3
        digest ^= digest >> 29
      }
    }
    return digest
  }
}
