@testable import Formats
import Model
import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests `validate --fix`.
///
/// `validate --fix` fixes mistakes that have exactly one possible fix, and changes nothing else.
@Suite struct FixTests {
  private static let front = #"{ "bundleIdentifier": "a.b", "root": "Assets", "resources": "#

  /// The text of a manifest after its first keys, before and after the fix.
  struct Mend: CustomTestStringConvertible, Sendable {
    let before: String
    let after: String
    var testDescription: String { before }

    init(_ before: String, _ after: String) {
      self.before = before
      self.after = after
    }
  }

  private func site(_ text: String, _ name: String = "Manifest.json") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for file in ["Castle/map", "Castle/music", "Forest/map"] { try folder.write("Assets/\(file)", file) }
    try folder.write(name, text)
    return folder
  }

  private static let both =
    #"[{"path": "Castle", "tags": ["Castle"]}, {"path": "Forest", "tags": ["Forest"]}]"#

  static let sure = [
    Mend(#"[{"path": "Castel", "tags": ["A"]}] }"#, #"[{"path": "Castle", "tags": ["A"]}] }"#),
    Mend(#"[{"path": "Castel/map", "tags": ["A"]}] }"#, #"[{"path": "Castle/map", "tags": ["A"]}] }"#),
    Mend(#"[{"path": "Assets/Castle", "tags": ["A"]}] }"#, #"[{"path": "Castle", "tags": ["A"]}] }"#),
    Mend(#"[{"path": "Castle\\map", "tags": ["A"]}] }"#, #"[{"path": "Castle/map", "tags": ["A"]}] }"#),
    Mend(#"[{"glob": "Castle/", "tags": ["A"]}] }"#, #"[{"glob": "Castle/**", "tags": ["A"]}] }"#),
    Mend(#"[{"glob": "castle/*", "tags": ["A"]}] }"#, #"[{"glob": "Castle/*", "tags": ["A"]}] }"#),
    Mend(#"[{"glob": "Castle/**.x", "tags": ["A"]}] }"#, #"[{"glob": "Castle/**/*.x", "tags": ["A"]}] }"#),
    Mend(both + #", "exclude": ["castle/map"] }"#, both + #", "exclude": ["Castle/map"] }"#),
    Mend(both + #", "exclude": ["CASTLE/MAP"] }"#, both + #", "exclude": ["Castle/map"] }"#),
    Mend(both + #", "exclude": ["castle/Keep"] }"#, both + #", "exclude": ["castle/Keep"] }"#),
    Mend(both + #", "exclude": ["castle/Keep/*"] }"#, both + #", "exclude": ["castle/Keep/*"] }"#),
    Mend(both + #", "exclude": ["Assets/Castle/map"] }"#, both + #", "exclude": ["Castle/map"] }"#),
    Mend(
      #"[{"path": "Castle", "tags": ["A"], "except": ["map"]}] }"#,
      #"[{"path": "Castle", "tags": ["A"], "except": ["Castle/map"]}] }"#),
    Mend(both + #", "exclude": ["Castle/map "] }"#, both + #", "exclude": ["Castle/map"] }"#),
    Mend(both + #", "exclude": ["castel/m*"] }"#, both + #", "exclude": ["Castle/m*"] }"#),
    Mend(both + #", "exclude": ["**/MAP"] }"#, both + #", "exclude": ["**/map"] }"#),
    Mend(#"[{"glob": "**/MAP", "tags": ["A"]}] }"#, #"[{"glob": "**/map", "tags": ["A"]}] }"#),
    Mend(#"[{"path": "Castle", "tags": ["A/"]}] }"#, #"[{"path": "Castle", "tags": ["A"]}] }"#),
    Mend(#"[{"path": "Castle", "tag": "A"}] }"#, #"[{"path": "Castle", "tags": ["A"]}] }"#),
    Mend(#"[{"path": "Castle", "tags": " A"}] }"#, #"[{"path": "Castle", "tags": ["A"]}] }"#),
    Mend(
      #"[{"path": "Castle", "tags": ["A"], "dest": "x"}] }"#,
      #"[{"path": "Castle", "tags": ["A"], "destination": "x"}] }"#),
    Mend(both + #", "limits": {"packSize": "10mb"} }"#, both + #", "limits": {"packSize": "10 MB"} }"#),
    Mend(both + #", "severity": {"tag-size": "none"} }"#, both + #", "severity": {"tag-size": "ignore"} }"#),
    Mend(#"[{"path": "Castle", "tag": ["A"]}] }"#, #"[{"path": "Castle", "tags": ["A"]}] }"#),
    Mend(#"[{"path": "Castle", "tags": ["A", "A", "B"]}] }"#, #"[{"path": "Castle", "tags": ["A", "B"]}] }"#),
    Mend(
      "[{\"path\": \"Castle\", \"tags\": [\n  \"A\",\n  \"A\"\n]}] }",
      "[{\"path\": \"Castle\", \"tags\": [\n  \"A\"\n]}] }"),
    Mend(both + #", "initialInstallTags": ["castle"] }"#, both + #", "initialInstallTags": ["Castle"] }"#),
    Mend(
      both + #", "prefetchTagOrder": ["Forrest", "Forest"] }"#, both + #", "prefetchTagOrder": ["Forest"] }"#),
    Mend(both + #", "tags": ["Castle", "Forrest"] }"#, both + #", "tags": ["Castle", "Forrest"] }"#),
    Mend(both + #", "container": "tar.gzz" }"#, both + #", "container": "tar.gz" }"#),
    Mend(both + #", "severity": {"empty-fil": "note"} }"#, both + #", "severity": {"empty-file": "note"} }"#),
    // A key with a similar name is only the intended key if it accepts the value.
    Mend(#"[{"paths": ["Castle"], "tags": ["A"]}] }"#, #"[{"path": "Castle", "tags": ["A"]}] }"#),
    Mend(#"[{"path": [ "Castle" ], "tags": ["A"]}] }"#, #"[{"path": "Castle", "tags": ["A"]}] }"#),
    Mend(
      #"[{"paths": ["Castle", "Forest"], "tags": ["A"]}] }"#,
      #"[{"paths": ["Castle", "Forest"], "tags": ["A"]}] }"#),
    Mend(#"[{"paths": [], "tags": ["A"]}] }"#, #"[{"paths": [], "tags": ["A"]}] }"#),
    Mend(#"[{"paths": 1, "tags": ["A"]}] }"#, #"[{"paths": 1, "tags": ["A"]}] }"#),
    Mend(both + #", }"#, both + #" }"#),
    Mend(
      "[\n{\"path\": \"Castle\", \"tags\": [\"A\"]}\n\"container\": \"zip\" }",
      "[\n{\"path\": \"Castle\", \"tags\": [\"A\"]}\n],\n\"container\": \"zip\" }"),
    Mend(#"[{"path": "Castle", "tags": ["A" }] }"#, #"[{"path": "Castle", "tags": ["A"] }] }"#),
    Mend(
      #"[{"path": "Castle", "tags": ["A"], {"path": "Forest", "tags": ["B"]}] }"#,
      #"[{"path": "Castle", "tags": ["A"]}, {"path": "Forest", "tags": ["B"]}] }"#),
    Mend(
      #"[{"path": "Castle", "tags": ["A"]}, "path": "Forest", "tags": ["B"]}] }"#,
      #"[{"path": "Castle", "tags": ["A"]}, { "path": "Forest", "tags": ["B"]}] }"#),
    // The tag with the space is the mistake, even if it is first and more files have it.
    Mend(
      #"[{"path": "Castle", "tags": ["A "]}, {"path": "Forest", "tags": ["A"]}] }"#,
      #"[{"path": "Castle", "tags": ["A"]}, {"path": "Forest", "tags": ["A"]}] }"#),
    Mend(
      #"[{"path": "Castle", "tags": ["A"]}, {"path": "Forest", "tags": ["B", "A "]}] }"#,
      #"[{"path": "Castle", "tags": ["A"]}, {"path": "Forest", "tags": ["B", "A"]}] }"#),
    Mend(
      #"[{"path": "Castle/map", "tags": ["A"]}, {"path": "Forest", "tags": ["B"]}, {"path": "Castle/music", "tags": ["A, B"]}] }"#,
      #"[{"path": "Castle/map", "tags": ["A"]}, {"path": "Forest", "tags": ["B"]}, {"path": "Castle/music", "tags": ["A", "B"]}] }"#
    ),
    Mend(
      both + #", "initialInstallTags": ["Castle;Forest"] }"#,
      both + #", "initialInstallTags": ["Castle", "Forest"] }"#),
    Mend(both + "\n\"container\": \"zip\" }", both + ",\n\"container\": \"zip\" }"),
    Mend(
      "[{\"path\": \"Castle\", \"tags\": [\"e\u{301}\"]}, {\"path\": \"Forest\", \"tags\": [\"\u{e9}\"]}] }",
      "[{\"path\": \"Castle\", \"tags\": [\"e\u{301}\"]}, {\"path\": \"Forest\", \"tags\": [\"e\u{301}\"]}] }"
    ),
  ]

  @Test(arguments: sure) func `one fix is applied`(mend: Mend) throws {
    let folder = try site(Self.front + mend.before)
    let run = runTool("validate", "--fix", folder.path)
    #expect(
      try folder.read("Manifest.json") == Data((Self.front + mend.after).utf8), "\(run.errors)\(run.output)")
    let isMended = !mend.before.utf8.elementsEqual(mend.after.utf8)
    #expect(run.output.hasPrefix("--- \(folder.path)/Manifest.json\n+++ ") == isMended)
    #expect(try folder.files(below: ".").count == 4)
    if isMended { #expect(!run.errors.contains("--fix"), "\(run.errors)") }
  }

  /// An exclude with an exclamation mark is probably intended to cancel another exclude.
  ///
  /// Instead, the other exclude must be changed so that it matches fewer files. Only a person can decide how.
  @Test(arguments: [#"["!Castle/map"]"#, #"["Castle/ma*", "!Castle/map"]"#])
  func `an exclude with an exclamation mark is reported and stays`(excludes: String) throws {
    let text = Self.front + Self.both + ", \"exclude\": \(excludes) }"
    let folder = try site(text)
    let column = try #require(text.range(of: "\"!Castle")).lowerBound.utf16Offset(in: text) + 1
    for flags in [[], ["--fix"]] {
      let run = ToolRun(["validate", folder.path] + flags)
      let found = run.findings("unused-exclude")
      #expect(run.status == .done && found.count == 1, "\(run.all)")
      #expect(found.first?.severity == "warning" && found.first?.line == 1 && found.first?.column == column)
      #expect(found.first?.message.names("!Castle/map") == true)
      #expect(
        found.first?.notes.map { values(in: $0.message) }
          == (excludes.contains("ma*") ? [#""Castle/ma*" "Castle/map""#] : []))
      #expect(try folder.read("Manifest.json") == Data(text.utf8))
    }
  }

  /// If a mistake has two possible fixes, a person must choose.
  @Test(arguments: [
    #"[{"path": "Castle", "tags": ["Level 1"]}, {"path": "Forest", "tags": ["Level 2"]}], "initialInstallTags": ["Level 3"] }"#,
    #"[{"path": "Castle", "tags": ["Level 1"]}], "initialInstallTags": ["Level 2"] }"#,
    #"[{"path": "Castle", "tags": ["caste"]}, {"path": "Forest", "tags": ["cattle"]}], "initialInstallTags": ["castle"] }"#,
    #"[{"path": "Castle", "tags": ["A"], "tag": ["B"]}] }"#,
    #"[{"path": "Castle", "tags": ["A"]}, {"path": "Castel", "tags": ["B"]}] }"#,
    #"[{"path": "Castle" "tags": ["A"]}] }"#,
    // Syntax is fixed only if the whole text is JSON afterwards.
    "[{\"path\": \"Castle\", \"tags\": [\"A\"]}]\n\"container\": \"zip\",, }",
    "[{\"path\": \"Castle\", \"tags\": [\"A\",]}], container: \"zip\" }",
    // The backslashes are part of a regular expression and not of a path.
    #"[{"path": "Castle/.*\\.map", "tags": ["A"]}] }"#,
  ]) func `what is not sure stays`(text: String) throws {
    let folder = try site(Self.front + text)
    let run = runTool("validate", "--fix", folder.path)
    #expect(run.status == .inputHasErrors && run.output == "", "\(run.errors)\(run.output)")
    #expect(try folder.read("Manifest.json") == Data((Self.front + text).utf8))
  }

  @Test func `only the bytes of the fix change`() throws {
    let text =
      "\u{feff}// why\r\n{ \"bundleIdentifier\":\"a.b\",\t\"root\": \"Assets\", // é\r\n  \"resources\": [\r\n"
      + "    {\"path\":\"Castel\", \"tags\":[\"A\", // first, \r\n\"A\", /* x */ ],},\r\n  ] }"
    let folder = try site(text, "Manifest.jsonc")
    let run = runTool("validate", "--fix", folder.path)
    #expect(run.status == .done, "\(run.errors)")
    let expected = text.replacing("Castel", with: "Castle").replacing("\r\n\"A\", /*", with: "\r\n /*")
    #expect(try String(decoding: folder.read("Manifest.jsonc"), as: UTF8.self) == expected)
  }

  /// Without the flag, nothing is written, and a line describes what the flag would do.
  @Test func `without the flag it is offered`() throws {
    let folder = try site(Self.front + Self.sure[0].before)
    let run = runTool("validate", folder.path, isScreen: true)
    #expect(run.errors.hasSuffix("packtool: --fix fixes 1 finding\n"), "\(run.errors)")
    // In logs, the last line contains the numbers of findings.
    #expect(runTool("validate", folder.path).errors.hasSuffix("0 notes\n"))
    #expect(try folder.read("Manifest.json") == Data((Self.front + Self.sure[0].before).utf8))
    #expect(!runTool("plan", folder.path).errors.contains("--fix"))
    // A mistake that is not reported is not fixed.
    let twice = try site(Self.front + #"[{"path": "Castle", "tags": ["A", "A"]}] }"#)
    let ignoring = runTool("validate", "--fix", twice.path, "--severity", "repeated-tag=ignore")
    #expect(ignoring.output == "" && ignoring.status == .done)
  }

  @Test func `JSON on standard output stays one`() throws {
    let folder = try site(Self.front + Self.sure[0].before)
    let run = runTool("validate", "--fix", folder.path, "--format", "json")
    #expect(run.status == .done && run.errors.contains("+{ \"bundleIdentifier\""), "\(run.errors)")
    #expect(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) is [String: Any])
  }

  @Test func `several manifests are fixed`() throws {
    let sites = [try site(Self.front + Self.sure[0].before), try site(Self.front + Self.sure[8].before)]
    #expect(runTool(words: ["validate", "--fix"] + sites.map(\.path)).status == .done)
    #expect(try sites[1].read("Manifest.json") == Data((Self.front + Self.sure[8].after).utf8))
  }

  /// The text of a project is not JSON, so nothing is written into it.
  @Test func `projects are not edited`() throws {
    var project = TestProject()
    project.add("a.png", tags: "\"Levl 1\", ")
    let site = try ProjectSite(project)
    let before = try site.folder.read("App.xcodeproj/project.pbxproj")
    let run = runTool("validate", "--fix", site.folder.path("App.xcodeproj"))
    #expect(run.output == "")
    #expect(try site.folder.read("App.xcodeproj/project.pbxproj") == before)
  }

  @Test func `a manifest that changed meanwhile stays`() throws {
    let folder = try site("{ }")
    let path = folder.path("Manifest.json")
    let edited = EditedText(
      SourceText(path: path, bytes: Array("{}".utf8)), edits: [TextEdit(1..<1, replacement: " ")])
    #expect(throws: ChangedText.self) { try edited.write() }
    #expect(try folder.read("Manifest.json") == Data("{ }".utf8))
  }

  /// To find the comma before each of many elements, packtool must not search the whole line.
  @Test(.noHang, arguments: ["Manifest.json", "Manifest.jsonc"])
  func `a long line of repeated tags is fixed in parts`(name: String) throws {
    let count = sample(2_000, of: 60_000)
    let list = Array(repeating: #""Castle""#, count: count).joined(separator: ",")
    let folder = try site(Self.front + Self.both + ", \"prefetchTagOrder\": [\(list)] }", name)
    let run = runTool("validate", "--fix", folder.path)
    // In one round, at most a thousand findings of a kind are fixed. There are at most ten rounds.
    let left = max(count - 10_000, 1)
    #expect(run.status == .done && run.errors.reports("duplicate-tag", naming: "Castle") == (left > 1))
    let found = try String(decoding: folder.read(name), as: UTF8.self).matches(of: /"Castle"/).count
    #expect(found == left + 2)
  }

  @Test func `SARIF has the fix`() throws {
    let folder = try site(
      "{ \"é\": 1, \"bundleIdentifer\": \"a.b\", \"root\": \"Assets\", \"resources\": " + Self.both + " }")
    let run = runTool("validate", folder.path, "--diagnostics", "sarif")
    let log = try #require(JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [String: Any])
    let results = try #require((log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
    let fixes = results.compactMap { ($0["fixes"] as? [[String: Any]])?.first }
    let change = try #require((fixes.first?["artifactChanges"] as? [[String: Any]])?.first)
    let replacement = try #require((change["replacements"] as? [[String: Any]])?.first)
    #expect(
      replacement["deletedRegion"] as? [String: Int]
        == ["startLine": 1, "startColumn": 11, "endLine": 1, "endColumn": 28])
    #expect((replacement["insertedContent"] as? [String: String])?["text"] == "\"bundleIdentifier\"")
    #expect(fixes.count == 1)
  }
}
