import Foundation
import Model
import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `build --patch-from` on the command line.
@Suite struct PatchFlagTests {
  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A")], root: "Assets")
    try folder.write("Assets/a", Sample.noise(20_000))
    #expect(runTool("build", folder.path, "-o", folder.path("old"), "-q").status == .done)
    try folder.write("Assets/a", Sample.noise(20_000).flipped(at: 100))
    return folder
  }

  @Test(arguments: [
    (["--layout", "xcode", "--url-prefix", "https://example.com/"], #""packtool""#),
    (["--layout", "hosted", "--url-prefix", "https://example.com/"], #""packtool""#),
    (["--layout", "background-assets"], #""packtool""#),
    (["--shard", "1/2"], #""--shard""#),
  ]) func `what has no patches refuses them`(flags: [String], facts: String) throws {
    let folder = try folder()
    let run = runTool(
      words: ["build", folder.path, "-o", folder.path("out"), "--patch-from", folder.path("old")] + flags)
    #expect(run.status == .usage && run.errors.hasFacts(facts), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test func `nine releases are too many`() throws {
    let folder = try folder()
    for (count, status) in [(9, packtool.ExitStatus.usage), (8, .done)] {
      let flags = (0..<count).flatMap { _ in ["--patch-from", folder.path("old")] }
      let run = runTool(words: ["build", folder.path, "-o", folder.path("out"), "-q"] + flags)
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.refuses(naming: "8") == (count == 9))
    }
  }

  @Test(arguments: ["nowhere", "Manifest.json"]) func `what is no release is named`(name: String) throws {
    let folder = try folder()
    let run = runTool(
      "build", folder.path, "-o", folder.path("out"), "--patch-from", folder.path(name))
    #expect(run.status == .inputHasErrors && run.errors.contains(name), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  /// An incomplete release is an input with errors, and not a failure of the machine.
  @Test(arguments: [
    "a folder for a pack", "no pack", "no list", "a folder for the list", "a folder for the index",
  ])
  func `a release that is not whole is an error of the input`(harm: String) throws {
    let folder = try folder()
    let list = try FileManager.default.contentsOfDirectory(atPath: folder.path("old")).first {
      $0.hasPrefix("contents.")
    }
    let pack = try FileManager.default.contentsOfDirectory(atPath: folder.path("old/packs"))[0]
    let name =
      harm.contains("pack") ? "packs/\(pack)" : harm.contains("list") ? try #require(list) : "index.json"
    try FileManager.default.removeItem(atPath: folder.path("old/\(name)"))
    if harm.contains("folder") {
      try FileManager.default.createDirectory(
        atPath: folder.path("old/\(name)"), withIntermediateDirectories: true)
    }
    for words in [
      ["build", folder.path, "-o", folder.path("out"), "--patch-from", folder.path("old")],
      ["unpack", folder.path("old"), "--all", "-o", folder.path("u")], ["verify", folder.path("old")],
    ] {
      let run = ToolRun(words)
      #expect(run.status == .inputHasErrors, "\(words[0]) \(run.all)")
      #expect(
        run.all.contains { $0.severity == "error" && $0.file.hasSuffix(harm.contains("pack") ? name : "") },
        "\(words[0]) \(run.all)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test func `a second build is up to date`() throws {
    let folder = try folder()
    let words = ["build", folder.path, "-o", folder.path("out"), "--patch-from", folder.path("old")]
    let first = runTool(words: words)
    #expect(first.status == .done && first.output.contains("1 patch from release "), "\(first.output)")
    #expect(runTool(words: words).output.contains("is up to date"))
    let verify = runTool("verify", folder.path("out"), "--patch-from", folder.path("old"), "--strict")
    #expect(verify.status == .done, "\(verify.errors)")
  }

  /// If a build makes patches, it computes the size of the update with the patches, even if all files already
  /// exist.
  @Test func `budgets count patches`() throws {
    let folder = try folder()
    let out = folder.path("out")
    let words = ["build", folder.path, "-o", out, "--baseline", folder.path("old"), "--budget-update"]
    #expect(runTool(words: words + ["10 kB"]).status == .inputHasErrors)
    let patched = ["10 kB", "--patch-from", folder.path("old")]
    for _ in 0..<2 {
      let run = runTool(words: words + patched)
      #expect(run.status == .done, "\(run.errors)")
      #expect(run.errors.contains(" with patches, 20.0 kB without patches, of 20.0 kB\n"), "\(run.errors)")
    }
    let again = runTool(words: words + ["5", "--patch-from", folder.path("old")])
    #expect(again.status == .inputHasErrors && again.errors.contains(" with patches, "), "\(again.errors)")

    // If the release is refused after packing, nothing is published.
    try FileManager.default.removeItem(atPath: out)
    let refused = runTool(words: words + ["5", "--patch-from", folder.path("old")])
    #expect(refused.status == .inputHasErrors, "\(refused.errors)")
    #expect(refused.errors.reports("update-size"))
    #expect(!FileManager.default.fileExists(atPath: out + "/index.json"))
  }
}
