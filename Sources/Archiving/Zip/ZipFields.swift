/// The numbers of the zip format, by the names of PKWARE's APPNOTE 6.3.10.
enum ZipFields {
  static let localHeaderSignature: UInt32 = 0x0403_4b50
  static let centralHeaderSignature: UInt32 = 0x0201_4b50
  static let endSignature: UInt32 = 0x0605_4b50
  static let zip64EndSignature: UInt32 = 0x0606_4b50
  static let zip64LocatorSignature: UInt32 = 0x0706_4b50
  static let zip64ExtraTag: UInt16 = 0x0001
  /// General purpose flag 11: the name is UTF-8.
  static let nameIsUTF8: UInt16 = 1 << 11
  /// "Version made by": Unix, so that readers take the upper half of the attributes as a mode.
  static let madeByUnix: UInt16 = 3 << 8
  /// A regular file that its owner may write and all may read, as Unix keeps it in the attributes.
  static let regularFileMode: UInt32 = 0o100644 << 16
  /// A folder that its owner may write and all may enter.
  static let folderMode: UInt32 = 0o40755 << 16
  /// Bytes of an entry's header in the central directory without its name and what follows that.
  static let centralHeaderSize = 46
  /// Bytes of the record at the end without its comment.
  static let endSize = 22
  static let limit16 = 0xffff
  static let limit32: Int64 = 0xffff_ffff
}
