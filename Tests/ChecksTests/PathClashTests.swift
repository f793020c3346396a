@testable import PackKit
import Support
import Testing

/// Two files that want one place, in one pack or in two.
@Suite struct PathClashTests {
  @Test func destinationsThatMeet() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/icon.png", "1")
    try folder.write("b/icon.png", "2")
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "a/icon.png", "tags": ["T"], "destination": "icon.png"}"#,
      #"{"path": "b/icon.png", "tags": ["T"], "destination": "icon.png"}"#)
    #expect(
      prepared.lines == [
        "b/icon.png: error: the files \"a/icon.png\" and \"b/icon.png\" both land at \"icon.png\", in the pack of "
          + "{\"T\"} [path-clash]"
      ])
  }

  @Test func namesThatDifferInCase() throws {
    let folder = try TemporaryFolder()
    for name in ["Hero.png", "hero.png", "HERO.PNG", "hero.jpg", "\u{c4}rger", "\u{e4}rger"] {
      try folder.write("a/\(name)", name)
    }
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    let end =
      " land at places that differ only in case, which most devices take for one, in the pack of {\"T\"} [path-clash]"
    #expect(
      prepared.lines == [
        "a/Hero.png: error: the files \"a/HERO.PNG\" and \"a/Hero.png\"\(end)",
        "a/hero.png: error: the files \"a/Hero.png\" and \"a/hero.png\"\(end)",
        "a/\u{e4}rger: error: the files \"a/\u{c4}rger\" and \"a/\u{e4}rger\"\(end)",
      ])
  }

  @Test func namesThatDifferInUnicodeForm() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/caf\u{e9}", "1")
    try folder.write("a/cafe\u{301}", "2")
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    let lines = prepared.lines
    #expect(lines.count == 1)
    // Strings in either form are equal to Swift, so the bytes are compared.
    let expected =
      "a/caf\u{e9}: error: the files \"a/cafe\u{301}\" and \"a/caf\u{e9}\" land at places that differ only in Unicode "
      + "form, which most devices take for one, in the pack of {\"T\"} [path-clash]"
    #expect(lines.first.map { Array($0.utf8) } == Array(expected.utf8))
  }

  /// Debian's unzip writes what stands before a last semicolon with nothing but digits behind it.
  @Test(arguments: [("zip", true), ("tar.gz", false)])
  func namesThatUnzipTakesForOne(container: String, clashes: Bool) throws {
    let folder = try TemporaryFolder()
    for name in ["x", "x;1", "y&amp", "Y&amp;", "z;1a", "z", "v;1/x", "v/x", "w;2", "w/x"] {
      try folder.write("a/\(name)", name)
    }
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "a", "tags": ["T"]}"#, members: "\"container\": \"\(container)\"")
    func line(_ first: String, _ second: String) -> String {
      "a/\(second): error: the files \"a/\(first)\" and \"a/\(second)\" land at \"a/\(first)\" and \"a/\(second)\", one "
        + "place to unzip, for which a version follows \";\", in the pack of {\"T\"} [path-clash]"
    }
    let lines = [
      "a/w/x: error: \"a/w/x\" needs a folder where the pack has the file \"a/w;2\" [path-clash]",
      line("x", "x;1"), line("Y&amp;", "y&amp"),
    ]
    #expect(prepared.lines == (clashes ? lines : []))
  }

  /// Packs are folders of their own: what clashes in one does not in two.
  @Test func otherPacksDoNotClash() throws {
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

  @Test func fileWhereAFolderIsNeeded() throws {
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
        "a/2/x: error: \"Data/2/x\" needs a folder where the pack has the file \"Data/2\" [path-clash]"
      ])
  }

  /// Where case does not count, a file may stand in the way of a folder without any destination.
  @Test func fileWhereAFolderOfOtherCaseIsNeeded() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/Map", "1")
    try folder.write("a/map/1", "2")
    try folder.write("a/map/2/3", "3")
    try folder.write("a/maps/1", "4")
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    #expect(
      prepared.lines == [
        "a/map/1: error: \"a/map/1\" needs a folder where the pack has the file \"a/Map\" [path-clash]"
      ])
  }

  @Test func onePathInTwoPacks() throws {
    let folder = try TemporaryFolder()
    try folder.write("hd/hero.png", "large")
    try folder.write("sd/hero.png", "small")
    let prepared = try PreparedFolder(
      folder, rules: #"{"path": "hd", "tags": ["HD"], "destination": "Art"}"#,
      #"{"path": "sd", "tags": ["SD"], "destination": "Art"}"#)
    #expect(
      prepared.lines == [
        "sd/hero.png: warning: \"sd/hero.png\" and \"hd/hero.png\" both land at \"Art/hero.png\", in the packs of "
          + "{\"SD\"} and {\"HD\"}; an app that uses both cannot tell which it gets [path-in-two-packs]"
      ])
  }

  /// Two links to one file are the same file in both packs: an app gets what it expects.
  @Test func oneFileInTwoPacksIsNoClash() throws {
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
