import Foundation
import Support
import Testing

/// Tests scripts, code and configurations that contain hostile names.
///
/// The programs for which they are written must be able to read them.
@Suite struct CodeOutputTests {
  private static let names = [
    "a';touch PWNED;'", "$(touch PWNED)", "`touch PWNED`", "\";touch PWNED;\"", "a b", "--help", "-n", "{x}",
    "#x",
    "%0A::error::x", "é日本", "a\\b", "x;y&z|w", "$HOME", "*", "~",
  ]

  private func json(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
  }

  /// Makes a game whose folder, tag and file all have the same name.
  private func game(_ name: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let tag = try json(name.replacing("/", with: "-"))
    try folder.writeManifest(
      rules: #"{"path": ".", "tags": [\#(tag)]}"#, to: "\(name)/Manifest.json", app: "com.example.x",
      root: "Assets")
    // The name of the file has no backslash, because packtool refuses backslashes in the names of assets.
    try folder.write("\(name)/Assets/\(name.replacing("\\", with: "-"))", "content")
    try folder.writeProgram(
      "bin/ba-package",
      """
      #!/bin/sh
      while [ $# -gt 0 ]; do [ "$1" = -o ] && : > "$2"; shift; done
      """)
    return folder
  }

  private func packtool(_ words: [String], in folder: TemporaryFolder) throws -> ProgramResult {
    try run(packtoolProgram(), words, in: folder.path)
  }

  private func expectNothingRan(in folder: TemporaryFolder, _ name: String) throws {
    let made = try folder.files(below: "").keys.filter { $0.split(separator: "/").last == "PWNED" }
    #expect(made.isEmpty, "\(name): \(made)")
  }

  @Test(arguments: names) func `scripts and code only hold names`(name: String) throws {
    let folder = try game(name)
    let prefix = "https://example.com/';touch$IFS'PWNED;$(touch$IFS'PWNED)/"
    let build = try packtool(
      [
        "build", "-o", "out", "--layout", "background-assets", "--self-hosted", "--ledger", "ledger.json",
        "--url-prefix", prefix, "--depfile", "d", "--", name,
      ], in: folder)
    #expect(build.status == 0, "\(build.errors)")
    let environment = ["PATH": "\(folder.path("bin")):/usr/bin:/bin", "UPLOAD": "printf %s\\n"]
    let made = try run("sh", ["out/package.sh"], in: folder.path, environment: environment)
    #expect(made.errors == "" || made.status == 0, "\(made.errors)")
    let upload = try run("sh", ["out/package.sh", "upload"], in: folder.path, environment: environment)
    #expect(upload.status == 0 && upload.output.hasSuffix("\(prefix)download-manifest.json\n"))
    let code = try packtool(["tags", "--swift", "Tags.swift", "--sizes", "--", name], in: folder)
    #expect(code.status == 0, "\(code.errors)")
    for file in ["Tags.swift", "out/AssetTags.swift"] {
      let parsed = try run("swiftc", ["-parse", file], in: folder.path)
      #expect(parsed.status == 0, "\(parsed.errors)")
    }
    try folder.write("Makefile", "all:\n\t@:\n-include d\n")
    #expect(try run("make", ["-s"], in: folder.path).status == 0)
    try expectNothingRan(in: folder, name)
  }

  @Test(arguments: names) func `configurations hold names or are refused`(name: String) throws {
    let folder = try game(name)
    let build = try packtool(["build", "-o", "\(folder.path)/out \(name)", "-q", "--", name], in: folder)
    #expect(build.status == 0, "\(build.errors)")
    let readers = [
      ("nginx", "http { ", " } events { }", ["nginx", "-t", "-e", "stderr", "-c"]),
      ("caddy", "", "", ["caddy", "adapt", "--adapter", "caddyfile", "--config"]),
    ]
    for (server, front, back, command) in readers where isInstalled(server) {
      let config = try packtool(
        ["serve", "--config", server, "--host", "127.0.0.1", "--port", "18089", "--", "out \(name)"],
        in: folder)
      #expect(config.status == (config.output.isEmpty ? 2 : 0), "\(config.errors)")
      if config.status != 0 { continue }
      try folder.write("config", "\(front)\(config.output)\(back)")
      let read = try run(
        command[0], Array(command.dropFirst()) + [folder.path("config")], in: folder.path,
        environment: ["HOME": folder.path])
      #expect(read.status == 0, "\(read.errors)\(config.output)")
    }
    try expectNothingRan(in: folder, name)
  }

  @Test(arguments: names) func `each workflow command is one line of packtool's`(name: String) throws {
    let folder = try game(name)
    try folder.write("\(name)/Assets/link\nx", "content")
    let run = try packtool(["validate", "--untagged", "--diagnostics", "github", "--", name], in: folder)
    for line in run.errors.split(separator: "\n") where line.contains("::") {
      let parts = line.wholeMatch(
        of: #/::(?:error|warning|notice) file=([^,:]*)(?:,line=\d+,col=\d+)?,title=[a-z0-9-]+::.*/#)
      #expect(parts != nil, "\(line)")
    }
  }
}
