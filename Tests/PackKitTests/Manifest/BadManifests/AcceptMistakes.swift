extension BadManifest {
  /// Mistakes in `accept`.
  static let accepts: [BadManifest] = [
    BadManifest(
      "accepting an unknown check",
      member: #""accept": [{ "check": "duplicate-contents", "path": "Music/**", "reason": "x" }]"#,
      #"2:23: error: "duplicate-contents" is unknown; did you mean "duplicate-content"? [invalid-value]"#),
    BadManifest(
      "accepting a check that is like no other",
      member: #""accept": [{ "check": "nonsense", "reason": "x" }]"#,
      #"2:23: error: "nonsense" is unknown; "packtool checks" lists them all [invalid-value]"#),
    BadManifest(
      "accepting an error of the manifest",
      member: #""accept": [{ "check": "no-match", "reason": "x" }]"#,
      #"2:23: error: "no-match" is an error of the manifest itself and cannot be accepted [invalid-value]"#),
    BadManifest(
      "accepting an error that stops a build",
      member: #""accept": [{ "check": "executable-content", "path": "tool", "reason": "x" }]"#,
      #"2:23: error: "executable-content" is an error that stops a build and cannot be accepted; leave the file out by "#
        + #""exclude", or set its "severity" [invalid-value]"#),
    BadManifest(
      "accepting a refusal",
      member: #""accept": [{ "check": "output-is-root", "reason": "x" }]"#,
      #"2:23: error: "output-is-root" is an error that keeps other files from harm and cannot be accepted "#
        + "[invalid-value]"),
    BadManifest(
      "accepting what is found in built folders",
      member: #""accept": [{ "check": "not-in-index", "reason": "x" }]"#,
      #"2:23: error: "not-in-index" is not about a manifest or its files and cannot be accepted there [invalid-value]"#
    ),
    BadManifest(
      "accepting without a reason",
      member:
        #""accept": [{ "check": "empty-file", "path": "a" }, { "check": "empty-file", "reason": " " }]"#,
      #"2:12: error: the key "reason" is missing [missing-key]"#,
      #"2:87: error: a reason may not be empty [invalid-value]"#),
    BadManifest(
      "accepting nothing",
      member: #""accept": [{}]"#,
      #"2:12: error: the key "check" is missing [missing-key]"#,
      #"2:12: error: the key "reason" is missing [missing-key]"#),
    BadManifest(
      "a misspelt key of an accepted finding",
      member: #""accept": [{ "check": "empty-file", "paths": "a", "reason": "x" }]"#,
      #"2:37: error: the key "paths" is unknown; did you mean "path"? [unknown-key]"#),
    BadManifest(
      "accepting at a wrong path",
      member: #""accept": [{ "check": "empty-file", "path": "../a", "reason": "x" }]"#,
      #"2:45: error: "../a" leads out of the root folder [path-escapes-root]"#),
    BadManifest(
      "a single accepted finding without its list",
      member: #""accept": { "check": "empty-file", "reason": "x" }"#,
      #"2:11: error: "accept" takes an array of objects, not an object [wrong-type]"#),
  ]
}
