@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests packs that an attacker made.
///
/// The index contains the right digests of these packs.
@Suite struct HostileArchiveTests {
  /// A test case, which makes a wrong archive for the pack of {"C"}.
  ///
  /// A correct archive would contain the file `c` with the content `c`.
  struct Case: Sendable, CustomTestStringConvertible {
    let container: Container
    let script: String
    let message: String

    var testDescription: String { "\(container.rawValue): \(script)" }

    static func zip(_ script: String, _ message: String) -> Case {
      Case(container: .zip, script: script, message: message)
    }

    static func zstandard(_ script: String, _ message: String) -> Case {
      Case(container: .tarZstandard, script: script, message: message)
    }

    static func tar(_ script: String, _ message: String) -> Case {
      Case(container: .tarGzip, script: script, message: message)
    }
  }

  private static let prelude = """
    import gzip, io, struct, subprocess, sys, tarfile, zipfile
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
    def zstd(data): return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
    def packed(data): return gzip.compress(data, mtime=0)
    def unpacked(data):
      if data[:2] == b"\\x1f\\x8b": return gzip.decompress(data)
      if data[:4] != b"\\x28\\xb5\\x2f\\xfd": return b""
      return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout
    old_tar = unpacked(old)
    skipped = struct.pack("<II", 0x184D2A50, 4) + b"junk"
    def pad(data): return data + bytes(-len(data) % 512 + 1024)
    def summed(block):
      block = block[:148] + b" " * 8 + block[156:]
      return block[:148] + b"%06o\\0 " % sum(block) + block[156:]
    def changed(at, text, tar=old_tar): return summed(tar[:at] + text + tar[at + len(text):512]) + tar[512:]
    def head(name=b"c", size=1, type=b"0"):
      block = name.ljust(100, b"\\0") + old_tar[100:512]
      return summed(block[:124] + b"%011o" % size + block[135:156] + type + block[157:])
    def pax(type, **records):
      text = "".join(f"{len(k) + len(v) + 5} {k}={v}\\n" for k, v in records.items()).encode()
      return head(b"pax", len(text), type) + text + bytes(-len(text) % 512)

    """

  private static let noName = "the zip directory has another name here"
  private static let more = "the zip's end records are damaged, or there are bytes after them"

  private static let otherName = "\"c\": the archive has an entry with another name here"
  private static let otherType = "\"c\": the archive has an entry of another type here"
  private static let notOurs = "\"c\": the tar header is not a header that packtool writes"

  private static let cases: [Case] = [
    .zip("save(zipped(('../c', b'c')))", noName),
    .zip("save(zipped(('/c', b'c')))", noName),
    .zip("save(zipped(c, ('d', b'x')))", "the zip directory has 2 entries, but the list has 1"),
    .zip("save(zipped(c, c))", "the zip directory has 2 entries, but the list has 1"),
    .zip(
      "save(zipped(('c', b'c' * 100_000_000), method=zipfile.ZIP_DEFLATED))",
      "its size in the zip directory is 100000000 bytes"),
    .zip("save(zipped(('c' * 65_000, b'c')))", noName),
    .zip("save(zipped(c))", "its entry in the zip directory is not one that packtool writes"),
    .zip("save(b'junk' + old)", more),
    .zip("save(old + b'junk')", more),
    .zip("save(old[:-22] + b'junk' + old[-22:])", more),
    .zip("save(old[:-2] + b'\\4\\0junk')", more),
    .zip(
      "save(old[:30] + b'd' + old[31:])",
      "\"c\": its local header differs from its entry in the zip directory"),
    .zip("save(old.replace(b'c', b'd'))", noName),
    .zip("save(old[:31] + b'd' + old[32:])", "ZIP bad CRC"),
    .zip(
      "import zlib; save((old[:31] + b'd' + old[32:]).replace(struct.pack('<I', zlib.crc32(b'c')), "
        + "struct.pack('<I', zlib.crc32(b'd'))))", "\"c\" has different content"),
    .zip(
      "end = old[-22:]; save(old[:-22] + struct.pack('<IQHHIIQQQQ', 0x06064b50, 44, 45, 45, 0, 0, 2**32, 2**32, 47, 32)"
        + " + struct.pack('<IIQI', 0x07064b50, 0, len(old) - 22, 1) + end[:8] + b'\\xff' * 12 + b'\\0\\0')",
      more),
    .zip("save(old[:8] + b'\\1' + old[9:])", "its local header differs from its entry in the zip directory"),
    .zip("save(b'')", more),
    .zip("save(b'PK\\5\\6' + b'\\0' * 18)", "the zip directory has 0 entries, but the list has 1"),
    .zip("save(gzip.compress(tarred(c)))", more),

    .tar("save(packed(tarred(('../c', b'c'))))", otherName),
    .tar("save(packed(tarred(('/c', b'c'))))", otherName),
    .tar("save(packed(tarred(('./c', b'c'))))", otherName),
    .tar(
      "save(packed(pad(old_tar[:1024] + head(b'd') + b'x')))",
      "the archive has more entries than the contents list"),
    .tar("save(packed(pad(old_tar[:1024] * 2)))", "the archive has more entries than the contents list"),
    .tar("save(packed(tarred(('c', b'', tarfile.SYMTYPE))))", otherType),
    .tar("save(packed(tarred(('c', b'', tarfile.LNKTYPE))))", otherType),
    .tar("save(packed(tarred(('c', b'', tarfile.DIRTYPE))))", otherType),
    .tar("save(packed(tarred(('c', b'', tarfile.FIFOTYPE))))", otherType),
    .tar("save(packed(tarred()))", "\"c\": the archive ends before this entry"),
    .tar("save(packed(tarred(c)))", "there are bytes after the end of the tar archive"),
    .tar("save(packed(old_tar[:512] + b'd' + old_tar[513:]))", "\"c\" has different content"),
    .tar(
      "save(packed(pad(head(size=0))))",
      "\"c\": the size in the tar header is not the size in the contents list"),
    .tar(
      "save(packed(pad(head(size=100_000_000) + bytes(100_000_000))))",
      "\"c\": the size in the tar header is not the size in the contents list"),
    .tar("save(packed(old_tar + bytes(100_000_000)))", "there are bytes after the end of the tar archive"),
    .tar("save(packed(old_tar + b'junk'))", "there are bytes after the end of the tar archive"),
    .tar("save(packed(old_tar + tarred(('d', b'x'))))", "there are bytes after the end of the tar archive"),
    .tar("save(packed(old_tar[:-512]))", "the archive is truncated"),
    .tar("save(packed(old_tar[:-1024]))", "the archive is truncated"),
    .tar("save(packed(old_tar[:-1] + b'x'))", "the archive has more entries than the contents list"),
    .tar(
      "save(packed(old_tar[:600] + b'x' + old_tar[601:]))",
      "the padding after a file contains bytes other than zero"),
    .tar("save(packed(tarred(('c' * 3_000_000, b'c'))))", otherType),

    // Headers that different readers interpret differently, followed by the right file.
    .tar("save(packed(pax(b'g', path='../../evil.sh') + old_tar))", otherType),
    .tar("save(packed(pax(b'g', size='0') + old_tar))", otherType),
    .tar("save(packed(pax(b'x', path='c') + old_tar))", otherType),
    .tar("save(packed(pax(b'x', **{'SCHILY.xattr.security.capability': 'x'}) + old_tar))", otherType),
    .tar("save(packed(head(b'label', size=0, type=b'V') + old_tar))", otherType),
    .tar("save(packed(head(b'x', size=0, type=b'N') + old_tar))", otherType),
    .tar("save(packed(head(b'x', size=0, type=b'K') + old_tar))", otherType),
    .tar("save(packed(bytes(512) + old_tar))", "\"c\": the archive ends before this entry"),
    .tar("save(packed(changed(100, b'0006777')))", notOurs),
    .tar("save(packed(changed(108, b'0001750')))", notOurs),
    .tar("save(packed(changed(116, b'0001750')))", notOurs),
    .tar("save(packed(changed(136, b'0000000000x')))", notOurs),
    .tar("save(packed(changed(157, b'/etc/passwd')))", notOurs),
    .tar("save(packed(changed(257, b'ustar\\x0000')))", notOurs),
    .tar("save(packed(changed(265, b'root')))", notOurs),
    .tar("save(packed(changed(345, b'prefix')))", notOurs),
    .tar("save(packed(changed(156, b'\\0')))", otherType),
    .tar("save(packed(changed(156, b'7')))", otherType),
    .tar("save(packed(old_tar[:148] + b'0000000 ' + old_tar[156:]))", notOurs),

    // Bytes before and after the compressed stream.
    .tar(
      "save(old[:3] + b'\\x08' + old[4:10] + b'name\\0' + old[10:])",
      "the gzip header has fields that packtool does not write"),
    .tar("save(old[:4] + b'\\x01' + old[5:])", "the gzip header has fields that packtool does not write"),
    .tar("save(old + gzip.compress(b''))", "there are bytes after the end of the archive"),
    .tar("save(old + bytes(100))", "there are bytes after the end of the archive"),
    .zstandard("save(old + skipped)", "there are bytes after the end of the Zstandard frame"),
    .zstandard("save(skipped + old)", "the file does not begin with a Zstandard frame"),
    .zstandard(
      "save(zstd(old_tar[:600]) + zstd(old_tar[600:]))",
      "there are bytes after the end of the Zstandard frame"),
    .zstandard("save(old + zstd(b''))", "there are bytes after the end of the Zstandard frame"),
    .zstandard("save(old[:-1])", "the Zstandard frame is truncated"),
    .zstandard("save(old[:5])", "the Zstandard frame is truncated"),
    .zstandard("save(b'')", "the file does not begin with a Zstandard frame"),
    .zstandard("save(old_tar)", "the file does not begin with a Zstandard frame"),
    .zstandard("save(zstd(pax(b'g', path='../../evil.sh') + old_tar))", otherType),
    .zstandard("save(zstd(old_tar + bytes(512)))", "there are bytes after the end of the tar archive"),
    .tar("save(old + b'junk')", "there are bytes after the end of the archive"),
    .tar("save(old + gzip.compress(tarred(('d', b'x'))))", "there are bytes after the end of the archive"),
    .tar("save(old[:-8] + b'\\1\\2\\3\\4' + old[-4:])", "incorrect data check"),
    .tar("save(old[:-4] + b'\\1\\2\\3\\4')", "incorrect length check"),
    .tar("save(old[:-9])", "the file is truncated"),
    .tar("save(b'')", "the file is truncated"),
    .tar("save(zipped(c))", "incorrect header check"),
  ]

  @Test(.enabled(if: isInstalled("python3") && isInstalled("zstd")), arguments: cases)
  func `no harm comes of it`(example: Case)
    throws
  {
    let built = try BuiltSite(example.container)
    try built.replace(built.pack("C"), byPython: Self.prelude + example.script)
    let findings = try built.findings()
    let isOnlyContent = ["has different content", "ZIP bad CRC"].contains(where: example.message.contains)
    #expect(findings.map(\.check) == [isOnlyContent ? .wrongContents : .damagedPack])
    let notes = findings.flatMap(\.notes).map(\.message).joined(separator: "\n")
    #expect(notes.contains(example.message), "\(notes)")
    // If a pack is refused, it is also not unpacked.
    let output = built.site.folder.path("new files")
    let unpacking = try Unpacking(built.path, tags: nil, to: output, replacesFiles: true, jobs: 1)
    #expect(unpacking.written.files == 0)
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
