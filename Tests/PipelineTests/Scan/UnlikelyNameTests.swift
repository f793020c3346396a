@testable import Pipeline
import Testing

/// Tests which names assets hardly ever have, and the quick test that a scan runs for each name.
@Suite struct UnlikelyNameTests {
  /// A name of a file, and the pattern that it has.
  private struct Case {
    let name: String
    let glob: String
    var isSecret = false

    static func secret(_ name: String, _ glob: String) -> Case {
      Case(name: name, glob: "**/\(glob)", isSecret: true)
    }

    static func junk(_ name: String, _ glob: String) -> Case { Case(name: name, glob: "**/\(glob)") }
  }

  private static let junk = [
    "swp", "swo", "orig", "bak", "meta", "import", "blend1", "gitignore", "gitkeep", "gitattributes",
  ]
  private static let secrets = ["env", "pem", "p12", "pfx", "keystore", "jks", "mobileprovision"]
  private static let keys = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".env.local", ".env."]

  private static let files: [Case] =
    junk.map { .junk("x.\($0)", "*.\($0)") } + secrets.map { .secret("x.\($0)", "*.\($0)") }
    + keys.map { .secret($0, $0) } + ["x~", "~", "id_rsa~2~", "x.bak~"].map { .junk($0, "*~") }
    + [
      .secret(".env", "*.env"), .junk("a.b.bak", "*.bak"), .junk(".gitignore", "*.gitignore"),
      .secret("é.pem", "*.pem"),
    ]

  private func mayMatch(file name: String) -> Bool { UnlikelyName.mayMatch(file: name.utf8Span.span) }
  private func mayMatch(folder name: String) -> Bool { UnlikelyName.mayMatch(folder: name.utf8Span.span) }

  @Test func `names of files are told apart`() throws {
    for example in Self.files {
      let found = try #require(UnlikelyName(ofFile: example.name[...]), "\(example)")
      #expect(found.glob == example.glob && found.isSecret == example.isSecret, "\(example)")
      #expect(mayMatch(file: example.name), "\(example)")
    }
    for name in ["x", "bak", "x.", "x.bak2", "x.BAK", "~x", "idea", "id_rsa2", "env.x", ".env2", "x.en", ""] {
      #expect(UnlikelyName(ofFile: name[...]) == nil, "\(name)")
    }
  }

  /// The quick test can be true for other names as well, but not for most of them.
  @Test func `most names end at the quick test`() {
    for name in [
      "x", "xy", "x.png", "x.", "hero", "map.json", "~x", "~x.y", "i", "ix", "aa_x", "ix.y", "_i_", "x.ba",
      "bak", "gitignore", "x.mobileprovisions", "x.\(String(repeating: "e", count: 99))", "bak.x", "x.bak.y",
      "x.bakk",
      "x.zbak", "",
    ] {
      #expect(!mayMatch(file: name), "\(name)")
    }
    for name in ["ix_", "ab~", ".x", "."] { #expect(mayMatch(file: name), "\(name)") }
  }

  @Test func `names of folders are told apart`() throws {
    for name in [".idea", ".vscode", "node_modules", "__MACOSX"] {
      #expect(mayMatch(folder: name))
      for path in [name, "\(name)/x", "a/\(name)", "a/b/\(name)/c", "x/\(name)/\(name)"] {
        let found = try #require(UnlikelyName(ofFolder: path[...]), "\(path)")
        #expect(found.glob == "**/\(name)" && !found.isSecret)
      }
      #expect(UnlikelyName(ofFolder: "a\(name)") == nil && UnlikelyName(ofFolder: "a/\(name)x/b") == nil)
    }
    // The form has the first byte and the size of each name.
    for name in [
      "", ".", ".ide", "idea1", "node_module", "node_modules2", String(repeating: "n", count: 268),
    ] {
      #expect(!mayMatch(folder: name), "\(name)")
    }
    #expect(mayMatch(folder: ".abcd") && UnlikelyName(ofFolder: ".abcd") == nil)
    #expect(UnlikelyName(ofFolder: "") == nil && UnlikelyName(ofFolder: ".") == nil)
  }
}
