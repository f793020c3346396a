@testable import Formats
@testable import Pipeline
@testable import System
import Foundation
import Support
import Synchronization

/// Inputs that provoke checks in other ways than the samples, because the samples do not cause all messages.
///
/// Each variant runs once, in an empty folder. Its findings are added to the snapshots of the checks, one
/// finding for each form of a message.
enum CheckVariant {
  static let all: [CheckSample.Provoke] =
    ofCommandLines + ofManifests + ofProjects + ofReleases + ofBackgroundAssets + ofPlay

  /// The findings of the variants.
  struct Outcome: Sendable {
    /// The findings by the ids of their checks, in the order of the variants.
    var found: [String: [String]] = [:]
    /// Changes whose old text is no longer in the file, and variants that failed.
    var stale: [String] = []
  }

  static let outcome: Outcome = {
    let stages = Mutex([CheckStage?](repeating: nil, count: all.count))
    let errors = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: all.count) { number in
      do {
        let stage = try CheckStage()
        try all[number](stage)
        stages.withLock { $0[number] = stage }
      } catch { errors.withLock { $0.append("variant \(number): \(error)") } }
    }
    var outcome = Outcome(stale: errors.withLock(\.self))
    var forms: Set<String> = []
    for stage in stages.withLock(\.self).compactMap(\.self) {
      for (id, texts) in stage.found {
        for text in texts where forms.insert("\(id) \(form(of: text))").inserted {
          outcome.found[id, default: []].append(text)
        }
      }
      outcome.stale += stage.stale
    }
    return outcome
  }()

  /// Returns a text without its names and numbers.
  static func form(of text: String) -> String {
    text.replacing(/"[^"]*"/, with: "\"\"").replacing(/[0-9][0-9.,]*/, with: "0")
  }

  /// A part of a file's text, and the text that replaces it.
  struct Change: Sendable {
    let old: String
    let new: String

    init(_ old: String, _ new: String) {
      self.old = old
      self.new = new
    }
  }
}

extension CheckStage {
  /// Runs a command once for each text.
  ///
  /// The text is the content of the file.
  func run(_ line: String, with path: String, as texts: [String]) throws {
    for text in texts {
      try folder.write(path, text)
      run(line)
    }
  }

  /// Runs a command once for each change of a file.
  ///
  /// After each run, the old content of the file is restored.
  func run(
    _ line: String, changing path: String, _ changes: [CheckVariant.Change],
    then finish: () throws -> Void = {}
  ) throws {
    let before = try folder.read(path)
    for change in changes {
      let text = String(decoding: before, as: UTF8.self)
      if !text.contains(change.old) { stale.append("\(path): \(change.old)") }
      try folder.write(path, text.replacing(change.old, with: change.new))
      try finish()
      run(line)
    }
    try folder.write(path, before)
  }
}

extension CheckVariant {
  static let ofCommandLines: [CheckSample.Provoke] = [
    { stage in
      try stage.writeGame()
      for words in [
        "build SITE/game", "build", "build SITE/game -o SITE/a -o SITE/b", "build SITE/game -o SITE/out -x",
        "build SITE/game -o", "build SITE/game -o=", "validate SITE/game --quiet=yes", "validat SITE/game",
        "validate SITE/game --color red", "validate SITE/game --severity unknown-tag=warn",
        "plan SITE/game b c",
        "explain Castel SITE/game", "checks nonsense", "validate SITE/game -C x", "-C SITE/none plan",
        "plan SITE/game --device iPhon17,1", "build SITE/game -o SITE/out --layout hosted",
        "build SITE/game -o SITE/out --layout hosted --url-prefix https://a.b/ --sign SITE/secret.key",
        "build SITE/game -o SITE/out --release 2",
        "build SITE/game -o SITE/out --sign SITE/game/Manifest.json",
        "build SITE/game -o SITE/out --sign SITE/secret.key --expires soon", "unpack SITE/out -o SITE/x",
        "report SITE/game -o SITE/game/Manifest.json", "simulate SITE/game SITE/game",
        "simulate --replay SITE/x",
        "serve SITE/game --host example.com", "serve SITE/game --link Edgy", "serve SITE/game --fail 500",
      ] { stage.run(words) }
    },
    { stage in
      try stage.writeGame()
      try stage.folder.write("game/Assets/a/1", "another")
      try stage.edit("game/Manifest.json") { text in
        text.replacing("\"tags\": [\"A\"]", with: "\"tags\": [\"A\"], \"destination\": \"x\"")
          .replacing("\"tags\": [\"B\"]", with: "\"tags\": [\"B\"], \"destination\": \"x\"")
      }
      stage.run("build SITE/game -o SITE/out")
      stage.run("unpack SITE/out -o SITE/new --all")
      stage.run("unpack SITE/out -o SITE/new --tag C")
      try stage.folder.write("file", "")
      stage.run("unpack SITE/out -o SITE/file --tag A")
      try stage.folder.write("other/x/1/deep", "")
      stage.run("unpack SITE/out -o SITE/other --tag A")
      try stage.folder.link("linked", to: "other")
      stage.run("unpack SITE/out -o SITE/linked --tag A")
      stage.run("build SITE/game -o SITE/xcode --layout xcode")
      stage.run("unpack SITE/xcode -o SITE/new --all")
    },
    { stage in
      // The beginnings of packtool's own files. PackedOutputTests uses whole files.
      try stage.writeGame()
      let beginnings = [
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\(HTML.generatorMark)",
        "{\"bundleIdentifier\": \"a\", \"contents\": {\"digest\": \"sha256:",
        "{\"bundleIdentifier\": \"a\", \"diagnostics\": [",
        "{\"bundleIdentifier\": \"a\", \"formatVersion\": 1, \"kind\": \"index\"",
        "{\"diagnostics\": [], ", "{\"files\": [{\"digest\": \"sha256:", "{\"firstDownload\": {\"app\": null",
        "{\"formatVersion\": 1, \"subjects\": [{", "### App update: none\n\n|  | before | after |",
        "{\"time\": \"0\", \"request\": \"GET /\", \"range\": null", "index.json: \\\n  a",
        "{\"$schema\": \"https://json-schema.org/draft/2020-12/schema\", \"title\": \"packtool",
      ]
      for (number, text) in beginnings.enumerated() {
        try stage.folder.write("game/Assets/a/\(number)", text)
      }
      stage.run("validate SITE/game")
      try stage.folder.write("cut.zip", "PK\u{3}\u{4}and the rest is missing")
      stage.run("inspect SITE/cut.zip")
    },
    { stage in
      try stage.writeGame()
      for prefix in [
        "http://x.org/p/", "https://x.org/p", "x.org/p/", "https:/x.org/", "https://x.org/ä/",
        "https://x.org/%4/",
        "https://x.org/#p/", "https://a:b@x.org/", "https://x_y!/", "https://x.org:99999/", "ftp://x.org/",
        "",
      ] {
        stage.run(words: [
          "build", "SITE/game", "-o", "SITE/out", "--layout", "hosted", "--url-prefix", prefix,
        ])
      }
    },
    { stage in
      try stage.writeGame()
      try stage.folder.write("file", "")
      stage.run("build SITE/game -o SITE/file")
      stage.run("build SITE/game -o SITE/out")
      stage.run("build SITE/game -o SITE/out --layout background-assets")
      try stage.edit("game/Manifest.json") { $0.replacing("com.example.game", with: "com.example.other") }
      stage.run("build SITE/game -o SITE/out")
      stage.run("build SITE/game -o SITE/game/Assets")
      stage.run("build SITE/game -o SITE/game")
      stage.run("build SITE/game -o https://a.b/c")
      stage.run("verify https://a.b/c")
      stage.run("merge SITE/out -o SITE/whole")
      stage.run("build SITE/game -o SITE/out2 --depfile SITE/game/Assets/a/1")
      for (name, isFolder) in [("lock", true), ("staging", false), ("record", true)] {
        try stage.folder.write("odd-\(name)/.packtool/\(name)" + (isFolder ? "/x" : ""), "")
        stage.run("build SITE/game -o SITE/odd-\(name)")
      }
      for name in ["index.json", "packs", "tags.json"] {
        try stage.folder.write("mine-\(name)/\(name)", "mine")
        stage.run("build SITE/game -o SITE/mine-\(name)")
      }
      for name in ["package.sh", "tags.json", "AssetTags.swift"] {
        try stage.folder.write("own-\(name)/\(name)", "mine")
        stage.run("build SITE/game -o SITE/own-\(name) --layout background-assets")
      }
    },
    { stage in
      try stage.writeGame()
      try stage.folder.write("Code/a.txt", "")
      try stage.folder.write("file", "")
      for words in [
        "validate SITE/game --sources SITE/Code", "validate SITE/game --sources SITE/file",
        "validate SITE/game --sources SITE/none",
      ] { stage.run(words) }
      try stage.folder.write("Code/a.rs", "load(\"A\")")
      try stage.folder.write(
        "Code/a.swift",
        "let r = NSBundleResourceRequest(tags: [\"Aa\", name])\nNSBundleResourceRequest(tags: [name])")
      stage.run("validate SITE/game --sources SITE/Code")
    },
  ]

  static let ofManifests: [CheckSample.Provoke] = [
    { stage in
      try stage.writeGame()
      try stage.run(
        "validate SITE/game", with: "game/Manifest.json",
        as: [
          "{\"assetPackID\": \"a\", \"fileSelectors\": []}", "{\"steps\": []}",
          "{\"limits\": {}, \"limits\": {}, \"exclude\": [], \"exclude\": []}",
          "{\"exclude\": [\"a\\data\"]}",
          "{\"exclude\": [\"a\\ui\"]}",
          "{\"bundleIdentifier\": \"a.b\", \"root\": \"Assets\", \"resources\": ["
            + "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"c\", \"tags\": [\"B\"]},"
            + "{\"path\": \"a\\new\", \"tags\": [\"B\"]}]}",
          "{\"bundleIdentifier\": \"a.b\", \"root\": \"Assets\", \"resources\": ["
            + "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"c\", \"tags\": [\"B\"]}]}",
        ])
      stage.run("validate https://a.b/Manifest.json")
      stage.run("plan none.json")
    },
    { stage in
      // The first bytes of files that are not JSON.
      for head in [
        "OggS\0", "RIFF\0\0\0\0WAVE", "RIFF\0\0\0\0WEBP", "ID3\0", "fLaC\0", "\0\0\0 ftyp", "glTF\0",
        "8BPS\0",
        "DDS \0", "GIF8\0", "II*\0", "PK\u{3}\u{4}", "%PDF-", "bplist00", "\u{7f}ELF", "SQLite format 3\0",
        "abc\0",
        String(repeating: "\0", count: 257) + "ustar", "<?xml?><plist/>", "<!doctype html><html>", "<?xml?>",
        "version https://git-lfs.github.com/spec/v1", "---\nroot: a",
      ] {
        try stage.folder.write("x.json", head)
        stage.run("simulate SITE/x.json")
      }
      let heads: [[UInt8]] = [
        [0x89, 0x50, 0x4e, 0x47], [0xff, 0xd8, 0xff, 0xe0], [0x1f, 0x8b, 8, 0], [0x28, 0xb5, 0x2f, 0xfd],
        [0xcf, 0xfa, 0xed, 0xfe],
      ]
      for head in heads {
        try stage.folder.write("x.json", Data(head))
        stage.run("simulate SITE/x.json")
      }
      stage.run("validate SITE/x.json")
      try stage.folder.write("x.toml", "root = \"a\"")
      stage.run("validate SITE/x.toml")
      try stage.writeGame()
      try stage.folder.write("game/Assets/a/picture", Data(heads[0]))
      stage.run("validate SITE/game/Assets/a/picture")
    },
    { stage in
      try stage.writeGame()
      let front = "{\"bundleIdentifier\": \"a.b\", \"root\": \"Assets\", \"resources\": ["
      try stage.run(
        "validate SITE/game", with: "game/Manifest.json",
        as: [
          "{\"path\": \"a\", \"tags\": [\"A\"]}, \"exclude\": []}",
          "{\"path\": \"a\", \"tags\": [\"A\"], {\"path\": \"b\", \"tags\": [\"B\"]}]}",
          "\"path\": \"a\", \"tags\": [\"A\"]}]}",
          "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"a\", \"tags\": [\"B\"]}]}",
          "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"a\", \"tags\": [\"A\"]}]}",
          "{\"path\": \"a/.*\\\\.x\", \"tags\": [\"A\"]}, {\"glob\": \"a/.*\\\\.x\", \"tags\": [\"A\"]}]}",
          "{\"glob\": \"(a|b).*\\\\1\", \"tags\": [\"A\"]}, {\"glob\": \"a/.+\", \"tags\": [\"A\"]}]}",
          "{\"glob\": \"a/.+\", \"tags\": [\"A\"]}]}",
          "{\"path\": \"a\", \"tags\": [\"A, B\", \"A\"]}, {\"path\": \"b\", \"tags\": [\"B\"]}]}",
          "{\"path\": \"a\", \"tags\": [\"A \"]}, {\"path\": \"b\", \"tags\": [\"A\"]}]}",
          "{\"path\": \"a\", \"tags\": [\"A\"]}, {\"path\": \"b\", \"tags\": [\"B\"]}],"
            + "\"initialInstallTags\": [\"A, B\"]}",
        ].map { front + $0 })
      try stage.folder.write(
        "s.json", "{\"steps\": [{\"request\": [\"A\"]}, {\"wait\": 1}, {\"begin\": [\"A\"]}, {\"play\": 1}]}")
      stage.run("simulate SITE/s.json SITE/game")
      stage.run("simulate SITE/s.json SITE/game --link 4G")
      try stage.folder.write("s.json", "{\"link\": \"4G\", \"steps\": []}")
      stage.run("simulate SITE/s.json SITE/game")
      try stage.folder.write(
        "game/App.xcworkspace/contents.xcworkspacedata", "<Workspace><FileRef location=\"group:A.xcodeproj\">"
      )
      stage.run("import SITE/game/App.xcworkspace")
      stage.run("import SITE/game/Assets")
    },
    { stage in
      try stage.writeGame()
      stage.run("build SITE/game/Assets -o SITE/out")
      stage.run("build SITE/game -o SITE/parts/1 --shard 1/2")
      stage.run("verify SITE/parts/1")
      stage.run("simulate SITE/game/Manifest.json SITE/game")
      stage.run("plan SITE/game --budget-pack C=1")
      stage.run("build SITE/game -o SITE/game/Assets/out")
      try stage.folder.writeManifest([.path("a", " A")], to: "game/Manifest.json", root: "Assets")
      stage.run("validate SITE/game")
      try stage.folder.writeManifest([.path("a", "A")], to: "game/Manifest.json", root: "Asset")
      stage.run("validate SITE/game")
      try stage.folder.writeManifest(
        rules: #"{"path": "a/1", "tags": ["A"], "destination": "x", "traits": {"memory": 4}}, "#
          + #"{"path": "b/1", "tags": ["A"], "destination": "x"}"#,
        to: "game/Manifest.json", root: "Assets", members: #""limits": {"packSize": 1}"#)
      try stage.folder.write("game/Assets/b/1", "another")
      stage.run("validate SITE/game")
    },
    { stage in
      for file in ["Levels/1/a", "Levels/2/b", "Music/x.ogg", "Old/y", "Caf\u{e9}/z", "Sound/deep/s.wav"] {
        try stage.folder.write("game/Assets/\(file)", file)
      }
      try FileManager.default.createDirectory(
        atPath: stage.folder.path("game/Assets/Bare"), withIntermediateDirectories: true)
      for number in 1...4 { try stage.folder.write("game/Assets/Empty/\(number)", "") }
      for name in [".DS_Store", "Thumbs.db", "x.swp"] {
        try stage.folder.write("game/Assets/Left/\(name)", "x")
      }
      let rules: [TestRule] = [
        .path("Levels/*", "T"), .path("Assets/Levels", "T"), .path("levels", "T"), .path("Level", "T"),
        .path("Old", "T"), .path("Bare", "T"), .path("Cafe\u{301}", "T"), .path("Music/x", "T"),
        .path("Nothing", "T"),
        .glob("Music", "T"), .glob("*.ogg", "T"), .glob("Sound/*.wav", "T"), .glob("music/*.ogg", "T"),
        .glob("Levels/3/*", "T"), .glob("Old/*", "T"), .glob("Assets/Music/*", "T"), .glob("!Music/*", "T"),
        .glob("Musik/*.ogg", "T"), .glob("**/*.none", "T"), .path("Empty", "T"), .path("Left", "T"),
        .path("Music", "T").except("**/x*"), .path("Levels/1", "T").forTheRest,
        .path("Levels", "T").forTheRest.except("Levels/2"), .path("Music", "T").except("x.ogg", "!x", "Old"),
      ]
      for rule in rules {
        try stage.folder.writeManifest(
          [.path("Levels/1", "A"), rule], to: "game/Manifest.json", root: "Assets",
          members:
            "\"exclude\": [\"Old\", \"*.ogg\", \"!Music\", \"None \", \"Assets/x\", \"musik/**\", \"Sound\\\\x\"]"
        )
        stage.run("validate SITE/game")
      }
      try stage.folder.writeManifest(
        [.path("Nothing", "A"), .path("Never", "B")], to: "game/Manifest.json", root: "Assets")
      stage.run("validate SITE/game")
      for root in ["None", "../game/Assets/Levels/1/a", "Assets/Levels/1/a"] {
        try stage.folder.writeManifest([.path("Levels", "A")], to: "game/Manifest.json", root: root)
        stage.run("validate SITE/game")
      }
      try stage.folder.writeManifest(
        [.glob("Levels/*/*", templates: "$3"), .glob("Music/*.ogg", templates: "$1/x")],
        to: "game/Manifest.json",
        root: "Assets")
      stage.run("validate SITE/game")
    },
    { stage in
      try stage.run(
        "validate SITE", with: "Manifest.json",
        as: [
          "<<<<<<< HEAD\n{}", "{ /* a", String(repeating: "[", count: 300), "{\"x\": 1,, }",
          "{\"bundleIdentifier\": \"a.b\", \"resources\": [{\"glob\": \"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\", \"tags\": [\"A\"]}]}",
          "{\"bundleIdentifier\": \"a.b\", \"appBundle\": {\"size\": \"99999999 TB\"}, \"resources\": []}",
          "{\"bundleIdentifier\": \"a.b\", \"resources\": [], \"merge\": 2000000}",
          "{\"bundleIdentifier\": \"a.b\", \"resources\": [], \"layout\": {\"selfHosted\": true}}",
          "{\"bundleIdentifier\": \"a.b\", \"resources\": [], \"layout\": {\"selfHosted\": true, \"ledger\": \"l\"}}",
          "{\"bundleIdentifier\": \"a.b\", \"resources\": [], \"layout\": {\"selfHosted\": true, \"ledger\": \"l\", \"urlPrefix\": \"https://a.b/?x=\"}}",
          "{\"bundleIdentifier\": \"a.b\", \"resources\": [], \"layout\": {\"platforms\": [\"iPadOS\", \"ios\", \"x\"], \"urlPrefix\": \"\"}}",
          "{\"bundleIdentifier\": \"a.b\", \"resources\": [], \"accept\": [{\"check\": \"no-match\"}, {\"reason\": \"x\"}, {}]}",
          "{\"bundleIdentifier\": \"a.b\", \"resources\": [{}, {\"path\": \"a\", \"glob\": \"b\", \"tags\": [\"A\"]}]}",
        ])
    },
    { stage in
      for file in ["a/1", "b/1", "c/e\u{301}", "d/\u{e9}", "e/A", "f/a", "g/x;1", "h/x"] {
        try stage.folder.write("Assets/\(file)", file)
      }
      let pairs = [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h"), ("a/1", "b")]
      for (first, second) in pairs {
        for tags in [["T", "T"], ["A", "B"]] {
          try stage.folder.writeManifest(
            [
              TestRule(path: first, tags: [tags[0]], destination: "x"),
              TestRule(path: second, tags: [tags[1]], destination: "x"),
            ], root: "Assets")
          stage.run("validate SITE")
          stage.run("validate SITE --layout background-assets")
        }
      }
      try stage.folder.writeManifest(
        [.path("a", "A", to: "Info.plist"), .path("b", "A", to: "META-INF/x")], root: "Assets")
      for layout in ["xcode", "hosted --url-prefix https://a.b/"] {
        stage.run("build SITE -o SITE/out --layout \(layout)")
      }
    },
    { stage in
      let digest = String(repeating: "a", count: 64)
      try stage.folder.write(
        "Assets/lfs", "version https://git-lfs.github.com/spec/v1\noid sha256:\(digest)\nsize 9\n")
      try stage.folder.write("Assets/annex", "/annex/objects/SHA256E-s9--\(digest).bin\n")
      try stage.folder.write("Assets/short", "/annex/objects/WORM-s9-m1--x\n")
      try stage.folder.link(
        "Assets/locked", to: ".git/annex/objects/x/SHA256E-s9--\(digest)/SHA256E-s9--\(digest)")
      try stage.folder.link("Assets/worm", to: ".git/annex/objects/x/WORM-s9-m1--x/WORM-s9-m1--x")
      try stage.folder.write("Assets/lib.a", "!<arch>\n")
      try stage.folder.write("Assets/code.wasm", Data([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]))
      try stage.folder.write(
        "Assets/code", Data([0xcf, 0xfa, 0xed, 0xfe, 7, 0, 0, 1] + [UInt8](repeating: 0, count: 40)))
      try stage.folder.write(
        "Assets/code.exe",
        Data("MZ".utf8) + Data(repeating: 0, count: 58) + Data([64, 0, 0, 0]) + Data("PE\0\0".utf8))
      for name in ["one", "two", "three"] {
        try stage.folder.write("Assets/same/\(name)", Sample.noise(40_000))
      }
      try stage.folder.writeManifest(
        [
          .path("lfs", "A"), .path("annex", "A"), .path("short", "A"), .path("locked", "A"),
          .path("worm", "A"), .path("lib.a", "B"), .path("code.wasm", "B"),
          .path("code", "C"), .path("code.exe", "B"), .path("same/one", "X"), .path("same/two", "Y"),
          .path("same/three", "Z"),
        ],
        root: "Assets")
      for words in [
        "validate SITE", "validate SITE --submission", "validate SITE --pointers",
        "build SITE -o SITE/out --pointers",
        "validate SITE --layout background-assets",
        "validate SITE --layout background-assets --platforms macOS",
        "validate SITE --layout background-assets --platforms iOS,macOS",
      ] { stage.run(words) }
    },
    { stage in
      for name in ["a", "b", "c"] {
        for file in ["x/1", "x/2", "y/3"] {
          try stage.folder.write("Assets/\(name)/\(file)", Sample.text(2000))
        }
      }
      try stage.folder.write("Assets/untagged", Sample.text(5000))
      let rules: [TestRule] = [.path("a", "A"), .path("b", "B"), .path("c", "C")]
      let lists = "\"initialInstallTags\": [\"A\"], \"prefetchTagOrder\": [\"B\", \"C\"]"
      for (limits, size) in [
        ("\"packSize\": 5000, \"tagSize\": 5000, \"inUseSize\": 5000", "{\"size\": 1}"),
        ("\"initialInstallSize\": 5000, \"cellularSize\": 3000, \"appBundleSize\": 4000", "{\"size\": 4500}"),
        (
          "\"initialInstallSize\": 9000, \"prefetchSize\": 9000, \"cellularSize\": 9000",
          "{\"path\": \"None.app\"}"
        ),
        ("\"prefetchSize\": 13000, \"totalSize\": 100, \"packCount\": 2", "{\"size\": 100}"),
      ] {
        try stage.folder.writeManifest(
          rules, root: "Assets", members: lists, "\"limits\": {\(limits)}", "\"appBundle\": \(size)")
        stage.run("validate SITE")
        stage.run("validate SITE --submission")
      }
      try stage.folder.writeManifest(
        rules, root: "Assets", members: lists, "\"limits\": {\"cellularSize\": 3000}")
      stage.run("validate SITE")
      // Tags that are in several packs explain the number of packs.
      let shared: [TestRule] = [.path("a", "A"), .path("b", "A", "B"), .path("c", "A", "B", "C")]
      try stage.folder.writeManifest(shared, root: "Assets", members: "\"limits\": {\"packCount\": 2}")
      stage.run("validate SITE")
    },
  ]
}
