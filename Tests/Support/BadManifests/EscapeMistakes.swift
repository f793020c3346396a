extension BadManifest {
  /// Mistakes in escapes, and control characters.
  static let escapes: [BadManifest] = [
    BadManifest(
      "backslashes of Windows",
      rule: #"{ "path": "Levels\1\Map", "tags": ["Level 1"] }"#,
      #"4:18: error [json-syntax] "\1" "/" "Levels/1/Map""#),
    BadManifest(
      "an escaped single quote",
      rule: #"{ "path": "Hero\'s Song.ogg", "tags": ["Music"] }"#,
      #"4:16: error [json-syntax] "\n" "\\" "\'""#),
    BadManifest(
      "an escape beyond ASCII",
      rule: #"{ "path": "Größe\é", "tags": ["Level 1"] }"#,
      #"4:19: error [json-syntax] "\n" "\\" "\é""#),
    BadManifest(
      "an escape in capitals",
      rule: #"{ "path": "Levels\N", "tags": ["Level \U0031"] }"#,
      #"4:18: error [json-syntax] "\N" "/" "Levels/N""#,
      #"4:39: error [json-syntax] "\U" "/" "Level /U0031""#),
    BadManifest(
      "an escape of C",
      rule: #"{ "path": "Levels\0", "tags": ["Level \x31"] }"#,
      #"4:18: error [json-syntax] "\0" "/" "Levels/0""#,
      #"4:39: error [json-syntax] "\x" "/" "Level /x31""#),
    BadManifest(
      #"too few digits behind \u"#,
      rule: #"{ "path": "Levels\u12", "tags": ["Level 1"] }"#,
      #"4:18: error [json-syntax] "\u""#),
    BadManifest(
      #"no digits behind \u"#,
      rule: #"{ "path": "Levels", "tags": ["\u"] }"#,
      #"4:31: error [json-syntax] "\u""#),
    BadManifest(
      #"other letters behind \u"#,
      rule: #"{ "path": "Levels\u00g1", "tags": ["Level 1"] }"#,
      #"4:18: error [json-syntax] "\u""#),
    BadManifest(
      #"a sign behind \u"#,
      rule: #"{ "path": "Levels\u+031", "tags": ["Level 1"] }"#,
      #"4:18: error [json-syntax] "\u""#),
    BadManifest(
      #"braces behind \u"#,
      rule: #"{ "path": "Levels\u{31}", "tags": ["Level 1"] }"#,
      #"4:18: error [json-syntax] "\u""#),
    BadManifest(
      "the first half of a surrogate pair",
      rule: #"{ "path": "Levels\ud83d", "tags": ["Level 1"] }"#,
      #"4:18: error [json-syntax] "\ud83d""#),
    BadManifest(
      "the second half of a surrogate pair",
      rule: #"{ "path": "Levels", "tags": ["\ude00"] }"#,
      #"4:31: error [json-syntax] "\ude00""#),
    BadManifest(
      "a pair the wrong way round",
      rule: #"{ "path": "Levels", "tags": ["\ude00\ud83d"] }"#,
      #"4:31: error [json-syntax] "\ude00""#,
      #"4:37: error [json-syntax] "\ud83d""#),
    BadManifest(
      "two first halves",
      rule: #"{ "path": "Levels", "tags": ["\ud83d\ud83d\ude00"] }"#,
      #"4:31: error [json-syntax] "\ud83d""#),
    BadManifest(
      "half a pair before a letter",
      rule: #"{ "path": "Levels", "tags": ["\ud83d\u0041"] }"#,
      #"4:31: error [json-syntax] "\ud83d""#),
    BadManifest(
      "a tab in a string",
      rule: #"{ "path": "Level\#t1", "tags": ["Level 1"] }"#,
      #"4:17: error [json-syntax] "\t""#),
    BadManifest(
      "a tab behind a backslash",
      rule: #"{ "path": "Level\\#t1", "tags": ["Level 1"] }"#,
      #"4:18: error [json-syntax] "\t""#),
    BadManifest(
      "control characters in a string",
      rule: #"{ "path": "Level\#u{1}\#u{1f}1", "tags": ["Level 1"] }"#,
      #"4:17: error [json-syntax] "\u0001""#,
      #"4:18: error [json-syntax] "\u001f""#),
    BadManifest(
      "a NUL in a string",
      rule: #"{ "path": "Level\#01", "tags": ["Level 1"] }"#,
      #"4:17: error [json-syntax] "\u0000""#),
    BadManifest(
      "an escaped NUL",
      rule: #"{ "path": "Level\u00001", "tags": ["Level\u0000"] }"#,
      #"4:11: error [invalid-path] "Level\u{0}1""#,
      #"4:36: error [invalid-tag] "Level\u{0}""#),
  ]
}
