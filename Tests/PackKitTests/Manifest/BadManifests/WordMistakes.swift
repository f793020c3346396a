extension BadManifest {
  /// Comments, and words without quotes.
  static let words: [BadManifest] = [
    BadManifest(
      "a comment behind two slashes",
      """
      {
        // the app
        "bundleIdentifier": "com.example.game",
        "resources": [{ "path": "Levels", "tags": ["Level 1"] }] // all of them
      }
      """,
      #"2:3: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#,
      #"4:60: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#
    ),
    BadManifest(
      "a comment between slash and star",
      member: #""root": /* not "Music" */ "Assets" /**/"#,
      #"2:9: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#,
      #"2:36: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#
    ),
    BadManifest(
      "a comment over several lines",
      member: """
        "root": /* first
         second */ "Assets"
        """,
      #"2:9: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#
    ),
    BadManifest(
      "a comment behind a number sign",
      member: #""root": "Assets" # here"#,
      #"2:17: error: missing comma after this value [json-syntax]"#,
      #"2:18: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#
    ),
    BadManifest(
      "a comment that is never closed",
      #"{ "root": "Assets" /* }"#,
      #"1:20: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#,
      #"1:24: error: expected "," or "}", found the end of the file [json-syntax]"#,
      #"1:1: note: to match this "{""#),
    BadManifest(
      "only a comment",
      """
      # nothing yet

      """,
      #"1:1: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#,
      #"2:1: error: the file is empty; expected a value such as {"key": "value"} [json-syntax]"#),
    BadManifest(
      "YAML",
      """
      bundleIdentifier: com.example.game

      """,
      #"1:1: error: expected a value, found "bundleIdentifier" [json-syntax]"#,
      #"1:17: error: expected the end of the file, found ":" [json-syntax]"#),
    BadManifest(
      "a key without quotes",
      member: #"root: "Assets""#,
      #"2:1: error: expected a key in double quotes, found "root" [json-syntax]"#),
    BadManifest(
      "a key without quotes beyond ASCII",
      member: "größe: 1",
      #"2:1: error: expected a key in double quotes, found "gr" [json-syntax]"#,
      #"2:3: error: expected ":" after the key "gr", found "ö" [json-syntax]"#),
    BadManifest(
      "a value without quotes",
      member: #""container": zip"#,
      #"2:14: error: expected a value, found "zip" [json-syntax]"#),
    BadManifest(
      "a value without quotes, with a dot",
      member: #""container": tar.gz"#,
      #"2:14: error: expected a value, found "tar.gz" [json-syntax]"#),
    BadManifest(
      "a path without quotes",
      rule: #"{ "path": Levels/1, "tags": ["Level 1"] }"#,
      #"4:11: error: expected a value, found "Levels" [json-syntax]"#,
      #"4:17: error: expected "," or "}", found "/" [json-syntax]"#),
  ]
}
