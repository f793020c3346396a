import Formats
package import Model
package import System

/// All tagged files of an app's resources, and the number of untagged files.
package struct AssetTree: Sendable {
  /// The tagged files, folder by folder.
  ///
  /// They are in byte order of their paths, except below symlinks to folders.
  package var files = FileList()
  package var tagSets: TagSets
  /// The tags that templates generated, by name.
  package var generatedTags: [String: GeneratedTag] = [:]
  /// The paths of the folders that were read.
  ///
  /// They can contain any bytes. The root's path is empty.
  package var folders: [[UInt8]] = []
  /// For each folder in `folders`, the number and total size of the files directly in it that no rule
  /// matches.
  package var untaggedInFolders: [FileCount] = []
  /// The number and total size of all files that no rule matches.
  ///
  /// These files stay in the app bundle.
  package var untagged = FileCount()
  /// The list of the untagged files, folder by folder; empty if the scan only counts untagged files.
  package var untaggedFiles: [UntaggedFile] = []
  /// Whether the files are known to be in byte order of their paths inside packs.
  package var isInPackOrder = false
  /// Whether any folder contains two names that might be equal if case and Unicode normalization are ignored.
  ///
  /// If the value is false, no two paths clash.
  package var mayHaveClashes = true
  /// Whether the names of some files might begin with a dot.
  package var mayHaveHiddenFiles = true
  /// Whether some paths inside packs might not be storable on Windows.
  package var mayHaveUnportableNames = true
  /// Whether some files or folders might have names that assets hardly ever have, such as `map.bak`.
  package var mayHaveUnlikelyNames = true
  /// Whether some files might be in asset catalogs.
  package var mayHaveCatalogs = true
  /// The variants.
  ///
  /// A device gets only some of their files.
  package var variants = AssetVariants()

  package init(files: FileList = FileList(), tagSets: TagSets) {
    self.files = files
    self.tagSets = tagSets
  }

  /// Replaces the untagged files with those of an app's resources that no rule matches.
  mutating func replaceUntagged(from resources: [UntaggedFile], listing: UntaggedListing) {
    let tagged = Set(files.map { ByteKey($0.path) })
    let rest = resources.filter { !tagged.contains(ByteKey($0.path)) }
    untagged = rest.reduce(into: FileCount()) { $0.add($1.size) }
    untaggedFiles = listing == .listed ? rest : []
  }
}

/// The information that is kept about files without tags.
package enum UntaggedListing: Sendable {
  /// The scan does not read folders in which no rule can match a file.
  case ignored
  /// Only the number and total size of the files without tags are kept.
  case counted
  /// A list of the files without tags is also kept.
  case listed
}

/// One file with tags.
package struct AssetFile: Sendable {
  /// The maximum size of a file in bytes.
  ///
  /// The sum of the sizes of millions of such files fits into 64 bits.
  package static let largest: Int64 = 1 << 40

  /// The path, relative to the root.
  package let path: String
  /// The size in bytes; for a pointer, the size of the file that it represents.
  package let size: Int64
  package let stamp: FileStamp
  package var tagSet: TagSets.ID
  /// The path inside the pack if a rule sets a destination; otherwise nil.
  package var destination: String?
  /// The content that the file represents; nil if the file is not a pointer, or if the scan did not look for
  /// pointers.
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

/// The file that a Git LFS pointer or a git-annex key represents.
///
/// The type is a class, because then files that are not pointers need no memory for a digest.
package final class AssetPointer: Sendable {
  /// The digest of the file's content.
  package let digest: Digest
  /// The size of the file in bytes, at most `AssetFile.largest`.
  package let size: Int64
  /// Whether the pointer is a symlink that does not lead to a file below the root.
  package let isLink: Bool

  package init(digest: Digest, size: Int64, isLink: Bool = false) {
    self.digest = digest
    self.size = size
    self.isLink = isLink
  }
}

/// The files of a tree in order.
///
/// The files stay in the blocks that the threads of a scan filled. Sorting them into one array would keep a
/// million files in memory twice.
package struct FileList: Sendable {
  /// The number of files in a block.
  ///
  /// Each thread has at most one block that is not full.
  static let blockSize = 1 << 11

  /// The index of a file's block and the file's index in the block, combined into one number.
  ///
  /// The number is large enough for 4 billion files.
  typealias Slot = UInt32

  private var blocks: [[AssetFile]]
  private var slots: [Slot]

  init(blocks: [[AssetFile]], order: [Slot]) {
    self.blocks = blocks
    slots = order
  }

  package init(_ files: some Sequence<AssetFile> = EmptyCollection()) {
    self.init(blocks: [], order: [])
    for file in files {
      // All blocks but the last are full, so the slots have no gaps.
      if slots.count % Self.blockSize == 0 { blocks.append([]) }
      blocks[blocks.count - 1].append(file)
      slots.append(Slot(slots.count))
    }
  }

  static func slot(_ index: Int, inBlock block: Int) -> Slot { Slot(block * blockSize + index) }
}

/// Properties of single files.
///
/// Reading them changes fewer reference counts than a copy of the file. Comparisons read them for every file.
extension FileList {
  package func packPath(at position: Int) -> String {
    let place = findPlace(of: position)
    return blocks[place.block][place.index].destination ?? blocks[place.block][place.index].path
  }

  /// Compares a file's path inside the pack with the UTF-8 bytes of another path.
  ///
  /// - Returns: a negative number if the file's path comes first in byte order, and 0 if the paths are the same.
  package func comparePackPath(at position: Int, utf8 other: RawSpan) -> Int {
    let place = findPlace(of: position)
    if let destination = blocks[place.block][place.index].destination {
      return ByteOrder.compare(destination, utf8: other)
    }
    return ByteOrder.compare(blocks[place.block][place.index].path, utf8: other)
  }

  package func size(at position: Int) -> Int64 {
    let place = findPlace(of: position)
    return blocks[place.block][place.index].size
  }

  package func stamp(at position: Int) -> FileStamp {
    let place = findPlace(of: position)
    return blocks[place.block][place.index].stamp
  }

  /// The place of a file in the blocks.
  private struct Place {
    let block: Int
    let index: Int
  }

  @inline(__always) private func findPlace(of position: Int) -> Place {
    let slot = Int(slots[position])
    return Place(block: slot / Self.blockSize, index: slot % Self.blockSize)
  }
}

extension FileList: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { slots.count }

  package subscript(position: Int) -> AssetFile {
    // The file is yielded instead of copied. A copy would change three reference counts, which is slow if
    // threads share the file.
    @inline(__always) _read {
      let place = findPlace(of: position)
      yield blocks[place.block][place.index]
    }
  }
}

/// Adjacent files of a list that are directly in the same folder.
package struct FolderFiles: Sendable {
  /// The path of the folder; "." for the root.
  package let path: Substring
  /// The positions of the files in the list.
  package let files: Range<Int>
  /// The number of bytes before the file name in each path, which are the folder's path and a slash; 0 for
  /// the root.
  package let nameStart: Int
}

extension FileList {
  /// The files by folder.
  ///
  /// A folder can be in the list several times, because the files of a subfolder can be between its files.
  package var byFolder: [FolderFiles] {
    var folders: [FolderFiles] = []
    var first = 0
    var folder = ""
    var length = 0
    func add(upTo end: Int) {
      if end == first { return }
      let path = length == 0 ? "." : Substring(folder.utf8.prefix(length - 1))
      folders.append(FolderFiles(path: path, files: first..<end, nameStart: length))
    }
    for position in indices {
      // The bytes are compared without Swift's view of characters, because this runs for every file.
      let path = self[position].path
      let bytes = path.utf8Span.span
      var start = bytes.count
      while start > 0, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
      if start == length, position > first, bytes.begins(likeFirst: length, of: folder.utf8Span.span) {
        continue
      }
      add(upTo: position)
      (first, folder, length) = (position, path, start)
    }
    add(upTo: count)
    return folders
  }
}

extension Span<UInt8> {
  /// Whether the first `count` bytes of both spans are equal.
  ///
  /// Both spans must have at least `count` bytes.
  fileprivate func begins(likeFirst count: Int, of other: Span<UInt8>) -> Bool {
    var index = count
    // Paths of different folders usually differ near the end of the folder's name.
    while index > 0, self[index - 1] == other[index - 1] { index -= 1 }
    return index == 0
  }
}

/// The times and the identity of a file.
///
/// Without reading the file, they show whether it has changed.
package struct FileStamp: Sendable, Hashable {
  /// The time of the last change of the content, in nanoseconds since 1970.
  package let modified: Int64
  /// The time of the last change of the content, the name or the permissions, in nanoseconds since 1970.
  package let changed: Int64
  package let identity: FileIdentity

  /// A placeholder.
  ///
  /// It never proves that a file is unchanged.
  package static let unknown = FileStamp(modified: 0, changed: 0, identity: FileIdentity(device: 0, inode: 0))

  package init(_ status: FileStatus) {
    self.init(modified: status.modified, changed: status.changed, identity: status.identity)
  }

  package init(modified: Int64, changed: Int64, identity: FileIdentity) {
    self.modified = modified
    self.changed = changed
    self.identity = identity
  }

  /// Creates a stamp that changes if anything in a folder changes.
  ///
  /// The property `changed` of this stamp is not a time, but a hash of all names, sizes and times below the
  /// folder.
  package init(ofAllIn path: String) throws(SystemError) {
    let folder = try Folder(path)
    let status = try folder.status()
    let digest = try Self.digest(ofAllIn: folder)
    self.init(modified: status.modified, changed: Int64(bitPattern: digest), identity: status.identity)
  }

  private static func digest(ofAllIn folder: Folder) throws(SystemError) -> UInt64 {
    // This is an FNV-1a hash over numbers. It detects accidental changes and has the same result in every
    // run.
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
