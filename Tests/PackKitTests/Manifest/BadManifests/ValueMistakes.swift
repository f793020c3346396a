extension BadManifest {
  /// Values of the right type that make no sense.
  static let values: [BadManifest] = [
    BadManifest(
      "an empty bundle identifier",
      """
      {
      "bundleIdentifier": "",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error: "" is no bundle identifier; \#(bundleIdentifierForm) [invalid-value]"#),
    BadManifest(
      "a bundle identifier with a space",
      """
      {
      "bundleIdentifier": "com.example.my game",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error: "com.example.my game" is no bundle identifier; \#(bundleIdentifierForm) "#
        + #"[invalid-value]"#),
    BadManifest(
      "a bundle identifier with a slash",
      """
      {
      "bundleIdentifier": "com/example",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error: "com/example" is no bundle identifier; \#(bundleIdentifierForm) [invalid-value]"#),
    BadManifest(
      "a bundle identifier that ends in a dot",
      """
      {
      "bundleIdentifier": "com.example.",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error: "com.example." is no bundle identifier; \#(bundleIdentifierForm) [invalid-value]"#),
    BadManifest(
      "a bundle identifier with two dots",
      """
      {
      "bundleIdentifier": "com..example",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error: "com..example" is no bundle identifier; \#(bundleIdentifierForm) [invalid-value]"#),
    BadManifest(
      "a bundle identifier beyond ASCII",
      """
      {
      "bundleIdentifier": "com.example.spaß",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error: "com.example.spaß" is no bundle identifier; \#(bundleIdentifierForm) [invalid-value]"#),
    BadManifest(
      "a bundle identifier with a plus sign",
      """
      {
      "bundleIdentifier": "com.example+game",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error: "com.example+game" is no bundle identifier; \#(bundleIdentifierForm) [invalid-value]"#),
    BadManifest(
      "a bundle identifier with a placeholder",
      """
      {
      "bundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error: "$(PRODUCT_BUNDLE_IDENTIFIER)" is no bundle identifier; \#(bundleIdentifierForm) "#
        + #"[invalid-value]"#),
    BadManifest(
      "a bundle identifier with a line behind it",
      #"""
      {
      "bundleIdentifier": "com.example\n",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """#,
      #"2:21: error: "com.example\n" is no bundle identifier; \#(bundleIdentifierForm) [invalid-value]"#),
    BadManifest(
      "no rule",
      #"{ "bundleIdentifier": "com.example.game", "resources": [] }"#,
      #"1:56: error: "resources" needs at least 1 element [invalid-value]"#),
    BadManifest(
      "no tags",
      rule: #"{ "path": "Levels", "tags": [] }"#,
      #"4:29: error: "tags" needs at least 1 element [invalid-value]"#),
    BadManifest(
      "an unknown container",
      member: #""container": "rar""#,
      #"2:14: error: "rar" is unknown; expected one of "zip", "tar.gz", "tar.zst" and "folder" "#
        + #"[invalid-value]"#),
    BadManifest(
      "a container in upper case",
      member: #""container": "ZIP""#,
      #"2:14: error: "ZIP" is unknown; did you mean "zip"? [invalid-value]"#),
    BadManifest(
      "a misspelt container",
      member: #""container": "tar-zst""#,
      #"2:14: error: "tar-zst" is unknown; did you mean "tar.zst"? [invalid-value]"#),
    BadManifest(
      "an empty container",
      member: #""container": """#,
      #"2:14: error: "" is unknown; expected one of "zip", "tar.gz", "tar.zst" and "folder" "#
        + #"[invalid-value]"#),
    BadManifest(
      "an unknown profile",
      member: #""limits": "play-store""#,
      #"2:11: error: "play-store" is unknown; expected one of "app-store", "app-store-ios18", "#
        + #""app-store-tvos", "wwdc15", "wwdc16", "wwdc16-tvos" and "background-assets" [invalid-value]"#),
    BadManifest(
      "a misspelt profile",
      member: #""limits": "appstore""#,
      #"2:11: error: "appstore" is unknown; did you mean "app-store"? [invalid-value]"#),
    BadManifest(
      "a misspelt profile in an object",
      member: #""limits": { "profile": "app-store-ios-18" }"#,
      #"2:24: error: "app-store-ios-18" is unknown; did you mean "app-store-ios18"? [invalid-value]"#),
    BadManifest(
      "an unknown severity",
      member: #""severity": { "empty-file": "fatal" }"#,
      #"2:29: error: "fatal" is unknown; expected one of "error", "warning", "note" and "ignore" "#
        + #"[invalid-value]"#),
    BadManifest(
      "a misspelt severity",
      member: #""severity": { "empty-file": "warnings" }"#,
      #"2:29: error: "warnings" is unknown; did you mean "warning"? [invalid-value]"#),
    BadManifest(
      "an error of the manifest that is lowered",
      member: #""severity": { "unknown-tag": "warning", "json-syntax": "ignore" }"#,
      #"2:30: error: "unknown-tag" is an error of the manifest itself and cannot be lowered "#
        + #"[invalid-value]"#,
      #"2:56: error: "json-syntax" is an error of the manifest itself and cannot be lowered "#
        + #"[invalid-value]"#),
  ]
}
