extension BadManifest {
  /// Numbers and sizes that make no sense.
  static let sizes: [BadManifest] = [
    BadManifest(
      "a size below 0",
      member: #""appBundle": { "size": -1 }"#,
      #"2:24: error: "size" must not be negative, but is "-1" [invalid-value]"#),
    BadManifest(
      "a size with a fraction",
      member: #""appBundle": { "size": 1.5 }"#,
      #"2:24: error: "size" takes \#(wholeNumberForm), not "1.5" [invalid-value]"#),
    BadManifest(
      "a size beyond 64 bits",
      member: #""appBundle": { "size": 9223372036854775808 }"#,
      #"2:24: error: "size" takes \#(wholeNumberForm), not "9223372036854775808" [invalid-value]"#),
    BadManifest(
      "a number that no double holds",
      member: #""appBundle": { "size": 1e400 }"#,
      #"2:24: error: "size" takes \#(wholeNumberForm), not "1e400" [invalid-value]"#),
    BadManifest(
      "a number beyond what a double tells apart",
      member: #""appBundle": { "size": 9007199254740993.0 }"#,
      #"2:24: error: "size" takes \#(wholeNumberForm), not "9007199254740993.0" [invalid-value]"#),
    BadManifest(
      "a number of many digits",
      member: #""appBundle": { "size": 10000000000000000000000000000000000000000 }"#,
      #"2:24: error: "size" takes \#(wholeNumberForm), not "10000000000000000000000000000000000000000" "#
        + #"[invalid-value]"#),
    BadManifest(
      "a size without a unit",
      member: #""limits": { "packSize": "64" }"#,
      #"2:25: error: "64" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size with an unknown unit",
      member: #""limits": { "packSize": "64 PB" }"#,
      #"2:25: error: "64 PB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size with a unit in lower case",
      member: #""limits": { "packSize": "64 mb" }"#,
      #"2:25: error: "64 mb" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size with two spaces",
      member: #""limits": { "packSize": "64  MB" }"#,
      #"2:25: error: "64  MB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size with a space in front",
      member: #""limits": { "packSize": " 64 MB" }"#,
      #"2:25: error: " 64 MB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size with a decimal comma",
      member: #""limits": { "packSize": "1,5 GB" }"#,
      #"2:25: error: "1,5 GB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size with a minus sign",
      member: #""limits": { "packSize": "-64 MB" }"#,
      #"2:25: error: "-64 MB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size of a unit alone",
      member: #""limits": { "packSize": "MB" }"#,
      #"2:25: error: "MB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size without a digit before the point",
      member: #""limits": { "packSize": ".5 GB" }"#,
      #"2:25: error: ".5 GB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size with two points",
      member: #""limits": { "packSize": "1.2.3 GB" }"#,
      #"2:25: error: "1.2.3 GB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a size in other digits",
      member: #""limits": { "packSize": "٦٤ MB" }"#,
      #"2:25: error: "٦٤ MB" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "an empty size",
      member: #""limits": { "tagSize": "" }"#,
      #"2:24: error: "" is no size; \#(sizeForm) [invalid-value]"#),
    BadManifest(
      "a count with a fraction",
      member: #""limits": { "packCount": 0.5 }"#,
      #"2:26: error: "packCount" takes \#(wholeNumberForm), not "0.5" [invalid-value]"#),
    BadManifest(
      "a count below 0",
      member: #""limits": { "packCount": -5 }"#,
      #"2:26: error: "packCount" must not be negative, but is "-5" [invalid-value]"#),
  ]
}
