extension BadManifest {
  /// Byte order marks, bytes that are not UTF-8, and columns after characters of several bytes.
  static let encodings: [BadManifest] = [
    BadManifest(
      "a byte order mark alone",
      #"\#u{feff}"#,
      #"1:1: error [json-syntax] "key" "value""#),
    BadManifest(
      "a byte order mark before spaces",
      "\u{feff} \n ",
      #"2:2: error [json-syntax] "key" "value""#),
    BadManifest(
      "columns behind a byte order mark",
      #"\#u{feff}{ "resources": [{ "path": "Levels", "tags": ["Level 1"] }], "bundleIdentifier": "#
        + #""" }"#,
      #"1:81: error [invalid-value] "" \#(bundleIdentifierForm)"#),
    BadManifest(
      "two byte order marks",
      #"\#u{feff}\#u{feff}{}"#,
      #"1:1: error [json-syntax] "\u{feff}""#),
    BadManifest(
      "a byte order mark between tokens",
      member: #""root": \#u{feff}"Assets""#,
      #"2:9: error [json-syntax] "\u{feff}""#),
    BadManifest(
      "a byte order mark behind the end",
      #"{}\#u{feff}"#,
      #"1:3: error [json-syntax] "\u{feff}""#),
    BadManifest(
      "UTF-16, little end first",
      bytes: [0xff, 0xfe] + Array("{".utf8) + [0x00],
      "Manifest.json: error [json-syntax]"),
    BadManifest(
      "UTF-16, big end first",
      bytes: [0xfe, 0xff, 0x00] + Array("{".utf8),
      "Manifest.json: error [json-syntax]"),
    BadManifest(
      "UTF-16 without a byte order mark",
      bytes: Array("{".utf8) + [0x00] + Array(#"""#.utf8) + [0x00],
      "Manifest.json: error [json-syntax]"),
    BadManifest(
      "UTF-32",
      bytes: [0xff, 0xfe, 0, 0] + Array("{".utf8) + [0, 0, 0],
      "Manifest.json: error [json-syntax]"),
    BadManifest(
      "Latin-1",
      bytes: Array(#"{\#n"bundleIdentifier": "com.example.game",\#n"root": "Gr"#.utf8) + [0xfc]
        + Array(#"n"\#n}"#.utf8),
      #"3:12: error [json-syntax] 0 "ü""#),
    BadManifest(
      "a byte that only continues",
      bytes: Array(#"{ "root": ""#.utf8) + [0x80] + Array(#"" }"#.utf8),
      "1:12: error [json-syntax] 0"),
    BadManifest(
      "a character that is cut",
      bytes: Array(#"{ "root": ""#.utf8) + [0xe2, 0x82] + Array(#"" }"#.utf8),
      "1:12: error [json-syntax] 0"),
    BadManifest(
      "a character that the end of the file cuts",
      bytes: Array(#"{ "root": ""#.utf8) + [0xf0, 0x9f, 0x98],
      "1:12: error [json-syntax] 0"),
    BadManifest(
      "a slash in two bytes",
      bytes: Array(#"{ "root": ""#.utf8) + [0xc0, 0xaf] + Array(#"" }"#.utf8),
      "1:12: error [json-syntax] 0"),
    BadManifest(
      "half a surrogate pair in UTF-8",
      bytes: Array(#"{ "root": ""#.utf8) + [0xed, 0xa0, 0xbd] + Array(#"" }"#.utf8),
      "1:12: error [json-syntax] 0"),
    BadManifest(
      "a character beyond the last",
      bytes: Array(#"{ "root": ""#.utf8) + [0xf4, 0x90, 0x80, 0x80] + Array(#"" }"#.utf8),
      "1:12: error [json-syntax] 0"),
    BadManifest(
      "a byte that begins no character",
      bytes: Array(#"{ "root": "ü€😀"#.utf8) + [0xff] + Array(#"" }"#.utf8),
      #"1:21: error [json-syntax] 0 "ÿ""#),
    BadManifest(
      "bytes that are not UTF-8 behind the end",
      bytes: Array("{}\n\n".utf8) + [0xc3, 0x28],
      #"3:1: error [json-syntax] 0 "Ã""#),
    BadManifest(
      "a NUL",
      #"\#0"#,
      "Manifest.json: error [json-syntax]"),
    BadManifest(
      "a NUL behind the end",
      #"{}\#0"#,
      "1:3: error [json-syntax] 0000"),
    BadManifest(
      "a space that does not break",
      member: #""root":\#u{a0}"Assets""#,
      #"2:8: error [json-syntax] "\u{a0}""#),
    BadManifest(
      "a wide space",
      member: #""root":\#u{3000}"Assets""#,
      #"2:8: error [json-syntax] "\u{3000}""#),
    BadManifest(
      "a space of no width",
      member: #""root":\#u{200b}"Assets""#,
      #"2:8: error [json-syntax] "\u{200b}""#),
    BadManifest(
      "a form feed",
      member: #""root":\#u{c}"Assets""#,
      "2:8: error [json-syntax] 000"),
    BadManifest(
      "columns behind characters of two bytes",
      member: #""$comment": "äöü", "root": """#,
      "2:31: error [invalid-path]"),
    BadManifest(
      "columns behind characters of three bytes",
      member: #""$comment": "日本語", "root": """#,
      "2:34: error [invalid-path]"),
    BadManifest(
      "columns behind characters of four bytes",
      member: #""$comment": "😀👩\#u{200d}🚀", "root": """#,
      "2:40: error [invalid-path]"),
    BadManifest(
      "columns behind combining marks",
      member: #""$comment": "e\#u{301}o\#u{308}", "root": """#,
      "2:31: error [invalid-path]"),
    BadManifest(
      "columns behind tabs",
      member: #"\#t\#t"root":\#t"""#,
      "2:11: error [invalid-path]"),
    BadManifest(
      "lines that end as on Windows",
      #"{\#r\#n  "bundleIdentifier": "com.example.game",\#r\#n  "resources": [],\#r\#n"#
        + #"  "root": 1\#r\#n}\#r\#n"#,
      #"3:16: error [invalid-value] "resources" 1"#,
      #"4:11: error [wrong-type] "root""#),
  ]
}
