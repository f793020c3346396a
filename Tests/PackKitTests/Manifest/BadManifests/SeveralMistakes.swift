extension BadManifest {
  /// Several mistakes in one manifest, all told in one run.
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
      #"2:3: error: the key "bundleIdentifer" is unknown; did you mean "bundleIdentifier"? [unknown-key]"#,
      #"3:11: error: "/Assets" is absolute; expected a path relative to the manifest's folder "#
        + #"[invalid-path]"#,
      #"5:15: error: "../Levels" leads out of the root folder [path-escapes-root]"#,
      #"5:36: error: "tags" takes an array of strings; write ["Level 1"] [wrong-type]"#,
      #"6:24: error: "glob" and "path" exclude each other; keep one of them [invalid-value]"#,
      #"6:61: error: each element of "tags" must be a string, not a number [wrong-type]"#,
      #"6:62: error: trailing comma: remove the comma after the last element, or name the file "Manifest.jsonc" [json-syntax]"#,
      #"7:15: error: "[" has a "[" that is never closed [invalid-path]"#,
      #"7:28: error: "tags" needs at least 1 element [invalid-value]"#,
      #"9:16: error: expected a value, found "rar" [json-syntax]"#,
      #"10:27: error: "64 PB" is no size; \#(sizeForm) [invalid-value]"#),
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
      #"4:35: error: no rule gives the tag "Boss" [unknown-tag]"#,
      #"7:15: error: a rule for "./Levels" is listed twice [duplicate-rule]"#,
      "6:15: note: the first is here",
      "7:36: error: a tag may not be empty [invalid-tag]",
      #"3:37: warning: the tag "Level 1" is listed twice [repeated-tag]"#,
      "3:26: note: the first is here",
      #"4:24: warning: the tag "Level 1" is in "initialInstallTags" too, which wins; remove it from one "#
        + #"list [tag-in-both-lists]"#,
      #"3:26: note: "initialInstallTags" has it here"#),
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
      #"2:3: error: expected a string in double quotes, found "'" [json-syntax]"#,
      #"3:3: error: expected a key in double quotes, found "root" [json-syntax]"#,
      #"4:22: error: trailing comma: remove the comma after the last element, or name the file "Manifest.jsonc" [json-syntax]"#,
      #"5:35: error: missing comma after this value [json-syntax]"#,
      #"5:45: error: expected a value, found "Level" [json-syntax]"#,
      #"5:50: error: missing comma after this value [json-syntax]"#,
      #"6:1: error: expected "," or "]", found "}" [json-syntax]"#,
      #"5:16: note: to match this "[""#),
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
      #"4:36: error: the tag "Level/1" has a "/", which pack names cannot hold [invalid-tag]"#,
      #"5:27: error: the key "tag" is unknown; did you mean "tags"? [unknown-key]"#,
      #"6:7: error: the key "paht" is unknown; did you mean "path"? [unknown-key]"#,
      #"7:15: error: "Levels\\4" has a backslash; paths have forward slashes [invalid-path]"#,
      #"8:63: error: "/" is absolute; expected a path relative to the pack [invalid-path]"#,
      #"10:15: error: a rule for "Levels/1" is listed twice [duplicate-rule]"#,
      "4:15: note: the first is here",
      #"9:47: warning: the tag "Level 6" is listed twice [repeated-tag]"#,
      "9:36: note: the first is here"),
    BadManifest(
      "every limit wrong",
      member: """
        "limits": { "profile": "x",
        "packSize": -1, "packCount": null, "initialInstallSize": true,
        "prefetchSize": "1", "totalSize": [], "appBundleSize": {},
        "tagSize": 1.5, "inUseSize": "x", "cellularSize": "", "size": 0 }
        """,
      #"2:24: error: "x" is unknown; expected one of "app-store", "app-store-ios18", "app-store-tvos", "#
        + #""wwdc15", "wwdc16", "wwdc16-tvos" and "background-assets" [invalid-value]"#,
      #"3:13: error: "packSize" must not be negative, but is "-1" [invalid-value]"#,
      #"3:58: error: "initialInstallSize" takes a number of bytes or a text such as "64 MB" or null, not "#
        + #"a boolean [wrong-type]"#,
      #"4:17: error: "1" is no size; \#(sizeForm) [invalid-value]"#,
      #"4:35: error: "totalSize" takes a number of bytes or a text such as "64 MB" or null, not an array "#
        + #"[wrong-type]"#,
      #"4:56: error: "appBundleSize" takes a number of bytes or a text such as "64 MB" or null, not an "#
        + #"object [wrong-type]"#,
      #"5:12: error: "tagSize" takes \#(wholeNumberForm), not "1.5" [invalid-value]"#,
      #"5:30: error: "x" is no size; \#(sizeForm) [invalid-value]"#,
      #"5:51: error: "" is no size; \#(sizeForm) [invalid-value]"#,
      #"5:55: error: the key "size" is unknown; expected one of "profile", "packSize", "packCount", "#
        + #""initialInstallSize", "prefetchSize", "totalSize", "appBundleSize", "tagSize", "inUseSize" "#
        + #"and "cellularSize" [unknown-key]"#),
    BadManifest(
      "a comment, single quotes and a tab",
      member: #"""
        "exclude": ['*.psd', // layers
        "a\#tb", "c"]
        """#,
      #"2:13: error: expected a string in double quotes, found "'" [json-syntax]"#,
      #"2:22: error: expected no comment: JSON has none; use a "$comment" key, or name the file "Manifest.jsonc" [json-syntax]"#,
      #"3:3: error: expected "\t" in place of a control character in a string [json-syntax]"#),
  ]
}
