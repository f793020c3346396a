import Foundation
import Support
import Testing
@testable import packtool

/// Tests the tag lists of the manifest in the output of a build, and the size that the store shows to users.
@Suite struct TagListTests {
  /// Makes a project whose tags have three different orders: by name, in the lists, and by packs.
  private func site() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (name, count) in [("m", 3000), ("z", 1000), ("a", 2000), ("k", 4000), ("d", 50)] {
      try folder.write("game/Assets/\(name).bin", Data(repeating: 7, count: count))
    }
    try folder.writeManifest(
      [
        .path("m.bin", "M"), .path("z.bin", "Z"), .path("a.bin", "A"), .path("k.bin", "K"),
        .path("d.bin", "D"),
      ],
      to: "game/Manifest.json", app: "com.example.g", root: "Assets",
      members: #""appBundle": { "size": 9000 }"#, #""initialInstallTags": ["Z", "M"]"#,
      #""prefetchTagOrder": ["K", "A"]"#)
    try folder.write(
      "game/s.json",
      #"{ "link": "3G", "steps": [{ "install": true }, { "play": "300 ms" }, { "begin": ["A"], "as": "a" }, { "await": "a" }, { "quit": true }] }"#
    )
    return folder
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// Returns the tags in the lines of a plan's last table, each with its position.
  private func tagLines(_ plan: String) -> [String] {
    let lines = plan.split(separator: "\n").drop { !$0.hasPrefix("tags, with") }.dropFirst()
    return lines.prefix { $0.hasPrefix("  ") }.map { line in
      line.split(separator: " ").prefix(2).joined(separator: " ")
    }
  }

  private static let parts = [
    "initial install:", "1 Z", "2 M", "prefetch:", "1 K", "2 A", "on demand:", "- D",
  ]

  @Test func `a built folder keeps the lists of the manifest`() throws {
    let folder = try site()
    #expect(runTool("build", folder.path("game"), "-o", folder.path("out")).status == .done)
    let index = try object(String(decoding: try folder.read("out/index.json"), as: UTF8.self))
    let lists = ["initialInstall", "prefetch", "onDemand"].map { name in
      (index[name] as? [String: Any])?["tags"] as? [String]
    }
    #expect(lists == [["Z", "M"], ["K", "A"], nil])
    for source in ["game", "out"] {
      #expect(tagLines(runTool("plan", folder.path(source)).output) == Self.parts, "\(source)")
      let words = [
        "simulate", folder.path("game/s.json"), folder.path(source), "--advise", "--format", "json",
      ]
      let advice = try #require(try object(runTool(words: words).output)["advice"] as? [String: Any])
      // There are seven changes: a request that begins earlier, a swap, three tags added to the install, and
      // two tags removed.
      #expect(advice["tried"] as? Int == 7, "\(source)")
      let changes = try #require(advice["changes"] as? [[String: Any]])
      #expect(changes.contains { ($0["change"] as? String)?.contains("\"A\"") == true }, "\(source)")
    }
    #expect(runTool("verify", folder.path("out")).status == .done)
  }

  /// An index of an earlier version has no lists.
  ///
  /// Its tags are in the order of their packs.
  @Test func `an index without lists is read`() throws {
    let folder = try site()
    #expect(runTool("build", folder.path("game"), "-o", folder.path("out")).status == .done)
    let index = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
    let old = index.replacing(/("size": [0-9]+),\n    "tags": \[[^\]]*\]\n  \}/) { "\($0.output.1)\n  }" }
    #expect(old != index)
    try folder.write("out/index.json", old)
    #expect(tagLines(runTool("plan", folder.path("out")).output) == Self.parts)
    #expect(runTool("verify", folder.path("out")).status == .done)
    let advised = runTool("simulate", folder.path("game/s.json"), folder.path("out"), "--advise")
    #expect(
      advised.status == .done && advised.output.contains("earlier version of packtool"), "\(advised.output)")
  }

  @Test(arguments: [
    ("\"Z\",\n      \"M\"", "\"M\",\n      \"Z\""), ("\"K\",\n      \"A\"", "\"K\""),
    ("\"K\",\n      \"A\"", "\"K\",\n      \"A\",\n      \"Q\""), ("\"K\",\n      \"A\"", "7"),
  ]) func `verify finds lists that do not fit`(list: String, changed: String) throws {
    let folder = try site()
    #expect(runTool("build", folder.path("game"), "-o", folder.path("out")).status == .done)
    let index = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
    #expect(index.contains(list))
    try folder.write("out/index.json", index.replacing(list, with: changed))
    let run = runTool("verify", folder.path("out"))
    #expect(run.status == .inputHasErrors && run.errors.reports("damaged-index"), "\(run.errors)")
  }

  @Test func `a plan has the size that the store shows`() throws {
    let folder = try site()
    let plan = try object(runTool("plan", folder.path("game"), "--format", "json").output)
    let download = try #require(plan["firstDownload"] as? [String: Any])
    #expect(download["size"] as? Int == 13_000 && download["app"] as? Int == 9000)
    #expect(download["initialInstall"] as? Int == 4000 && download["cellularLimit"] as? Int == 200_000_000)
    for words in [[], ["--format", "markdown"]] {
      let text = runTool(words: ["plan", folder.path("game")] + words).output
      let line = try #require(
        text.split(separator: "\n").first { $0.lowercased().hasPrefix("first download") })
      for size in ["13.0 kB", "9.00 kB", "4.00 kB", "200 MB"] { #expect(line.contains(size), "\(line)") }
    }
    #expect(runTool("build", folder.path("game"), "-o", folder.path("out")).status == .done)
    let built = try object(runTool("plan", folder.path("out"), "--format", "json").output)
    let known = try #require(built["firstDownload"] as? [String: Any])
    #expect(known["size"] as? Int == 4000 && known["app"] is NSNull)
  }

  /// There is a note only if the store asks the user before it downloads the app over a mobile network.
  @Test(arguments: [("LTE", 12_999, 1), ("LTE", 13_000, 0), ("Wi-Fi", 12_999, 0)])
  func `an install that is too large for cellular is noted`(link: String, limit: Int, count: Int) throws {
    let folder = try site()
    let manifest = String(decoding: try folder.read("game/Manifest.json"), as: UTF8.self)
    try folder.write(
      "game/Manifest.json",
      manifest.replacing(
        #""appBundle""#, with: #""limits": { "cellularSize": \#(limit) }, "appBundle""#))
    let run = runTool("simulate", folder.path("game/s.json"), folder.path("game"), "--link", link)
    #expect(run.status == .done && run.errors.count(of: "cellular-size") == count, "\(run.errors)")
    #expect(count == 0 || run.errors.reports("cellular-size", at: "s.json:1:40", naming: "13,000", "12,999"))
  }
}
