import Support
import Testing

@testable import packtool

/// Tests files that no rule matches, and excludes that match no file.
@Suite struct UntaggedTests {
  private func project(_ members: String = "") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (path, content) in [
      ("Assets/a/1.png", "1"), ("Assets/a/notes.txt", "four"), ("Assets/new/big.png", "0123456789"),
      ("Assets/new/deep/x.psd", "psd"), ("Assets/top.txt", "t"),
    ] { try folder.write(path, content) }
    try folder.write(
      "Manifest.json",
      #"{"bundleIdentifier": "com.example.game", "root": "Assets", "resources": "#
        + #"[{"path": "a/1.png", "tags": ["A"]}]\#(members)}"#)
    return folder
  }

  @Test func `plan lists them by folder`() throws {
    let folder = try project()
    defer { withExtendedLifetime(folder) {} }
    let run = runTool("plan", folder.path, "--untagged")
    #expect(run.status == .done, "\(run.errors)")
    #expect(
      run.output.hasSuffix(
        """

        untagged, in the app bundle: 4 files, 18 bytes
          new: 1 file, 10 bytes
            10 bytes  new/big.png
          a: 1 file, 4 bytes
            4 bytes  a/notes.txt
          new/deep: 1 file, 3 bytes
            3 bytes  new/deep/x.psd
          .: 1 file, 1 byte
            1 byte  top.txt

        """))
    #expect(!runTool("plan", folder.path).output.contains("big.png"))
  }

  @Test func `plan lists them for programs`() throws {
    let folder = try project()
    defer { withExtendedLifetime(folder) {} }
    let output = runTool("plan", folder.path, "--untagged", "--format", "json").output
    let expected = "      {\n        \"path\": \"new/big.png\",\n        \"size\": 10\n      }"
    #expect(output.contains(expected), "\(output)")
  }

  @Test func `explain shows both kinds`() throws {
    let folder = try project()
    defer { withExtendedLifetime(folder) {} }
    let run = runTool("explain", "a", folder.path)
    #expect(run.output.contains("1 tagged file"))
    #expect(
      run.output.hasSuffix(
        """
          untagged, in the app bundle: 1 file, 4 bytes
          a: 1 file, 4 bytes
            4 bytes  a/notes.txt

        """), "\(run.output)")
    #expect(runTool("explain", "new", folder.path).output.contains("new/deep/x.psd"))
  }

  @Test(arguments: [
    ("", [String](), false, 0), (#", "untagged": "warn""#, [], false, 4),
    (#", "untagged": "error""#, [], true, 4),
    (#", "severity": {"untagged-file": "error"}"#, [], true, 4),
    ("", ["--severity", "untagged-file=warning"], false, 4),
    (#", "untagged": "error""#, ["--severity", "untagged-file=ignore"], false, 0),
  ])
  func `untagged files are findings on request`(
    members: String, words: [String], fails: Bool, count: Int
  ) throws {
    let folder = try project(members)
    defer { withExtendedLifetime(folder) {} }
    let run = runTool(words: ["validate", folder.path] + words)
    #expect(run.status == (fails ? .inputHasErrors : .done), "\(run.errors)")
    let parts = run.errors.split(separator: "[untagged-file]", omittingEmptySubsequences: false)
    #expect(parts.count - 1 == count)
  }

  @Test(arguments: [
    (
      #"["*.psd"]"#,
      [#"warning [unused-exclude] "*.psd" "**/*.psd" 1"#]
    ),
    (#"["**/*.psd"]"#, []),
    (#"["**/*.xcf"]"#, [#"warning [unused-exclude] "**/*.xcf""#]),
    (#"["nwe/**"]"#, [#"warning [unused-exclude] "nwe/**" "new/**""#]),
    (#"["new"]"#, []), (#"["new/**", "a/notes.txt"]"#, []),
    (#"["**/.DS_Store"]"#, [#"warning [unused-exclude] "**/.DS_Store""#]),
  ])
  func `excludes that match nothing are found`(excludes: String, findings: [String]) throws {
    let folder = try project(#", "exclude": \#(excludes)"#)
    defer { withExtendedLifetime(folder) {} }
    let run = runTool("validate", folder.path)
    let found = run.errors.split(separator: "\n").filter { $0.reports("unused-exclude") }
    #expect(found.count == findings.count)
    for (line, facts) in zip(found, findings) {
      #expect(ReportedFinding(line: line)?.facts.hasSuffix(facts) == true, "\(line)")
    }
  }
}
