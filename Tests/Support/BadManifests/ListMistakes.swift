extension BadManifest {
  /// Mistakes in the lists of tags: tags that are unknown, repeated, or in both lists.
  static let lists: [BadManifest] = [
    BadManifest(
      "a tag twice in a rule",
      rule: #"{ "path": "Levels", "tags": ["Level 1", "Level 2", "Level 1"] }"#,
      #"4:52: warning [repeated-tag] "Level 1""#,
      "4:30: note"),
    BadManifest(
      "a tag twice in two forms of Unicode",
      rule: #"{ "path": "Levels", "tags": ["été", "e\#u{301}te\#u{301}"] }"#,
      #"4:39: warning [repeated-tag] "été""#,
      "4:30: note",
      #"4:39: warning [tag-in-two-forms] "été" 7 bytes 5"#,
      "4:30: note"),
    BadManifest(
      "a tag of two rules and a list in two forms, which is reported once",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "1", "tags": ["\u{e9}"] },
          { "path": "2", "tags": ["e\u{301}"] }, { "path": "3", "tags": ["e\u{301}"] }],
        "prefetchTagOrder": ["e\u{301}"]
      }
      """,
      #"4:29: warning [tag-in-two-forms] "é" 3 bytes 2"#,
      "3:41: note"),
    BadManifest(
      "an unknown tag near another",
      member: #""initialInstallTags": ["Levl 1"]"#,
      #"2:24: error [unknown-tag] "Levl 1" "Level 1""#),
    BadManifest(
      "an unknown tag in other case",
      member: #""prefetchTagOrder": ["level 2"]"#,
      #"2:22: error [unknown-tag] "level 2" "Level 2""#),
    BadManifest(
      "an unknown tag like no other",
      member: #""prefetchTagOrder": ["Boss"]"#,
      #"2:22: error [unknown-tag] "Boss""#),
    BadManifest(
      "unknown tags in both lists",
      member: #""initialInstallTags": ["Level1"], "prefetchTagOrder": ["Level 2", "Levels 2"]"#,
      #"2:24: error [unknown-tag] "Level1" "Level 1""#,
      #"2:67: error [unknown-tag] "Levels 2" "Level 2""#),
    BadManifest(
      "one unknown tag in both lists",
      member: #""initialInstallTags": ["Boss"], "prefetchTagOrder": ["Boss"]"#,
      #"2:24: error [unknown-tag] "Boss""#,
      #"2:54: error [unknown-tag] "Boss""#,
      #"2:54: warning [tag-in-both-lists] "Boss" "initialInstallTags""#,
      #"2:24: note "initialInstallTags""#),
    BadManifest(
      "a wrong tag in a list",
      member: #""initialInstallTags": ["", "Level/1"], "prefetchTagOrder": [" "]"#,
      "2:24: error [invalid-tag]",
      #"2:28: error [invalid-tag] "Level/1" "/""#,
      #"2:61: error [invalid-tag] " ""#),
    BadManifest(
      "a tag twice in the initial install",
      member: #""initialInstallTags": ["Level 1", "Level 2", "Level 1"]"#,
      #"2:46: warning [repeated-tag] "Level 1""#,
      "2:24: note"),
    BadManifest(
      "a tag twice in the prefetch order",
      member: """
        "prefetchTagOrder": ["Level 2",
        "Level 2"]
        """,
      #"3:1: warning [repeated-tag] "Level 2""#,
      "2:22: note"),
    BadManifest(
      "a tag in both lists",
      member: #""initialInstallTags": ["Level 1"], "prefetchTagOrder": ["Level 2", "Level 1"]"#,
      #"2:68: warning [tag-in-both-lists] "Level 1" "initialInstallTags""#,
      #"2:24: note "initialInstallTags""#),
    BadManifest(
      "a tag in both lists, the prefetch order first",
      member: #""prefetchTagOrder": ["Level 1"], "initialInstallTags": ["Level 1"]"#,
      #"2:22: warning [tag-in-both-lists] "Level 1" "initialInstallTags""#,
      #"2:57: note "initialInstallTags""#),
    BadManifest(
      "a tag that the list of all tags lacks, in rules and twice in the list",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "1", "tags": ["Castle"] }, { "path": "2", "tags": ["Castel", "Boss"] }],
        "tags": ["Castle", "Forest", "Castle"]
      }
      """,
      #"3:78: error [unknown-tag] "tags" "Castel" "Castle""#,
      #"3:88: error [unknown-tag] "tags" "Boss""#,
      #"4:32: warning [repeated-tag] "Castle""#,
      "4:12: note"),
    BadManifest(
      "a list with the tag of a rule that has a mistake",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "/Levels", "tags": ["Level 1"] }],
        "initialInstallTags": ["Level 1", "Boss"]
      }
      """,
      #"3:27: error [invalid-path] "/Levels""#,
      #"4:37: error [unknown-tag] "Boss""#),
    BadManifest(
      "a list beside tags that cannot be read",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": "Level 1" }, { "path": "Music", "tags": ["Music"] }],
        "initialInstallTags": ["Level 1"], "prefetchTagOrder": ["Music", "Music"]
      }
      """,
      #"3:45: error [wrong-type] "tags" "Level 1""#,
      #"4:68: warning [repeated-tag] "Music""#,
      "4:59: note"),
    BadManifest(
      "a list beside a tag that cannot be read",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": ["Level 1", 2] }],
        "initialInstallTags": ["2"]
      }
      """,
      #"3:57: error [wrong-type] "tags""#),
  ]
}
