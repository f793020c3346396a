@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests tagged files with names that are unusual for assets.
@Suite struct UnlikelyAssetTests {
  @Test func `one finding of each kind`() throws {
    let folder = try TemporaryFolder()
    let names = [
      ".env", "id_rsa", "b.pem", "a.swp", "b/a.swp", "a~", "node_modules/x/y.js", "node_modules/z.js",
      "hero.png",
    ]
    for name in names { try folder.write("a/\(name)", name) }
    let prepared = try PreparedFolder(folder, rules: #"{"path": "a", "tags": ["T"]}"#)
    #expect(
      prepared.lines(of: "unlikely-asset").sorted() == [
        #"a/.env: warning [unlikely-asset] "a/.env" "**/*.env" "exclude""#,
        #"a/a.swp: note [unlikely-asset] 2 "a/a.swp" "**/*.swp" "exclude""#,
        #"a/a~: note [unlikely-asset] "a/a~" "**/*~" "exclude""#,
        #"a/b.pem: warning [unlikely-asset] "a/b.pem" "**/*.pem" "exclude""#,
        #"a/id_rsa: warning [unlikely-asset] "a/id_rsa" "**/id_rsa" "exclude""#,
        #"a/node_modules/x/y.js: note [unlikely-asset] 2 "a/node_modules/x/y.js" "**/node_modules" "exclude""#,
      ])
  }
}
