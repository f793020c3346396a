import System

/// Constants of the zip format, named after PKWARE's APPNOTE 6.3.10.
enum ZipFields {
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
