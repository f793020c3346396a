import Foundation
import Support
import Testing
@testable import packtool

/// Tests builds with findings that no other command can report.
///
/// Tests `verify` for folders that were built without errors.
@Suite struct BuildVerdictTests {
  /// Makes a manifest with one file, and with additional members as JSON.
  private static func site(_ members: String = "", content: Data = Data(count: 3000)) throws
    -> TemporaryFolder
  {
    let folder = try TemporaryFolder()
    try folder.write(
      "Manifest.json",
      """
      {"bundleIdentifier": "com.example.game", "root": "Assets", "appBundle": {"size": 1},
       "resources": [{"path": "a", "tags": ["A"]}]\(members)}
      """)
    try folder.write("Assets/a", content)
    return folder
  }

  private static func build(_ folder: TemporaryFolder, into output: String = "out", _ flags: String...)
    -> ToolRun
  {
    ToolRun(["build", folder.path, "-o", folder.path(output)] + flags)
  }

  /// The build checks for archives after the packs were published.
  @Test(arguments: [("note", packtool.ExitStatus.done), ("warning", .done), ("error", .inputHasErrors)])
  func `a build ends with the status of its worst finding`(
    severity: String, status: packtool.ExitStatus
  ) throws {
    let folder = try Self.site()
    let run = Self.build(
      folder, "--layout", "background-assets", "--self-hosted", "--ledger", folder.path("ledger.json"),
      "--url-prefix", "https://example.com/p/", "--severity", "unknown-download-size=\(severity)")
    #expect(run.status == status, "\(run.all)")
    #expect(run.findings("unknown-download-size").map(\.severity) == [severity])
  }

  /// Without the file, the pack cannot be written, whatever the severity is.
  @Test(arguments: ["warning", "note", "ignore"])
  func `no setting lowers missing content`(severity: String) throws {
    let folder = try Self.site(content: Data(PointerKind.lfsPointer(to: Data("a".utf8)).utf8))
    let refused = Self.build(folder, "--pointers", "--severity", "missing-content=\(severity)")
    #expect(refused.status == .usage)
    let run = Self.build(folder, "--pointers")
    #expect(run.status == .inputHasErrors && run.findings("missing-content").map(\.severity) == ["error"])
  }

  /// The limits of the manifest are in the index, even if the build was merged from shards.
  @Test(arguments: [
    (#"{"profile": "app-store", "packSize": 1000}"#, 1), (#"{"packSize": 2000, "packCount": 5}"#, 1),
    (#"{"packSize": 4000}"#, 0), (#"{"packSize": null}"#, 0), (#""app-store""#, 0),
  ])
  func `verify checks the limits of the manifest`(limits: String, count: Int) throws {
    let folder = try Self.site(", \"limits\": \(limits)")
    let built = Self.build(folder)
    #expect(built.status == .done && built.findings("pack-size").count == count, "\(built.all)")
    for (flags, severity) in [([], "warning"), (["--submission"], "error")] {
      let run = ToolRun(["verify", folder.path("out")] + flags)
      #expect(run.status == (count > 0 && !flags.isEmpty ? .inputHasErrors : .done), "\(run.all)")
      #expect(run.findings("pack-size").map(\.severity) == Array(repeating: severity, count: count))
    }
    #expect(Self.build(folder, into: "part", "--shard", "1/1").status == .done)
    #expect(ToolRun(["merge", folder.path("part"), "-o", folder.path("merged")]).status == .done)
    #expect(try folder.read("merged/index.json") == folder.read("out/index.json"))
  }

  @Test func `a raised limit of the store is one for verify, too`() throws {
    let folder = try Self.site(
      ", \"limits\": {\"profile\": \"wwdc15\", \"packSize\": \"600 MB\", \"tagSize\": null, \"inUseSize\": null}"
    )
    // The file is sparse. It is larger than the profile's limit of 512 MB.
    #expect(truncate(folder.path("Assets/a"), 550_000_000) == 0)
    let built = Self.build(folder, "--submission")
    #expect(built.status == .done && built.findings("raised-limit").count == 1, "\(built.all)")
    let verified = ToolRun(["verify", folder.path("out"), "--submission"])
    #expect(verified.status == .done && verified.all.allSatisfy { $0.severity == "note" }, "\(verified.all)")
  }

  /// Otherwise, `verify`, `inspect` and `serve` would use this file as the index of the build.
  @Test(arguments: ["xcode", "hosted"])
  func `no build writes next to an index by somebody else`(layout: String) throws {
    let folder = try Self.site()
    try folder.write("out/index.json", "{\"x\": 1}")
    let flags = layout == "hosted" ? ["--url-prefix", "https://example.com/p/"] : []
    let words = ["build", folder.path, "-o", folder.path("out"), "--layout", layout] + flags
    let run = ToolRun(words)
    #expect(run.status == .inputHasErrors && run.findings("foreign-output").count == 1, "\(run.all)")
    #expect(try folder.files(below: "out").keys.sorted() == ["index.json"])
    try FileManager.default.removeItem(atPath: folder.path("out/index.json"))
    #expect(ToolRun(words).status == .done && ToolRun(words).status == .done)
  }

  /// A simulation writes no files, so these flags do not exist for it.
  @Test(arguments: ["--id-map", "--ledger", "--url-prefix", "--platforms"])
  func `simulate takes no flags about files that builds write`(flag: String) throws {
    let folder = try Self.site()
    try folder.write("s.json", #"{"link": "3G", "steps": [{"install": true}]}"#)
    let words = ["simulate", folder.path("s.json"), folder.path, "--layout", "background-assets"]
    #expect(runTool(words: words + ["--bundle-version", "27"]).status == .done)
    let run = runTool(words: words + [flag, "iOS"])
    #expect(run.status == .usage && run.errors.refuses(naming: flag), "\(run.errors)")
  }
}
