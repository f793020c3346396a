import Foundation
import Support
import Testing
@testable import packtool

/// Files below the root that are something else than assets.
@Suite struct OtherFileTests {
  private static let manifest = """
    {"$schema": "Manifest.schema.json", "bundleIdentifier": "a.b",
     "appBundle": {"path": "App.app"}, "resources": [{"glob": "**", "tags": ["T"]}]}
    """

  private func names(inPackOf folder: TemporaryFolder) throws -> [String] {
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path("out")).first { $0.hasPrefix("contents.") })
    let json = try JSONSerialization.jsonObject(with: folder.read("out/\(name)")) as? [String: Any]
    let files = try #require(json?["files"] as? [[String: Any]])
    return files.compactMap { $0["path"] as? String }
  }

  @Test func `what the manifest is made of and names is never an asset`() throws {
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", Self.manifest)
    try folder.write("Manifest.schema.json", "{}")
    try folder.write("App.app/code", "code")
    try folder.write("a", "a")
    try folder.link("link", to: "Manifest.json")
    let run = runTool("build", folder.path, "-o", folder.path("out"))
    #expect(run.status == .done, "\(run.errors)")
    #expect(try names(inPackOf: folder) == ["a"])
  }

  @Test func `it is no part of the app either`() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "Manifest.json",
      Self.manifest.replacing("\"glob\": \"**\"", with: "\"path\": \"A\"")
        .replacing("\"appBundle\"", with: "\"untagged\": \"error\", \"appBundle\""))
    try folder.write("Manifest.schema.json", "{}")
    try folder.write("App.app/code", "code")
    try folder.write("A/a", "a")
    let report = folder.path("report.html")
    for _ in 0..<2 {
      let run = runTool("validate", folder.path, "--report", report)
      #expect(run.status == .done, "\(run.errors)")
    }
    let plan = runTool("plan", folder.path, "--format", "json", "--report", report).output
    #expect(
      plan.contains(#""untagged":{"fileCount":0,"size":0}"#) || plan.contains("\"fileCount\": 0"), "\(plan)")
  }

  /// A flag that names a file below the root, with a command line that it belongs to.
  static let flags: [(line: [String], flag: String, file: String)] = [
    (["build", ".", "-o", "out"], "--report", "r.html"),
    (["build", ".", "-o", "out"], "--depfile", "d.d"), (["build", ".", "-o", "out"], "--result", "r.json"),
    (["build", ".", "-o", "out"], "--findings", "f.txt"),
    (["build", ".", "-o", "out", "--pointers"], "--missing", "m.txt"),
    (["build", ".", "-o", "out"], "--sign", "packs.key"),
    (["build", ".", "-o", "out", "--sign", "../secret.key"], "--sign-password", "pass.txt"),
    (["build", ".", "-o", "out", "--layout", "background-assets"], "--id-map", "ids.json"),
    (["validate", "."], "--diagnostics", "s.sarif"), (["validate", "."], "--scenario", "s.json"),
    (["validate", "."], "--info-plist", "Info.plist"), (["plan", "."], "--baseline", "old.json"),
    (["tags", "."], "--swift", "T.swift"),
  ]

  @Test(arguments: flags)
  func `a rule that takes what a flag names is an error`(line: [String], flag: String, file: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("secret.key", SigningTests.key)
    try folder.writeManifest([.glob("*.*", "T")], to: "p/Manifest.json")
    try folder.write("p/a.txt", "a")
    let contents = [
      "packs.key": SigningTests.key, "ids.json": "{}", "pass.txt": "word\n",
      "s.json": #"{"link": "3G", "steps": [{"install": true}]}"#,
    ]
    try folder.write("p/\(file)", contents[file] ?? "old")
    let value = flag == "--diagnostics" ? "sarif=\(file)" : file
    let words = line.map {
      $0 == "."
        ? folder.path("p")
        : $0 == "out" ? folder.path("out") : $0 == "../secret.key" ? folder.path("secret.key") : $0
    }
    let named = value.replacing(file, with: folder.path("p/\(file)"))
    let run = runTool(words: words + [flag, named])
    if ["--report", "--findings", "--result", "--diagnostics"].contains(flag) {
      // These are written where the input has errors, too, but never in place of an asset.
      #expect(run.status == .usage && run.errors.contains("p/\(file)"), "\(run.errors)")
      #expect(try folder.read("p/\(file)") == Data((contents[file] ?? "old").utf8))
    } else {
      #expect(run.status == .inputHasErrors, "\(run.errors)")
      #expect(
        run.errors.reports("run-file-in-pack") && run.errors.contains("\"\(flag)\"")
          && run.errors.reports("run-file-in-pack", naming: "*.*") && run.errors.contains("p/\(file): error"),
        "\(run.errors)")
    }
    // Left out, it is none.
    try folder.writeManifest([.glob("*.*", "T")], to: "p/Manifest.json", members: #""exclude": ["\#(file)"]"#)
    let other = runTool(words: words + [flag, named])
    #expect(!other.errors.reports("run-file-in-pack"), "\(other.errors)")
  }

  @Test func `a trace and a link to a key are no assets`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.glob("*.*", "T")])
    try folder.write("a.txt", "a")
    for name in ["one", "two"] { try folder.write("\(name).log", "0.1 start a.txt\n") }
    let traces = runTool("suggest", folder.path("one.log"), folder.path("two.log"), folder.path)
    #expect(
      traces.errors.reports("run-file-in-pack") && traces.errors.contains("\"TRACE\""), "\(traces.errors)")
    try folder.write("key", SigningTests.key)
    try folder.link("b.txt", to: "key")
    let build = runTool("build", folder.path, "-o", folder.path("out"), "--sign", folder.path("key"))
    #expect(build.errors.reports("run-file-in-pack", at: "b.txt", naming: "*.*", "b.txt"), "\(build.errors)")
  }

  @Test func `a release below the root is no asset`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path(".", "T")])
    try folder.write("a", "a")
    #expect(runTool("build", folder.path, "-o", folder.path("old"), "-q").status == .done)
    let words = ["validate", folder.path, "--baseline", folder.path("old")]
    // What a build wrote is known by its record, and never packed.
    #expect(!runTool(words: words).errors.reports("run-file-in-pack"))
    try FileManager.default.removeItem(atPath: folder.path("old/.packtool"))
    let run = runTool(words: words)
    #expect(run.status == .inputHasErrors && run.errors.reports("run-file-in-pack"), "\(run.errors)")
  }

  /// Commands that write to the asset `A/x`.
  static let outputsAtAssets = [
    ["plan", "--report"], ["validate", "--findings"], ["validate", "--report"], ["report", "-o"],
    ["build", "-o", "out", "--result"], ["build", "-o", "out", "--report"],
    ["build", "-o", "out", "--depfile"], ["tags", "--swift"],
  ]

  @Test(arguments: outputsAtAssets) func `an output does not replace an asset`(words: [String]) throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path(".", "T")], root: "A")
    try folder.write("A/x", "asset")
    var words = words
    words.insert(folder.path, at: 1)
    words = words.map { $0 == "out" ? folder.path("out") : $0 } + [folder.path("A/x")]
    let run = runTool(words: words)
    #expect(run.status != .done && run.errors.contains("A/x"), "\(run.errors)")
    #expect(try folder.read("A/x") == Data("asset".utf8))
  }

  /// Certificates that are longer than what is read of each file.
  private static let certificates = String(
    repeating: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", count: 1000)

  /// Files with secret keys, and files that only look like ones.
  static let keys: [(text: String, isSecret: Bool)] = [
    (SigningTests.key, true),
    ("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n", true),
    ("-----BEGIN RSA PRIVATE KEY-----\r\nProc-Type: 4,ENCRYPTED\r\n", true),
    ("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIA==\n", true),
    ("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIH=\n", true),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA\n", true),
    (
      "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nMC4C\n",
      true
    ),
    ("\u{feff}-----BEGIN PRIVATE KEY-----\nMC4C\n", true),
    ("Bag Attributes\n    localKeyID: 01\n-----BEGIN PRIVATE KEY-----\nMC4C\n", true),
    ("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", false),
    ("-----BEGIN PUBLIC KEY-----\nMCow\n-----END PUBLIC KEY-----\n", false),
    ("untrusted comment: minisign public key\n\(SigningTests.publicKey)\n", false),
    ("# deploy key\n-----BEGIN PRIVATE KEY-----\nMC4C\n", true),
    (#"{"private_key": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n"}"#, true),
    (certificates + "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIA==\n", true), (certificates, false),
    ("------BEGIN PRIVATE KEY-----\nMC4C\n", false),
    ("untrusted comment: nothing\n", false), ("Beware of the -----BEGIN PRIVATE KEY-----\n", false),
  ]

  @Test(arguments: keys) func `a secret key is known by its contents`(text: String, isSecret: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path(".", "T")], root: "A", members: #""severity": {}"#)
    try folder.write("A/level.txt", text)
    for line in [
      ["validate", folder.path], ["plan", folder.path], ["build", folder.path, "-o", folder.path("out")],
      ["report", folder.path, "-o", folder.path("r.html")],
    ] {
      let run = runTool(words: line)
      #expect(run.errors.reports("secret-key", at: "A/level.txt") == isSecret, "\(run.errors)")
      #expect(run.errors.reports("secret-key") == isSecret, "\(run.errors)")
      #expect((run.status == .inputHasErrors) == isSecret, "\(run.errors)")
    }
  }

  @Test(arguments: ["secret-key", "run-file-in-pack", "link-escapes-checkout", "doubtful-release-number"])
  func `no setting lowers it`(id: String) throws {
    #expect(runTool("validate", "--severity", "\(id)=warning").status == .usage)
  }
}
