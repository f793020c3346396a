extension BadManifest {
  static let budgets: [BadManifest] = [
    BadManifest(
      "a number for growth", member: #""budgets": { "growth": 5 }"#,
      #"2:24: error [wrong-type] "growth" "5 %""#),
    BadManifest(
      "growth without its sign", member: #""budgets": { "growth": "5" }"#,
      #"2:24: error [invalid-value] "5" "5 %" "2.5 %""#),
    BadManifest(
      "growth in hairs", member: #""budgets": { "growth": "1.2345 %" }"#,
      #"2:24: error [invalid-value] "1.2345 %" "5 %" "2.5 %""#),
    BadManifest(
      "negative growth", member: #""budgets": { "growth": "-5 %" }"#,
      #"2:24: error [invalid-value] "-5 %" "5 %" "2.5 %""#),
    BadManifest(
      "an update of no size", member: #""budgets": { "updateSize": "20" }"#,
      #"2:28: error [invalid-value] "20" \#(sizeForm)"#),
    BadManifest(
      "packs in a list", member: #""budgets": { "packs": ["Level 1"] }"#,
      #"2:23: error [wrong-type] "packs""#),
    BadManifest(
      "a pack of no size", member: #""budgets": { "packs": { "Level 1": null } }"#,
      #"2:36: error [wrong-type] "Level 1" "64 MB""#),
    BadManifest(
      "an unknown budget", member: #""budgets": { "updatesize": 5 }"#,
      #"2:14: error [unknown-key] "updatesize" "updateSize""#),
  ]
}
