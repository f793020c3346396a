@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests which paths a glob matches.
@Suite struct GlobMatchTests {
  @Test(arguments: GlobExample.all)
  func `a glob matches its paths and no others`(_ example: GlobExample) throws {
    let glob = try Glob(example.pattern)
    for path in example.matches {
      #expect(glob.matches(path), "\"\(example.pattern)\" should match \"\(path)\"")
    }
    for path in example.misses {
      #expect(!glob.matches(path), "\"\(example.pattern)\" should not match \"\(path)\"")
    }
  }

  @Test(
    arguments: [
      ("*", [0xff]), ("?", [0xff]), ("?", [0xc3]), ("??", [0xc3, 0x28]), ("[!a]", [0xff]),
      ("*[!a]", [0x61, 0xff]),
      ("caf?", [0x63, 0x61, 0x66, 0xe9]), ("*.png", [0xff, 0x2e, 0x70, 0x6e, 0x67]), ("??", [0xc0, 0xaf]),
      ("???", [0xed, 0xa0, 0x80]), ("????", [0xf4, 0x90, 0x80, 0x80]), ("?a", [0x80, 0x61]),
      ("?é", [0xc3, 0xc3, 0xa9]),
    ] as [(String, [UInt8])])
  func `a byte that is not UTF-8 counts as one character`(_ pattern: String, _ name: [UInt8]) throws {
    #expect(try Glob(pattern).matches(name))
    #expect(try Glob("**/\(pattern)").matches(Array("x/y/".utf8) + name))
  }

  @Test(
    arguments: [
      ("?", [0xc3, 0x28]), ("[a-z]", [0xff]), ("é", [0xc3]), ("é", [0xe9]), ("[é]", [0xc3]),
      ("\u{fffd}", [0xff]),
      ("[\u{fffd}]", [0xff]), ("a*", [0xff, 0x61]), ("?", [0xed, 0xa0, 0x80]),
    ] as [(String, [UInt8])])
  func `a byte that is not UTF-8 is no other character`(_ pattern: String, _ name: [UInt8]) throws {
    #expect(try !Glob(pattern).matches(name))
  }

  @Test func `an excluded folder is excluded with all below it`() throws {
    let excluded = { (pattern: String, path: String) in
      var manifest = Manifest(text: SourceText(path: "", bytes: []), folder: ".")
      manifest.excludes = [try Glob(pattern)]
      let index = RuleMatcher(manifest)
      var state = index.root
      for name in Array(path.utf8).split(separator: UInt8(ascii: "/")) {
        if index.match(name, in: state).isExcluded { return true }
        state = index.state(below: name, in: state)
      }
      return false
    }
    #expect(try excluded("**/*.psd", "a/b.psd"))
    #expect(try excluded("Draft", "Draft/a/b"))
    #expect(try excluded("**/Draft", "x/Draft/a"))
    #expect(try excluded("Draft/**", "Draft/a"))
    #expect(try !excluded("Draft", "x/Draft/a"))
    #expect(try !excluded("Draft/*.psd", "Draft/x/a.psd"))
  }

  @Test func `a rule's glob does not match what is below a matching folder`() throws {
    #expect(try !Glob("Levels/*").matches("Levels/1/map.json"))
    #expect(try !Glob("Levels").matches("Levels/1"))
  }

  @Test func `several rules match one name, each once`() throws {
    var manifest = Manifest(text: SourceText(path: "", bytes: []), folder: ".")
    manifest.rules = try ["{*,a,?}", "b", "**/a", "a"].map { ResourceRule(glob: try Glob($0)) }
    let index = RuleMatcher(manifest)
    #expect(index.match(Array("a".utf8)[...], in: index.root).rules.sorted() == [0, 2, 3])
  }
}

/// Tests patterns with which a careless matcher would practically never finish.
@Suite(.noHang) struct PathologicalGlobTests {
  @Test(arguments: [
    "*a*a*a*a*b", "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b", "*?*?*?*?*?*?*?*?b", "a*a*a*a*a*a*a*a*a*a*b*b",
    "*[a]*[a]*[a]*[a]*[a]*[a]*[a]*[!a]", "{*a*a*a,*a*a*a*a}*a*a*b",
  ])
  func `many stars end soon on a long name`(_ pattern: String) throws {
    let name = String(repeating: "a", count: 5000)
    #expect(try !Glob(pattern).matches(name))
    #expect(try Glob(pattern).matches(name + "bb"))
    #expect(try !Glob(pattern).matches(name + "/b"))
  }

  @Test func `many folders at any depth end soon on a deep path`() throws {
    let path = Array(repeating: "a", count: 300).joined(separator: "/")
    let pattern = String(repeating: "**/a/", count: 30)
    #expect(try !Glob(pattern + "b").matches(path))
    #expect(try Glob(pattern + "a").matches(path))
    #expect(try !Glob(String(repeating: "**/*a*/", count: 30) + "b").matches(path))
  }

  @Test func `folders at any depth, 20,000 times, are the same as once`() throws {
    let glob = try Glob(String(repeating: "**/", count: 20_000) + "a")
    #expect(try glob == Glob("**/a"))
    #expect(glob.matches("x/y/a"))
  }

  @Test func `a class of 20,000 ranges is one character`() throws {
    let glob = try Glob("[" + String(repeating: "a-z", count: 20_000) + "]*b")
    #expect(glob.matches("xb"))
    #expect(!glob.matches("Xb"))
  }
}

extension ResourceRule {
  /// Creates a rule without tags.
  init(glob: Glob) {
    self.init(pattern: .glob(glob), text: Located(glob.text, at: 0), tags: [], destination: nil)
  }
}

extension Glob {
  /// Whether a manifest's rule with this glob matches the file at a path.
  func matches(_ path: String) -> Bool { matches(Array(path.utf8)) }

  func matches(_ path: [UInt8]) -> Bool {
    var manifest = Manifest(text: SourceText(path: "", bytes: []), folder: ".")
    manifest.rules = [ResourceRule(glob: self)]
    let index = RuleMatcher(manifest)
    var state = index.root
    let names = path.split(separator: UInt8(ascii: "/"))
    for name in names.dropLast() { state = index.state(below: name, in: state) }
    guard let last = names.last else { return false }
    return state.inherited == [0] || index.match(last, in: state).rules == [0]
  }
}
