@testable import Formats
@testable import Inspect
@testable import Model
import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests how `verify` reads a build for Background Assets, and which mistakes it finds in a changed build.
@Suite struct BackgroundAssetsBuildTests {
  private let folder: TemporaryFolder
  private let ids: [String]

  /// Builds three packs: one with the tag A, one with A and B, and one with C.
  ///
  /// A is in the initial install.
  init() throws {
    folder = try TemporaryFolder()
    for file in ["a", "ab", "c"] { try folder.write("\(file)/x-\(file)", file) }
    try folder.writeManifest(
      rules: """
        {"path": "a", "tags": ["A"]}, {"path": "ab", "tags": ["A", "B"]}, {"path": "c", "tags": ["C"]}
        """, app: "a.b",
      members: "\"initialInstallTags\": [\"A\"], \"prefetchTagOrder\": [\"C\"]")
    var request = BuildRequest(
      Preparation.Request(argument: folder.path, jobs: 1), output: folder.path("out"),
      entryTime: 1_000_000_000)
    request.layout = LayoutChoice(layout: .backgroundAssets)
    let result = try request.run(Policy())
    try #require(result.release != nil, "\(result.findings)")
    ids = ["A", "A-B", "C"].map { tags in
      result.release?.packs.compactMap(\.published).map { lastName(of: $0.archive.path) }.first {
        $0.hasPrefix("\(tags)-") && $0.dropLast(9) == tags
      } ?? ""
    }
    try #require(!ids.contains(""), "\(ids)")
  }

  private func build(ledger: String? = nil) throws -> BackgroundAssetsBuild {
    try BackgroundAssetsBuild(at: folder.path("out"), profile: nil, ledgerPath: ledger, jobs: 1)
  }

  /// Returns `path: facts` for each finding.
  private func findings(ledger: String? = nil) throws -> [String] {
    try build(ledger: ledger).diagnostics.filter { $0.severity == .error }.map {
      "\($0.place.path): \($0.facts)".replacing("\(folder.path)/out/", with: "")
    }
  }

  @Test func `a tag comes as early as the first of its packs`() throws {
    let release = try #require(try build().release?.release)
    #expect(release.tags.map(\.name) == ["A", "B", "C"])
    #expect(release.tags.map(\.delivery) == [.initialInstall, .initialInstall, .prefetch])
    #expect(release.tags.map(\.packs.count) == [2, 1, 1] && release.tags.map(\.size) == [3, 2, 1])
    #expect(release.packs.map(\.id) == ids && release.packs.map(\.size) == [1, 2, 1])
  }

  @Test func `a key in a pack is named where it lies`() throws {
    try folder.write("out/packs/\(ids[2])/key", "-----BEGIN PRIVATE KEY-----\nAAAA\n")
    let found = try findings().filter { $0.contains("[secret-key]") }
    #expect(found == ["packs/\(ids[2])/key: error [secret-key] \"key\" \"exclude\""])
  }

  @Test func `what no list names comes after what packs share`() throws {
    try folder.write("out/packs/other-12345678/x", "x")
    try folder.write("out/packs/\(ids[2])/x-a", "a")
    let found = try build().diagnostics.map(\.check)
    #expect(found.contains(.notInIndex))
    #expect(found.firstIndex(of: .notInIndex) ?? 0 > (found.firstIndex(of: .damagedPack) ?? -1))
  }

  @Test func `a ledger that is damaged is named`() throws {
    try folder.write("ledger.json", "{")
    let path = folder.path("ledger.json")
    #expect(try findings(ledger: path).map { $0.prefix(path.utf8.count) } == [path[...]])
  }

  /// If the version lockfile cannot be read, the versions of a build are not compared with anything.
  @Test func `a damaged ledger says nothing of versions`() throws {
    var request = BuildRequest(
      Preparation.Request(argument: folder.path, jobs: 1), output: folder.path("hosted"),
      entryTime: 1_000_000_000)
    request.layout = LayoutChoice(layout: .backgroundAssets)
    request.layout.urlPrefix = "https://example.com/"
    request.layout.assets.isSelfHosted = true
    request.layout.assets.ledger = folder.path("ledger.json")
    #expect(try request.run(Policy()).release != nil)
    func checks(_ ledger: String) throws -> [Check] {
      try BackgroundAssetsBuild(
        at: folder.path("hosted"), profile: nil, ledgerPath: folder.path(ledger), jobs: 1
      ).diagnostics.filter { $0.severity == .error }.map(\.check)
    }
    #expect(try checks("ledger.json") == [])
    try folder.write("bad.json", "[")
    #expect(try !checks("bad.json").isEmpty && !checks("bad.json").contains(.wrongVersion))
    // A version lockfile that does not contain any of the packs.
    #expect(try checks("none.json").allSatisfy { $0 == .wrongVersion } && !checks("none.json").isEmpty)
  }

  /// Returns `check path` for each error, with the name `ID` for the pack with the tag C.
  private func checks() throws -> [String] {
    try build().diagnostics.filter { $0.severity == .error }.map {
      let path = $0.place.path.replacing("\(folder.path)/out/", with: "")
      return "\($0.check.id) \(path.replacing(ids[2], with: "ID"))"
    }
  }

  @Test func `a whole build is counted`() throws {
    let build = try build()
    #expect(try checks() == [])
    #expect(build.count.packs == 3 && build.count.files == 3 && build.count.size == 4)
    let release = try #require(build.release)
    #expect(release.files.map { lastName(of: $0.file.path) } == ["x-a", "x-ab", "x-c"])
    #expect(release.files.map(\.pack) == [0, 1, 2] && Set(release.packDigests).count == 3)
    #expect(release.release.packs.map(\.fileCount) == [1, 1, 1])
    #expect(release.release.packs.map(\.delivery) == [.initialInstall, .initialInstall, .prefetch])
  }

  @Test func `each change of a pack is named where it is`() throws {
    let pack = "out/packs/\(ids[2])"
    let manifest = "out/manifests/\(ids[2]).json"
    let own = try #require(try folder.files(below: pack).keys.first)
    let other = try #require(try folder.files(below: "out/packs/\(ids[0])").keys.first)
    for content in ["C", "cc", ""] {
      try folder.write("\(pack)/\(own)", content)
      #expect(try checks() == ["damaged-pack packs/ID"], "\(content)")
      #expect(try build().release == nil)
    }
    try folder.write("\(pack)/\(own)", "c")
    #expect(try checks() == [])
    // Devices ignore the case of paths.
    for path in [other, other.uppercased()] {
      try folder.write("\(pack)/\(path)", "a")
      #expect(
        try checks() == [
          "wrong-contents manifests/ID.json", "damaged-pack packs/ID", "path-in-two-packs packs/ID/\(path)",
        ])
      try FileOperations.remove(folder.path("\(pack)/\(path)"))
    }
    let text = String(decoding: try folder.read(manifest), as: UTF8.self)
    try folder.write(manifest, text.replacing(own, with: "\(own)2"))
    #expect(try checks() == ["wrong-contents manifests/ID.json", "wrong-contents manifests/ID.json"])
    try FileOperations.remove(folder.path(manifest))
    #expect(try checks() == ["damaged-index manifests/ID.json"])
    try folder.write(manifest, text)
    try FileOperations.rename(folder.path(pack), to: folder.path("kept"))
    #expect(try checks() == ["wrong-contents manifests/ID.json", "missing-pack packs/ID"])
    try FileOperations.rename(folder.path("kept"), to: folder.path(pack))
    #expect(try checks() == [])
  }

  @Test func `files that are missing or in no list are named`() throws {
    for name in ["notes.txt", "manifests/other.json", "archives/other.aar"] {
      try folder.write("out/\(name)", "x")
      let found = try build().diagnostics.filter { $0.check == .notInIndex }
      #expect(found.map(\.place.path) == [folder.path("out/\(name)")] && found.map(\.severity) == [.warning])
      try FileOperations.remove(folder.path("out/\(name)"))
    }
    for name in [PublishedNames.tagsSource, PublishedNames.packageScript] {
      let content = try folder.read("out/\(name)")
      try FileOperations.remove(folder.path("out/\(name)"))
      #expect(try checks() == ["damaged-index \(name)"])
      try folder.write("out/\(name)", content)
    }
    try FileOperations.remove(folder.path("out/tags.json"))
    #expect(try checks() == ["missing-index tags.json"])
    #expect(try build().count.packs == 0)
  }
}
