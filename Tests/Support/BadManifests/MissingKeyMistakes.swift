extension BadManifest {
  /// Keys that are missing, repeated, or cannot be used together.
  static let missingKeys: [BadManifest] = [
    BadManifest(
      "a key twice",
      member: #""root": "Assets", "root": "Assets""#,
      #"2:19: error [duplicate-key] "root""#,
      "2:1: note"),
    BadManifest(
      "a key twice on two lines",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": ["Level 1"] }],
        "bundleIdentifier": "com.example.other"
      }
      """,
      #"4:3: error [duplicate-key] "bundleIdentifier""#,
      "2:3: note"),
    BadManifest(
      "a key twice, once with an escape",
      member: #""root": "Assets", "r\u006fot": "Music""#,
      #"2:19: error [duplicate-key] "root""#,
      "2:1: note"),
    BadManifest(
      "a rule's key twice",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "path": "Music" }"#,
      #"4:42: error [duplicate-key] "path""#,
      "4:3: note"),
    BadManifest(
      "a limit twice",
      member: #""limits": { "packCount": 5, "packCount": 6 }"#,
      #"2:29: error [duplicate-key] "packCount""#,
      "2:13: note"),
    BadManifest(
      "a severity twice",
      member: #""severity": { "empty-file": "error", "empty-file": "ignore" }"#,
      #"2:38: error [duplicate-key] "empty-file""#,
      "2:15: note"),
    BadManifest(
      "a comment twice",
      member: #""$comment": 1, "$comment": 2"#,
      #"2:16: error [duplicate-key] "$comment""#,
      "2:1: note"),
    BadManifest(
      "an unknown key twice",
      member: #""rot": 1, "rot": 2"#,
      #"2:1: error [unknown-key] "rot" "root""#,
      #"2:11: error [duplicate-key] "rot""#,
      "2:1: note",
      #"2:11: error [unknown-key] "rot" "root""#),
    BadManifest(
      "no key at all",
      "{}",
      #"1:1: error [missing-key] "bundleIdentifier""#,
      #"1:1: error [missing-key] "resources""#),
    BadManifest(
      "no bundle identifier",
      #"{ "resources": [{ "path": "Levels", "tags": ["Level 1"] }] }"#,
      #"1:1: error [missing-key] "bundleIdentifier""#),
    BadManifest(
      "no resources",
      #"{ "bundleIdentifier": "com.example.game" }"#,
      #"1:1: error [missing-key] "resources""#),
    BadManifest(
      "no resources, but lists",
      #"{ "bundleIdentifier": "com.example.game", "initialInstallTags": ["Level 1"] }"#,
      #"1:1: error [missing-key] "resources""#),
    BadManifest(
      "a rule without keys",
      rule: "{}",
      #"4:1: error [missing-key] "path" "glob""#,
      #"4:1: error [missing-key] "tags""#),
    BadManifest(
      "a rule with only a comment",
      rule: #"{ "$comment": "soon" }"#,
      #"4:1: error [missing-key] "path" "glob""#,
      #"4:1: error [missing-key] "tags""#),
    BadManifest(
      "a rule without tags",
      rule: #"{ "path": "Levels" }"#,
      #"4:1: error [missing-key] "tags""#),
    BadManifest(
      "a rule without a path",
      rule: #"{ "tags": ["Level 1"] }"#,
      #"4:1: error [missing-key] "path" "glob""#),
    BadManifest(
      "a rule with a path and a glob",
      rule: #"{ "path": "Levels", "glob": "Levels/*", "tags": ["Level 1"] }"#,
      #"4:21: error [invalid-value] "glob" "path""#),
    BadManifest(
      "a rule with a glob and a path, both wrong",
      rule: #"{ "glob": "", "tags": ["Level 1"], "path": "/Levels" }"#,
      "4:11: error [invalid-path]",
      #"4:36: error [invalid-value] "path" "glob""#,
      #"4:44: error [invalid-path] "/Levels""#),
    BadManifest(
      "an app bundle without keys",
      member: #""appBundle": {}"#,
      #"2:14: error [missing-key] "size" "path""#),
    BadManifest(
      "an app bundle with a size and a path",
      member: #""appBundle": { "size": 5, "path": "Game.app" }"#,
      #"2:27: error [invalid-value] "path" "size""#),
  ]
}
