@testable import PackKit

extension BadManifest {
  /// Tag templates that are none, or that their rule cannot fill.
  static let templates: [BadManifest] = [
    BadManifest(
      "a rule with neither tags nor templates", rule: #"{ "glob": "*/**" }"#,
      #"4:1: error: the key "tags" is missing [missing-key]"#),
    BadManifest(
      "no template", rule: #"{ "glob": "*", "tagTemplates": [] }"#,
      #"4:32: error: "tagTemplates" needs at least 1 element [invalid-value]"#),
    BadManifest(
      "templates that are a string", rule: #"{ "glob": "*", "tagTemplates": "$1" }"#,
      #"4:32: error: "tagTemplates" takes an array of strings; write ["$1"] [wrong-type]"#),
    BadManifest(
      "a misspelt key of templates", rule: #"{ "glob": "*", "tagTemplate": ["$1"] }"#,
      #"4:16: error: the key "tagTemplate" is unknown; did you mean "tagTemplates"? [unknown-key]"#),
    BadManifest(
      "a template for a path", rule: #"{ "path": "Levels", "tagTemplates": ["$1"] }"#,
      #"4:38: error: "tagTemplates" needs a "glob", whose wildcards it names; a "path" has none [invalid-value]"#
    ),
    BadManifest(
      "a dollar alone", rule: #"{ "glob": "*", "tagTemplates": ["Level $"] }"#,
      #"4:33: error: "Level $" has a "$" without a number; write "$1" for what the first wildcard matches, "$$" for "#
        + "a dollar [invalid-value]"),
    BadManifest(
      "a wildcard by name", rule: #"{ "glob": "*", "tagTemplates": ["Level $name"] }"#,
      #"4:33: error: "Level $name" has a "$" without a number; write "$1" for what the first wildcard matches, "#
        + #""$$" for a dollar [invalid-value]"#),
    BadManifest(
      "wildcard 0", rule: #"{ "glob": "*", "tagTemplates": ["$0"] }"#,
      #"4:33: error: "$0" has "$0"; wildcards are counted from "$1" to "$9999" [invalid-value]"#),
    BadManifest(
      "a number without end", rule: #"{ "glob": "*", "tagTemplates": ["$99999999999999999999"] }"#,
      #"4:33: error: "$99999999999999999999" has "$99999999999999999999"; wildcards are counted from "$1" to "#
        + #""$9999" [invalid-value]"#),
    BadManifest(
      "a wildcard that is not there", rule: #"{ "glob": "Levels/*/**", "tagTemplates": ["$1", "$3"] }"#,
      #"4:49: error: "$3" names wildcard 3, but "Levels/*/**" has only 2 [invalid-value]"#),
    BadManifest(
      "a glob without wildcards", rule: #"{ "glob": "Levels/1", "tagTemplates": ["$1"] }"#,
      #"4:40: error: "$1" names wildcard 1, but "Levels/1" has none [invalid-value]"#),
    BadManifest(
      "a wildcard that one of two patterns lacks",
      rule: #"{ "glob": "{a/*,b}/*.png", "tagTemplates": ["$2"] }"#,
      #"4:45: error: "$2" names wildcard 2, but "b/*.png", for which its braces stand, has only 1 [invalid-value]"#
    ),
    BadManifest(
      "a template with a slash", rule: #"{ "glob": "*/*", "tagTemplates": ["$1/$2"] }"#,
      #"4:35: error: the tag "$1/$2" has a "/", which pack names cannot hold [invalid-tag]"#),
    BadManifest(
      "an empty template", rule: #"{ "glob": "*", "tagTemplates": [""] }"#,
      #"4:33: error: a tag may not be empty [invalid-tag]"#),
    BadManifest(
      "a long glob",
      rule: "{ \"glob\": \"\(String(repeating: "a", count: 1024))*\", \"tagTemplates\": [\"$1\"] }",
      #"4:11: error: a glob with "tagTemplates" has at most 1,024 bytes and stands for at most 64 patterns; make "#
        + "several rules of \"\(String(repeating: "a", count: 300))…\" [invalid-path]"),
    BadManifest(
      "many braces", rule: #"{ "glob": "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}*", "tagTemplates": ["$1"] }"#,
      #"4:11: error: a glob with "tagTemplates" has at most 1,024 bytes and stands for at most 64 patterns; make "#
        + #"several rules of "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}*" [invalid-path]"#),
  ]
}
