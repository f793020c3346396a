extension BadManifest {
  /// Mistakes in the quotes of strings.
  static let strings: [BadManifest] = [
    BadManifest(
      "a value in single quotes",
      member: #""root": 'Assets'"#,
      #"2:9: error [json-syntax] "'""#),
    BadManifest(
      "a key in single quotes",
      member: #"'root': "Assets""#,
      #"2:1: error [json-syntax] "'""#),
    BadManifest(
      "a value in single quotes that is wrong too",
      member: #""root": '/Assets'"#,
      #"2:9: error [invalid-path] "/Assets""#,
      #"2:9: error [json-syntax] "'""#),
    BadManifest(
      "a value in curly quotes",
      member: #""root": “Assets”"#,
      "2:9: error [json-syntax]"),
    BadManifest(
      "a key in curly quotes",
      member: #"“root”: "Assets""#,
      "2:1: error [json-syntax]"),
    BadManifest(
      "a value in backquotes",
      member: #""root": `Assets`"#,
      #"2:9: error [json-syntax] "`""#),
    BadManifest(
      "a string that ends with its line",
      member: #""root": "Assets"#,
      "2:9: error [json-syntax]"),
    BadManifest(
      "a key that ends with its line",
      member: #""root: Assets"#,
      "2:1: error [json-syntax]"),
    BadManifest(
      "a string that ends with the file",
      #"{ "root": "Assets"#,
      "1:11: error [json-syntax]"),
    BadManifest(
      "a string that ends behind a backslash",
      #"{ "root": "Assets\"#,
      "1:11: error [json-syntax]"),
    BadManifest(
      "a last quote behind a backslash",
      member: #""root": "Assets\""#,
      "2:9: error [json-syntax]"),
    BadManifest(
      "a string over two lines",
      rule: """
        { "path": "Levels
        /1", "tags": ["Level 1"] }
        """,
      "4:11: error [json-syntax]"),
    BadManifest(
      "a backslash at the end of a line",
      rule: #"""
        { "path": "Levels\
        /1", "tags": ["Level 1"] }
        """#,
      "4:11: error [json-syntax]"),
  ]
}
