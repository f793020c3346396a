@testable import PackKit

extension BadManifest {
  /// Keys that nobody knows.
  static let keys: [BadManifest] = [
    BadManifest(
      "a key with a wrong letter",
      member: #""roof": "Assets""#,
      #"2:1: error: the key "roof" is unknown; did you mean "root"? [unknown-key]"#),
    BadManifest(
      "a key with a letter missing",
      member: #""exclud": []"#,
      #"2:1: error: the key "exclud" is unknown; did you mean "exclude"? [unknown-key]"#),
    BadManifest(
      "a key with a letter too many",
      member: #""limitss": "app-store""#,
      #"2:1: error: the key "limitss" is unknown; did you mean "limits"? [unknown-key]"#),
    BadManifest(
      "a key with two letters swapped",
      member: #""contianer": "zip""#,
      #"2:1: error: the key "contianer" is unknown; did you mean "container"? [unknown-key]"#),
    BadManifest(
      "a key in upper case",
      member: #""ROOT": "Assets""#,
      #"2:1: error: the key "ROOT" is unknown; did you mean "root"? [unknown-key]"#),
    BadManifest(
      "a key in snake case",
      member: #""initial_install_tags": ["Level 1"]"#,
      #"2:1: error: the key "initial_install_tags" is unknown; did you mean "initialInstallTags"? "#
        + #"[unknown-key]"#),
    BadManifest(
      "half a key",
      member: #""prefetchTags": ["Level 2"]"#,
      #"2:1: error: the key "prefetchTags" is unknown; did you mean "prefetchTagOrder"? [unknown-key]"#),
    BadManifest(
      "a schema without its sign",
      member: #""schema": "../Manifest.schema.json""#,
      #"2:1: error: the key "schema" is unknown; did you mean "$schema"? [unknown-key]"#),
    BadManifest(
      "a comment without its sign",
      member: #""comment": "of the game""#,
      #"2:1: error: the key "comment" is unknown; did you mean "$comment"? [unknown-key]"#),
    BadManifest(
      "a key like no other",
      member: #""whatever": {}"#,
      #"2:1: error: the key "whatever" is unknown; \#(everyKey) [unknown-key]"#),
    BadManifest(
      "a key of a later version",
      member: #""slices": []"#,
      #"2:1: error: the key "slices" is unknown; \#(everyKey) [unknown-key]"#),
    BadManifest(
      "an empty key",
      member: #""": 1"#,
      #"2:1: error: the key "" is unknown; \#(everyKey) [unknown-key]"#),
    BadManifest(
      "a key of spaces and control characters",
      member: #"" \n\u0007\u202e": 1"#,
      #"2:1: error: the key " \n\u{7}\u{202e}" is unknown; \#(everyKey) [unknown-key]"#),
    BadManifest(
      "a rule's key outside of a rule",
      member: #""destination": "Sound""#,
      #"2:1: error: the key "destination" is unknown; \#(everyKey) [unknown-key]"#),
    BadManifest(
      "several unknown keys",
      member: #""Root": "a", "excludes": [], "severities": {}"#,
      #"2:1: error: the key "Root" is unknown; did you mean "root"? [unknown-key]"#,
      #"2:14: error: the key "excludes" is unknown; did you mean "exclude"? [unknown-key]"#,
      #"2:30: error: the key "severities" is unknown; did you mean "severity"? [unknown-key]"#),
    BadManifest(
      "an unknown key in place of a needed one",
      #"{ "bundleIdentifer": "a.b", "resources": [{ "path": "x", "tags": ["y"] }] }"#,
      #"1:3: error: the key "bundleIdentifer" is unknown; did you mean "bundleIdentifier"? [unknown-key]"#),
    BadManifest(
      "a tag in place of tags",
      rule: #"{ "path": "Levels", "tag": ["Level 1"] }"#,
      #"4:21: error: the key "tag" is unknown; did you mean "tags"? [unknown-key]"#),
    BadManifest(
      "a misspelt path",
      rule: #"{ "pth": "Levels", "tags": ["Level 1"] }"#,
      #"4:3: error: the key "pth" is unknown; did you mean "path"? [unknown-key]"#),
    BadManifest(
      "a rule's key like no other",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "priority": 1 }"#,
      #"4:42: error: the key "priority" is unknown; expected one of "path", "glob", "tags", "#
        + #""destination", "tagTemplates" and "traits" [unknown-key]"#),
    BadManifest(
      "a schema within a rule",
      rule: #"{ "$schema": "x", "path": "Levels", "tags": ["Level 1"] }"#,
      #"4:3: error: the key "$schema" is unknown; expected one of "path", "glob", "tags", "#
        + #""destination", "tagTemplates" and "traits" [unknown-key]"#),
    BadManifest(
      "an unknown key of the app bundle",
      member: #""appBundle": { "bytes": 5, "size": 5 }"#,
      #"2:16: error: the key "bytes" is unknown; expected one of "size" and "path" [unknown-key]"#),
    BadManifest(
      "an unknown limit",
      member: #""limits": { "paksize": "64 MB", "packCounts": 5 }"#,
      #"2:13: error: the key "paksize" is unknown; did you mean "packSize"? [unknown-key]"#,
      #"2:33: error: the key "packCounts" is unknown; did you mean "packCount"? [unknown-key]"#),
    BadManifest(
      "a severity of an unknown check",
      member: #""severity": { "empty-files": "error" }"#,
      #"2:15: error: the key "empty-files" is unknown; did you mean "empty-file"? [unknown-key]"#),
    BadManifest(
      "a severity of what is near to no check",
      member: #""severity": { "all": "error" }"#,
      #"2:15: error: the key "all" is unknown; "packtool checks" lists them all [unknown-key]"#),
  ]
}
