import Foundation
import Support
import Testing
@testable import packtool

/// Tests a manifest whose root is outside of the checkout that contains the manifest.
@Suite struct StrayRootTests {
  private func site(root: String, mark: String? = "repo/.git/HEAD") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    if let mark { try folder.write(mark, "x\n") }
    try folder.write("home/id", "the secret")
    try folder.write("repo/game/A/id", "a")
    try folder.write("repo/shared/id", "b")
    try folder.link("repo/game/link", to: "../../home")
    try folder.writeManifest([.path("id", "T")], to: "repo/game/Manifest.json", root: "\(root)")
    return folder
  }

  /// Returns a command line for every command that reads the files of a manifest.
  ///
  /// The manifest is among the words.
  private func lines(_ folder: TemporaryFolder) throws -> [[String]] {
    let game = folder.path("repo/game")
    try folder.write("s.json", #"{"link": "3G", "steps": [{"install": true}]}"#)
    for name in ["one", "two"] { try folder.write("\(name).log", "0.1 start id\n") }
    return [
      ["validate", game], ["plan", game], ["build", game, "-o", folder.path("out")],
      ["report", game, "-o", folder.path("r.html")], ["tags", game, "--swift", folder.path("T.swift")],
      ["explain", "id", game], ["diff", game, game], ["simulate", folder.path("s.json"), game],
      ["suggest", folder.path("one.log"), folder.path("two.log"), game],
    ]
  }

  @Test(arguments: ["../../home", "link", "../../nothing"])
  func `a root outside needs the flag`(root: String) throws {
    let folder = try site(root: root)
    for line in try lines(folder) {
      let run = runTool(words: line)
      #expect(run.status == .inputHasErrors, "\(line): \(run.errors)")
      #expect(
        run.errors.reports("invalid-path", at: "Manifest.json:3:11"),
        "\(line): \(run.errors)")
      #expect(run.errors.contains("--root"), "\(run.errors)")
      if root == "../../nothing" { continue }
      let allowed = runTool(words: line + ["--root", folder.path("home")])
      #expect(!allowed.errors.reports("invalid-path"), "\(line): \(allowed.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")) || root != "../../nothing")
  }

  @Test(arguments: ["repo/.git", "repo/.hg/x", "repo/.svn/x", "repo/.git/HEAD"])
  func `any working tree is a bound`(mark: String) throws {
    let folder = try site(root: "../../home", mark: mark)
    #expect(runTool("validate", folder.path("repo/game")).status == .inputHasErrors)
    let inside = try site(root: "../shared", mark: mark)
    #expect(runTool("validate", inside.path("repo/game")).status == .done)
  }

  @Test func `the outermost working tree counts`() throws {
    let folder = try site(root: "../../home", mark: ".git/HEAD")
    try folder.write("repo/.git", "gitdir: ../.git/modules/repo\n")
    #expect(runTool("validate", folder.path("repo/game")).status == .done)
  }

  @Test func `without a checkout nothing is restricted`() throws {
    let folder = try site(root: "../../home", mark: nil)
    #expect(runTool("validate", folder.path("repo/game")).status == .done)
  }

  @Test func `the flag names another folder than the checkout`() throws {
    let folder = try site(root: "../../home")
    let run = runTool("validate", folder.path("repo/game"), "--root", folder.path("repo"))
    #expect(run.status == .inputHasErrors && run.errors.reports("invalid-path"), "\(run.errors)")
  }

  @Test func `a flag lets links among assets lead anywhere`() throws {
    let folder = try site(root: "A")
    try folder.link("repo/game/A/more", to: "../../../home")
    try folder.writeManifest([.path("more", "T")], to: "repo/game/Manifest.json", root: "A")
    let words = ["build", folder.path("repo/game"), "-o", folder.path("out"), "-q"]
    #expect(runTool(words: words).errors.reports("link-escapes-root"))
    #expect(runTool(words: words + ["--symlinks", "follow"]).status == .done)
    #expect(runTool("verify", folder.path("out")).status == .done)
  }
}
