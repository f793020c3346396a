extension BadManifest {
  /// The lists of tags: unknown tags, tags there twice or in both.
  static let lists: [BadManifest] = [
    BadManifest(
      "a tag twice in a rule",
      rule: #"{ "path": "Levels", "tags": ["Level 1", "Level 2", "Level 1"] }"#,
      #"4:52: warning: the tag "Level 1" is listed twice [repeated-tag]"#,
      "4:30: note: the first is here"),
    BadManifest(
      "a tag twice in two forms of Unicode",
      rule: #"{ "path": "Levels", "tags": ["été", "e\#u{301}te\#u{301}"] }"#,
      #"4:39: warning: the tag "e\#u{301}te\#u{301}" is listed twice [repeated-tag]"#,
      "4:30: note: the first is here",
      #"4:39: warning: the tag "e\#u{301}te\#u{301}" stands here in another Unicode form, 7 bytes rather than 5; "#
        + "both are one tag, in the form of the first [tag-in-two-forms]",
      "4:30: note: the first is here"),
    BadManifest(
      "a tag of two rules and a list in two forms, which is told once",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "1", "tags": ["\u{e9}"] },
          { "path": "2", "tags": ["e\u{301}"] }, { "path": "3", "tags": ["e\u{301}"] }],
        "prefetchTagOrder": ["e\u{301}"]
      }
      """,
      #"4:29: warning: the tag "e\#u{301}" stands here in another Unicode form, 3 bytes rather than 2; "#
        + "both are one tag, in the form of the first [tag-in-two-forms]",
      "3:41: note: the first is here"),
    BadManifest(
      "an unknown tag near another",
      member: #""initialInstallTags": ["Levl 1"]"#,
      #"2:24: error: no rule gives the tag "Levl 1"; did you mean "Level 1"? [unknown-tag]"#),
    BadManifest(
      "an unknown tag in other case",
      member: #""prefetchTagOrder": ["level 2"]"#,
      #"2:22: error: no rule gives the tag "level 2"; did you mean "Level 2"? [unknown-tag]"#),
    BadManifest(
      "an unknown tag like no other",
      member: #""prefetchTagOrder": ["Boss"]"#,
      #"2:22: error: no rule gives the tag "Boss" [unknown-tag]"#),
    BadManifest(
      "unknown tags in both lists",
      member: #""initialInstallTags": ["Level1"], "prefetchTagOrder": ["Level 2", "Levels 2"]"#,
      #"2:24: error: no rule gives the tag "Level1"; did you mean "Level 1"? [unknown-tag]"#,
      #"2:67: error: no rule gives the tag "Levels 2"; did you mean "Level 2"? [unknown-tag]"#),
    BadManifest(
      "one unknown tag in both lists",
      member: #""initialInstallTags": ["Boss"], "prefetchTagOrder": ["Boss"]"#,
      #"2:24: error: no rule gives the tag "Boss" [unknown-tag]"#,
      #"2:54: error: no rule gives the tag "Boss" [unknown-tag]"#,
      #"2:54: warning: the tag "Boss" is in "initialInstallTags" too, which wins; remove it from one list "#
        + #"[tag-in-both-lists]"#,
      #"2:24: note: "initialInstallTags" has it here"#),
    BadManifest(
      "a wrong tag in a list",
      member: #""initialInstallTags": ["", "Level/1"], "prefetchTagOrder": [" "]"#,
      "2:24: error: a tag may not be empty [invalid-tag]",
      #"2:28: error: the tag "Level/1" has a "/", which pack names cannot hold [invalid-tag]"#,
      #"2:61: error: the tag " " is only white space [invalid-tag]"#),
    BadManifest(
      "a tag twice in the initial install",
      member: #""initialInstallTags": ["Level 1", "Level 2", "Level 1"]"#,
      #"2:46: warning: the tag "Level 1" is listed twice [repeated-tag]"#,
      "2:24: note: the first is here"),
    BadManifest(
      "a tag twice in the prefetch order",
      member: """
        "prefetchTagOrder": ["Level 2",
        "Level 2"]
        """,
      #"3:1: warning: the tag "Level 2" is listed twice [repeated-tag]"#,
      "2:22: note: the first is here"),
    BadManifest(
      "a tag in both lists",
      member: #""initialInstallTags": ["Level 1"], "prefetchTagOrder": ["Level 2", "Level 1"]"#,
      #"2:68: warning: the tag "Level 1" is in "initialInstallTags" too, which wins; remove it from one "#
        + #"list [tag-in-both-lists]"#,
      #"2:24: note: "initialInstallTags" has it here"#),
    BadManifest(
      "a tag in both lists, the prefetch order first",
      member: #""prefetchTagOrder": ["Level 1"], "initialInstallTags": ["Level 1"]"#,
      #"2:22: warning: the tag "Level 1" is in "initialInstallTags" too, which wins; remove it from one "#
        + #"list [tag-in-both-lists]"#,
      #"2:57: note: "initialInstallTags" has it here"#),
    BadManifest(
      "a tag that the list of all tags lacks, in rules and twice in the list",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "1", "tags": ["Castle"] }, { "path": "2", "tags": ["Castel", "Boss"] }],
        "tags": ["Castle", "Forest", "Castle"]
      }
      """,
      #"3:78: error: "tags" does not list the tag "Castel"; did you mean "Castle"? [unknown-tag]"#,
      #"3:88: error: "tags" does not list the tag "Boss" [unknown-tag]"#,
      #"4:32: warning: the tag "Castle" is listed twice [repeated-tag]"#,
      "4:12: note: the first is here"),
    BadManifest(
      "a list with the tag of a rule that has a mistake",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "/Levels", "tags": ["Level 1"] }],
        "initialInstallTags": ["Level 1", "Boss"]
      }
      """,
      #"3:27: error: "/Levels" is absolute; expected a path relative to the root folder [invalid-path]"#,
      #"4:37: error: no rule gives the tag "Boss" [unknown-tag]"#),
    BadManifest(
      "a list beside tags that cannot be read",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": "Level 1" }, { "path": "Music", "tags": ["Music"] }],
        "initialInstallTags": ["Level 1"], "prefetchTagOrder": ["Music", "Music"]
      }
      """,
      #"3:45: error: "tags" takes an array of strings; write ["Level 1"] [wrong-type]"#,
      #"4:68: warning: the tag "Music" is listed twice [repeated-tag]"#,
      "4:59: note: the first is here"),
    BadManifest(
      "a list beside a tag that cannot be read",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": ["Level 1", 2] }],
        "initialInstallTags": ["2"]
      }
      """,
      #"3:57: error: each element of "tags" must be a string, not a number [wrong-type]"#),
  ]
}
