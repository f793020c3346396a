extension BadManifest {
  /// Invalid tags.
  static let tags: [BadManifest] = [
    BadManifest(
      "an empty tag",
      rule: #"{ "path": "Levels", "tags": [""] }"#,
      "4:30: error [invalid-tag]"),
    BadManifest(
      "a tag of spaces",
      rule: #"{ "path": "Levels", "tags": ["  "] }"#,
      #"4:30: error [invalid-tag] "  ""#),
    BadManifest(
      "a tag of wide spaces",
      rule: #"{ "path": "Levels", "tags": ["\#u{a0}\#u{3000}"] }"#,
      #"4:30: error [invalid-tag] "\u{a0}\u{3000}""#),
    BadManifest(
      "a tag of a tab",
      rule: #"{ "path": "Levels", "tags": ["\t"] }"#,
      #"4:30: error [invalid-tag] "\t""#),
    BadManifest(
      "a tag with a slash",
      rule: #"{ "path": "Levels", "tags": ["Level/1"] }"#,
      #"4:30: error [invalid-tag] "Level/1" "/""#),
    BadManifest(
      "a tag with a slash and a combining mark",
      rule: #"{ "path": "Levels", "tags": ["Level/\#u{338}1"] }"#,
      #"4:30: error [invalid-tag] "Level/̸1" "/""#),
    BadManifest(
      "a tag with a line in it",
      rule: #"{ "path": "Levels", "tags": ["Level\n1"] }"#,
      #"4:30: error [invalid-tag] "Level\n1""#),
    BadManifest(
      "a tag with a NUL",
      rule: #"{ "path": "Levels", "tags": ["Level\u00001"] }"#,
      #"4:30: error [invalid-tag] "Level\u{0}1""#),
    BadManifest(
      "a tag with a control character beyond ASCII",
      rule: #"{ "path": "Levels", "tags": ["Level\u0085 1", "A\u009f"] }"#,
      #"4:30: error [invalid-tag] "Level\u{85} 1""#,
      #"4:47: error [invalid-tag] "A\u{9f}""#),
    BadManifest(
      "a tag with a DEL",
      rule: #"{ "path": "Levels", "tags": ["Level\#u{7f}"] }"#,
      #"4:30: error [invalid-tag] "Level\u{7f}""#),
    BadManifest(
      "several wrong tags",
      rule: #"{ "path": "Levels", "tags": ["a/b", "Level 1", ""] }"#,
      #"4:30: error [invalid-tag] "a/b" "/""#,
      "4:48: error [invalid-tag]"),
  ]
}
