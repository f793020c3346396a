@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests which tags files get from rules.
@Suite struct ScanRuleTests {
  @Test func `a path is one file, or a folder with all below it`() throws {
    let site = try ScanSite("a/1", "a/b/2", "a/b/c/3", "ab", "d", "e/d")
    let scan = try site.scan(.path("a", "A"), .path("d", "D"))
    #expect(scan.files == ["a/1 [A]", "a/b/2 [A]", "a/b/c/3 [A]", "d [D]"])
    #expect(scan.findings == [])
  }

  @Test(arguments: ["a/b", "./a/b", "a/./b/", "a//b", "a/x/../b", "./././a/b/."])
  func `a path may be spelled in many ways`(path: String) throws {
    let site = try ScanSite("a/b/1", "a/c")
    #expect(try site.scan(.path(path, "A")).files == ["a/b/1 [A]"])
  }

  @Test(arguments: [".", "./", "a/.."])
  func `the root is a folder like any other`(path: String) throws {
    let site = try ScanSite("a/1", "2")
    #expect(try site.scan(.path(path, "All"), .path("a", "A")).files == ["2 [All]", "a/1 [A, All]"])
  }

  @Test func `upper and lower case differ, and every byte counts`() throws {
    let site = try ScanSite("a", "A", "\u{e9}", "e\u{301}")
    let scan = try site.scan(.path("A", "big"), .path("\u{e9}", "composed"), .glob("a", "small"))
    #expect(scan.paths.map { Array($0.utf8) } == ["A", "a", "\u{e9}"].map { Array($0.utf8) })
    #expect(scan.files == ["A [big]", "a [small]", "\u{e9} [composed]"])
    #expect(scan.untagged.files == 1)
  }

  @Test func `a file has the tags of every rule that matches it, each once, sorted`() throws {
    let site = try ScanSite("a/1.png", "a/2.txt", "a/b/3.png", "c.png")
    let scan = try site.scan(
      .path("a", "Folder", "Z"), .path("a/b", "Inner"), .path("a/b/3.png", "File", "Z"),
      .glob("**/*.png", "Picture"), .glob("*.png", "Top", "Picture"))
    #expect(
      scan.files == [
        "a/1.png [Folder, Picture, Z]", "a/2.txt [Folder, Z]", "a/b/3.png [File, Folder, Inner, Picture, Z]",
        "c.png [Picture, Top]",
      ])
    #expect(scan.findings == [])
  }

  @Test func `tags sort as Swift strings, and equal tags are one`() throws {
    let site = try ScanSite("a")
    let scan = try site.scan(.path("a", "b", "é", "B", "a"), .glob("a", "e\u{301}", "Z"))
    #expect(scan.files == ["a [B, Z, a, b, é]"])
  }

  @Test(arguments: [
    ("*", ["1.txt", "2.png"]), ("*.png", ["2.png"]), ("?.png", ["2.png"]),
    ("**/*.png", ["2.png", "a/3.png", "a/b/4.png"]),
    ("**", ["1.txt", "2.png", "a/3.png", "a/b/4.png", "a/b/5.txt"]),
    ("a/*", ["a/3.png"]), ("a/**", ["a/3.png", "a/b/4.png", "a/b/5.txt"]),
    ("a/**/*.txt", ["a/b/5.txt"]), ("**/b/*", ["a/b/4.png", "a/b/5.txt"]), ("*/b/4.png", ["a/b/4.png"]),
    ("[12].*", ["1.txt", "2.png"]), ("[!1].*", ["2.png"]), ("{1,2}.{txt,png}", ["1.txt", "2.png"]),
    ("{a/3,a/b/4}.png", ["a/3.png", "a/b/4.png"]), ("**/**/b/**", ["a/b/4.png", "a/b/5.txt"]),
    ("a/b/4.png", ["a/b/4.png"]), ("./a/*/4.???", ["a/b/4.png"]), ("**/[3-5].p*g", ["a/3.png", "a/b/4.png"]),
  ])
  func `a glob matches files, not folders`(glob: String, paths: [String]) throws {
    let site = try ScanSite("1.txt", "2.png", "a/3.png", "a/b/4.png", "a/b/5.txt")
    let scan = try site.scan(.glob(glob, "A"))
    #expect(scan.paths == paths)
    #expect(scan.untagged.files == 5 - paths.count)
  }

  @Test func `a glob that only folders match matches nothing`() throws {
    let site = try ScanSite("a/1", "b/2")
    let scan = try site.scan(.glob("?", "A"))
    #expect(scan.files == [])
    #expect(scan.untagged.files == 2)
    #expect(
      scan.findings == [
        #"Manifest.json: error [no-match] "?" "a" "?/**""#
      ])
  }

  @Test func `a name that starts with a dot is matched too`() throws {
    let site = try ScanSite(".a", "b/.c", ".d/e")
    #expect(try site.scan(.glob("*", "A"), .glob("*/*", "B")).files == [".a [A]", ".d/e [B]", "b/.c [B]"])
  }

  @Test func `special characters in a path are plain`() throws {
    let site = try ScanSite("[x]/*", "x/a", "a{b,c}")
    let scan = try site.scan(.path("[x]", "A"), .path("a{b,c}", "B"), .glob("[[]x]/[*]", "C"))
    #expect(scan.files == ["[x]/* [A, C]", "a{b,c} [B]"])
  }

  @Test func `files without tags are counted`() throws {
    let site = try ScanSite()
    try site.write("a/1", "12345")
    try site.write("b/2", "123")
    try site.write("b/c/3", "1")
    try site.write("4", "")
    try site.write(".DS_Store", "0123456789")
    try site.write("b/no.psd", "0123456789")
    let scan = try site.scan(.path("a", "A"), exclude: ["**/*.psd"])
    #expect(scan.files == ["a/1 [A]"])
    #expect(scan.untagged.files == 3)
    #expect(scan.untagged.size == 4)
  }

  @Test func `sizes are those of the files`() throws {
    let site = try ScanSite()
    try site.write("a", "12345")
    try site.folder.writeSparse("Assets/huge", size: 5 << 30)
    let tree = try #require(try site.scan(.glob("*", "A")).tree)
    #expect(tree.files.map(\.size) == [5, 5 << 30])
  }
}
