import Foundation
import Support
import Testing
@testable import packtool

/// Tests JSON with comments and trailing commas, and mistakes that people make in JSON.
///
/// Comments and trailing commas are allowed only in files with certain names.
@Suite struct CommentedManifestTests {
  private static let commented = """
    // The game's packs.
    {
      "bundleIdentifier": "a.b", /* as in the
         project */
      "resources": [
        { "path": "a", "tags": ["A", "B",], }, // the first
      ],
      "$comment": "// none, /* of these */ ,]",
      /**/ "exclude": [ /* none */ ],
    } // the end
    """

  private func site(_ name: String, _ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(name, text)
    try folder.write("a", "x")
    return folder
  }

  @Test func `a file with that name may have them`() throws {
    let folder = try site("Manifest.jsonc", Self.commented)
    let plan = runTool("plan", folder.path)
    #expect(plan.status == .done, "\(plan.errors)")
    #expect(plan.output.contains("A + B"))
    #expect(runTool("validate", folder.path("Manifest.jsonc")).status == .done)
    // The nearest manifest in a parent folder can be such a file as well.
    try folder.write("code/x", "")
    let result = try run(try packtoolProgram(), ["validate", "--format", "json"], in: folder.path("code"))
    #expect(result.output.contains("\"../Manifest.jsonc\""))
  }

  @Test func `a build from it is the same`() throws {
    let folder = try site("Manifest.jsonc", Self.commented)
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let strict = try site(
      "Manifest.json",
      #"{ "bundleIdentifier": "a.b", "resources": [{ "path": "a", "tags": ["A", "B"] }] }"#)
    #expect(runTool("build", strict.path, "-o", strict.path("out")).status == .done)
    #expect(try folder.files(below: "out/packs") == strict.files(below: "out/packs"))
    #expect(runTool("diff", folder.path, strict.path).status == .done)
  }

  @Test func `strict JSON names the other`() throws {
    let folder = try site("Manifest.json", Self.commented)
    let run = runTool("validate", folder.path)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("json-syntax", at: "Manifest.json:1:1", naming: "$comment", "Manifest.jsonc"))
    #expect(
      run.errors.reports("json-syntax", at: "Manifest.json:6:37", naming: "Manifest.jsonc"))
    #expect(
      run.errors.reports("json-syntax", at: "Manifest.json:6:39", naming: "Manifest.jsonc"))
  }

  @Test func `two manifests are an error`() throws {
    let folder = try site("Manifest.jsonc", Self.commented)
    try folder.write("Manifest.json", Self.commented)
    let run = runTool("validate", folder.path)
    #expect(run.status == .inputHasErrors)
    #expect(
      run.errors.reports("two-manifests", at: "\(folder.path("Manifest.json"))", naming: "Manifest.jsonc"))
    #expect(runTool("validate", folder.path("Manifest.jsonc")).status == .done)
  }

  @Test(arguments: [
    ("{ # no\n}", "1:3", #""$comment""#),
    ("{ /* no", "1:3", #""*/""#),
    ("{ \"a\": 1,, }", "1:10", #"",""#),
    ("{, }", "1:2", #"",""#),
    ("[1,] / 2", "1:6", #""/""#),
  ])
  func `other things stay mistakes`(text: String, place: String, named: String) throws {
    let folder = try site("Manifest.jsonc", text)
    let run = runTool("validate", folder.path)
    let found = run.errors.findings.filter { $0.check == "json-syntax" && $0.isAt("Manifest.jsonc:\(place)") }
    #expect(found.count == 1 && found.areAll { values(in: $0.message) == named }, "\(run.errors)")
  }

  @Test(arguments: [
    ("{\n  \"a\": 1\n  \"b\": 2\n}", "2:9"),
    ("{ \"a\": [1 2] }", "1:10"),
    ("{\n“a”: 1 }", "2:1"),
    ("{ \"a\": “b” }", "1:8"),
    ("{ \"a\": 1,\n<<<<<<< ours\n", "2:1"),
    ("{ \"a\": 1\n=======\n", "2:1"),
    ("{ \"a\":\n>>>>>>> theirs\n", "2:1"),
    ("{ \"a\"\n=======\n", "2:1"),
  ])
  func `mistakes have their names`(text: String, place: String) throws {
    for name in ["Manifest.json", "Manifest.jsonc"] {
      let folder = try site(name, text)
      let run = runTool("validate", folder.path)
      #expect(run.errors.reports("json-syntax", at: "\(name):\(place)"), "\(run.errors)")
    }
  }

  /// The message does not quote the line, because its bytes are not text.
  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian]) func `utf 16 is named`(
    encoding: String.Encoding
  ) throws {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", try #require("{ \"a\": 1 }".data(using: encoding)))
    let run = runTool("validate", folder.path)
    #expect(
      run.errors == """
        \(folder.path("Manifest.json")): error: the file is UTF-16; save it as UTF-8 [json-syntax]
        packtool: 1 error, 0 warnings, 0 notes

        """)
  }

  @Test(arguments: ["100 bytes", "1 byte", "100bytes"]) func `the unit of tables is a size`(size: String)
    throws
  {
    let folder = try site(
      "Manifest.json",
      #"{"bundleIdentifier": "a", "resources": [{"path": "a", "tags": ["T"]}], "limits": {"packSize": "\#(size)"}}"#
    )
    #expect(runTool("validate", folder.path).status == .done)
  }

  @Test func `a budget in another order is guessed`() throws {
    let folder = try site(
      "Manifest.json",
      #"{"bundleIdentifier": "a", "resources": [{"path": "a", "tags": ["Forest", "Castle"]}], "budgets": {"packs": {"Forest+Castle": 10}}}"#
    )
    #expect(
      runTool("validate", folder.path).errors.reports(
        "unknown-pack", naming: "Forest+Castle", "Castle+Forest"))
  }
}
