@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests manifests of `ba-package`: how they are read and written.
@Suite struct BackgroundManifestReaderTests {
  private func read(_ text: String, host: AssetPackHost = .apple) -> BackgroundManifestReader {
    let text = SourceText(path: "pack.json", bytes: Array(text.utf8))
    return BackgroundManifestReader(text: text, packHost: host)
  }

  /// Returns a manifest whose members replace the usual ones.
  private func manifest(
    id: String = #""pack""#, policy: String = #"{"onDemand": {}}"#, selectors: String = #"[{"file": "a"}]"#,
    _ others: String...
  ) -> String {
    let members = [
      "\"assetPackID\": \(id)", "\"downloadPolicy\": \(policy)", "\"fileSelectors\": \(selectors)",
    ]
    return "{\n\((members + others).joined(separator: ",\n"))\n}"
  }

  private static let prefetch = #"{"prefetch": {"installationEventTypes": ["subsequentUpdate"]}}"#

  @Test func `all values and their places are read`() throws {
    let reader = read(
      manifest(
        policy: Self.prefetch, #""platforms": ["iOS", "macOS"]"#, #""sourceRoot": "../content""#,
        #""language": "de""#, #""userInfo": {"key": [1]}"#))
    #expect(reader.diagnostics == [])
    let found = try #require(reader.manifest)
    #expect(found.id == "pack" && found.platforms == ["iOS", "macOS"] && found.sourceRoot == "../content")
    #expect(found.policy.delivery == .prefetch && found.policy.events == [.subsequentUpdate])
    #expect(found.language == "de" && found.userInfo?.text == "{\n  \"key\": [\n    1\n  ]\n}\n")
    let text = SourceText(path: "pack.json", bytes: Array(manifest().utf8))
    #expect(text.place(at: found.places.id).position == Place.Position(line: 2, column: 16))
    let places = found.places
    #expect(places.id < places.policy && places.policy < places.platforms)
    #expect(places.platforms < places.language && places.language < places.userInfo)
    let plain = try #require(read(manifest()).manifest)
    #expect(
      plain.platforms.isEmpty && plain.sourceRoot == nil && plain.language == nil && plain.userInfo == nil)
    // Without a value, the place is the manifest itself.
    #expect(plain.places.platforms == 0 && plain.places.userInfo == 0 && plain.places.id > 0)
  }

  @Test(
    arguments: [
      (#"{"onDemand": {}}"#, .onDemand, []),
      (
        #"{"essential": {"installationEventTypes": ["firstInstallation", "subsequentUpdate"]}}"#,
        .initialInstall,
        [.firstInstallation, .subsequentUpdate]
      ),
      (#"{"prefetch": {"installationEventTypes": ["firstInstallation"]}}"#, .prefetch, [.firstInstallation]),
    ] as [(String, Delivery, Set<BackgroundManifest.InstallationEvent>)])
  func `policies`(text: String, delivery: Delivery, events: Set<BackgroundManifest.InstallationEvent>) throws
  {
    let found = try #require(read(manifest(policy: text)).manifest)
    #expect(found.policy == BackgroundManifest.Policy(delivery: delivery, events: events))
    let value = try #require(JSONReader.read(SourceText(path: "x", bytes: Array(text.utf8))).value)
    #expect(found.policy.json.text == JSONText.read(value).text)
  }

  @Test func `a policy for a delivery has its events`() {
    func events(_ delivery: Delivery, _ onUpdate: Bool) -> Set<BackgroundManifest.InstallationEvent> {
      BackgroundManifest.Policy(delivery, onUpdate: onUpdate).events
    }
    #expect(events(.onDemand, true).isEmpty && events(.onDemand, false).isEmpty)
    for delivery in [Delivery.initialInstall, .prefetch] {
      #expect(events(delivery, false) == [.firstInstallation])
      #expect(events(delivery, true) == [.firstInstallation, .subsequentUpdate])
    }
    #expect(Delivery.allCases.map(\.policyName) == ["essential", "prefetch", "onDemand"])
  }

  @Test func `selectors of each kind`() throws {
    let text = #"""
      [{"file": "a"}, {"directory": "b"}, {"filePattern": "c*"}, {"fileSource": "d", "fileDestination": "e"},
       {"directorySource": "f", "directoryDestination": "g"}, {"fileExclusion": "h"}, {"fileSource": "i"},
       {"fileDestination": "j", "fileSource": "j"}]
      """#
    let found = try #require(read(manifest(selectors: text)).manifest)
    #expect(
      found.selectors.map(\.kind) == [
        .file, .directory, .filePattern, .fileSource, .directorySource, .fileExclusion, .fileSource,
        .fileSource,
      ])
    #expect(found.selectors.map(\.path) == ["a", "b", "c*", "d", "f", "h", "i", "j"])
    #expect(found.selectors.map(\.destination) == [nil, nil, nil, "e", "g", nil, "i", "j"])
    #expect(found.selectors.map(\.plainFile) == ["a", nil, nil, nil, nil, nil, "i", "j"])
    #expect(found.selectors.map(\.offset) == found.selectors.map(\.offset).filter { $0 > 0 })
    for version in AssetBundleVersion.allCases {
      let selector = BackgroundManifest.Selector.file("x", version: version)
      #expect(selector.plainFile == "x" && selector.kind == (version == .v26 ? .file : .fileSource))
    }
    let written = BackgroundManifest(id: "pack", policy: found.policy, selectors: found.selectors)
    let again = try #require(read(written.json.text).manifest)
    #expect(again.selectors.map(\.path) == found.selectors.map(\.path))
    #expect(again.selectors.map(\.destination) == found.selectors.map(\.destination))
  }

  @Test func `a file is written as it was read`() throws {
    let text = """
      {
        "assetPackID": "pack",
        "downloadPolicy": {
          "prefetch": {
            "installationEventTypes": [
              "firstInstallation",
              "subsequentUpdate"
            ]
          }
        },
        "fileSelectors": [
          {
            "file": "a"
          },
          {
            "fileDestination": "c",
            "fileSource": "b"
          }
        ],
        "language": "de-CH",
        "platforms": [
          "iOS"
        ],
        "sourceRoot": "..",
        "userInfo": [
          true
        ]
      }

      """
    let reader = read(text)
    #expect(reader.diagnostics == [] && reader.manifest?.json.text == text)
  }

  @Test(
    arguments: [
      (
        #"{"onDemand": {}, "prefetch": {"installationEventTypes": ["firstInstallation"]}}"#,
        "[invalid-value] 2"
      ),
      (#"{}"#, #"[missing-key] "essential" "prefetch" "onDemand""#),
      (#"{"prefetch": {"installationEventTypes": []}}"#, #"[invalid-value] "installationEventTypes""#),
      (#"{"prefetch": {}}"#, #"[missing-key] "installationEventTypes""#),
      (#"{"prefetch": {"installationEventTypes": ["never"]}}"#, #"[invalid-value] "never""#),
      ("3", "[wrong-type]"),
    ] as [(String, String)])
  func `a pack has one policy`(policy: String, facts: String) {
    let reader = read(manifest(policy: policy))
    #expect(reader.manifest == nil)
    #expect(reader.diagnostics.count == 1, "\(reader.diagnostics.rendered)")
    #expect(reader.diagnostics.first?.hasFacts(facts) == true, "\(reader.diagnostics.rendered)")
    #expect(reader.diagnostics.first?.place.position?.line == 3)
  }

  @Test func `mistakes are in the order of the file`() {
    let reader = read(manifest(id: #""a/b""#, policy: "{}", #""platforms": ["x"]"#))
    #expect(reader.diagnostics.map(\.place.position?.line) == [2, 5])
    let two = read(
      manifest(
        id: #""a/b""#,
        policy: #"{"onDemand": {}, "prefetch": {"installationEventTypes": ["firstInstallation"]}}"#))
    #expect(two.diagnostics.map(\.place.position?.line) == [2, 3])
  }

  @Test func `three policies are too many`() {
    let events = #"{"installationEventTypes": ["firstInstallation"]}"#
    let policy = "{\"onDemand\": {}, \"prefetch\": \(events), \"essential\": \(events)}"
    #expect(read(manifest(policy: policy)).diagnostics.map(\.checkAndValues) == ["[invalid-value] 3"])
  }

  /// A pack on the developer's own server can have an id that App Store Connect does not accept.
  @Test func `ids and platforms are checked`() {
    func found(_ id: String, host: AssetPackHost = .apple) -> (checks: [Check], isRead: Bool) {
      let reader = read(manifest(id: id), host: host)
      return (reader.diagnostics.map(\.check), reader.manifest != nil)
    }
    #expect(found(#""a.b""#) == ([.invalidPackID], true))
    #expect(found(#""a.b""#, host: .ownServer) == ([], true))
    #expect(found(#""a/b""#) == ([.invalidValue], false) && found(#""""#) == ([.invalidValue], false))
    #expect(found(#""a/b""#, host: .ownServer) == ([.invalidValue], false))
    #expect(found("3") == ([.wrongType], false))
    let platforms = read(manifest(#""platforms": ["iOS", "iPadOS", "macos", 3]"#))
    #expect(platforms.diagnostics.map(\.check) == [.wrongType, .unknownPlatform, .unknownPlatform])
    #expect(platforms.diagnostics.map { $0.names("\"iPadOS\"") } == [false, true, false])
    #expect(platforms.diagnostics.dropFirst().map(\.place.position?.column) == [22, 32])
    #expect(read(manifest(#""platforms": []"#)).diagnostics == [])
  }

  @Test(
    arguments: [
      ("{", [.jsonSyntax]), ("[]", [.wrongType]), ("{}", [.missingKey, .missingKey, .missingKey]),
    ] as [(String, [Check])])
  func `another text is no manifest`(text: String, checks: [Check]) {
    let reader = read(text)
    #expect(reader.manifest == nil && reader.diagnostics.map(\.check) == checks)
  }

  @Test func `a selector has one kind`() {
    for text in ["[]", "[{}]", #"[{"file": "a", "directory": "b"}]"#, #"[{"file": 1}]"#, #"["a"]"#] {
      let reader = read(manifest(selectors: text))
      #expect(reader.manifest == nil && !reader.diagnostics.isEmpty, "\(text)")
      #expect(reader.diagnostics.areAll { $0.place.position?.line == 4 && $0.severity == .error }, "\(text)")
    }
  }

  @Test func `languages are codes`() {
    for text in ["de", "haw", "de-CH", "zh-Hant", "zh-Hant-TW", "es-419", "DE"] {
      #expect(BackgroundManifest.isLanguage(text), "\(text)")
    }
    for text in ["", "d", "german", "de-", "de-C", "de-Hans2", "de-CH-1996", "de_CH", "de-12", "-de", "de "] {
      #expect(!BackgroundManifest.isLanguage(text), "\(text)")
    }
  }
}

/// Tests the code with the strings of an app's tags, and the file that lists the packs of each tag.
@Suite struct SwiftTagsTests {
  private func names(_ tags: [String]) throws -> [String] {
    let release = Release(of: try makePlan(of: tags.map { [$0] }))
    let lines = SwiftTags(release).constants.text.split(separator: "\n")
    let cases = lines.filter { $0.hasPrefix("  case ") }.map { $0.dropFirst(7).split(separator: " ")[0] }
    // The tags are in byte order.
    let sorted = tags.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return tags.compactMap { tag in sorted.firstIndex(of: tag).map { String(cases[$0]) } }
  }

  @Test func `tags become names`() throws {
    let tags = [
      "Level 2", "HTML page", "helloWorld", "1st", "default", "日本", "a-b_c", "x9", "ALL", "packIDs",
      "eins zwei Drei",
    ]
    #expect(
      try names(tags) == [
        "level2", "htmlPage", "helloWorld", "tag1st", "defaultTag", "tag", "aBC", "x9", "all", "packIDsTag",
        "einsZweiDrei",
      ])
    #expect(try names([String(repeating: "y", count: 70)]) == [String(repeating: "y", count: 60)])
  }

  /// The digits are from the MD5 of each tag, according to `md5sum`.
  @Test func `equal names get digits`() throws {
    let tags = ["Level 1", "level-1", "Level 2"]
    #expect(try names(tags) == ["level1_5afaf167", "level1_a54116a3", "level2"])
  }

  private func release() throws -> Release {
    Release(
      of: try makePlan(
        [
          PlannedFile("1", ["A"], size: 10), PlannedFile("2", ["A", "B"], size: 500),
          PlannedFile("3", ["C"], size: 7),
        ], initial: ["B"], prefetch: ["C"]))
  }

  @Test func `comments state the delivery, and on request the size`() throws {
    let plain = SwiftTags(try release()).constants.text
    #expect(
      plain.contains(
        """
          /// on demand
          case a = "A"
          /// initial install
          case b = "B"
          /// prefetch
          case c = "C"
        }

        """))
    let sized = SwiftTags(try release(), hasSizes: true).constants.text
    #expect(
      sized.contains(
        """
          /// 510 bytes, on demand, in 2 packs
          case a = "A"
          /// 500 bytes, initial install
          case b = "B"
          /// 7 bytes, prefetch
          case c = "C"
        }

        """))
    #expect(!plain.contains("import") && plain.hasPrefix("// Made by packtool; do not edit.\n\n///"))
  }

  @Test func `the packs of a tag are in order`() throws {
    let release = try release()
    let all = release.tags.first { $0.name == "A" }?.packs ?? []
    #expect(all.count == 2)
    for ids in [["z", "m", "a"], ["a", "m", "z"]] {
      let code = SwiftTags(release).backgroundAssets(ids: ids, backgroundAssetsVersion: .v26).text
      let names = all.map { ids[$0] }.sorted()
      #expect(code.contains("    case .a: [\"\(names[0])\", \"\(names[1])\"]\n"))
      #expect(code.contains("import BackgroundAssets\n\n///") && !code.contains("iOS 27.0"))
      let newer = SwiftTags(release).backgroundAssets(ids: ids, backgroundAssetsVersion: .v27).text
      #expect(newer.contains("iOS 27.0"))
      let json = TagsFormat.json(of: release, ids: ids).text
      #expect(json.contains("    \"A\": [\n      \"\(names[0])\",\n      \"\(names[1])\"\n    ]"))
    }
  }

  @Test func `text from outside is one literal`() {
    #expect(SwiftForm.escaped("a b") == "\"a b\"" && SwiftForm.escaped("") == "\"\"")
    #expect(SwiftForm.escaped("\"\\(x)\\") == #""\"\\(x)\\""#)
    #expect(SwiftForm.escaped("é日\u{301}") == "\"é日\u{301}\"")
    #expect(
      SwiftForm.escaped("\n\t\u{7f}\u{a0}\u{200b}\u{202e}") == #""\u{a}\u{9}\u{7f}\u{a0}\u{200b}\u{202e}""#)
  }

  @Test func `the file of tags has packs, sizes and digests`() throws {
    let plan = try makePlan([PlannedFile("1", ["A"], size: 10), PlannedFile("2", ["B", "A"], size: 5)])
    let numbers = plan.packs.map { $0.tags == ["A"] ? "a" : "ab" }
    let packs = plan.packs.map { pack in
      let file = WrittenFile(size: 1, digest: .zero)
      return pack.tags == ["A"]
        ? PublishedPack(digest: .zero, archive: PublishedFile(path: "x", file: file)) : nil
    }
    let zero = String(repeating: "0", count: 64)
    let json = TagsFormat.json(of: Release(of: plan, packs: packs), ids: numbers).text
    #expect(
      json == """
        {
          "formatVersion": 1,
          "packs": {
            "a": {
              "digest": "sha256:\(zero)",
              "size": 10,
              "tags": [
                "A"
              ]
            },
            "ab": {
              "size": 5,
              "tags": [
                "A",
                "B"
              ]
            }
          },
          "tags": {
            "A": [
              "a",
              "ab"
            ],
            "B": [
              "ab"
            ]
          }
        }

        """)
  }
}
