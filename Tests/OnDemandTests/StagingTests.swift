import Foundation
import FoundationNetworking
import Packing
import Pipeline
import Support
import System
import Testing

@testable import OnDemand

/// Tests updates that are downloaded before they replace a release.
@Suite(.noHang, .mostlyWaits) struct StagingTests {
  private let patched: PatchSite
  private let site: StoreSite

  init() throws {
    patched = try PatchSite()
    _ = try patched.build(into: "new", from: ["old"])
    site = try StoreSite(patched.site.folder.path("old"))
  }

  private func contents(_ path: String) throws -> Data {
    Data(try patched.site.folder.read("Assets/\(path)"))
  }

  /// Makes a store that has the given tags of the first release.
  ///
  /// The store's server now offers the second release.
  private func offered(_ tags: [String]) async throws -> PackStore {
    let store = try await site.updated()
    if !tags.isEmpty { try await store.begin(tags).endAccessing() }
    site.server.serve(patched.site.folder.path("new"))
    return store
  }

  private func cutNetwork() {
    site.server.bend { _, answer in (answer.status, answer.failure) = (0, .unreachable) }
  }

  @Test func `asking for an update takes nothing away`() async throws {
    let store = try await offered(["A", "C"])
    let old = try #require(store.release)
    let update = try #require(try await store.checkForUpdate())
    #expect(store.release == old && store.stagedUpdate?.release == update.release && update.release != old)
    cutNetwork()
    #expect(await store.state(of: "A") == .downloaded)
    let request = try await store.begin(["A"])
    #expect(try Data(contentsOf: request.url(for: "a/changed.bin")) != contents("a/changed.bin"))
    // The store does not wait for a server that it has never reached.
    store.setNetworkAvailable(true)
    await #expect(throws: OnDemandError.serverIsAway) { try await update.apply() }
    #expect(store.release == old)
    await store.close()
  }

  @Test func `an update is downloaded beside the old packs, then applied`() async throws {
    let store = try await offered(["A", "C"])
    let open = try await store.begin(["A"])
    let file = try open.url(for: "a/changed.bin")
    let before = try Data(contentsOf: file)
    let update = try #require(try await store.checkForUpdate())
    let size = update.downloadSize
    let asked = site.server.paths.count
    var steps: [ResourceProgress] = []
    let download = update.download()
    for await step in download { steps.append(step) }
    try await download.wait()
    #expect(steps.last?.fraction == 1 && steps.last?.total == steps.last?.bytes)
    #expect(size > 0 && update.downloadSize == 0)
    // The update downloads only packs of tags that were stored on this device. So it does not download packs
    // that have only the tags D, E or F.
    let names = site.server.paths.dropFirst(asked)
    #expect(names.allSatisfy { !$0.contains(".D-") && !$0.contains(".E-") && !$0.contains(".F-") })
    #expect(!names.isEmpty)
    cutNetwork()
    #expect(await store.state(of: "C") == .downloaded)
    try await update.apply()
    #expect(store.release == update.release && store.stagedUpdate == nil)
    // The open request still uses its old release. A new request uses the new release.
    #expect(try Data(contentsOf: open.url(for: "a/changed.bin")) == before)
    let next = try await store.begin(["A", "C"])
    #expect(try Data(contentsOf: next.url(for: "a/changed.bin")) == contents("a/changed.bin"))
    #expect(try Data(contentsOf: next.url(for: "c/moved.bin")) == contents("c/moved.bin"))
    #expect(throws: OnDemandError.notHeld(path: "a/removed")) { try next.url(for: "a/removed") }
    #expect(try open.url(for: "a/removed").path.hasSuffix("a/removed"))
    open.endAccessing()
    await store.drain()
    #expect(!FileManager.default.fileExists(atPath: file.path))
    await store.close()
  }

  @Test func `an update that was killed while it came goes on`() async throws {
    let store = try await offered(["A", "C"])
    let count = Locked(0)
    site.server.bend { path, answer in
      let isPack = path.hasPrefix("pa") && path.hasSuffix(".zip")
      let number = count.withLock { count in
        count += isPack ? 1 : 0
        return count
      }
      if isPack && number > 1 { (answer.body, answer.isEndless) = (answer.body.prefix(30), true) }
    }
    let download = try #require(try await store.checkForUpdate()).download()
    try await waitUntil("one pack is there, and others are on their way") {
      count.withLock { $0 } > 1 && store.storedSize > 0
    }
    let killed = try site.afterKill()
    await store.close()
    await #expect(throws: OnDemandError.closed) { try await download.wait() }
    cutNetwork()
    let again = try await killed.open()
    #expect(await again.state(of: "A") == .downloaded)
    let update = try #require(again.stagedUpdate)
    #expect(again.release != update.release)
    site.server.bend { _, _ in }
    try await update.apply()
    let request = try await again.begin(["A", "C"])
    #expect(try Data(contentsOf: request.url(for: "c/moved.bin")) == contents("c/moved.bin"))
    await again.close()
  }

  @Test func `requests come before a staged update`() async throws {
    var site = site
    site.options.connections = 1
    let store = try await offered(["A", "C"])
    await store.close()
    let single = try await site.open()
    let update = try #require(try await single.checkForUpdate())
    let request = single.request(for: ["F"])
    single.setNetworkAvailable(true)
    let asked = site.server.paths.count
    let (isHeld, hasBegun) = (Locked(true), Locked(false))
    site.server.bend { path, answer in
      if isHeld.withLock({ $0 }) { answer.isEndless = path.hasPrefix("pa") }
      if answer.isEndless {
        answer.body = answer.body.prefix(10)
        hasBegun.withLock { $0 = true }
      }
    }
    let download = update.download()
    try await waitUntil("it began") { hasBegun.withLock { $0 } }
    isHeld.withLock { $0 = false }
    try await request.beginAccessing()
    let names = site.server.paths.dropFirst(asked)
    #expect(names.dropFirst().first?.contains(".F-") == true, "\(names)")
    try await download.wait()
    await single.close()
  }

  @Test func `an index that did not change is not sent again`() async throws {
    let store = try await site.updated()
    #expect(try await store.checkForUpdate() == nil)
    let tag = site.server.requests.last?.value(forHTTPHeaderField: "If-None-Match")
    #expect(tag?.hasPrefix("\"etag-") == true)
    site.server.serve(patched.site.folder.path("new"))
    let update = try #require(try await store.checkForUpdate())
    let index = site.server.requests.last { FolderServer.path($0) == "index.json" }
    #expect(index?.value(forHTTPHeaderField: "If-None-Match") != nil)
    // This process knows the update, and the next process knows it as well.
    #expect(try await store.checkForUpdate()?.release == update.release)
    await store.close()
    let again = try await site.open()
    #expect(try await again.checkForUpdate()?.release == update.release)
    #expect(site.server.paths.count { $0.hasSuffix(".json") && $0.hasPrefix("patches/") } <= 1)
    // If the server offers the current release again, there is no update.
    let files = ["staged", "staged.index"].map(site.url.appendingPathComponent)
    let contents = try files.map { try Data(contentsOf: $0) }
    site.server.serve(patched.site.folder.path("old"))
    #expect(try await again.checkForUpdate() == nil && again.stagedUpdate == nil)
    await again.close()
    // A process that is killed just before it removes the files of the update leaves them to the next process.
    for (file, data) in zip(files, contents) { try data.write(to: file) }
    let last = try await site.open()
    #expect(last.stagedUpdate?.release == update.release)
    #expect(try await last.checkForUpdate() == nil && last.stagedUpdate == nil)
    await last.close()
  }

  #if Patches
    /// A release that was never applied must not prevent that patches are used for the next release.
    @Test(arguments: [true, false]) func `patches start from any stored release`(isApplied: Bool) async throws
    {
      try patched.site.write("d/large.bin", Sample.noise(40_000, seed: 8).flipped(at: 5))
      patched.site.waitForClockTick()
      _ = try patched.build(into: "newest", from: ["old"])
      let store = try await offered(["D"])
      let second = try #require(try await store.checkForUpdate())
      if isApplied { try await second.apply(.immediately) }
      site.server.serve(patched.site.folder.path("newest"))
      let third = try #require(try await store.checkForUpdate())
      if !isApplied {
        let patches = try patched.patches("newest")
        #expect(third.downloadSize == Int64(try #require(patches[["D"]]).bytes.count))
      }
      try await third.apply(.immediately)
      let asked = site.server.paths.count
      let request = try await store.begin(["D"])
      #expect(try Data(contentsOf: request.url(for: "d/large.bin")) == contents("d/large.bin"))
      let names = site.server.paths.dropFirst(asked)
      #expect(names.count == 1 && names.first?.hasPrefix("patches/") == true, "\(names)")
      await store.drain()
      #expect(try site.packs().count == 1)
      await #expect(throws: OnDemandError.updateReplaced) { try await second.apply() }
      await store.close()
    }

    /// When the update is found, no pack is on the device.
    @Test func `patches start from packs that arrive after the update was found`() async throws {
      let store = try await offered([])
      let update = try #require(try await store.checkForUpdate())
      site.server.serve(patched.site.folder.path("old"))
      try await store.begin(["D"]).endAccessing()
      site.server.serve(patched.site.folder.path("new"))
      try await update.apply(.immediately)
      let patch = try #require(try patched.patches("new")[["D"]])
      #expect(await store.downloadSize(of: ["D"]) == Int64(patch.bytes.count))
      let asked = site.server.paths.count
      let request = try await store.begin(["D"])
      #expect(try Data(contentsOf: request.url(for: "d/new")) == contents("d/new"))
      let names = site.server.paths.dropFirst(asked)
      #expect(names.count == 1 && names.first?.hasPrefix("patches/") == true, "\(names)")
      await store.close()
    }
  #endif
}
