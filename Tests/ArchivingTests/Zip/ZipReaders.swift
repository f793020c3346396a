@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

/// A zip archive that other programs read.
struct ZipReading {
  let folder: TemporaryFolder
  let path: String

  init(_ folder: TemporaryFolder, _ name: String) {
    self.folder = folder
    path = folder.path(name)
  }

  /// The zip readers, each with the command that tests a whole archive.
  static let testers = [
    ["unzip", "-tqq"], ["7zz", "t", "-bso0"], ["bsdtar", "-xOf"], ["zip", "-qqT"],
    ["python3", "-m", "zipfile", "-t"],
  ].filter { isInstalled($0[0]) }

  /// Tests the archive with every reader that is installed.
  func isWhole(_ sourceLocation: SourceLocation = #_sourceLocation) throws {
    for tester in Self.testers {
      let result = try run(tester[0], tester.dropFirst() + [path])
      #expect(result.status == 0, "\(tester): \(result.errors)", sourceLocation: sourceLocation)
      #expect(result.errors == "", "\(tester)", sourceLocation: sourceLocation)
    }
  }

  /// Returns one line for each entry: the name, the method, the size, and the SHA-256 of the content.
  ///
  /// Before that, the function checks every byte outside the contents.
  func entries(readingContents: Bool = true) throws -> [String] {
    try folder.python(Self.check, [path, readingContents ? "contents" : "headers"])
      .split(separator: "\n").map(String.init)
  }

  /// A script that reads local headers, the central directory and the end records according to APPNOTE
  /// 6.3.10.
  ///
  /// The script does not use Python's zip module for this. It compares its own results with the results of
  /// that module.
  private static let check = """
    import hashlib, struct, sys, zipfile
    path, mode = sys.argv[1:]
    archive = zipfile.ZipFile(path)
    file = open(path, 'rb')
    position, lines = 0, []
    for info in archive.infolist():
      name = info.filename.encode()
      assert info.flag_bits == 0x800, 'flags %x' % info.flag_bits
      assert info.create_system == 3, 'made by %d' % info.create_system
      assert info.external_attr == 0o100644 << 16, 'attributes %o' % info.external_attr
      assert info.internal_attr == 0 and info.volume == 0 and info.comment == b''
      assert info.header_offset == position, '%s lies at %d, not %d' % (name, info.header_offset, position)
      file.seek(position)
      fields = struct.unpack('<4s5H3L2H', file.read(30))
      (signature, version, flags, method, time, date, crc, packed, size, name_length, extra_length) = fields
      assert signature == b'PK\\x03\\x04' and flags == 0x800, 'local flags %x' % flags
      assert (method, crc) == (info.compress_type, info.CRC), 'local method or checksum'
      year, month, day, hour, minute, second = info.date_time
      assert date == year - 1980 << 9 | month << 5 | day and time == hour << 11 | minute << 5 | second // 2
      assert file.read(name_length) == name, 'local name'
      extra = file.read(extra_length)
      needed = 45 if extra else 20 if method == 8 else 10
      assert version == needed, 'local version %d' % version
      if extra:
        assert (packed, size) == (0xffffffff, 0xffffffff)
        tag, length, size, packed = struct.unpack('<HHQQ', extra)
        assert (tag, length) == (1, 16) and max(size, packed) > 0xff000000, 'zip64 without need'
      else:
        assert max(packed, size) < 0xffffffff
      assert (packed, size) == (info.compress_size, info.file_size), 'local sizes'
      longs = ([size, packed] if extra else []) + ([position] if position >= 0xffffffff else [])
      want = struct.pack('<HH%dQ' % len(longs), 1, 8 * len(longs), *longs) if longs else b''
      assert info.extra == want, 'central extra field'
      assert info.extract_version == info.create_version == (45 if longs else needed)
      if method == 0:
        assert packed == size
      position = file.tell() + packed
      digest = hashlib.sha256()
      if mode == 'contents':
        with archive.open(info) as content:
          while block := content.read(1 << 20):
            digest.update(block)
      words = (info.filename, 'stored' if method == 0 else 'deflated', str(size), digest.hexdigest())
      lines.append('|'.join(words))
    assert archive.start_dir == position, 'bytes before the central directory'
    file.seek(position)
    count = len(archive.infolist())
    start = position
    for info in archive.infolist():
      fields = struct.unpack('<4s6H3L5H2L', file.read(46))
      assert fields[0] == b'PK\\x01\\x02'
      file.seek(sum(fields[10:13]), 1)
    length = file.tell() - start
    isLong = count >= 0xffff or max(start, length) >= 0xffffffff
    if isLong:
      end = file.tell()
      got = struct.unpack('<4sQ2H2L4Q', file.read(56))
      assert got == (b'PK\\x06\\x06', 44, 3 << 8 | 45, 45, 0, 0, count, count, length, start), got
      assert struct.unpack('<4sLQL', file.read(20)) == (b'PK\\x06\\x07', 0, end, 1)
    got = struct.unpack('<4s4H2LH', file.read(22))
    few = min(count, 0xffff)
    assert got == (b'PK\\x05\\x06', 0, 0, few, few, min(length, 0xffffffff), min(start, 0xffffffff), 0), got
    assert file.read() == b'', 'bytes behind the end'
    print(*lines, sep=chr(10))
    """
}

extension ZipWriter {
  /// Creates an archive in a folder.
  ///
  /// The archive's entries have the time 2000-02-29 12:34:56.
  init(in folder: TemporaryFolder, _ name: String = "test.zip") throws {
    self.init(
      try OutputFile(creating: folder.path(name)), modified: ZipTime(secondsSince1970: 951_827_696))
  }

  /// Writes a whole entry in one call.
  mutating func add(_ name: String, _ bytes: [UInt8], _ method: ZipEntry.Method) throws {
    var payload = ByteBuffer()
    if method == .deflated {
      var deflater = Deflater(level: 6)
      _ = deflater.compress(
        bytes.span.bytes, maxCompressedSize: deflater.bound(for: bytes.count), into: &payload)
    } else {
      payload.append(bytes.span.bytes)
    }
    let entry = ZipEntry(
      name: name, method: method, size: Int64(bytes.count), compressedSize: Int64(payload.count),
      checksum: Checksum(of: bytes))
    _ = try payload.withBytes { try append(entry, payload: $0) }
  }

  /// Writes an entry in blocks of `size` bytes.
  mutating func add(
    _ name: String, _ bytes: [UInt8], _ method: ZipEntry.Method, inBlocksOf size: Int
  ) throws {
    try beginEntry(name: name, method: method, size: Int64(bytes.count))
    var deflater = Deflater(level: 6)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let end = min(start + size, bytes.count)
      let block = Array(bytes[start..<end])
      var payload = ByteBuffer()
      if method == .deflated {
        _ = deflater.compress(block.span.bytes, maxCompressedSize: deflater.bound(for: size), into: &payload)
        if end < bytes.count { payload.reopenDeflateStream(from: 0) }
      } else {
        payload.append(block.span.bytes)
      }
      try payload.withBytes { try append(block: $0) }
    }
    try endEntry(checksum: Checksum(of: bytes))
  }
}

/// Returns the line of `ZipReading.entries` for an entry.
func zipLine(_ name: String, _ method: ZipEntry.Method, _ bytes: [UInt8]) -> String {
  "\(name)|\(method)|\(bytes.count)|\(sha256(bytes).hex)"
}
