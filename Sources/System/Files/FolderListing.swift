import Glibc

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
  package func name(of entry: Entry) -> ArraySlice<UInt8> {
    names[entry.start..<entry.start + entry.length]
  }

  /// No names.
  init() {}

  init(
    reading stream: OpaquePointer, _ descriptor: Int32, failure: () -> SystemError
  ) throws(SystemError) {
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      try add(entry, in: descriptor, failure)
    }
    if errno != 0 { throw failure() }
    sort()
  }

  private mutating func add(
    _ entry: UnsafeMutablePointer<dirent>, in descriptor: Int32, _ failure: () -> SystemError
  ) throws(SystemError) {
    let offset = MemoryLayout<dirent>.offset(of: \.d_name)!
    let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
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

  private mutating func sort() {
    names.withUnsafeBytes { names in
      entries.sort { first, second in
        let shared = min(first.length, second.length)
        let order = memcmp(
          names.baseAddress! + first.start, names.baseAddress! + second.start, shared)
        if order != 0 { return order < 0 }
        return first.byte(at: shared, in: names) < second.byte(at: shared, in: names)
      }
    }
  }
}

extension FolderListing.Entry {
  /// The byte at an index of a name; after its end 0 for a file, a slash for a folder.
  fileprivate func byte(at index: Int, in names: UnsafeRawBufferPointer) -> UInt8 {
    if index < length { return names[start + index] }
    return status.kind == .folder ? UInt8(ascii: "/") : 0
  }
}

private let dot = CChar(UInt8(ascii: "."))
