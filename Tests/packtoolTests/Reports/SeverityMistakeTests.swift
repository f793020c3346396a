@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests severities that a user cannot set.
@Suite struct SeverityMistakeTests {
  private static let manifestErrors = Check.all.filter(\.isManifestError).map(\.id)

  /// The ids are those in the first list of the contract, without its two warnings.
  ///
  /// In addition, there are two ids that were added later.
  @Test func `manifest errors are these`() {
    #expect(
      Set(Self.manifestErrors) == [
        "json-syntax", "duplicate-key", "unknown-key", "missing-key", "wrong-type", "invalid-value",
        "invalid-tag",
        "invalid-path", "path-escapes-root", "no-match", "duplicate-rule", "unknown-tag", "missing-manifest",
        "two-manifests",
        "two-destinations",
        "project-syntax", "damaged-project", "unknown-target", "several-targets", "no-configuration",
        "untagged-project",
      ])
  }

  @Test(arguments: manifestErrors, ["warning", "note", "ignore"])
  func `flag cannot lower manifest errors`(id: String, level: String) {
    let flag = runTool("validate", "--severity", "\(id)=\(level)")
    #expect(flag.status == .usage)
    #expect(
      flag.errors.hasFacts("\"--severity\" \"\(id)\""))
  }

  /// If the manifest lowers the severity of several ids, one run reports all of them.
  ///
  /// The findings with these ids stay errors.
  @Test(arguments: ["warning", "note", "ignore"]) func `manifest cannot lower its errors`(level: String)
    throws
  {
    let lines = try errors(severities: Self.manifestErrors.map { "\"\($0)\":\n\"\(level)\"" })
    let lowered = Self.manifestErrors.enumerated().map { number, id in
      "Manifest.json:\(number + 3):1: error [invalid-value] \"\(id)\""
    }
    let lost = "Manifest.json:1:80: error [no-match] \"lost\""
    #expect(lines == [lost] + lowered)
  }

  /// A manifest may set the severity that these findings already have.
  ///
  /// This changes nothing.
  @Test func `manifest errors may be called errors`() throws {
    let lines = try errors(severities: Self.manifestErrors.map { "\"\($0)\": \"error\"" })
    #expect(lines == ["Manifest.json:1:80: error [no-match] \"lost\""])
  }

  /// Returns the errors of a manifest.
  ///
  /// The manifest has severities, beginning with line 2, and a rule without files.
  private func errors(severities: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("a", "x")
    try folder.write(
      "Manifest.json",
      "{\"bundleIdentifier\": \"a\", \"resources\": [{\"path\": \"a\", \"tags\": [\"T\"]}, {\"path\": \"lost\", "
        + "\"tags\": [\"T\"]}],\n\"severity\": {\(severities.joined(separator: ", "))}, "
        + "\"appBundle\": {\"size\": 1}}\n")
    let run = runTool("validate", folder.path, "--verbose")
    #expect(run.status == .inputHasErrors)
    return run.errors.findings.filter { $0.place.hasPrefix(folder.path) }.map {
      $0.facts.replacing("\(folder.path)/", with: "")
    }
  }

  @Test(arguments: [
    ("lfs-pointer", #""lfs-pointer""#),
    (
      "lfs-pointer=fatal",
      #""lfs-pointer=fatal""#
    ),
    (
      "lfs-pointr=error",
      #""lfs-pointr" "lfs-pointer""#
    ),
    ("=error", #""--severity""#),
  ])
  func `wrong flags`(value: String, facts: String) {
    let run = runTool("validate", "--severity", value)
    #expect(run.status == .usage)
    #expect(run.errors.hasFacts("\"--severity\" \(facts)"))
  }

  @Test func `wrong members of the manifest`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", "x")
    try folder.writeManifest(
      [.path("a", "T")],
      members: #""severity": { "lfs-pointr": "error", "empty-file": "fatal", "pack-size": 1 }"#)
    let facts = runTool("validate", folder.path).errors.findings.filter { $0.severity == "error" }.map(
      \.facts)
    #expect(
      facts.map { $0.replacing("\(folder.path)/", with: "") } == [
        #"Manifest.json:6:17: error [unknown-key] "lfs-pointr" "lfs-pointer""#,
        #"Manifest.json:6:54: error [invalid-value] "fatal" "error" "warning" "note" "ignore""#,
        #"Manifest.json:6:76: error [wrong-type] "pack-size""#,
      ])
  }
}
