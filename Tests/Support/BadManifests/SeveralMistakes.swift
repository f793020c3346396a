extension BadManifest {
  /// Several mistakes in one manifest.
  ///
  /// One run reports all of them.
  static let several: [BadManifest] = [
    BadManifest(
      "syntax, keys, types and values",
      """
      {
        "bundleIdentifer": "com.example.game",
        "root": "/Assets",
        "resources": [
          { "path": "../Levels", "tags": "Level 1" },
          { "path": "Music", "glob": "Music/*", "tags": ["Music", 5,] },
          { "glob": "[", "tags": [] }
        ],
        "container": rar,
        "limits": { "packSize": "64 PB" }
      }
      """,
      #"2:3: error [unknown-key] "bundleIdentifer" "bundleIdentifier""#,
      #"3:11: error [invalid-path] "/Assets""#,
      #"5:15: error [path-escapes-root] "../Levels""#,
      #"5:36: error [wrong-type] "tags" "Level 1""#,
      #"6:24: error [invalid-value] "glob" "path""#,
      #"6:61: error [wrong-type] "tags""#,
      #"6:62: error [json-syntax] "Manifest.jsonc""#,
      #"7:15: error [invalid-path] "[" "[""#,
      #"7:28: error [invalid-value] "tags" 1"#,
      #"9:16: error [json-syntax] "rar""#,
      #"10:27: error [invalid-value] "64 PB" \#(sizeForm)"#),
    BadManifest(
      "errors before warnings, whatever their lines",
      """
      {
        "bundleIdentifier": "com.example.game",
        "initialInstallTags": ["Level 1", "Level 1"],
        "prefetchTagOrder": ["Level 1", "Boss"],
        "resources": [
          { "path": "Levels", "tags": ["Level 1"] },
          { "path": "./Levels", "tags": [""] }
        ]
      }
      """,
      #"4:35: error [unknown-tag] "Boss""#,
      #"7:15: error [duplicate-rule] "./Levels""#,
      "6:15: note",
      "7:36: error [invalid-tag]",
      #"3:37: warning [repeated-tag] "Level 1""#,
      "3:26: note",
      #"4:24: warning [tag-in-both-lists] "Level 1" "initialInstallTags""#,
      #"3:26: note "initialInstallTags""#),
    BadManifest(
      "mistakes before one that ends the reading",
      """
      {
        'bundleIdentifier': "com.example.game",
        root: "Assets",
        "exclude": ["*.psd",],
        "resources": [{ "path": "Levels" "tags": [Level 1] }
      }
      """,
      #"2:3: error [json-syntax] "'""#,
      #"3:3: error [json-syntax] "root""#,
      #"4:22: error [json-syntax] "Manifest.jsonc""#,
      "5:35: error [json-syntax]",
      #"5:45: error [json-syntax] "Level""#,
      "5:50: error [json-syntax]",
      #"5:55: error [json-syntax] 5 16 "]" "}""#,
      #"5:16: note "[""#),
    BadManifest(
      "one mistake in each rule",
      #"""
      {
        "bundleIdentifier": "com.example.game",
        "resources": [
          { "path": "Levels/1", "tags": ["Level/1"] },
          { "path": "Levels/2", "tag": ["Level 2"] },
          { "paht": "Levels/3", "tags": ["Level 3"] },
          { "path": "Levels\\4", "tags": ["Level 4"] },
          { "path": "Levels/5", "tags": ["Level 5"], "destination": "/" },
          { "path": "Levels/6", "tags": ["Level 6", "Level 6"] },
          { "path": "Levels/1", "tags": ["Level 7"] }
        ],
        "initialInstallTags": ["Level 1"]
      }
      """#,
      #"4:36: error [invalid-tag] "Level/1" "/""#,
      #"5:27: error [unknown-key] "tag" "tags""#,
      #"6:7: error [unknown-key] "paht" "path""#,
      #"7:15: error [invalid-path] "Levels\\4""#,
      #"8:63: error [invalid-path] "/""#,
      #"10:15: error [duplicate-rule] "Levels/1""#,
      "4:15: note",
      #"9:47: warning [repeated-tag] "Level 6""#,
      "9:36: note"),
    BadManifest(
      "every limit wrong",
      member: """
        "limits": { "profile": "x",
        "packSize": -1, "packCount": null, "initialInstallSize": true,
        "prefetchSize": "1", "totalSize": [], "appBundleSize": {},
        "tagSize": 1.5, "inUseSize": "x", "cellularSize": "", "size": 0 }
        """,
      #"2:24: error [invalid-value] "x" "app-store" "app-store-ios18" "app-store-tvos" "wwdc15" "wwdc16" "wwdc16-tvos" "background-assets""#,
      #"3:13: error [invalid-value] "packSize" "-1""#,
      #"3:58: error [wrong-type] "initialInstallSize" "64 MB""#,
      #"4:17: error [invalid-value] "1" \#(sizeForm)"#,
      #"4:35: error [wrong-type] "totalSize" "64 MB""#,
      #"4:56: error [wrong-type] "appBundleSize" "64 MB""#,
      #"5:12: error [invalid-value] "tagSize" \#(wholeNumberForm) "1.5""#,
      #"5:30: error [invalid-value] "x" \#(sizeForm)"#,
      #"5:51: error [invalid-value] "" \#(sizeForm)"#,
      #"5:55: error [unknown-key] "size" "profile" "packSize" "packCount" "initialInstallSize" "prefetchSize" "totalSize" "appBundleSize" "tagSize" "inUseSize" "cellularSize""#
    ),
    BadManifest(
      "a comment, single quotes and a tab",
      member: #"""
        "exclude": ['*.psd', // layers
        "a\#tb", "c"]
        """#,
      #"2:13: error [json-syntax] "'""#,
      #"2:22: error [json-syntax] "$comment" "Manifest.jsonc""#,
      #"3:3: error [json-syntax] "\t""#),
  ]
}
