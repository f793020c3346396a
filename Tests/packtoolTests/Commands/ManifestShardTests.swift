import Foundation
@testable import packtool
import Support
import Testing

/// Shards of manifests that each describe one pack, and their merge into a release.
@Suite struct ManifestShardTests {
  private static let packs: [(tags: [String], files: [String])] = [
    (["A"], ["a/1", "a/deep/2"]), (["A", "B"], ["shared/é 3"]), (["B"], ["b/4"]), (["C"], ["c/5", "c/6"]),
  ]
  private static let lists = #""initialInstallTags": ["A"], "prefetchTagOrder": ["B"]"#

  /// A folder with assets, the manifest of all packs, the manifest of the release, and a manifest of each pack.
  private struct Site {
    let folder: TemporaryFolder
    var lists = ManifestShardTests.lists

    init() throws {
      folder = try TemporaryFolder()
      for pack in ManifestShardTests.packs {
        for file in pack.files { try folder.write("assets/\(file)", String(repeating: file, count: 3000)) }
      }
      try writeManifests()
    }

    func writeManifests(container: String = "zip", packLists: String = "") throws {
      let head = #""bundleIdentifier": "com.example.test", "root": "assets", "container": "\#(container)""#
      let rules = try ManifestShardTests.packs.map { pack in
        try pack.files.map { file in
          let rule = ["path": file, "destination": "in/\(file)"]
          let tags = try String(decoding: JSONEncoder().encode(pack.tags), as: UTF8.self)
          return try String(decoding: JSONEncoder().encode(rule), as: UTF8.self).dropLast()
            + ", \"tags\": \(tags)}"
        }.joined(separator: ", ")
      }
      let app = #""appBundle": {"size": 1000}"#
      try folder.write(
        "whole.json", "{\(head), \"resources\": [\(rules.joined(separator: ", "))], \(lists), \(app)}")
      try folder.write("release.json", "{\(head), \(lists), \(app)}")
      for (number, rules) in rules.enumerated() {
        try folder.write("\(number).json", "{\(head), \"resources\": [\(rules)]\(packLists)}")
      }
    }

    @discardableResult
    func tool(_ words: String..., flags: [String] = []) -> ToolResult {
      let paths = words.map { $0.hasPrefix("./") ? folder.path(String($0.dropFirst(2))) : $0 }
      return runTool(words: paths + ["-q", "--no-state"] + flags)
    }

    func buildShards(flags: [String] = []) {
      for number in ManifestShardTests.packs.indices {
        let run = tool(
          "build", "./\(number).json", "--shard", "manifest", "-o", "./shards/\(number)", flags: flags)
        #expect(run.status == .done, "\(run.errors)")
      }
    }

    func merge(_ numbers: [Int] = Array(ManifestShardTests.packs.indices), flags: [String] = []) -> ToolResult
    {
      let shards = numbers.map { folder.path("shards/\($0)") }
      return tool("merge", "--manifest", "./release.json", "-o", "./merged", flags: shards + flags)
    }
  }

  @Test(arguments: [
    ([], "zip"), ([], "tar.zst"), ([], "folder"), (["--layout", "xcode"], "zip"),
    (["--layout", "xcode", "--embed-packs"], "zip"),
    (["--layout", "hosted", "--url-prefix", "https://example.com"], "zip"),
  ])
  func `merged shards of manifests are one build`(flags: [String], container: String) throws {
    let site = try Site()
    try site.writeManifests(container: container, packLists: flags.isEmpty ? "" : ", \(Self.lists)")
    #expect(site.tool("build", "./whole.json", "-o", "./whole", flags: flags).status == .done)
    site.buildShards(flags: flags)
    // A merge reads no asset.
    try FileManager.default.removeItem(atPath: site.folder.path("assets"))
    let run = site.merge()
    #expect(run.status == .done, "\(run.errors)")
    #expect(try site.folder.files(below: "merged") == site.folder.files(below: "whole"))
    #expect(runTool("verify", site.folder.path("merged"), "-q").status == .done)
  }

  /// The inputs of a shard decide its bytes, not the files next to them.
  @Test func `a shard does not depend on other files`() throws {
    let site = try Site()
    site.buildShards()
    let before = try site.folder.files(below: "shards")
    try site.folder.write("assets/a/untagged", "new")
    try site.folder.write("assets/b/4", "changed")
    for path in ["assets/a/1", "assets/other"] {
      #expect(mkfifo(site.folder.path("\(path).fifo"), 0o644) == 0)
    }
    let names = ["release.json", "whole.json"]
    for name in names { try FileManager.default.removeItem(atPath: site.folder.path(name)) }
    site.buildShards()
    let after = try site.folder.files(below: "shards")
    let changed = before.keys.filter { after[$0] != before[$0] }
    #expect(changed.allSatisfy { $0.hasPrefix("2/") } && changed.contains("2/shard.json"), "\(changed)")
  }

  @Test func `a release decides lists without new shards`() throws {
    var site = try Site()
    site.buildShards()
    site.lists = #""prefetchTagOrder": ["C", "A"], "limits": {"packSize": 100}"#
    try site.writeManifests()
    #expect(site.tool("build", "./whole.json", "-o", "./whole").status == .done)
    let run = site.merge()
    #expect(run.status == .done && run.errors.reports("pack-size", at: "release.json:1"), "\(run.errors)")
    #expect(try site.folder.files(below: "merged") == site.folder.files(below: "whole"))
  }

  @Test func `a tag that no shard has is found in the manifest of the release`() throws {
    let site = try Site()
    site.buildShards()
    let run = site.merge([1, 3])
    #expect(run.status == .done, "\(run.errors)")
    let missing = site.merge([0, 3])
    #expect(missing.status == .inputHasErrors, "\(missing.errors)")
    #expect(missing.errors.reports("unknown-tag", at: "release.json:1", naming: "\"B\""), "\(missing.errors)")
  }

  @Test func `shards that do not fit a release are refused`() throws {
    let site = try Site()
    site.buildShards()
    func refused(_ numbers: [Int], flags: [String] = [], naming names: String...) {
      let run = site.merge(numbers, flags: flags)
      #expect(run.status == .inputHasErrors && run.errors.reports("unusable-shard"), "\(run.errors)")
      for name in names { #expect(run.errors.contains(name), "\(run.errors)") }
    }
    refused([0, 1, 2, 3, 1], naming: #"{"A", "B"}"#)
    #expect(site.tool("build", "./whole.json", "--shard", "1/2", "-o", "./shards/7").status == .done)
    refused([0, 7], naming: "shard 1 of 2", "--manifest")
    #expect(
      site.tool("build", "./3.json", "--shard", "manifest", "-o", "./shards/8", "--compression", "best")
        .status
        == .done)
    refused([0, 8], naming: "default", "best")
    let without = site.tool("merge", "./shards/0", "-o", "./merged")
    #expect(without.status == .inputHasErrors && without.errors.contains("--manifest"), "\(without.errors)")
    let text = try String(decoding: site.folder.read("release.json"), as: UTF8.self)
    try site.folder.write(
      "release.json", text.replacingOccurrences(of: "example.test", with: "example.other"))
    refused([0], naming: "com.example.test", "com.example.other")
  }

  @Test func `mistakes in files are findings of the shard`() throws {
    let site = try Site()
    try FileManager.default.removeItem(atPath: site.folder.path("assets/c/5"))
    let run = site.tool("build", "./3.json", "--shard", "manifest", "-o", "./shards/3")
    #expect(run.status == .inputHasErrors && run.errors.reports("no-match", at: "3.json:1"), "\(run.errors)")
    #expect(site.tool("build", "./3.json", "--shard", "all", "-o", "./x").status == .usage)
  }

  @Test func `a folder of a rule is a folder of the pack`() throws {
    let site = try Site()
    let text = #"{"bundleIdentifier": "com.example.test", "root": "assets", "resources": [RULE]LISTS}"#
    let rule = #"{"path": "a", "destination": "out", "tags": ["A"]}"#
    let manifest = text.replacingOccurrences(of: "RULE", with: rule)
    try site.folder.write("0.json", manifest.replacingOccurrences(of: "LISTS", with: ""))
    try site.folder.write(
      "whole.json", manifest.replacingOccurrences(of: "LISTS", with: #", "exclude": ["[bcs]*"]"#))
    try site.folder.write("release.json", #"{"bundleIdentifier": "com.example.test", "resources": []}"#)
    #expect(site.tool("build", "./0.json", "--shard", "manifest", "-o", "./shards/0").status == .done)
    #expect(site.tool("build", "./whole.json", "-o", "./whole").status == .done)
    #expect(site.merge([0]).status == .done)
    #expect(try site.folder.files(below: "merged") == site.folder.files(below: "whole"))
  }
}
