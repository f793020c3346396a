import Testing

@testable import packtool

/// A mistake in a game with two levels.
struct CommonMistake: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Parts of the manifest's text, with the text that replaces each of them.
  var changes: [String: String] = [:]
  /// Additional files, with their contents.
  var files: [String: String] = [:]
  /// The command.
  ///
  /// `GAME` stands for the folder of the manifest.
  var words = ["validate", "GAME"]
  /// Strings that standard error or standard output must contain.
  ///
  /// Paths are relative to the folder of the manifest.
  let says: [String]
  /// Strings that the output must not contain.
  var silent: [String] = []
  var status = packtool.ExitStatus.inputHasErrors

  init(
    _ name: String, _ changes: [String: String] = [:], files: [String: String] = [:], words: [String] = [],
    says: String..., silent: [String] = [], status: packtool.ExitStatus = .inputHasErrors
  ) {
    testDescription = name
    self.changes = changes
    self.files = files
    if !words.isEmpty { self.words = words }
    self.says = says
    self.silent = silent
    self.status = status
  }
}

extension CommonMistake {
  static let tags: [CommonMistake] = [
    CommonMistake(
      "a slip in a rule's tag", [#"["Castle", "Forest"]"#: #"["Castel", "Forest"]"#],
      says: #"Manifest.json:7:43: warning [similar-tag] "Castel" 1 "Castle""#,
      status: .done),
    CommonMistake(
      "another case", [#"["Castle", "Forest"]"#: #"["castle", "Forest"]"#],
      says: #""castle" 1 "Castle""#, status: .done),
    CommonMistake(
      "a space too many", [#"["Castle", "Forest"]"#: #"["Castle", "Forest "]"#],
      says: #""Forest " 1 "Forest""#, status: .done),
    CommonMistake(
      "a slip with a list of all tags",
      [
        #""exclude": []"#: #""tags": ["Castle", "Forest"]"#,
        #"["Castle", "Forest"] }"#: #"["Castel", "Forest"] }"#,
      ],
      says:
        #"Manifest.json:7:43: error [unknown-tag] "tags" "Castel" "Castle""#
    ),
    CommonMistake(
      "a tag of a list that no rule gives",
      [#"initialInstallTags": ["Castle"]"#: #"initialInstallTags": ["Forrest"]"#],
      says: #"[unknown-tag] "Forrest" "Forest""#),
    CommonMistake(
      "a space around a tag", [#"["Castle", "Forest"]"#: #"[" Towers"]"#],
      says: #"Manifest.json:7:43: warning [similar-tag] " Towers" 1 "Towers""#, status: .done),
    CommonMistake(
      "tags as a string", [#""tags": ["Forest"]"#: #""tags": "Forest""#],
      says: #"[wrong-type] "tags" "Forest""#),
  ]

  static let paths: [CommonMistake] = [
    CommonMistake(
      "the root in front of a path", [#""path": "Castle""#: #""path": "Assets/Castle""#],
      says: #""Assets/Castle" "Assets" "Castle""#),
    CommonMistake(
      "a wildcard in a path", [#""path": "Castle""#: #""path": "Castle/*""#],
      says: #""path" "glob" "Castle/*""#),
    CommonMistake(
      "a glob that stays in one folder", [#""path": "Castle""#: #""glob": "*.ogg""#],
      says: #""*.ogg" "*" "**/*.ogg" 2"#),
    CommonMistake(
      "a glob for a folder", [#""path": "Castle""#: #""glob": "Cas*""#],
      says: #""Castle" "Cas*/**""#),
    CommonMistake(
      "a glob in another case", [#""path": "Castle""#: #""glob": "**/*.OGG""#],
      says: #""**/*.ogg" 2"#),
    CommonMistake(
      "a class in a glob for folders", [#""path": "Castle""#: #""glob": "[A-M]*""#],
      says: #""[A-M]*/**""#),
    CommonMistake(
      "a slip in a path", [#""path": "Castle""#: #""path": "castle""#],
      says: #"[no-match] "castle" "Castle""#),
    CommonMistake(
      "a root that is not there", [#""Assets""#: #""Asset""#],
      says: #"[invalid-path] "Asset" "Assets""#,
      silent: ["no-match"]),
    CommonMistake(
      "a wrong root is one error", [#""Assets""#: #""Other""#], files: ["Other/x": ""],
      says: #"[no-match] 3 "Other" "Assets""#,
      "packtool: 1 error, "),
    CommonMistake(
      "an exclude for the top folder only", [#""exclude": []"#: #""exclude": ["*.psd"]"#],
      files: ["Assets/Castle/hero.psd": "x"],
      says:
        #"[unused-exclude] "*.psd" "**/*.psd" 1"#,
      status: .done),
  ]

  static let texts: [CommonMistake] = [
    CommonMistake(
      "a key that begins right", [#""bundleIdentifier""#: #""bundleID""#],
      says: #"[unknown-key] "bundleID" "bundleIdentifier""#,
      "packtool: 1 error, "),
    CommonMistake(
      "a key with a word too many", [#""root""#: #""rootDir""#],
      says: #"[unknown-key] "rootDir" "root""#, "packtool: 1 error, "),
    CommonMistake(
      "a key of another tool", [#""resources""#: #""rules""#],
      says: #"[unknown-key] "rules" "resources""#, "packtool: 1 error, 0 warnings, 0 notes"),
    CommonMistake(
      "a key cut short", [#""path": "Castle""#: #""path": "Castle", "dest": "x""#],
      says: #"[unknown-key] "dest" "destination""#),
    CommonMistake(
      "a unit in small letters", [#""exclude": []"#: #""limits": { "packSize": "10 mb" }"#],
      says: #"[invalid-value] "10 mb" "10 MB""#),
    CommonMistake(
      "a unit with one small letter", [#""exclude": []"#: #""limits": { "packSize": "12 Mb" }"#],
      says: #"[invalid-value] "12 Mb" "12 MB""#),
    CommonMistake(
      "a level of another tool", [#""exclude": []"#: #""severity": { "tag-size": "off" }"#],
      says: #"[invalid-value] "off" "ignore""#),
    CommonMistake(
      "a manifest as a scenario", words: ["simulate", "GAME/Manifest.json", "GAME"],
      says: #"Manifest.json: error [invalid-value] "steps" "packtool help simulating""#,
      silent: ["unknown-key", "bundleIdentifier"]),
    CommonMistake(
      "a budget of the command line", words: ["plan", "GAME", "--set", "budgets.packs.Forrest=5kB"],
      says: #"packtool: error [unknown-pack] "budgets.packs" "Forrest" "Forest""#),
    CommonMistake(
      "a trailing comma", [#"["Castle"] },"#: #"["Castle",] },"#],
      says: "error [json-syntax]"),
    CommonMistake(
      "a missing comma", [#""Assets","#: #""Assets""#],
      says: "Manifest.json:3:19: error [json-syntax]"),
    CommonMistake(
      "a curly quote", [#""root""#: "“root”"],
      says: "error [json-syntax]"),
    CommonMistake(
      "marks of a merge", [#"  "root""#: "<<<<<<< HEAD\n  \"root\""],
      says: "Manifest.json:3:1: error [json-syntax]"),
    CommonMistake(
      "a negative size", [#""exclude": []"#: #""appBundle": { "size": -5 }"#],
      says: #"[invalid-value] "size" "-5""#),
    CommonMistake(
      "a size in packtool's own words", [#""exclude": []"#: #""appBundle": { "size": "100 bytes" }"#],
      says: "packtool: no findings", status: .done),
    CommonMistake(
      "a path as a list", [#""path": "Castle""#: #""path": ["Castle"]"#],
      says: #"[wrong-type] "path""#, "packtool: 1 error, 0 warnings, 0 notes"),
    CommonMistake(
      "one rule in place of a list",
      ["\"resources\": [\n": "\"resources\": {\"x\": [\n", "\n  ],": "\n  ]},"],
      says: #"[wrong-type] "resources""#),
    CommonMistake(
      "a budget in another order", [#""exclude": []"#: #""budgets": { "packs": { "Forest+Castle": 500 } }"#],
      says: #""Forest+Castle" "Castle+Forest""#),
    CommonMistake(
      "a rule twice",
      [#"{ "path": "Forest", "tags": ["Forest"] }"#: #"{ "path": "Castle", "tags": ["Forest"] }"#],
      says: #"[duplicate-rule] "Castle""#),
  ]

  static let files: [CommonMistake] = [
    CommonMistake(
      "a pointer in a submission",
      files: [
        "Assets/Shared/hero.png":
          "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "a", count: 64))\nsize 9\n"
      ], words: ["validate", "GAME", "--submission"],
      says: #"Assets/Shared/hero.png: error [lfs-pointer] "Shared/hero.png""#),
    CommonMistake(
      "a folder that was forgotten", files: ["Assets/Cave/map.json": "x", "Assets/Sea/a": "y"],
      words: ["validate", "GAME", "--severity", "untagged-file=warning"],
      says:
        #"Assets/Cave/map.json: warning [untagged-file] "Cave/map.json""#,
      status: .done),
    CommonMistake(
      "one of four folders that was forgotten",
      [#"{ "path": "Shared/hero.png""#: #"{ "path": "Shared""#], files: ["Assets/Cave/map.json": "x"],
      says:
        #"Assets/Cave: note [untagged-folder] "Cave" "Castle" "Forest" "Shared""#,
      status: .done),
    CommonMistake(
      "a list of what has no tags", files: ["Assets/Cave/map.json": "x"],
      words: ["plan", "GAME", "--untagged"],
      says: "  Cave: 1 file, 1 byte\n    1 byte  Cave/map.json\n", status: .done),
    CommonMistake(
      "a first download that the app itself makes large",
      [#""exclude": []"#: #""appBundle": { "size": 1500000000 }"#],
      says: "1,500,000,000 1.50 GB",
      "200,000,000 200 MB", "note",
      silent: ["the largest packs"], status: .done),
  ]

  static let commands: [CommonMistake] = [
    CommonMistake(
      "-out", words: ["build", "GAME", "-out", "packs"],
      says: #"error "-out" "--output""#),
    CommonMistake(
      "a flag twice", words: ["build", "GAME", "-o", "a", "-o", "b"],
      says: #"error "--output""#),
    CommonMistake(
      "a profile that ends right", words: ["validate", "GAME", "--limits", "ios18"],
      says: #""app-store-ios18""#),
    CommonMistake(
      "a level of severity", words: ["validate", "GAME", "--severity", "unknown-tag=warn"],
      says: #""unknown-tag=warning""#),
    CommonMistake(
      "a slip in what is explained", words: ["explain", "Castel", "GAME"], says: #"error "Castel" "#,
      #""Castle""#,
      silent: ["0 errors"]),
    CommonMistake("check", words: ["check"], says: #"error "check" "validate""#),
    CommonMistake("pack", words: ["pack"], says: #"error "pack" "build""#),
    CommonMistake("export", words: ["export"], says: #"error "export""#, silent: ["did you mean"]),
    CommonMistake("biuld", words: ["biuld"], says: #"error "biuld" "build""#),
    CommonMistake(
      "a folder without a manifest", words: ["build", "GAME/Assets"],
      says: #""--output""#, #""Assets/Manifest.json" "Assets""#, silent: ["init"]),
    CommonMistake(
      "threads", words: ["build", "GAME", "--threads", "3", "--color", "x"],
      says: #"error "--threads" "--jobs""#, silent: [#""3""#]),
    CommonMistake(
      "dry-run", words: ["build", "GAME", "--dry-run"],
      says: #"error "--dry-run" "packtool plan""#, silent: ["--output"]),
    CommonMistake(
      "clean", words: ["build", "GAME", "--clean", "-o", "packs"], says: #"error "--clean" "--no-cache""#),
    CommonMistake(
      "force", words: ["build", "GAME", "--force", "-o", "packs"], says: #"error "--force" "--no-cache""#),
    CommonMistake(
      "a manifest after a flag", words: ["build", "--manifest", "GAME/Manifest.json"],
      says: #"error "--manifest" "packtool build Manifest.json -o packs""#, silent: ["--output"]),
    CommonMistake(
      "-i", words: ["build", "-i", "GAME/Manifest.json"], says: #"error "-i" "packtool build"#,
      silent: ["--output"]),
    CommonMistake("-v", words: ["-v"], says: #"error "-v" "--version""#),
    CommonMistake("new", words: ["new"], says: #"error "new" "init""#),
    CommonMistake("add", words: ["add", "x"], says: #"error "add" "packtool help manifest""#),
    CommonMistake(
      "clean as a command", words: ["clean"], says: #"error "clean" "packtool build --no-cache""#),
    CommonMistake(
      "an output of init", words: ["init", "GAME/Assets", "-o", "Manifest.json"], says: #"error "-o" "init""#),
    CommonMistake(
      "a folder to write to without its flag", words: ["build", "GAME/packs"],
      says: #"error "packs" "-o"#, silent: ["--output", "init"]),
    CommonMistake(
      "a name with a space without quotes", words: ["explain", "Level", "1"],
      says: #"error "1" "Level 1""#, silent: ["init"]),
    CommonMistake(
      "a tag without its flag", words: ["unpack", "GAME", "Level 1", "-o", "d"],
      says: #"error "Level 1" "Level 1""#),
    CommonMistake(
      "a tag with a space without quotes", words: ["unpack", "GAME", "--tag", "Level", "1", "-o", "d"],
      says: #"error "1" "Level 1""#),
    CommonMistake("a folder that does not exist", words: ["init", "GAME/nope"], says: #"error "nope""#),
  ].map { mistake in
    var mistake: CommonMistake = mistake
    mistake.status = .usage
    return mistake
  }
}
