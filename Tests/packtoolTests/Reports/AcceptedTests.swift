import Foundation
import Support
import Testing

@testable import packtool

/// Tests findings that a manifest accepts.
@Suite struct AcceptedTests {
  /// Makes a project with two files that have the same content, an empty file, a placeholder and a file
  /// without tags.
  private func project(_ accepts: String, _ members: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let song = String(repeating: "la ", count: 10_000)
    try folder.write("Assets/Levels/1/song.ogg", song)
    try folder.write("Assets/Music/song.ogg", song)
    try folder.write("Assets/Music/empty.txt", "")
    try folder.write("Assets/Music/.hero.png.icloud", "x")
    try folder.write("Assets/Docs/read.me", "x")
    try folder.write(
      "Manifest.json",
      """
      {
        "bundleIdentifier": "com.example.game", "root": "Assets",
        "resources": [{"path": "Music", "tags": ["Music"]}, {"path": "Levels", "tags": ["Level 1"]}],
        "accept": [
          \(accepts)
        ]\(members)
      }

      """)
    return folder
  }

  private func validate(_ accepts: String, _ members: String = "", _ flags: String...) throws -> (
    status: packtool.ExitStatus, errors: String
  ) {
    let folder = try project(accepts, members)
    defer { withExtendedLifetime(folder) {} }
    let run = runTool(words: ["validate", folder.path] + flags)
    return (run.status, run.errors.replacing(folder.path + "/", with: ""))
  }

  private static let meant =
    #"{"check": "duplicate-content", "path": "Music/**", "reason": "levels are whole"}"#

  @Test func `the others stay`() throws {
    let run = try validate(Self.meant)
    #expect(!run.errors.reports("duplicate-content"))
    #expect(run.errors.reports("empty-file"))
    #expect(run.errors.hasSuffix("packtool: 0 errors, 1 warning, 1 note, 1 accepted\n"), "\(run.errors)")
  }

  /// A manifest can accept findings about any file of a group, about a folder and all files below it, or of a
  /// whole check.
  @Test(arguments: [
    #""path": "Music/**","#, #""path": "Levels/1/song.ogg","#, #""path": "Levels","#, #""path": "**/*.ogg","#,
    "",
  ])
  func `a path is a glob of files and folders`(path: String) throws {
    let run = try validate(#"{"check": "duplicate-content", \#(path) "reason": "x"}"#)
    #expect(!run.errors.reports("duplicate-content"), "\(run.errors)")
    #expect(!run.errors.reports("unused-accept"))
  }

  @Test func `one that accepts nothing is reported`() throws {
    let run = try validate(
      Self.meant + #", {"check": "empty-file", "path": "Levels/**", "reason": "x"}, "#
        + #"{"check": "path-in-two-packs", "reason": "y"}"#)
    #expect(
      run.errors.reports("unused-accept", at: "Manifest.json:5:119", naming: "empty-file", "Levels/**"),
      "\(run.errors)")
    #expect(
      run.errors.reports("unused-accept", naming: "path-in-two-packs")
    )
  }

  /// A manifest may accept findings that appear only on another machine or with other flags.
  @Test(arguments: [
    (#"{"check": "icloud-placeholder", "path": "Levels", "reason": "x"}"#, []),
    (#"{"check": "untagged-file", "path": "Docs", "reason": "x"}"#, []),
    (#"{"check": "tag-size", "reason": "x"}"#, ["--limits", "background-assets"]),
  ])
  func `what may be found elsewhere is not unused`(accept: String, flags: [String]) throws {
    let folder = try project(accept)
    defer { withExtendedLifetime(folder) {} }
    #expect(!runTool(words: ["validate", folder.path] + flags).errors.reports("unused-accept"))
  }

  @Test func `with strict accepted warnings stay quiet`() throws {
    let placeholder = #"{"check": "icloud-placeholder", "path": "Music/.hero.png.icloud", "reason": "x"}"#
    #expect(try validate(placeholder, "", "--strict").status == .done)
    #expect(try validate(Self.meant, "", "--strict").status == .inputHasErrors)
  }

  /// In a submission, a manifest cannot accept findings about files that the store refuses.
  @Test func `a submission refuses placeholders all the same`() throws {
    let placeholder = #"{"check": "icloud-placeholder", "path": "Music/.hero.png.icloud", "reason": "x"}"#
    let run = try validate(placeholder, "", "--submission")
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.contains("error: ") && run.errors.reports("icloud-placeholder"))
  }

  @Test func `a build goes on where an error by request is accepted`() throws {
    let docs = #"{"check": "untagged-file", "path": "Docs", "reason": "for people"}"#
    let folder = try project(docs, #", "untagged": "error""#)
    defer { withExtendedLifetime(folder) {} }
    let run = runTool("build", folder.path, "-o", folder.path("packs"))
    #expect(run.status == .done, "\(run.errors)")
    try folder.write("Assets/Extra/new.png", "x")
    let second = runTool("build", folder.path, "-o", folder.path("packs"))
    #expect(second.status == .inputHasErrors)
    #expect(second.errors.reports("untagged-file", at: "Assets/Extra/new.png"))
    #expect(!second.errors.contains("read.me"))
  }

  @Test func `a build reports unused ones and with strict writes nothing`() throws {
    let folder = try project(#"{"check": "path-in-two-packs", "reason": "y"}"#)
    defer { withExtendedLifetime(folder) {} }
    let run = runTool("build", folder.path, "-o", folder.path("packs"), "--severity", "unused-accept=error")
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("unused-accept"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("packs/index.json")))
  }

  /// As long as the rules have errors, no entry of `accept` is reported as unused.
  @Test func `no acceptance is reported as unused if the manifest has errors`() throws {
    let run = try validate(#"{"check": "path-in-two-packs", "reason": "y"}"#, #", "colour": 1"#)
    #expect(run.status == .inputHasErrors)
    #expect(!run.errors.reports("unused-accept"))
  }

  @Test func `findings about the manifest have its name`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Assets/a", "a")
    let text = { (accept: String) in
      #"{"bundleIdentifier": "a", "root": "Assets", "appBundle": {"size": 1}, "#
        + #""resources": [{"path": "a", "tags": ["A", "B"]}]\#(accept)}"#
    }
    try folder.write("Manifest.json", text(""))
    #expect(runTool("validate", folder.path).errors.reports("redundant-tag"))
    try folder.write(
      "Manifest.json",
      text(#", "accept": [{"check": "redundant-tag", "path": "Manifest.json", "reason": "x"}]"#))
    #expect(
      runTool("validate", folder.path).errors == "packtool: 0 errors, 0 warnings, 0 notes, 1 accepted\n")
  }

  @Test func `programs see them`() throws {
    struct Document: Decodable {
      struct Finding: Decodable {
        struct Acceptance: Decodable {
          let reason: String
          let line: Int
        }
        let id: String
        let acceptance: Acceptance?
      }
      let diagnostics: [Finding]
      let accepted: [Finding]?
      let summary: [String: Int]
    }
    let run = try validate(Self.meant, "", "--diagnostics", "json")
    let document = try JSONDecoder().decode(Document.self, from: Data(run.errors.utf8))
    #expect(!document.diagnostics.map(\.id).contains("duplicate-content"))
    #expect(document.accepted?.map(\.id) == ["duplicate-content"])
    #expect(document.accepted?.first?.acceptance?.reason == "levels are whole")
    #expect(document.accepted?.first?.acceptance?.line == 5)
    #expect(document.summary["accepted"] == 1)
  }

  @Test func `scanning services see them suppressed`() throws {
    let run = try validate(Self.meant, "", "--diagnostics", "sarif")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [String: Any])
    let first = try #require((object["runs"] as? [[String: Any]])?.first)
    let results = try #require(first["results"] as? [[String: Any]])
    let suppressed = results.filter { $0["suppressions"] != nil }
    #expect(suppressed.map { $0["ruleId"] as? String } == ["duplicate-content"])
    let suppression = try #require((suppressed.first?["suppressions"] as? [[String: Any]])?.first)
    #expect(suppression["kind"] as? String == "external")
    #expect(suppression["justification"] as? String == "levels are whole")
  }

  @Test func `test reports see them too`() throws {
    let run = try validate(Self.meant, "", "--diagnostics", "junit")
    #expect(run.errors.contains("Assets/Levels/1/song.ogg: accepted: levels are whole ("), "\(run.errors)")
  }
}
