import Model
import Pipeline

extension BadManifest {
  /// Invalid paths, destinations and roots.
  static let paths: [BadManifest] = [
    BadManifest(
      "an empty path",
      rule: #"{ "path": "", "tags": ["Level 1"] }"#,
      "4:11: error [invalid-path]"),
    BadManifest(
      "an absolute path",
      rule: #"{ "path": "/Levels", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "/Levels""#),
    BadManifest(
      "a path of one slash",
      rule: #"{ "path": "/", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "/""#),
    BadManifest(
      "a path that leads out",
      rule: #"{ "path": "../Levels", "tags": ["Level 1"] }"#,
      #"4:11: error [path-escapes-root] "../Levels""#),
    BadManifest(
      "a path that is the folder above",
      rule: #"{ "path": "..", "tags": ["Level 1"] }"#,
      #"4:11: error [path-escapes-root] "..""#),
    BadManifest(
      "a path that leads out in its middle",
      rule: #"{ "path": "Levels/../../Music", "tags": ["Level 1"] }"#,
      #"4:11: error [path-escapes-root] "Levels/../../Music""#),
    BadManifest(
      "a path that leads out at its end",
      rule: #"{ "path": "Levels/../..", "tags": ["Level 1"] }"#,
      #"4:11: error [path-escapes-root] "Levels/../..""#),
    BadManifest(
      "a path that leads out, with a combining mark",
      rule: #"{ "path": "../\#u{301}Levels", "tags": ["Level 1"] }"#,
      #"4:11: error [path-escapes-root] "../́Levels""#),
    BadManifest(
      "a path with backslashes",
      rule: #"{ "path": "Levels\\1", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "Levels\\1""#),
    BadManifest(
      "a path of Windows",
      rule: #"{ "path": "C:\\Levels", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "C:\\Levels""#),
    BadManifest(
      "a path with a line in it",
      rule: #"{ "path": "Levels\n1", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "Levels\n1" "/" "Levels/n1""#),
    BadManifest(
      "a path with a NUL",
      rule: #"{ "path": "Levels\u00001", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "Levels\u{0}1""#),
    BadManifest(
      "a path with a DEL",
      rule: #"{ "path": "Levels\#u{7f}", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "Levels\u{7f}""#),
    BadManifest(
      "an empty destination",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "" }"#,
      "4:57: error [invalid-path]"),
    BadManifest(
      "an absolute destination",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "/L" }"#,
      #"4:57: error [invalid-path] "/L""#),
    BadManifest(
      "a destination that leads out",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "L/../.." }"#,
      #"4:57: error [path-escapes-root] "L/../..""#),
    BadManifest(
      "a destination that leads out, with a combining mark",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "../\#u{338}L" }"#,
      #"4:57: error [path-escapes-root] "../̸L""#),
    BadManifest(
      "a destination with backslashes",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "L\\1" }"#,
      #"4:57: error [invalid-path] "L\\1""#),
    BadManifest(
      "a destination with a control character",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "L\t1" }"#,
      #"4:57: error [invalid-path] "L\t1" "/" "L/t1""#),
    BadManifest(
      "a destination with a control character beyond ASCII",
      rule: #"{ "path": "Levels", "tags": ["Level 1"], "destination": "L\u0085\u009f" }"#,
      #"4:57: error [invalid-path] "L\u{85}\u{9f}""#),
    BadManifest(
      "an empty root",
      member: #""root": """#,
      "2:9: error [invalid-path]"),
    BadManifest(
      "an absolute root",
      member: #""root": "/Users/me/Assets""#,
      #"2:9: error [invalid-path] "/Users/me/Assets""#),
    BadManifest(
      "a root with backslashes",
      member: #""root": "..\\Assets""#,
      #"2:9: error [invalid-path] "..\\Assets""#),
    BadManifest(
      "a root with a control character",
      member: #""root": "Assets\r""#,
      #"2:9: error [invalid-path] "Assets\r" "/" "Assets/r""#),
    BadManifest(
      "an empty path of the app bundle",
      member: #""appBundle": { "path": "" }"#,
      "2:24: error [invalid-path]"),
    BadManifest(
      "an absolute path of the app bundle",
      member: #""appBundle": { "path": "/Game.app" }"#,
      #"2:24: error [invalid-path] "/Game.app""#),
    BadManifest(
      "a path of 400 letters",
      rule: #"{ "path": "/\#(String(repeating: "x", count: 400))", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "/\#(String(repeating: "x", count: 299))…""#),
    BadManifest(
      "a path with quotes and an arrow that turns the text",
      rule: #"{ "path": "/\"\u202e\u200b", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "/\"\u{202e}\u{200b}""#),
  ]
}
