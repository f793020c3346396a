@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests how manifests for packs of Background Assets become one manifest.
@Suite struct BackgroundImporterTests {
  private static let first = #"{"installationEventTypes": ["firstInstallation"]}"#
  private static let update = #"{"installationEventTypes": ["subsequentUpdate"]}"#

  /// Returns the text of a manifest, with one selector per line from line 3 on.
  private static func text(
    _ id: String, root: String? = nil, policy: String = #"{"onDemand": {}}"#, _ selectors: [String],
    more: String = ""
  ) -> String {
    let root = root.map { "\"sourceRoot\": \"\($0)\", " } ?? ""
    return
      "{\(root)\"downloadPolicy\": \(policy),\n\"fileSelectors\": [\n\(selectors.joined(separator: ",\n"))\n],\n"
      + "\"assetPackID\": \"\(id)\"\(more)}"
  }

  /// Writes manifests `1.json`, `2.json` and so on next to a few files, and imports them.
  private func importer(
    _ texts: [String], keepsVersions: Bool = false
  ) throws -> (importer: BackgroundImporter, folder: TemporaryFolder) {
    let folder = try TemporaryFolder()
    for file in ["content/a/x", "content/a/d/old.pat", "content/b/y", "content/b/sub/z"] {
      try folder.write(file, file)
    }
    for (number, text) in texts.enumerated() { try folder.write("\(number + 1).json", text) }
    let importer = try BackgroundImporter(
      manifestsAt: texts.indices.map { folder.path("\($0 + 1).json") }, selectorsRelativeTo: folder.path,
      keepsVersions: keepsVersions)
    return (importer, folder)
  }

  private func place(_ place: Place) -> String {
    "\(lastName(of: place.path)):\(place.position?.line ?? 0)"
  }

  /// Returns the findings and their notes with their places.
  private func findings(_ importer: BackgroundImporter) -> [String] {
    importer.reading.findings.flatMap { finding in
      ["\(place(finding.place)) \(finding.checkAndValues)"]
        + finding.notes.compactMap { $0.place.map { "note at \(place($0))" } }
    }
  }

  /// Returns the rules of a manifest, with the places of their texts.
  private func rules(_ reading: ManifestSource.Reading) throws -> [String] {
    let text = try #require(reading.text)
    return try #require(reading.manifest).rules.map { rule in
      let destination = rule.destination.map { " > \($0.path.text)\($0.isFolder ? "/" : "")" } ?? ""
      return "\(place(text.place(at: rule.text.offset))) \(rule.pattern.key) \(rule.text.value) "
        + "\(rule.tags.map(\.value))\(destination)"
    }
  }

  @Test func `packs of several folders become rules below their common folder`() throws {
    let (importer, folder) = try importer([
      Self.text(
        "p1", root: "content/a", policy: "{\"essential\": \(Self.first)}",
        [#"{"file": "x"}"#, #"{"filePattern": "d/*.pat"}"#, #"{"fileExclusion": "d/old.pat"}"#],
        more: ", \"language\": \"de\",\n\"platforms\": [\"iOS\"]"),
      Self.text(
        "p2", root: "content/b", policy: "{\"prefetch\": \(Self.first)}",
        [#"{"directory": "sub"}"#, #"{"fileSource": "y", "fileDestination": "a/y"}"#],
        more: ", \"platforms\": [\"iOS\"]"),
      Self.text("p3", root: "content", [#"{"file": "a/d/old.pat"}"#], more: ", \"platforms\": [\"iOS\"]"),
    ])
    let reading = importer.reading
    let (manifest, text) = (try #require(reading.manifest), try #require(reading.text))
    #expect(
      try rules(reading) == [
        #"1.json:3 path a/x ["p1"] > x"#, #"1.json:4 glob a/d/*.pat ["p1"] > d/"#,
        #"2.json:3 path b/sub ["p2"] > sub"#,
        #"2.json:4 path b/y ["p2"] > a/y"#, #"3.json:3 path a/d/old.pat ["p3"]"#,
      ])
    #expect(manifest.root.value == folder.path("content") && manifest.root.offset == 0)
    #expect(manifest.excludes.map(\.text) == ["a/d/old.pat"])
    #expect(manifest.excludeOffsets.map { place(text.place(at: $0)) } == ["1.json:5"])
    #expect(
      manifest.initialInstallTags.map(\.value) == ["p1"] && manifest.prefetchTagOrder.map(\.value) == ["p2"])
    #expect(manifest.initialInstallTags.map { place(text.place(at: $0.offset)) } == ["1.json:7"])
    #expect(
      manifest.firstOffsets.mapValues { place(text.place(at: $0)) } == [
        "p1": "1.json:7", "p2": "2.json:6", "p3": "3.json:5",
      ])
    #expect(manifest.languages.mapValues(\.value) == ["p1": "de"] && importer.hasLanguages)
    #expect(manifest.languages.values.map { place(text.place(at: $0.offset)) } == ["1.json:7"])
    #expect(manifest.layout.name == .backgroundAssets && manifest.layout.bundleVersion == .v27)
    #expect(
      manifest.limits.profile.name != LimitProfile.backgroundAssets.name
        && importer.platforms.map(\.rawValue) == ["iOS"])
    #expect(manifest.bundleIdentifier == BackgroundImporter.placeholder && !manifest.downloadsOnUpdate)
    #expect(importer.ids == ["p1": "p1", "p2": "p2", "p3": "p3"] && importer.versions.isEmpty)
  }

  @Test func `packs without a common folder of their own get the folder above`() throws {
    let (importer, folder) = try importer([
      Self.text("p1", root: "content/a", [#"{"file": "x"}"#]),
      Self.text("p2", root: "content/b", [#"{"filePattern": "*"}"#, #"{"file": "y"}"#]),
    ])
    let root = try #require(importer.reading.manifest?.root.value)
    #expect(try FileOperations.realPath(of: root) == FileOperations.realPath(of: folder.path("content")))
    #expect(root.hasPrefix(folder.path("content/a")))
    #expect(
      try rules(importer.reading) == [
        #"1.json:3 path a/x ["p1"] > x"#, #"2.json:3 glob b/* ["p2"] > ./"#, #"2.json:4 path b/y ["p2"] > y"#,
      ])
    #expect(importer.platforms.isEmpty && !importer.hasLanguages)
    let manifest = try #require(importer.reading.manifest)
    #expect(
      manifest.limits.profile.name == LimitProfile.backgroundAssets.name
        && manifest.layout.bundleVersion != .v27)
  }

  @Test func `selectors of the same files share a rule`() throws {
    let (importer, _) = try importer([
      Self.text("p1", [#"{"file": "content/a/x"}"#, #"{"filePattern": "content/*"}"#]),
      Self.text(
        "p2", [#"{"file": "content/a/x"}"#, #"{"file": "content/a/x"}"#, #"{"filePattern": "content/*"}"#]),
    ])
    #expect(
      try rules(importer.reading) == [
        #"1.json:3 path content/a/x ["p1", "p2"]"#, #"1.json:4 glob content/* ["p1", "p2"]"#,
      ])
    let (conflict, _) = try self.importer([
      Self.text("p1", [#"{"file": "content/a/x"}"#]),
      Self.text(
        "p2", [#"{"file": "content/b/y"}"#, #"{"fileSource": "content/a/x", "fileDestination": "q"}"#]),
    ])
    #expect(conflict.reading.manifest == nil)
    let found = findings(conflict).filter { !$0.contains("[uncarried-setting]") }
    #expect(found == [#"2.json:4 [two-destinations] "p2" "content/a/x" "q" "p1""#, "note at 1.json:3"])
  }

  @Test func `settings that a manifest does not have are reported`() throws {
    let texts = [
      Self.text(
        "p1", policy: "{\"essential\": \(Self.first)}", [#"{"file": "content/a/x"}"#],
        more: ",\n\"userInfo\": 1, \"platforms\": [\"iOS\"]"),
      Self.text(
        "p2", policy: "{\"prefetch\": \(Self.update)}",
        [#"{"file": "content/b/y"}"#, #"{"fileExclusion": "q"}"#],
        more: ",\n\"platforms\": [\"macOS\", \"iOS\"]"),
    ]
    let (importer, _) = try importer(texts)
    #expect(
      findings(importer) == [
        #"1.json:0 [uncarried-setting] "com.example.app""#, #"1.json:1 [uncarried-setting] "onUpdate""#,
        #"2.json:1 [uncarried-setting] "p2" "subsequentUpdate" "firstInstallation""#,
        #"2.json:7 [uncarried-setting] "p1" "p2""#, #"1.json:6 [uncarried-setting] "userInfo""#,
        "2.json:4 [uncarried-setting]",
      ])
    #expect(importer.reading.manifest?.downloadsOnUpdate == true)
    #expect(importer.platforms.map(\.rawValue) == ["iOS", "macOS"])
    #expect(Array(importer.versions.keys) == ["p1"] && importer.versions["p1"]?.version == 0)
    #expect(importer.versions["p1"]?.userInfo != nil)
    let kept = findings(try self.importer(texts, keepsVersions: true).importer)
    #expect(kept.count == 5 && !kept.contains { $0.contains("userInfo") })
    // One pack alone has nothing in common with others.
    let alone = findings(try self.importer([texts[1]]).importer)
    #expect(
      alone == [
        #"1.json:0 [uncarried-setting] "com.example.app""#,
        #"1.json:1 [uncarried-setting] "p2" "subsequentUpdate" "firstInstallation""#,
      ])
    // A pack for all platforms makes the build one for all platforms.
    let all = try self.importer([texts[1], Self.text("p3", [#"{"file": "content/a/x"}"#])]).importer
    #expect(all.platforms.isEmpty && findings(all).contains(#"2.json:1 [uncarried-setting] "p2" "p3""#))
  }

  @Test func `selectors of the wrong kind are reported and used`() throws {
    let (importer, _) = try importer([
      Self.text(
        "p",
        [
          #"{"file": "content/a"}"#, #"{"directory": "content/a/x"}"#, #"{"directory": "content/b"}"#,
          #"{"fileSource": "content/b/sub", "fileDestination": "s"}"#, #"{"file": "content/none"}"#,
        ])
    ])
    #expect(
      findings(importer).filter { $0.contains("[wrong-selector]") } == [
        #"1.json:3 [wrong-selector] "content/a" "file" "directory""#,
        #"1.json:4 [wrong-selector] "content/a/x" "directory" "file""#,
        #"1.json:6 [wrong-selector] "content/b/sub" "fileSource" "directorySource""#,
      ])
    #expect(importer.reading.manifest?.rules.count == 5)
  }

  @Test func `packs that differ only in case collide`() throws {
    let selectors = [#"{"file": "content/a/x"}"#]
    let (importer, _) = try importer([
      Self.text("p", selectors), Self.text("P", selectors), Self.text("p", selectors),
    ])
    #expect(importer.reading.manifest == nil)
    let found = importer.reading.findings
    #expect(found.map(\.check) == [.identifierCollision, .identifierCollision])
    #expect(found.map { place($0.place) } == ["2.json:5", "3.json:5"])
  }

  @Test func `a source root must be a folder`() throws {
    let (importer, _) = try importer([
      Self.text("p", root: "content/a/x", [#"{"file": "x"}"#]),
      Self.text("q", root: "none", [#"{"file": "x"}"#]),
    ])
    #expect(importer.reading.manifest == nil)
    #expect(importer.reading.findings.map(\.check) == [.invalidPath, .invalidPath])
  }

  @Test func `manifests of packs are recognized by their keys`() throws {
    let folder = try TemporaryFolder()
    for (name, text, isOne) in [
      ("a.json", "{\"assetPackID\": \"x\"}", true), ("b.json", "{\"assetPacks\": []}", true),
      ("c.json", "// comment\n{\"assetPackID\": 1}", true), ("d.json", "{\"id\": 1}", false),
      ("e.txt", "{\"assetPackID\": \"x\"}", false), ("f.json", "no JSON", false),
    ] {
      try folder.write(name, text)
      #expect(try BackgroundImporter.isOne(folder.path(name)) == isOne, "\(name)")
    }
    #expect(try !BackgroundImporter.isOne(folder.path("none.json")))
  }
}
