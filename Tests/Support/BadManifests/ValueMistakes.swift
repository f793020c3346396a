extension BadManifest {
  /// Invalid values of the right type.
  static let values: [BadManifest] = [
    BadManifest(
      "an empty bundle identifier",
      """
      {
      "bundleIdentifier": "",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error [invalid-value] "" \#(bundleIdentifierForm)"#),
    BadManifest(
      "a bundle identifier with a space",
      """
      {
      "bundleIdentifier": "com.example.my game",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error [invalid-value] "com.example.my game" \#(bundleIdentifierForm)"#),
    BadManifest(
      "a bundle identifier with a slash",
      """
      {
      "bundleIdentifier": "com/example",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error [invalid-value] "com/example" \#(bundleIdentifierForm)"#),
    BadManifest(
      "a bundle identifier that ends in a dot",
      """
      {
      "bundleIdentifier": "com.example.",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error [invalid-value] "com.example." \#(bundleIdentifierForm)"#),
    BadManifest(
      "a bundle identifier with two dots",
      """
      {
      "bundleIdentifier": "com..example",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error [invalid-value] "com..example" \#(bundleIdentifierForm)"#),
    BadManifest(
      "a bundle identifier beyond ASCII",
      """
      {
      "bundleIdentifier": "com.example.spaß",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error [invalid-value] "com.example.spaß" \#(bundleIdentifierForm)"#),
    BadManifest(
      "a bundle identifier with a plus sign",
      """
      {
      "bundleIdentifier": "com.example+game",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error [invalid-value] "com.example+game" \#(bundleIdentifierForm)"#),
    BadManifest(
      "a bundle identifier with a placeholder",
      """
      {
      "bundleIdentifier": "$(PRODUCT_BUNDLE_IDENTIFIER)",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """,
      #"2:21: error [invalid-value] "$(PRODUCT_BUNDLE_IDENTIFIER)" \#(bundleIdentifierForm)"#),
    BadManifest(
      "a bundle identifier with a line behind it",
      #"""
      {
      "bundleIdentifier": "com.example\n",
      "resources": [{ "path": "Levels", "tags": ["Level 1"] }]
      }
      """#,
      #"2:21: error [invalid-value] "com.example\n" \#(bundleIdentifierForm)"#),
    BadManifest(
      "no rule",
      #"{ "bundleIdentifier": "com.example.game", "resources": [] }"#,
      #"1:56: error [invalid-value] "resources" 1"#),
    BadManifest(
      "no tags",
      rule: #"{ "path": "Levels", "tags": [] }"#,
      #"4:29: error [invalid-value] "tags" 1"#),
    BadManifest(
      "an unknown container",
      member: #""container": "rar""#,
      #"2:14: error [invalid-value] "rar" "zip" "tar.gz" "tar.zst" "folder""#),
    BadManifest(
      "a container in upper case",
      member: #""container": "ZIP""#,
      #"2:14: error [invalid-value] "ZIP" "zip""#),
    BadManifest(
      "a misspelt container",
      member: #""container": "tar-zst""#,
      #"2:14: error [invalid-value] "tar-zst" "tar.zst""#),
    BadManifest(
      "an empty container",
      member: #""container": """#,
      #"2:14: error [invalid-value] "" "zip" "tar.gz" "tar.zst" "folder""#),
    BadManifest(
      "an unknown profile",
      member: #""limits": "play-store""#,
      #"2:11: error [invalid-value] "play-store" "app-store" "app-store-ios18" "app-store-tvos" "wwdc15" "wwdc16" "wwdc16-tvos" "background-assets""#
    ),
    BadManifest(
      "a misspelt profile",
      member: #""limits": "appstore""#,
      #"2:11: error [invalid-value] "appstore" "app-store""#),
    BadManifest(
      "a misspelt profile in an object",
      member: #""limits": { "profile": "app-store-ios-18" }"#,
      #"2:24: error [invalid-value] "app-store-ios-18" "app-store-ios18""#),
    BadManifest(
      "an unknown severity",
      member: #""severity": { "empty-file": "fatal" }"#,
      #"2:29: error [invalid-value] "fatal" "error" "warning" "note" "ignore""#),
    BadManifest(
      "a misspelt severity",
      member: #""severity": { "empty-file": "warnings" }"#,
      #"2:29: error [invalid-value] "warnings" "warning""#),
    BadManifest(
      "an error of the manifest that is lowered",
      member: #""severity": { "unknown-tag": "warning", "json-syntax": "ignore" }"#,
      #"2:30: error [invalid-value] "unknown-tag""#,
      #"2:56: error [invalid-value] "json-syntax""#),
  ]
}
