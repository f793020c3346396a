import Foundation
import Support
import Testing

@testable import packtool

/// Tests files that cannot be in packs of a layout or of a device class.
///
/// Every command with the flags of `build` must find them.
@Suite struct TargetTests {
  /// A small project, the flags of its target, and the check whose finding makes the project fail.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let rules: String
    var files = ["A/x.png", "B/x.png"]
    var flags: [String] = []
    let check: String
    /// The flags with which the project is accepted.
    var cure: [String]?

    static let variants =
      #"{"path": "A", "tags": ["T"], "traits": {"memory": 4}}, "#
      + #"{"path": "B", "tags": ["T"], "destination": "A"}"#

    static let all = [
      Case(
        testDescription: "variants", rules: variants, check: "path-clash", cure: ["--device", "iPhone17,1"]),
      Case(
        testDescription: "variants in xcode", rules: variants, flags: ["--layout", "xcode"],
        check: "path-clash"),
      Case(
        testDescription: "variants in background-assets", rules: variants,
        flags: ["--layout", "background-assets"], check: "path-clash"),
      Case(
        testDescription: "Info.plist", rules: #"{"path": "A", "tags": ["T"], "destination": "info.plist"}"#,
        flags: ["--layout", "xcode"], check: "path-clash", cure: []),
      Case(
        testDescription: "META-INF", rules: #"{"path": "A", "tags": ["T"], "destination": "META-INF"}"#,
        flags: ["--layout", "hosted", "--url-prefix", "https://example.com/"], check: "path-clash",
        cure: ["--layout", "xcode"]),
      Case(
        testDescription: "empty pack", rules: #"{"path": "empty", "tags": ["T"]}"#, files: ["empty"],
        flags: ["--layout", "background-assets"], check: "empty-pack", cure: []),
      Case(
        testDescription: "one path in two packs",
        rules: #"{"path": "A", "tags": ["T"]}, {"path": "B", "tags": ["U"], "destination": "A"}"#,
        flags: ["--layout", "background-assets"], check: "path-in-two-packs", cure: []),
      Case(
        testDescription: "pointer", rules: #"{"path": "A", "tags": ["T"]}"#, files: ["A/pointer"],
        check: "lfs-pointer"),
    ]
  }

  @Test(arguments: Case.all) func `every command refuses it`(example: Case) throws {
    let folder = try TemporaryFolder()
    for file in example.files {
      let pointer = PointerKind.lfsPointer(to: Data("x".utf8))
      try folder.write(file, file == "empty" ? "" : file.hasSuffix("pointer") ? pointer : file)
    }
    try folder.writeManifest(rules: example.rules, app: "com.example.v")
    let commands = [["validate"], ["plan"], ["build", "-o", folder.path("out")]]
    let runs = commands.map { runTool(words: $0 + [folder.path] + example.flags) }
    for run in runs {
      #expect(run.status == .inputHasErrors)
      let ids = run.errors.split(separator: "\n").filter { $0.contains(": error: ") }.compactMap {
        $0.split(separator: "[").last
      }
      #expect(Set(ids) == ["\(example.check)]"], "\(run.errors)")
    }
    guard let cure = example.cure else { return }
    for command in commands {
      let run = runTool(words: command + [folder.path] + cure)
      #expect(run.status == .done, "\(run.errors)")
    }
  }

  /// The message contains two files.
  ///
  /// In each command, the flag `--layout hosted` needs a prefix.
  @Test func `messages name both variants`() throws {
    let folder = try TemporaryFolder()
    for file in ["A/x.png", "B/x.png"] { try folder.write(file, file) }
    try folder.writeManifest(rules: Case.variants, app: "com.example.v")
    #expect(
      runTool("validate", folder.path).errors.reports("path-clash", naming: "2", "A/x.png", "B/x.png"))
    for command in [["validate"], ["plan"], ["build", "-o", folder.path("out")]] {
      #expect(runTool(words: command + [folder.path, "--layout", "hosted"]).status == .usage)
    }
  }
}
