import Model
import Pipeline

extension BadManifest {
  /// Unknown keys.
  static let keys: [BadManifest] = [
    BadManifest(
      "a key with a wrong letter",
      member: #""roof": "Assets""#,
      #"2:1: error [unknown-key] "roof" "root""#),
    BadManifest(
      "a key with a letter missing",
      member: #""exclud": []"#,
      #"2:1: error [unknown-key] "exclud" "exclude""#),
    BadManifest(
      "a key with a letter too many",
      member: #""limitss": "app-store""#,
      #"2:1: error [unknown-key] "limitss" "limits""#),
    BadManifest(
      "a key with two letters swapped",
      member: #""contianer": "zip""#,
      #"2:1: error [unknown-key] "contianer" "container""#),
    BadManifest(
      "a key in upper case",
      member: #""ROOT": "Assets""#,
      #"2:1: error [unknown-key] "ROOT" "root""#),
    BadManifest(
      "a key in snake case",
      member: #""initial_install_tags": ["Level 1"]"#,
      #"2:1: error [unknown-key] "initial_install_tags" "initialInstallTags""#),
    BadManifest(
      "half a key",
      member: #""prefetchTags": ["Level 2"]"#,
      #"2:1: error [unknown-key] "prefetchTags" "prefetchTagOrder""#),
    BadManifest(
      "a schema without its sign",
      member: #""schema": "../Manifest.schema.json""#,
      #"2:1: error [unknown-key] "schema" "$schema""#),
    BadManifest(
      "a comment without its sign",
      member: #""comment": "of the game""#,
      #"2:1: error [unknown-key] "comment" "$comment""#),
    BadManifest(
      "a key like no other",
      member: #""whatever": {}"#,
      #"2:1: error [unknown-key] "whatever" \#(everyKey)"#),
    BadManifest(
      "a key of a later version",
      member: #""slices": []"#,
      #"2:1: error [unknown-key] "slices" \#(everyKey)"#),
    BadManifest(
      "an empty key",
      member: #""": 1"#,
      #"2:1: error [unknown-key] "" \#(everyKey)"#),
    BadManifest(
      "a key of spaces and control characters",
      member: #"" \n\u0007\u202e": 1"#,
      #"2:1: error [unknown-key] " \n\u{7}\u{202e}" \#(everyKey)"#),
    BadManifest(
      "a rule's key outside of a rule",
      member: #""destination": "Sound""#,
      #"2:1: error [unknown-key] "destination" \#(everyKey)"#),
    BadManifest(
      "several unknown keys",
      member: #""Root": "a", "excludes": [], "severities": {}"#,
      #"2:1: error [unknown-key] "Root" "root""#,
      #"2:14: error [unknown-key] "excludes" "exclude""#,
      #"2:30: error [unknown-key] "severities" "severity""#),
    BadManifest(
      "an unknown key in place of a needed one",
      #"{ "bundleIdentifer": "a.b", "resources": [{ "path": "x", "tags": ["y"] }] }"#,
      #"1:3: error [unknown-key] "bundleIdentifer" "bundleIdentifier""#),
    BadManifest(
      "a tag in place of tags",
      rule: #"{ "path": "Levels", "tag": ["Level 1"] }"#,
      #"4:21: error [unknown-key] "tag" "tags""#),
    BadManifest(
      "a misspelt path",
      rule: #"{ "pth": "Levels", "tags": ["Level 1"] }"#,
      #"4:3: error [unknown-key] "pth" "path""#),
    BadManifest(
      "a rule's key like no other",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "priority": 1 }"#,
      #"4:42: error [unknown-key] "priority" "path" "glob" "tags" "destination" "tagTemplates" "traits" "except" "otherwise""#
    ),
    BadManifest(
      "a schema within a rule",
      rule: #"{ "$schema": "x", "path": "Levels", "tags": ["Level 1"] }"#,
      #"4:3: error [unknown-key] "$schema" "path" "glob" "tags" "destination" "tagTemplates" "traits" "except" "otherwise""#
    ),
    BadManifest(
      "an unknown key of the app bundle",
      member: #""appBundle": { "bytes": 5, "size": 5 }"#,
      #"2:16: error [unknown-key] "bytes" "size" "path""#),
    BadManifest(
      "an unknown limit",
      member: #""limits": { "paksize": "64 MB", "packCounts": 5 }"#,
      #"2:13: error [unknown-key] "paksize" "packSize""#,
      #"2:33: error [unknown-key] "packCounts" "packCount""#),
    BadManifest(
      "a severity of an unknown check",
      member: #""severity": { "empty-files": "error" }"#,
      #"2:15: error [unknown-key] "empty-files" "empty-file""#),
    BadManifest(
      "a severity of what is near to no check",
      member: #""severity": { "all": "error" }"#,
      #"2:15: error [unknown-key] "all" "packtool checks""#),
  ]
}
