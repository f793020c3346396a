@testable import packtool
import Foundation
import Support
import Testing

/// Tests words before the command, commands that do not exist, and command lines without a manifest.
@Suite struct CommandLineTests {
  private static let manifest = #"{"bundleIdentifier": "a", "resources": [{"path": "a", "tags": ["T"]}]}"#

  /// Makes a project with folders below it.
  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", Self.manifest)
    try folder.write("a", "x")
    try folder.write("code/deep/x", "")
    return folder
  }

  private func packtool(_ words: String..., in folder: String) throws -> ProgramResult {
    try run(try packtoolProgram(), words, in: folder)
  }

  @Test func `every command has a page`() {
    #expect(
      CommandDescription.pages.keys.sorted() == CommandGroup.all.commands.map(\.name).sorted())
    #expect(CommandGroup.all.commands.allSatisfy { !$0.description.examples.isEmpty })
    #expect(
      CommandGroup.all.commands.allSatisfy {
        !$0.description.discussion.contains { $0.contains("`") }
      })
  }

  @Test(arguments: [
    ("check", "validate"), ("lint", "validate"), ("pack", "build"), ("extract", "unpack"),
    ("compare", "diff"),
    ("biuld", "build"), ("BUILD", "build"), ("ubild", "build"), ("pln", "plan"), ("val", "validate"),
    ("verison", "--version"), ("--hepl", "--help"), ("inspct", "inspect"),
  ])
  func `a command is guessed`(word: String, command: String) {
    let run = runTool(word)
    #expect(run.status == .usage)
    #expect(run.errors.findings.first?.facts == "packtool: error \"\(word)\" \"\(command)\"")
  }

  @Test(arguments: ["chart", "export", "x"]) func `an unrelated command is no guess`(
    word: String
  ) {
    #expect(runTool(word).errors.findings.first?.facts == "packtool: error \"\(word)\"")
    #expect(runTool("help", word).errors.findings.first?.facts == "packtool: error \"\(word)\"")
  }

  @Test func `a misspelt output builds nothing`() throws {
    let folder = try project()
    let result = try packtool("build", "-out", "packs", in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors.findings.first?.facts == #"packtool: error "-out" "--output""#)
    #expect(result.errors.split(separator: "\n").dropFirst().first?.hasPrefix("usage:") == true)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "Manifest.json", "a", "code",
      ])
  }

  @Test(arguments: [
    (["-o", "a", "-o", "b"], "--output"), (["-o", "a", "-v", "--verbose"], "--verbose"),
    (
      ["-o", "a", "--set", "budgets.updateSize=1 MB", "--set=budgets.updateSize=2 MB"],
      "--set budgets.updateSize"
    ),
  ])
  func `a flag is given once`(flags: [String], name: String) throws {
    let run = runTool(words: ["build", try project().path] + flags)
    #expect(run.status == .usage)
    #expect(run.errors.refuses(naming: name))
  }

  @Test func `all missing things are reported together`() throws {
    let folder = try TemporaryFolder()
    let result = try packtool("build", in: folder.path)
    #expect(result.status == 2)
    #expect(
      result.errors.findings.prefix(2).map(\.facts) == [
        #"packtool: error "--output""#,
        #"packtool: error "Manifest.json" "packtool init FOLDER""#,
      ])
    try folder.write("Below/Assets/x", "x")
    try folder.write("Tools/App.xcodeproj/project.pbxproj", "")
    #expect(try packtool("plan", in: folder.path).errors.refuses(naming: "Tools/App.xcodeproj"))
    try folder.write("Below/Manifest.json", "{}")
    #expect(try packtool("plan", in: folder.path).errors.refuses(naming: "Below/Manifest.json"))
    try folder.write("Game.xcodeproj/project.pbxproj", "")
    let again = try packtool("build", in: folder.path)
    #expect(again.errors.refuses(naming: "Game.xcodeproj"))
  }

  @Test(arguments: ["manifest.json", "Manifst.json", "Manifest.jso"]) func `a near name is guessed`(
    name: String
  )
    throws
  {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.jso" == name ? "Manifest.json" : name, Self.manifest)
    let argument = "Manifest.jso" == name ? ["validate", name] : ["validate"]
    let result = try run(try packtoolProgram(), argument, in: folder.path)
    let there = "Manifest.jso" == name ? "Manifest.json" : name
    #expect(result.errors.reports("missing-manifest", naming: there))
  }

  @Test func `the manifest is looked for upward`() throws {
    let folder = try project()
    let deep = folder.path("code/deep")
    #expect(try packtool("validate", "--format", "json", in: deep).output.contains("\"../../Manifest.json\""))
    #expect(try packtool("plan", in: deep).output.hasPrefix("a: 1 pack, 1 file"))
    #expect(try packtool("explain", "T", in: deep).status == 0)
    // If the manifest is an argument, packtool does not search for it: paths stay relative to the current
    // folder.
    #expect(try packtool("validate", ".", in: deep).errors.hasPrefix("Manifest.json: error: "))
    #expect(try packtool("build", "-o", "packs", in: deep).status == 0)
    #expect(FileManager.default.fileExists(atPath: "\(deep)/packs/index.json"))
    // The nearest manifest is used.
    try folder.write("code/Manifest.json", "{")
    #expect(try packtool("validate", in: deep).errors.hasPrefix("../Manifest.json:1:"))
  }

  @Test func `the folder is changed first`() throws {
    let folder = try project()
    let result = try packtool("-C", "code", "-Cdeep", "build", "../..", "-o", "out", in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: folder.path("code/deep/out/index.json")))
    let missing = try packtool("-C", "nowhere", "plan", in: folder.path)
    #expect(missing.status == 2)
    #expect(
      missing.errors.findings.map(\.facts) == [#"packtool: error "-C" "nowhere""#])
    #expect(
      try packtool("-C", in: folder.path).errors.findings.map(\.facts) == [#"packtool: error "-C""#])
  }

  @Test func `several manifests are validated together`() throws {
    let folder = try project()
    // If the size of the app is unknown, a note lists the limits that were not checked.
    let manifest = String(Self.manifest.dropLast()) + #", "appBundle": {"size": 1000000}}"#
    try folder.write("Manifest.json", manifest)
    try folder.write("b/Manifest.json", manifest.replacing("\"a\",", with: "\"b\","))
    try folder.write("c/Manifest.json", manifest)
    try folder.write("c/a", "x")
    let result = try packtool("validate", ".", "b", "c/Manifest.json", in: folder.path)
    #expect(result.status == 1)
    #expect(result.errors.hasPrefix("b/Manifest.json:1:"))
    #expect(result.errors.hasSuffix("packtool: 1 error, 0 warnings, 0 notes\n"), "\(result.errors)")
    let json = try packtool("validate", ".", "b", "--format", "json", "-q", in: folder.path)
    #expect(
      json.output.contains("\"path\": \"Manifest.json\"")
        && json.output.contains("\"path\": \"b/Manifest.json\""))
  }

  @Test(arguments: [["--version", "--verbose"], ["-V", "-v"], ["--verbose", "--version"]])
  func `the version names libraries and commit`(words: [String]) throws {
    let run = runTool(words: words)
    #expect(run.status == .done && run.errors == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "packtool \(Tool.version)")
    #expect(
      lines.dropFirst().map { String($0.prefix { $0 != ":" }) } == [
        "commit", "libarchive", "zlib", "zstd", "libdeflate",
      ])
    #expect(lines.dropFirst(2).areAll { $0.wholeMatch(of: /[a-z]+: \d+\.\d+.*/) != nil })
    #expect(lines[1].wholeMatch(of: /commit: ([0-9a-f]{40}|unknown)/) != nil)
  }

  @Test func `the folder above is guessed`() throws {
    let folder = try project()
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let run = runTool("verify", folder.path("out/packs"))
    #expect(run.errors.refuses(naming: "index.json", folder.path("out")))
  }

  @Test(arguments: [
    ("unknown-tag=errr", " \"unknown-tag=error\""),
    ("empty-file=warn", " \"empty-file=warning\""),
    ("empty-file=off", " \"empty-file=ignore\""), ("empty-file", ""),
    ("empty-file=none", " \"empty-file=ignore\""), ("empty-file=info", " \"empty-file=note\""),
    ("empty-file=disable", " \"empty-file=ignore\""),
  ])
  func `a level is guessed`(value: String, guess: String) {
    #expect(
      runTool("validate", "--severity", value).errors.findings.first?.facts
        == "packtool: error \"--severity\" \"\(value)\"\(guess)")
  }

  /// If there are no findings, the error about a mistake in the command line is the only line.
  @Test func `a mistake comes without a summary`() throws {
    let folder = try project()
    try folder.write("b", "x")
    try folder.writeManifest([.path("a", "Castle")])
    let result = try packtool("explain", "Castel", in: folder.path)
    #expect(result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(result.errors.findings.first?.facts == #"packtool: error "Castel" "Castle""#)
  }
}

/// Tests paths in reports for CI services.
///
/// The paths are relative to the service's folder.
@Suite struct WorkspacePathTests {
  private func site() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("no", "T")], to: "game 1/Manifest.json")
    try folder.write("game 1/deep/x", "")
    return folder
  }

  private func report(_ form: String, in folder: String, workspace: String?) throws -> String {
    try run(
      try packtoolProgram(), ["validate", "--diagnostics", form], in: folder,
      environment: workspace.map { ["GITHUB_WORKSPACE": $0] } ?? [:]
    ).errors
  }

  @Test(arguments: ["game 1", "game 1/deep"]) func `git hub finds files of a subfolder`(name: String) throws {
    let site = try site()
    let report = try report("github", in: site.path(name), workspace: site.path)
    #expect(report.hasPrefix("::error file=game 1/Manifest.json,line=4,"), "\(report)")
  }

  /// The workspace must contain the files.
  ///
  /// A workspace in another place is ignored. A folder whose name only begins with the same characters does
  /// not count.
  @Test(arguments: ["nowhere", "game 1/deep", "game"]) func `outside of the workspace paths stay`(
    name: String
  )
    throws
  {
    let site = try site()
    try site.write("game/x", "")
    let report = try report("github", in: site.path("game 1"), workspace: site.path(name))
    #expect(report.hasPrefix("::error file=Manifest.json,line=4,"), "\(report)")
  }

  /// Returns the base and the path of the only result in a SARIF report.
  private func place(_ report: String) throws -> (base: String, artifact: [String: String]) {
    let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    let part = try #require((object?["runs"] as? [[String: Any]])?.first)
    let bases = part["originalUriBaseIds"] as? [String: [String: String]]
    let results = try #require(part["results"] as? [[String: Any]])
    let location = (results[0]["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
    let artifact = try #require(location?["artifactLocation"] as? [String: String])
    return (try #require(bases?["%SRCROOT%"]?["uri"]), artifact)
  }

  @Test func `SARIF has a base`() throws {
    let site = try site()
    let root = "file://\(site.path)/"
    let plain = try place(try report("sarif", in: site.path("game 1"), workspace: nil))
    #expect(plain.base == root + "game%201/")
    #expect(plain.artifact == ["uri": "Manifest.json", "uriBaseId": "%SRCROOT%"])
    let ours = try place(try report("sarif", in: site.path("game 1/deep"), workspace: site.path))
    #expect(ours.base == root)
    #expect(ours.artifact == ["uri": "game%201/Manifest.json", "uriBaseId": "%SRCROOT%"])
    // If the file is not below the current folder, there is no base.
    let above = try place(try report("sarif", in: site.path("game 1/deep"), workspace: nil))
    #expect(above.artifact == ["uri": root + "game%201/Manifest.json"])
  }
}
