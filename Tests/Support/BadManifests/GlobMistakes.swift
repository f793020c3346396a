extension BadManifest {
  /// Invalid globs.
  static let globs: [BadManifest] = [
    BadManifest(
      "an empty glob",
      rule: #"{ "glob": "", "tags": ["Level 1"] }"#,
      "4:11: error [invalid-path]"),
    BadManifest(
      "an absolute glob",
      rule: #"{ "glob": "/**/*.png", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "/**/*.png""#),
    BadManifest(
      "a glob that leads out",
      rule: #"{ "glob": "../**", "tags": ["Level 1"] }"#,
      #"4:11: error [path-escapes-root] "../**""#),
    BadManifest(
      "a glob with backslashes",
      rule: #"{ "glob": "Levels\\*", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "Levels\\*""#),
    BadManifest(
      "a glob with an open bracket",
      rule: #"{ "glob": "Levels/[abc", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "Levels/[abc" "[""#),
    BadManifest(
      "a glob with an empty class",
      rule: #"{ "glob": "Levels/[]", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "Levels/[]" "[""#),
    BadManifest(
      "a glob with an open brace",
      rule: #"{ "glob": "Levels/{1,2", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "Levels/{1,2" "{""#),
    BadManifest(
      "a glob with an open brace in a brace",
      rule: #"{ "glob": "{Levels,{Music}/*", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "{Levels,{Music}/*" "{""#),
    BadManifest(
      "a glob whose brace stands for nothing",
      rule: #"{ "glob": "{Levels,}", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "{Levels,}""#),
    BadManifest(
      "a glob whose brace makes it absolute",
      rule: #"{ "glob": "{,Levels}/1", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "/1" "{,Levels}/1""#),
    BadManifest(
      "a glob whose brace leads out",
      rule: #"{ "glob": "Levels/{1,../../2}", "tags": ["Level 1"] }"#,
      #"4:11: error [path-escapes-root] "Levels/../../2" "Levels/{1,../../2}""#),
    BadManifest(
      "a glob of too many braces",
      rule: #"{ "glob": "{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}", "tags": ["Level 1"] }"#,
      #"4:11: error [invalid-path] "{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}" 1,024"#),
    BadManifest(
      "globs in what to exclude",
      member: #""exclude": ["", "/x", "..", "a/[", "{a"]"#,
      "2:13: error [invalid-path]",
      #"2:17: error [invalid-path] "/x""#,
      #"2:23: error [path-escapes-root] "..""#,
      #"2:29: error [invalid-path] "a/[" "[""#,
      #"2:36: error [invalid-path] "{a" "{""#),
  ]
}
