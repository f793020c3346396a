import Foundation
import OnDemand
import Model
import Pipeline
import System
import Support
import Testing

/// Tests power failures while an app's store downloads packs.
///
/// At each moment, bytes that were not flushed are lost.
@Suite(
  .enabled(if: FaultShim.shared != nil, "no C compiler here that makes the recorder"),
  .timeLimit(.minutes(20)))
struct StorePowerCutTests {
  private static let tags = ["A", "C", "D", "F"]

  /// The files of a release.
  ///
  /// `byTag` contains, for each tag, the paths of its files with their digests.
  private struct Files {
    var byTag: [String: [String: String]] = [:]

    init(_ folder: String) throws {
      let built = try BuiltFolder(folder)
      let (index, contents) = (try #require(built.index), try #require(built.contents))
      for (number, pack) in index.packs.enumerated() {
        for file in contents.files(of: number).map(Int.init) {
          let path = String(decoding: contents.path(at: file), as: UTF8.self)
          for tag in pack.tags { byTag[tag, default: [:]][path] = contents.digest(at: file).hex }
        }
      }
    }
  }

  /// Returns the arguments with which the store's test program downloads the packs of all tags.
  private func arguments(_ store: String, _ server: RunningServer) -> [String] {
    [store, server.url, "update"] + Self.tags
  }

  private func driver() throws -> String { try builtProduct("OnDemandDriver") }

  /// Returns the tags whose packs are available in a store without a network, each with the releases whose
  /// files the store has for the tag.
  private func available(in folder: String, _ releases: [Files]) async throws -> [String: Set<Int>] {
    // No server listens at this address.
    let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
    let store = try await PackStore.open(at: URL(fileURLWithPath: folder), server: nowhere)
    var found: [String: Set<Int>] = [:]
    for tag in Self.tags {
      let request = store.request(for: [tag])
      if await isStored(request) {
        found[tag] = Set(releases.indices.filter { hasFiles(store, releases[$0].byTag[tag] ?? [:]) })
      }
      request.endAccessing()
    }
    await store.close()
    return found
  }

  /// Whether all packs of a request are stored.
  ///
  /// If the store has no catalog, no pack counts as stored.
  private func isStored(_ request: ResourceRequest) async -> Bool {
    do { return try await request.conditionallyBeginAccessing() } catch { return false }
  }

  /// Whether a store has all files of a tag with their contents.
  private func hasFiles(_ store: PackStore, _ files: [String: String]) -> Bool {
    for (path, digest) in files {
      guard let url = try? store.url(for: path), let data = try? Data(contentsOf: url) else { return false }
      if SHA256.digest(of: Array(data).span.bytes).hex != digest { return false }
    }
    return true
  }

  /// Tests systems that have no call to flush a whole file system, or that refuse this call.
  @Test func `a power cut leaves whole packs where each file is synced`() async throws {
    let built = try BuiltSite()
    let folder = try TemporaryFolder()
    let release = try Files(built.path)
    let server = try RunningServer([built.path, "--port", "0"], in: folder)
    defer { server.end() }
    try FileManager.default.createDirectory(
      atPath: folder.path("disk/store"), withIntermediateDirectories: true)
    let disk = try RecordedDisk(
      driver(), [folder.path("disk/store"), server.url, "update", "A"], below: folder.path("disk"),
      store: TemporaryFolder(), environment: ["RECORD_NO_SYNCFS": "1"])
    #expect(!disk.output.contains("error"), "\(disk.output)")
    for state in disk.states(isWhole: isWhole) {
      try state.write("/store", to: folder.path("after"))
      let found = try await available(in: folder.path("after"), [release])["A"]
      let context: Comment = "\(state.events) of \(disk.eventCount) events"
      #expect(found == [0] || (found == nil && state.events < disk.eventCount), context)
    }
  }

  @Test func `a power cut leaves whole packs of a release, or none`() async throws {
    let site = try PatchSite()
    _ = try site.build(into: "new", from: ["old"])
    let releases = try ["old", "new"].map { try Files(site.site.folder.path($0)) }
    let folder = site.site.folder
    for (number, release) in ["old", "new"].enumerated() {
      let server = try RunningServer([folder.path(release), "--port", "0"], in: folder)
      defer { server.end() }
      try FileManager.default.createDirectory(atPath: folder.path("disk"), withIntermediateDirectories: true)
      let disk = try RecordedDisk(
        driver(), arguments(folder.path("disk/store"), server), below: folder.path("disk"),
        store: TemporaryFolder())
      #expect(!disk.output.contains("error"), "\(disk.output)")
      let states = disk.states(isWhole: isWhole)
      #expect(states.count > 20)
      var whole = 0
      for state in states {
        try state.write("/store", to: folder.path("after"))
        let found = try await available(in: folder.path("after"), releases)
        let context: Comment = "\(release): \(state.events) of \(disk.eventCount) events"
        #expect(found.allSatisfy { !$0.value.isEmpty }, context)
        whole += found.count
        if state.events == disk.eventCount {
          #expect(found.keys.sorted() == Self.tags, context)
          #expect(found.values.allSatisfy { $0.contains(number) }, context)
        }
      }
      #expect(whole > 0)
      // With the remaining files, the store can continue.
      for state in sample(5, of: states) {
        try state.write("/store", to: folder.path("after"))
        let run = try run(driver(), arguments(folder.path("after"), server), in: folder.path)
        #expect(run.status == 0 && !run.output.contains("error"), "\(run.output) \(run.errors)")
        let found = try await available(in: folder.path("after"), releases)
        #expect(found.keys.sorted() == Self.tags && found.values.allSatisfy { $0.contains(number) })
      }
    }
  }
}
