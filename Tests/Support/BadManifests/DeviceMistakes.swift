extension BadManifest {
  /// Invalid traits and devices.
  static let deviceMistakes: [BadManifest] = [
    BadManifest(
      "devices that are none",
      member: #""devices": ["iPhon17,1", 3, "iPad17,1", "phone"]"#,
      #"2:13: error [invalid-value] "iPhon17,1" "iPhone17,1""#,
      #"2:26: error [wrong-type] "devices""#,
      #"2:29: error [invalid-value] "iPad17,1" "iPad17,1-A" "iPad17,1-B""#,
      #"2:41: error [invalid-value] "phone" "packtool devices""#
    ),
    BadManifest(
      "a word for all devices that is none",
      member: #""devices": "al", "variantSuffixes": "yes""#,
      #"2:12: error [invalid-value] "al" "all""#,
      #"2:37: error [wrong-type] "variantSuffixes""#),
    BadManifest(
      "traits that make no sense",
      rule:
        #"{ "path": "x", "tags": ["A"], "traits": { "scale": 4, "memory": 0, "idiom": "iphone", "scael": 2, "gamut": 1 } }"#,
      #"4:52: error [invalid-value] "scale" 1 3 "4""#,
      #"4:65: error [invalid-value] "memory" 1 1,024 "0""#,
      #"4:77: error [invalid-value] "iphone" "phone""#,
      #"4:87: error [unknown-key] "scael" "scale""#,
      #"4:108: error [wrong-type] "gamut""#),
  ]
}
