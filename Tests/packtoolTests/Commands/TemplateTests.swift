import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests how commands show tag templates.
@Suite struct TemplateTests {
  private func project(_ lists: String = "", rules: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "Manifest.json",
      """
      {
        "bundleIdentifier": "com.example.test",
        "root": "Assets",
        "resources": [
          { "glob": "Levels/*/**", "tagTemplates": ["Level $1"] }\(rules)
        ]\(lists)
      }
      """)
    for name in ["Levels/1/map", "Levels/2/map", "Levels/10/map", "Levels/3/Art/sky", "levels/4/map"] {
      try folder.write("Assets/\(name)", name)
    }
    return folder
  }

  private func output(_ words: String..., in folder: TemporaryFolder) throws -> String {
    let result = try run(packtoolProgram(), ["-C", folder.path] + words)
    return result.output + result.errors
  }

  @Test func `a listed tag may be made`() throws {
    let folder = try project(#", "initialInstallTags": ["Level 1"], "prefetchTagOrder": ["Level 2"]"#)
    let run = runTool("validate", folder.path, "--strict")
    #expect(run.status == .done, "\(run.errors)")
    #expect(try output("plan", "--format", "json", in: folder).contains("\"Level 10\""))
  }

  /// An unknown tag is reported in spite of other mistakes, unless the tag could be in a part with mistakes.
  @Test(arguments: [
    (#", "exlude": []"#, 1), (#", "container": "rar""#, 1), (#", "bundleIdentifier": 3"#, 1), ("", 1),
  ])
  func `an unknown tag is reported together with other mistakes`(members: String, count: Int) throws {
    let folder = try project(#", "prefetchTagOrder": ["level 1"]\#(members)"#)
    let run = runTool("validate", folder.path)
    #expect(
      run.errors.reports("unknown-tag", naming: "level 1", "Level 1"),
      "\(run.errors)")
    #expect(run.errors.components(separatedBy: "[unknown-tag]").count - 1 == count)
  }

  @Test(arguments: [
    #"{ "glob": "x/*", "tagTemplates": ["Other $9"] }"#, #"{ "glob": "x/*", "tagTemplates": [7] }"#,
    #"{ "glob": "../x/*", "tagTemplates": ["x $1"] }"#, #"{ "glob": "x/*", "tag": ["x"] }"#,
  ])
  func `a wrong rule may give any tag`(rule: String) throws {
    let folder = try project(#", "prefetchTagOrder": ["level 1"]"#, rules: ", \(rule)")
    let run = runTool("validate", folder.path)
    #expect(run.status == .inputHasErrors && !run.errors.reports("unknown-tag"), "\(run.errors)")
  }

  @Test func `a tag that no file makes is unknown`() throws {
    let folder = try project(#", "initialInstallTags": ["Levl 1"]"#)
    let errors = try output("validate", in: folder)
    #expect(
      errors.reports("unknown-tag", at: "Manifest.json:6:29", naming: "Levl 1", "Level 1"))
    #expect(runTool("validate", folder.path).status == .inputHasErrors)
  }

  @Test func `a list of all tags counts for made ones`() throws {
    let folder = try project(#", "tags": ["Level 1", "Level 2", "Level 3"]"#)
    let first = try output("validate", in: folder).findings.first
    #expect(first?.facts == #"Manifest.json:5:47: error [unknown-tag] "tags" "Level 10" "Level 1""#)
  }

  @Test func `a slip of a made tag is found`() throws {
    let folder = try project(rules: #", { "path": "levels/4", "tags": ["Levle 1"] }"#)
    let errors = try output("validate", in: folder)
    #expect(errors.hasFacts(#"[similar-tag] "Levle 1" 1 "Level 1""#), "\(errors)")
    // If two folders with similar names exist, packtool does not suggest one for the other.
    for name in ["Castle", "Castel"] { try folder.write("Assets/Levels/\(name)/map", name) }
    #expect(try !output("validate", in: folder).contains("Cast"))
  }

  @Test func `explain names the template`() throws {
    let folder = try project()
    let file = try output("explain", "Levels/3/Art/sky", in: folder)
    #expect(
      file.contains("    Manifest.json:5:15: glob \"Levels/*/**\" assigns \"Level 3\" with \"Level $1\"\n"),
      "\(file)")
    let tag = try output("explain", "Level 10", in: folder)
    #expect(
      tag.contains("Manifest.json:5:15: glob \"Levels/*/**\" with \"Level $1\"\n"), "\(tag)")
    let near = try output("explain", "levels/4/map", in: folder)
    #expect(near.contains("glob \"Levels/*/**\" would match if upper and lower case were ignored"), "\(near)")
    let all = try output("explain", "Levels", in: folder)
    #expect(all.contains("glob \"Levels/*/**\" assigns \"Level $1\""), "\(all)")
    let json = try output("explain", "--format", "json", "Levels/1/map", in: folder)
    let packed = json.filter { !$0.isWhitespace }
    #expect(packed.contains(#""tagTemplates":["Level$1"],"tags":["Level1"]"#), "\(json)")
  }

  @Test func `diff compares made tags`() throws {
    let folder = try project()
    let other = try project()
    try other.write("Assets/Levels/1/map", "changed!!!!!")
    try other.write("Assets/Levels/5/map", "new")
    let result = try run(packtoolProgram(), ["diff", folder.path, other.path, "--format", "json"])
    let document = try #require(
      JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let packs = try #require(document["packs"] as? [[String: Any]])
    let statuses = packs.map { "\(($0["tags"] as? [String])?.first ?? "") \($0["status"] as? String ?? "")" }
    #expect(
      Set(statuses) == [
        "Level 1 changed", "Level 2 unchanged", "Level 3 unchanged", "Level 5 added", "Level 10 unchanged",
      ])
  }

  @Test func `the bytes are those of plain rules`() throws {
    let folder = try project(#", "initialInstallTags": ["Level 2"]"#)
    let rules = [1, 2, 3, 10].map { "{ \"path\": \"Levels/\($0)\", \"tags\": [\"Level \($0)\"] }" }
    try folder.writeManifest(
      rules: rules.joined(separator: ", "), to: "Plain.json", app: "com.example.test", root: "Assets",
      members: #""initialInstallTags": ["Level 2"]"#)
    for (manifest, output) in [("Manifest.json", "a"), ("Plain.json", "b")] {
      #expect(runTool("build", folder.path(manifest), "-o", folder.path(output), "--quiet").status == .done)
    }
    let difference = try run(
      "diff", ["-r", "--exclude=.packtool", folder.path("a"), folder.path("b")])
    #expect(difference.status == 0, "\(difference.output)")
  }
}
