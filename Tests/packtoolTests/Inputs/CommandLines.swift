@testable import packtool
import Support
import Testing

/// A command line for each command that reads or writes files.
///
/// Tests use them to try all flags.
enum CommandLines {
  /// Makes a checkout with every file that is in these command lines.
  static func checkout() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("repo/.git/HEAD", "ref: refs/heads/main\n")
    try folder.write("repo/A/a", "a")
    try folder.writeManifest([.path("a", "T")], to: "repo/Manifest.json", root: "A")
    try folder.write("repo/s.json", #"{"link": "3G", "steps": [{"install": true}]}"#)
    for name in ["one", "two"] { try folder.write("repo/\(name).log", "0.1 start A/a\n0.2 start A/a\n") }
    try folder.write("repo/secret.key", SigningTests.key)
    try folder.write("repo/p/App.xcodeproj/project.pbxproj", "// !$*UTF8*$!\n{}\n")
    let selfHosted = [
      "--layout", "background-assets", "--self-hosted", "--ledger", folder.path("repo/ledger.json"),
      "--url-prefix", "https://example.com/packs/",
    ]
    for (output, flags) in [("built", []), ("shard", ["--shard", "1/1"]), ("assets", selfHosted)] {
      let words = ["build", folder.path("repo"), "-o", folder.path("repo/\(output)"), "-q"] + flags
      let run = runTool(words: words)
      #expect(run.status == .done, "\(run.errors)")
    }
    return folder
  }

  /// The arguments of each command.
  ///
  /// Flags whose value is a file are left out if the command works without them.
  static let arguments: [String: [String]] = [
    "build": ["repo", "-o", "repo/out"], "validate": ["repo"], "plan": ["repo"],
    "tags": ["repo", "--swift", "repo/T.swift"], "report": ["repo", "-o", "repo/r.html"],
    "explain": ["a", "repo"], "diff": ["repo", "repo"], "simulate": ["repo/s.json", "repo"],
    "suggest": ["repo/one.log", "repo/two.log", "repo"], "verify": ["repo/built"],
    "import": ["repo/p/App.xcodeproj"], "fmt": ["repo/Manifest.json"], "inspect": ["repo/built"],
    "merge": ["repo/shard", "-o", "repo/out"], "serve": ["repo/built"], "init": ["repo/A"],
    "unpack": ["repo/built", "-o", "repo/u", "--all"],
  ]

  /// The additional words that some flags require.
  private static let companions: [String: [String]] = [
    "--id-map": ["--layout", "background-assets"],
    "--set layout.ledger": [
      "--layout", "background-assets", "--self-hosted", "--url-prefix", "https://example.com/packs/",
    ],
    "build --set sign.password": ["--sign", "repo/secret.key"],
    "merge --set sign.password": ["--sign", "repo/secret.key"], "build --missing": ["--pointers"],
    "serve --cert": ["--key", "repo/link"], "serve --key": ["--cert", "repo/link"],
    "suggest --history": ["--history", "repo/built"], "verify --ledger": [],
  ]

  /// Returns the command line of a command with a flag whose value is a file.
  static func line(of command: Command, _ flag: FlagDescription, naming path: String) throws -> [String] {
    // With `--replay`, no other argument is accepted.
    if flag.name == "--replay" { return [command.name, flag.name, path, "--link", "3G"] }
    var words = arguments[command.name] ?? []
    // Only packs for Background Assets have versions.
    if command.name == "verify", flag.name == "--ledger" { words = ["repo/assets"] }
    // The new value replaces the usual value.
    for name in flag.names {
      if let place = words.firstIndex(of: name) { words.removeSubrange(place...place + 1) }
    }
    let given = flag.setting.map { ["--set", "\($0.key)=\(path)"] } ?? [flag.name, path]
    return [command.name] + words + given
      + (companions["\(command.name) \(flag.name)"] ?? companions[flag.name] ?? [])
  }

  /// Returns the words of a line.
  ///
  /// The paths in it are changed to paths below the folder.
  static func words(_ line: [String], in folder: TemporaryFolder) -> [String] {
    line.map { word in
      let (form, path) = (word.prefix { $0 != "=" }, word.drop { $0 != "=" }.dropFirst())
      if path.hasPrefix("repo") { return "\(form)=\(folder.path(String(path)))" }
      return word == "repo" || word.hasPrefix("repo/") ? folder.path(word) : word
    }
  }
}
