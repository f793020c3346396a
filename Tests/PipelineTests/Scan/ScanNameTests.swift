@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests names that are difficult to store, and directory entries that are not files.
@Suite(.noHang, .enabled(if: isInstalled("python3"))) struct ScanNameTests {
  /// Macs write names in decomposed form, and editors write them in composed form.
  ///
  /// A rule matches both, and the name in the pack is the name on the disk.
  @Test(arguments: [("caf\u{e9}", "cafe\u{301}"), ("cafe\u{301}", "caf\u{e9}")])
  func `a rule finds a name in another Unicode form`(typed: String, stored: String) throws {
    let site = try ScanSite("\(stored)/\(stored).png", "x/\(stored)/a.ogg", "x/\(stored)/b/c.ogg")
    let scan = try site.scan(
      .path("\(typed)/\(typed).png", "A"), .glob("x/\(typed)/**/*.ogg", "B", to: "Sound"))
    #expect(scan.findings == [])
    let stored = ["\(stored)/\(stored).png", "x/\(stored)/a.ogg", "x/\(stored)/b/c.ogg"]
    #expect(scan.paths.map { Array($0.utf8) } == stored.map { Array($0.utf8) })
    #expect(scan.tree?.files.map(\.packPath).last == "Sound/b/c.ogg")
  }

  @Test func `of two Unicode forms the exact one is found`() throws {
    let site = try ScanSite("caf\u{e9}/1", "cafe\u{301}/2")
    for (typed, file) in [("caf\u{e9}", "1"), ("cafe\u{301}", "2")] {
      let scan = try site.scan(.path(typed, "A"))
      #expect(scan.paths.map { Array($0.utf8) } == [Array("\(typed)/\(file)".utf8)])
      // If a folder with exactly this name exists, files that are missing in it are not searched in the
      // folder whose name has the other Unicode normalization.
      #expect(try site.scan(.path("\(typed)/\(file == "1" ? "2" : "1")", "A")).paths == [])
    }
  }

  @Test func `a tagged name that is not UTF-8 is an error, once for a folder`() throws {
    let site = try ScanSite("a/1")
    try site.python(
      """
      import os
      open(b'a/\\xff.png', 'w')
      os.makedirs(b'a/d\\xc3\\x28/e')
      for name in 'xyz':
        open(b'a/d\\xc3\\x28/e/' + name.encode(), 'w')
      """)
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.files == ["a/1 [A]"])
    #expect(
      scan.findings == [
        #"Assets/a/\xff.png: error [invalid-name] "a/\xff.png""#,
        #"Assets/a/d\xc3(: error [invalid-name] "a/d\xc3(""#,
      ])
  }

  @Test func `a glob matches below a name that is not UTF-8, and each file is reported`() throws {
    let site = try ScanSite()
    try site.python("import os; os.mkdir(b'\\xff'); open(b'\\xff/1', 'w'); open(b'\\xff/2', 'w')")
    let scan = try site.scan(.glob("**/1", "A"))
    #expect(scan.findings == [#"Assets/\xff/1: error [invalid-name] "\xff/1""#])
  }

  @Test func `untagged names may be anything`() throws {
    let site = try ScanSite("a/1")
    try site.python(
      """
      import os
      open(b'\\xff', 'w').write('12')
      open(b'b\\x01\\n', 'w').write('3')
      os.mkdir(b'\\xfe')
      open(b'\\xfe/\\xfd', 'w').write('456')
      os.mkfifo('fifo')
      """)
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.findings == [])
    #expect(scan.untagged.files == 3)
    #expect(scan.untagged.size == 6)
  }

  @Test(arguments: [
    ("\n", "\\n"), ("\t", "\\t"), ("\u{1}", "\\u{1}"), ("\u{1b}[31m", "\\u{1b}[31m"), ("\u{7f}", "\\u{7f}"),
    ("\u{9b}", "\\u{9b}"),
  ])
  func `a tagged name with a control character is an error`(character: String, shown: String) throws {
    let site = try ScanSite("a/x\(character)y")
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.files == [])
    #expect(
      scan.findings == [
        #"Assets/a/x\#(shown)y: error [invalid-name] "a/x\#(shown)y""#
      ])
  }

  /// libarchive changes "..\up" to "../up" in a zip.
  @Test(arguments: ["back\\slash", "..\\up"])
  func `a tagged name with a backslash is an error`(name: String) throws {
    let site = try ScanSite("a/\(name)", "a/x", "\(name)")
    let scan = try site.scan(.path("a", "A"))
    #expect(scan.paths == ["a/x"])
    #expect(
      scan.findings == [
        "Assets/a/\(name.replacing("\\", with: "\\\\")): error [invalid-name] \(quoted("a/\(name)"))"
      ])
  }

  @Test func `quotes and backslashes in a name do not break a message`() throws {
    let site = try ScanSite()
    try site.link("a/\"x\\y\"", to: "nowhere \"z\"")
    #expect(
      try site.scan(.path("a", "A")).findings == [
        #"Assets/a/\"x\\y\": error [dangling-link] "a/\"x\\y\"" "nowhere \"z\"" "a/nowhere \"z\"""#
      ])
  }

  @Test(arguments: ["n", "é", "日", "🎮"])
  func `names of 255 bytes are packed`(character: String) throws {
    let name = String(repeating: character, count: 255 / character.utf8.count)
    let site = try ScanSite("\(name)/\(name)")
    let scan = try site.scan(.path(name, "A"))
    #expect(scan.paths == ["\(name)/\(name)"])
    #expect(scan.findings == [])
  }

  @Test func `folders whose names differ only in Unicode form are two`() throws {
    let site = try ScanSite("e\u{301}/1", "\u{e9}/2")
    try site.write("\u{e9}/wasm", Data([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))
    _ = try site.manifest([.path(".", "A")])
    let prepared = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1))
    #expect(prepared.plan?.tree.files.map { Array($0.path.utf8)[0] } == [0x65, 0xc3, 0xc3])
    let found = try allFindings(in: site.folder.path, jobs: 1).filter { $0.check == .executableContent }
    #expect(found.map { Array($0.place.path.utf8.suffix(7)) } == [Array("\u{e9}/wasm".utf8)])
    let pack = try #require(try site.build([.path(".", "A")], .test(.folder)).packs.first)
    let names = try site.contents(of: pack, by: "cp").keys.map { Array($0.utf8) }
    #expect(Set(names) == Set(["e\u{301}/1", "\u{e9}/2", "\u{e9}/wasm"].map { Array($0.utf8) }))
  }

  @Test func `a thousand folders deep a file is found`() throws {
    let site = try ScanSite("a/1")
    try site.python(
      """
      import os
      os.chdir('a')
      for _ in range(1000):
        os.mkdir('deep')
        os.chdir('deep')
      open('file', 'w').write('deep')
      os.symlink('file', 'link')
      """)
    defer { _ = try? run("rm", ["-rf", site.folder.path("Assets")]) }
    let scan = try site.scan(.path("a", "A"), .glob("**/file", "Deep"))
    let deep = "a/" + String(repeating: "deep/", count: 1000)
    #expect(scan.files == ["a/1 [A]", "\(deep)file [A, Deep]", "\(deep)link [A]"])
    #expect(scan.findings == [])
    #expect(scan.tree?.files.map(\.size) == [3, 4, 4])
  }

  @Test func `a path longer than an archive holds is one error`() throws {
    let site = try ScanSite("1")
    try site.python(
      """
      import os
      for number in range(300):
        os.mkdir('d' * 219)
        os.chdir('d' * 219)
        if number >= 297: open('f' * 95, 'w')
      """)
    defer { _ = try? run("rm", ["-rf", site.folder.path("Assets")]) }
    let manifest = try site.manifest([.path(".", "A")])
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 1)
    // The paths of 297 folders have 65,340 bytes; with one more folder, they are too long for any content.
    #expect(scan.tree?.files.map(\.path.utf8.count) == [1])
    #expect(
      scan.diagnostics.map(\.namedValues) == ["65,559 bytes 65,535"])
    #expect(scan.diagnostics.map(\.check) == [.invalidName])
  }

  @Test func `a tagged fifo, socket or device is an error, and does not make it wait`() throws {
    let site = try ScanSite("a/1")
    try site.python(
      """
      import os, socket
      os.mkfifo('a/fifo')
      socket.socket(socket.AF_UNIX).bind('a/socket')
      os.symlink('fifo', 'a/link')
      os.mkfifo('b')
      """)
    let scan = try site.scan(.path("a", "A"), .glob("*", "B"))
    #expect(scan.files == ["a/1 [A]"])
    #expect(
      scan.findings == [
        #"Assets/a/fifo: error [special-file] "a/fifo""#,
        #"Assets/a/link: error [special-file] "a/link""#,
        #"Assets/a/socket: error [special-file] "a/socket""#,
        #"Assets/b: error [special-file] "b""#,
      ])
  }
}
