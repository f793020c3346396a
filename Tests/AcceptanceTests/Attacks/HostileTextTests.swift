import Foundation
import FoundationXML
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Checks everything that packtool prints for names, tags and lines that contain control sequences for
/// terminals or commands for CI systems.
@Suite struct HostileTextTests {
  private static let names = [
    "\u{1b}]0;t\u{7}\u{1b}[31mred\u{9b}31m\u{7f}\u{202e}gpj\u{2066}x\u{2069}\u{200e}\u{200f}\u{61c}\u{feff}\u{2028}\u{2029}\u{85}",
    "x\n::error file=a::forged\r::stop-commands::x", "::error file=app.swift,line=7::forged",
    "\u{3000} \u{a0}::error::forged",
    "a ##[error]forged ###[section]x ##vso[task.setvariable variable=a]b ##teamcity[buildStop]",
    "é ü 日本 \"quoted\" back\\slash",
  ]

  /// Returns lines that a CI system would interpret as commands, and characters that a terminal would
  /// interpret.
  static func dangers(in text: String, isGitHub: Bool = false) -> [String] {
    var found: [String] = []
    for line in text.split(whereSeparator: { $0.isNewline }).map(String.init) where isOdd(line) {
      let plain = line.replacing(#/\u{1b}\[[0-9;]*[mK]/#, with: "")
      let begins = plain.drop { $0.isWhitespace }.hasPrefix("::")
      let isCommand =
        isGitHub && plain.firstMatch(of: #/^::(error|warning|notice)( file=|::[0-9,]+ more )/#) != nil
      if begins && !isCommand { found.append(line) }
      if line.firstMatch(of: #/##[a-zA-Z]*\[/#) != nil { found.append(line) }
      let isHidden = plain.unicodeScalars.contains { scalar in
        scalar.value < 0x20 && scalar != "\t" || (0x7f...0x9f).contains(scalar.value)
          || ["\u{2028}", "\u{2029}", "\u{feff}", "\u{61c}"].contains(scalar)
          || (0x200e...0x200f).contains(scalar.value) || (0x202a...0x202e).contains(scalar.value)
          || (0x2066...0x2069).contains(scalar.value)
      }
      if isHidden { found.append(line) }
    }
    return found
  }

  /// Whether a line needs a thorough check, which takes long.
  private static func isOdd(_ line: String) -> Bool {
    var last: UInt8 = 0
    return line.utf8.contains { byte in
      defer { last = byte }
      return byte < 0x20 || byte >= 0x7f || byte == last && (byte == 0x3a || byte == 0x23)
    }
  }

  private func check(_ run: ToolResult, _ words: [String])
    throws
  {
    let isGitHub = words.contains("github")
    #expect(Self.dangers(in: run.output) == [], "\(words)")
    #expect(Self.dangers(in: run.errors, isGitHub: isGitHub) == [], "\(words)")
    // The message about a mistake on the command line comes after the findings.
    let findings = run.errors.components(separatedBy: "\npacktool: error: ")[0]
    for text in [run.output, findings] where text.hasPrefix("{") {
      #expect(throws: Never.self, "\(words)") { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    }
    if run.errors.hasPrefix("<?xml") { #expect(XMLParser(data: Data(run.errors.utf8)).parse(), "\(words)") }
  }

  private static let findings = ["text", "json", "github", "sarif", "junit"]

  private func manifest(_ name: String, path: String) throws -> Data {
    try JSONSerialization.data(withJSONObject: [
      "bundleIdentifier": "com.example.x", "root": "Assets", "prefetchTagOrder": [name, "no " + name],
      "resources": [["path": path, "tags": ["a", name]], ["glob": "none/" + name, "tags": [name]]],
    ])
  }

  private func project(_ name: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Assets/a/\(name)", "content")
    try folder.write("Assets/u/\(name)", "untagged")
    try folder.write("Manifest.json", manifest(name, path: "a"))
    // Lines of a manifest are quoted without changes.
    try folder.write("lines/Manifest.json", "{\n\"bundleIdentifier\": 1,\n\(name)\n}")
    try folder.write("link/Manifest.json", manifest(name, path: name))
    try folder.link("link/Assets/a", to: "nowhere/\(name)")
    return folder
  }

  private func run(_ folder: TemporaryFolder, _ words: [String]) throws {
    for form in Self.findings {
      let all = words + ["--diagnostics", form, "--color", form == "text" ? "always" : "never", "-j", "2"]
      try check(runTool(words: all), all)
    }
  }

  @Test(arguments: names) func `manifests and files`(name: String) throws {
    let folder = try project(name)
    for path in [folder.path, folder.path("lines"), folder.path("link"), folder.path("no \(name)")] {
      try run(folder, ["validate", path, "-v"])
      try run(folder, ["plan", path])
    }
    try run(folder, ["build", folder.path, "-o", folder.path("out"), "--explain", "-v"])
    try run(folder, ["plan", folder.path, "--format", "json"])
    for subject in ["a/\(name)", "u/\(name)", "no \(name)"] {
      try run(folder, ["explain", subject, folder.path])
      try run(folder, ["explain", subject, folder.path, "--format", "json"])
    }
    try run(folder, [name])
    try run(folder, ["build", "--\(name)"])
    try run(folder, ["inspect", folder.path("no \(name)")])
  }

  /// Uses a name that no manifest accepts in an index and in packs that another program made.
  @Test(arguments: names) func `built folders and packs`(name: String) throws {
    let folder = try project("NAME")
    #expect(runTool("build", folder.path, "-o", folder.path("out"), "-q").status != .machineFailed)
    try folder.writeManifest(
      [.path("a", "NAME")], to: "good/Manifest.json", app: "com.example.x", root: "../Assets")
    #expect(runTool("build", folder.path("good"), "-o", folder.path("out"), "-q").status == .done)
    #expect(runTool("build", folder.path("good"), "-o", folder.path("old"), "-q").status == .done)
    let json = try JSONEncoder().encode(name).dropFirst().dropLast()
    for file in try folder.files(below: "out").keys where file.hasSuffix(".json") {
      let text = String(decoding: try folder.read("out/\(file)"), as: UTF8.self)
      let changed = text.replacingOccurrences(of: "NAME", with: String(decoding: json, as: UTF8.self))
      try folder.write("out/\(file)", changed)
    }
    for pair in [("old", "out"), ("out", "old")] {
      for form in ["text", "json", "markdown"] {
        try run(folder, ["diff", folder.path(pair.0), folder.path(pair.1), "--format", form, "-v"])
      }
    }
    for format in ["text", "json"] {
      try run(folder, ["inspect", folder.path("out"), "--format", format])
    }
    try run(folder, ["verify", folder.path("out")])
    try run(folder, ["unpack", folder.path("out"), "-o", folder.path("new"), "--all"])
    try run(folder, ["unpack", folder.path("out"), "-o", folder.path("new"), "--tag", name])
    try folder.write("out/packs/\(name)", "")
    try run(folder, ["verify", folder.path("out")])
  }

  @Test(.enabled(if: isInstalled("python3")), arguments: names) func `packs of others`(name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("pk/\(name)", "x")
    try folder.write("name", name)
    let info = try PropertyListSerialization.data(
      fromPropertyList: ["CFBundleIdentifier": name, "Tags": [name], "Priority": 0.5], format: .xml,
      options: 0)
    try folder.write("pk/Info.plist", info)
    try folder.write(
      "OnDemandResources.plist",
      PropertyListSerialization.data(
        fromPropertyList: ["NSBundleResourceRequestTags": [name: ["NSAssetPacks": [name]]]], format: .xml,
        options: 0))
    let script = """
      import tarfile, zipfile
      name = open("name", newline="").read()
      with zipfile.ZipFile("pack.zip", "w") as z: z.writestr(name, "x")
      with tarfile.open("pack.tar.gz", "w:gz") as t: t.add("name", name)
      """
    let made = try Support.run("python3", ["-c", script], in: folder.path)
    #expect(made.status == 0, "\(made.errors)")
    for path in ["pk", "pack.zip", "pack.tar.gz", "OnDemandResources.plist"] {
      for format in ["text", "json"] { try run(folder, ["inspect", folder.path(path), "--format", format]) }
    }
  }

  @Test func `ordinary text stays as it is`() {
    for text in [
      "a: b::c\n", "### App [1]\n", "# a [b]\n", "é 日本 👩‍👩‍👧\n", "std::vector ## x\n", "\u{1b}[1mbold\u{1b}[0m\n",
    ] {
      #expect(LogForm.plain.safe(text) == text)
      #expect(LogForm.json.safe(text.filter { $0 != "\u{1b}" }) == text.filter { $0 != "\u{1b}" })
    }
    #expect(LogForm.plain.safe("a\n \u{1b}[1m\t::error::x\n") == "a\n \u{1b}[1m\t\\u{3a}:error::x\n")
    #expect(LogForm.plain.safe("a ###[x]") == "a #\\u{23}#[x]")
    #expect(LogForm.json.safe("{\"a\": \"##[x]\u{202e}\"}") == "{\"a\": \"\\u0023#[x]\\u202e\"}")
    #expect(LogForm.xml.safe("<a>##vso[x]</a>") == "<a>&#x23;#vso[x]</a>")
  }
}
