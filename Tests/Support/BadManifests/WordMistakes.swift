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
      #"2:3: error [json-syntax] "$comment" "Manifest.jsonc""#,
      #"4:60: error [json-syntax] "$comment" "Manifest.jsonc""#
    ),
    BadManifest(
      "a comment between slash and star",
      member: #""root": /* not "Music" */ "Assets" /**/"#,
      #"2:9: error [json-syntax] "$comment" "Manifest.jsonc""#,
      #"2:36: error [json-syntax] "$comment" "Manifest.jsonc""#
    ),
    BadManifest(
      "a comment over several lines",
      member: """
        "root": /* first
         second */ "Assets"
        """,
      #"2:9: error [json-syntax] "$comment" "Manifest.jsonc""#
    ),
    BadManifest(
      "a comment behind a number sign",
      member: #""root": "Assets" # here"#,
      "2:17: error [json-syntax]",
      #"2:18: error [json-syntax] "$comment" "Manifest.jsonc""#
    ),
    BadManifest(
      "a comment that is never closed",
      #"{ "root": "Assets" /* }"#,
      #"1:20: error [json-syntax] "$comment" "Manifest.jsonc""#,
      #"1:24: error [json-syntax] "," "}""#,
      #"1:1: note "{""#),
    BadManifest(
      "only a comment",
      """
      # nothing yet

      """,
      #"1:1: error [json-syntax] "$comment" "Manifest.jsonc""#,
      #"2:1: error [json-syntax] "key" "value""#),
    BadManifest(
      "YAML",
      """
      bundleIdentifier: com.example.game

      """,
      "1:1: error [json-syntax]"),
    BadManifest(
      "a key without quotes",
      member: #"root: "Assets""#,
      #"2:1: error [json-syntax] "root""#),
    BadManifest(
      "a key without quotes beyond ASCII",
      member: "größe: 1",
      #"2:1: error [json-syntax] "gr""#,
      #"2:3: error [json-syntax] ":" "gr" "ö""#),
    BadManifest(
      "a value without quotes",
      member: #""container": zip"#,
      #"2:14: error [json-syntax] "zip""#),
    BadManifest(
      "a value without quotes, with a dot",
      member: #""container": tar.gz"#,
      #"2:14: error [json-syntax] "tar.gz""#),
    BadManifest(
      "a path without quotes",
      rule: #"{ "path": Levels/1, "tags": ["Level 1"] }"#,
      #"4:11: error [json-syntax] "Levels""#,
      #"4:17: error [json-syntax] "," "}" "/""#),
  ]
}
