import CZlib
import Foundation

/// Reads a zip file that may be hostile.
///
/// The reader needs memory for only a few buffers, even if the archive states huge sizes. It checks an
/// entry's header and name before it passes on any bytes of the entry. The reader does not check the
/// contents. The caller compares the digest of the unpacked files.
struct ZipReader {
  struct Entry {
    let path: String, isDeflated: Bool
    let packed: Int64, size: Int64, offset: Int64
  }

  private let file: FileHandle
  /// The offset of the next entry of the central directory.
  private var place: Int64
  /// The number of entries that are left.
  private(set) var count: Int64

  init(_ url: URL) throws {
    file = try FileHandle(forReadingFrom: url)
    // A pack has no zip comment, so its last 22 bytes are always the end record.
    let end = Int64(try file.seekToEnd()) - 22
    var record = try file.bytes(at: end, count: 22)
    if record.number(0, width: 4) != 0x0605_4b50 { throw wrong("it does not end with a zip end record") }
    (count, place) = (record.number(10, width: 2), record.number(16, width: 4))
    if count == 0xFFFF || place == 0xFFFF_FFFF {
      record = try file.bytes(at: end - 76, count: 56)
      if record.number(0, width: 4) != 0x0606_4b50 { throw wrong("its zip64 record is missing") }
      (count, place) = (record.number(32, width: 8), record.number(48, width: 8))
    }
  }

  /// Returns the next entry, in the order of the directory; nil after the last entry.
  mutating func next() throws -> Entry? {
    if count <= 0 { return nil }
    count -= 1
    let fixed = try file.bytes(at: place, count: 46)
    if fixed.number(0, width: 4) != 0x0201_4b50 { throw wrong("its zip directory is damaged") }
    let (nameSize, extraSize) = (fixed.number(28, width: 2), fixed.number(30, width: 2))
    let name = try file.bytes(at: place + 46, count: nameSize)
    let extra = try file.bytes(at: place + 46 + nameSize, count: extraSize)
    place += 46 + nameSize + extraSize + fixed.number(32, width: 2)
    let path = String(decoding: name, as: UTF8.self)
    if !path.utf8.elementsEqual(name) || !PackPath.isInPack(path) {
      throw wrong("\"\(path)\" is not an allowed path in a pack")
    }
    let (flags, method, kind) = (
      fixed.number(8, width: 2), fixed.number(10, width: 2), fixed.number(38, width: 4) >> 28
    )
    if kind != 0 && kind != 8 { throw wrong("\"\(path)\" is not a regular file") }
    if flags & ~0x806 != 0 || method != 0 && method != 8 {
      throw wrong("\"\(path)\" has an unknown flag or compression method")
    }
    // The values are the uncompressed size, the compressed size and the offset. If they need 64 bits, they
    // are in the extra field, in this order.
    var values = [fixed.number(24, width: 4), fixed.number(20, width: 4), fixed.number(42, width: 4)]
    var next = 4
    for index in values.indices where values[index] == 0xFFFF_FFFF && next + 8 <= extra.count {
      values[index] = extra.number(next, width: 8)
      next += 8
    }
    if values.contains(where: { !(0...Catalog.maxFileSize).contains($0) }) {
      throw wrong("\"\(path)\" has a size or offset that is too large")
    }
    let local = try file.bytes(at: values[2], count: 30 + nameSize)
    if local.number(0, width: 4) != 0x0403_4b50 || local.number(8, width: 2) != method
      || local.dropFirst(30) != name
    {
      throw wrong("the local header of \"\(path)\" differs from its entry in the zip directory")
    }
    return Entry(
      path: path, isDeflated: method == 8, packed: values[1], size: values[0],
      offset: values[2] + 30 + local.number(26, width: 2) + local.number(28, width: 2))
  }

  /// Passes on the bytes of an entry in pieces.
  ///
  /// The function never passes on more bytes than the size that the entry states.
  func read(_ entry: Entry, take: (UnsafeRawBufferPointer) throws -> Void) throws {
    if entry.isDeflated { return try inflate(entry, take: take) }
    if entry.packed != entry.size {
      throw wrong("\"\(entry.path)\" is not compressed, but its two sizes differ")
    }
    try forEachPart(of: entry, take: take)
  }

  private func forEachPart(of entry: Entry, take: (UnsafeRawBufferPointer) throws -> Void) throws {
    for start in stride(from: 0, to: entry.packed, by: 1 << 18) {
      try file.bytes(at: entry.offset + start, count: min(entry.packed - start, 1 << 18)).withUnsafeBytes(
        take)
    }
  }

  private func inflate(_ entry: Entry, take: (UnsafeRawBufferPointer) throws -> Void) throws {
    // zlib keeps a pointer to its stream, so the stream must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    let output = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 1 << 18)
    stream.initialize(to: z_stream())
    var code = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer {
      inflateEnd(stream)
      stream.deallocate()
      output.deallocate()
    }
    if code != Z_OK { throw POSIXError(.ENOMEM) }
    var made: Int64 = 0
    try forEachPart(of: entry) { input in
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        (stream.pointee.next_out, stream.pointee.avail_out) = (output.baseAddress, UInt32(output.count))
        code = CZlib.inflate(stream, Z_NO_FLUSH)
        let part = UnsafeRawBufferPointer(output).prefix(output.count - Int(stream.pointee.avail_out))
        made += Int64(part.count)
        if made > entry.size { throw wrong("\"\(entry.path)\" is larger than its stated size") }
        if ![Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code) {
          throw wrong("the compressed data of \"\(entry.path)\" is damaged")
        }
        try take(UnsafeRawBufferPointer(rebasing: part))
      } while stream.pointee.avail_out == 0
    }
    if code != Z_STREAM_END || made != entry.size {
      throw wrong(
        "\"\(entry.path)\" is smaller than its stated size")
    }
  }
}

extension Data {
  /// Reads an unsigned number.
  ///
  /// A 64-bit number that does not fit into an Int64 becomes negative.
  fileprivate func number(_ offset: Int, width: Int) -> Int64 {
    let bytes = dropFirst(offset).prefix(width).reversed()
    return Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }
}

extension FileHandle {
  fileprivate func bytes(at place: Int64, count: Int64) throws -> Data {
    if !(0...Catalog.maxFileSize).contains(place) { throw wrong("the file is truncated") }
    try seek(toOffset: UInt64(place))
    let data = try read(upToCount: Int(count)) ?? Data()
    if data.count < count { throw wrong("the file is truncated") }
    return data
  }
}
