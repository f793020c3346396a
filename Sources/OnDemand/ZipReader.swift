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

  struct Damage: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private let directory: FileWindow
  private let body: FileWindow
  private let directoryStart: Int64
  private let directoryEnd: Int64
  private let count: Int64

  init(_ file: URL) throws {
    directory = try FileWindow(file)
    body = try FileWindow(file)
    // A pack has no comment, so the end is at one place.
    let end = directory.size - 22
    if end < 0 { throw Damage("it is too short for a zip") }
    let record = try directory.bytes(at: end, 22)
    if number(record, 0, 4) != 0x0605_4b50 { throw Damage("it does not end as a zip does") }
    var (count, size) = (number(record, 10, 2), number(record, 12, 4))
    var (start, limit) = (number(record, 16, 4), end)
    if count == 0xFFFF || size == 0xFFFF_FFFF || start == 0xFFFF_FFFF {
      let locator = try directory.bytes(at: max(0, end - 20), 20)
      limit = number(locator, 8, 8)
      guard end >= 20, number(locator, 0, 4) == 0x0706_4b50, limit >= 0, limit <= end - 76 else {
        throw Damage("its zip64 record is missing")
      }
      let record = try directory.bytes(at: limit, 56)
      if number(record, 0, 4) != 0x0606_4b50 { throw Damage("its zip64 record is missing") }
      (count, size, start) = (number(record, 32, 8), number(record, 40, 8), number(record, 48, 8))
    }
    if start < 0 || size < 0 || count < 0 || size > limit || start != limit - size || count > size / 46 {
      throw Damage("its directory is not where it says")
    }
    (self.count, directoryStart, directoryEnd) = (count, start, limit)
  }

  /// Each entry, in the order in which they lie in the file; `body` may read it.
  func forEach(_ body: (Entry) throws -> Void) throws {
    var place = directoryStart
    var end: Int64 = 0
    for _ in 0..<count {
      let (entry, next, header) = try entry(at: place)
      if header < end { throw Damage("its entries overlap") }
      end = entry.offset + entry.packed
      if end > directoryStart { throw Damage("an entry reaches into its directory") }
      place = next
      try body(entry)
    }
    if place != directoryEnd { throw Damage("its directory is longer than its entries") }
  }

  /// The bytes of an entry, a part at a time, and never more than it says.
  func read(_ entry: Entry, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    if entry.isDeflated { return try inflate(entry, take) }
    if entry.packed != entry.size { throw Damage("\"\(entry.path)\" has two sizes") }
    try forEachPart(of: entry, take)
  }

  private func forEachPart(of entry: Entry, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    var place = entry.offset
    let end = entry.offset + entry.packed
    while place < end {
      let part = try body.part(at: place, atMost: end - place)
      try part.withUnsafeBytes(take)
      place += Int64(part.count)
    }
  }

  private func inflate(_ entry: Entry, _ take: (UnsafeRawBufferPointer) throws -> Void) throws {
    let inflater = try Inflater()
    var made: Int64 = 0
    var isAtEnd = false
    try forEachPart(of: entry) { input in
      if isAtEnd { throw Damage("\"\(entry.path)\" has bytes behind its end") }
      isAtEnd = try inflater.inflate(input) { output in
        made += Int64(output.count)
        if made > entry.size { throw Damage("\"\(entry.path)\" is longer than it says") }
        try take(output)
      }
    }
    if !isAtEnd || made != entry.size { throw Damage("\"\(entry.path)\" is shorter than it says") }
  }
}

extension ZipReader {
  /// The entry of a place in the directory, the place of the next, and where its own header lies.
  private func entry(at place: Int64) throws -> (Entry, next: Int64, header: Int64) {
    if place > directoryEnd - 46 { throw Damage("its directory is cut off") }
    let fixed = try directory.bytes(at: place, 46)
    let (nameSize, extraSize) = (number(fixed, 28, 2), number(fixed, 30, 2))
    let next = place + 46 + nameSize + extraSize + number(fixed, 32, 2)
    if number(fixed, 0, 4) != 0x0201_4b50 || next > directoryEnd { throw Damage("its directory is wrong") }
    let name = try directory.bytes(at: place + 46, Int(nameSize))
    let extra = try directory.bytes(at: place + 46 + nameSize, Int(extraSize))
    let path = String(decoding: name, as: UTF8.self)
    let shown = "\"\(path)\""
    if !path.utf8.elementsEqual(name) || !isSafe(path: path) {
      throw Damage("\(shown) is no path within a pack")
    }
    let kind = number(fixed, 38, 4) >> 28
    if kind != 0 && kind != 8 { throw Damage("\(shown) is no plain file") }
    let (flags, method) = (number(fixed, 8, 2), number(fixed, 10, 2))
    if flags & ~0x806 != 0 || method != 0 && method != 8 {
      throw Damage("\(shown) is stored in an unknown way")
    }
    var values = [number(fixed, 24, 4), number(fixed, 20, 4), number(fixed, 42, 4)]
    try readZip64(extra, &values)
    let (size, packed, header) = (values[0], values[1], values[2])
    guard size >= 0, packed >= 0, header >= 0, header <= directoryStart - 30 else {
      throw Damage("\(shown) has a wrong size")
    }
    let local = try body.bytes(at: header, 30)
    let offset = header + 30 + number(local, 26, 2) + number(local, 28, 2)
    guard number(local, 0, 4) == 0x0403_4b50, number(local, 8, 2) == method, number(local, 26, 2) == nameSize,
      packed <= directoryStart - offset, try body.bytes(at: header + 30, Int(nameSize)).elementsEqual(name)
    else { throw Damage("\(shown) has another name or place than its directory says") }
    let entry = Entry(path: path, isDeflated: method == 8, packed: packed, size: size, offset: offset)
    return (entry, next, header)
  }

  /// Puts sizes of 64 bits in place of those that say that they are elsewhere.
  private func readZip64(_ extra: Data, _ values: inout [Int64]) throws {
    if !values.contains(0xFFFF_FFFF) { return }
    var place = 0
    while place + 4 <= extra.count {
      let end = place + 4 + Int(number(extra, place + 2, 2))
      if number(extra, place, 2) == 1 {
        place += 4
        for index in values.indices where values[index] == 0xFFFF_FFFF {
          if place + 8 > min(end, extra.count) { break }
          values[index] = number(extra, place, 8)
          place += 8
        }
        return
      }
      place = end
    }
  }
}

/// An unsigned number of the file; of 64 bits, what is too large is negative.
private func number(_ data: Data, _ offset: Int, _ width: Int) -> Int64 {
  var value: UInt64 = 0
  for index in (0..<width).reversed() { value = value << 8 | UInt64(data[data.startIndex + offset + index]) }
  return Int64(bitPattern: value)
}

/// Parts of a file, read some hundred kilobytes at a time.
private final class FileWindow {
  private let handle: FileHandle
  private var window = Data()
  private var start: Int64 = 0
  let size: Int64

  init(_ file: URL) throws {
    handle = try FileHandle(forReadingFrom: file)
    size = Int64(try handle.seekToEnd())
  }

  deinit { try? handle.close() }

  func bytes(at place: Int64, _ count: Int) throws -> Data {
    if count == 0 { return Data() }
    if place < start || place + Int64(count) > start + Int64(window.count) { try fill(at: place, count) }
    let offset = window.startIndex + Int(place - start)
    if window.endIndex - offset < count { throw ZipReader.Damage("it is cut off") }
    return window[offset..<offset + count]
  }

  /// As many bytes as there are at once, at least one.
  func part(at place: Int64, atMost most: Int64) throws -> Data {
    _ = try bytes(at: place, 1)
    let offset = window.startIndex + Int(place - start)
    return window[offset..<min(window.endIndex, offset + Int(min(most, 1 << 20)))]
  }

  private func fill(at place: Int64, _ count: Int) throws {
    if place < 0 || place > size { throw ZipReader.Damage("it is cut off") }
    try handle.seek(toOffset: UInt64(place))
    window = try handle.read(upToCount: max(count, 1 << 18)) ?? Data()
    start = place
  }
}

private final class Inflater {
  // zlib keeps a pointer back to its stream, which must not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)

  init() throws {
    stream.initialize(to: z_stream())
    let code = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code != Z_OK { throw OnDemandError.storage("zlib has no memory") }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
    output.deallocate()
  }

  /// Takes all of some bytes; true at the end of the stream, behind which there may be none.
  func inflate(
    _ input: UnsafeRawBufferPointer, _ take: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Bool {
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    var code = Z_OK
    repeat {
      stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = UInt32(output.count)
      code = CZlib.inflate(stream, Z_NO_FLUSH)
      if code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR {
        throw ZipReader.Damage("its deflated bytes are wrong")
      }
      let made = output.count - Int(stream.pointee.avail_out)
      try take(UnsafeRawBufferPointer(rebasing: output[..<made]))
    } while code == Z_OK && (stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0)
    if code == Z_STREAM_END && stream.pointee.avail_in > 0 {
      throw ZipReader.Damage("a file has bytes behind its end")
    }
    return code == Z_STREAM_END
  }
}
