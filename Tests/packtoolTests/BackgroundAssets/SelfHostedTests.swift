import Foundation
import Support
import Testing
@testable import packtool

/// Tests packs on the developer's own server: their versions, the version lockfile, and the files that are
/// made from the packs and the lockfile.
@Suite struct SelfHostedTests {
  private let site: AssetSite

  init() throws { site = try AssetSite() }

  private func path(_ name: String) -> String { site.folder.path(name) }

  @discardableResult
  private func build(_ flags: String..., to output: String = "out", environment: [String: String] = [:])
    -> ToolResult
  {
    runTool(
      words: [
        "build", site.folder.path, "-o", path(output), "--layout", "background-assets", "--self-hosted",
        "--url-prefix", "https://example.com/1/", "--ledger", path("ledger.json"),
      ] + flags, environment: environment)
  }

  private func packs(_ output: String = "out") throws -> [[String: Any]] {
    try #require(try site.json("\(output)/download-manifest.json")["assetPacks"] as? [[String: Any]])
  }

  /// Returns the version of the pack whose id begins with `front`.
  private func version(_ front: String, _ output: String = "out") throws -> Int? {
    try packs(output).first { ($0["id"] as? String)?.hasPrefix(front) == true }?["version"] as? Int
  }

  private func change(_ file: String, to text: String) throws {
    try FileManager.default.removeItem(atPath: path(file))
    try site.folder.write(file, text)
  }

  /// All JSON readers can represent whole numbers below 2^53 exactly.
  @Test func `versions end before 2 to 53`() throws {
    #expect(build().status == .done)
    let boss = try site.id(of: "Boss", "Level 2")
    func set(_ version: String) throws {
      let ledger = String(decoding: try site.folder.read("ledger.json"), as: UTF8.self)
      let number = try #require(
        ledger.range(
          of: "(?<=\"\(NSRegularExpression.escapedPattern(for: boss))\": \\{\"version\": )[0-9]+",
          options: .regularExpression))
      try site.folder.write("ledger.json", ledger.replacingCharacters(in: number, with: version))
    }
    try set("9007199254740990")
    #expect(build().status == .done)
    for version in ["9007199254740991", "9007199254740992", "9223372036854775807"] {
      try set(version)
      let before = try site.folder.read("ledger.json")
      let run = build()
      #expect(run.status == .inputHasErrors && run.errors.reports("invalid-ledger"), "\(run.errors)")
      #expect(run.errors.reports("invalid-ledger", naming: "9,007,199,254,740,991"), "\(run.errors)")
      #expect(try site.folder.read("ledger.json") == before)
    }
  }

  @Test func `the manifest has what devices read`() throws {
    let run = build()
    #expect(run.status == .done && run.errors.reports("unknown-download-size", naming: "3"), "\(run.errors)")
    let all = try packs()
    #expect(all.count == 3)
    let boss = try site.id(of: "Boss", "Level 2")
    let pack = try #require(all.first { $0["id"] as? String == boss })
    #expect(pack.keys.sorted() == ["downloadPolicy", "downloadSize", "host", "id", "url", "version"])
    #expect(pack["url"] as? String == "https://example.com/1/\(boss)")
    #expect(pack["version"] as? Int == 1 && pack["downloadSize"] as? Int == 16)
    #expect(pack["host"] as? [String: [String: String]] == ["thirdParty": [:]])
    #expect(
      pack["downloadPolicy"] as? [String: [String: [String]]]
        == ["prefetch": ["installationEventTypes": ["firstInstallation"]]])
    let ledger = String(decoding: try site.folder.read("ledger.json"), as: UTF8.self)
    #expect(ledger.contains("\n    \"\(boss)\": {\"version\": 1, \"digest\": \"sha256:"))
    #expect(ledger.hasPrefix("{\n  \"formatVersion\": 1,\n  \"bundleIdentifier\": \"com.example.game\",\n"))
    #expect(build().output.contains("is up to date"))
    let verified = runTool("verify", path("out"), "--ledger", path("ledger.json"), "--strict")
    #expect(verified.status == .done, "\(verified.errors)")
    // Without the flag, the same folder is for packs that Apple hosts.
    #expect(site.build().status == .done && !site.names("").contains("download-manifest.json"))
  }

  @Test func `versions rise with contents alone`() throws {
    build()
    try site.write(
      rules: """
        {"path": "a", "tags": ["Level 1"]}, {"path": "b", "tags": ["Level 2", "Boss"]}, {"path": "c", "tags": ["Musik"]}
        """, keys: "\"prefetchTagOrder\": [\"Musik\"], \"onUpdate\": true")
    build("--platforms", "iOS", "--bundle-version", "27", "--no-cache")
    #expect(try packs().areAll { $0["version"] as? Int == 1 })
    try change("Assets/c/1", to: "changed")
    build()
    #expect(try version("Musik") == 2 && version("Boss") == 1)
    try change("Assets/c/1", to: "content of c/1")
    build()
    #expect(try version("Musik") == 3)
    // The version of a removed pack stays in the lockfile. A build into the folder that still lists the pack
    // reports that it was removed.
    try site.write(rules: "{\"path\": \"a\", \"tags\": [\"Level 1\"]}", keys: "\"exclude\": []")
    #expect(build().errors.reports("obsolete-pack"))
    #expect(try packs().count == 1)
    try site.write(
      rules: "{\"path\": \"a\", \"tags\": [\"Level 1\"]}, {\"path\": \"c\", \"tags\": [\"Musik\"]}",
      keys: "\"exclude\": []")
    #expect(try !build().errors.reports("obsolete-pack") && version("Musik") == 3)
    try change("Assets/c/1", to: "new")
    build()
    #expect(try version("Musik") == 4)
  }

  @Test func `a ledger that is behind is refused`() throws {
    build()
    let old = try site.folder.read("ledger.json")
    try change("Assets/c/1", to: "changed")
    build()
    let new = try site.folder.read("ledger.json")
    for text in [old, Data("{}".utf8)] {
      try text.write(to: URL(fileURLWithPath: path("ledger.json")))
      let run = build()
      #expect(run.status == .inputHasErrors && run.errors.reports("rewound-ledger"), "\(run.errors)")
      #expect(try site.folder.read("ledger.json") == text)
    }
    // This lockfile contains the same versions, but it was not made with the same builds.
    try old.write(to: URL(fileURLWithPath: path("ledger.json")))
    try change("Assets/c/1", to: "other")
    build(to: "else")
    #expect(build().errors.reports("rewound-ledger"))
    try new.write(to: URL(fileURLWithPath: path("ledger.json")))
    #expect(try build().status == .done && version("Musik") == 3)
  }

  /// Simulates a build that was killed before its last rename, and a build that was killed before its first
  /// rename.
  @Test func `a build that was killed is completed`() throws {
    build()
    let manifest = String(decoding: try site.folder.read("out/download-manifest.json"), as: UTF8.self)
    let tags = String(decoding: try site.folder.read("out/tags.json"), as: UTF8.self)
    try change("Assets/c/1", to: "changed")
    build()
    try change("out/download-manifest.json", to: manifest)
    #expect(try build().status == .done && version("Musik") == 2)
    try change("out/download-manifest.json", to: manifest)
    try change("out/tags.json", to: tags)
    #expect(try build().status == .done && version("Musik") == 2)
    #expect(runTool("verify", path("out"), "--ledger", path("ledger.json")).status == .done)
  }

  @Test(arguments: [
    (
      "\"formatVersion\": 1,", "\"formatVersion\": 1,\n<<<<<<< HEAD", "[json-syntax]",
      "json-syntax"
    ),
    ("\"version\": 1", "\"version\": -1", "[invalid-ledger]", "invalid-ledger"),
    ("\"sha256:", "\"md5:", "[invalid-ledger]", "invalid-ledger"),
    (
      "com.example.game", "com.example.other", #"[foreign-ledger] "com.example.game""#,
      "foreign-ledger"
    ),
    ("\"formatVersion\": 1", "\"formatVersion\": 2", "[invalid-ledger] 1", "invalid-ledger"),
  ]) func `what is no ledger is refused`(text: String, other: String, facts: String, check: String) throws {
    build()
    let ledger = String(decoding: try site.folder.read("ledger.json"), as: UTF8.self)
    try change("ledger.json", to: ledger.replacing(text, with: other, maxReplacements: 1))
    let run = build(to: "else")
    #expect(run.status == .inputHasErrors && run.errors.hasFacts(facts), "\(run.errors)")
    #expect(run.errors.reports(check))
  }

  @Test func `a version that is given twice is refused`() throws {
    build()
    let ledger = String(decoding: try site.folder.read("ledger.json"), as: UTF8.self)
    let lines = ledger.split(separator: "\n").map(String.init)
    let line = try #require(lines.first { $0.contains("Boss-Level") })
    try change(
      "ledger.json", to: ledger.replacing(line, with: "\(line)\n\(line.replacing(": 1", with: ": 2"))"))
    let run = build(to: "else")
    #expect(
      run.status == .inputHasErrors && run.errors.reports("duplicate-key", at: "ledger.json"), "\(run.errors)"
    )
  }

  @Test func `ids and versions may be in one file`() throws {
    try site.folder.write("ledger.json", "{\"Musik\": \"no.blogspot.music\"}")
    #expect(build("--id-map", path("ledger.json")).status == .done)
    #expect(try version("no.blogspot.music") == 1)
    #expect(try (site.json("ledger.json")["ids"] as? [String: String])?["Musik"] == "no.blogspot.music")
    let verified = runTool("verify", path("out"), "--ledger", path("ledger.json"), "--strict")
    #expect(verified.status == .done, "\(verified.errors)")
    // For packs that Apple hosts, an id must not contain dots.
    #expect(site.build("--id-map", path("ledger.json")).errors.reports("invalid-pack-id"))
  }

  @Test(arguments: [
    (["--set", "layout.selfHosted=true"], #""layout.selfHosted" "layout.ledger""#),
    (["--set", "layout.ledger=x.json"], #""layout.selfHosted" "layout.ledger""#),
    (
      ["--set", "layout.selfHosted=true", "--set", "layout.ledger=x.json"],
      #""layout.selfHosted" layout.urlPrefix"#
    ),
    (["--set", "layout.urlPrefix=https://x/"], #""xcode" "hosted""#),
  ]) func `flags that need others`(flags: [String], facts: String) throws {
    let run = runTool(
      words: ["build", site.folder.path, "-o", path("out"), "--layout", "background-assets"] + flags)
    #expect(run.status == .usage && run.errors.hasFacts(facts), "\(run.errors)")
  }

  /// The program behaves like Apple's tools.
  ///
  /// It makes one archive for each pack, and a manifest of the archives. The versions in the arguments are in
  /// the order of the archives.
  private static let program = """
    #!/usr/bin/env python3
    import json, os, sys
    words = sys.argv[1:]
    if words[:2] == ['download-manifest', 'create']:
      archives = [w for w in words if w.endswith('.aar')]
      first = words.index('--asset-pack-versions') + 1
      versions = words[first:first + len(archives)]
      assert '--ios' in words and not words[first + len(archives)].isdigit()
      base, output = words[words.index('--download-base-url') + 1], words[words.index('-o') + 1]
      packs = []
      for archive, version in zip(archives, versions):
        content = json.load(open(archive))
        packs.append({'id': content['assetPackID'], 'url': base + content['assetPackID'], 'version': int(version),
          'downloadSize': os.path.getsize(archive), 'downloadPolicy': content['downloadPolicy'],
          'host': {'thirdParty': {}}})
      json.dump({'assetPacks': packs}, open(output, 'w'))
    else:
      manifest, flag, output = words
      json.dump(json.load(open(manifest)), open(output, 'w'))
    """

  @Test func `archives say the download sizes`() throws {
    let programs = try TemporaryFolder()
    try programs.writeProgram("ba-package", Self.program)
    let environment = ["PATH": "\(programs.path):/usr/local/bin:/usr/bin:/bin"]
    let run = build("--package", environment: environment)
    #expect(run.status == .done && !run.errors.reports("unknown-download-size"), "\(run.errors)")
    let boss = try site.id(of: "Boss", "Level 2")
    func size(of id: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path("out/\(site.archive(of: id))"))[.size] as? Int
    }
    let sizes = try packs().map { $0["downloadSize"] as? Int }
    #expect(try packs().map { try size(of: $0["id"] as? String ?? "") } == sizes)
    #expect(
      String(decoding: try site.folder.read("ledger.json"), as: UTF8.self).contains(
        "\"downloadSize\": \(try #require(try size(of: boss)))"))
    #expect(build("--package", environment: environment).output.contains("is up to date"))
    // The script contains the same settings as the manifest. It uploads the manifest last.
    let written = try site.json("out/download-manifest.json") as NSDictionary
    try FileManager.default.removeItem(atPath: path("out/archives"))
    #expect(site.verify().status == .done)
    #expect(try Support.run("sh", [path("out/package.sh")], in: "/", environment: environment).status == 0)
    func sorted(_ manifest: NSDictionary) -> [NSDictionary] {
      (manifest["assetPacks"] as? [NSDictionary] ?? []).sorted {
        ($0["id"] as? String ?? "") < ($1["id"] as? String ?? "")
      }
    }
    #expect(try sorted(site.json("out/download-manifest.json") as NSDictionary) == sorted(written))
    let verified = runTool("verify", path("out"), "--ledger", path("ledger.json"))
    #expect(verified.status == .done, "\(verified.errors)")
    let upload = try Support.run(
      "sh", [path("out/package.sh"), "upload"], environment: environment.merging(["UPLOAD": "echo"]) { $1 })
    let lines = upload.output.split(separator: "\n")
    #expect(
      lines.count == 4 && lines[3] == "download-manifest.json https://example.com/1/download-manifest.json")
    // The size differs from the size of the archive.
    try change(
      "out/download-manifest.json",
      to: String(decoding: site.folder.read("out/download-manifest.json"), as: UTF8.self)
        .replacing("\"downloadSize\": ", with: "\"downloadSize\": 9"))
    #expect(site.verify().errors.reports("wrong-contents"))
  }

  @Test func `verify holds manifest ledger and packs together`() throws {
    build()
    let manifest = String(decoding: try site.folder.read("out/download-manifest.json"), as: UTF8.self)
    let ledger = path("ledger.json")
    for (text, other, facts) in [
      ("\"version\": 1", "\"version\": 7", "[wrong-version] 7 1"),
      ("\"id\": \"Boss", "\"id\": \"Bass", "[wrong-contents] \"tags.json\""),
      ("\"firstInstallation\"", "\"subsequentUpdate\"", "[wrong-contents]"),
      ("\"url\"", "\"uri\"", "[damaged-index]"),
    ] {
      try change("out/download-manifest.json", to: manifest.replacing(text, with: other, maxReplacements: 1))
      let run = runTool("verify", path("out"), "--ledger", ledger)
      #expect(run.status == .inputHasErrors && run.errors.hasFacts(facts), "\(run.errors)")
    }
    try change("out/download-manifest.json", to: manifest)
    // The version lockfile was changed after the folder was built. The folder is out of date, but not wrong.
    try change("Assets/c/1", to: "changed")
    build(to: "else")
    let run = runTool("verify", path("out"), "--ledger", ledger)
    let warned = run.errors.findings.contains { $0.severity == "warning" && $0.message.contains("\"Musik-") }
    #expect(run.status == .done && warned, "\(run.errors)")
  }

  @Test func `diff says which versions rise`() throws {
    build()
    try FileManager.default.copyItem(atPath: path("out"), toPath: path("old"))
    try change("Assets/c/1", to: "changed")
    build()
    let text = runTool("diff", path("old"), path("out"))
    #expect(text.status == .done && !text.output.isEmpty, "\(text.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(
        with: Data(runTool("diff", path("old"), path("out"), "--format", "json").output.utf8))
        as? [String: Any])
    let changed = try #require(
      (json["packs"] as? [[String: Any]])?.first { $0["status"] as? String == "changed" })
    #expect(changed["oldVersion"] as? Int == 1 && changed["version"] as? Int == 2)
    #expect((json["summary"] as? [String: Any])?["downloadByPacks"] as? Int == 7)
    // In the opposite direction, the versions become lower, although the versions of changed packs must
    // become higher.
    #expect(
      runTool("diff", path("out"), path("old")).errors.reports("wrong-version"))
  }

  /// Download manifests in the known forms of other tools.
  ///
  /// The data in them was made for this test.
  @Test(arguments: [
    // A manifest as `create` makes it without versions.
    #"{"assetPacks":[{"id":"one","url":"https://example.com/1/one","version":0,"downloadSize":596,"downloadPolicy":{"onDemand":{}},"host":{"thirdParty":{}}}]}"#,
    // A manifest with two packs, names with dots, and given versions.
    #"""
    {"assetPacks": [
      {"downloadPolicy": {"onDemand": {}}, "downloadSize": 3000000000, "host": {"thirdParty": {}}, "id": "no.blog.one",
       "url": "https://example.com/1/no.blog.one", "version": 4},
      {"downloadPolicy": {"onDemand": {}}, "downloadSize": 7, "host": {"thirdParty": {}}, "id": "no.blog.two",
       "url": "https://example.com/1/no.blog.two", "version": 9}]}
    """#,
    // A manifest with the digest of the payload in the app's data, for both events.
    #"{"assetPacks":[{"version":12,"id":"area-eu","url":"https://example.com/1/area-eu","userInfo":{"payloadSHA256":"0f"},"downloadSize":96,"host":{"thirdParty":{}},"downloadPolicy":{"prefetch":{"installationEventTypes":["firstInstallation","subsequentUpdate"]}}}]}"#,
  ]) func `download manifests of others come back`(manifest: String) throws {
    let published = try #require(try JSONSerialization.jsonObject(with: Data(manifest.utf8)) as? NSDictionary)
    let packs = try #require(published["assetPacks"] as? [[String: Any]])
    try site.folder.write("published.json", manifest)
    var words = ["import"]
    for pack in packs {
      let id = try #require(pack["id"] as? String)
      try site.folder.write("content/\(id)/f", "content of \(id)")
      var own: [String: Any] = [
        "assetPackID": id, "fileSelectors": [["directory": "content/\(id)"]], "platforms": ["iOS"],
      ]
      own["downloadPolicy"] = pack["downloadPolicy"]
      own["userInfo"] = pack["userInfo"]
      try site.folder.write(
        "\(id).json", String(decoding: JSONSerialization.data(withJSONObject: own), as: UTF8.self))
      words.append(path("\(id).json"))
    }
    words += [
      path("published.json"), "--root", site.folder.path, "-o", path("Manifest.json"), "--force", "--id-map",
      path("ids.json"), "--ledger", path("ledger.json"),
    ]
    let imported = runTool(words: words)
    #expect(imported.status == .done && !imported.errors.reports("invalid-pack-id"), "\(imported.errors)")
    let built = build("--id-map", path("ids.json"))
    #expect(built.status == .done, "\(built.errors)")
    #expect(try site.json("out/download-manifest.json") as NSDictionary == published)
    // The contents of these versions are known now.
    try change("content/\(packs[0]["id"] as? String ?? "")/f", to: "changed")
    build("--id-map", path("ids.json"))
    let id = packs[0]["id"] as? String ?? ""
    #expect(try version(id) == (packs[0]["version"] as? Int ?? 0) + 1)
    words.removeAll { $0 == "--force" }
    #expect(
      runTool(words: words).errors.reports("existing-file"))
    // A download manifest contains versions, but no files.
    let alone = runTool("import", path("published.json"), "--ledger", path("alone.json"))
    #expect(
      try alone.status == .done && (site.json("alone.json")["packs"] as? [String: Any])?.count == packs.count)
    #expect(runTool("import", path("published.json")).errors.reports("missing-manifest"))
  }

  @Test func `a pack of a language may share its paths`() throws {
    for language in ["de", "en"] { try site.folder.write("Assets/\(language)/voice", "voice in \(language)") }
    func write(_ languages: String) throws {
      try site.write(
        rules: """
          {"path": "de", "tags": ["German"], "destination": "Voice"}, {"path": "en", "tags": ["English"], "destination": "Voice"}
          """, keys: "\"languages\": {\(languages)}")
    }
    try write("\"German\": \"de\", \"English\": \"en-US\"")
    #expect(site.build("--bundle-version", "27").status == .done)
    let id = try site.id(of: "German")
    #expect(try site.json("out/manifests/\(id).json")["language"] as? String == "de")
    #expect(site.verify().status == .done)
    #expect(site.build().errors.findings.contains { $0.names("--bundle-version 27") })
    let manifests = site.names("manifests").map { path("out/manifests/\($0)") }
    site.build("--bundle-version", "27")
    let imported = runTool(words: ["import"] + manifests + ["-o", path("again.json")])
    #expect(imported.status == .done, "\(imported.errors)")
    #expect(try (site.json("again.json")["languages"] as? [String: String])?[id] == "de")
    try write("\"German\": \"de\"")
    #expect(site.build("--bundle-version", "27").errors.reports("path-in-two-packs"))
    try write("\"German\": \"german\", \"English\": \"en\"")
    #expect(site.build("--bundle-version", "27").errors.reports("invalid-language"))
  }
}

/// Tests the keys for Background Assets in an Info.plist.
@Suite struct BackgroundInfoTests {
  @Test func `keys that the plan decides`() throws {
    let site = try AssetSite()
    let url = "https://packs.example.com/download-manifest.json"
    let run = runTool("plan", site.folder.path, "--info-plist", "--manifest-url", url, "-q")
    let alone = runTool("plan", site.folder.path, "--manifest-url", url)
    #expect(alone.status == .usage && alone.errors.refuses(naming: "--manifest-url", "--info-plist"))
    let list = try #require(
      try PropertyListSerialization.propertyList(from: Data(run.output.utf8), format: nil) as? [String: Any])
    #expect(
      list["BAManifestURL"] as? String == url && list["BAAppGroupID"] as? String == "group.com.example.game")
    #expect(list["BAHasManagedAssetPacks"] as? Bool == true && list["BAUsesAppleHosting"] as? Bool == false)
    // These are the sizes of the files of the essential pack and of the prefetched pack.
    #expect(list["BAEssentialMaxInstallSize"] as? Int == 31 && list["BAMaxInstallSize"] as? Int == 16)
    let restrictions = try #require(list["BAInitialDownloadRestrictions"] as? [String: Any])
    #expect(restrictions["BADownloadDomainAllowList"] as? [String] == ["packs.example.com"])
    #expect(restrictions["BAEssentialDownloadAllowance"] as? Int == 31 + (1 << 20))
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      try data.write(to: URL(fileURLWithPath: site.folder.path("Info.plist")))
      let checked = runTool("validate", site.folder.path, "--info-plist", site.folder.path("Info.plist"))
      #expect(checked.status == .done && !checked.errors.reports("info-plist"), "\(checked.errors)")
    }
    let apple = runTool("plan", site.folder.path, "--info-plist", "-q").output
    #expect(apple.contains("<string>group.com.example.game</string>") && !apple.contains("BAManifestURL"))
  }

  /// Changes that editors and scripts make in XML property lists, and that Apple's readers accept.
  static let forms: [[(old: String, new: String)]] = [
    [("<true/>", "<true></true>"), ("<false/>", "<false></false>")],
    [("<string>", "<string><![CDATA["), ("</string>", "]]></string>")],
    [("<string>", "<string><!-- a <b> & c -->"), ("</key>", "<!-- a --></key>")],
    [
      ("<integer>31</integer>", "<integer>0x1F</integer>"),
      ("<integer>16</integer>", "<integer>0X10</integer>"),
    ],
    [("\n", "\r\n")], [("UTF-8", "UTF-16")],
  ]

  @Test(arguments: forms) func `an Info.plist is read as Apple reads it`(form: [(old: String, new: String)])
    throws
  {
    let site = try AssetSite()
    let words = ["plan", site.folder.path, "--info-plist", "--manifest-url", "https://x.org/m.json", "-q"]
    let whole = runTool(words: words).output
    func findings(_ text: String) throws -> [String] {
      let data = try #require(text.data(using: text.contains("UTF-16") ? .utf16 : .utf8))
      try site.folder.write("Info.plist", data)
      let run = ToolRun(["validate", site.folder.path, "--info-plist", site.folder.path("Info.plist")])
      return run.findings("info-plist").map { values(in: $0.message) }
    }
    func changed(_ text: String) -> String {
      form.reduce(text) { text, change in
        #expect(text.contains(change.old))
        return text.replacing(change.old, with: change.new)
      }
    }
    #expect(try findings(changed(whole)) == [])
    // A wrong value in the changed list is reported, so the values are really read.
    let wrong = whole.replacing("<integer>31</integer>", with: "<integer>30</integer>")
    let expected = try findings(wrong)
    #expect(expected.count == 1 && expected[0].names("30", "31"))
    let hexadecimal = changed(whole).replacing("0x1F", with: "0x1E")
    let other = hexadecimal == changed(whole) ? changed(wrong) : hexadecimal
    #expect(try findings(other) == expected)
  }

  @Test(arguments: [
    ("BAAppGroupID", nil, "[info-plist]"),
    ("BAHasManagedAssetPacks", "<false/>", "[info-plist]"),
    ("BAManifestURL", "<string>http://x/</string>", "[info-plist]"),
    ("BAEssentialMaxInstallSize", "<integer>30</integer>", "[info-plist] 30"),
    ("BAMaxInstallSize", "<integer>99000000</integer>", "[info-plist]"),
    ("BAInitialDownloadRestrictions", nil, "[info-plist]"),
    (
      "BAInitialDownloadRestrictions", "<dict><key>BADownloadAllowance</key><integer>0</integer></dict>",
      #"[info-plist] "x.org""#
    ),
    ("BAUsesAppleHosting", "<true/>", "[info-plist]"),
  ]) func `what does not fit is found`(key: String, value: String?, facts: String) throws {
    let site = try AssetSite()
    let text = runTool(
      "plan", site.folder.path, "--info-plist", "--manifest-url", "https://x.org/m.json", "-q"
    ).output
    var list = try #require(
      try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil) as? [String: Any])
    list[key] = try value.map {
      let plist = "<plist version=\"1.0\">\($0)</plist>"
      return try PropertyListSerialization.propertyList(from: Data(plist.utf8), format: nil)
    }
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    try data.write(to: URL(fileURLWithPath: site.folder.path("Info.plist")))
    let run = runTool("validate", site.folder.path, "--info-plist", site.folder.path("Info.plist"))
    #expect(run.errors.hasFacts(facts), "\(run.errors)")
  }
}
