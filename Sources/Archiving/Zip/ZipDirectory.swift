package import System

/// Facts from a zip's directory that libarchive does not report: original names, and reasons why other
/// readers would fail.
///
/// libarchive changes the Unicode form of names. The original names are needed because they are part of the
/// digest of the contents.
package struct ZipDirectory: Sendable {
  /// The original names.
  ///
  /// The keys are Swift strings, so names that differ only in their Unicode form have the same key. The value
  /// is nil if two original names have the same key.
  private var originals: [String: [UInt8]?] = [:]

  private static let maxBytes = 1 << 26

  /// The reasons why other readers would fail to read the archive's files; at most `maxOddities` reasons.
  package private(set) var oddities: [String] = []
  private static let maxOddities = 10

  /// Whether the archive was truncated before the end of its directory.
  package private(set) var isTruncated = false

  /// Reads a directory up to the first error.
  ///
  /// The error is not reported here, because libarchive reports it.
  package init(of file: consuming InputFile) throws(SystemError) {
    var file = FileWindow(file)
    guard let (directory, end) = try Self.findDirectory(in: &file) else {
      isTruncated = try !Self.hasWholeEndRecord(&file)
      if isTruncated { return }
      oddities = ["there are bytes after the zip's end record"]
      return
    }
    var position = directory.lowerBound
    var kept = 0
    var front = Int64.max
    while position < directory.upperBound, kept < Self.maxBytes,
      let header = try file.read(ZipFields.centralHeaderSize, at: position),
      header.little32(at: 0) == ZipFields.centralHeaderSignature,
      let name = try file.read(
        Int(header.little16(at: 28)), at: position + Int64(ZipFields.centralHeaderSize))
    {
      if name.contains(where: { $0 >= 0x80 }), let text = String(validating: name, as: UTF8.self) {
        let earlier = originals[text] ?? name
        originals[text] = .some(earlier == name ? name : nil)
        kept += name.count
      }
      noteOddities(of: header, name: name)
      front = min(front, Int64(header.little32(at: 42)))
      let rest = Int(header.little16(at: 30)) + Int(header.little16(at: 32))
      position += Int64(ZipFields.centralHeaderSize + name.count + rest)
    }
    if front > 0 && front != .max { oddities.append("there are bytes before the zip's first entry") }
    if position != end { oddities.append("the zip directory does not end where the end record begins") }
  }

  /// Adds the reasons why other readers would fail to read an entry, according to the fields of its header.
  private mutating func noteOddities(of header: [UInt8], name: [UInt8]) {
    if oddities.count >= Self.maxOddities { return }
    let shown = "\"\(String(decoding: name, as: UTF8.self))\""
    if header.little16(at: 8) & 1 != 0 { oddities.append("the zip directory marks \(shown) as encrypted") }
    if header[6] > ZipFields.latestVersion {
      oddities.append(
        "\(shown) needs version \(header[6]) of the zip format, which most programs do not support")
    }
    let isUnix = header[5] == ZipFields.madeByUnix >> 8
    if isUnix && header.little32(at: 38) >> 16 & 0o7000 != 0 {
      oddities.append("\(shown) has a setuid, setgid or sticky bit")
    }
  }

  /// Returns the original bytes of a name that libarchive returned.
  package func original(of name: [UInt8]) -> [UInt8] {
    guard !originals.isEmpty, let text = String(validating: name, as: UTF8.self) else { return name }
    return (originals[text] ?? nil) ?? name
  }

  /// The last bytes of the archive, which contain the end record if it is there; nil if there are too few.
  private static func tail(of file: inout FileWindow) throws(SystemError) -> [UInt8]? {
    let size = try file.fileSize()
    let length = Int(min(size, Int64(ZipFields.endSize + ZipFields.limit16)))
    return length < ZipFields.endSize ? nil : try file.read(length, at: size - Int64(length))
  }

  /// Whether the last bytes of the archive contain a whole end record.
  private static func hasWholeEndRecord(_ file: inout FileWindow) throws(SystemError) -> Bool {
    if try file.fileSize() > FileWindow.maxFileSize { return true }
    guard let tail = try tail(of: &file) else { return false }
    return (0...tail.count - ZipFields.endSize).contains { start in
      commentEnd(ofRecordAt: start, in: tail).map { $0 <= tail.count } ?? false
    }
  }

  /// Returns the position at which the comment of an end record ends; nil if no record is at `start`.
  ///
  /// The record can be followed by a comment of up to 65,535 bytes. The record states the comment's length,
  /// so the position can be after the end of the archive.
  private static func commentEnd(ofRecordAt start: Int, in tail: [UInt8]) -> Int? {
    guard tail.little32(at: start) == ZipFields.endSignature else { return nil }
    return start + ZipFields.endSize + Int(tail.little16(at: start + 20))
  }

  /// Returns the range of the directory, and the offset of the records after it.
  private static func findDirectory(
    in file: inout FileWindow
  ) throws(SystemError) -> (directory: Range<Int64>, end: Int64)? {
    let size = try file.fileSize()
    if size > FileWindow.maxFileSize { return nil }
    guard let tail = try tail(of: &file) else { return nil }
    let length = tail.count
    let found = (0...length - ZipFields.endSize).last { commentEnd(ofRecordAt: $0, in: tail) == length }
    guard let found else { return nil }
    var (bytes, start) = (Int64(tail.little32(at: found + 12)), Int64(tail.little32(at: found + 16)))
    var end = size - Int64(length - found)
    let endRecord = ZipEnd(entryCount: Int(tail.little16(at: found + 10)), start: start, size: bytes)
    // The zip64 locator contains the offset of the zip64 end record.
    if endRecord.isLong, found >= 20, tail.little32(at: found - 20) == ZipFields.zip64LocatorSignature {
      let offset = tail.little64(at: found - 12)
      guard (0...size).contains(offset), let record = try file.read(56, at: offset),
        record.little32(at: 0) == ZipFields.zip64EndSignature
      else { return nil }
      (bytes, start) = (record.little64(at: 40), record.little64(at: 48))
      end = offset
    }
    guard bytes >= 0, start >= 0, bytes <= size - start else { return nil }
    return (start..<start + bytes, end)
  }
}
