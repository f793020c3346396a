extension BadManifest {
  /// Escapes and control characters.
  static let escapes: [BadManifest] = [
    BadManifest(
      "backslashes of Windows",
      rule: #"{ "path": "Levels\1\Map", "tags": ["Level 1"] }"#,
      #"4:18: error: expected an escape such as "\n" or "\\", found "\1" [json-syntax]"#,
      #"4:20: error: expected an escape such as "\n" or "\\", found "\M" [json-syntax]"#),
    BadManifest(
      "an escaped single quote",
      rule: #"{ "path": "Hero\'s Song.ogg", "tags": ["Music"] }"#,
      #"4:16: error: expected an escape such as "\n" or "\\", found "\'" [json-syntax]"#),
    BadManifest(
      "an escape beyond ASCII",
      rule: #"{ "path": "Größe\é", "tags": ["Level 1"] }"#,
      #"4:19: error: expected an escape such as "\n" or "\\", found "\é" [json-syntax]"#),
    BadManifest(
      "an escape in capitals",
      rule: #"{ "path": "Levels\N", "tags": ["Level \U0031"] }"#,
      #"4:18: error: expected an escape such as "\n" or "\\", found "\N" [json-syntax]"#,
      #"4:39: error: expected an escape such as "\n" or "\\", found "\U" [json-syntax]"#),
    BadManifest(
      "an escape of C",
      rule: #"{ "path": "Levels\0", "tags": ["Level \x31"] }"#,
      #"4:18: error: expected an escape such as "\n" or "\\", found "\0" [json-syntax]"#,
      #"4:39: error: expected an escape such as "\n" or "\\", found "\x" [json-syntax]"#),
    BadManifest(
      #"too few digits behind \u"#,
      rule: #"{ "path": "Levels\u12", "tags": ["Level 1"] }"#,
      #"4:18: error: expected four hex digits after "\u" [json-syntax]"#),
    BadManifest(
      #"no digits behind \u"#,
      rule: #"{ "path": "Levels", "tags": ["\u"] }"#,
      #"4:31: error: expected four hex digits after "\u" [json-syntax]"#),
    BadManifest(
      #"other letters behind \u"#,
      rule: #"{ "path": "Levels\u00g1", "tags": ["Level 1"] }"#,
      #"4:18: error: expected four hex digits after "\u" [json-syntax]"#),
    BadManifest(
      #"a sign behind \u"#,
      rule: #"{ "path": "Levels\u+031", "tags": ["Level 1"] }"#,
      #"4:18: error: expected four hex digits after "\u" [json-syntax]"#),
    BadManifest(
      #"braces behind \u"#,
      rule: #"{ "path": "Levels\u{31}", "tags": ["Level 1"] }"#,
      #"4:18: error: expected four hex digits after "\u" [json-syntax]"#),
    BadManifest(
      "the first half of a surrogate pair",
      rule: #"{ "path": "Levels\ud83d", "tags": ["Level 1"] }"#,
      #"4:18: error: expected a whole character, found half of a surrogate pair, "\ud83d" [json-syntax]"#),
    BadManifest(
      "the second half of a surrogate pair",
      rule: #"{ "path": "Levels", "tags": ["\ude00"] }"#,
      #"4:31: error: expected a whole character, found half of a surrogate pair, "\ude00" [json-syntax]"#),
    BadManifest(
      "a pair the wrong way round",
      rule: #"{ "path": "Levels", "tags": ["\ude00\ud83d"] }"#,
      #"4:31: error: expected a whole character, found half of a surrogate pair, "\ude00" [json-syntax]"#,
      #"4:37: error: expected a whole character, found half of a surrogate pair, "\ud83d" [json-syntax]"#),
    BadManifest(
      "two first halves",
      rule: #"{ "path": "Levels", "tags": ["\ud83d\ud83d\ude00"] }"#,
      #"4:31: error: expected a whole character, found half of a surrogate pair, "\ud83d" [json-syntax]"#),
    BadManifest(
      "half a pair before a letter",
      rule: #"{ "path": "Levels", "tags": ["\ud83d\u0041"] }"#,
      #"4:31: error: expected a whole character, found half of a surrogate pair, "\ud83d" [json-syntax]"#),
    BadManifest(
      "a tab in a string",
      rule: #"{ "path": "Level\#t1", "tags": ["Level 1"] }"#,
      #"4:17: error: expected "\t" in place of a control character in a string [json-syntax]"#),
    BadManifest(
      "a tab behind a backslash",
      rule: #"{ "path": "Level\\#t1", "tags": ["Level 1"] }"#,
      #"4:18: error: expected "\t" in place of a control character in a string [json-syntax]"#),
    BadManifest(
      "control characters in a string",
      rule: #"{ "path": "Level\#u{1}\#u{1f}1", "tags": ["Level 1"] }"#,
      #"4:17: error: expected "\u0001" in place of a control character in a string [json-syntax]"#,
      #"4:18: error: expected "\u001f" in place of a control character in a string [json-syntax]"#),
    BadManifest(
      "a NUL in a string",
      rule: #"{ "path": "Level\#01", "tags": ["Level 1"] }"#,
      #"4:17: error: expected "\u0000" in place of a control character in a string [json-syntax]"#),
    BadManifest(
      "an escaped NUL",
      rule: #"{ "path": "Level\u00001", "tags": ["Level\u0000"] }"#,
      #"4:11: error: "Level\u{0}1" has a control character [invalid-path]"#,
      #"4:36: error: the tag "Level\u{0}" has a control character [invalid-tag]"#),
  ]
}
