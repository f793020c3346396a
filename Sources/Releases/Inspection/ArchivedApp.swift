import Archiving
import Findings
import Formats
import PackKit
import System

/// The property lists and packs in an .ipa, a zip with an app that is read in place.
struct ArchivedApp {
  /// The bytes of each list by its path in the archive.
  private(set) var lists: [String: [UInt8]] = [:]
  /// The packs, by the path of the archive and that in it.
  private(set) var packs: [PackListing] = []
  /// Why a part of the archive could not be read.
  private(set) var faults: [String] = []

  static let suffix = ".ipa"

  private let path: String
  private let room = NameRoom()
  /// How many more bytes of lists may be taken into memory.
  private var bytesLeft = PropertyList.longest
  /// Whether there was memory for all packs so far; otherwise the rest is not read.
  private var hasRoom = true
  /// The index of each pack by its path in the archive.
  private var numbers: [String: Int] = [:]

  /// Reads an archive once; files outside of packs, except lists, are skipped.
  ///
  /// - Throws: if the disk fails.
  init(_ path: String) throws(SystemError) {
    self.path = path
    let names = try ZipNames(of: InputFile(path))
    do throws(ArchiveError) {
      var archive = try ArchiveReader(InputFile(archive: path), format: .zip, mostBytes: 1 << 40)
      while hasRoom, let entry = try archive.nextEntry() {
        try take(names.original(of: entry.name), isFile: entry.isFile, of: &archive)
      }
    } catch {
      if let cause = error.cause { throw cause }
      faults.append(error.reason)
    }
    for number in packs.indices { packs[number].sortFiles() }
  }

  private mutating func take(
    _ name: [UInt8], isFile: Bool, of archive: inout ArchiveReader
  ) throws(ArchiveError) {
    if let (pack, inner) = Self.packPath(of: name) {
      if inner.isEmpty && !isFile { return }
      guard let number = number(ofPack: pack) else { return faults.append(PackListing.tooManyNames) }
      if inner.isEmpty { return packs[number].addFault("it is packed again, which no device expects") }
      try packs[number].add(inner, isFile: isFile, of: &archive)
      hasRoom = packs[number].hasRoom
      return
    }
    guard isFile, let place = String(validating: name, as: UTF8.self), Self.isList(place) else { return }
    var content = ByteBuffer()
    var isTooLong = false
    var bytesLeft = bytesLeft
    try archive.readBlocks { block in
      isTooLong = block.byteCount > bytesLeft
      bytesLeft -= isTooLong ? 0 : block.byteCount
      if !isTooLong { content.append(block) }
      return !isTooLong
    }
    self.bytesLeft = bytesLeft
    if isTooLong { return faults.append("\(quoted(place)) is too long") }
    lists[place] = content.array()
  }

  /// The index of a pack, which is added if it is new; nil if there is no memory for it.
  private mutating func number(ofPack pack: String) -> Int? {
    if let known = numbers[pack] { return known }
    hasRoom = room.take(2 * pack.utf8.count + MemoryLayout<PackListing>.size)
    if !hasRoom { return nil }
    numbers[pack] = packs.count
    packs.append(PackListing(empty: joined(path, pack), room: room))
    return packs.count - 1
  }

  /// The path of the pack that an entry is in, and the entry's path inside it; nil outside of packs.
  private static func packPath(of name: [UInt8]) -> (pack: String, inner: [UInt8])? {
    let mark = Array("\(PublishedNames.packSuffix)/".utf8)
    let padded = name.last == UInt8(ascii: "/") ? name : name + [UInt8(ascii: "/")]
    guard let range = padded.firstRange(of: mark),
      let pack = String(validating: padded[..<(range.upperBound - 1)], as: UTF8.self)
    else { return nil }
    return (pack, range.upperBound < name.count ? Array(name[range.upperBound...]) : [])
  }

  /// Whether a path is that of a list at the top or directly in an app.
  private static func isList(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard let name = parts.last, ExportPlaces.listNames.contains(String(name)) else { return false }
    return parts.count == 1 || (parts.count <= 3 && parts[parts.count - 2].hasSuffix(ExportPlaces.appSuffix))
  }
}
