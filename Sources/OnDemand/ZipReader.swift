import CZlib
import Foundation

/// Reads a zip whose entries lie one behind another, and takes nothing on trust.
///
/// Memory is a few buffers, whatever the archive says; no entry is written before its header, its place and its name
/// have been checked.
struct ZipReader {
  struct Entry {
    let path: String
    let isDeflated: Bool
    let packed: Int64
    let size: Int64
    let offset: Int64
  }

  private let file: FileHandle
  private let directoryStart: Int64
  private let directoryEnd: Int64
  private let count: Int64

  init(_ url: URL) throws {
    file = try FileHandle(forReadingFrom: url)
    // A pack has no comment, so the end is at one place.
    let end = Int64(try file.seekToEnd()) - 22
    let record = try file.bytes(at: end, 22)
    if number(record, 0, 4) != 0x0605_4b50 { throw TransferFailure.wrong("it does not end as a zip does") }
    var (count, size) = (number(record, 10, 2), number(record, 12, 4))
    var (start, limit) = (number(record, 16, 4), end)
    if count == 0xFFFF || size == 0xFFFF_FFFF || start == 0xFFFF_FFFF {
      let locator = try file.bytes(at: end - 20, 20)
      limit = number(locator, 8, 8)
      let record = try file.bytes(at: limit, 56)
      if number(locator, 0, 4) != 0x0706_4b50 || number(record, 0, 4) != 0x0606_4b50 || limit > end - 76 {
        throw TransferFailure.wrong("its zip64 record is missing")
      }
      (count, size, start) = (number(record, 32, 8), number(record, 40, 8), number(record, 48, 8))
    }
    if start < 0 || size < 0 || count < 0 || size > limit || start != limit - size || count > size / 46 {
      throw TransferFailure.wrong("its directory is not where it says")
    }
    (self.count, directoryStart, directoryEnd) = (count, start, limit)
  }

  /// Each entry, in the order in which they lie in the file; `body` may read it.
  func forEach(_ body: (Entry) throws -> Void) throws {
    var place = directoryStart
    var end: Int64 = 0
    for _ in 0..<count {
      let (entry, next, header) = try entry(at: place)
      if header < end { throw TransferFailure.wrong("its entries overlap") }
      end = entry.offset + entry.packed
      if end > directoryStart { throw TransferFailure.wrong("an entry reaches into its directory") }
      place = next
      try body(entry)
    }
    if place != directoryEnd { throw TransferFailure.wrong("its directory is longer than its entries") }
  }

  /// The bytes of an entry, a part at a time, and never more than it says.
  func read(_ entry: Entry, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    if entry.isDeflated { return try inflate(entry, take) }
    if entry.packed != entry.size { throw TransferFailure.wrong("\"\(entry.path)\" has two sizes") }
    try forEachPart(of: entry, take)
  }

  private func forEachPart(of entry: Entry, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    var place = entry.offset
    let end = entry.offset + entry.packed
    while place < end {
      let part = try file.bytes(at: place, min(end - place, 1 << 18))
      try part.withUnsafeBytes(take)
      place += Int64(part.count)
    }
  }

  private func inflate(_ entry: Entry, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    // zlib keeps a pointer back to its stream, which must not move.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    stream.initialize(to: z_stream())
    var code = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    defer {
      inflateEnd(stream)
      stream.deallocate()
      output.deallocate()
    }
    if code != Z_OK { throw OnDemandError.storage("zlib has no memory") }
    var made: Int64 = 0
    try forEachPart(of: entry) { input in
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: input.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = UInt32(input.count)
      repeat {
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = UInt32(output.count)
        // Behind its end, a stream makes no headway: an error, too.
        code = CZlib.inflate(stream, Z_NO_FLUSH)
        let count = output.count - Int(stream.pointee.avail_out)
        made += Int64(count)
        if made > entry.size { throw TransferFailure.wrong("\"\(entry.path)\" is longer than it says") }
        if code != Z_OK && code != Z_STREAM_END && (code != Z_BUF_ERROR || stream.pointee.avail_in > 0) {
          throw TransferFailure.wrong("its deflated bytes are wrong")
        }
        try take(UnsafeRawBufferPointer(rebasing: output[..<count]))
      } while code == Z_OK && (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
      if stream.pointee.avail_in > 0 {
        throw TransferFailure.wrong("\"\(entry.path)\" has bytes behind its end")
      }
    }
    if code != Z_STREAM_END || made != entry.size {
      throw TransferFailure.wrong("\"\(entry.path)\" is shorter than it says")
    }
  }
}

extension ZipReader {
  /// The entry of a place in the directory, the place of the next, and where its own header lies.
  private func entry(at place: Int64) throws -> (Entry, next: Int64, header: Int64) {
    if place > directoryEnd - 46 { throw TransferFailure.wrong("its directory is cut off") }
    let fixed = try file.bytes(at: place, 46)
    let (nameSize, extraSize) = (number(fixed, 28, 2), number(fixed, 30, 2))
    let next = place + 46 + nameSize + extraSize + number(fixed, 32, 2)
    if number(fixed, 0, 4) != 0x0201_4b50 || next > directoryEnd {
      throw TransferFailure.wrong("its directory is wrong")
    }
    let names = try file.bytes(at: place + 46, nameSize + extraSize)
    let (name, extra) = (names.prefix(Int(nameSize)), Data(names.dropFirst(Int(nameSize))))
    let path = String(decoding: name, as: UTF8.self)
    let shown = "\"\(path)\""
    if !path.utf8.elementsEqual(name) || !isSafe(path: path) {
      throw TransferFailure.wrong("\(shown) is no path within a pack")
    }
    let kind = number(fixed, 38, 4) >> 28
    if kind != 0 && kind != 8 { throw TransferFailure.wrong("\(shown) is no plain file") }
    let (flags, method) = (number(fixed, 8, 2), number(fixed, 10, 2))
    if flags & ~0x806 != 0 || method != 0 && method != 8 {
      throw TransferFailure.wrong("\(shown) is stored in an unknown way")
    }
    var values = [number(fixed, 24, 4), number(fixed, 20, 4), number(fixed, 42, 4)]
    // Those of 64 bits are in the one extra field, in this order.
    var place = 4
    for index in values.indices where values[index] == 0xFFFF_FFFF && place + 8 <= extra.count {
      if number(extra, 0, 2) == 1 { values[index] = number(extra, place, 8) }
      place += 8
    }
    let (size, packed, header) = (values[0], values[1], values[2])
    guard size >= 0, packed >= 0, header >= 0, header <= directoryStart - 30 else {
      throw TransferFailure.wrong("\(shown) has a wrong size")
    }
    let local = try file.bytes(at: header, 30 + nameSize)
    let offset = header + 30 + nameSize + number(local, 28, 2)
    guard number(local, 0, 4) == 0x0403_4b50, number(local, 8, 2) == method, number(local, 26, 2) == nameSize,
      packed <= directoryStart - offset, local.dropFirst(30).elementsEqual(name)
    else { throw TransferFailure.wrong("\(shown) has another name or place than its directory says") }
    let entry = Entry(path: path, isDeflated: method == 8, packed: packed, size: size, offset: offset)
    return (entry, next, header)
  }
}

/// An unsigned number of the file; of 64 bits, what is too large is negative.
private func number(_ data: Data, _ offset: Int, _ width: Int) -> Int64 {
  var value: UInt64 = 0
  for index in (0..<width).reversed() { value = value << 8 | UInt64(data[data.startIndex + offset + index]) }
  return Int64(bitPattern: value)
}

extension FileHandle {
  fileprivate func bytes(at place: Int64, _ count: Int64) throws -> Data {
    if place < 0 { throw TransferFailure.wrong("it is cut off") }
    try seek(toOffset: UInt64(place))
    let data = try read(upToCount: Int(count)) ?? Data()
    if data.count < count { throw TransferFailure.wrong("it is cut off") }
    return data
  }
}
