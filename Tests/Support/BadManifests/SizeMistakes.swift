extension BadManifest {
  /// Invalid numbers and sizes.
  static let sizes: [BadManifest] = [
    BadManifest(
      "a size below 0",
      member: #""appBundle": { "size": -1 }"#,
      #"2:24: error [invalid-value] "size" "-1""#),
    BadManifest(
      "a size with a fraction",
      member: #""appBundle": { "size": 1.5 }"#,
      #"2:24: error [invalid-value] "size" \#(wholeNumberForm) "1.5""#),
    BadManifest(
      "a size beyond 64 bits",
      member: #""appBundle": { "size": 9223372036854775808 }"#,
      #"2:24: error [invalid-value] "size" \#(wholeNumberForm) "9223372036854775808""#),
    BadManifest(
      "a number that no double holds",
      member: #""appBundle": { "size": 1e400 }"#,
      #"2:24: error [invalid-value] "size" \#(wholeNumberForm) "1e400""#),
    BadManifest(
      "a number beyond what a double tells apart",
      member: #""appBundle": { "size": 9007199254740993.0 }"#,
      #"2:24: error [invalid-value] "size" \#(wholeNumberForm) "9007199254740993.0""#),
    BadManifest(
      "a number of many digits",
      member: #""appBundle": { "size": 10000000000000000000000000000000000000000 }"#,
      #"2:24: error [invalid-value] "size" \#(wholeNumberForm) "10000000000000000000000000000000000000000""#),
    BadManifest(
      "a size without a unit",
      member: #""limits": { "packSize": "64" }"#,
      #"2:25: error [invalid-value] "64" \#(sizeForm)"#),
    BadManifest(
      "a size with an unknown unit",
      member: #""limits": { "packSize": "64 PB" }"#,
      #"2:25: error [invalid-value] "64 PB" \#(sizeForm)"#),
    BadManifest(
      "a size with a unit in lower case",
      member: #""limits": { "packSize": "64 mb" }"#,
      #"2:25: error [invalid-value] "64 mb" "64 MB""#),
    BadManifest(
      "a size with two spaces",
      member: #""limits": { "packSize": "64  MB" }"#,
      #"2:25: error [invalid-value] "64  MB" "64 MB""#),
    BadManifest(
      "a size with a space in front",
      member: #""limits": { "packSize": " 64 MB" }"#,
      #"2:25: error [invalid-value] " 64 MB" "64 MB""#),
    BadManifest(
      "a size with a decimal comma",
      member: #""limits": { "packSize": "1,5 GB" }"#,
      #"2:25: error [invalid-value] "1,5 GB" \#(sizeForm)"#),
    BadManifest(
      "a size with a minus sign",
      member: #""limits": { "packSize": "-64 MB" }"#,
      #"2:25: error [invalid-value] "-64 MB" \#(sizeForm)"#),
    BadManifest(
      "a size of a unit alone",
      member: #""limits": { "packSize": "MB" }"#,
      #"2:25: error [invalid-value] "MB" \#(sizeForm)"#),
    BadManifest(
      "a size without a digit before the point",
      member: #""limits": { "packSize": ".5 GB" }"#,
      #"2:25: error [invalid-value] ".5 GB" \#(sizeForm)"#),
    BadManifest(
      "a size with two points",
      member: #""limits": { "packSize": "1.2.3 GB" }"#,
      #"2:25: error [invalid-value] "1.2.3 GB" \#(sizeForm)"#),
    BadManifest(
      "a size in other digits",
      member: #""limits": { "packSize": "٦٤ MB" }"#,
      #"2:25: error [invalid-value] "٦٤ MB" \#(sizeForm)"#),
    BadManifest(
      "an empty size",
      member: #""limits": { "tagSize": "" }"#,
      #"2:24: error [invalid-value] "" \#(sizeForm)"#),
    BadManifest(
      "a count with a fraction",
      member: #""limits": { "packCount": 0.5 }"#,
      #"2:26: error [invalid-value] "packCount" \#(wholeNumberForm) "0.5""#),
    BadManifest(
      "a count below 0",
      member: #""limits": { "packCount": -5 }"#,
      #"2:26: error [invalid-value] "packCount" "-5""#),
  ]
}
