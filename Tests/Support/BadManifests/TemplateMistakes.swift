import Model
import Pipeline

extension BadManifest {
  /// Tag templates that are invalid, or that refer to wildcards that the rule does not have.
  static let templates: [BadManifest] = [
    BadManifest(
      "a rule with neither tags nor templates", rule: #"{ "glob": "*/**" }"#,
      #"4:1: error [missing-key] "tags""#),
    BadManifest(
      "no template", rule: #"{ "glob": "*", "tagTemplates": [] }"#,
      #"4:32: error [invalid-value] "tagTemplates" 1"#),
    BadManifest(
      "templates that are a string", rule: #"{ "glob": "*", "tagTemplates": "$1" }"#,
      #"4:32: error [wrong-type] "tagTemplates" "$1""#),
    BadManifest(
      "a misspelt key of templates", rule: #"{ "glob": "*", "tagTemplate": ["$1"] }"#,
      #"4:16: error [unknown-key] "tagTemplate" "tagTemplates""#),
    BadManifest(
      "a template for a path", rule: #"{ "path": "Levels", "tagTemplates": ["$1"] }"#,
      #"4:38: error [invalid-value] "tagTemplates" "glob" "path""#
    ),
    BadManifest(
      "a dollar alone", rule: #"{ "glob": "*", "tagTemplates": ["Level $"] }"#,
      #"4:33: error [invalid-value] "Level $" "$" "$1" "$$""#),
    BadManifest(
      "a wildcard by name", rule: #"{ "glob": "*", "tagTemplates": ["Level $name"] }"#,
      #"4:33: error [invalid-value] "Level $name" "$" "$1" "$$""#),
    BadManifest(
      "wildcard 0", rule: #"{ "glob": "*", "tagTemplates": ["$0"] }"#,
      #"4:33: error [invalid-value] "$0" "$0" "$1" "$9999""#),
    BadManifest(
      "a number without end", rule: #"{ "glob": "*", "tagTemplates": ["$99999999999999999999"] }"#,
      #"4:33: error [invalid-value] "$99999999999999999999" "$99999999999999999999" "$1" "$9999""#),
    BadManifest(
      "a wildcard that is not there", rule: #"{ "glob": "Levels/*/**", "tagTemplates": ["$1", "$3"] }"#,
      #"4:49: error [invalid-value] "$3" 3 "Levels/*/**" 2"#),
    BadManifest(
      "a glob without wildcards", rule: #"{ "glob": "Levels/1", "tagTemplates": ["$1"] }"#,
      #"4:40: error [invalid-value] "$1" 1 "Levels/1""#),
    BadManifest(
      "a wildcard that one of two patterns lacks",
      rule: #"{ "glob": "{a/*,b}/*.png", "tagTemplates": ["$2"] }"#,
      #"4:45: error [invalid-value] "$2" 2 "b/*.png" 1"#
    ),
    BadManifest(
      "a template with a slash", rule: #"{ "glob": "*/*", "tagTemplates": ["$1/$2"] }"#,
      #"4:35: error [invalid-tag] "$1/$2" "/""#),
    BadManifest(
      "an empty template", rule: #"{ "glob": "*", "tagTemplates": [""] }"#,
      "4:33: error [invalid-tag]"),
    BadManifest(
      "a long glob",
      rule: "{ \"glob\": \"\(String(repeating: "a", count: 1024))*\", \"tagTemplates\": [\"$1\"] }",
      #"4:11: error [invalid-path] "tagTemplates" 1,024 bytes 64 "\#(String(repeating: "a", count: 300))…""#),
    BadManifest(
      "many braces", rule: #"{ "glob": "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}*", "tagTemplates": ["$1"] }"#,
      #"4:11: error [invalid-path] "tagTemplates" 1,024 bytes 64 "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}*""#),
  ]
}
