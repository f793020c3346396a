#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The entries of one folder, in byte order of the paths below them.
///
/// A folder sorts as its name followed by a slash, so that a depth-first walk visits all files in byte order of
/// their whole paths.
package struct FolderListing: Sendable {
  /// One name in a folder.
  package struct Entry: Sendable {
    fileprivate let start: Int
    fileprivate let length: Int
    package let status: FileStatus
  }

  package private(set) var entries: [Entry] = []
  /// All names, concatenated: one allocation per folder instead of one per file.
  private var names: [UInt8] = []

  /// The bytes of an entry's name.
  package func name(of entry: Entry) -> ArraySlice<UInt8> { names[entry.start..<entry.start + entry.length] }

  /// The names that are UTF-8.
  package var texts: [String] { entries.compactMap { String(validating: name(of: $0), as: UTF8.self) } }

  init() {}

  /// Reads all entries of an open folder.
  init(reading descriptor: Int32, failure: () -> SystemError) throws(SystemError) {
    let isWhole = try Platform.list(descriptor) { name throws(SystemError) in
      try add(name, in: descriptor, failure: failure)
    }
    // A folder that was removed has no entries.
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
      // A file that was removed between two calls counts as never listed.
      if errno == ENOENT { return }
      throw failure()
    }
    entries.append(Entry(start: names.count, length: length, status: FileStatus(status)))
    names.append(contentsOf: UnsafeRawBufferPointer(start: name, count: length))
  }

  /// Whether the folder has an entry of this name and kind.
  package func has(_ name: String, kind: FileStatus.Kind) -> Bool {
    entries.contains { $0.status.kind == kind && self.name(of: $0).elementsEqual(name.utf8) }
  }

  /// Whether two names may be one where neither case nor Unicode form counts, nor a version behind a semicolon.
  package func mayHaveSimilarNames() -> Bool {
    if names.contains(UInt8(ascii: ";")) { return true }
    if names.contains(where: { $0 >= 0x80 }) { return haveSimilarNames() }
    // Names without upper case differ, as all names of a folder do.
    if !names.contains(where: { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) { return false }
    var folded = names.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
    return folded.withUnsafeMutableBytes { folded in
      let sorted = entries.map { folded[$0.start..<$0.start + $0.length] }.sorted { order($0, $1) < 0 }
      return zip(sorted, sorted.dropFirst()).contains { order($0, $1) == 0 }
    }
  }

  /// The same for names that are not all ASCII.
  private func haveSimilarNames() -> Bool {
    var seen: Set<String> = []
    return entries.contains {
      !seen.insert(String(decoding: name(of: $0), as: UTF8.self).lowercased()).inserted
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

  /// How many bytes all names begin with alike.
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
  /// Eight bytes of a name as a number that orders names as their bytes do, but for those that differ only behind them.
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

  /// The byte at an index of a name; after its end 0 for a file, a slash for a folder.
  fileprivate func byte(at index: Int, in names: UnsafeRawBufferPointer) -> UInt8 {
    if index < length { return names[start + index] }
    return status.kind == .folder ? UInt8(ascii: "/") : 0
  }
}

/// The order of two names by their bytes: 0 if they are the same.
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

/// A walk over everything below a folder, by descriptor and without recursion, so that folders may nest to any
/// depth.
///
/// All entries of a folder come first, in their order, then those of its subfolders.
package struct FolderWalk: ~Copyable {
  /// One name below the folder that is walked.
  package struct Entry: Sendable {
    /// The path from the walked folder, byte for byte.
    package let path: [UInt8]
    /// The status of the entry; links are not followed.
    package let status: FileStatus

    /// The number of folders between the entry and the walked folder.
    package var level: Int { path.count { $0 == UInt8(ascii: "/") } }
  }

  private let root: Folder
  private var waiting: [(path: [UInt8], identity: FileIdentity?)] = [([], nil)]
  private var folder: [UInt8] = []
  private var listing = FolderListing()
  /// How many entries of the folder have been returned.
  private var metCount = 0

  package init(_ root: Folder) { self.root = root }

  /// The next entry; nil at the end.
  package mutating func next() throws(SystemError) -> Entry? {
    while metCount == listing.entries.count {
      guard let (folder, identity) = waiting.popLast() else { return nil }
      self.folder = folder
      // Whatever replaced a folder since it was listed is not entered.
      if let identity {
        listing = try root.listing(of: folder, expecting: identity) ?? FolderListing()
      } else {
        listing = try root.listing()
      }
      metCount = 0
    }
    let entry = listing.entries[metCount]
    metCount += 1
    let path = (folder.isEmpty ? [] : folder + [UInt8(ascii: "/")]) + listing.name(of: entry)
    if entry.status.kind == .folder { waiting.append((path, entry.status.identity)) }
    return Entry(path: path, status: entry.status)
  }

  /// The next entry, without those of folders that are gone or may not be read.
  package mutating func nextReadable() throws(SystemError) -> Entry? {
    while true {
      do throws(SystemError) { return try next() } catch {
        guard error.isDenied || error.isMissing else { throw error }
      }
    }
  }

  /// Skips the contents of the folder that was returned last.
  package mutating func skipContents() { waiting.removeLast() }
}
