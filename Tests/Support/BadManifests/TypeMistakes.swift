extension BadManifest {
  /// A value of the wrong type for each key.
  static let types: [BadManifest] = [
    BadManifest(
      "an array for the manifest",
      "[]",
      "1:1: error [wrong-type]"),
    BadManifest(
      "a string for the manifest",
      #""com.example.game""#,
      "1:1: error [wrong-type]"),
    BadManifest(
      "a number for the manifest",
      " 5",
      "1:2: error [wrong-type]"),
    BadManifest(
      "a boolean for the manifest",
      "true",
      "1:1: error [wrong-type]"),
    BadManifest(
      "null for the manifest",
      "null",
      "1:1: error [wrong-type]"),
    BadManifest(
      "a number for the schema",
      member: #""$schema": 7"#,
      #"2:12: error [wrong-type] "$schema""#),
    BadManifest(
      "null for the bundle identifier",
      #"{ "bundleIdentifier": null, "resources": [{ "path": "x", "tags": ["y"] }] }"#,
      #"1:23: error [wrong-type] "bundleIdentifier""#),
    BadManifest(
      "an array for the bundle identifier",
      #"{ "bundleIdentifier": ["a.b"], "resources": [{ "path": "x", "tags": ["y"] }] }"#,
      #"1:23: error [wrong-type] "bundleIdentifier""#),
    BadManifest(
      "an array for the root",
      member: #""root": ["Assets"]"#,
      #"2:9: error [wrong-type] "root""#),
    BadManifest(
      "an object for the rules",
      #"{ "bundleIdentifier": "a.b", "resources": { "path": "x", "tags": ["y"] } }"#,
      #"1:43: error [wrong-type] "resources""#),
    BadManifest(
      "a string for the rules",
      #"{ "bundleIdentifier": "a.b", "resources": "x", "initialInstallTags": ["y"] }"#,
      #"1:43: error [wrong-type] "resources""#),
    BadManifest(
      "a string for a rule",
      rule: #""Levels""#,
      #"4:1: error [wrong-type] "resources""#),
    BadManifest(
      "an array for a rule",
      rule: #"["Levels"]"#,
      #"4:1: error [wrong-type] "resources""#),
    BadManifest(
      "null for a rule",
      rule: "null",
      #"4:1: error [wrong-type] "resources""#),
    BadManifest(
      "a number for a path",
      rule: #"{ "path": 1, "tags": ["Level 1"] }"#,
      #"4:11: error [wrong-type] "path""#),
    BadManifest(
      "an array for a path",
      rule: #"{ "path": ["Levels", "Music"], "tags": ["Level 1"] }"#,
      #"4:11: error [wrong-type] "path""#),
    BadManifest(
      "a boolean for a glob",
      rule: #"{ "glob": true, "tags": ["Level 1"] }"#,
      #"4:11: error [wrong-type] "glob""#),
    BadManifest(
      "a string for tags",
      rule: #"{ "path": "Levels", "tags": "Level 1" }"#,
      #"4:29: error [wrong-type] "tags" "Level 1""#),
    BadManifest(
      "null for tags",
      rule: #"{ "path": "Levels", "tags": null }"#,
      #"4:29: error [wrong-type] "tags""#),
    BadManifest(
      "an object for tags",
      rule: #"{ "path": "Levels", "tags": { "Level 1": true } }"#,
      #"4:29: error [wrong-type] "tags""#),
    BadManifest(
      "numbers for tags",
      rule: #"{ "path": "Levels", "tags": ["Level 1", 2, 3.5] }"#,
      #"4:41: error [wrong-type] "tags""#,
      #"4:44: error [wrong-type] "tags""#),
    BadManifest(
      "arrays and null for a tag",
      rule: #"{ "path": "Levels", "tags": [["Level 1"], null] }"#,
      #"4:30: error [wrong-type] "tags""#,
      #"4:43: error [wrong-type] "tags""#),
    BadManifest(
      "an object for a destination",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": {} }"#,
      #"4:57: error [wrong-type] "destination""#),
    BadManifest(
      "a string for what to exclude",
      member: #""exclude": "*.psd""#,
      #"2:12: error [wrong-type] "exclude" "*.psd""#),
    BadManifest(
      "a number among what to exclude",
      member: #""exclude": ["*.psd", 1]"#,
      #"2:22: error [wrong-type] "exclude""#),
    BadManifest(
      "a string for what a rule leaves out",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "except": "*.psd" }"#,
      #"4:52: error [wrong-type] "except" "*.psd""#),
    BadManifest(
      "a bad glob in what a rule leaves out",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "except": ["a/["] }"#,
      #"4:53: error [invalid-path] "a/[" "[""#),
    BadManifest(
      "a text for the rest",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "otherwise": "true" }"#,
      #"4:55: error [wrong-type] "otherwise""#),
    BadManifest(
      "a string for the initial install",
      member: #""initialInstallTags": "Level 1""#,
      #"2:23: error [wrong-type] "initialInstallTags" "Level 1""#),
    BadManifest(
      "an object in the initial install",
      member: #""initialInstallTags": [{ "tag": "Level 1" }]"#,
      #"2:24: error [wrong-type] "initialInstallTags""#),
    BadManifest(
      "null for the prefetch order",
      member: #""prefetchTagOrder": null"#,
      #"2:21: error [wrong-type] "prefetchTagOrder""#),
    BadManifest(
      "a boolean in the prefetch order",
      member: #""prefetchTagOrder": ["Level 1", false]"#,
      #"2:33: error [wrong-type] "prefetchTagOrder""#),
    BadManifest(
      "a number for the app bundle",
      member: #""appBundle": 180000000"#,
      #"2:14: error [wrong-type] "appBundle""#),
    BadManifest(
      "a boolean for the app bundle's size",
      member: #""appBundle": { "size": true }"#,
      #"2:24: error [wrong-type] "size" "64 MB""#),
    BadManifest(
      "null for the app bundle's size",
      member: #""appBundle": { "size": null }"#,
      #"2:24: error [wrong-type] "size" "64 MB""#),
    BadManifest(
      "a number for the app bundle's path",
      member: #""appBundle": { "path": 1 }"#,
      #"2:24: error [wrong-type] "path""#),
    BadManifest(
      "a number for the limits",
      member: #""limits": 5"#,
      #"2:11: error [wrong-type] "limits""#),
    BadManifest(
      "null for the limits",
      member: #""limits": null"#,
      #"2:11: error [wrong-type] "limits""#),
    BadManifest(
      "an array for the limits",
      member: #""limits": ["app-store"]"#,
      #"2:11: error [wrong-type] "limits""#),
    BadManifest(
      "null for a profile",
      member: #""limits": { "profile": null }"#,
      #"2:24: error [wrong-type] "profile""#),
    BadManifest(
      "a boolean for a size",
      member: #""limits": { "packSize": false }"#,
      #"2:25: error [wrong-type] "packSize" "64 MB""#),
    BadManifest(
      "an array for a size",
      member: #""limits": { "totalSize": [1] }"#,
      #"2:26: error [wrong-type] "totalSize" "64 MB""#),
    BadManifest(
      "a string for a count",
      member: #""limits": { "packCount": "200" }"#,
      #"2:26: error [wrong-type] "packCount""#),
    BadManifest(
      "null for the container",
      member: #""container": null"#,
      #"2:14: error [wrong-type] "container""#),
    BadManifest(
      "an array for the container",
      member: #""container": ["zip", "folder"]"#,
      #"2:14: error [wrong-type] "container""#),
    BadManifest(
      "an array for the severities",
      member: #""severity": ["empty-file"]"#,
      #"2:13: error [wrong-type] "severity""#),
    BadManifest(
      "a boolean for a severity",
      member: #""severity": { "empty-file": false }"#,
      #"2:29: error [wrong-type] "empty-file""#),
    BadManifest(
      "an object for a severity",
      member: #""severity": { "empty-file": { "severity": "error" } }"#,
      #"2:29: error [wrong-type] "empty-file""#),
  ]
}
