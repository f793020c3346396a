package import System

/// Constants of the zip format, named as in PKWARE's APPNOTE 6.3.10.
enum ZipFields {
  /// The format version that a reader of zip64 fields must support: 4.5.
  static let zip64Version: UInt16 = 45
  static let localHeaderSignature: UInt32 = 0x0403_4b50
  static let centralHeaderSignature: UInt32 = 0x0201_4b50
  static let endSignature: UInt32 = 0x0605_4b50
  static let zip64EndSignature: UInt32 = 0x0606_4b50
  static let zip64LocatorSignature: UInt32 = 0x0706_4b50
  static let zip64ExtraTag: UInt16 = 0x0001
  /// General purpose flag 11: the name is UTF-8.
  static let nameIsUTF8: UInt16 = 1 << 11
  /// The highest "version needed" that all readers support: 4.5, which zip64 needs.
  static let latestVersion = 45
  /// "Version made by" with the value for Unix.
  ///
  /// It makes readers treat the upper half of the attributes as a file mode.
  static let madeByUnix: UInt16 = 3 << 8
  /// The Unix mode of a regular file, rw-r--r--, in the upper half of the attributes.
  static let regularFileMode: UInt32 = 0o100644 << 16
  static let folderMode: UInt32 = 0o40755 << 16
  /// The size in bytes of a header in the central directory, without name, extra field and comment.
  static let centralHeaderSize = 46
  static let endSize = 22
  static let limit16 = 0xffff
  static let limit32: Int64 = 0xffff_ffff
}

// The two headers of an entry.
extension ZipEntry {
  /// Returns the header that precedes the entry's bytes, with the given modification time.
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

  /// The format version that a reader must support to read the entry's sizes and compression method.
  private var versionNeeded: UInt16 {
    hasLongSizes ? ZipFields.zip64Version : method == .deflated || isFolder ? 20 : 10
  }
}

/// The records after a zip archive's central directory.
struct ZipEnd {
  let entryCount: Int
  let start: Int64
  let size: Int64

  /// Whether the end record has no room for a number, so that a zip64 end record contains the numbers.
  ///
  /// A number that has no room is written as the largest one.
  var isLong: Bool {
    entryCount >= ZipFields.limit16 || size >= ZipFields.limit32 || start >= ZipFields.limit32
  }

  func append(to buffer: inout ByteBuffer) {
    if isLong { appendZip64End(to: &buffer) }
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
