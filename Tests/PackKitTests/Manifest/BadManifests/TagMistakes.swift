extension BadManifest {
  /// Tags that cannot be any.
  static let tags: [BadManifest] = [
    BadManifest(
      "an empty tag",
      rule: #"{ "path": "Levels", "tags": [""] }"#,
      "4:30: error: a tag may not be empty [invalid-tag]"),
    BadManifest(
      "a tag of spaces",
      rule: #"{ "path": "Levels", "tags": ["  "] }"#,
      #"4:30: error: the tag "  " is only white space [invalid-tag]"#),
    BadManifest(
      "a tag of wide spaces",
      rule: #"{ "path": "Levels", "tags": ["\#u{a0}\#u{3000}"] }"#,
      #"4:30: error: the tag "\u{a0}\u{3000}" is only white space [invalid-tag]"#),
    BadManifest(
      "a tag of a tab",
      rule: #"{ "path": "Levels", "tags": ["\t"] }"#,
      #"4:30: error: the tag "\t" is only white space [invalid-tag]"#),
    BadManifest(
      "a tag with a slash",
      rule: #"{ "path": "Levels", "tags": ["Level/1"] }"#,
      #"4:30: error: the tag "Level/1" has a "/", which pack names cannot hold [invalid-tag]"#),
    BadManifest(
      "a tag with a slash and a combining mark",
      rule: #"{ "path": "Levels", "tags": ["Level/\#u{338}1"] }"#,
      #"4:30: error: the tag "Level/\#u{338}1" has a "/", which pack names cannot hold [invalid-tag]"#),
    BadManifest(
      "a tag with a line in it",
      rule: #"{ "path": "Levels", "tags": ["Level\n1"] }"#,
      #"4:30: error: the tag "Level\n1" has a control character [invalid-tag]"#),
    BadManifest(
      "a tag with a NUL",
      rule: #"{ "path": "Levels", "tags": ["Level\u00001"] }"#,
      #"4:30: error: the tag "Level\u{0}1" has a control character [invalid-tag]"#),
    BadManifest(
      "a tag with a control character beyond ASCII",
      rule: #"{ "path": "Levels", "tags": ["Level\u0085 1", "A\u009f"] }"#,
      #"4:30: error: the tag "Level\u{85} 1" has a control character [invalid-tag]"#,
      #"4:47: error: the tag "A\u{9f}" has a control character [invalid-tag]"#),
    BadManifest(
      "a tag with a DEL",
      rule: #"{ "path": "Levels", "tags": ["Level\#u{7f}"] }"#,
      #"4:30: error: the tag "Level\u{7f}" has a control character [invalid-tag]"#),
    BadManifest(
      "several wrong tags",
      rule: #"{ "path": "Levels", "tags": ["a/b", "Level 1", ""] }"#,
      #"4:30: error: the tag "a/b" has a "/", which pack names cannot hold [invalid-tag]"#,
      "4:48: error: a tag may not be empty [invalid-tag]"),
  ]
}
