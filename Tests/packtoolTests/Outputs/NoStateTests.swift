import Foundation
@testable import packtool
import Support
import Testing

/// Builds and merges with `--no-state`, which leave only published files in the output folder.
@Suite struct NoStateTests {
  private static let layouts: [[String]] = [
    [], ["--layout", "xcode", "--embed-packs"],
    ["--layout", "hosted", "--url-prefix", "https://example.com"],
    ["--layout", "background-assets", "--platforms", "iOS"],
  ]

  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A"), .path("b", "B")], to: "Manifest.json", root: "Assets")
    for name in ["a/1", "a/2", "b/3"] { try folder.write("Assets/\(name)", name) }
    return folder
  }

  private func build(_ folder: TemporaryFolder, into output: String, _ flags: [String]) -> ToolResult {
    runTool(words: ["build", folder.path, "-o", folder.path(output), "-q"] + flags)
  }

  private func published(_ folder: TemporaryFolder, _ output: String) throws -> [String: Data] {
    try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool/") }
  }

  @Test(arguments: layouts)
  func `a build without state has the published files only`(layout: [String]) throws {
    let folder = try project()
    #expect(build(folder, into: "usual", layout).status == .done)
    let run = build(folder, into: "plain", layout + ["--no-state"])
    #expect(run.status == .done, "\(run.errors)")
    let files = try folder.files(below: "plain")
    #expect(try files == published(folder, "usual"))
    #expect(try !folder.files(below: "usual").keys.allSatisfy(files.keys.contains))
    #expect(!FileManager.default.fileExists(atPath: folder.path("plain/.packtool")))
    // The folder can be built into again, with and without state.
    #expect(build(folder, into: "plain", layout + ["--no-state"]).status == .done)
    #expect(try folder.files(below: "plain") == files)
    #expect(build(folder, into: "usual", layout + ["--no-state"]).status == .done)
    #expect(try folder.files(below: "usual") == files)
    #expect(build(folder, into: "plain", layout).status == .done)
    #expect(try published(folder, "plain") == files)
  }

  @Test(arguments: layouts.prefix(3)) func `outdated packs are removed without state`(layout: [String]) throws
  {
    let folder = try project()
    let flags = layout + ["--no-state"]
    #expect(build(folder, into: "out", flags).status == .done)
    try folder.write("Assets/b/3", "changed")
    try folder.writeManifest([.path("a", "C"), .path("b", "B")], to: "Manifest.json", root: "Assets")
    #expect(build(folder, into: "out", flags).status == .done)
    #expect(build(folder, into: "fresh", flags).status == .done)
    #expect(try folder.files(below: "out") == folder.files(below: "fresh"))
  }

  @Test func `a refused build leaves no state`() throws {
    let folder = try project()
    try folder.write("Assets/a/key.pem", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n")
    #expect(build(folder, into: "out", ["--no-state"]).status == .inputHasErrors)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test func `shards and their merge have no state`() throws {
    let folder = try project()
    #expect(build(folder, into: "whole", ["--no-state"]).status == .done)
    for number in 1...2 {
      #expect(build(folder, into: "\(number)", ["--no-state", "--shard", "\(number)/2"]).status == .done)
      let names = try Set(folder.files(below: "\(number)").keys.map { $0.prefix { $0 != "/" } })
      #expect(names.isSubset(of: ["packs", "shard.json"]) && names.contains("shard.json"))
    }
    let words = [
      "merge", folder.path("1"), folder.path("2"), "-o", folder.path("merged"), "-q", "--no-state",
    ]
    #expect(runTool(words: words).status == .done)
    #expect(try folder.files(below: "merged") == folder.files(below: "whole"))
  }

  @Test func `packages of ba-package are state`() throws {
    let folder = try project()
    let flags = ["--layout", "background-assets", "--platforms", "iOS", "--package", "--no-state"]
    #expect(build(folder, into: "out", flags).status == .usage)
  }

  /// A build removes the lock that another build waits for.
  @Test func `builds into one folder wait for each other without state`() throws {
    let folder = try project()
    let program = try packtoolProgram()
    let script = """
      for i in 1 2 3 4 5 6 7 8; do
        "$0" build . -o out -q --no-state 2> "$i.err" & pids="$pids $!"
      done
      for pid in $pids; do wait "$pid" || exit 1; done
      """
    let result = try run("bash", ["-uc", "pids=\n" + script, program], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(build(folder, into: "alone", ["--no-state"]).status == .done)
    #expect(try folder.files(below: "out") == folder.files(below: "alone"))
  }
}
