@testable import System

extension BadManifest {
  /// Two rules for one path or glob.
  static let rules: [BadManifest] = [
    BadManifest(
      "one path twice",
      rule: """
        { "path": "Levels/1", "tags": ["A"] },
        { "path": "Levels/1", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/1" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one path, once with a dot in front",
      rule: """
        { "path": "Levels/1", "tags": ["A"] },
        { "path": "./Levels/1", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "./Levels/1" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one path, once with two slashes",
      rule: """
        { "path": "Levels//1", "tags": ["A"] },
        { "path": "Levels/1", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/1" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one path, once with a slash behind it",
      rule: """
        { "path": "Levels/1/", "tags": ["A"] },
        { "path": "Levels/1", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/1" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one path, once with a dot in its middle",
      rule: """
        { "path": "Levels/1", "tags": ["A"] },
        { "path": "Levels/./1", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/./1" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one path, once with a way up",
      rule: """
        { "path": "Levels/1", "tags": ["A"] },
        { "path": "Levels/2/../1", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/2/../1" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "the root twice",
      rule: """
        { "path": ".", "tags": ["A"] },
        { "path": "./", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "./" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one path, once with an escape",
      rule: #"""
        { "path": "Levels", "tags": ["A"] },
        { "path": "L\u0065vels", "tags": ["B"] }
        """#,
      #"5:11: error: a rule for "Levels" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one glob twice",
      rule: """
        { "glob": "Levels/*.png", "tags": ["A"] },
        { "glob": "Levels/*.png", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/*.png" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one glob, once with a dot in front",
      rule: """
        { "glob": "./Levels/*.png", "tags": ["A"] },
        { "glob": "Levels/*.png", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/*.png" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one glob, once with two slashes",
      rule: """
        { "glob": "Levels/*.png", "tags": ["A"] },
        { "glob": "Levels//*.png", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels//*.png" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "two stars beside other characters",
      rule: #"{ "glob": "Levels/**.png", "tags": ["B"] }"#,
      #"4:11: error: "**" in "Levels/**.png" is not a whole part between slashes, as any number of folders would be; use "Levels/**/*.png" [invalid-path]"#
    ),
    BadManifest(
      "one glob, once with a brace of one",
      rule: """
        { "glob": "Levels/*.png", "tags": ["A"] },
        { "glob": "Levels/*.{png}", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/*.{png}" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one rule with the same tags and another destination",
      rule: """
        { "path": "Levels", "tags": ["A"] },
        { "path": "Levels", "tags": ["A"], "destination": "L" }
        """,
      #"5:11: error: a rule for "Levels" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one path twice and one glob twice",
      rule: """
        { "path": "L", "tags": ["A"] }, { "glob": "*", "tags": ["A"] },
        { "glob": "*", "tags": ["B"] }, { "path": "L", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "*" is listed twice [duplicate-rule]"#,
      "4:43: note: the first is here",
      #"5:43: error: a rule for "L" is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
    BadManifest(
      "one path, in two ways with a slash behind the dot",
      rule: """
        { "path": ".//Levels", "tags": ["A"] },
        { "path": "Levels/.", "tags": ["B"] }
        """,
      #"5:11: error: a rule for "Levels/." is listed twice [duplicate-rule]"#,
      "4:11: note: the first is here"),
  ]
}
