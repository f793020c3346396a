#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The entries of one folder, sorted by the bytes of the paths below them.
///
/// A folder is sorted as its name followed by a slash. In this order, a depth-first walk visits all files in
/// byte order of their whole paths.
package struct FolderListing: Sendable {
  /// One name in a folder.
  package struct Entry: Sendable {
    fileprivate let start: Int
    fileprivate let length: Int
    package let status: FileStatus
  }

  package private(set) var entries: [Entry] = []
  /// All names, concatenated.
  ///
  /// A folder then needs a single memory allocation instead of one for each file.
  private var names: [UInt8] = []

  /// The bytes of an entry's name.
  package func name(of entry: Entry) -> ArraySlice<UInt8> { names[entry.start..<entry.start + entry.length] }

  /// The names that are valid UTF-8.
  package var texts: [String] { entries.compactMap { String(validating: name(of: $0), as: UTF8.self) } }

  init() {}

  /// Reads all entries of an open folder.
  init(reading descriptor: Int32, failure: () -> SystemError) throws(SystemError) {
    let isWhole = try Platform.list(descriptor) { name throws(SystemError) in
      try add(name, in: descriptor, failure: failure)
    }
    // It is not an error if the folder was removed in the meantime. In this case, it has no entries.
    if !isWhole && errno != ENOENT { throw failure() }
    sort()
  }

  private mutating func add(
    _ name: UnsafePointer<CChar>, in descriptor: Int32, failure: () -> SystemError
  ) throws(SystemError) {
    let length = strlen(name)
    if name[0] == dot && (length == 1 || (length == 2 && name[1] == dot)) { return }
    var status = stat()
    if fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) != 0 {
      // A file that was removed between the two calls is treated as if it had not been listed.
      if errno == ENOENT { return }
      throw failure()
    }
    entries.append(Entry(start: names.count, length: length, status: FileStatus(status)))
    names.append(contentsOf: UnsafeRawBufferPointer(start: name, count: length))
  }

  /// Whether the folder has an entry with this name and kind.
  package func has(_ name: String, kind: FileStatus.Kind) -> Bool {
    entries.contains { $0.status.kind == kind && self.name(of: $0).elementsEqual(name.utf8) }
  }

  /// Whether some file system could treat two of the names as the same.
  ///
  /// Such file systems ignore case, Unicode normalization, or a version number after a semicolon.
  package func mayHaveSimilarNames() -> Bool {
    if names.contains(UInt8(ascii: ";")) { return true }
    if names.contains(where: { $0 >= 0x80 }) { return haveSimilarNames() }
    // If no name has upper-case letters, no two names differ only in case.
    if !names.contains(where: { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) { return false }
    var folded = names.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    return folded.withUnsafeMutableBytes { folded in
      let sorted = entries.map { folded[$0.start..<$0.start + $0.length] }.sorted { order($0, $1) < 0 }
      return zip(sorted, sorted.dropFirst()).contains { order($0, $1) == 0 }
    }
  }

  /// Whether two names differ only in case or Unicode normalization.
  ///
  /// This function is used if some names contain characters other than ASCII.
  private func haveSimilarNames() -> Bool {
    var seen: Set<String> = []
    return entries.contains {
      !seen.insert(String(decoding: name(of: $0), as: UTF8.self).caseFolded).inserted
    }
  }

  private mutating func sort() {
    entries = names.withUnsafeBytes { names in
      let start = sharedLength(names)
      let heads = entries.indices.map { (bytes: entries[$0].head(from: start, in: names), entry: $0) }
      return heads.sorted { first, second in
        if first.bytes != second.bytes { return first.bytes < second.bytes }
        return entries[first.entry].precedes(entries[second.entry], in: names)
      }.map { entries[$0.entry] }
    }
  }

  /// Returns the number of bytes that are equal at the beginning of all names.
  private func sharedLength(_ names: UnsafeRawBufferPointer) -> Int {
    guard let first = entries.first else { return 0 }
    var shared = first.length
    for entry in entries.dropFirst() {
      shared = min(shared, entry.length)
      var length = 0
      while length < shared && names[first.start + length] == names[entry.start + length] { length += 1 }
      shared = length
    }
    return shared
  }
}

extension FolderListing.Entry {
  /// Returns eight bytes of a name as a number.
  ///
  /// The order of these numbers is the order of the names. The numbers are equal if the names differ only
  /// after these bytes.
  fileprivate func head(from start: Int, in names: UnsafeRawBufferPointer) -> UInt64 {
    var head: UInt64 = 0
    for index in start..<start + 8 {
      head = head << 8 | (index > length ? 0 : UInt64(byte(at: index, in: names)))
    }
    return head
  }

  fileprivate func precedes(_ other: Self, in names: UnsafeRawBufferPointer) -> Bool {
    let shared = min(length, other.length)
    let order = memcmp(names.baseAddress! + start, names.baseAddress! + other.start, shared)
    if order != 0 { return order < 0 }
    return byte(at: shared, in: names) < other.byte(at: shared, in: names)
  }

  /// Returns the byte at an index of a name.
  ///
  /// After the end of the name, the result is 0 for a file and a slash for a folder.
  fileprivate func byte(at index: Int, in names: UnsafeRawBufferPointer) -> UInt8 {
    if index < length { return names[start + index] }
    return status.kind == .folder ? UInt8(ascii: "/") : 0
  }
}

/// Compares two names by their bytes; returns 0 if they are the same.
private func order(
  _ first: Slice<UnsafeMutableRawBufferPointer>, _ second: Slice<UnsafeMutableRawBufferPointer>
) -> Int {
  let (ours, theirs) = (
    UnsafeMutableRawBufferPointer(rebasing: first), UnsafeMutableRawBufferPointer(rebasing: second)
  )
  let order = Int(memcmp(ours.baseAddress!, theirs.baseAddress!, min(ours.count, theirs.count)))
  return order == 0 ? ours.count - theirs.count : order
}

private let dot = CChar(UInt8(ascii: "."))

/// A walk over everything below a folder.
///
/// The walk uses descriptors and no recursion, so folders can be nested to any depth.
///
/// All entries of a folder come first, in their order, then the entries of its subfolders.
///
/// If symlinks are followed, a symlink to a file counts as that file. The walk never enters a folder through
/// a symlink, so it always ends.
package struct FolderWalk: ~Copyable {
  package struct Entry: Sendable {
    /// The path relative to the walked folder, byte for byte.
    package let path: [UInt8]
    /// The status of the entry, or of the file that the entry leads to.
    package let status: FileStatus

    /// The number of folders between the entry and the walked folder.
    package var level: Int { path.count { $0 == UInt8(ascii: "/") } }
  }

  private let root: Folder
  private let symlinks: SymlinkFollowing
  private var waiting: [(path: [UInt8], identity: FileIdentity?)] = [([], nil)]
  private var folder: [UInt8] = []
  private var listing = FolderListing()
  /// The number of entries of the current folder that have been returned.
  private var returnedCount = 0

  package init(_ root: Folder, symlinks: SymlinkFollowing = .notFollowed) {
    self.root = root
    self.symlinks = symlinks
  }

  /// Returns the next entry; nil at the end.
  package mutating func next() throws(SystemError) -> Entry? {
    while returnedCount == listing.entries.count {
      guard let (folder, identity) = waiting.popLast() else { return nil }
      self.folder = folder
      // If something else has replaced the folder since it was listed, the walk does not enter it.
      if let identity {
        listing = try root.listing(of: folder, expecting: identity) ?? FolderListing()
      } else {
        listing = try root.listing()
      }
      returnedCount = 0
    }
    let entry = listing.entries[returnedCount]
    returnedCount += 1
    let path = (folder.isEmpty ? [] : folder + [UInt8(ascii: "/")]) + listing.name(of: entry)
    if entry.status.kind == .folder { waiting.append((path, entry.status.identity)) }
    return Entry(path: path, status: try followed(entry.status, at: path))
  }

  /// The status of the file that a symlink leads to, if symlinks are followed; otherwise the same status.
  private func followed(_ status: FileStatus, at path: [UInt8]) throws(SystemError) -> FileStatus {
    guard status.kind == .link, symlinks == .followed else { return status }
    let target = try unless {
      $0.isMissing || $0.isLink || $0.isDenied
    } call: { () throws(SystemError) in
      try root.status(of: path, symlinks: .followed)
    }
    return target.map { $0.kind == .folder ? status : $0 } ?? status
  }

  /// Returns the next entry, skipping folders that no longer exist or that cannot be read.
  package mutating func nextReadable() throws(SystemError) -> Entry? {
    while true {
      do throws(SystemError) { return try next() } catch {
        guard error.isDenied || error.isMissing else { throw error }
      }
    }
  }

  /// Skips the contents of the folder that `next` returned last.
  package mutating func skipContents() { waiting.removeLast() }
}
