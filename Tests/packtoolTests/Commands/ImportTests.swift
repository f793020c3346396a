import Foundation
import Model
import Pipeline
@testable import packtool
import Support
import Testing

/// Tests `packtool import -o`.
///
/// Existing files are not replaced. The manifest contains the path of its schema.
@Suite struct ImportCommandTests {
  private let project = "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj"

  @Test func `a manifest that is there stays`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Manifest.json")
    try folder.write("Manifest.json", "{ \"$comment\": \"edited\" }")
    let refused = runTool("import", project, "-o", path)
    #expect(refused.status == .inputHasErrors && refused.output == "")
    #expect(
      refused.errors.reports("existing-file", at: path))
    #expect(try folder.read("Manifest.json") == Data("{ \"$comment\": \"edited\" }".utf8))
    let forced = runTool("import", project, "-o", path, "--force")
    #expect(forced.status == .done)
    #expect(forced.output == "wrote \(path): 9 rules, 4 tags\n")
    // If the existing file has the same content, nothing is replaced.
    #expect(runTool("import", project, "-o", path).status == .done)
    #expect(runTool("import", project, "-o", path, "-q").output == "")
  }

  /// With no severity setting can an edited manifest be replaced.
  @Test func `only force replaces`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", "{}")
    let run = runTool(
      "import", project, "-o", folder.path("Manifest.json"), "--severity", "existing-file=ignore")
    #expect(try folder.read("Manifest.json") == Data("{}".utf8), "\(run.errors)")
  }

  @Test(arguments: [
    ("", "Manifest.schema.json"), ("Manifest.schema.json", "Manifest.schema.json"),
    ("../Manifest.schema.json", "../Manifest.schema.json"),
    ("../../Manifest.schema.json", "../../Manifest.schema.json"),
  ])
  func `the schema is named`(file: String, key: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("deep/er/x", "")
    if !file.isEmpty { try folder.write("deep/er/\(file)", "{}") }
    #expect(runTool("import", project, "-o", folder.path("deep/er/Manifest.json"), "-q").status == .done)
    let object = try JSONSerialization.jsonObject(with: folder.read("deep/er/Manifest.json"))
    #expect((object as? [String: Any])?["$schema"] as? String == key)
  }

  /// A printed manifest is for the folder of the project.
  ///
  /// The schema of the repository is above this folder.
  @Test func `a printed manifest names the schema too`() {
    let run = runTool("import", project, "-q")
    #expect(run.output.hasPrefix("{\n  \"$schema\": \"../../Manifest.schema.json\",\n"))
  }

  @Test(arguments: ["nope.yml", "nope.json", "nope.xcodeproj", "nope"])
  func `a file that does not exist is reported as missing`(
    name: String
  ) throws {
    let folder = try TemporaryFolder()
    let run = runTool("import", folder.path(name))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("missing-manifest", at: name, naming: folder.path(name)), "\(run.errors)")
    #expect(!run.errors.contains("project.pbxproj") && run.errors.contains("App.xcodeproj"), "\(run.errors)")
  }
}
