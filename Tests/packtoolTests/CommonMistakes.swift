import Testing

@testable import packtool

/// A mistake in a game with two levels.
struct CommonMistake: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Parts of the manifest's text, with the text that replaces each of them.
  var changes: [String: String] = [:]
  /// Additional files, with their contents.
  var files: [String: String] = [:]
  /// The command.
  ///
  /// `GAME` stands for the folder of the manifest.
  var words = ["validate", "GAME"]
  /// Strings that standard error or standard output must contain.
  ///
  /// Paths are relative to the folder of the manifest.
  let says: [String]
  /// Strings that the output must not contain.
  var silent: [String] = []
  var status = packtool.ExitStatus.inputHasErrors

  init(
    _ name: String, _ changes: [String: String] = [:], files: [String: String] = [:], words: [String] = [],
    says: String..., silent: [String] = [], status: packtool.ExitStatus = .inputHasErrors
  ) {
    testDescription = name
    self.changes = changes
    self.files = files
    if !words.isEmpty { self.words = words }
    self.says = says
    self.silent = silent
    self.status = status
  }
}

extension CommonMistake {
  static let tags: [CommonMistake] = [
    CommonMistake(
      "a slip in a rule's tag", [#"["Castle", "Forest"]"#: #"["Castel", "Forest"]"#],
      says: #"Manifest.json:7:43: warning [similar-tag] "Castel" 1 "Castle""#,
      status: .done),
    CommonMistake(
      "another case", [#"["Castle", "Forest"]"#: #"["castle", "Forest"]"#],
      says: #""castle" 1 "Castle""#, status: .done),
    CommonMistake(
      "a space too many", [#"["Castle", "Forest"]"#: #"["Castle", "Forest "]"#],
      says: #""Forest " 1 "Forest""#, status: .done),
    CommonMistake(
      "a slip with a list of all tags",
      [
        #""exclude": []"#: #""tags": ["Castle", "Forest"]"#,
        #"["Castle", "Forest"] }"#: #"["Castel", "Forest"] }"#,
      ],
      says:
        #"Manifest.json:7:43: error [unknown-tag] "tags" "Castel" "Castle""#
    ),
    CommonMistake(
      "a tag of a list that no rule gives",
      [#"initialInstallTags": ["Castle"]"#: #"initialInstallTags": ["Forrest"]"#],
      says: #"[unknown-tag] "Forrest" "Forest""#),
    CommonMistake(
      "a space around a tag", [#"["Castle", "Forest"]"#: #"[" Towers"]"#],
      says: #"Manifest.json:7:43: warning [similar-tag] " Towers" 1 "Towers""#, status: .done),
    CommonMistake(
      "tags as a string", [#""tags": ["Forest"]"#: #""tags": "Forest""#],
      says: #"[wrong-type] "tags" "Forest""#),
    CommonMistake(
      "two tags in one string", [#"["Castle", "Forest"]"#: #"["Castle, Forest"]"#],
      says: #"Manifest.json:7:43: warning [similar-tag] "Castle, Forest" 1 2 "Castle" "Forest" "tags""#,
      status: .done),
    CommonMistake(
      "two tags in one string of a list",
      [#"initialInstallTags": ["Castle"]"#: #"initialInstallTags": ["Castle, Forest"]"#],
      says: #"error [unknown-tag] "Castle, Forest" "Castle" "Forest""#),
    CommonMistake(
      "a tag with a comma that is not two tags", [#"["Castle", "Forest"]"#: #"["Castle, at night"]"#],
      says: "packtool: no findings", status: .done),
  ]

  static let paths: [CommonMistake] = [
    CommonMistake(
      "the root in front of a path", [#""path": "Castle""#: #""path": "Assets/Castle""#],
      says: #""Assets/Castle" "Assets" "Castle""#),
    CommonMistake(
      "a wildcard in a path", [#""path": "Castle""#: #""path": "Castle/*""#],
      says: #""path" "glob" "Castle/*""#),
    CommonMistake(
      "a glob that stays in one folder", [#""path": "Castle""#: #""glob": "*.ogg""#],
      says: #""*.ogg" "*" "**/*.ogg" 2"#),
    CommonMistake(
      "a glob for a folder", [#""path": "Castle""#: #""glob": "Cas*""#],
      says: #""Castle" "Cas*/**""#),
    CommonMistake(
      "a glob in another case", [#""path": "Castle""#: #""glob": "**/*.OGG""#],
      says: #""**/*.ogg" 2"#),
    CommonMistake(
      "a class in a glob for folders", [#""path": "Castle""#: #""glob": "[A-M]*""#],
      says: #""[A-M]*/**""#),
    CommonMistake(
      "a slip in a path", [#""path": "Castle""#: #""path": "castle""#],
      says: #"[no-match] "castle" "Castle""#),
    CommonMistake(
      "a regular expression with backslashes", [#""path": "Castle""#: #""glob": "Castle/.*\\.(ogg|json)""#],
      says: #"[invalid-path] "Castle/.*\\.(ogg|json)" "Castle/**/*.{ogg,json}""#),
    CommonMistake(
      "a regular expression without a glob of the same meaning",
      [#""path": "Castle""#: #""glob": "Castle/[^a]+\\.ogg$""#],
      says: #"[invalid-path] "Castle/[^a]+\\.ogg$" "Castle/*.ogg""#),
    CommonMistake(
      "a regular expression with a back reference", [#""path": "Castle""#: #""glob": "(C|D).*\\1""#],
      says: #"[invalid-path] "(C|D).*\\1" "*" "?" "[a-z]" "**" "{a,b}""#),
    CommonMistake(
      "a regular expression without backslashes", [#""path": "Castle""#: #""glob": "Castle/.*.(ogg|json)""#],
      says: #"[no-match] "Castle/.*.(ogg|json)" "Castle/**/*.{ogg,json}" 2"#),
    CommonMistake(
      "a regular expression as a path", [#""path": "Castle""#: #""path": "Castle/.*\\.ogg""#],
      says: #"[invalid-path] "Castle/.*\\.ogg" "glob" "Castle/**/*.ogg""#),
    CommonMistake(
      "a path of Windows is not a regular expression", [#""path": "Castle""#: #""path": "Castle\\data""#],
      says: #"[invalid-path] "Castle\\data""#, silent: ["regular expression"]),
    CommonMistake(
      "a path of Windows in JSON", [#""path": "Castle""#: #""path": "Castle\data\image.png""#],
      says: "Manifest.json:5:22: error [json-syntax]", #""/" "Castle/data/image.png""#, "packtool: 1 error, "),
    CommonMistake(
      "a path of Windows with a newline", [#""path": "Castle""#: #""path": "Castle\new\bits.png""#],
      says: "Manifest.json:5:15: error [invalid-path]", #""/" "Castle/new/bits.png""#,
      "packtool: 1 error, "),
    CommonMistake(
      "a path of Windows with a short escape", [#""path": "Castle""#: #""path": "Castle\ui.png""#],
      says: #""/" "Castle/ui.png""#, "packtool: 1 error, "),
    CommonMistake(
      "a regular expression with a wrong escape", [#""path": "Castle""#: #""glob": "Castle/level\d.png""#],
      says: "[json-syntax]", silent: ["Castle/level/d.png"]),
    CommonMistake(
      "a folder that was renamed",
      [#"{ "path": "Forest""#: #"{ "path": "Woods""#],
      says: #"Manifest.json:6:15: error [no-match] "Woods" "Assets""#, #"help "Forest""#),
    CommonMistake(
      "a file that was renamed",
      [#""path": "Shared/hero.png""#: #""path": "Shared/villain.png""#],
      says: #"[no-match] "Shared/villain.png" "Assets""#, #"help "Shared/hero.png""#),
    CommonMistake(
      "a folder that was renamed, or another one", [#"{ "path": "Forest""#: #"{ "path": "Woods""#],
      files: ["Assets/Cave/x": ""], says: #"[no-match] "Woods" "Assets""#, silent: ["perhaps"]),
    CommonMistake(
      "a root that is not there", [#""Assets""#: #""Asset""#],
      says: #"[invalid-path] "Asset" "Assets""#,
      silent: ["no-match"]),
    CommonMistake(
      "a wrong root is one error", [#""Assets""#: #""Other""#], files: ["Other/x": ""],
      says: #"[no-match] 3 "Other" "Assets""#,
      "packtool: 1 error, "),
    CommonMistake(
      "an exclude for the top folder only", [#""exclude": []"#: #""exclude": ["*.psd"]"#],
      files: ["Assets/Castle/hero.psd": "x"],
      says:
        #"[unused-exclude] "*.psd" "**/*.psd" 1"#,
      status: .done),
  ]

  static let texts: [CommonMistake] = [
    CommonMistake(
      "a key that begins right", [#""bundleIdentifier""#: #""bundleID""#],
      says: #"[unknown-key] "bundleID" "bundleIdentifier""#,
      "packtool: 1 error, "),
    CommonMistake(
      "a key with a word too many", [#""root""#: #""rootDir""#],
      says: #"[unknown-key] "rootDir" "root""#, "packtool: 1 error, "),
    CommonMistake(
      "a key of another tool", [#""resources""#: #""rules""#],
      says: #"[unknown-key] "rules" "resources""#, "packtool: 1 error, 0 warnings, 0 notes"),
    CommonMistake(
      "a key cut short", [#""path": "Castle""#: #""path": "Castle", "dest": "x""#],
      says: #"[unknown-key] "dest" "destination""#),
    CommonMistake(
      "a unit in small letters", [#""exclude": []"#: #""limits": { "packSize": "10 mb" }"#],
      says: #"[invalid-value] "10 mb" "10 MB""#),
    CommonMistake(
      "a unit with one small letter", [#""exclude": []"#: #""limits": { "packSize": "12 Mb" }"#],
      says: #"[invalid-value] "12 Mb" "12 MB""#),
    CommonMistake(
      "a level of another tool", [#""exclude": []"#: #""severity": { "tag-size": "off" }"#],
      says: #"[invalid-value] "off" "ignore""#),
    CommonMistake(
      "a manifest as a scenario", words: ["simulate", "GAME/Manifest.json", "GAME"],
      says: #"Manifest.json: error [invalid-value] "packtool simulate scenario.json Manifest.json""#,
      #"help "packtool simulate --players linear Manifest.json""#, #"help "packtool help scenarios""#,
      "packtool: 1 error, 0 warnings, 0 notes",
      silent: ["unknown-key", "bundleIdentifier", "uncompressed-sizes"]),
    CommonMistake(
      "guessed steps of a scenario",
      files: ["s.json": #"{"steps": [{"request": ["Castle"], "as": "a"}, {"wait": 10}, {"wait": "a"}]}"#],
      words: ["simulate", "GAME/s.json", "GAME"],
      says: #"s.json:1:13: error [unknown-key] "request" "begin" "begin" "Level 1" "as" "level 1""#,
      #"s.json:1:49: error [unknown-key] "wait" "play" "play" "10 s""#,
      #"s.json:1:63: error [unknown-key] "wait" "await""#, #"help "packtool help scenarios""#,
      "packtool: 3 errors, "),
    CommonMistake(
      "wrong values of steps",
      files: ["s.json": #"{"steps": [{"begin": ["Castle"]}, {"await": 1}, {"play": 10}]}"#],
      words: ["simulate", "GAME/s.json", "GAME"],
      says: #"s.json:1:12: error [missing-key] "as" "as" "level 1""#,
      #"s.json:1:45: error [wrong-type] "await" "level 1""#,
      #"s.json:1:58: error [wrong-type] "play" "10 s""#),
    CommonMistake(
      "a key twice with lists", [#""exclude": []"#: #""exclude": [], "exclude": ["x"]"#],
      says: #"[duplicate-key] "exclude""#),
    CommonMistake(
      "a key twice with objects", [#""exclude": []"#: #""limits": {}, "limits": {}"#],
      says: #"[duplicate-key] "limits""#),
    CommonMistake(
      "a key twice with strings", [#""exclude": []"#: #""untagged": "warn", "untagged": "allow""#],
      says: #"[duplicate-key] "untagged""#),
    CommonMistake(
      "a budget of the command line", words: ["plan", "GAME", "--set", "budgets.packs.Forrest=5kB"],
      says: #"packtool: error [unknown-pack] "budgets.packs" "Forrest" "Forest""#),
    CommonMistake(
      "a trailing comma", [#"["Castle"] },"#: #"["Castle",] },"#],
      says: "error [json-syntax]"),
    CommonMistake(
      "a missing comma", [#""Assets","#: #""Assets""#],
      says: "Manifest.json:3:19: error [json-syntax]"),
    CommonMistake(
      "a list that is not closed", ["\n  ],": ""],
      says: #"Manifest.json:7:64: error [json-syntax] 4 16 "]," "exclude""#, #"detail "[""#,
      "packtool: 1 error, "),
    CommonMistake(
      "a rule that is not closed", [#"["Castle"] },"#: #"["Castle"],"#],
      says: #"Manifest.json:5:43: error [json-syntax] 5 5 "}""#, #"detail "{""#, "packtool: 1 error, "),
    CommonMistake(
      "a curly quote", [#""root""#: "“root”"],
      says: "error [json-syntax]"),
    CommonMistake(
      "marks of a merge", [#"  "root""#: "<<<<<<< HEAD\n  \"root\""],
      says: "Manifest.json:3:1: error [json-syntax]"),
    CommonMistake(
      "a negative size", [#""exclude": []"#: #""appBundle": { "size": -5 }"#],
      says: #"[invalid-value] "size" "-5""#),
    CommonMistake(
      "a size in packtool's own words", [#""exclude": []"#: #""appBundle": { "size": "100 bytes" }"#],
      says: "packtool: no findings", status: .done),
    CommonMistake(
      "a path as a list", [#""path": "Castle""#: #""path": ["Castle"]"#],
      says: #"[wrong-type] "path""#, "packtool: 1 error, 0 warnings, 0 notes"),
    CommonMistake(
      "one rule in place of a list",
      ["\"resources\": [\n": "\"resources\": {\"x\": [\n", "\n  ],": "\n  ]},"],
      says: #"[wrong-type] "resources""#),
    CommonMistake(
      "a budget in another order", [#""exclude": []"#: #""budgets": { "packs": { "Forest+Castle": 500 } }"#],
      says: #""Forest+Castle" "Castle+Forest""#),
    CommonMistake(
      "a rule twice",
      [#"{ "path": "Forest", "tags": ["Forest"] }"#: #"{ "path": "Castle", "tags": ["Forest"] }"#],
      says: #"[duplicate-rule] "Castle""#, #"help "Forest""#),
    CommonMistake(
      "a rule twice with the same tags",
      [#"{ "path": "Forest", "tags": ["Forest"] }"#: #"{ "path": "Castle", "tags": ["Castle"] }"#],
      says: #"[duplicate-rule] "Castle""#, silent: ["different tags"]),
  ]

  static let files: [CommonMistake] = [
    CommonMistake(
      "a sound as the manifest", files: ["Assets/Castle/a.ogg": "OggS\0\u{2}\0\0"],
      words: ["validate", "GAME/Assets/Castle/a.ogg"],
      says: #"Assets/Castle/a.ogg: error [json-syntax]"#, #""Assets/Castle/../../Manifest.json""#,
      "packtool: 1 error, ", silent: ["\\u{", "\0"]),
    CommonMistake(
      "an unknown binary file as the manifest", files: ["Other/a.bin": "abc\0def"],
      words: ["validate", "GAME/Other/a.bin"],
      says: "Other/a.bin: error [json-syntax]", "packtool: 1 error, ", silent: ["\\u{", "\0"]),
    CommonMistake(
      "a manifest in YAML", files: ["m.yaml": "root: Assets\n"], words: ["validate", "GAME/m.yaml"],
      says: #"m.yaml: error [json-syntax] "packtool schema""#, "packtool: 1 error, "),
    CommonMistake(
      "an archive as a scenario", files: ["a.zip": "PK\u{3}\u{4}"],
      words: ["simulate", "GAME/a.zip", "GAME"],
      says: "a.zip: error [json-syntax]", "packtool: 1 error, 0 warnings, 0 notes"),
    CommonMistake(
      "a manifest of Background Assets",
      files: ["ba.json": #"{"assetPackID": "a", "fileSelectors": [{"directory": "Assets/Castle"}]}"#],
      words: ["validate", "GAME/ba.json"],
      says: #"ba.json: error [invalid-value] "packtool import ba.json -o New.json""#, "packtool: 1 error, "),
    CommonMistake(
      "a scenario as the manifest", files: ["s.json": #"{"steps": []}"#], words: ["validate", "GAME/s.json"],
      says: "s.json: error [invalid-value]", "packtool: 1 error, "),
    CommonMistake(
      "a web address as the manifest", words: ["validate", "https://a.b/Manifest.json"],
      says: #"error [missing-manifest] "https://a.b/Manifest.json""#, silent: ["init"]),
    CommonMistake(
      "a web address to serve", words: ["serve", "https://a.b/packs"],
      says: #"https://a.b/packs: error [missing-index] "https://a.b/packs""#, silent: ["does not exist"]),
    CommonMistake(
      "a web address to verify", words: ["verify", "https://a.b/packs"],
      says: #"https://a.b/packs: error [missing-index] "https://a.b/packs""#, silent: ["does not exist"]),
    CommonMistake(
      "a web address as the output", words: ["build", "GAME", "-o", "https://a.b/packs"],
      says: #"https://a.b/packs: error [foreign-output] "https://a.b/packs""#),
    CommonMistake(
      "the folder of the manifest as the output", words: ["build", "GAME", "-o", "GAME"],
      says: #"warning [output-in-root] "Manifest.json" "build/packs""#, status: .done),
    CommonMistake(
      "the folder of the root as the output", [#""Assets""#: #""Art/Assets""#],
      files: ["Art/Assets/Castle/x": ""],
      words: ["build", "GAME", "-o", "GAME/Art"],
      says: #"warning [output-in-root] "Art/Assets" "build/packs""#),
    CommonMistake(
      "a run in another folder", words: ["plan", "none.json"],
      says: #"none.json: error [missing-manifest]"#, #""packtool -C DIR build""#),
    CommonMistake(
      "a workspace without its project",
      files: [
        "App.xcworkspace/contents.xcworkspacedata":
          "<Workspace>\n <FileRef location = \"group:App.xcodeproj\">"
      ],
      words: ["import", "GAME/App.xcworkspace"],
      says: #"App.xcworkspace/contents.xcworkspacedata:2:2: error [missing-manifest] "App.xcodeproj""#),
    CommonMistake(
      "a folder without a project", words: ["import", "GAME/Assets"],
      says: #"error [missing-manifest] "Assets""#, silent: ["\"Assets/project.pbxproj\""]),
    CommonMistake(
      "a manifest for the assets of another manifest", words: ["init", "GAME/Assets"],
      says: #"Assets/Manifest.json: error [existing-file] "Assets/../Manifest.json""#, silent: ["wrote"]),
    CommonMistake(
      "a manifest for a folder that another manifest packs", words: ["init", "GAME/Assets/Castle"],
      says: #"Assets/Castle/Manifest.json: error [existing-file] "Assets/Castle/../../Manifest.json""#),
    CommonMistake(
      "a tag that Windows cannot store", [#"["Castle", "Forest"]"#: #"["Cas|tle"]"#],
      says: #"Manifest.json:7:43: warning [unportable-name] 1 "Cas|tle" "ignore""#, status: .done),
    CommonMistake(
      "a pointer in a submission",
      files: [
        "Assets/Shared/hero.png":
          "version https://git-lfs.github.com/spec/v1\noid sha256:\(String(repeating: "a", count: 64))\nsize 9\n"
      ], words: ["validate", "GAME", "--submission"],
      says: #"Assets/Shared/hero.png: error [lfs-pointer] "Shared/hero.png""#),
    CommonMistake(
      "a folder that was forgotten", files: ["Assets/Cave/map.json": "x", "Assets/Sea/a": "y"],
      words: ["validate", "GAME", "--severity", "untagged-file=warning"],
      says:
        #"Assets/Cave/map.json: warning [untagged-file] "Cave/map.json""#,
      status: .done),
    CommonMistake(
      "one of four folders that was forgotten",
      [#"{ "path": "Shared/hero.png""#: #"{ "path": "Shared""#], files: ["Assets/Cave/map.json": "x"],
      says:
        #"Assets/Cave: note [untagged-folder] "Cave" "Castle" "Forest" "Shared""#,
      status: .done),
    CommonMistake(
      "a list of what has no tags", files: ["Assets/Cave/map.json": "x"],
      words: ["plan", "GAME", "--untagged"],
      says: "  Cave: 1 file, 1 byte\n    1 byte  Cave/map.json\n", status: .done),
    CommonMistake(
      "a first download that the app itself makes large",
      [#""exclude": []"#: #""appBundle": { "size": 1500000000 }"#],
      says: "1,500,000,000 1.50 GB",
      "200,000,000 200 MB", "note",
      silent: ["the largest packs"], status: .done),
  ]

  static let commands: [CommonMistake] = [
    CommonMistake(
      "-out", words: ["build", "GAME", "-out", "packs"],
      says: #"error "-out" "--output""#),
    CommonMistake(
      "a flag twice", words: ["build", "GAME", "-o", "a", "-o", "b"],
      says: #"error "--output""#),
    CommonMistake(
      "a profile that ends right", words: ["validate", "GAME", "--limits", "ios18"],
      says: #""app-store-ios18""#),
    CommonMistake(
      "another store", words: ["plan", "GAME", "--limits", "google-play"],
      says: #""google-play" "limits" "packSize" "1.5 GB""#),
    CommonMistake(
      "a longer name of a store", words: ["plan", "GAME", "--limits", "app-store-connect"],
      says: #""app-store-connect" "app-store""#),
    CommonMistake(
      "a file without a format", words: ["validate", "GAME", "--diagnostics", "out/junit.xml"],
      says: #""out/junit.xml" "junit=out/junit.xml""#),
    CommonMistake(
      "a file that ends like a format", words: ["validate", "GAME", "--diagnostics", "results.sarif"],
      says: #""results.sarif" "sarif=results.sarif""#),
    CommonMistake(
      "a file that GitLab reads",
      words: ["validate", "GAME", "--diagnostics", "gl-code-quality-report.json"],
      says: #""codequality=gl-code-quality-report.json""#),
    CommonMistake(
      "a file without any format", words: ["validate", "GAME", "--diagnostics", "findings.log"],
      says: #""findings.log" "text=findings.log""#),
    CommonMistake(
      "a longer name of a format", words: ["validate", "GAME", "--diagnostics", "github-actions"],
      says: #""github-actions" "github""#),
    CommonMistake(
      "a slip in a format with a file", words: ["validate", "GAME", "--diagnostics", "jsn=a.json"],
      says: #""jsn" "json=a.json""#),
    CommonMistake(
      "the address of a host", words: ["build", "GAME", "-o", "packs", "--base-url", "https://a.b/c"],
      says: #"error "--base-url""#, silent: [#"argument "https"#]),
    CommonMistake(
      "a level of severity", words: ["validate", "GAME", "--severity", "unknown-tag=warn"],
      says: #""unknown-tag=warning""#),
    CommonMistake(
      "a slip in what is explained", words: ["explain", "Castel", "GAME"], says: #"error "Castel" "#,
      #""Castle""#,
      silent: ["0 errors"]),
    CommonMistake(
      "a flag that is a setting", words: ["build", "GAME", "-o", "packs", "--compress", "best"],
      says: #"error "--compress" "--set compression=best""#, silent: [#"argument "best""#]),
    CommonMistake(
      "a setting as a flag", words: ["build", "GAME", "-o", "packs", "--urlPrefix=https://a.b/"],
      says: #"error "--urlPrefix" "--set layout.urlPrefix=URL""#),
    CommonMistake(
      "a slip in a setting that was a flag", words: ["plan", "GAME", "--budget-updat", "5MB"],
      says: #"error "--budget-updat" "--set budgets.updateSize="#),
    CommonMistake(
      "a slip in a deprecated flag", words: ["build", "GAME", "-o", "packs", "--timing"],
      says: #"error "--timing" "--verbose""#),
    CommonMistake(
      "a slip in a removed flag", words: ["tags", "GAME", "--scan-job", "2"],
      says: #"error "--scan-job" "--scan-jobs""#),
    CommonMistake(
      "a format of a build", words: ["build", "GAME", "-o", "packs", "--format", "json"],
      says: #"error "--format" "--result FILE""#, silent: [#"argument "json""#]),
    CommonMistake(
      "a part of a network profile", words: ["simulate", "GAME/s.json", "GAME", "--link", "4G"],
      says: #"error "--link" "4G" "Slow 4G" "Fast 4G""#),
    CommonMistake(
      "a public key that signs", files: ["k": "untrusted comment: x\n\(SigningTests.publicKey)\n"],
      words: ["build", "GAME", "-o", "packs", "--sign", "GAME/k"], says: #"error "--sign" "k""#),
    CommonMistake(
      "a file without a key that signs", files: ["k": "x"],
      words: ["build", "GAME", "-o", "packs", "--sign", "GAME/k"], says: #"error "--sign" "k" "minisign"#),
    CommonMistake(
      "a key that does not exist", words: ["build", "GAME", "-o", "packs", "--sign", "GAME/none"],
      says: #"error "--sign" "none" "minisign"#),
    CommonMistake(
      "a secret key that verifies", files: ["k": SigningTests.key],
      words: ["verify", "GAME", "--public-key", "GAME/k"], says: #"error "--public-key" "k""#),
    CommonMistake(
      "a key that verifies and does not exist", words: ["verify", "GAME", "--public-key", "GAME/none"],
      says: #"error "--public-key" "none""#),
    CommonMistake("check", words: ["check"], says: #"error "check" "validate""#),
    CommonMistake("pack", words: ["pack"], says: #"error "pack" "build""#),
    CommonMistake("export", words: ["export"], says: #"error "export""#, silent: ["did you mean"]),
    CommonMistake("biuld", words: ["biuld"], says: #"error "biuld" "build""#),
    CommonMistake(
      "a folder without a manifest", words: ["build", "GAME/Assets"],
      says: #""--output""#, #""Assets/Manifest.json" "Assets""#, silent: ["init"]),
    CommonMistake(
      "threads", words: ["build", "GAME", "--threads", "3", "--color", "x"],
      says: #"error "--threads" "--jobs""#, silent: [#""3""#]),
    CommonMistake(
      "dry-run", words: ["build", "GAME", "--dry-run"],
      says: #"error "--dry-run" "packtool plan""#, silent: ["--output"]),
    CommonMistake(
      "clean", words: ["build", "GAME", "--clean", "-o", "packs"], says: #"error "--clean" "--no-cache""#),
    CommonMistake(
      "force", words: ["build", "GAME", "--force", "-o", "packs"], says: #"error "--force" "--no-cache""#),
    CommonMistake(
      "a manifest after a flag", words: ["build", "--manifest", "GAME/Manifest.json"],
      says: #"error "--manifest" "packtool build Manifest.json -o packs""#, silent: ["--output"]),
    CommonMistake(
      "-i", words: ["build", "-i", "GAME/Manifest.json"], says: #"error "-i" "packtool build"#,
      silent: ["--output"]),
    CommonMistake("-v", words: ["-v"], says: #"error "-v" "--version""#),
    CommonMistake("new", words: ["new"], says: #"error "new" "init""#),
    CommonMistake("add", words: ["add", "x"], says: #"error "add" "packtool help manifest""#),
    CommonMistake(
      "clean as a command", words: ["clean"], says: #"error "clean" "packtool build --no-cache""#),
    CommonMistake(
      "an output of init", words: ["init", "GAME/Assets", "-o", "Manifest.json"], says: #"error "-o" "init""#),
    CommonMistake(
      "a folder to write to without its flag", words: ["build", "GAME/packs"],
      says: #"error "packs" "-o"#, silent: ["--output", "init"]),
    CommonMistake(
      "a name with a space without quotes", words: ["explain", "Level", "1"],
      says: #"error "1" "Level 1""#, silent: ["init"]),
    CommonMistake(
      "a tag without its flag", words: ["unpack", "GAME", "Level 1", "-o", "d"],
      says: #"error "Level 1" "Level 1""#),
    CommonMistake(
      "a tag with a space without quotes", words: ["unpack", "GAME", "--tag", "Level", "1", "-o", "d"],
      says: #"error "1" "Level 1""#),
    CommonMistake("a folder that does not exist", words: ["init", "GAME/nope"], says: #"error "nope""#),
  ].map { mistake in
    var mistake: CommonMistake = mistake
    mistake.status = .usage
    return mistake
  }
}
