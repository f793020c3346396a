extension BadManifest {
  /// Numbers and literals that JSON does not have.
  static let numbers: [BadManifest] = [
    BadManifest(
      "a key of digits",
      member: #"1: "Assets""#,
      #"2:1: error: expected a key in double quotes, found "1" [json-syntax]"#,
      #"2:1: error: the key "1" is unknown; \#(everyKey) [unknown-key]"#),
    BadManifest(
      "literals of Python",
      member: #""appBundle": { "size": None }, "$comment": [True, False]"#,
      #"2:24: error: expected a value, found "None" [json-syntax]"#,
      #"2:45: error: expected a value, found "True" [json-syntax]"#,
      #"2:51: error: expected a value, found "False" [json-syntax]"#),
    BadManifest(
      "literals of JavaScript",
      member: #""$comment": [undefined, NaN, Infinity, -Infinity]"#,
      #"2:14: error: expected a value, found "undefined" [json-syntax]"#,
      #"2:25: error: expected a value, found "NaN" [json-syntax]"#,
      #"2:30: error: expected a value, found "Infinity" [json-syntax]"#,
      #"2:40: error: expected a number as JSON writes it, found "-Infinity" [json-syntax]"#),
    BadManifest(
      "literals in upper case",
      member: #""$comment": [TRUE, Null]"#,
      #"2:14: error: expected a value, found "TRUE" [json-syntax]"#,
      #"2:20: error: expected a value, found "Null" [json-syntax]"#),
    BadManifest(
      "zeros in front",
      member: #""appBundle": { "size": 0180 }"#,
      #"2:24: error: expected a number as JSON writes it, found "0180" [json-syntax]"#),
    BadManifest(
      "a plus sign",
      member: #""appBundle": { "size": +180 }"#,
      #"2:24: error: expected a number as JSON writes it, found "+180" [json-syntax]"#),
    BadManifest(
      "a minus sign alone",
      member: #""appBundle": { "size": - }"#,
      #"2:24: error: expected a number as JSON writes it, found "-" [json-syntax]"#),
    BadManifest(
      "no digit before the point",
      member: #""appBundle": { "size": .5 }"#,
      #"2:24: error: expected a number as JSON writes it, found ".5" [json-syntax]"#),
    BadManifest(
      "no digit behind the point",
      member: #""appBundle": { "size": 5. }"#,
      #"2:24: error: expected a number as JSON writes it, found "5." [json-syntax]"#),
    BadManifest(
      "no digit in the exponent",
      member: #""appBundle": { "size": 1e }"#,
      #"2:24: error: expected a number as JSON writes it, found "1e" [json-syntax]"#),
    BadManifest(
      "a sign alone in the exponent",
      member: #""appBundle": { "size": 1E+ }"#,
      #"2:24: error: expected a number as JSON writes it, found "1E+" [json-syntax]"#),
    BadManifest(
      "a hexadecimal number",
      member: #""appBundle": { "size": 0xB400 }"#,
      #"2:24: error: expected a number as JSON writes it, found "0xB400" [json-syntax]"#),
    BadManifest(
      "underscores in a number",
      member: #""appBundle": { "size": 180_000_000 }"#,
      #"2:24: error: expected a number as JSON writes it, found "180_000_000" [json-syntax]"#),
    BadManifest(
      "commas in a number",
      member: #""appBundle": { "size": 180,000 }"#,
      #"2:28: error: expected a key in double quotes, found "000" [json-syntax]"#,
      #"2:32: error: expected ":" after the key "000", found "}" [json-syntax]"#),
    BadManifest(
      "a unit without quotes",
      member: #""appBundle": { "size": 180MB }"#,
      #"2:24: error: expected a number as JSON writes it, found "180MB" [json-syntax]"#),
    BadManifest(
      "a unit behind a space, without quotes",
      member: #""appBundle": { "size": 180 MB }"#,
      #"2:28: error: expected "," or "}", found "MB" [json-syntax]"#),
  ]
}
