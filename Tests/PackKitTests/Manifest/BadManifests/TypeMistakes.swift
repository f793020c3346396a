extension BadManifest {
  /// A value of the wrong type for each key.
  static let types: [BadManifest] = [
    BadManifest(
      "an array for the manifest",
      "[]",
      "1:1: error: the manifest must be an object, not an array [wrong-type]"),
    BadManifest(
      "a string for the manifest",
      #""com.example.game""#,
      "1:1: error: the manifest must be an object, not a string [wrong-type]"),
    BadManifest(
      "a number for the manifest",
      " 5",
      "1:2: error: the manifest must be an object, not a number [wrong-type]"),
    BadManifest(
      "a boolean for the manifest",
      "true",
      "1:1: error: the manifest must be an object, not a boolean [wrong-type]"),
    BadManifest(
      "null for the manifest",
      "null",
      "1:1: error: the manifest must be an object, not null [wrong-type]"),
    BadManifest(
      "a number for the schema",
      member: #""$schema": 7"#,
      #"2:12: error: "$schema" takes a string, not a number [wrong-type]"#),
    BadManifest(
      "null for the bundle identifier",
      #"{ "bundleIdentifier": null, "resources": [{ "path": "x", "tags": ["y"] }] }"#,
      #"1:23: error: "bundleIdentifier" takes a string, not null [wrong-type]"#),
    BadManifest(
      "an array for the bundle identifier",
      #"{ "bundleIdentifier": ["a.b"], "resources": [{ "path": "x", "tags": ["y"] }] }"#,
      #"1:23: error: "bundleIdentifier" takes a string, not an array [wrong-type]"#),
    BadManifest(
      "an array for the root",
      member: #""root": ["Assets"]"#,
      #"2:9: error: "root" takes a string, not an array [wrong-type]"#),
    BadManifest(
      "an object for the rules",
      #"{ "bundleIdentifier": "a.b", "resources": { "path": "x", "tags": ["y"] } }"#,
      #"1:43: error: "resources" takes an array of objects, not an object [wrong-type]"#),
    BadManifest(
      "a string for the rules",
      #"{ "bundleIdentifier": "a.b", "resources": "x", "initialInstallTags": ["y"] }"#,
      #"1:43: error: "resources" takes an array of objects, not a string [wrong-type]"#),
    BadManifest(
      "a string for a rule",
      rule: #""Levels""#,
      #"4:1: error: each element of "resources" must be an object, not a string [wrong-type]"#),
    BadManifest(
      "an array for a rule",
      rule: #"["Levels"]"#,
      #"4:1: error: each element of "resources" must be an object, not an array [wrong-type]"#),
    BadManifest(
      "null for a rule",
      rule: "null",
      #"4:1: error: each element of "resources" must be an object, not null [wrong-type]"#),
    BadManifest(
      "a number for a path",
      rule: #"{ "path": 1, "tags": ["Level 1"] }"#,
      #"4:11: error: "path" takes a string, not a number [wrong-type]"#),
    BadManifest(
      "an array for a path",
      rule: #"{ "path": ["Levels", "Music"], "tags": ["Level 1"] }"#,
      #"4:11: error: "path" takes a string, not an array [wrong-type]"#),
    BadManifest(
      "a boolean for a glob",
      rule: #"{ "glob": true, "tags": ["Level 1"] }"#,
      #"4:11: error: "glob" takes a string, not a boolean [wrong-type]"#),
    BadManifest(
      "a string for tags",
      rule: #"{ "path": "Levels", "tags": "Level 1" }"#,
      #"4:29: error: "tags" takes an array of strings; write ["Level 1"] [wrong-type]"#),
    BadManifest(
      "null for tags",
      rule: #"{ "path": "Levels", "tags": null }"#,
      #"4:29: error: "tags" takes an array of strings, not null [wrong-type]"#),
    BadManifest(
      "an object for tags",
      rule: #"{ "path": "Levels", "tags": { "Level 1": true } }"#,
      #"4:29: error: "tags" takes an array of strings, not an object [wrong-type]"#),
    BadManifest(
      "numbers for tags",
      rule: #"{ "path": "Levels", "tags": ["Level 1", 2, 3.5] }"#,
      #"4:41: error: each element of "tags" must be a string, not a number [wrong-type]"#,
      #"4:44: error: each element of "tags" must be a string, not a number [wrong-type]"#),
    BadManifest(
      "arrays and null for a tag",
      rule: #"{ "path": "Levels", "tags": [["Level 1"], null] }"#,
      #"4:30: error: each element of "tags" must be a string, not an array [wrong-type]"#,
      #"4:43: error: each element of "tags" must be a string, not null [wrong-type]"#),
    BadManifest(
      "an object for a destination",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": {} }"#,
      #"4:57: error: "destination" takes a string, not an object [wrong-type]"#),
    BadManifest(
      "a string for what to exclude",
      member: #""exclude": "*.psd""#,
      #"2:12: error: "exclude" takes an array of strings; write ["*.psd"] [wrong-type]"#),
    BadManifest(
      "a number among what to exclude",
      member: #""exclude": ["*.psd", 1]"#,
      #"2:22: error: each element of "exclude" must be a string, not a number [wrong-type]"#),
    BadManifest(
      "a string for the initial install",
      member: #""initialInstallTags": "Level 1""#,
      #"2:23: error: "initialInstallTags" takes an array of strings; write ["Level 1"] [wrong-type]"#),
    BadManifest(
      "an object in the initial install",
      member: #""initialInstallTags": [{ "tag": "Level 1" }]"#,
      #"2:24: error: each element of "initialInstallTags" must be a string, not an object [wrong-type]"#),
    BadManifest(
      "null for the prefetch order",
      member: #""prefetchTagOrder": null"#,
      #"2:21: error: "prefetchTagOrder" takes an array of strings, not null [wrong-type]"#),
    BadManifest(
      "a boolean in the prefetch order",
      member: #""prefetchTagOrder": ["Level 1", false]"#,
      #"2:33: error: each element of "prefetchTagOrder" must be a string, not a boolean [wrong-type]"#),
    BadManifest(
      "a number for the app bundle",
      member: #""appBundle": 180000000"#,
      #"2:14: error: "appBundle" takes an object, not a number [wrong-type]"#),
    BadManifest(
      "a boolean for the app bundle's size",
      member: #""appBundle": { "size": true }"#,
      #"2:24: error: "size" takes a number of bytes or a text such as "64 MB", not a boolean [wrong-type]"#),
    BadManifest(
      "null for the app bundle's size",
      member: #""appBundle": { "size": null }"#,
      #"2:24: error: "size" takes a number of bytes or a text such as "64 MB", not null [wrong-type]"#),
    BadManifest(
      "a number for the app bundle's path",
      member: #""appBundle": { "path": 1 }"#,
      #"2:24: error: "path" takes a string, not a number [wrong-type]"#),
    BadManifest(
      "a number for the limits",
      member: #""limits": 5"#,
      #"2:11: error: "limits" takes a string or an object, not a number [wrong-type]"#),
    BadManifest(
      "null for the limits",
      member: #""limits": null"#,
      #"2:11: error: "limits" takes a string or an object, not null [wrong-type]"#),
    BadManifest(
      "an array for the limits",
      member: #""limits": ["app-store"]"#,
      #"2:11: error: "limits" takes a string or an object, not an array [wrong-type]"#),
    BadManifest(
      "null for a profile",
      member: #""limits": { "profile": null }"#,
      #"2:24: error: "profile" takes a string, not null [wrong-type]"#),
    BadManifest(
      "a boolean for a size",
      member: #""limits": { "packSize": false }"#,
      #"2:25: error: "packSize" takes a number of bytes or a text such as "64 MB" or null, not a boolean "#
        + #"[wrong-type]"#),
    BadManifest(
      "an array for a size",
      member: #""limits": { "totalSize": [1] }"#,
      #"2:26: error: "totalSize" takes a number of bytes or a text such as "64 MB" or null, not an array "#
        + #"[wrong-type]"#),
    BadManifest(
      "a string for a count",
      member: #""limits": { "packCount": "200" }"#,
      #"2:26: error: "packCount" takes a whole number or null, not a string [wrong-type]"#),
    BadManifest(
      "null for the container",
      member: #""container": null"#,
      #"2:14: error: "container" takes a string, not null [wrong-type]"#),
    BadManifest(
      "an array for the container",
      member: #""container": ["zip", "folder"]"#,
      #"2:14: error: "container" takes a string, not an array [wrong-type]"#),
    BadManifest(
      "an array for the severities",
      member: #""severity": ["empty-file"]"#,
      #"2:13: error: "severity" takes an object, not an array [wrong-type]"#),
    BadManifest(
      "a boolean for a severity",
      member: #""severity": { "empty-file": false }"#,
      #"2:29: error: "empty-file" takes a string, not a boolean [wrong-type]"#),
    BadManifest(
      "an object for a severity",
      member: #""severity": { "empty-file": { "severity": "error" } }"#,
      #"2:29: error: "empty-file" takes a string, not an object [wrong-type]"#),
  ]
}
