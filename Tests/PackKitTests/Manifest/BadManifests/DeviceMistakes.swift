extension BadManifest {
  /// Traits and devices that make no sense.
  static let deviceMistakes: [BadManifest] = [
    BadManifest(
      "devices that are none",
      member: #""devices": ["iPhon17,1", 3, "iPad17,1", "phone"]"#,
      #"2:13: error: "iPhon17,1" is no class of devices and no product type; did you mean "iPhone17,1"? [invalid-value]"#,
      #"2:26: error: each element of "devices" must be a string, not a number [wrong-type]"#,
      #"2:29: error: "iPad17,1" is sold with different memory; name one of "iPad17,1-A" and "iPad17,1-B" [invalid-value]"#,
      #"2:41: error: "phone" is no class of devices and no product type; "packtool devices" lists them all [invalid-value]"#
    ),
    BadManifest(
      "a word for all devices that is none",
      member: #""devices": "al", "variantSuffixes": "yes""#,
      #"2:12: error: "al" is unknown; did you mean "all"? [invalid-value]"#,
      #"2:37: error: "variantSuffixes" takes true or false, not a string [wrong-type]"#),
    BadManifest(
      "traits that make no sense",
      rule:
        #"{ "path": "x", "tags": ["A"], "traits": { "scale": 4, "memory": 0, "idiom": "iphone", "scael": 2, "gamut": 1 } }"#,
      #"4:52: error: "scale" takes a whole number from 1 to 3, not "4" [invalid-value]"#,
      #"4:65: error: "memory" takes a whole number from 1 to 1,024, not "0" [invalid-value]"#,
      #"4:77: error: "iphone" is unknown; did you mean "phone"? [invalid-value]"#,
      #"4:87: error: the key "scael" is unknown; did you mean "scale"? [unknown-key]"#,
      #"4:108: error: "gamut" takes a string, not a number [wrong-type]"#),
  ]
}
