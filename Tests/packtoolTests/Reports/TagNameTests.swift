import Support
import Testing
@testable import packtool

/// Tests the names of packs with many tags.
///
/// Such a name consists of the tags that distinguish the pack from other packs.
@Suite struct TagNameTests {
  /// Makes 300 packs.
  ///
  /// Most of the packs have 16 of 24 tags.
  private func game() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let tags = (0..<24).map { "campaign-of-the-long-name-\($0)" }
    var rules: [String] = []
    for pack in 0..<300 {
      let mine =
        (0..<24).filter { ($0 * 7 + pack * (1 + pack / 24)) % 24 < 15 }.map { tags[$0] } + ["part-\(pack)"]
      try folder.write("old/Assets/group\(pack)/data.bin", String(repeating: "x", count: 200 + pack))
      try folder.write("new/Assets/group\(pack)/data.bin", String(repeating: "y", count: 200 + pack))
      rules.append(
        "{\"path\": \"group\(pack)\", \"tags\": [\(mine.map { "\"\($0)\"" }.joined(separator: ", "))]}")
    }
    for version in ["old", "new"] {
      try folder.write(
        "\(version)/Manifest.json",
        """
        {"bundleIdentifier": "org.example.strategy", "root": "Assets", "resources": [\(rules.joined(separator: ",\n"))],
         "initialInstallTags": ["\(tags[0])"], "limits": {"profile": "app-store", "tagSize": 1000}}
        """)
    }
    try folder.write(
      "scenario.json",
      #"{"steps": [{"install": true}, {"begin": ["part-7"], "as": "a"}, {"await": "a"}], "link": "3G"}"#)
    return folder
  }

  @Test func `lines are narrow`() throws {
    let folder = try game()
    let (old, new) = (folder.path("old"), folder.path("new"))
    for words in [["plan", new], ["diff", old, new], ["simulate", folder.path("scenario.json"), new]] {
      let output = runTool(words: words).output
      #expect(!output.isEmpty)
      for line in output.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
    }
    let plan = runTool("plan", new).output
    #expect(plan.contains(" part-17 + 15 more "))
    #expect(runTool("plan", new, "--verbose").output.contains("campaign-of-the-long-name-1 + "))
    let build = runTool("build", new, "-o", folder.path("packs"), "--explain")
    for line in build.errors.split(separator: "\n") where line.hasPrefix("wrote") {
      #expect(line.count <= 120)
    }
    #expect(build.errors.contains(#"wrote {"part-17" + 15 more}: "#))
  }

  @Test func `many findings of a kind are a table`() throws {
    let folder = try game()
    let errors = runTool("validate", folder.path("new")).errors
    #expect(errors.matches(of: /\[tag-size\]/).count == 1)
    #expect(
      errors.contains(/\n {2}\d+ more findings of this check:\n {4}\S+Manifest.json:\d+:\d+ +"campaign-of/))
    #expect(!errors.contains(/"campaign-of-the-long-name-1", "campaign-of-the-long-name-1/))
    let whole = runTool("validate", folder.path("new"), "--verbose").errors
    #expect(whole.matches(of: /\[tag-size\]/).count > 20)
  }

  @Test func `names distinguish packs`() {
    let common = ["a", "b", "c", "d"]
    let names = TagNames([common + ["x"], common + ["y"], ["a"], common + ["x", "z"]])
    #expect(names.name(of: ["a"]) == "a")
    #expect(names.name(of: common + ["y"]) == "y + 4 more")
    #expect(names.name(of: common + ["x", "z"]) == "z + 5 more")
    #expect(names.name(of: common + ["x"]) == "x + 4 more")
    // If the sets cannot be distinguished with a few tags, each name contains the digest at the end of the
    // pack's identifier.
    let alike = TagNames([
      ["a", "b", "c", "d"], ["a", "b", "c", "e"], ["a", "b", "d", "e"], ["a", "c", "d", "e"],
      ["b", "c", "d", "e"],
    ])
    let all = Set([["a", "b", "c", "d"], ["a", "b", "c", "e"], ["b", "c", "d", "e"]].map(alike.name))
    #expect(all.count == 3)
  }

  @Test(arguments: [
    #"{"a", "b"} and {"c"}"#, #"{"glob": "x", "tags": ["a", "b", "c", "d"]}"#, #"{"a", "b", "c", "d""#, "{",
    #"{"\"#,
    #"{"a\", "b", "c", "d", "e}"#,
  ]) func `other texts stay`(text: String) {
    #expect(TagNames.shortening(text) == text)
  }
}
