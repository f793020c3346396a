extension BadManifest {
  /// Numbers and literals that JSON does not have.
  static let numbers: [BadManifest] = [
    BadManifest(
      "a key of digits",
      member: #"1: "Assets""#,
      #"2:1: error [json-syntax] "1""#,
      #"2:1: error [unknown-key] "1" \#(everyKey)"#),
    BadManifest(
      "literals of Python",
      member: #""appBundle": { "size": None }, "$comment": [True, False]"#,
      #"2:24: error [json-syntax] "None""#,
      #"2:45: error [json-syntax] "True""#,
      #"2:51: error [json-syntax] "False""#),
    BadManifest(
      "literals of JavaScript",
      member: #""$comment": [undefined, NaN, Infinity, -Infinity]"#,
      #"2:14: error [json-syntax] "undefined""#,
      #"2:25: error [json-syntax] "NaN""#,
      #"2:30: error [json-syntax] "Infinity""#,
      #"2:40: error [json-syntax] "-Infinity""#),
    BadManifest(
      "literals in upper case",
      member: #""$comment": [TRUE, Null]"#,
      #"2:14: error [json-syntax] "TRUE""#,
      #"2:20: error [json-syntax] "Null""#),
    BadManifest(
      "zeros in front",
      member: #""appBundle": { "size": 0180 }"#,
      #"2:24: error [json-syntax] "0180""#),
    BadManifest(
      "a plus sign",
      member: #""appBundle": { "size": +180 }"#,
      #"2:24: error [json-syntax] "+180""#),
    BadManifest(
      "a minus sign alone",
      member: #""appBundle": { "size": - }"#,
      #"2:24: error [json-syntax] "-""#),
    BadManifest(
      "no digit before the point",
      member: #""appBundle": { "size": .5 }"#,
      #"2:24: error [json-syntax] ".5""#),
    BadManifest(
      "no digit behind the point",
      member: #""appBundle": { "size": 5. }"#,
      #"2:24: error [json-syntax] "5.""#),
    BadManifest(
      "no digit in the exponent",
      member: #""appBundle": { "size": 1e }"#,
      #"2:24: error [json-syntax] "1e""#),
    BadManifest(
      "a sign alone in the exponent",
      member: #""appBundle": { "size": 1E+ }"#,
      #"2:24: error [json-syntax] "1E+""#),
    BadManifest(
      "a hexadecimal number",
      member: #""appBundle": { "size": 0xB400 }"#,
      #"2:24: error [json-syntax] "0xB400""#),
    BadManifest(
      "underscores in a number",
      member: #""appBundle": { "size": 180_000_000 }"#,
      #"2:24: error [json-syntax] "180_000_000""#),
    BadManifest(
      "commas in a number",
      member: #""appBundle": { "size": 180,000 }"#,
      #"2:28: error [json-syntax] "000""#,
      #"2:32: error [json-syntax] ":" "000" "}""#),
    BadManifest(
      "a unit without quotes",
      member: #""appBundle": { "size": 180MB }"#,
      #"2:24: error [json-syntax] "180MB""#),
    BadManifest(
      "a unit behind a space, without quotes",
      member: #""appBundle": { "size": 180 MB }"#,
      #"2:28: error [json-syntax] "," "}" "MB""#),
  ]
}
