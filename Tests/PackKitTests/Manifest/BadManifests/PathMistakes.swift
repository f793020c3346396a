@testable import PackKit

extension BadManifest {
  /// Paths, destinations and roots that cannot be any.
  static let paths: [BadManifest] = [
    BadManifest(
      "an empty path",
      rule: #"{ "path": "", "tags": ["Level 1"] }"#,
      "4:11: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "an absolute path",
      rule: #"{ "path": "/Levels", "tags": ["Level 1"] }"#,
      #"4:11: error: "/Levels" is absolute; expected a path relative to the root folder [invalid-path]"#),
    BadManifest(
      "a path of one slash",
      rule: #"{ "path": "/", "tags": ["Level 1"] }"#,
      #"4:11: error: "/" is absolute; expected a path relative to the root folder [invalid-path]"#),
    BadManifest(
      "a path that leads out",
      rule: #"{ "path": "../Levels", "tags": ["Level 1"] }"#,
      #"4:11: error: "../Levels" leads out of the root folder [path-escapes-root]"#),
    BadManifest(
      "a path that is the folder above",
      rule: #"{ "path": "..", "tags": ["Level 1"] }"#,
      #"4:11: error: ".." leads out of the root folder [path-escapes-root]"#),
    BadManifest(
      "a path that leads out in its middle",
      rule: #"{ "path": "Levels/../../Music", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels/../../Music" leads out of the root folder [path-escapes-root]"#),
    BadManifest(
      "a path that leads out at its end",
      rule: #"{ "path": "Levels/../..", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels/../.." leads out of the root folder [path-escapes-root]"#),
    BadManifest(
      "a path that leads out, with a combining mark",
      rule: #"{ "path": "../\#u{301}Levels", "tags": ["Level 1"] }"#,
      #"4:11: error: "../\#u{301}Levels" leads out of the root folder [path-escapes-root]"#),
    BadManifest(
      "a path with backslashes",
      rule: #"{ "path": "Levels\\1", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels\\1" has a backslash; paths have forward slashes [invalid-path]"#),
    BadManifest(
      "a path of Windows",
      rule: #"{ "path": "C:\\Levels", "tags": ["Level 1"] }"#,
      #"4:11: error: "C:\\Levels" has a backslash; paths have forward slashes [invalid-path]"#),
    BadManifest(
      "a path with a line in it",
      rule: #"{ "path": "Levels\n1", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels\n1" has a control character [invalid-path]"#),
    BadManifest(
      "a path with a NUL",
      rule: #"{ "path": "Levels\u00001", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels\u{0}1" has a control character [invalid-path]"#),
    BadManifest(
      "a path with a DEL",
      rule: #"{ "path": "Levels\#u{7f}", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels\u{7f}" has a control character [invalid-path]"#),
    BadManifest(
      "an empty destination",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "" }"#,
      "4:57: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "an absolute destination",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "/L" }"#,
      #"4:57: error: "/L" is absolute; expected a path relative to the pack [invalid-path]"#),
    BadManifest(
      "a destination that leads out",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "L/../.." }"#,
      #"4:57: error: "L/../.." leads out of the pack [path-escapes-root]"#),
    BadManifest(
      "a destination that leads out, with a combining mark",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "../\#u{338}L" }"#,
      #"4:57: error: "../\#u{338}L" leads out of the pack [path-escapes-root]"#),
    BadManifest(
      "a destination with backslashes",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "L\\1" }"#,
      #"4:57: error: "L\\1" has a backslash; paths have forward slashes [invalid-path]"#),
    BadManifest(
      "a destination with a control character",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "L\t1" }"#,
      #"4:57: error: "L\t1" has a control character [invalid-path]"#),
    BadManifest(
      "a destination with a control character beyond ASCII",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "L\u0085\u009f" }"#,
      #"4:57: error: "L\u{85}\u{9f}" has a control character [invalid-path]"#),
    BadManifest(
      "an empty root",
      member: #""root": """#,
      "2:9: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "an absolute root",
      member: #""root": "/Users/me/Assets""#,
      #"2:9: error: "/Users/me/Assets" is absolute; expected a path relative to the manifest's folder "#
        + #"[invalid-path]"#),
    BadManifest(
      "a root with backslashes",
      member: #""root": "..\\Assets""#,
      #"2:9: error: "..\\Assets" has a backslash; paths have forward slashes [invalid-path]"#),
    BadManifest(
      "a root with a control character",
      member: #""root": "Assets\r""#,
      #"2:9: error: "Assets\r" has a control character [invalid-path]"#),
    BadManifest(
      "an empty path of the app bundle",
      member: #""appBundle": { "path": "" }"#,
      "2:24: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "an absolute path of the app bundle",
      member: #""appBundle": { "path": "/Game.app" }"#,
      #"2:24: error: "/Game.app" is absolute; expected a path relative to the manifest's folder "#
        + #"[invalid-path]"#),
    BadManifest(
      "a path of 400 letters",
      rule: #"{ "path": "/\#(String(repeating: "x", count: 400))", "tags": ["Level 1"] }"#,
      #"4:11: error: "/\#(String(repeating: "x", count: 299))…" is absolute; expected a path relative to "#
        + #"the root folder [invalid-path]"#),
    BadManifest(
      "a path with quotes and an arrow that turns the text",
      rule: #"{ "path": "/\"\u202e\u200b", "tags": ["Level 1"] }"#,
      #"4:11: error: "/\"\u{202e}\u{200b}" is absolute; expected a path relative to the root folder "#
        + #"[invalid-path]"#),
  ]
}
