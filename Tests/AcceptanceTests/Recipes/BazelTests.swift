import Foundation
import Support
import Testing

/// Bazel builds packs in its sandbox, as the page Bazel describes.
@Suite(
  .mostlyWaits, .serialized,
  .enabled(if: isInstalled("bazel"), "needs Bazel, such as Debian's bazel-bootstrap"),
  .enabled(if: !isSanitized, "a sanitizer's options do not come along into the sandbox"))
struct BazelTests {
  /// The assets of each action that packs, by the name of its output.
  private func assets(of actions: [BazelSite.Action]) -> [Set<String>] {
    actions.filter { $0.mnemonic == "AssetPack" }.map { Set($0.assets) }
  }

  @Test func `each pack has an action with its own files`() throws {
    let site = try BazelSite()
    try site.addWorkspace("game")
    let direct = try site.buildDirectly(in: "game")
    let actions = try site.build(in: "game")
    let shared = "Assets/Shared/lantern.svg"
    #expect(
      Set(assets(of: actions)) == [
        ["Assets/Levels/1/dialog.txt", "Assets/Levels/1/map.json"],
        ["Assets/Levels/2/dialog.txt", "Assets/Levels/2/map.json"], [shared],
        ["Assets/Music/calm.txt", "Assets/Music/storm.txt"],
      ])
    let merge = try #require(actions.first { $0.mnemonic == "MergeAssetPacks" })
    #expect(actions.count == 5 && merge.assets.isEmpty && !merge.inputs.isEmpty)
    #expect(try site.output(of: "game") == direct)
    // A new file changes the inputs of its pack's action only.
    try site.folder.write("game/Assets/Music/wind.txt", "e5 d5 b4\n")
    let again = try site.build(in: "game")
    #expect(
      assets(of: again) == [["Assets/Music/calm.txt", "Assets/Music/storm.txt", "Assets/Music/wind.txt"]])
    #expect(again.count == 2)
    #expect(try site.output(of: "game") == site.buildDirectly(in: "game"))
    // A new tag set adds one action.
    let rules = try String(decoding: site.folder.read("game/BUILD.bazel"), as: UTF8.self)
    let music = "\"Music\": glob([\"Assets/Music/*\"])"
    try #require(rules.contains(music))
    let more = rules.replacingOccurrences(of: music, with: "\(music), \"Wind\": [\"Assets/Music/wind.txt\"]")
    try site.folder.write("game/BUILD.bazel", more)
    let split = try site.build(in: "game")
    #expect(
      Set(assets(of: split)) == [
        ["Assets/Music/calm.txt", "Assets/Music/storm.txt"], ["Assets/Music/wind.txt"],
      ])
    // The lists of tags change only the merge.
    try site.folder.write(
      "game/BUILD.bazel",
      more.replacingOccurrences(of: "prefetch_tag_order = [\"Level 2\"]", with: "prefetch_tag_order = []"))
    #expect(try site.build(in: "game").map(\.mnemonic) == ["MergeAssetPacks"])
  }

  @Test func `a manifest and an app are built with one action each`() throws {
    let site = try BazelSite()
    try site.addWorkspace("game")
    let actions = try site.build(in: "game", ":packs_from_manifest :xcode_packs :app")
    #expect(actions.filter { $0.mnemonic == "AssetPacks" }.count == 1)
    #expect(try site.output(of: "game", "packs_from_manifest") == site.buildDirectly(in: "game"))
    let xcode = try site.output(of: "game", "xcode_packs")
    #expect(try xcode == site.buildDirectly(in: "game", "--layout xcode"))
    #expect(Set(["OnDemandResources.plist", "AssetPackManifestTemplate.plist"]).isSubset(of: xcode.keys))
    let verified = try site.run(in: "game", "packtool verify bazel-bin/Lanterns.ipa")
    #expect(verified.status == 0 && verified.output.hasPrefix("4 packs, 7 files"), "\(verified.errors)")
  }

  @Test func `Examples GreatGame has the packs of a build without Bazel`() throws {
    let site = try BazelSite()
    let example = "\(packageFolder)/Examples/GreatGame"
    let globs = """
      load("//:packtool.bzl", "asset_packs", "asset_packs_from_manifest")

      asset_packs_from_manifest(
          name = "packs",
          srcs = glob(["Assets/**"]),
          manifest = "Manifest.json",
      )

      """
    try site.addWorkspace("game")
    try site.run(
      in: "game", "rm -r Assets BUILD.bazel && cp -R '\(example)/Assets' '\(example)/Manifest.json' .")
    try site.folder.write("game/BUILD.bazel", globs)
    let direct = try site.buildDirectly(in: "game")
    #expect(try site.build(in: "game").count == 1)
    #expect(try site.output(of: "game") == direct)
    // The same packs, each with its own action.
    let made = try site.run(in: "game", "python3 - <<'END'\n\(Self.rulesOfPlan)\nEND")
    try #require(made.status == 0, "\(made.errors)")
    #expect(try site.build(in: "game", ":each").filter { $0.mnemonic == "AssetPack" }.count == 9)
    let packs = try site.output(of: "game", "each").filter { $0.key.hasPrefix("packs/") }
    #expect(packs == direct.filter { $0.key.hasPrefix("packs/") } && packs.count == 9)
  }

  /// Writes rules for a build that exists in `bazel-bin/packs`, with a label for each file.
  private static let rulesOfPlan = """
    import glob, json
    index = json.load(open("bazel-bin/packs/index.json"))
    contents = json.load(open(glob.glob("bazel-bin/packs/contents.*.json")[0]))
    tags = {pack["id"]: pack["tags"] for pack in index["packs"]}
    labels = {}
    for file in contents["files"]:
        path = file["path"]
        for tag in tags[file["pack"]]: labels.setdefault(tag, []).append("Moved/" + path)
        import os
        source = "Assets/" + path.replace("Audio/", "Sounds/") if path.startswith("Audio/") else "Assets/" + path
        os.makedirs(os.path.dirname("Moved/" + path), exist_ok=True)
        os.link(os.path.realpath(source), "Moved/" + path)
    rule = {"name": "each", "bundle_identifier": index["bundleIdentifier"], "resource_tags": labels,
            "initial_install_tags": index["initialInstall"]["tags"],
            "prefetch_tag_order": index["prefetch"]["tags"], "strip_prefix": "Moved"}
    with open("BUILD.bazel", "a") as file:
        file.write("asset_packs(" + ", ".join(f"{key} = {json.dumps(value)}" for key, value in rule.items()) + ")\\n")
    """

  @Test func `names that Bazel allows are packed`() throws {
    let site = try BazelSite()
    let names = [
      "a b", "é", "[x]", "a+b", "a@b", "~t", "it's", "#1", "50%", "x=y", "(p)", "{q}", "!w", "^c", "do$lar",
      "&amp",
      "semi;colon", "<lt>", "q?", "star*", "dq\"x", "日本", "-dash", ".hidden", "|pipe", "deep/é f/[g]/h i.txt",
    ]
    let rules = """
      load("//:packtool.bzl", "asset_packs")

      asset_packs(
          name = "packs",
          bundle_identifier = "com.example.odd",
          resource_tags = {"Tag é \\"q\\" + x": glob(["odd/**"]), "B": glob(["odd/*a*"])},
          severity = {"unportable-name": "ignore"},
          strip_prefix = "odd",
      )
      """
    let manifest = """
      {
        "bundleIdentifier": "com.example.odd",
        "root": "odd",
        "resources": [
          { "path": ".", "tags": ["Tag é \\"q\\" + x"] },
          { "glob": "*a*", "tags": ["B"] }
        ],
        "severity": { "unportable-name": "ignore" }
      }
      """
    try site.addWorkspace("odd", files: ["BUILD.bazel": rules, "Manifest.json": manifest])
    for name in names { try site.folder.write("odd/odd/\(name)", name) }
    for name in [".DS_Store", "._x", "deep/Thumbs.db"] { try site.folder.write("odd/odd/\(name)", name) }
    _ = try site.build(in: "odd")
    let files = try site.output(of: "odd")
    #expect(try files == site.buildDirectly(in: "odd"))
    let verified = try site.run(in: "odd", "packtool verify bazel-bin/packs")
    #expect(verified.output.hasPrefix("2 packs, \(names.count) files"), "\(verified.errors)")
  }

  @Test func `mistakes have findings with a file and a line`() throws {
    let site = try BazelSite()
    try site.addWorkspace("game")
    let rules = try String(decoding: site.folder.read("game/BUILD.bazel"), as: UTF8.self)
    func run(_ command: String, replacing old: String, with new: String) throws -> ProgramResult {
      try #require(rules.contains(old))
      try site.folder.write("game/BUILD.bazel", rules.replacingOccurrences(of: old, with: new))
      return try site.run(in: "game", "bazel \(command) 2>&1")
    }
    let tag = try run(
      "build :packs", replacing: "initial_install_tags = [\"Level 1\"]",
      with: "initial_install_tags = [\"Levl 1\"]")
    #expect(
      tag.status != 0
        && tag.output.reports("unknown-tag", at: "packs.release.json:7:5", naming: "\"Level 1\""))
    let missing = try run(
      "build :packs", replacing: "glob([\"Assets/Music/*\"])", with: "[\"Assets/Music/none.txt\"]")
    #expect(missing.status != 0 && missing.output.contains("//:Assets/Music/none.txt"), "\(missing.output)")
    let limit = try run(
      "test --test_output=errors :packs_test", replacing: "app_bundle_size = 20000000,",
      with: "app_bundle_size = 20000000, limits = {\"profile\": \"app-store\", \"packSize\": 100},")
    #expect(limit.status != 0)
    let found = limit.output.split(separator: "\n").filter {
      $0.contains(": error: ") && $0.contains("[pack-size]")
    }
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("packs/index.json:") }, "\(limit.output)")
    let outside = try run(
      "build :packs", replacing: "strip_prefix = \"Assets\"", with: "strip_prefix = \"Levels\"")
    #expect(outside.status != 0 && outside.output.contains("is not below Levels"), "\(outside.output)")
    try site.folder.write("game/BUILD.bazel", rules)
    let manifest = try String(decoding: site.folder.read("game/Manifest.json"), as: UTF8.self)
    try site.folder.write(
      "game/Manifest.json", manifest.replacingOccurrences(of: "Levels/2", with: "Levels/3"))
    let glob = try site.run(in: "game", "bazel build :packs_from_manifest 2>&1")
    #expect(glob.status != 0 && glob.output.reports("no-match", at: "Manifest.json:6:15"), "\(glob.output)")
    try site.folder.write("game/Assets/Music/key.pem", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\n")
    let key = try site.run(in: "game", "bazel build :packs 2>&1")
    #expect(key.status != 0 && key.output.contains("[secret-key]"), "\(key.output)")
  }

  @Test func `a file that several targets have keeps all its tags`() throws {
    let site = try BazelSite()
    let rules = """
      load("//:packtool.bzl", "asset_packs")

      filegroup(name = "music", srcs = glob(["Assets/Music/*"]))

      genrule(name = "made", outs = ["Assets/Made/tiles.txt"], cmd = "echo tiles > $@")

      asset_packs(
          name = "packs",
          testonly = True,
          bundle_identifier = "com.example.lanterns",
          resource_tags = {
              "A": [":music", ":Assets/Shared/lantern.svg", "//:Assets/Levels/1/map.json"],
              "B": ["Assets/Music/calm.txt", "Assets/Shared/lantern.svg", ":made"],
          },
          strip_prefix = "/Assets/",
          tags = ["manual"],
          visibility = ["//visibility:public"],
      )
      """
    try site.addWorkspace("game", files: ["BUILD.bazel": rules])
    let actions = try site.build(in: "game")
    #expect(
      Set(assets(of: actions)) == [
        ["Assets/Music/storm.txt", "Assets/Levels/1/map.json"],
        ["Assets/Music/calm.txt", "Assets/Shared/lantern.svg"], [],
      ])
    let listed = try site.run(
      in: "game", "packtool unpack --all -o out bazel-bin/packs && find out -name tiles.txt")
    #expect(listed.status == 0 && listed.output.contains("Made/tiles.txt"), "\(listed.errors)")
  }

  /// A cache that Bazel reads and writes over HTTP: nginx, which stores every uploaded file.
  private static let cache = """
    pid nginx.pid;
    error_log error.log;
    events {}
    http {
      access_log access.log;
      client_max_body_size 0;
      client_body_temp_path temp;
      server {
        listen 127.0.0.1:PORT;
        root cache;
        location / { dav_methods PUT; create_full_put_path on; }
      }
    }
    """

  @Test(.enabled(if: isInstalled("nginx"), "needs nginx with WebDAV"))
  func `a second workspace packs nothing`() throws {
    let port = try freePort()
    let site = try BazelSite(options: ["build --remote_cache=http://127.0.0.1:\(port)"])
    try site.folder.write("nginx.conf", Self.cache.replacingOccurrences(of: "PORT", with: "\(port)"))
    let start = """
      mkdir cache temp && chmod 777 . cache temp
      nginx -p "$PWD" -c nginx.conf -e error.log > nginx.out 2>&1
      for try in $(seq 100); do curl -s -o /dev/null http://127.0.0.1:\(port)/ && exit; sleep 0.1; done
      exit 1
      """
    let started = try site.run(in: ".", start)
    try #require(started.status == 0, "\(started.errors)")
    defer { _ = try? site.run(in: ".", "kill $(cat nginx.pid)") }
    try site.addWorkspace("first")
    try site.addWorkspace("other/folder/second")
    let first = try site.build(in: "first")
    #expect(first.count == 5 && first.allSatisfy { !$0.isCached })
    let second = try site.build(in: "other/folder/second")
    #expect(second.count == 5 && second.allSatisfy(\.isCached), "\(second.filter { !$0.isCached })")
    #expect(try site.output(of: "first") == site.output(of: "other/folder/second"))
    // One changed file needs one pack and the merge.
    try site.folder.write("other/folder/second/Assets/Levels/2/map.json", "{}\n")
    let changed = try site.build(in: "other/folder/second")
    #expect(changed.map(\.mnemonic).sorted() == ["AssetPack", "MergeAssetPacks"])
    #expect(changed.allSatisfy { !$0.isCached })
    #expect(assets(of: changed) == [["Assets/Levels/2/dialog.txt", "Assets/Levels/2/map.json"]])
    // The change is in the cache for everybody.
    try site.folder.write("first/Assets/Levels/2/map.json", "{}\n")
    let fetched = try site.build(in: "first")
    #expect(fetched.count == 2 && fetched.allSatisfy(\.isCached))
    #expect(try site.output(of: "first") == site.buildDirectly(in: "first"))
  }

  private func freePort() throws -> Int {
    let script = "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"
    let result = try run("python3", ["-c", script])
    return try #require(Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// A reader starts with the folders of the repository, and runs every command of the page.
  @Test func `the page Bazel can be followed as printed`() throws {
    let site = try BazelSite()
    try site.run(in: ".", "cp -R '\(packageFolder)/Examples' Examples")
    let page = try String(
      contentsOfFile: "\(packageFolder)/Sources/packtool/packtool.docc/Bazel.md", encoding: .utf8)
    let blocks = page.matches(of: #/```sh\n([^`]*)```/#).map { String($0.output.1) }
    try #require(blocks.count >= 3)
    let script = blocks.joined(separator: "\n")
    let result = try site.run(in: ".", "PS4='$ '; set -x\n\(script)\nbazel shutdown")
    #expect(result.status == 0, "\(result.errors.suffix(3000))\(result.output)")
  }

  @Test(.enabled(if: isLongRun, "20,000 files; set PACKTOOL_LONG_TESTS to run it"))
  func `300 packs of a large game are the packs of one build`() throws {
    let site = try BazelSite()
    try site.addWorkspace("game")
    try LargeGame.write(to: site.folder)
    let made = try site.run(
      in: "game", "rm -r Assets && mv ../game0/Assets . && python3 - <<'END'\n\(Self.manyPacks)\nEND")
    try #require(made.status == 0, "\(made.errors)")
    let actions = try site.build(in: "game")
    #expect(actions.filter { $0.mnemonic == "AssetPack" }.count == 300)
    #expect(try site.output(of: "game") == site.buildDirectly(in: "game"))
  }

  /// Divides the assets of a folder into 300 tag sets, as rules of Bazel and as a manifest.
  private static let manyPacks = """
    import json, os, zlib
    files = sorted(os.path.join(top, name) for top, _, names in os.walk("Assets") for name in names)
    labels, rules = {}, []
    for number, file in enumerate(files):
        tag = f"Part {number % 300}"
        labels.setdefault(tag, []).append(file)
        rules.append({"path": file[len("Assets/"):], "tags": [tag]})
    rule = {"name": "packs", "bundle_identifier": "com.example.large", "resource_tags": labels, "strip_prefix": "Assets"}
    with open("BUILD.bazel", "w") as file:
        file.write('load("//:packtool.bzl", "asset_packs")\\nasset_packs(')
        file.write(", ".join(f"{key} = {json.dumps(value)}" for key, value in rule.items()) + ")\\n")
    with open("Manifest.json", "w") as file:
        json.dump({"bundleIdentifier": "com.example.large", "root": "Assets", "resources": rules}, file)
    """
}
