@testable import Findings
@testable import PackKit
@testable import Spelling
import Support
import Testing
@testable import packtool

/// Severities that cannot be given.
@Suite struct SeverityMistakeTests {
  private static let manifestErrors = Check.all.filter(\.isManifestError).map(\.id)

  /// The ids of the contract's first list, less the two that are warnings, and two that came later.
  @Test func manifestErrorsAreThese() {
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
  func flagCannotLowerManifestErrors(id: String, level: String) {
    let flag = runTool("validate", "--severity", "\(id)=\(level)")
    #expect(flag.status == .usage)
    #expect(
      flag.errors.hasPrefix(
        "packtool: error: flag \"--severity\" cannot lower \"\(id)\", an error of the manifest itself\n"))
  }

  /// One run names every id that is lowered, and what was lowered is an error nevertheless.
  @Test(arguments: ["warning", "note", "ignore"]) func manifestCannotLowerItsErrors(level: String) throws {
    let lines = try errors(severities: Self.manifestErrors.map { "\"\($0)\":\n\"\(level)\"" })
    let lowered = Self.manifestErrors.enumerated().map { number, id in
      "Manifest.json:\(number + 3):1: error: \"\(id)\" is an error of the manifest itself and cannot be lowered "
        + "[invalid-value]"
    }
    let lost = "Manifest.json:1:80: error: \"lost\" does not exist [no-match]"
    #expect(lines == [lost] + lowered)
  }

  /// To call them what they are is allowed, and changes nothing.
  @Test func manifestErrorsMayBeCalledErrors() throws {
    let lines = try errors(severities: Self.manifestErrors.map { "\"\($0)\": \"error\"" })
    #expect(lines == ["Manifest.json:1:80: error: \"lost\" does not exist [no-match]"])
  }

  /// The errors of a manifest with a rule for no file and, from line 2 on, severities.
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
    return run.errors.split(separator: "\n").filter { $0.hasPrefix(folder.path) }.map {
      String($0).replacing("\(folder.path)/", with: "")
    }
  }

  @Test(arguments: [
    ("lfs-pointer", "takes ID=LEVEL with a level of error, warning, note, ignore, not \"lfs-pointer\""),
    (
      "lfs-pointer=fatal",
      "takes ID=LEVEL with a level of error, warning, note, ignore, not \"lfs-pointer=fatal\""
    ),
    (
      "lfs-pointr=error",
      "names the check \"lfs-pointr\", which does not exist; did you mean \"lfs-pointer\"?"
    ),
    ("=error", "names the check \"\", which does not exist"),
  ])
  func wrongFlags(value: String, message: String) {
    let run = runTool("validate", "--severity", value)
    #expect(run.status == .usage)
    #expect(run.errors.hasPrefix("packtool: error: flag \"--severity\" \(message)\n"))
  }

  @Test func wrongMembersOfTheManifest() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", "x")
    try folder.write(
      "Manifest.json",
      """
      {"bundleIdentifier": "a", "resources": [{"path": "a", "tags": ["T"]}],
      "severity": {"lfs-pointr": "error", "empty-file": "fatal", "pack-size": 1}}

      """)
    let lines = runTool("validate", folder.path).errors.split(separator: "\n").filter {
      $0.contains(": error: ")
    }
    #expect(
      lines.map { $0.replacing("\(folder.path)/", with: "") } == [
        "Manifest.json:2:14: error: the key \"lfs-pointr\" is unknown; did you mean \"lfs-pointer\"? [unknown-key]",
        "Manifest.json:2:51: error: \"fatal\" is unknown; expected one of \"error\", \"warning\", \"note\" and "
          + "\"ignore\" [invalid-value]",
        "Manifest.json:2:73: error: \"pack-size\" takes a string, not a number [wrong-type]",
      ])
  }
}
