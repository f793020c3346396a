@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests two files with the same path, in one pack or in two packs.
@Suite struct PathClashTests {
  @Test func `destinations that meet`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/icon.png", "1")
    try folder.write("b/icon.png", "2")
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "a/icon.png", "tags": ["T"], "destination": "icon.png"}"#,
      #"{"path": "b/icon.png", "tags": ["T"], "destination": "icon.png"}"#)
    #expect(
      prepared.lines == [
        #"b/icon.png: error [path-clash] "a/icon.png" "b/icon.png" "icon.png" "T""#
      ])
  }

  @Test func `names that differ in case`() throws {
    let folder = try TemporaryFolder()
    for name in ["Hero.png", "hero.png", "HERO.PNG", "hero.jpg", "\u{c4}rger", "\u{e4}rger"] {
      try folder.write("a/\(name)", name)
    }
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    #expect(
      prepared.lines == [
        "a/Hero.png: error [path-clash] \"a/HERO.PNG\" \"a/Hero.png\" \"T\"",
        "a/hero.png: error [path-clash] \"a/Hero.png\" \"a/hero.png\" \"T\"",
        "a/\u{e4}rger: error [path-clash] \"a/\u{c4}rger\" \"a/\u{e4}rger\" \"T\"",
      ])
  }

  @Test func `names that differ in Unicode form`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/caf\u{e9}", "1")
    try folder.write("a/cafe\u{301}", "2")
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    let lines = prepared.lines
    #expect(lines.count == 1)
    // Swift compares strings by canonical equivalence, so the test compares bytes.
    let expected =
      "a/caf\u{e9}: error [path-clash] \"a/cafe\u{301}\" \"a/caf\u{e9}\" \"T\""
    #expect(lines.first.map { Array($0.utf8) } == Array(expected.utf8))
  }

  /// If only digits follow the last semicolon of a name, Debian's unzip removes the semicolon and the digits.
  @Test(arguments: [("zip", true), ("tar.gz", false)])
  func `names that unzip takes for one`(container: String, clashes: Bool) throws {
    let folder = try TemporaryFolder()
    for name in ["x", "x;1", "y&amp", "Y&amp;", "z;1a", "z", "v;1/x", "v/x", "w;2", "w/x"] {
      try folder.write("a/\(name)", name)
    }
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "a", "tags": ["T"]}"#, members: "\"container\": \"\(container)\"")
    func line(_ first: String, _ second: String) -> String {
      #"a/\#(second): error [path-clash] "a/\#(first)" "a/\#(second)" "a/\#(first)" "a/\#(second)" ";" "T""#
    }
    let lines = [
      #"a/w/x: error [path-clash] "a/w/x" "a/w;2""#,
      line("x", "x;1"), line("Y&amp;", "y&amp"),
    ]
    #expect(prepared.lines == (clashes ? lines : []))
  }

  /// Each pack has its own folder, so two paths that would clash in one pack do not clash in two packs.
  @Test func `other packs do not clash`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/x", "1")
    try folder.write("a/X", "2")
    try folder.write("a/caf\u{e9}", "3")
    try folder.write("a/cafe\u{301}", "4")
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "a/x", "tags": ["T"]}"#, #"{"path": "a/X", "tags": ["U"]}"#,
      "{\"path\": \"a/caf\u{e9}\", \"tags\": [\"V\"]}", "{\"path\": \"a/cafe\u{301}\", \"tags\": [\"W\"]}")
    #expect(prepared.lines == [])
  }

  @Test func `file where a folder is needed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("one", "1")
    try folder.write("a/2/x", "2")
    try folder.write("a/2/y", "3")
    try folder.write("a/z", "4")
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "one", "tags": ["T"], "destination": "Data/2"}"#,
      #"{"path": "a", "tags": ["T"], "destination": "Data"}"#)
    #expect(
      prepared.lines == [
        #"a/2/x: error [path-clash] "Data/2/x" "Data/2""#
      ])
  }

  /// If the device ignores case, a file can be at the path of a folder even without a `destination`.
  @Test func `file where a folder of other case is needed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/Map", "1")
    try folder.write("a/map/1", "2")
    try folder.write("a/map/2/3", "3")
    try folder.write("a/maps/1", "4")
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    #expect(
      prepared.lines == [
        #"a/map/1: error [path-clash] "a/map/1" "a/Map""#
      ])
  }

  /// The second file of a folder is skipped, although not all folders above it were compared for the first file.
  @Test func `a folder with a clash is reported for its first file only`() throws {
    let folder = try TemporaryFolder()
    for path in ["AA", "Aa/BB", "aa/bb/c1", "aa/bb/c2"] { try folder.write("a/\(path)", path) }
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    let clashes = prepared.lines.filter { $0.contains(" [path-clash] ") }
    #expect(clashes.map { $0.prefix { $0 != ":" } } == ["a/Aa/BB", "a/aa/bb/c1"], "\(prepared.lines)")
  }

  @Test func `one path in two packs`() throws {
    let folder = try TemporaryFolder()
    try folder.write("hd/hero.png", "large")
    try folder.write("sd/hero.png", "small")
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "hd", "tags": ["HD"], "destination": "Art"}"#,
      #"{"path": "sd", "tags": ["SD"], "destination": "Art"}"#)
    #expect(
      prepared.lines == [
        #"sd/hero.png: warning [path-in-two-packs] "sd/hero.png" "hd/hero.png" "Art/hero.png" "SD" "HD""#
      ])
  }

  /// Both packs contain a symlink to the same file at this path, so the app gets the same content from both.
  @Test func `one file in two packs is no clash`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Shared/hero.png", "hero")
    try folder.link("hd/hero.png", to: "../Shared/hero.png")
    try folder.link("sd/hero.png", to: "../Shared/hero.png")
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "hd", "tags": ["HD"], "destination": "Art"}"#,
      #"{"path": "sd", "tags": ["SD"], "destination": "Art"}"#)
    #expect(prepared.lines == [])
  }
}
