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
