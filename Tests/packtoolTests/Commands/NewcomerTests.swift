import Foundation
import Support
import Testing

@testable import packtool

/// Tests what people meet in their first minutes with a game of their own: arguments that name something
/// else, long lists, and the files that a build leaves.
@Suite struct NewcomerTests {
  private static let rules: [TestRule] = [.path("Castle", "Castle"), .path("Forest", "Forest")]

  private func game(_ members: String...) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let members = ([#""container": "zip""#] + members).joined(separator: ", ")
    try folder.writeManifest(Self.rules, root: "Assets", members: members)
    for file in ["Castle/map", "Forest/map"] { try folder.write("Assets/\(file)", file) }
    return folder
  }

  @Test func `many untagged files are listed by folder`() throws {
    let folder = try game(#""untagged": "warn""#)
    for number in 10..<40 { try folder.write("Assets/Art/gui/\(number).png", "x") }
    for number in 10..<15 { try folder.write("Assets/Art/fonts/\(number).ttf", "x") }
    let errors = runTool("validate", folder.path).errors
    let lines = errors.split(separator: "\n").filter { $0.contains("Art/") }
    #expect(lines.count == 3, "\(errors)")
    #expect(errors.contains(" 30 files "), "\(errors)")
    // Programs get every file.
    let json = runTool("validate", folder.path, "--diagnostics", "json").errors
    #expect(json.components(separatedBy: "\"untagged-file\"").count > 35)
    #expect(runTool("validate", folder.path, "--verbose").errors.contains("Art/gui/39.png"))
  }

  @Test func `the top of a plan limits tags, too`() throws {
    let folder = try game()
    let output = runTool("plan", folder.path, "--top", "1").output
    #expect(output.contains("  and 1 more tag\n"), "\(output)")
    #expect(!output.contains("Forest"), "\(output)")
  }

  @Test func `a pack is explained by the name of its file`() throws {
    let folder = try game()
    let out = folder.path("out")
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(out)/packs")
    for name in names {
      for word in [name, "packs/\(name)"] {
        let run = runTool("explain", word, folder.path)
        #expect(run.status == .done && run.output.hasPrefix("pack {"), "\(run.errors)")
      }
    }
  }

  @Test(arguments: [["verify"], ["plan"], ["report", "-o", "/dev/null"]])
  func `a shard is not a whole build`(words: [String]) throws {
    let folder = try game()
    let shard = folder.path("parts/1")
    #expect(runTool("build", folder.path, "-o", shard, "--shard", "1/2").status == .done)
    let errors = runTool(words: [words[0], shard] + words.dropFirst()).errors
    #expect(errors.refuses(naming: "packtool merge"), "\(errors)")
  }

  @Test func `the root is named in place of its manifest`() throws {
    let folder = try game()
    let run = runTool("build", folder.path("Assets"), "-o", folder.path("out"))
    #expect(run.errors.reports("missing-manifest", naming: folder.path("Assets")), "\(run.errors)")
    let here = try Support.run(try packtoolProgram(), ["plan", "Assets"], in: folder.path)
    #expect(here.errors.reports("missing-manifest", naming: "Assets", "Manifest.json"), "\(here.errors)")
    #expect(!here.errors.contains("init"))
  }

  /// If no file has variants, all devices get the same bytes, so no device is named.
  @Test func `a size on all devices names no device`() throws {
    let folder = try game(#""limits": {"packSize": 5}"#, #""devices": "all""#)
    let errors = runTool("validate", folder.path).errors
    #expect(errors.findings.contains { $0.facts.contains("pack-size") }, "\(errors)")
    #expect(!errors.contains("device"), "\(errors)")
  }

  @Test func `a built folder is inspected in the order of its plan`() throws {
    let folder = try game(#""prefetchTagOrder": ["Forest"]"#)
    let out = folder.path("out")
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    let lines = runTool("inspect", out).output.split(separator: "\n").dropFirst()
    #expect(lines.map { $0.split(separator: " ").first } == ["Forest", "Castle"])
  }

  @Test func `git ignores the build cache and nothing else`() throws {
    let folder = try game()
    let out = folder.path("out")
    #expect(runTool("build", folder.path, "-o", out).status == .done)
    #expect(try folder.read("out/.packtool/.gitignore") == Data("*\n".utf8))
    #expect(!FileManager.default.fileExists(atPath: "\(out)/.gitignore"))
    #expect(runTool("verify", out).errors.findings.isEmpty)
    // A build that writes nothing leaves nothing.
    try folder.write("Assets/Castle/map", "changed")
    try folder.writeManifest([.path("nowhere", "A")])
    #expect(runTool("build", folder.path, "-o", folder.path("other")).status == .inputHasErrors)
    #expect(!FileManager.default.fileExists(atPath: folder.path("other")))
  }

  @Test(arguments: ["Assets/out", "Assets/Castle/deep/out"])
  func `an output inside the assets is a warning`(output: String) throws {
    let folder = try game()
    for _ in 1...2 {
      let run = runTool("build", folder.path, "-o", folder.path(output))
      #expect(run.status == .done)
      #expect(run.errors.reports("output-in-root", at: folder.path(output)), "\(run.errors)")
    }
    let outside = runTool("build", folder.path, "-o", folder.path("out"))
    #expect(!outside.errors.reports("output-in-root"))
    // If the manifest is in its root, the root is the folder of the project.
    try folder.writeManifest([.path("Assets/Castle", "Castle")])
    let next = runTool("build", folder.path, "-o", folder.path("out2"))
    #expect(!next.errors.reports("output-in-root"))
  }
}
