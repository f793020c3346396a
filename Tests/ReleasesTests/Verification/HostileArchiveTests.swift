@testable import Findings
import Foundation
@testable import PackKit
import Support
import Testing

/// Packs that somebody made to do harm, with an index that vouches for them.
@Suite struct HostileArchiveTests {
  /// Makes an archive of the pack of {"C"}, which should hold the file `c` with the content `c`.
  struct Case: Sendable, CustomTestStringConvertible {
    let container: Container
    let script: String
    let message: String

    var testDescription: String { "\(container.rawValue): \(script)" }

    static func zip(_ script: String, _ message: String) -> Case {
      Case(container: .zip, script: script, message: message)
    }

    static func tar(_ script: String, _ message: String) -> Case {
      Case(container: .tarGzip, script: script, message: message)
    }
  }

  private static let prelude = """
    import gzip, io, struct, sys, tarfile, zipfile
    old = open("old", "rb").read()
    def save(data): open("new", "wb").write(data)
    def zipped(*entries, method=zipfile.ZIP_STORED):
      out = io.BytesIO()
      with zipfile.ZipFile(out, "w", method) as z:
        for name, data in entries: z.writestr(zipfile.ZipInfo(name), data, method)
      return out.getvalue()
    def tarred(*entries):
      out = io.BytesIO()
      with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as t:
        for name, data, *kind in entries:
          info = tarfile.TarInfo(name)
          info.size = len(data)
          if kind: info.type, info.linkname, info.size = kind[0], "/etc/passwd", 0
          t.addfile(info, io.BytesIO(data))
      return out.getvalue()
    c = ("c", b"c")

    """

  private static let noName = "the directory has another name in its place"
  private static let more = "records at its end are damaged or something stands behind them"

  private static let cases: [Case] = [
    .zip("save(zipped(('../c', b'c')))", noName),
    .zip("save(zipped(('/c', b'c')))", noName),
    .zip("save(zipped(c, ('d', b'x')))", "its directory claims 2 entries, the list has 1"),
    .zip("save(zipped(c, c))", "its directory claims 2 entries, the list has 1"),
    .zip(
      "save(zipped(('c', b'c' * 100_000_000), method=zipfile.ZIP_DEFLATED))",
      "says that it has 100000000 bytes"),
    .zip("save(zipped(('c' * 65_000, b'c')))", noName),
    .zip("save(zipped(c))", "its entry in the directory is not as packtool writes it"),
    .zip("save(b'junk' + old)", more),
    .zip("save(old + b'junk')", more),
    .zip("save(old[:-22] + b'junk' + old[-22:])", more),
    .zip("save(old[:-2] + b'\\4\\0junk')", more),
    .zip("save(old[:30] + b'd' + old[31:])", "\"c\": its local header is not what the directory says"),
    .zip("save(old.replace(b'c', b'd'))", noName),
    .zip("save(old[:31] + b'd' + old[32:])", "ZIP bad CRC"),
    .zip(
      "import zlib; save((old[:31] + b'd' + old[32:]).replace(struct.pack('<I', zlib.crc32(b'c')), "
        + "struct.pack('<I', zlib.crc32(b'd'))))", "\"c\" has other content"),
    .zip(
      "end = old[-22:]; save(old[:-22] + struct.pack('<IQHHIIQQQQ', 0x06064b50, 44, 45, 45, 0, 0, 2**32, 2**32, 47, 32)"
        + " + struct.pack('<IIQI', 0x07064b50, 0, len(old) - 22, 1) + end[:8] + b'\\xff' * 12 + b'\\0\\0')",
      more),
    .zip("save(old[:8] + b'\\1' + old[9:])", "its local header is not what the directory says"),
    .zip("save(b'')", more),
    .zip("save(b'PK\\5\\6' + b'\\0' * 18)", "its directory claims 0 entries, the list has 1"),
    .zip("save(gzip.compress(tarred(c)))", more),

    .tar(
      "save(gzip.compress(tarred(('../c', b'c'))))",
      "it holds \"../c\", which the list of files does not have"),
    .tar(
      "save(gzip.compress(tarred(('/c', b'c'))))", "it holds \"/c\", which the list of files does not have"),
    .tar(
      "save(gzip.compress(tarred(c, ('d', b'x'))))", "it holds \"d\", which the list of files does not have"),
    .tar("save(gzip.compress(tarred(c, c)))", "it holds \"c\" twice"),
    .tar("save(gzip.compress(tarred(('c', b'', tarfile.SYMTYPE))))", "\"c\" is no plain file in it"),
    .tar("save(gzip.compress(tarred(('c', b'', tarfile.LNKTYPE))))", "\"c\" is no plain file in it"),
    .tar("save(gzip.compress(tarred(('c', b'', tarfile.DIRTYPE))))", "\"c"),
    .tar("save(gzip.compress(tarred(('c', b'', tarfile.FIFOTYPE))))", "\"c\" is no plain file in it"),
    .tar("save(gzip.compress(tarred()))", "\"c\" is missing in it"),
    .tar("save(gzip.compress(tarred(('c', b'd'))))", "\"c\" has other content"),
    .tar("save(gzip.compress(tarred(('c', b''))))", "\"c\" has 0 bytes and the list says 1"),
    .tar("save(gzip.compress(tarred(('c', bytes(100_000_000)))))", "\"c\" has more than the 1 byte"),
    .tar("save(gzip.compress(tarred(c) + bytes(100_000_000)))", "it unpacks to more than its files have"),
    .tar("save(gzip.compress(tarred(('d', bytes(100_000_000)))))", "it unpacks to more than its files have"),
    .tar("save(gzip.compress(tarred(('c' * 3_000_000, b'c'))))", "it cannot be read to its end"),
    .tar(
      "save(gzip.compress(tarred(c) + tarred(('d', b'x'))))",
      "it holds \"d\", which the list of files does not have"),
    .tar("save(gzip.compress(tarred(c) + b'junk'))", "it cannot be read to its end"),
    .tar("save(old + b'junk')", "bytes stand behind the archive's end"),
    .tar("save(old + gzip.compress(tarred(('d', b'x'))))", "bytes stand behind the archive's end"),
    .tar("save(old[:-8] + b'\\1\\2\\3\\4' + old[-4:])", "incorrect data check"),
    .tar("save(old[:-4] + b'\\1\\2\\3\\4')", "incorrect length check"),
    .tar("save(old[:-9])", "it is cut off"),
    .tar("save(b'')", "it is cut off"),
    .tar("save(zipped(c))", "incorrect header check"),
  ]

  @Test(.enabled(if: isInstalled("python3")), arguments: cases) func `no harm comes of it`(example: Case)
    throws
  {
    let built = try BuiltSite(example.container)
    try built.replace(built.pack("C"), byPython: Self.prelude + example.script)
    let findings = try built.findings()
    #expect(findings.map(\.check) == [.wrongContents])
    let notes = findings.flatMap(\.notes).map(\.message).joined(separator: "\n")
    #expect(notes.contains(example.message), "\(notes)")
  }
}
