extension BadManifest {
  /// Mistakes in `accept`.
  static let accepts: [BadManifest] = [
    BadManifest(
      "accepting an unknown check",
      member: #""accept": [{ "check": "duplicate-contents", "path": "Music/**", "reason": "x" }]"#,
      #"2:23: error [invalid-value] "duplicate-contents" "duplicate-content""#),
    BadManifest(
      "accepting a check that is like no other",
      member: #""accept": [{ "check": "nonsense", "reason": "x" }]"#,
      #"2:23: error [invalid-value] "nonsense" "packtool checks""#),
    BadManifest(
      "accepting an error of the manifest",
      member: #""accept": [{ "check": "no-match", "reason": "x" }]"#,
      #"2:23: error [invalid-value] "no-match""#),
    BadManifest(
      "accepting an error that stops a build",
      member: #""accept": [{ "check": "executable-content", "path": "tool", "reason": "x" }]"#,
      #"2:23: error [invalid-value] "executable-content" "exclude" "severity""#),
    BadManifest(
      "accepting a refusal",
      member: #""accept": [{ "check": "output-is-root", "reason": "x" }]"#,
      #"2:23: error [invalid-value] "output-is-root""#),
    BadManifest(
      "accepting what is found in built folders",
      member: #""accept": [{ "check": "not-in-index", "reason": "x" }]"#,
      #"2:23: error [invalid-value] "not-in-index""#
    ),
    BadManifest(
      "accepting without a reason",
      member:
        #""accept": [{ "check": "empty-file", "path": "a" }, { "check": "empty-file", "reason": " " }]"#,
      #"2:12: error [missing-key] "reason""#,
      "2:87: error [invalid-value]"),
    BadManifest(
      "accepting nothing",
      member: #""accept": [{}]"#,
      #"2:12: error [missing-key] "check""#,
      #"2:12: error [missing-key] "reason""#),
    BadManifest(
      "a misspelt key of an accepted finding",
      member: #""accept": [{ "check": "empty-file", "paths": "a", "reason": "x" }]"#,
      #"2:37: error [unknown-key] "paths" "path""#),
    BadManifest(
      "accepting at a wrong path",
      member: #""accept": [{ "check": "empty-file", "path": "../a", "reason": "x" }]"#,
      #"2:45: error [path-escapes-root] "../a""#),
    BadManifest(
      "a single accepted finding without its list",
      member: #""accept": { "check": "empty-file", "reason": "x" }"#,
      #"2:11: error [wrong-type] "accept""#),
  ]
}
