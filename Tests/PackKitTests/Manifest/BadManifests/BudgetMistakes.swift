extension BadManifest {
  static let budgets: [BadManifest] = [
    BadManifest(
      "a number for growth", member: #""budgets": { "growth": 5 }"#,
      #"2:24: error: "growth" takes a text such as "5 %", not a number [wrong-type]"#),
    BadManifest(
      "growth without its sign", member: #""budgets": { "growth": "5" }"#,
      #"2:24: error: "5" is no part; expected a text such as "5 %" or "2.5 %" [invalid-value]"#),
    BadManifest(
      "growth in hairs", member: #""budgets": { "growth": "1.2345 %" }"#,
      #"2:24: error: "1.2345 %" is no part; expected a text such as "5 %" or "2.5 %" [invalid-value]"#),
    BadManifest(
      "negative growth", member: #""budgets": { "growth": "-5 %" }"#,
      #"2:24: error: "-5 %" is no part; expected a text such as "5 %" or "2.5 %" [invalid-value]"#),
    BadManifest(
      "an update of no size", member: #""budgets": { "updateSize": "20" }"#,
      #"2:28: error: "20" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "packs in a list", member: #""budgets": { "packs": ["Level 1"] }"#,
      #"2:23: error: "packs" takes an object, not an array [wrong-type]"#),
    BadManifest(
      "a pack of no size", member: #""budgets": { "packs": { "Level 1": null } }"#,
      #"2:36: error: "Level 1" takes a number of bytes or a text such as "64 MB", not null [wrong-type]"#),
    BadManifest(
      "an unknown budget", member: #""budgets": { "updatesize": 5 }"#,
      #"2:14: error: the key "updatesize" is unknown; did you mean "updateSize"? [unknown-key]"#),
  ]
}
