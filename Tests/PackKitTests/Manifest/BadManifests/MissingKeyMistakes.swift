extension BadManifest {
  /// Keys that are missing, there twice, or exclude each other.
  static let missingKeys: [BadManifest] = [
    BadManifest(
      "a key twice",
      member: #""root": "Assets", "root": "Assets""#,
      #"2:19: error: the key "root" is listed twice [duplicate-key]"#,
      "2:1: note: the first is here"),
    BadManifest(
      "a key twice on two lines",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": ["Level 1"] }],
        "bundleIdentifier": "com.example.other"
      }
      """,
      #"4:3: error: the key "bundleIdentifier" is listed twice [duplicate-key]"#,
      "2:3: note: the first is here"),
    BadManifest(
      "a key twice, once with an escape",
      member: #""root": "Assets", "r\u006fot": "Music""#,
      #"2:19: error: the key "root" is listed twice [duplicate-key]"#,
      "2:1: note: the first is here"),
    BadManifest(
      "a rule's key twice",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "path": "Music" }"#,
      #"4:42: error: the key "path" is listed twice [duplicate-key]"#,
      "4:3: note: the first is here"),
    BadManifest(
      "a limit twice",
      member: #""limits": { "packCount": 5, "packCount": 6 }"#,
      #"2:29: error: the key "packCount" is listed twice [duplicate-key]"#,
      "2:13: note: the first is here"),
    BadManifest(
      "a severity twice",
      member: #""severity": { "empty-file": "error", "empty-file": "ignore" }"#,
      #"2:38: error: the key "empty-file" is listed twice [duplicate-key]"#,
      "2:15: note: the first is here"),
    BadManifest(
      "a comment twice",
      member: #""$comment": 1, "$comment": 2"#,
      #"2:16: error: the key "$comment" is listed twice [duplicate-key]"#,
      "2:1: note: the first is here"),
    BadManifest(
      "an unknown key twice",
      member: #""rot": 1, "rot": 2"#,
      #"2:1: error: the key "rot" is unknown; did you mean "root"? [unknown-key]"#,
      #"2:11: error: the key "rot" is listed twice [duplicate-key]"#,
      "2:1: note: the first is here",
      #"2:11: error: the key "rot" is unknown; did you mean "root"? [unknown-key]"#),
    BadManifest(
      "no key at all",
      "{}",
      #"1:1: error: the key "bundleIdentifier" is missing [missing-key]"#,
      #"1:1: error: the key "resources" is missing [missing-key]"#),
    BadManifest(
      "no bundle identifier",
      #"{ "resources": [{ "path": "Levels", "tags": ["Level 1"] }] }"#,
      #"1:1: error: the key "bundleIdentifier" is missing [missing-key]"#),
    BadManifest(
      "no resources",
      #"{ "bundleIdentifier": "com.example.game" }"#,
      #"1:1: error: the key "resources" is missing [missing-key]"#),
    BadManifest(
      "no resources, but lists",
      #"{ "bundleIdentifier": "com.example.game", "initialInstallTags": ["Level 1"] }"#,
      #"1:1: error: the key "resources" is missing [missing-key]"#),
    BadManifest(
      "a rule without keys",
      rule: "{}",
      #"4:1: error: one of the keys "path" and "glob" is missing [missing-key]"#,
      #"4:1: error: the key "tags" is missing [missing-key]"#),
    BadManifest(
      "a rule with only a comment",
      rule: #"{ "$comment": "soon" }"#,
      #"4:1: error: one of the keys "path" and "glob" is missing [missing-key]"#,
      #"4:1: error: the key "tags" is missing [missing-key]"#),
    BadManifest(
      "a rule without tags",
      rule: #"{ "path": "Levels" }"#,
      #"4:1: error: the key "tags" is missing [missing-key]"#),
    BadManifest(
      "a rule without a path",
      rule: #"{ "tags": ["Level 1"] }"#,
      #"4:1: error: one of the keys "path" and "glob" is missing [missing-key]"#),
    BadManifest(
      "a rule with a path and a glob",
      rule: #"{ "path": "Levels", "glob": "Levels/*", "tags": ["Level 1"] }"#,
      #"4:21: error: "glob" and "path" exclude each other; keep one of them [invalid-value]"#),
    BadManifest(
      "a rule with a glob and a path, both wrong",
      rule: #"{ "glob": "", "tags": ["Level 1"], "path": "/Levels" }"#,
      "4:11: error: a path may not be empty [invalid-path]",
      #"4:36: error: "path" and "glob" exclude each other; keep one of them [invalid-value]"#,
      #"4:44: error: "/Levels" is absolute; expected a path relative to the root folder [invalid-path]"#),
    BadManifest(
      "an app bundle without keys",
      member: #""appBundle": {}"#,
      #"2:14: error: one of the keys "size" and "path" is missing [missing-key]"#),
    BadManifest(
      "an app bundle with a size and a path",
      member: #""appBundle": { "size": 5, "path": "Game.app" }"#,
      #"2:27: error: "path" and "size" exclude each other; keep one of them [invalid-value]"#),
  ]
}
