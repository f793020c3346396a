import Foundation
@testable import Model
@testable import Pipeline
import Support
import Testing

/// A manifest without mistakes, and its name.
struct GoodManifest: Sendable {
  let name: String
  let text: String

  init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// Creates a manifest with one rule and some members.
  init(_ name: String, member: String) {
    self.init(
      name,
      #"{ "bundleIdentifier": "com.example.game", "resources": [{ "path": "x", "tags": ["A"] }], "#
        + member + " }"
    )
  }

  /// Creates a manifest with exactly these rules.
  init(_ name: String, rules: String) {
    self.init(name, #"{ "bundleIdentifier": "com.example.game", "resources": [\#(rules)] }"#)
  }

  static let all = examples + written + [everyKey]

  /// The manifests in the folder Examples.
  static let examples: [GoodManifest] = {
    let folder = URL(fileURLWithPath: packageFolder).appendingPathComponent("Examples")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().compactMap { name in
      let manifest = folder.appendingPathComponent(name).appendingPathComponent("Manifest.json")
      return (try? String(contentsOf: manifest, encoding: .utf8)).map { GoodManifest("Examples/\(name)", $0) }
    }
  }()

  /// A manifest with all keys.
  ///
  /// No key has its default value.
  static let everyKey = GoodManifest(
    "every key",
    #"""
    {
      "$schema": "../Manifest.schema.json",
      "$comment": "every key",
      "bundleIdentifier": "com.example.great-game_2",
      "root": "../Assets",
      "resources": [
        { "$comment": 1, "path": "Levels/1", "tags": ["Level 1", "Levels"], "destination": "First/" },
        { "glob": "Music/**/*.{ogg,wav}", "tags": ["Music"], "destination": "Sound",
          "traits": { "$comment": "big", "idiom": "pad", "scale": 2, "memory": 4, "graphics": "APPLE3v1", "gamut": "P3" } },
        { "glob": "Worlds/*/*_??.json", "tagTemplates": ["World $1", "$$$2$3$4"], "tags": ["Levels"] },
        { "path": "Sounds", "tags": ["Music"], "except": ["Sounds/voices/**"], "otherwise": true }
      ],
      "exclude": ["**/*.psd", "**/draft-?"],
      "tags": ["Level 1", "Levels", "Music", "not used yet"],
      "initialInstallTags": ["Level 1"],
      "prefetchTagOrder": ["Levels", "Music"],
      "appBundle": { "$comment": null, "size": 180000000 },
      "limits": {
        "$comment": [],
        "profile": "app-store-ios18",
        "packSize": "64 MB",
        "packCount": 200,
        "initialInstallSize": "1.5 GiB",
        "prefetchSize": null,
        "totalSize": 18000000000,
        "appBundleSize": "2GB",
        "tagSize": 0,
        "inUseSize": 1e9,
        "cellularSize": "200 kB"
      },
      "budgets": {
        "$comment": "a team's own",
        "updateSize": "20 MB",
        "packs": { "$comment": 2, "Level 1+Levels": "60 MB", "Music": 1000 },
        "growth": "2.5 %"
      },
      "untagged": "warn",
      "layout": {
        "$comment": "for the store",
        "name": "background-assets",
        "platforms": ["iOS", "tvOS"],
        "bundleVersion": "27",
        "idMap": "../ids.json",
        "ledger": "ledger.json",
        "urlPrefix": "https://example.com/packs/",
        "selfHosted": true,
        "deviceClass": "iPhone17,1"
      },
      "devices": ["iPhone17,1", "pad 2x P3 8 GB APPLE8"],
      "variantSuffixes": true,
      "container": "tar.zst",
      "merge": [["Level 1+Levels", "Music"]],
      "onUpdate": true,
      "packPrefix": true,
      "severity": { "$comment": {}, "empty-file": "error", "path-clash": "ignore", "no-match": "error" },
      "accept": [
        { "$comment": 3, "check": "duplicate-content", "path": "Music/**", "reason": "each level is whole" },
        { "check": "similar-tag", "reason": "both are meant" }
      ]
    }
    """#)

  private static let written: [GoodManifest] = [
    GoodManifest("one rule", rules: #"{ "path": "x", "tags": ["A"] }"#),
    GoodManifest(
      "no space at all", #"{"bundleIdentifier":"a","resources":[{"tags":["A"],"path":"x"}]}"#),
    GoodManifest(
      "a byte order mark",
      "\u{feff}" + #"{ "resources": [{ "glob": "*", "tags": ["A"] }], "bundleIdentifier": "a" }"#),
    GoodManifest(
      "tabs and lines as on Windows",
      #"{\#r\#n\#t"bundleIdentifier": "a.b",\#r\#n\#t"resources": [\#r\#n"#
        + #"{ "path": "x", "tags": [ "A"\#t] } ]\#r\#n}\#r\#n"#
    ),
    GoodManifest(
      "templates alone, and beside tags",
      rules: #"{ "glob": "*/{a,b}_[0-9]", "tagTemplates": ["$1-$2", "$$ plain"] }, "#
        + #"{ "tagTemplates": ["$1"], "tags": ["A"], "glob": "**", "destination": "x" }"#),
    GoodManifest("empty lists", member: #""exclude": [], "initialInstallTags": [], "prefetchTagOrder": []"#),
    GoodManifest("nothing to accept", member: #""accept": []"#),
    GoodManifest("empty objects", member: #""limits": {}, "severity": {}"#),
    GoodManifest(
      "comments of every type", member: #""$comment": { "a": [1, null, true, { "b": -0.5e-3 }] }"#),
    GoodManifest("empty budgets", member: #""budgets": { "packs": {} }"#),
    GoodManifest("growth of nothing", member: #""budgets": { "growth": "0%" }"#),
    GoodManifest("an unknown schema", member: #""$schema": """#),
    GoodManifest("a root two folders up", member: #""root": "../../Assets/./Game/""#),
    GoodManifest("a root that goes up and down", member: #""root": "a/../../b""#),
    GoodManifest("a folder for packs", member: #""container": "folder", "limits": "background-assets""#),
    GoodManifest("a gzipped tar", member: #""container": "tar.gz", "limits": "wwdc15""#),
    GoodManifest("a path for the app", member: #""appBundle": { "path": "../build/Game.app" }"#),
    GoodManifest("a text for the app's size", member: #""appBundle": { "size": "1.25 GiB" }"#),
    GoodManifest("a whole number with a point", member: #""appBundle": { "size": 180000000.0 }"#),
    GoodManifest("a whole number with an exponent", member: #""appBundle": { "size": 1.8E+8 }"#),
    GoodManifest("the largest number", member: #""limits": { "totalSize": 9223372036854775807 }"#),
    GoodManifest("a size in every unit", member: #""limits": {\#(everyUnit)}"#),
    GoodManifest(
      "no limit", member: #""limits": { "packSize": null, "packCount": null, "totalSize": null }"#),
    GoodManifest(
      "every severity",
      member: #""severity": { "empty-file": "error", "path-clash": "warning", "link-loop": "note", "#
        + #""special-file": "ignore", "unknown-tag": "error", "repeated-tag": "ignore" }"#),
    GoodManifest(
      "tags of many letters",
      rules:
        #"{ "path": "x", "tags": ["a:b", "+", " a ", ".", "..", "été", "レベル", "🏴‍☠️", "\\", "\""] }"#
    ),
    GoodManifest(
      "surrogate pairs", rules: #"{ "path": "\ud83d\ude00/\uD83D\uDE00\u0031", "tags": ["\ud83c\udff4"] }"#),
    GoodManifest("a slash with a backslash", rules: #"{ "path": "Levels\/1", "tags": ["A"] }"#),
    GoodManifest(
      "paths that stay inside",
      rules: #"{ "path": ".", "tags": ["A"] }, { "path": "a/../b//./c/", "tags": ["A"] }, "#
        + #"{ "path": "...", "tags": ["A"] }, { "path": "..a/b..", "tags": ["A"] }"#
    ),
    GoodManifest(
      "paths with wildcards that are names",
      rules:
        #"{ "path": "*", "tags": ["A"] }, { "path": "[a", "tags": ["A"] }, { "path": "{b", "tags": ["A"] }"#),
    GoodManifest(
      "globs of every form",
      rules: [
        "**", "**/a", "a/**", "*", "?.png", "[a-z]", "[!x]*", "[]]", "{a,b}/{c,{d,e}}", "a{,b}", "a}", ",",
      ]
      .map { #"{ "glob": "\#($0)", "tags": ["A"] }"# }.joined(separator: ", ")),
    GoodManifest(
      "one text as a path and as a glob",
      rules: #"{ "path": "a/b", "tags": ["A"] }, { "glob": "a/b", "tags": ["B"] }"#),
    GoodManifest(
      "one path in two Unicode forms",
      rules: #"{ "path": "\u00e9", "tags": ["A"] }, { "path": "e\u0301", "tags": ["B"] }"#),
    GoodManifest(
      "one path in two cases",
      rules: #"{ "path": "a", "tags": ["A"] }, { "path": "A", "tags": ["a"] }"#),
    GoodManifest(
      "destinations of every form",
      rules: [".", "./", "a", "a/", "a/b", "a/../b", "b c", "日本"].enumerated()
        .map { #"{ "path": "\#($0)", "tags": ["A"], "destination": "\#($1)" }"# }.joined(separator: ", ")),
  ]

  private static let everyUnit = zip(
    ["packSize", "prefetchSize", "totalSize", "appBundleSize", "tagSize", "inUseSize", "cellularSize"],
    ["1B", "2 kB", "3.5 KB", "4MB", "0.000001 TB", "6 KiB", "7.25TiB"]
  ).map { #""\#($0)": "\#($1)""# }.joined(separator: ", ")
}

extension GoodManifest: CustomTestStringConvertible {
  var testDescription: String { name }
}
