import Foundation
import Support
import Testing

@testable import OnDemand

/// Tests two versions of an app on one server.
///
/// Each version has its own URL.
@Suite(.noHang, .mostlyWaits) struct VersionTests {
  private static let example = "\(packageFolder)/Examples/LevelUpdate"
  private static let file = "Levels/2/dialogue.json"

  /// Makes a folder for each version.
  ///
  /// Either each folder contains its own packs, or all folders contain symlinks to packs in one common
  /// folder.
  private func site(_ kind: String, in folder: TemporaryFolder) throws {
    func build(_ words: String...) throws {
      let result = try run(packtoolProgram(), ["build"] + words + ["--quiet"])
      #expect(result.status == 0, "\(result.errors)")
    }
    if kind == "whole" {
      for version in ["1.0", "1.1"] {
        try build("\(Self.example)/\(version)", "-o", folder.path("site/\(version)"))
      }
      return
    }
    for version in ["1.0", "1.1"] {
      try build("\(Self.example)/\(version)", "-o", folder.path("all"), "--keep-old")
      try folder.write("site/\(version)/index.json", try folder.read("all/index.json"))
      try folder.link("site/\(version)/packs", to: "../../all/packs")
    }
  }

  private func app(_ version: String, device: String, _ server: FolderServer, in folder: TemporaryFolder)
    async throws -> PackStore
  {
    var options = PackStore.Options()
    options.use(server)
    let url = FolderServer.url.appendingPathComponent(version)
    return try await PackStore.open(at: URL(fileURLWithPath: folder.path(device)), server: url, options)
  }

  private func expectContents(_ store: PackStore, of version: String) async throws {
    let request = store.request(for: ["Level 1", "Level 2"])
    try await request.beginAccessing()
    let assets = URL(fileURLWithPath: "\(Self.example)/\(version)/Assets/\(Self.file)")
    #expect(try Data(contentsOf: request.url(for: Self.file)) == Data(contentsOf: assets))
    request.endAccessing()
  }

  @Test(arguments: ["whole", "linked"])
  func `an old app keeps its packs when a new one is there`(kind: String) async throws {
    let folder = try TemporaryFolder()
    try site(kind, in: folder)
    let server = FolderServer(folder.path("site"))
    let old = try await app("1.0", device: "old", server, in: folder)
    let new = try await app("1.1", device: "new", server, in: folder)
    try await expectContents(new, of: "1.1")
    // The old app is started after the new release was published, and all its packs are still available.
    try await expectContents(old, of: "1.0")
    #expect(try await old.checkForUpdate() == nil)
    await new.close()
    await old.close()
    // The player updates the app. Unchanged packs must not be downloaded again.
    let before = server.paths.count
    let updated = try await app("1.1", device: "old", server, in: folder)
    try await updated.takeUpdate()
    try await expectContents(updated, of: "1.1")
    let packs = server.paths.dropFirst(before).filter { $0.contains("packs/") }
    #expect(
      packs.count == 2 && packs.allSatisfy { $0.hasPrefix("1.1/packs/") && !$0.contains("Level 1+Level 2") })
    await updated.close()
  }

  /// `verify` uses the index in the folder that is its argument, even if the packs belong to several indexes.
  @Test func `verify takes one index at a time`() throws {
    let folder = try TemporaryFolder()
    try site("linked", in: folder)
    for version in ["1.0", "1.1"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("all"))
      for name in names where name.hasPrefix("contents.") {
        try folder.write("site/\(version)/\(name)", try folder.read("all/\(name)"))
      }
    }
    let all = try run(packtoolProgram(), ["verify", folder.path("all")])
    #expect(all.status == 0 && all.errors.count(of: "not-in-index") >= 2, "\(all.errors)")
    for version in ["1.0", "1.1"] {
      let one = try run(packtoolProgram(), ["verify", folder.path("site/\(version)")])
      #expect(one.status == 0, "\(one.errors)")
    }
  }
}
