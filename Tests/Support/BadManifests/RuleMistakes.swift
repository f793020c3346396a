import System

extension BadManifest {
  /// Two rules for the same path or glob.
  static let rules: [BadManifest] = [
    BadManifest(
      "one path twice",
      rule: """
        { "path": "Levels/1", "tags": ["A"] },
        { "path": "Levels/1", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/1""#,
      "4:11: note"),
    BadManifest(
      "one path, once with a dot in front",
      rule: """
        { "path": "Levels/1", "tags": ["A"] },
        { "path": "./Levels/1", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "./Levels/1""#,
      "4:11: note"),
    BadManifest(
      "one path, once with two slashes",
      rule: """
        { "path": "Levels//1", "tags": ["A"] },
        { "path": "Levels/1", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/1""#,
      "4:11: note"),
    BadManifest(
      "one path, once with a slash behind it",
      rule: """
        { "path": "Levels/1/", "tags": ["A"] },
        { "path": "Levels/1", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/1""#,
      "4:11: note"),
    BadManifest(
      "one path, once with a dot in its middle",
      rule: """
        { "path": "Levels/1", "tags": ["A"] },
        { "path": "Levels/./1", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/./1""#,
      "4:11: note"),
    BadManifest(
      "one path, once with a way up",
      rule: """
        { "path": "Levels/1", "tags": ["A"] },
        { "path": "Levels/2/../1", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/2/../1""#,
      "4:11: note"),
    BadManifest(
      "the root twice",
      rule: """
        { "path": ".", "tags": ["A"] },
        { "path": "./", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "./""#,
      "4:11: note"),
    BadManifest(
      "one path, once with an escape",
      rule: #"""
        { "path": "Levels", "tags": ["A"] },
        { "path": "L\u0065vels", "tags": ["B"] }
        """#,
      #"5:11: error [duplicate-rule] "Levels""#,
      "4:11: note"),
    BadManifest(
      "one glob twice",
      rule: """
        { "glob": "Levels/*.png", "tags": ["A"] },
        { "glob": "Levels/*.png", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/*.png""#,
      "4:11: note"),
    BadManifest(
      "one glob, once with a dot in front",
      rule: """
        { "glob": "./Levels/*.png", "tags": ["A"] },
        { "glob": "Levels/*.png", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/*.png""#,
      "4:11: note"),
    BadManifest(
      "one glob, once with two slashes",
      rule: """
        { "glob": "Levels/*.png", "tags": ["A"] },
        { "glob": "Levels//*.png", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels//*.png""#,
      "4:11: note"),
    BadManifest(
      "two stars beside other characters",
      rule: #"{ "glob": "Levels/**.png", "tags": ["B"] }"#,
      #"4:11: error [invalid-path] "**" "Levels/**.png" "Levels/**/*.png""#
    ),
    BadManifest(
      "one glob, once with a brace of one",
      rule: """
        { "glob": "Levels/*.png", "tags": ["A"] },
        { "glob": "Levels/*.{png}", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/*.{png}""#,
      "4:11: note"),
    BadManifest(
      "one rule with the same tags and another destination",
      rule: """
        { "path": "Levels", "tags": ["A"] },
        { "path": "Levels", "tags": ["A"], "destination": "L" }
        """,
      #"5:11: error [duplicate-rule] "Levels""#,
      "4:11: note"),
    BadManifest(
      "one path twice and one glob twice",
      rule: """
        { "path": "L", "tags": ["A"] }, { "glob": "*", "tags": ["A"] },
        { "glob": "*", "tags": ["B"] }, { "path": "L", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "*""#,
      "4:43: note",
      #"5:43: error [duplicate-rule] "L""#,
      "4:11: note"),
    BadManifest(
      "one path, in two ways with a slash behind the dot",
      rule: """
        { "path": ".//Levels", "tags": ["A"] },
        { "path": "Levels/.", "tags": ["B"] }
        """,
      #"5:11: error [duplicate-rule] "Levels/.""#,
      "4:11: note"),
  ]
}
