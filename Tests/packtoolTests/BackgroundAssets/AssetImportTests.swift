import Foundation
import Support
import Testing
@testable import packtool

/// Tests `packtool import` with manifests that other programs could have written for `ba-package`.
///
/// The manifests were written by hand in the known formats.
@Suite struct AssetImportTests {
  /// Manifests by file name.
  ///
  /// They have policies, selectors and roots of every form.
  private static let manifests: [String: String] = [
    "bibles/asv.json": #"""
    {
      // As the template has it: with comments, and a comma at the end.
      "assetPackID": "asv",
      "sourceRoot": "../content",
      "downloadPolicy": { "essential": { "installationEventTypes": ["firstInstallation"] } },
      "fileSelectors": [
        { "fileSource": "asv/asv.db", "fileDestination": "Bibles/asv.db" },
        { "directorySource": "asv/notes", "directoryDestination": "Notes/asv" },
      ],
      "platforms": ["iOS", "macOS"]
    }
    """#,
    "rc-1.json": #"""
    { "assetPackID": "rc-1", "downloadPolicy": { "onDemand": {} },
      "fileSelectors": [ { "file": "content/rc/1.txt" }, { "directory": "content/music" }, { "filePattern": "content/*.pat" } ],
      "platforms": ["iOS", "macOS"] }
    """#,
    "model.json": #"""
    { "assetPackID": "fmadapter-x-1", "platforms": ["iOS", "macOS"],
      "downloadPolicy": { "prefetch": { "installationEventTypes": ["firstInstallation"] } },
      "fileSelectors": [ { "directory": "content/adapter" } ], "userInfo": { "a": [1, null] }, "language": "de" }
    """#,
  ]
  private static let files = [
    "content/asv/asv.db", "content/asv/notes/1", "content/asv/notes/deep/2", "content/rc/1.txt",
    "content/rc/2.txt",
    "content/music/a.ogg", "content/x.pat", "content/adapter/weights.bin", "other/untouched",
  ]

  private func site() throws -> AssetSite {
    let site = try AssetSite(rules: "", keys: "\"container\": \"zip\"")
    try FileManager.default.removeItem(atPath: site.folder.path("Manifest.json"))
    for (name, text) in Self.manifests { try site.folder.write(name, text) }
    for file in Self.files { try site.folder.write(file, "content of \(file)") }
    return site
  }

  /// Imports the manifests and builds the result.
  ///
  /// Each pack must have the files, paths and policy that its manifest specifies.
  @Test func `manifests of others mean the same`() throws {
    let site = try site()
    func path(_ name: String) -> String { site.folder.path(name) }
    let run = runTool(
      "import", path("bibles/asv.json"), path("rc-1.json"), path("model.json"), "--root", site.folder.path,
      "-o",
      path("Manifest.json"), "--id-map", path("ids.json"))
    #expect(run.status == .done, "\(run.errors)")
    for value in ["userInfo", "com.example.app"] {
      #expect(run.errors.reports("uncarried-setting", naming: value), "\(run.errors)")
    }
    // The manifest contains the layout, so the build needs no flags.
    let built = runTool("build", site.folder.path, "-o", path("out"))
    #expect(built.status == .done, "\(built.errors)")
    let packs = [
      "asv": ["Bibles/asv.db", "Notes/asv/1", "Notes/asv/deep/2"],
      "rc-1": ["content/music/a.ogg", "content/rc/1.txt", "content/x.pat"],
      "fmadapter-x-1": ["content/adapter/weights.bin"],
    ]
    #expect(site.names("packs") == packs.keys.sorted())
    for (id, files) in packs {
      #expect(try site.folder.files(below: "out/packs/\(id)").keys.sorted() == files)
      let manifest = try site.json("out/manifests/\(id).json")
      #expect(manifest["platforms"] as? [String] == ["iOS", "macOS"])
      let policy = try #require(manifest["downloadPolicy"] as? [String: [String: [String]]])
      let expected = ["asv": "essential", "rc-1": "onDemand", "fmadapter-x-1": "prefetch"][id]
      #expect(policy.keys.first == expected)
      if expected != "onDemand" {
        #expect(policy.values.first == ["installationEventTypes": ["firstInstallation"]])
      }
    }
    #expect(site.verify().status == .done)
  }

  /// packtool's own manifests are imported without a change.
  @Test(arguments: ["26", "27"]) func `own manifests come back`(version: String) throws {
    let site = try AssetSite(keys: "\"onUpdate\": true")
    site.build("--bundle-version", version)
    let before = try site.folder.files(below: "out/manifests")
    let ids = site.names("manifests").map { site.folder.path("out/manifests/\($0)") }
    // In version 26, each pack has its own working directory, so the manifests are imported only for version
    // 27.
    if version == "27" {
      let words =
        ["import"] + ids + [
          "-o", site.folder.path("again/Manifest.json"), "--id-map", site.folder.path("map.json"),
        ]
      #expect(runTool(words: words).status == .done)
      let built = runTool(
        "build", site.folder.path("again"), "-o", site.folder.path("again/out"), "--layout",
        "background-assets",
        "--bundle-version", "27", "--id-map", site.folder.path("map.json"))
      #expect(built.status == .done, "\(built.errors)")
      #expect(try site.folder.files(below: "again/out/manifests") == before)
    } else {
      let id = try site.id(of: "Boss", "Level 2")
      let run = runTool(
        "import", site.folder.path("out/manifests/\(id).json"), "--root", site.folder.path("out/packs/\(id)"),
        "-o",
        site.folder.path("out/packs/\(id)/Manifest.json"))
      #expect(run.status == .done, "\(run.errors)")
      let text = String(decoding: try site.folder.read("out/packs/\(id)/Manifest.json"), as: UTF8.self)
      #expect(
        text.contains("{ \"path\": \"b/x/1\", \"tags\": [\"\(id)\"] }") && text.contains("\"onUpdate\": true")
      )
      #expect(text.contains("\"prefetchTagOrder\": [\"\(id)\"]"))
    }
  }

  @Test func `exclusions are carried`() throws {
    let site = try site()
    try site.folder.write(
      "m.json",
      #"{"assetPackID": "m", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"directory": "content"}, {"fileExclusion": "content/rc/**"}]}"#
    )
    #expect(
      runTool(
        "import", site.folder.path("m.json"), "--root", site.folder.path, "-o",
        site.folder.path("Manifest.json")
      ).status
        == .done)
    #expect(site.build().status == .done)
    let names = try site.folder.files(below: "out/packs").keys
    #expect(names.count == 6 && !names.contains { $0.contains("/rc/") })
  }

  @Test(arguments: [
    (
      "\"platforms\": [\"iPadOS\"]",
      #"[unknown-platform] "iOS""#
    ),
    ("\"assetPackID\": \"com/example\"", "[invalid-value]"),
    ("\"downloadPolicy\": {}", #"[missing-key] "essential" "prefetch" "onDemand""#),
    ("\"downloadPolicy\": {\"essential\": {}}", #"[missing-key] "installationEventTypes""#),
    (
      "\"downloadPolicy\": {\"prefetch\": {\"installationEventTypes\": [\"always\"]}}",
      #"[invalid-value] "always""#
    ),
    ("\"fileSelectors\": [{\"file\": \"../../etc/passwd\"}]", "[invalid-path]"),
    ("\"fileSelectors\": [{\"file\": \"/etc/passwd\"}]", "[invalid-path]"),
    (
      "\"fileSelectors\": [{\"fileSource\": \"content/x.pat\", \"fileDestination\": \"../x\"}]",
      "[invalid-path]"
    ),
    ("\"fileSelectors\": [{\"file\": \"a\", \"directory\": \"b\"}]", "[invalid-value]"),
    ("\"fileSelectors\": []", "[invalid-value] 1"), ("\"sourceRoot\": \"nowhere\"", "[invalid-path]"),
    ("\"filSelectors\": 1", #"[unknown-key] "fileSelectors""#),
  ])
  func `manifests that are wrong`(member: String, facts: String) throws {
    let site = try site()
    var members = [
      "assetPackID": "\"m\"", "downloadPolicy": "{\"onDemand\": {}}",
      "fileSelectors": "[{\"file\": \"content/x.pat\"}]",
    ]
    let parts = member.split(separator: ":", maxSplits: 1)
    members[parts[0].trimmingCharacters(in: ["\"", " "])] = String(parts[1])
    let text = members.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ",\n")
    try site.folder.write("m.json", "{\(text)}")
    let run = runTool(
      "import", site.folder.path("m.json"), "--root", site.folder.path, "-o",
      site.folder.path("Manifest.json"))
    #expect(run.status == .inputHasErrors && run.errors.hasFacts(facts), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("Manifest.json")))
  }

  @Test func `ids of self hosted packs are kept`() throws {
    let site = try site()
    try site.folder.write(
      "m.json",
      #"{"assetPackID": "com.example.pack", "downloadPolicy": {"onDemand": {}}, "fileSelectors": [{"file": "content/x.pat"}]}"#
    )
    let run = runTool("import", site.folder.path("m.json"), "--root", site.folder.path)
    #expect(run.status == .done && run.output.contains("\"com.example.pack\""), "\(run.errors)")
    #expect(run.errors.reports("invalid-pack-id", naming: "com.example.pack"), "\(run.errors)")
  }

  @Test func `several projects are not imported`() throws {
    let site = try site()
    #expect(
      runTool("import", site.folder.path("rc-1.json"), site.folder.path("content/x.pat")).errors.refuses(
        naming: site.folder.path("content/x.pat")))
    try site.folder.write("twin.json", Self.manifests["rc-1.json"] ?? "")
    #expect(
      runTool(
        "import", site.folder.path("rc-1.json"), site.folder.path("twin.json"), "--root", site.folder.path
      ).errors
        .contains("[identifier-collision]"))
  }
}
