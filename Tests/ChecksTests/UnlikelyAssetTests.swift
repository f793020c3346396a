@testable import PackKit
import Support
import Testing

/// Tagged files whose names assets hardly have.
@Suite struct UnlikelyAssetTests {
  @Test func oneFindingOfEachKind() throws {
    let folder = try TemporaryFolder()
    let names = [
      ".env", "id_rsa", "b.pem", "a.swp", "b/a.swp", "a~", "node_modules/x/y.js", "node_modules/z.js",
      "hero.png",
    ]
    for name in names { try folder.write("a/\(name)", name) }
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    let secret = "is probably a secret that every user could read; add"
    let junk = "are probably no asset, but left by a program; add"
    #expect(
      prepared.lines(of: "unlikely-asset").sorted() == [
        "a/.env: warning: the file \"a/.env\" \(secret) \"**/*.env\" to \"exclude\" [unlikely-asset]",
        "a/a.swp: note: 2 files like \"a/a.swp\" \(junk) \"**/*.swp\" to \"exclude\" [unlikely-asset]",
        "a/a~: note: the file \"a/a~\" is probably no asset, but left by a program; add \"**/*~\" to \"exclude\" "
          + "[unlikely-asset]",
        "a/b.pem: warning: the file \"a/b.pem\" \(secret) \"**/*.pem\" to \"exclude\" [unlikely-asset]",
        "a/id_rsa: warning: the file \"a/id_rsa\" \(secret) \"**/id_rsa\" to \"exclude\" [unlikely-asset]",
        "a/node_modules/x/y.js: note: 2 files like \"a/node_modules/x/y.js\" \(junk) \"**/node_modules\" to "
          + "\"exclude\" [unlikely-asset]",
      ])
  }
}
