package import System

/// The location, compression method, size and checksum of one file's bytes in an archive.
package struct ArchivedEntry: Sendable, Hashable {
  package let method: ZipEntry.Method
  package let checksum: Checksum
  /// The compressed size in bytes.
  package let compressedSize: Int64
  /// The offset of the bytes in the archive.
  package let dataOffset: Int64

  package init(method: ZipEntry.Method, checksum: Checksum, compressedSize: Int64, dataOffset: Int64) {
    self.method = method
    self.checksum = checksum
    self.compressedSize = compressedSize
    self.dataOffset = dataOffset
  }
}

/// One file of a zip archive, as described in both of its headers.
package struct ZipEntry: Sendable {
  /// The compression method of an entry.
  package enum Method: UInt16, Sendable {
    case stored = 0
    case deflated = 8
  }

  /// The encoding of a name.
  package enum NameEncoding: Sendable {
    case utf8
    /// ASCII, which needs no flag in the header.
    case ascii
  }

  /// The path inside the archive.
  ///
  /// The path of a folder ends in a slash.
  package let name: String
  /// The encoding of the name that the headers state.
  var nameEncoding = NameEncoding.utf8
  package let method: Method
  package internal(set) var checksum: Checksum
  /// The uncompressed size of the file in bytes.
  package let size: Int64
  /// The compressed size in bytes.
  package internal(set) var compressedSize: Int64
  var offset: Int64 = 0
  /// Whether the local header has 64-bit sizes.
  var hasLongSizes: Bool

  package init(name: String, method: Method, size: Int64, compressedSize: Int64, checksum: Checksum) {
    self.name = name
    self.method = method
    self.size = size
    self.compressedSize = compressedSize
    self.checksum = checksum
    hasLongSizes = max(size, compressedSize) >= ZipFields.limit32
  }

  init(folder name: String) {
    self.init(name: "\(name)/", method: .stored, size: 0, compressedSize: 0, checksum: Checksum())
  }

  var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }

  /// Creates an entry whose bytes are copied from another archive.
  package init(name: String, size: Int64, copying archived: ArchivedEntry) {
    self.init(
      name: name, method: archived.method, size: size, compressedSize: archived.compressedSize,
      checksum: archived.checksum)
  }

  /// Creates an entry whose data is written later.
  ///
  /// The entry's header has 64-bit sizes if they might be needed.
  init(name: String, method: Method, size: Int64) {
    self.init(name: name, method: method, size: size, compressedSize: 0, checksum: Checksum())
    // Deflate adds at most 5 bytes per 65,535 bytes and 10 bytes where blocks are joined, which is far less
    // than 0.1 %.
    let longest = method == .stored ? size : size + size / 1000 + 1024
    hasLongSizes = longest >= ZipFields.limit32
  }

  var localHeaderSize: Int64 { 30 + Int64(name.utf8.count) + (hasLongSizes ? 20 : 0) }

  /// The fields that a later build needs to copy the entry.
  var archived: ArchivedEntry {
    ArchivedEntry(
      method: method, checksum: checksum, compressedSize: compressedSize,
      dataOffset: offset + localHeaderSize)
  }
}
