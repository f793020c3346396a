extension BadManifest {
  /// Byte order marks, bytes that are not UTF-8, and columns behind characters of several bytes.
  static let encodings: [BadManifest] = [
    BadManifest(
      "a byte order mark alone",
      #"\#u{feff}"#,
      #"1:1: error: the file is empty; expected a value such as {"key": "value"} [json-syntax]"#),
    BadManifest(
      "a byte order mark before spaces",
      "\u{feff} \n ",
      #"2:2: error: the file is empty; expected a value such as {"key": "value"} [json-syntax]"#),
    BadManifest(
      "columns behind a byte order mark",
      #"\#u{feff}{ "resources": [{ "path": "Levels", "tags": ["Level 1"] }], "bundleIdentifier": "#
        + #""" }"#,
      #"1:81: error: "" is no bundle identifier; \#(bundleIdentifierForm) [invalid-value]"#),
    BadManifest(
      "two byte order marks",
      #"\#u{feff}\#u{feff}{}"#,
      #"1:1: error: expected a value, found "\u{feff}" [json-syntax]"#),
    BadManifest(
      "a byte order mark between tokens",
      member: #""root": \#u{feff}"Assets""#,
      #"2:9: error: expected a value, found "\u{feff}" [json-syntax]"#),
    BadManifest(
      "a byte order mark behind the end",
      #"{}\#u{feff}"#,
      #"1:3: error: expected the end of the file, found "\u{feff}" [json-syntax]"#),
    BadManifest(
      "UTF-16, little end first",
      bytes: [0xff, 0xfe] + Array("{".utf8) + [0x00],
      "Manifest.json: error: the file is UTF-16; save it as UTF-8 [json-syntax]"),
    BadManifest(
      "UTF-16, big end first",
      bytes: [0xfe, 0xff, 0x00] + Array("{".utf8),
      "Manifest.json: error: the file is UTF-16; save it as UTF-8 [json-syntax]"),
    BadManifest(
      "UTF-16 without a byte order mark",
      bytes: Array("{".utf8) + [0x00] + Array(#"""#.utf8) + [0x00],
      "Manifest.json: error: the file is UTF-16; save it as UTF-8 [json-syntax]"),
    BadManifest(
      "UTF-32",
      bytes: [0xff, 0xfe, 0, 0] + Array("{".utf8) + [0, 0, 0],
      "Manifest.json: error: the file is UTF-32; save it as UTF-8 [json-syntax]"),
    BadManifest(
      "Latin-1",
      bytes: Array(#"{\#n"bundleIdentifier": "com.example.game",\#n"root": "Gr"#.utf8) + [0xfc]
        + Array(#"n"\#n}"#.utf8),
      "3:12: error: expected UTF-8, found the byte 0xfc [json-syntax]"),
    BadManifest(
      "a byte that only continues",
      bytes: Array(#"{ "root": ""#.utf8) + [0x80] + Array(#"" }"#.utf8),
      "1:12: error: expected UTF-8, found the byte 0x80 [json-syntax]"),
    BadManifest(
      "a character that is cut",
      bytes: Array(#"{ "root": ""#.utf8) + [0xe2, 0x82] + Array(#"" }"#.utf8),
      "1:12: error: expected UTF-8, found the byte 0xe2 [json-syntax]"),
    BadManifest(
      "a character that the end of the file cuts",
      bytes: Array(#"{ "root": ""#.utf8) + [0xf0, 0x9f, 0x98],
      "1:12: error: expected UTF-8, found the byte 0xf0 [json-syntax]"),
    BadManifest(
      "a slash in two bytes",
      bytes: Array(#"{ "root": ""#.utf8) + [0xc0, 0xaf] + Array(#"" }"#.utf8),
      "1:12: error: expected UTF-8, found the byte 0xc0 [json-syntax]"),
    BadManifest(
      "half a surrogate pair in UTF-8",
      bytes: Array(#"{ "root": ""#.utf8) + [0xed, 0xa0, 0xbd] + Array(#"" }"#.utf8),
      "1:12: error: expected UTF-8, found the byte 0xed [json-syntax]"),
    BadManifest(
      "a character beyond the last",
      bytes: Array(#"{ "root": ""#.utf8) + [0xf4, 0x90, 0x80, 0x80] + Array(#"" }"#.utf8),
      "1:12: error: expected UTF-8, found the byte 0xf4 [json-syntax]"),
    BadManifest(
      "a byte that begins no character",
      bytes: Array(#"{ "root": "ü€😀"#.utf8) + [0xff] + Array(#"" }"#.utf8),
      "1:21: error: expected UTF-8, found the byte 0xff [json-syntax]"),
    BadManifest(
      "bytes that are not UTF-8 behind the end",
      bytes: Array("{}\n\n".utf8) + [0xc3, 0x28],
      "3:1: error: expected UTF-8, found the byte 0xc3 [json-syntax]"),
    BadManifest(
      "a NUL",
      #"\#0"#,
      #"1:1: error: expected a value, found "\u{0}" [json-syntax]"#),
    BadManifest(
      "a NUL behind the end",
      #"{}\#0"#,
      #"1:3: error: expected the end of the file, found "\u{0}" [json-syntax]"#),
    BadManifest(
      "a space that does not break",
      member: #""root":\#u{a0}"Assets""#,
      #"2:8: error: expected a value, found "\u{a0}" [json-syntax]"#),
    BadManifest(
      "a wide space",
      member: #""root":\#u{3000}"Assets""#,
      #"2:8: error: expected a value, found "\u{3000}" [json-syntax]"#),
    BadManifest(
      "a space of no width",
      member: #""root":\#u{200b}"Assets""#,
      #"2:8: error: expected a value, found "\u{200b}" [json-syntax]"#),
    BadManifest(
      "a form feed",
      member: #""root":\#u{c}"Assets""#,
      #"2:8: error: expected a value, found "\u{c}" [json-syntax]"#),
    BadManifest(
      "columns behind characters of two bytes",
      member: #""$comment": "äöü", "root": """#,
      "2:31: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "columns behind characters of three bytes",
      member: #""$comment": "日本語", "root": """#,
      "2:34: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "columns behind characters of four bytes",
      member: #""$comment": "😀👩\#u{200d}🚀", "root": """#,
      "2:40: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "columns behind combining marks",
      member: #""$comment": "e\#u{301}o\#u{308}", "root": """#,
      "2:31: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "columns behind tabs",
      member: #"\#t\#t"root":\#t"""#,
      "2:11: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "lines that end as on Windows",
      #"{\#r\#n  "bundleIdentifier": "com.example.game",\#r\#n  "resources": [],\#r\#n"#
        + #"  "root": 1\#r\#n}\#r\#n"#,
      #"3:16: error: "resources" needs at least 1 element [invalid-value]"#,
      #"4:11: error: "root" takes a string, not a number [wrong-type]"#),
  ]
}
