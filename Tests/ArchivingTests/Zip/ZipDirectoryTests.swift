@testable import Archiving
import Foundation
import Support
@testable import System
import Testing

/// Tests the names and oddities in the directories of archives that Python wrote.
@Suite(.enabled(if: isInstalled("python3"))) struct ZipDirectoryTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Names in a zip, and the names that libarchive returns for them.
  private static let composed = [
    "plain": "plain", "e\u{301}": "\u{e9}", "\u{fc}": "\u{fc}", "a/o\u{308}/\u{1f600}": "a/\u{f6}/\u{1f600}",
  ]

  private func zipDirectory(of archive: String) throws -> ZipDirectory {
    try ZipDirectory(of: InputFile(folder.path(archive)))
  }

  @Test(
    arguments: [
      "", "zip.comment = b'PK\\x05\\x06 a comment'", "[zip.writestr(str(n), '') for n in range(70_000)]",
    ])
  func `each name is found by what libarchive makes of it`(more: String) throws {
    let script = """
      import sys, zipfile
      with zipfile.ZipFile('some.zip', 'w') as zip:
        for name in sys.argv[1:]: zip.writestr(name, name)
        \(more)
      """
    _ = try folder.python(script, Array(Self.composed.keys))
    let directory = try zipDirectory(of: "some.zip")
    for (name, composed) in Self.composed {
      #expect(directory.original(of: Array(composed.utf8)) == Array(name.utf8))
    }
    #expect(directory.original(of: Array("other\u{e9}".utf8)) == Array("other\u{e9}".utf8))
    #expect(directory.original(of: [0xff, 0x80]) == [0xff, 0x80])
  }

  /// The offset of a change in a directory entry, the new bytes, and 1 if this change causes other readers to
  /// fail.
  @Test(arguments: [
    (5, [3], 0), (6, [45], 0), (6, [46], 1), (6, [255], 1), (8, [1], 1), (8, [0, 8], 0), (8, [3], 1),
    (40, [0, 0x08], 1), (40, [0, 0x04], 1), (40, [0, 0x02], 1), (40, [0xff, 0x01], 0),
  ]) func `data that other readers reject is reported`(place: Int, bytes: [UInt8], count: Int) throws {
    _ = try folder.python(
      "import zipfile\nzip = zipfile.ZipFile('odd.zip', 'w')\nzip.writestr('name', 'x')\nzip.close()")
    var zip = try folder.bytes(of: "odd.zip")
    let directory = zip.count - 22 - 46 - 4
    zip.replaceSubrange(directory + place..<directory + place + bytes.count, with: bytes)
    try folder.write("odd.zip", Data(zip))
    let oddities = try zipDirectory(of: "odd.zip").oddities
    #expect(oddities.count == count && oddities.allSatisfy { $0.contains("\"name\"") })
  }

  @Test(arguments: [
    ("", "", "", nil), ("", "a", "", nil), ("front", "", "", nil),
    ("front", "a", "", "there are bytes before the zip's first entry"),
    ("", "a", "more", "there are bytes after the zip's end record"),
  ])
  func `bytes around an archive are reported`(front: String, name: String, tail: String, oddity: String?)
    throws
  {
    let script = """
      import sys, zipfile
      with open('odd.zip', 'wb') as file:
        file.write(sys.argv[1].encode())
        with zipfile.ZipFile(file, 'w') as zip:
          if sys.argv[2]: zip.writestr(sys.argv[2], 'x')
        file.write(sys.argv[3].encode())
      """
    _ = try folder.python(script, [front, name, tail])
    #expect(try zipDirectory(of: "odd.zip").oddities == (oddity.map { [$0] } ?? []))
  }

  /// A truncated archive has no end record, or only a part of it.
  @Test func `an archive that ends early is truncated`() throws {
    _ = try folder.python(
      "import zipfile\nzip = zipfile.ZipFile('whole.zip', 'w')\nzip.comment = b'a comment'\nzip.writestr('a', 'x' * 99)\nzip.close()"
    )
    let zip = try folder.bytes(of: "whole.zip")
    #expect(try !zipDirectory(of: "whole.zip").isTruncated)
    for count in [1, 4, 40, zip.count / 2, zip.count - 31, zip.count - 20, zip.count - 1] {
      try folder.write("cut.zip", Data(zip.prefix(count)))
      let directory = try zipDirectory(of: "cut.zip")
      #expect(directory.isTruncated && directory.oddities.isEmpty, "\(count)")
    }
    try folder.write("long.zip", Data(zip + [0]))
    let longer = try zipDirectory(of: "long.zip")
    #expect(!longer.isTruncated && longer.oddities.count == 1)
  }

  @Test func `only the first of many oddities are reported`() throws {
    _ = try folder.python(
      "import zipfile\nzip = zipfile.ZipFile('many.zip', 'w')\nfor n in range(30): zip.writestr(str(n), '')\nzip.close()"
    )
    var zip = try folder.bytes(of: "many.zip")
    for place in zip.indices.dropLast(4) where Array(zip[place..<place + 4]) == [0x50, 0x4b, 1, 2] {
      zip[place + 6] = 60
    }
    try folder.write("many.zip", Data(zip))
    #expect(try zipDirectory(of: "many.zip").oddities.count == 10)
  }

  @Test func `of two names that differ in their form alone neither is guessed`() throws {
    _ = try folder.python(
      "import zipfile\nzip = zipfile.ZipFile('two.zip', 'w')\n"
        + "for name in ('e\\u0301', '\\u00e9', 'e\\u0301'): zip.writestr(name, '')\nzip.close()")
    #expect(try zipDirectory(of: "two.zip").original(of: Array("\u{e9}".utf8)) == Array("\u{e9}".utf8))
  }

  @Test func `what is no directory has no names`() throws {
    _ = try folder.python(
      "import zipfile\nzip = zipfile.ZipFile('whole.zip', 'w')\nzip.writestr('e\\u0301', 'x' * 100)\nzip.close()"
    )
    let whole = try folder.bytes(of: "whole.zip")
    let composed = Array("\u{e9}".utf8)
    for size in 0..<whole.count {
      try folder.write("cut.zip", Data(whole[..<size]))
      #expect(try zipDirectory(of: "cut.zip").original(of: composed) == composed, "\(size) bytes")
    }
    // Changes single bytes of the directory and of the record after it. Reading must not crash or return a
    // name that was not written.
    for place in (whole.count - 22 - 46 - 3)..<whole.count {
      for byte in [0, 0x7f, 0xff] as [UInt8] {
        var changed = whole
        changed[place] = byte
        try folder.write("changed.zip", Data(changed))
        let name = try zipDirectory(of: "changed.zip").original(of: composed)
        #expect(name == composed || name == Array("e\u{301}".utf8), "\(byte) at \(place)")
      }
    }
  }
}
