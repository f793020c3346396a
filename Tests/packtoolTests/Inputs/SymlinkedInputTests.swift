import Foundation
@testable import packtool
import Support
import Testing

/// Commands with input files that are all symlinks to files outside the checkout, as in Bazel's sandbox.
@Suite struct SymlinkedInputTests {
  /// Makes a project, a second tree in a checkout whose files are symlinks to the project's files, and a
  /// build of the project in two shards, with a tree of symlinks of each built folder.
  private func site(layout: String = "packtool") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("repo/.git", "gitdir: elsewhere\n")
    let example = "\(packageFolder)/Examples/GreatGame"
    try shell("cp -R '\(example)' real && cp -RLs \"$PWD/real\" repo/links", in: folder)
    let game = folder.path("real")
    let flags = layout == "xcode" ? ["--layout", "xcode", "--url-prefix", "https://example.com"] : []
    for (output, more) in [
      ("built", []), ("shards/1", ["--shard", "1/2"]), ("shards/2", ["--shard", "2/2"]),
    ] {
      let run = runTool(words: ["build", game, "-o", folder.path(output), "-q", "--no-state"] + flags + more)
      #expect(run.status == .done, "\(run.errors)")
    }
    try shell("cp -Rs \"$PWD/shards\" repo/shards && cp -Rs \"$PWD/built\" repo/built", in: folder)
    return folder
  }

  private func shell(_ script: String, in folder: TemporaryFolder) throws {
    let result = try run("bash", ["-euc", script], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(arguments: [
    ["validate"], ["plan"], ["tags", "--swift", "-"], ["explain", "Music/cave.wav"], ["fmt", "--check"],
    ["simulate", "Scenarios/play.json"], ["report", "-o", "r.html"], ["build", "-o", "out", "--no-state"],
  ])
  func `every command follows symlinks if it may`(line: [String]) throws {
    let folder = try site()
    let scenarios = try FileManager.default.contentsOfDirectory(atPath: folder.path("real/Scenarios"))
    let scenario = try #require(scenarios.filter { $0.hasSuffix(".json") }.min())
    func result(_ game: String, _ flags: String...) throws -> (ToolResult, [String: Data]) {
      var words = line.map { word in
        word == "Scenarios/play.json" ? folder.path("\(game)/Scenarios/\(scenario)") : word
      }
      for index in words.indices where words[index] == "-o" { words[index + 1] = folder.path("out/\(game)") }
      words.append(folder.path(game))
      let run = runTool(words: words + flags)
      let output = try words.contains("build") ? folder.files(below: "out/\(game)") : [:]
      return (run, output)
    }
    try FileManager.default.createDirectory(
      atPath: folder.path("out/repo"), withIntermediateDirectories: true)
    let (real, files) = try result("real")
    let (links, same) = try result("repo/links", "--symlinks", "follow")
    #expect(real.status == .done && links.status == .done, "\(real.errors)\(links.errors)")
    #expect(files == same)
    if line[0] != "build" {
      let text = links.output.replacingOccurrences(of: "repo/links", with: "real")
      #expect(text == real.output)
    }
    let (refused, _) = try result("repo/links")
    #expect(refused.status == .inputHasErrors && refused.errors.reports("link-escapes-checkout"))
  }

  @Test(arguments: ["packtool", "xcode"])
  func `merge and verify follow symlinks to archives if they may`(layout: String) throws {
    let folder = try site(layout: layout)
    let words = [
      "merge", folder.path("repo/shards/1"), folder.path("repo/shards/2"), "--no-state", "-q", "-o",
    ]
    #expect(runTool(words: words + [folder.path("refused")]).status == .inputHasErrors)
    let run = runTool(words: words + [folder.path("merged"), "--symlinks", "follow"])
    #expect(run.status == .done, "\(run.errors)")
    #expect(try folder.files(below: "merged") == folder.files(below: "built"))
    let linked = folder.path("repo/built")
    #expect(runTool("verify", linked, "-q").status == .inputHasErrors)
    let verified = runTool("verify", linked, "-q", "--symlinks", "follow")
    #expect(verified.status == .done, "\(verified.errors)")
  }
}
