extension BadManifest {
  /// Mistakes in brackets, commas and colons, and text after the end.
  static let structure: [BadManifest] = [
    BadManifest(
      "nothing at all",
      "",
      #"1:1: error [json-syntax] "key" "value""#),
    BadManifest(
      "only spaces, tabs and lines",
      "  \n\t\n ",
      #"3:2: error [json-syntax] "key" "value""#),
    BadManifest(
      "a comma behind the last member",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": ["Level 1"] }],
      }
      """,
      #"3:59: error [json-syntax] "Manifest.jsonc""#
    ),
    BadManifest(
      "a comma behind the last element",
      rule: #"{ "path": "Levels", "tags": ["Level 1", ] }"#,
      #"4:39: error [json-syntax] "Manifest.jsonc""#
    ),
    BadManifest(
      "two commas between elements",
      rule: #"{ "path": "Levels", "tags": ["Level 1",, "Level 2"] }"#,
      #"4:40: error [json-syntax] ",""#),
    BadManifest(
      "two commas behind the last element",
      rule: #"{ "path": "Levels", "tags": ["Level 1",,] }"#,
      #"4:40: error [json-syntax] ",""#),
    BadManifest(
      "a comma before the first element",
      rule: #"{ "path": "Levels", "tags": [, "Level 1"] }"#,
      #"4:30: error [json-syntax] ",""#),
    BadManifest(
      "an object of one comma",
      "{ , }",
      #"1:3: error [json-syntax] ",""#),
    BadManifest(
      "no comma between two lines",
      """
      {
        "bundleIdentifier": "com.example.game"
        "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      "2:41: error [json-syntax]"),
    BadManifest(
      "no comma between two elements",
      rule: #"{ "path": "Levels", "tags": ["Level 1" "Level 2"] }"#,
      "4:39: error [json-syntax]"),
    BadManifest(
      "no comma between two rules",
      rule: #"{ "path": "Levels", "tags": ["A"] } { "path": "Music", "tags": ["B"] }"#,
      "4:36: error [json-syntax]"),
    BadManifest(
      "no comma before an array",
      #"[["a"] ["b"]]"#,
      #"1:8: error [json-syntax] "," "]" "[""#),
    BadManifest(
      "a semicolon in place of a comma",
      member: #""root": "Assets";"#,
      #"2:17: error [json-syntax] "," "}" ";""#),
    BadManifest(
      "a semicolon in place of a colon",
      member: #""root"; "Assets""#,
      #"2:7: error [json-syntax] ":" "root" ";""#),
    BadManifest(
      "no colon",
      member: #""root" "Assets""#,
      #"2:8: error [json-syntax] ":" "root""#),
    BadManifest(
      "an equals sign in place of a colon",
      member: #""root" = "Assets""#,
      #"2:8: error [json-syntax] ":" "root" "=""#),
    BadManifest(
      "a key without a value",
      member: #""root":"#,
      #"2:8: error [json-syntax] ",""#),
    BadManifest(
      "a key alone",
      member: #""root""#,
      #"2:7: error [json-syntax] ":" "root" ",""#),
    BadManifest(
      "a value without a key",
      #"{ : "Assets" }"#,
      #"1:3: error [json-syntax] ":""#),
    BadManifest(
      "a value without a key or a colon",
      #"{ ["a"] }"#,
      #"1:3: error [json-syntax] "[""#),
    BadManifest(
      "an object that is never closed",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": []

      """,
      #"4:1: error [json-syntax] "," "}""#,
      #"1:1: note "{""#),
    BadManifest(
      "an object that ends behind a comma",
      #"{ "root": "Assets","#,
      "1:20: error [json-syntax]",
      #"1:1: note "{""#),
    BadManifest(
      "an object that ends behind a colon",
      #"{ "root":"#,
      "1:10: error [json-syntax]",
      #"1:1: note "{""#),
    BadManifest(
      "an object that ends behind a key",
      #"{ "root""#,
      #"1:9: error [json-syntax] ":" "root""#,
      #"1:1: note "{""#),
    BadManifest(
      "an object that ends behind its bracket",
      "{",
      "1:2: error [json-syntax]",
      #"1:1: note "{""#),
    BadManifest(
      "an array that is never closed",
      #"{ "resources": [{ "path": "Levels", "tags": ["Level 1"] }"#,
      #"1:58: error [json-syntax] "," "]""#,
      #"1:16: note "[""#),
    BadManifest(
      "an array that ends behind a comma",
      #"{ "exclude": ["*.psd","#,
      "1:23: error [json-syntax]",
      #"1:14: note "[""#),
    BadManifest(
      "an array closed like an object",
      rule: #"{ "path": "Levels", "tags": ["Level 1"} }"#,
      #"4:39: error [json-syntax] "," "]" "}""#,
      #"4:29: note "[""#),
    BadManifest(
      "an object closed like an array",
      rule: #"{ "path": "Levels", "tags": ["Level 1"] ]"#,
      #"4:41: error [json-syntax] "," "}" "]""#,
      #"4:1: note "{""#),
    BadManifest(
      "a bracket too many",
      """
      {
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }}
      """,
      #"4:2: error [json-syntax] "}""#),
    BadManifest(
      "a closing bracket alone",
      "]",
      #"1:1: error [json-syntax] "]""#),
    BadManifest(
      "a comma alone",
      ",",
      #"1:1: error [json-syntax] ",""#),
    BadManifest(
      "two objects",
      """
      { "bundleIdentifier": "a.b" }
      { "resources": [] }
      """,
      #"2:1: error [json-syntax] "{""#),
    BadManifest(
      "a comma behind the end",
      #"{ "bundleIdentifier": "a.b", "resources": [] },"#,
      #"1:47: error [json-syntax] ",""#),
    BadManifest(
      "round brackets",
      #"("bundleIdentifier")"#,
      #"1:1: error [json-syntax] "(""#),
    BadManifest(
      "a property list",
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "1:1: error [json-syntax]"),
    BadManifest(
      "a list without its closing bracket",
      """
      {
        "bundleIdentifier": "a.b",
        "resources": [
          { "path": "Levels", "tags": ["Level 1"] }
        "exclude": []
      }
      """,
      #"4:46: error [json-syntax] 3 16 "]," "exclude""#, #"3:16: note "[""#),
    BadManifest(
      "a list without its closing bracket, but with a comma",
      """
      {
        "bundleIdentifier": "a.b",
        "resources": [
          { "path": "Levels", "tags": ["Level 1"] },
        "exclude": []
      }
      """,
      #"4:46: error [json-syntax] 3 16 "]" "exclude""#, #"3:16: note "[""#),
    BadManifest(
      "a list without its closing bracket in a text with more mistakes",
      #"{ "resources": [{ "path": "Levels", "tags": ["A"] } "exclude": [] ]"#,
      #"1:52: error [json-syntax] 1 16 "]," "exclude""#, #"1:16: note "[""#),
    BadManifest(
      "an object without its closing bracket",
      rule: #"{ "path": "Levels", "tags": ["A"] , { "path": "Music", "tags": ["B"] }"#,
      #"4:35: error [json-syntax] 4 1 "}""#, #"4:1: note "{""#),
    BadManifest(
      "an object without its closing bracket and without a comma",
      rule: #"{ "path": "Levels", "tags": ["A"] { "path": "Music", "tags": ["B"] }"#,
      #"4:34: error [json-syntax] 4 1 "}," "{""#, #"4:1: note "{""#),
    BadManifest(
      "the last object without its closing bracket",
      rule: #"{ "path": "Levels", "tags": ["A"]"#,
      #"4:34: error [json-syntax] 4 1 "}" "]""#, #"4:1: note "{""#),
    BadManifest(
      "tags without their closing bracket",
      rule: #"{ "path": "Levels", "tags": ["A" }"#,
      #"4:33: error [json-syntax] 4 29 "]" "}""#, #"4:29: note "[""#),
    BadManifest(
      "an object without its opening bracket",
      rule: #"{ "path": "Levels", "tags": ["A"] }, "path": "Music", "tags": ["B"] }"#,
      #"4:38: error [json-syntax] "path" "{""#),
    BadManifest(
      "two opening brackets",
      rule: #"{ { "path": "Levels", "tags": ["A"] }"#,
      #"4:3: error [json-syntax] "{""#),
    BadManifest(
      "a colon after a list",
      #"{ "resources": [["a"]: 1] }"#,
      #"1:22: error [json-syntax] "," "]" ":""#),
    BadManifest(
      "a key in a list of lists",
      #"[["a", "b": 1]]"#,
      #"1:11: error [json-syntax] "," "]" ":""#),
    BadManifest(
      "a slash where a value should be",
      #"{ "root": /Assets }"#,
      #"1:11: error [json-syntax] "/""#),
  ]
}
