import Testing

@testable import packtool

/// One mistake in a game with two levels.
struct CommonMistake: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Texts of the manifest that are replaced.
  var changes: [String: String] = [:]
  /// More files, with their contents.
  var files: [String: String] = [:]
  /// The command; `GAME` is the folder of the manifest.
  var words = ["validate", "GAME"]
  /// What standard error or output says, with paths below the folder.
  let says: [String]
  /// What it does not say.
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
      says: #"Manifest.json:7:43: warning: the tag "Castel" of 1 file looks like a slip of "Castle""#,
      status: .done),
    CommonMistake(
      "another case", [#"["Castle", "Forest"]"#: #"["castle", "Forest"]"#],
      says: #"the tag "castle" of 1 file looks like a slip of "Castle""#, status: .done),
    CommonMistake(
      "a space too many", [#"["Castle", "Forest"]"#: #"["Castle", "Forest "]"#],
      says: #"the tag "Forest " of 1 file looks like a slip of "Forest""#, status: .done),
    CommonMistake(
      "a slip with a list of all tags",
      [
        #""exclude": []"#: #""tags": ["Castle", "Forest"]"#,
        #"["Castle", "Forest"] }"#: #"["Castel", "Forest"] }"#,
      ],
      says:
        #"Manifest.json:7:43: error: "tags" does not list the tag "Castel"; did you mean "Castle"? [unknown-tag]"#
    ),
    CommonMistake(
      "a tag of a list that no rule gives",
      [#"initialInstallTags": ["Castle"]"#: #"initialInstallTags": ["Forrest"]"#],
      says: #"no rule gives the tag "Forrest"; did you mean "Forest"? [unknown-tag]"#),
    CommonMistake(
      "tags as a string", [#""tags": ["Forest"]"#: #""tags": "Forest""#],
      says: #""tags" takes an array of strings; write ["Forest"]"#),
  ]

  static let paths: [CommonMistake] = [
    CommonMistake(
      "the root in front of a path", [#""path": "Castle""#: #""path": "Assets/Castle""#],
      says: #""Assets/Castle" does not exist below the root "Assets"; paths begin below the root: "Castle""#),
    CommonMistake(
      "a wildcard in a path", [#""path": "Castle""#: #""path": "Castle/*""#],
      says: #""path" takes no wildcards; use "glob": "Castle/*""#),
    CommonMistake(
      "a glob that stays in one folder", [#""path": "Castle""#: #""glob": "*.ogg""#],
      says: #"the glob "*.ogg" matches no file; "*" stays within one folder, "**/*.ogg" would match 2 files"#),
    CommonMistake(
      "a glob for a folder", [#""path": "Castle""#: #""glob": "Cas*""#],
      says: #"it matches the folder "Castle", but globs match files: use "Cas*/**""#),
    CommonMistake(
      "a glob in another case", [#""path": "Castle""#: #""glob": "**/*.OGG""#],
      says: #""**/*.ogg" would match 2 files: upper and lower case differ"#),
    CommonMistake(
      "a class in a glob for folders", [#""path": "Castle""#: #""glob": "[A-M]*""#],
      says: #"globs match files: use "[A-M]*/**""#),
    CommonMistake(
      "a slip in a path", [#""path": "Castle""#: #""path": "castle""#],
      says: #""castle" does not exist; did you mean "Castle"?"#),
    CommonMistake(
      "a root that is not there", [#""Assets""#: #""Asset""#],
      says: #"the root folder "Asset" does not exist"#,
      silent: ["no-match"]),
    CommonMistake(
      "a wrong root is one error", [#""Assets""#: #""Other""#], files: ["Other/x": ""],
      says: #"none of the 3 rules matches a file below the root "Other"; did you mean "Assets"? [no-match]"#,
      "packtool: 1 error, "),
    CommonMistake(
      "an exclude for the top folder only", [#""exclude": []"#: #""exclude": ["*.psd"]"#],
      files: ["Assets/Castle/hero.psd": "x"],
      says:
        #"the exclude "*.psd" matches nothing; "**/*.psd" would match 1 file in folders below [unused-exclude]"#,
      status: .done),
  ]

  static let texts: [CommonMistake] = [
    CommonMistake(
      "a key that begins right", [#""bundleIdentifier""#: #""bundleID""#],
      says: #"the key "bundleID" is unknown; did you mean "bundleIdentifier"? [unknown-key]"#,
      "packtool: 1 error, "),
    CommonMistake(
      "a key with a word too many", [#""root""#: #""rootDir""#],
      says: #"the key "rootDir" is unknown; did you mean "root"? [unknown-key]"#, "packtool: 1 error, "),
    CommonMistake(
      "a trailing comma", [#"["Castle"] },"#: #"["Castle",] },"#],
      says: "error: trailing comma: remove the comma after the last element"),
    CommonMistake(
      "a missing comma", [#""Assets","#: #""Assets""#],
      says: "Manifest.json:3:19: error: missing comma after this value"),
    CommonMistake(
      "a curly quote", [#""root""#: "“root”"],
      says: #"found a curly quote “; JSON needs the straight quote ""#),
    CommonMistake(
      "marks of a merge", [#"  "root""#: "<<<<<<< HEAD\n  \"root\""],
      says: "Manifest.json:3:1: error: a merge conflict was left here; settle it, then try again"),
    CommonMistake(
      "a negative size", [#""exclude": []"#: #""appBundle": { "size": -5 }"#],
      says: #""size" must not be negative, but is "-5""#),
    CommonMistake(
      "a size in packtool's own words", [#""exclude": []"#: #""appBundle": { "size": "100 bytes" }"#],
      says: "packtool: no findings", status: .done),
    CommonMistake(
      "a path as a list", [#""path": "Castle""#: #""path": ["Castle"]"#],
      says: #""path" takes a string, not an array"#, "packtool: 1 error, 0 warnings, 0 notes"),
    CommonMistake(
      "one rule in place of a list",
      ["\"resources\": [\n": "\"resources\": {\"x\": [\n", "\n  ],": "\n  ]},"],
      says: #""resources" takes an array of objects, not an object"#),
    CommonMistake(
      "a budget in another order", [#""exclude": []"#: #""budgets": { "packs": { "Forest+Castle": 500 } }"#],
      says: #"no pack has the tags "Forest+Castle"; did you mean "Castle+Forest"?"#),
    CommonMistake(
      "a rule twice",
      [#"{ "path": "Forest", "tags": ["Forest"] }"#: #"{ "path": "Castle", "tags": ["Forest"] }"#],
      says: #"a rule for "Castle" is listed twice [duplicate-rule]"#),
  ]

  static let files: [CommonMistake] = [
    CommonMistake(
      "a pointer in a submission",
      files: [
        "Assets/Shared/hero.png":
          "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "a", count: 64))\nsize 9\n"
      ], words: ["validate", "GAME", "--submission"],
      says: #"Assets/Shared/hero.png: error: the file "Shared/hero.png" is a git-LFS pointer"#),
    CommonMistake(
      "a folder that was forgotten", files: ["Assets/Cave/map.json": "x", "Assets/Sea/a": "y"],
      words: ["validate", "GAME", "--severity", "untagged-file=warning"],
      says:
        "Assets/Cave/map.json: warning: the file \"Cave/map.json\" has no tags, so it stays in the app bundle",
      status: .done),
    CommonMistake(
      "one of four folders that was forgotten",
      [#"{ "path": "Shared/hero.png""#: #"{ "path": "Shared""#], files: ["Assets/Cave/map.json": "x"],
      says:
        "Assets/Cave: note: no file of the folder \"Cave\" has tags, while all of \"Castle\", \"Forest\" and \"Shared\"",
      status: .done),
    CommonMistake(
      "a list of what has no tags", files: ["Assets/Cave/map.json": "x"],
      words: ["plan", "GAME", "--untagged"],
      says: "  Cave: 1 file, 1 byte\n    1 byte  Cave/map.json\n", status: .done),
    CommonMistake(
      "a first download that the app itself makes large",
      [#""exclude": []"#: #""appBundle": { "size": 1500000000 }"#],
      says: "a first download over cellular, app bundle 1,500,000,000 (1.50 GB) and initial install ",
      "over the advised size of 200,000,000 (200 MB)", "note: the app bundle alone is over it",
      silent: ["the largest packs"], status: .done),
  ]

  static let commands: [CommonMistake] = [
    CommonMistake(
      "-out", words: ["build", "GAME", "-out", "packs"],
      says: #"unknown flag "-out"; did you mean "--output"?"#),
    CommonMistake(
      "a flag twice", words: ["build", "GAME", "-o", "a", "-o", "b"],
      says: #"flag "--output" is given twice; keep one of them"#),
    CommonMistake(
      "a profile that ends right", words: ["validate", "GAME", "--limits", "ios18"],
      says: #"did you mean "app-store-ios18"?"#),
    CommonMistake(
      "a level of severity", words: ["validate", "GAME", "--severity", "unknown-tag=warn"],
      says: #"did you mean "unknown-tag=warning"?"#),
    CommonMistake(
      "a slip in what is explained", words: ["explain", "Castel", "GAME"], says: #"did you mean "Castle"?"#,
      silent: ["0 errors"]),
    CommonMistake("check", words: ["check"], says: #"unknown command "check"; did you mean "validate"?"#),
    CommonMistake("pack", words: ["pack"], says: #"unknown command "pack"; did you mean "build"?"#),
    CommonMistake("export", words: ["export"], says: #"unknown command "export""#, silent: ["did you mean"]),
    CommonMistake("biuld", words: ["biuld"], says: #"did you mean "build"?"#),
    CommonMistake(
      "a folder without a manifest", words: ["build", "GAME/Assets"],
      says: #"flag "--output" is missing: say where to write"#, #""Assets/Manifest.json" does not exist"#,
      #""packtool import App.xcodeproj -o Manifest.json" makes one"#),
  ].map { mistake in
    var mistake: CommonMistake = mistake
    mistake.status = .usage
    return mistake
  }
}
