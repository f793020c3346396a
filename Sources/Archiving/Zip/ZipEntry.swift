package import System

/// The location of one file's bytes in an archive, with their method, size and checksum.
package struct ArchivedEntry: Sendable, Hashable {
  package let method: ZipEntry.Method
  package let checksum: Checksum
  /// The size in bytes in the archive.
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

/// One file of a zip archive, as both of its headers describe it.
package struct ZipEntry: Sendable {
  /// The compression method of an entry.
  package enum Method: UInt16, Sendable {
    case stored = 0
    case deflated = 8
  }

  /// The encoding of a name.
  package enum NameEncoding: Sendable {
    case utf8
    /// ASCII, which needs no mark.
    case ascii
  }

  /// The path inside the archive; a folder's ends in a slash.
  package let name: String
  /// What the headers say about the encoding of the name.
  var nameEncoding = NameEncoding.utf8
  package let method: Method
  package internal(set) var checksum: Checksum
  /// The size of the file in bytes.
  package let size: Int64
  /// The size in bytes in the archive.
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

  private var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }

  /// An entry whose bytes are copied from another archive.
  package init(name: String, size: Int64, as archived: ArchivedEntry) {
    self.init(
      name: name, method: archived.method, size: size, compressedSize: archived.compressedSize,
      checksum: archived.checksum)
  }

  /// An entry whose data follows; its header has 64-bit sizes if they may be needed.
  init(name: String, method: Method, size: Int64) {
    self.init(name: name, method: method, size: size, compressedSize: 0, checksum: Checksum())
    // Deflate adds at most 5 bytes per 65,535 and 10 per join of blocks, which is far below a thousandth.
    let longest = method == .stored ? size : size + size / 1000 + 1024
    hasLongSizes = longest >= ZipFields.limit32
  }

  var localHeaderSize: Int64 { 30 + Int64(name.utf8.count) + (hasLongSizes ? 20 : 0) }

  /// The fields by which a later build copies the entry.
  var archived: ArchivedEntry {
    ArchivedEntry(
      method: method, checksum: checksum, compressedSize: compressedSize,
      dataOffset: offset + localHeaderSize)
  }

  /// The header that precedes the entry's bytes in an archive of this time.
  package func localHeader(modified: ZipTime) -> ByteBuffer {
    var header = ByteBuffer()
    appendLocalHeader(to: &header, modified: modified)
    return header
  }

  func appendLocalHeader(to buffer: inout ByteBuffer, modified: ZipTime) {
    buffer.append(little: ZipFields.localHeaderSignature)
    appendShared(to: &buffer, modified: modified, version: versionNeeded)
    buffer.append(little: UInt16(hasLongSizes ? 20 : 0))
    buffer.append(name)
    guard hasLongSizes else { return }
    buffer.append(little: ZipFields.zip64ExtraTag)
    buffer.append(little: UInt16(16))
    buffer.append(little: size)
    buffer.append(little: compressedSize)
  }

  func appendCentralHeader(to buffer: inout ByteBuffer, modified: ZipTime) {
    let isFar = offset >= ZipFields.limit32
    buffer.append(little: ZipFields.centralHeaderSignature)
    let version = isFar ? ZipFields.zip64Version : versionNeeded
    buffer.append(little: ZipFields.madeByUnix | version)
    appendShared(to: &buffer, modified: modified, version: version)
    let longFields = (hasLongSizes ? 16 : 0) + (isFar ? 8 : 0)
    buffer.append(little: UInt16(longFields == 0 ? 0 : longFields + 4))
    buffer.append(little: UInt16(0))  // comment
    buffer.append(little: UInt16(0))  // disk
    buffer.append(little: UInt16(0))  // internal attributes
    buffer.append(little: isFolder ? ZipFields.folderMode : ZipFields.regularFileMode)
    buffer.append(little: UInt32(clamping: offset))
    buffer.append(name)
    guard longFields > 0 else { return }
    buffer.append(little: ZipFields.zip64ExtraTag)
    buffer.append(little: UInt16(longFields))
    if hasLongSizes {
      buffer.append(little: size)
      buffer.append(little: compressedSize)
    }
    if isFar { buffer.append(little: offset) }
  }

  /// Appends the fields that both headers share, up to the length of the name.
  private func appendShared(to buffer: inout ByteBuffer, modified: ZipTime, version: UInt16) {
    buffer.append(little: version)
    buffer.append(little: nameEncoding == .utf8 ? ZipFields.nameIsUTF8 : 0)
    buffer.append(little: method.rawValue)
    buffer.append(little: modified.time)
    buffer.append(little: modified.date)
    buffer.append(little: checksum.value)
    buffer.append(little: hasLongSizes ? UInt32.max : UInt32(clamping: compressedSize))
    buffer.append(little: hasLongSizes ? UInt32.max : UInt32(clamping: size))
    buffer.append(little: UInt16(name.utf8.count))
  }

  /// The version of the format that a reader needs for its sizes.
  private var versionNeeded: UInt16 {
    hasLongSizes ? ZipFields.zip64Version : method == .deflated || isFolder ? 20 : 10
  }
}

/// Constants of the zip format, named after PKWARE's APPNOTE 6.3.10.
enum ZipFields {
  /// The version of the format that a reader of zip64 fields needs: 4.5.
  static let zip64Version: UInt16 = 45
  static let localHeaderSignature: UInt32 = 0x0403_4b50
  static let centralHeaderSignature: UInt32 = 0x0201_4b50
  static let endSignature: UInt32 = 0x0605_4b50
  static let zip64EndSignature: UInt32 = 0x0606_4b50
  static let zip64LocatorSignature: UInt32 = 0x0706_4b50
  static let zip64ExtraTag: UInt16 = 0x0001
  /// General purpose flag 11: the name is UTF-8.
  static let nameIsUTF8: UInt16 = 1 << 11
  /// The latest "version needed" of files that all readers read: 4.5, that of zip64.
  static let latestVersion = 45
  /// "Version made by" Unix, so that readers take the upper half of the attributes as a mode.
  static let madeByUnix: UInt16 = 3 << 8
  /// The Unix mode of a regular file, rw-r--r--, as the attributes have it.
  static let regularFileMode: UInt32 = 0o100644 << 16
  static let folderMode: UInt32 = 0o40755 << 16
  /// The size in bytes of a header in the central directory, without name, extra field and comment.
  static let centralHeaderSize = 46
  static let endSize = 22
  static let limit16 = 0xffff
  static let limit32: Int64 = 0xffff_ffff
}

/// A time as zip stores it: in steps of two seconds, from 1980 to 2107, here always in UTC.
package struct ZipTime: Sendable, Hashable {
  let date: UInt16
  let time: UInt16

}

extension ZipTime {
  /// The nearest time that zip can store, for seconds since 1970.
  package init(secondsSince1970 seconds: Int64) {
    let first: Int64 = 315_532_800  // 1980-01-01 00:00:00
    let last: Int64 = 4_354_819_198  // 2107-12-31 23:59:58
    let seconds = min(max(seconds, first), last)
    let day = CivilDate(daysSince1970: seconds / 86_400)
    let rest = seconds % 86_400
    date = UInt16((day.year - 1980) << 9 | day.month << 5 | day.day)
    time = UInt16((rest / 3600) << 11 | (rest / 60 % 60) << 5 | rest % 60 / 2)
  }
}

/// The records after a zip archive's central directory.
struct ZipEnd {
  let entryCount: Int
  let start: Int64
  let size: Int64

  func append(to buffer: inout ByteBuffer) {
    if entryCount >= ZipFields.limit16 || size >= ZipFields.limit32 || start >= ZipFields.limit32 {
      appendZip64End(to: &buffer)
    }
    buffer.append(little: ZipFields.endSignature)
    buffer.append(little: UInt16(0))  // this disk
    buffer.append(little: UInt16(0))  // the directory's disk
    buffer.append(little: UInt16(clamping: entryCount))
    buffer.append(little: UInt16(clamping: entryCount))
    buffer.append(little: UInt32(clamping: size))
    buffer.append(little: UInt32(clamping: start))
    buffer.append(little: UInt16(0))  // comment
  }

  private func appendZip64End(to buffer: inout ByteBuffer) {
    buffer.append(little: ZipFields.zip64EndSignature)
    buffer.append(little: UInt64(44))  // bytes of this record that follow
    buffer.append(little: ZipFields.madeByUnix | 45)
    buffer.append(little: UInt16(45))
    buffer.append(little: UInt32(0))  // this disk
    buffer.append(little: UInt32(0))  // the directory's disk
    buffer.append(little: UInt64(entryCount))
    buffer.append(little: UInt64(entryCount))
    buffer.append(little: size)
    buffer.append(little: start)
    buffer.append(little: ZipFields.zip64LocatorSignature)
    buffer.append(little: UInt32(0))
    buffer.append(little: start + size)
    buffer.append(little: UInt32(1))
  }
}
