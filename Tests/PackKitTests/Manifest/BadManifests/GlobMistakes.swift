extension BadManifest {
  /// Globs that cannot be any.
  static let globs: [BadManifest] = [
    BadManifest(
      "an empty glob",
      rule: #"{ "glob": "", "tags": ["Level 1"] }"#,
      "4:11: error: a path may not be empty [invalid-path]"),
    BadManifest(
      "an absolute glob",
      rule: #"{ "glob": "/**/*.png", "tags": ["Level 1"] }"#,
      #"4:11: error: "/**/*.png" is absolute; expected a path relative to the root folder [invalid-path]"#),
    BadManifest(
      "a glob that leads out",
      rule: #"{ "glob": "../**", "tags": ["Level 1"] }"#,
      #"4:11: error: "../**" leads out of the root folder [path-escapes-root]"#),
    BadManifest(
      "a glob with backslashes",
      rule: #"{ "glob": "Levels\\*", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels\\*" has a backslash; paths have forward slashes [invalid-path]"#),
    BadManifest(
      "a glob with an open bracket",
      rule: #"{ "glob": "Levels/[abc", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels/[abc" has a "[" that is never closed [invalid-path]"#),
    BadManifest(
      "a glob with an empty class",
      rule: #"{ "glob": "Levels/[]", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels/[]" has a "[" that is never closed [invalid-path]"#),
    BadManifest(
      "a glob with an open brace",
      rule: #"{ "glob": "Levels/{1,2", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels/{1,2" has a "{" that is never closed [invalid-path]"#),
    BadManifest(
      "a glob with an open brace in a brace",
      rule: #"{ "glob": "{Levels,{Music}/*", "tags": ["Level 1"] }"#,
      #"4:11: error: "{Levels,{Music}/*" has a "{" that is never closed [invalid-path]"#),
    BadManifest(
      "a glob whose brace stands for nothing",
      rule: #"{ "glob": "{Levels,}", "tags": ["Level 1"] }"#,
      #"4:11: error: a path may not be empty; the braces of "{Levels,}" stand for it [invalid-path]"#),
    BadManifest(
      "a glob whose brace makes it absolute",
      rule: #"{ "glob": "{,Levels}/1", "tags": ["Level 1"] }"#,
      #"4:11: error: "/1" is absolute; expected a path relative to the root folder; the braces of "#
        + #""{,Levels}/1" stand for it [invalid-path]"#),
    BadManifest(
      "a glob whose brace leads out",
      rule: #"{ "glob": "Levels/{1,../../2}", "tags": ["Level 1"] }"#,
      #"4:11: error: "Levels/../../2" leads out of the root folder; the braces of "Levels/{1,../../2}" "#
        + #"stand for it [path-escapes-root]"#),
    BadManifest(
      "a glob of too many braces",
      rule: #"{ "glob": "{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}", "tags": ["Level 1"] }"#,
      #"4:11: error: "{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}" stands for more than 1,024 "#
        + #"patterns; use fewer braces [invalid-path]"#),
    BadManifest(
      "globs in what to exclude",
      member: #""exclude": ["", "/x", "..", "a/[", "{a"]"#,
      "2:13: error: a path may not be empty [invalid-path]",
      #"2:17: error: "/x" is absolute; expected a path relative to the root folder [invalid-path]"#,
      #"2:23: error: ".." leads out of the root folder [path-escapes-root]"#,
      #"2:29: error: "a/[" has a "[" that is never closed [invalid-path]"#,
      #"2:36: error: "{a" has a "{" that is never closed [invalid-path]"#),
  ]
}
