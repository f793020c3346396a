import Foundation
import Support
import Testing
@testable import packtool

/// Tests files that are below the root but are not assets.
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
      let run = runTool("report", folder.path, "-o", report)
      #expect(run.status == .done, "\(run.errors)")
    }
  }

  /// The commands that scan assets, and the commands that do not.
  ///
  /// A new command must be added to one of the lists.
  private static let scanning: Set = [
    "build", "diff", "explain", "plan", "report", "simulate", "suggest", "tags", "validate",
  ]
  private static let others: Set = ["fmt", "import", "init", "inspect", "merge", "serve", "unpack", "verify"]

  /// A flag or an argument of a command that scans assets.
  ///
  /// The value of the flag or argument is a file or a release.
  struct Naming: CustomTestStringConvertible, Sendable {
    let command: String
    let name: String
    /// Whether the file is an output.
    ///
    /// The command refuses to replace the file. It does this before or after the scan.
    let isOutput: Bool
    /// The command line.
    ///
    /// The file is `repo/A/named`.
    let line: [String]
    var testDescription: String { "\(command) \(name)" }
  }

  /// Returns one element for each flag and argument whose value is a file or a release.
  ///
  /// The flags and arguments come from the descriptions of all commands.
  private static func namings() throws -> [Naming] {
    var namings: [Naming] = []
    for command in CommandGroup.all.commands where scanning.contains(command.name) {
      let base = try #require(CommandLines.arguments[command.name])
      // A replay does not read a manifest.
      for flag in command.description.flags where flag.name != "--replay" {
        let value: String
        switch flag.kind {
        case .file, .path: value = "repo/A/named"
        case .form(let forms): value = "\(forms[0])=repo/A/named"
        case .text, .folder, .choice, .number, .named, .setting: continue
        }
        let isOutput: Bool
        switch flag.kind {
        case .file(.output, _), .file(.manifest, _), .form: isOutput = true
        default: isOutput = false
        }
        let line = try CommandLines.line(of: command, flag, naming: value)
        namings.append(Naming(command: command.name, name: flag.name, isOutput: isOutput, line: line))
      }
      for (place, argument) in command.description.arguments.enumerated() {
        guard case .file(.input, _) = argument.kind else { continue }
        var words = base
        words[place] = "repo/A/named"
        namings.append(
          Naming(
            command: command.name, name: argument.valueName, isOutput: false, line: [command.name] + words))
      }
    }
    return namings
  }

  /// Writes `repo/A/named`: a file or release of the kind that a flag or argument expects.
  private func writeNamed(for name: String, in folder: TemporaryFolder) throws {
    let named = folder.path("repo/A/named")
    try? FileManager.default.removeItem(atPath: named)
    func copy(_ source: String) throws {
      try FileManager.default.copyItem(atPath: folder.path("repo/\(source)"), toPath: named)
    }
    switch name {
    case "--sign": try copy("secret.key")
    case "--set sign.password": try folder.write("repo/A/named", "word\n")
    case "--id-map": try folder.write("repo/A/named", "{}")
    case "--ledger", "--set layout.ledger": try copy("ledger.json")
    case "--scenario", "SCENARIO": try copy("s.json")
    case "TRACE": try copy("one.log")
    case "--baseline", "--onto", "--patch-from", "--history", "--built":
      // Leave out the build cache, because a scan would recognize the folder of a build by this file.
      try copy("built")
      try FileManager.default.removeItem(atPath: named + "/.packtool")
    default: try folder.write("repo/A/named", "old")
    }
  }

  @Test func `a rule that takes what a flag or an argument names is an error`() throws {
    let known = Self.scanning.union(Self.others)
    let naming = CommandGroup.all.commands.filter { command in
      (command.description.flags.map(\.kind) + command.description.arguments.map(\.kind)).contains {
        switch $0 {
        case .file, .path, .folder: true
        case .form, .text, .choice, .number, .named, .setting: false
        }
      }
    }
    #expect(naming.allSatisfy { known.contains($0.name) || CommandLines.arguments[$0.name] == nil })
    let folder = try CommandLines.checkout()
    let namings = try Self.namings()
    let names = Set(namings.map(\.name))
    #expect(
      names.isSuperset(of: [
        "--depfile", "--result", "--missing", "--sign", "--set sign.password", "--id-map",
        "--set layout.ledger", "--diagnostics", "--scenario", "--info-plist", "--baseline", "--swift",
        "--patch-from", "--onto", "--history", "TRACE",
      ]), "\(names)")
    for naming in namings {
      try writeNamed(for: naming.name, in: folder)
      let before = try folder.files(below: "repo/A")
      let words = CommandLines.words(naming.line, in: folder)
      for excludes in [false, true] {
        try folder.writeManifest(
          [.glob("**", "T")], to: "repo/Manifest.json", root: "A",
          members: excludes ? #""exclude": ["named"]"# : "")
        let run = runTool(words: words)
        let isFound = run.errors.reports("run-file-in-pack")
        if excludes {
          #expect(!isFound, "\(naming): \(run.errors)")
        } else if naming.isOutput {
          // Some outputs are written even if the input has errors. But an output must never replace an asset.
          #expect(
            run.status == .usage || run.status == .inputHasErrors && isFound, "\(naming): \(run.errors)")
          #expect(run.errors.contains("repo/A/named"), "\(naming): \(run.errors)")
        } else {
          #expect(run.status == .inputHasErrors, "\(naming): \(run.errors)")
          let found = run.errors.findings.first { $0.check == "run-file-in-pack" }
          #expect(found?.place.contains("repo/A/named") == true, "\(naming): \(run.errors)")
          #expect(found?.names("**", naming.name) == true, "\(naming): \(run.errors)")
        }
        if !excludes { #expect(try folder.files(below: "repo/A") == before, "\(naming)") }
      }
      try? FileManager.default.removeItem(atPath: folder.path("repo/A/named"))
    }
  }

  /// The files that describe a project are not assets: the project itself, each settings file, and the files
  /// that a settings file includes.
  @Test func `the files of settings of a project are never assets`() throws {
    let folder = try TemporaryFolder()
    var project = TestProject()
    project.objects["CONF"] = "isa = PBXFileReference; path = Data/App.xcconfig; sourceTree = \"<group>\";"
    project.objects["DATA"] =
      "isa = PBXFileReference; lastKnownFileType = folder; path = Data; sourceTree = \"<group>\";"
    project.addChild("CONF")
    project.addChild("DATA")
    project.addBuildFile(of: "DATA", tags: "T")
    project.objects["REL"]? += " baseConfigurationReference = CONF;"
    try folder.write("App.xcodeproj/project.pbxproj", project.text)
    try folder.write("Data/App.xcconfig", "#include \"Base.xcconfig\"\n#include? \"more/Extra.xcconfig\"\n")
    try folder.write("Data/Base.xcconfig", "A = b\n")
    try folder.write("Data/more/Extra.xcconfig", "C = d\n")
    try folder.write("Data/a.dat", "a")
    let run = runTool("build", folder.path("App.xcodeproj"), "-o", folder.path("out"))
    #expect(run.status == .done, "\(run.errors)")
    #expect(try names(inPackOf: folder) == ["Data/a.dat"])
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
    // packtool recognizes a build by its build cache, and never packs files of a build.
    #expect(!runTool(words: words).errors.reports("run-file-in-pack"))
    try FileManager.default.removeItem(atPath: folder.path("old/.packtool"))
    let run = runTool(words: words)
    #expect(run.status == .inputHasErrors && run.errors.reports("run-file-in-pack"), "\(run.errors)")
  }

  /// Commands that write to the path of the asset `A/x`.
  static let outputsAtAssets = [
    ["validate", "--findings"], ["report", "-o"], ["build", "-o", "out", "--result"],
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

  /// Certificates that are longer than the part of a file that is usually read.
  private static let certificates = String(
    repeating: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", count: 1000)

  /// Files with secret keys, and files that only look like files with secret keys.
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
