import Foundation
import Support
import Testing
@testable import packtool

/// Tests that packtool recognizes files that it wrote, if they are among the assets of a later run.
@Suite struct PackedOutputTests {
  /// Makes a game next to an empty folder of assets for outputs.
  private func game() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("Castle", "Castle"), .path("Forest", "Forest")], root: "Assets")
    for level in ["Castle", "Forest"] {
      try folder.write("Assets/\(level)/map", Sample.noise(40_000, seed: 1))
    }
    try folder.write("s.json", #"{"link": "3G", "steps": [{"install": true}]}"#)
    #expect(runTool("build", folder.path, "-o", folder.path("built"), "-q").status == .done)
    return folder
  }

  /// The place of a later output: the name does not show what the file is.
  private static let place = "Assets/Castle/data.bin"

  private func finding(in folder: TemporaryFolder) -> ToolRun.Finding? {
    ToolRun(["validate", folder.path]).findings("output-in-pack").first
  }

  @Test(arguments: [
    ["report", "GAME", "-o", "FILE"], ["build", "GAME", "-o", "built", "--result", "FILE"],
    ["build", "GAME", "-o", "built", "--depfile", "FILE"],
    ["validate", "GAME", "--diagnostics", "json=FILE"],
    ["validate", "GAME", "--severity", "duplicate-content=ignore", "--diagnostics", "json=FILE"],
    ["validate", "GAME", "--diagnostics", "sarif=FILE"], ["validate", "GAME", "--diagnostics", "junit=FILE"],
    ["validate", "GAME", "--diagnostics", "codequality=FILE"],
  ])
  func `a file that a flag names is recognized later`(line: [String]) throws {
    let folder = try game()
    let output = folder.path("other.txt")
    let run = runTool(
      words: line.map { word in
        word.replacing("FILE", with: output).replacing("GAME", with: folder.path).replacing(
          "built", with: folder.path("built"))
      })
    #expect(run.status == .done, "\(run.errors)")
    try folder.write(Self.place, try folder.read("other.txt"))
    let found = try #require(finding(in: folder), "\(line)")
    #expect(found.severity == "warning" && found.file.hasSuffix(Self.place))
  }

  @Test(arguments: [
    ["plan", "GAME"], ["plan", "GAME", "--format", "json"], ["diff", "built", "built", "--format", "json"],
    ["diff", "built", "built", "--format", "markdown"], ["explain", "Castle", "GAME", "--format", "json"],
    ["simulate", "s.json", "GAME", "--format", "json"], ["schema"], ["schema", "scenario"],
    ["inspect", "built", "--format", "json"], ["verify", "built", "--format", "json"],
  ])
  func `printed output is recognized`(line: [String]) throws {
    let folder = try game()
    let words = line.map { word in
      ["GAME": folder.path, "built": folder.path("built"), "s.json": folder.path("s.json")][word] ?? word
    }
    let run = runTool(words: words)
    #expect(run.status == .done, "\(run.errors)")
    try folder.write(Self.place, run.output)
    #expect(finding(in: folder) != nil, "\(line): \(run.output.prefix(200))")
  }

  /// A copy of a built folder has no `.packtool`, so only its files show what it is.
  @Test func `the lists of a copied build are recognized`() throws {
    let folder = try game()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("built")).filter {
      $0.hasSuffix(".json")
    }
    for name in names { try folder.write("Assets/Castle/\(name)", try folder.read("built/\(name)")) }
    let found = ToolRun(["plan", folder.path]).findings("output-in-pack").map {
      URL(fileURLWithPath: $0.file).lastPathComponent
    }
    #expect(names.count == 2 && found.sorted() == names.sorted())
  }

  @Test(arguments: [
    "{}", "{", "[]", #"{"bundleIdentifier": "a.b", "resources": []}"#, #"{"time": "12:00", "day": 1}"#,
    #"[{"check_name": "other", "fingerprint": "x"}]"#, #"{"diagnostics": [{"id": "other"}]}"#,
    #"{"files": [{"path": "a"}]}"#, #"{"formatVersion": 1, "layers": []}"#,
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>a</title>",
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite name=\"other\">",
    "### App update: none\n\nwords", "a: 2 packs of cards (limits: none)\n", "all: index.json \\\n", "\n",
    "words",
    #"{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "runs": []}"#,
  ])
  func `other files are assets`(text: String) throws {
    let folder = try game()
    try folder.write(Self.place, text + String(repeating: " ", count: 20))
    #expect(finding(in: folder) == nil)
  }

  @Test func `an exclude or a severity ends it`() throws {
    let folder = try game()
    try folder.write(Self.place, runTool("plan", folder.path).output)
    let run = runTool("build", folder.path, "-o", folder.path("built"))
    #expect(run.status == .done && run.errors.reports("output-in-pack", naming: "Castle/data.bin", "plan"))
    // The next build reads the finding from the build cache.
    #expect(runTool("build", folder.path, "-o", folder.path("built")).errors.reports("output-in-pack"))
    let ignored = runTool("validate", folder.path, "--severity", "output-in-pack=ignore")
    #expect(!ignored.errors.reports("output-in-pack"))
    try folder.writeManifest(
      [.path("Castle", "Castle"), .path("Forest", "Forest")], root: "Assets",
      members: #""exclude": ["Castle/data.bin"]"#)
    #expect(!runTool("validate", folder.path).errors.reports("output-in-pack"))
  }
}
