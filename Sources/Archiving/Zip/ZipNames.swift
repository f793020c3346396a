package import System

/// The names in a zip's directory as they were written, where libarchive tells them otherwise: it composes accents.
///
/// Our own beside libarchive because digests of contents are over the names as they were written.
package struct ZipNames: Sendable {
  /// By a text that is equal to theirs, as texts are in any Unicode form; nil where two names differ in nothing else.
  private var originals: [String: [UInt8]?] = [:]

  /// Bytes of names that are kept at the most.
  private static let mostBytes = 1 << 26

  /// Reads a directory as far as it is one; what is wrong with it is libarchive's to tell.
  package init(of file: consuming InputFile) throws(SystemError) {
    var file = FileWindow(file)
    guard let directory = try Self.findDirectory(in: &file) else { return }
    var position = directory.lowerBound
    var kept = 0
    while position < directory.upperBound, kept < Self.mostBytes,
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
      let rest = Int(header.little16(at: 30)) + Int(header.little16(at: 32))
      position += Int64(ZipFields.centralHeaderSize + name.count + rest)
    }
  }

  /// A name as it was written, for the name that libarchive tells.
  package func original(of name: [UInt8]) -> [UInt8] {
    guard !originals.isEmpty, let text = String(validating: name, as: UTF8.self) else { return name }
    return (originals[text] ?? nil) ?? name
  }

  private static func findDirectory(in file: inout FileWindow) throws(SystemError) -> Range<Int64>? {
    let size = try file.fileSize()
    if size > FileWindow.largestFile { return nil }
    let length = Int(min(size, Int64(ZipFields.endSize + ZipFields.limit16)))
    guard length >= ZipFields.endSize, let tail = try file.read(length, at: size - Int64(length)) else {
      return nil
    }
    // A comment of up to 65,535 bytes may stand behind the record, which says how long it is.
    let found = (0...length - ZipFields.endSize).last { start in
      tail.little32(at: start) == ZipFields.endSignature
        && start + ZipFields.endSize + Int(tail.little16(at: start + 20)) == length
    }
    guard let found else { return nil }
    var (bytes, start) = (Int64(tail.little32(at: found + 12)), Int64(tail.little32(at: found + 16)))
    // The locator of the long record says where that stands.
    if max(bytes, start) == ZipFields.limit32, found >= 20,
      tail.little32(at: found - 20) == ZipFields.zip64LocatorSignature
    {
      let place = tail.little64(at: found - 12)
      guard (0...size).contains(place), let record = try file.read(56, at: place),
        record.little32(at: 0) == ZipFields.zip64EndSignature
      else { return nil }
      (bytes, start) = (record.little64(at: 40), record.little64(at: 48))
    }
    guard bytes >= 0, start >= 0, start <= size, bytes <= size - start else { return nil }
    return start..<start + bytes
  }
}
