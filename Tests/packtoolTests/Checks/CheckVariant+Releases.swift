@testable import Formats
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

private func digestAndSize(of data: Data) -> (String, Int) {
  (SHA256.digest(of: Array(data).span.bytes).prefixed, data.count)
}

/// Variants of built folders, Background Assets, scenarios, logs and traces.
extension CheckVariant {
  static let ofReleases: [CheckSample.Provoke] = [
    { stage in
      try stage.folder.writeManifest(
        [.path("a", "A"), .path("b", "B"), .path("both", "A", "B"), .path("c", "C")],
        to: "game/Manifest.json",
        root: "Assets", members: "\"initialInstallTags\": [\"A\"], \"prefetchTagOrder\": [\"B\"]")
      for file in ["a/1", "b/1", "both/1", "c/1"] {
        try stage.folder.write("game/Assets/\(file)", Sample.text(3000))
      }
      stage.run("build SITE/game -o SITE/out")
      try stage.run(
        "verify SITE/out", changing: "out/index.json",
        [
          Change("\"formatVersion\": 1", "\"formatVersion\": 7"),
          Change("\"formatVersion\": 1", "\"resources\": []"),
          Change("\"packs/", "\"../packs/"), Change("\"sha256:", "\"SHA256:"),
          Change("\"fileCount\": 1", "\"fileCount\": -1"),
          Change("\"fileCount\": 1", "\"fileCount\": 5"), Change("\"name\"", "\"nome\""),
          Change("\"onDemand\"", "\"onDemande\""), Change("com.example.game\"", "com.example.gama\""),
          Change("\"untagged\": {", "\"untagged\":  {"),
          Change("\"tags\": [\n        \"A\"\n", "\"tags\": [\n        \"C\"\n"),
          Change("\"tags\": [\n        \"A\"\n", "\"tags\": [\n        \"A\",\n        \"A\"\n"),
          Change(".zip\"", ".gz\""),
          Change("\"A\": {", "\"K\": {"), Change("\"priority\": 1", "\"priority\": 0.5"),
          Change("\"limits\": \"app-store\"", "\"limits\": \"app-stare\""),
          Change("\"limits\": \"app-store\"", "\"limits\": 1"),
          Change("\"prefetch\"", "\"onDemand\""), Change("\"initialInstall\"", "\"prefetch\""),
          Change("asset-pack-", "asset-pock-"),
          Change("contents.", "cantents."), Change("\"size\": 3000", "\"size\": 99999999999999999"),
          Change("\"size\": 3000", "\"size\": 3001"),
        ])
      for index in ["[]", "1", "{", "{\"formatVersion\": 1}", String(repeating: "[", count: 300)] {
        try stage.folder.write("other/index.json", index)
        stage.run("verify SITE/other")
      }
      try stage.folder.write("dir/index.json/x", "")
      for path in ["none", "game", "dir", "game/Manifest.json"] {
        stage.run("verify SITE/\(path)")
        stage.run("diff SITE/\(path) SITE/out")
        stage.run("plan SITE/game --baseline SITE/\(path)")
      }
      stage.run("diff https://x.org/index.json SITE/game")
      for name in ["b.tar.gz", "list.json"] {
        try stage.folder.write(name, "{\"x\": 1}")
        stage.run("diff SITE/\(name) SITE/game")
      }
    },
    { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out")
      let names = try FileManager.default.contentsOfDirectory(atPath: stage.folder.path("out"))
      let list = try #require(names.first { $0.hasPrefix("contents.") })
      let before = try stage.folder.read("out/index.json")
      let (old, size) = try digestAndSize(of: stage.folder.read("out/\(list)"))
      try stage.run(
        "verify SITE/out", changing: "out/\(list)",
        [
          Change("\"a/1\"", "\"/a/1\""), Change("\"a/1\"", "\"\\ud800\""), Change("\"a/1\"", "\"a\u{0}\""),
          Change("\"size\": 3000", "\"size\": 99999999999999999999"),
          Change("\"size\": 3000", "\"sixe\": 3000"),
          Change("\"size\": 3000", "\"size\": 1, \"size\": 3000"), Change("\"size\": 3000", "\"size\": 2999"),
          Change("asset-pack-", "asset-pock-"), Change("sha256:", "sha257:"),
          Change("[\n", "[{\"x\": \(String(repeating: "[", count: 300))}\n"),
          Change("\"formatVersion\": 1", "\"formatVersion\": 2"),
          Change("\"formatVersion\": 1", "\"formatversion\": 1"), Change("\n  ],", "\n  "),
          Change("\n  ],", ",\n  ],"),
          Change("\"b/1\"", "\"a/0\""), Change("\"b/1\"", "\"a/1\""),
          Change("\"b/1\"", "\"\(String(repeating: "x", count: 70_000))\""),
        ]
      ) {
        let (digest, count) = try digestAndSize(of: stage.folder.read("out/\(list)"))
        let index = String(decoding: before, as: UTF8.self).replacing(old, with: digest)
          .replacing("\"size\": \(size)", with: "\"size\": \(count)")
        try stage.folder.write("out/index.json", index)
      }
      try stage.folder.write("out/index.json", before)
      try stage.run("verify SITE/out", with: "out/\(list)", as: ["", "{}"])
      try FileManager.default.removeItem(atPath: stage.folder.path("out/\(list)"))
      stage.run("verify SITE/out")
      try stage.folder.write("out/\(list)/x", "")
      stage.run("verify SITE/out")
    },
    { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/out")
      let pack = try stage.first(below: "out/packs")
      for bytes in [Data(), Data("x".utf8), Data(try stage.folder.read(pack).dropLast(30))] {
        try stage.folder.write(pack, bytes)
        stage.run("verify SITE/out")
      }
      try FileManager.default.removeItem(atPath: stage.folder.path(pack))
      stage.run("verify SITE/out")
      try stage.folder.write("\(pack)/x", "")
      stage.run("verify SITE/out")
      try stage.edit("game/Manifest.json") {
        $0.replacing("\"root\"", with: "\"container\": \"folder\",\n  \"root\"")
      }
      stage.run("build SITE/game -o SITE/folders")
      let file = try stage.first(below: "folders/packs")
      for text in ["x", String(repeating: "x", count: 3000), String(repeating: "x", count: 4000)] {
        try stage.folder.write(file, text)
        stage.run("verify SITE/folders")
      }
      try stage.folder.write("\(file).more/y", "x")
      stage.run("verify SITE/folders")
      try FileManager.default.removeItem(atPath: stage.folder.path(file))
      stage.run("verify SITE/folders")
      try stage.folder.link(file, to: "elsewhere")
      stage.run("verify SITE/folders")
    },
    { stage in
      let site = try PatchSite()
      _ = try site.build()
      let whole = try site.published()
      let digest = "sha256:" + String(repeating: "7", count: 64)
      let forgeries: [@Sendable (inout ForgedPatches.Recipe) -> Void] = [
        { $0.digest = digest }, { $0.pack += "0" }, { $0.files = [] }, { $0.files.removeLast() },
        { $0.files[0]["path"] = .string("../0") }, { $0.files[0]["size"] = .integer(17) },
        { $0.files[0]["digest"] = .string(digest) }, { $0.files.swapAt(0, 1) },
        { $0.change("a/changed.bin", "as", "same") }, { $0.change("a/changed.bin", "as", "whole") },
        { $0.change("a/changed.bin", "from", nil) }, { $0.change("a/changed.bin", "as", "delta") },
        { $0.change("a/twin 1", "from", digest) }, { $0.change("a/changed.bin", "from", digest) },
        { $0.version = 2 },
        { $0.files[0]["more"] = .integer(1) },
      ]
      func verify() throws {
        for old in [[], ["old"]] { stage.add(try site.findings(from: old)) }
      }
      for forgery in forgeries {
        try ForgedPatches(site).change(["A"], by: forgery)
        try verify()
        try site.restorePatches(of: whole)
      }
      let patch = try #require(try site.patches()[["D"]])
      for bytes in [Data(), Data("nonsense".utf8), patch.bytes.prefix(100), patch.bytes.dropLast()] {
        try ForgedPatches(site).replace(["D"], by: bytes)
        try verify()
        try site.restorePatches(of: whole)
      }
      for (old, new) in [
        ("\"id\"", "\"it\""), ("\"packs\"", "\"pecks\""), ("patches/", "packs/"), ("sha256:", "sha257:"),
      ] {
        try ForgedPatches(site).changeList { $0.replacing(old, with: new) }
        try verify()
        try site.restorePatches(of: whole)
      }
      stage.add(try site.findings(from: ["nowhere"]))
    },
    { stage in
      try stage.writeGame()
      let key = "--sign SITE/secret.key"
      stage.run("build SITE/game -o SITE/out \(key) --release 3")
      let old = try stage.folder.read("out/index.json.minisig")
      try stage.folder.write("game/Assets/a/1", "changed")
      stage.run("build SITE/game -o SITE/out \(key) --release 5000000000")
      let right = try stage.folder.read("out/index.json.minisig")
      for bytes in [
        old, Data(String(repeating: "x", count: 20_000).utf8),
        Data(String(decoding: right, as: UTF8.self).replacing("\nRWRh", with: "\nRURh").utf8),
        Data(String(decoding: right, as: UTF8.self).replacing("\nRWRh", with: "\nXXRh").utf8),
      ] {
        try stage.folder.write("out/index.json.minisig", bytes)
        stage.run("verify SITE/out")
        stage.run("verify SITE/out --public-key \(SigningTests.publicKey)")
        stage.run("inspect SITE/out")
        stage.run("build SITE/game -o SITE/next \(key) --baseline SITE/out")
      }
    },
    { stage in
      try stage.writeGame()
      for part in ["1/2", "2/2", "1/3"] {
        stage.run("build SITE/game -o SITE/\(part.replacing("/", with: "of")) --shard \(part)")
      }
      stage.run("build SITE/game -o SITE/copy --shard 1/2")
      stage.run("build SITE/game -o SITE/best --shard 2/2 --compression best")
      try stage.folder.write("game/Assets/b/1", "changed")
      stage.run("build SITE/game -o SITE/changed --shard 2/2")
      try stage.folder.write("bad/shard.json", "nonsense")
      for parts in [
        "1of2", "1of2 1of3", "1of2 1of2", "1of2 copy", "1of2 best", "1of2 changed", "1of2 none", "1of2 bad",
        "game",
      ] {
        stage.run(
          "merge \(parts.split(separator: " ").map { "SITE/\($0)" }.joined(separator: " ")) -o SITE/out")
      }
      let pack = try stage.first(below: "2of2/packs")
      try stage.folder.write(pack, "x")
      stage.run("merge SITE/1of2 SITE/2of2 -o SITE/out")
      try FileManager.default.removeItem(atPath: stage.folder.path(pack))
      stage.run("merge SITE/1of2 SITE/2of2 -o SITE/out")
    },
    { stage in
      try stage.writeGame()
      let rules = [("a", "A", ""), ("b", "B", ""), ("b", "B", " --compression best")]
      for (number, (path, tag, flags)) in rules.enumerated() {
        try stage.folder.writeManifest([.path(path, tag)], to: "game/\(number).json", root: "Assets")
        stage.run("build SITE/game/\(number).json -o SITE/\(number) --shard manifest\(flags)")
      }
      let xcode = "--shard manifest --layout xcode"
      stage.run("build SITE/game/0.json -o SITE/inside \(xcode) --embed-packs")
      stage.run("build SITE/game/1.json -o SITE/outside \(xcode) --url-prefix https://example.com/")
      stage.run("build SITE/game -o SITE/part --shard 1/2")
      try stage.folder.write(
        "game/release.json",
        "{\"bundleIdentifier\": \"com.example.game\", \"initialInstallTags\": [\"A\", \"B2\"]}")
      try stage.folder.write("game/other.json", "{\"bundleIdentifier\": \"com.example.other\"}")
      for shards in ["0 1", "0 2", "0 0", "0 part", "inside outside", "inside"] {
        let folders = shards.split(separator: " ").map { "SITE/\($0)" }.joined(separator: " ")
        stage.run("merge \(folders) -o SITE/out --manifest SITE/game/release.json")
      }
      stage.run("merge SITE/0 -o SITE/out --manifest SITE/game/other.json")
      stage.run("merge SITE/0 -o SITE/out")
      let shard = try String(decoding: stage.folder.read("0/shard.json"), as: UTF8.self)
      try stage.folder.write("0/shard.json", shard.replacing("\"tags\": [\"A\"]", with: "\"tags\": [\"Z\"]"))
      stage.run("merge SITE/0 -o SITE/out --manifest SITE/game/other.json")
      stage.run("merge SITE/0 -o SITE/out --manifest SITE/game/1.json")
    },
    { stage in
      try stage.writeGame()
      stage.run("build SITE/game -o SITE/old")
      try stage.folder.writeManifest(
        [.path("a", "Aa"), .path("b", "Bs")], to: "game/Manifest.json", root: "Assets",
        members: "\"budgets\": {\"update\": 10, \"growth\": 10}")
      for (file, text) in [("a/1", Sample.noise(9000)), ("b/2", Sample.noise(500)), ("b/3", Data("x".utf8))] {
        try stage.folder.write("game/Assets/\(file)", text)
      }
      for baseline in ["--baseline SITE/old", "--baseline SITE/none", ""] {
        stage.run("validate SITE/game \(baseline)")
      }
      stage.run("build SITE/game -o SITE/new --baseline SITE/old --patch-from SITE/old")
      stage.run("diff SITE/old SITE/new")
    },
  ]

  static let ofBackgroundAssets: [CheckSample.Provoke] = [
    { stage in
      try stage.writeGame()
      let flags =
        "--layout background-assets --self-hosted --ledger SITE/ledger.json --url-prefix https://example.com/p/"
      stage.run("build SITE/game -o SITE/out \(flags)")
      try stage.run(
        "build SITE/game -o SITE/out \(flags)", changing: "ledger.json",
        [
          Change("\"formatVersion\": 1", "\"formatVersion\": 2"), Change("\"version\": 1", "\"version\": -1"),
          Change("\"version\": 1", "\"version\": 9007199254740993"),
          Change("\"version\": 1", "\"version\": 9007199254740991"),
          Change("\"sha256:", "\"md5:"), Change("\"A-", "\"../A-"),
          Change("com.example.game", "com.example.other"),
          Change("\"version\": 1", "\"version\": 7"),
        ]
      ) { try stage.folder.write("game/Assets/a/1", "changed \(stage.runs)") }
      try stage.run(
        "build SITE/game -o SITE/out \(flags)", with: "ledger.json", as: ["[]", "nonsense", "{}"])
    },
    { stage in
      try stage.writeGame()
      try stage.run(
        "build SITE/game -o SITE/out --layout background-assets --id-map SITE/ids.json", with: "ids.json",
        as: [
          "{\"A\": 1}", "{\"A\": \"same\", \"B\": \"same\"}", "{\"A\": \"same\", \"B\": \"Same\"}",
          "nonsense", "[]",
          "{\"A\": \"with.dot\"}", "{\"A\": \"a-\"}", "{\"A\": \"\(String(repeating: "a", count: 200))\"}",
          "{\"A\": \"a/b\"}",
          "{\"A\": \"\"}", "{\"A\": \"ä\"}",
        ])
      try stage.folder.write("ids/x", "")
      stage.run("build SITE/game -o SITE/out --layout background-assets --id-map SITE/ids")
      try stage.folder.writeManifest(
        [.path("a", "A B"), .path("b", "A_B")], to: "game/Manifest.json", root: "Assets")
      stage.run("build SITE/game -o SITE/out --layout background-assets")
    },
    { stage in
      for file in ["a/x", "a/y", "b/z"] { try stage.folder.write(file, file) }
      func importing(_ packs: String...) {
        stage.run(
          "import \(packs.map { "SITE/\($0).json" }.joined(separator: " ")) --root SITE -o SITE/M.json --force"
        )
      }
      try stage.writePack("one", selecting: "{ \"file\": \"a/x\" }", platforms: "[\"iOS\"]")
      try stage.edit("one.json") {
        $0.replacing(
          "\"platforms\"", with: "\"userInfo\": {\"x\": 1},\n  \"language\": \"de\",\n  \"platforms\"")
      }
      try stage.writePack(
        "two", selecting: "{ \"file\": \"a/y\", \"destination\": \"q\" }", platforms: "[\"macOS\"]")
      try stage.writePack("ONE", selecting: "{ \"file\": \"a/y\" }")
      try stage.writePack("twice", selecting: "{ \"file\": \"a/x\", \"destination\": \"p\" }")
      try stage.writePack("gone", selecting: "{ \"file\": \"a/none\" }, { \"directory\": \"none\" }")
      try stage.writePack("rest", selecting: "{ \"directory\": \"b\", \"exclusions\": [\"*.x\"] }")
      importing("one", "two")
      importing("one", "ONE")
      importing("one", "one")
      importing("one", "twice")
      importing("gone")
      importing("rest", "one")
      importing("one", "none")
      stage.run("import SITE/one.json --root SITE/none -o SITE/M.json --force")
      stage.run("import SITE/one.json SITE/a/x --root SITE -o SITE/M.json --force")
      for policy in [
        "{ \"essential\": { \"installationEventTypes\": [\"subsequentUpdate\"] } }",
        "{ \"essential\": { \"installationEventTypes\": [\"firstInstallation\"] } }", "{}",
        "{ \"onDemand\": {}, \"prefetch\": {} }", "{ \"other\": {} }", "1",
      ] {
        try stage.writePack("policy", selecting: "{ \"file\": \"b/z\" }")
        try stage.edit("policy.json") { $0.replacing("{ \"onDemand\": {} }", with: policy) }
        importing("policy")
        importing("policy", "one")
      }
    },
    { stage in
      try stage.writeGame()
      let flags =
        "--layout background-assets --self-hosted --ledger SITE/ledger.json --url-prefix https://example.com/p/"
      stage.run("build SITE/game -o SITE/out \(flags)")
      let verify = "verify SITE/out --ledger SITE/ledger.json"
      try stage.run(
        verify, changing: "out/download-manifest.json",
        [
          Change("\"version\": 1", "\"version\": 7"), Change("\"id\": \"A-", "\"id\": \"Z-"),
          Change("\"url\"", "\"uri\""),
          Change("\"assetPacks\"", "\"packs\""), Change("\"onDemand\"", "\"prefetch\""),
          Change("\"id\": \"B-", "\"id\": \"A-"),
        ])
      try stage.run(
        verify, changing: "out/tags.json",
        [
          Change("\"formatVersion\": 1", "\"formatVersion\": 2"), Change("\"sha256:", "\"md5:"),
          Change("\"size\": 3000", "\"size\": 1"),
          Change("\"A-", "\"../A-"), Change("\"A\": [", "\"C\": ["), Change("\"tags\": [", "\"tegs\": ["),
        ])
      let manifest = try stage.first(below: "out/manifests")
      try stage.run(
        verify, changing: manifest,
        [
          Change("a/1", "a/2"), Change("\"file\"", "\"directory\""), Change("\"onDemand\"", "\"other\""),
          Change("assetPackID", "id"),
        ])
      let pack = try stage.first(below: "out/packs")
      try stage.run(verify, with: pack, as: ["x", String(repeating: "x", count: 3000)])
      try stage.folder.write("out/archives/A.aar", "x")
      try stage.folder.write("out/archives/other.aar", "x")
      try stage.folder.write("out/packs/other/x", "x")
      stage.run(verify)
      for path in [pack, manifest, "out/download-manifest.json", "out/tags.json"] {
        try FileManager.default.removeItem(atPath: stage.folder.path(path))
        stage.run(verify)
      }
      stage.run("build SITE/game -o SITE/plain --layout background-assets")
      stage.run("verify SITE/plain --ledger SITE/ledger.json")
      stage.run("verify SITE/plain --ledger SITE/none.json")
    },
  ]

  static let ofPlay: [CheckSample.Provoke] = [
    { stage in
      try stage.writeGame()
      let steps = [
        "{}", "{\"begn\": [\"A\"], \"as\": \"r\"}", "{\"begin\": [\"A\"]}", "{\"begin\": [], \"as\": \"r\"}",
        "{\"quit\": true, \"play\": \"1 s\"}", "{\"play\": 3}", "{\"play\": \"3 m\"}", "{\"install\": false}",
        "{\"quit\": true}, {\"install\": true}", "{\"begin\": [\"A\"], \"as\": \"r\"}, {\"await\": \"rr\"}",
        "{\"begin\": [\"A\"], \"as\": \"r\", \"priority\": 1.5}",
        "{\"begin\": [\"A\"], \"as\": \"r\", \"priority\": \"urgnt\"}",
        "{\"begin\": [\"Aa\"], \"as\": \"r\"}", "{\"link\": \"LTF\"}",
        "{\"repeat\": 1000001, \"steps\": [{\"quit\": true}]}",
        "{\"begin\": [\"A\"], \"as\": \"r\"}, {\"begin\": [\"A\"], \"as\": \"r\"}", "{\"update\": \"/etc\"}",
        "{\"update\": \"none\"}",
        "{\"begin\": [\"A\"], \"as\": \"r\"}, {\"update\": \"game\"}", "{\"apply\": true}",
        "{\"update\": \"game\", \"staged\": true}, {\"update\": \"game\"}",
        "{\"play\": \"99999999 days\"}, {\"play\": \"99999999999 days\"}",
      ]
      try stage.run(
        "simulate SITE/s.json SITE/game", with: "s.json",
        as: steps.map { "{\"link\": \"3G\", \"steps\": [\($0)]}" } + [
          "[]", "{\"steps\": []}", "{\"link\": {\"rate\": 0, \"latency\": \"1 s\"}, \"steps\": []}",
          "{\"link\": {\"rate\": \"0 bit/s\", \"latency\": \"1 s\"}, \"steps\": []}",
          "{\"link\": {\"rate\": 1}, \"steps\": []}",
          "{\"link\": \"3G\", \"device\": {\"space\": -1}, \"expect\": {\"stals\": 1}, \"steps\": []}",
        ])
      let expected =
        "\"expect\": {\"installed\": \"1 ms\", \"stalled\": \"1 ms\", \"stalls\": 0, \"transferred\": 1, \"failures\": 0}"
      try stage.run(
        "simulate SITE/s.json SITE/game", with: "s.json",
        as: [
          "{\"link\": \"3G\", \(expected), \"steps\": [{\"install\": true}, {\"begin\": [\"A\", \"B\"], \"as\": \"r\"}, {\"await\": \"r\"}]}",
          "{\"link\": \"none\", \(expected), \"steps\": [{\"install\": true}, {\"begin\": [\"A\"], \"as\": \"r\"}, {\"await\": \"r\"}]}",
          "{\"link\": \"3G\", \(expected), \"steps\": [{\"play\": \"1 s\"}]}",
          "{\"link\": \"3G\", \"device\": {\"space\": 10, \"inUse\": 10}, \(expected), \"steps\": [{\"install\": true}, {\"begin\": [\"A\"], \"as\": \"r\"}, {\"await\": \"r\"}]}",
        ])
      for path in ["none", "game/Assets", "secret.key"] { stage.run("simulate SITE/\(path) SITE/game") }
    },
    { stage in
      try stage.writeGame()
      let line = "{\"time\": \"2026-11-22T21:49:30.123456Z\", \"pack\": null}\n"
      try stage.run(
        "simulate --replay SITE/log --link 3G", with: "log",
        as: ["", "\(line)nonsense\n", line, "[1]\n", "{}\n"])
      for path in ["none", "game"] {
        stage.run("simulate --replay SITE/\(path) --link 3G")
        stage.run("suggest SITE/\(path) SITE/game")
      }
      for text in ["0.1 start Assets/a/1\n", "x start Assets/a/1\n", "", "nonsense\n"] {
        try stage.folder.write("one.log", text)
        try stage.folder.write("two.log", "0.1 start Assets/a/1\n")
        stage.run("suggest SITE/one.log SITE/two.log SITE/game")
      }
    },
  ]
}
