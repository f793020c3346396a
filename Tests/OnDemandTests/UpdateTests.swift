import Formats
import Packing
import Pipeline
import Foundation
import Support
import Testing

@testable import OnDemand

/// Tests new releases while the old release is in use.
@Suite(.noHang, .mostlyWaits) struct UpdateTests {
  @Test func `patches make the packs that changed`() async throws {
    let patched = try PatchSite()
    let site = try patched.storeBeforeUpdate()
    let store = try await site.updated()
    let tags = ["A", "C", "D", "E", "F"]
    try await store.request(for: tags).beginAccessing()
    site.server.serve(patched.site.folder.path("new"))
    let update = try #require(try await store.checkForUpdate())
    #expect(update.changedTags.contains("A") && !update.changedTags.contains("F") && update.downloadSize > 0)
    try await update.apply(.immediately)
    let before = site.server.paths.count
    let request = store.request(for: tags)
    try await request.beginAccessing()
    let fetched = site.server.paths.dropFirst(before)
    #if Patches
      #expect(fetched.contains { $0.hasPrefix("patches/") })
    #endif
    #expect(!fetched.contains { $0.contains("+F") || $0.contains(".F-") })
    try check(
      store, patched, ["a/changed.bin", "a/twin 3", "a/new name", "c/moved.bin", "d/new", "e/all new"])
    await store.close()
    // The old packs are removed after the last new pack that needs them has been made.
    #expect(try site.packs().count == patched.index("new").packs.count)
  }

  @Test func `a patch that is wrong is passed over`() async throws {
    let patched = try PatchSite()
    let site = try patched.storeBeforeUpdate()
    let store = try await site.updated()
    try await store.request(for: ["A", "C"]).beginAccessing()
    site.server.serve(patched.site.folder.path("new"))
    try await store.takeUpdate()
    let tries = Locked(0)
    site.server.bend { path, answer in
      if path.hasPrefix("patches/") { answer.body = Data(answer.body.reversed()) }
      let isFirst = tries.withLock { tries in
        tries += path.hasPrefix("packs/") ? 1 : 0
        return tries == 1 && path.hasPrefix("packs/")
      }
      if isFirst { (answer.body, answer.failure) = (answer.body.prefix(9), .passing) }
    }
    let before = site.server.paths.count
    let request = store.request(for: ["A", "C"])
    try await request.beginAccessing()
    #if Patches
      // Each patch is requested only once, even if the request for the archive fails afterwards.
      let patches = site.server.paths.dropFirst(before).filter { $0.hasPrefix("patches/") }
      #expect(!patches.isEmpty && patches.count == Set(patches).count)
    #endif
    try check(store, patched, ["a/changed.bin", "c/moved.bin"])
    await store.close()
  }

  private func check(_ store: PackStore, _ patched: PatchSite, _ paths: [String]) throws {
    for path in paths {
      #expect(try Data(contentsOf: store.url(for: path)) == Data(patched.site.folder.read("Assets/\(path)")))
    }
  }

  @Test func `open requests keep their files`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    let old = store.request(for: ["C"])
    try await old.beginAccessing()
    let file = try old.url(for: "c")
    try built.site.write("c", "new")
    built.site.waitForClockTick()
    _ = try built.site.request(into: "new").run(Policy())
    site.server.serve(built.site.folder.path("new"))
    let update = try #require(try await store.checkForUpdate())
    #expect(update.changedTags == ["C"] && update.downloadSize > 0)
    try await update.apply(.immediately)
    #expect(try Data(contentsOf: file) == Data("c".utf8))
    let new = store.request(for: ["C"])
    try await new.beginAccessing()
    // A request returns the files of its own release. The store returns the files of the current release.
    #expect(try Data(contentsOf: old.url(for: "c")) == Data("c".utf8))
    #expect(try Data(contentsOf: new.url(for: "c")) == Data("new".utf8))
    #expect(try Data(contentsOf: store.url(for: "c")) == Data("new".utf8))
    old.endAccessing()
    #expect(throws: OnDemandError.notHeld(path: "c")) { try old.url(for: "c") }
    #expect(try Data(contentsOf: store.url(for: "c")) == Data("new".utf8))
    try await waitUntil("the old file is removed") { !FileManager.default.fileExists(atPath: file.path) }
    await store.close()
  }

  @Test func `a request that waits keeps its release`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    site.server.bend { path, answer in
      if path.hasPrefix("packs/") {
        answer = .init(status: 200, headers: [:], body: Data(), failure: .passing)
      }
    }
    let (gone, kept) = (store.request(for: ["D"]), store.request(for: ["A"]))
    let waiting = [gone, kept].map { request in Task { try await request.beginAccessing() } }
    try await waitUntil("the store tries again") { site.waits.withLock { !$0.isEmpty } }
    try built.site.folder.write(
      "Manifest.json",
      String(decoding: built.site.folder.read("Manifest.json"), as: UTF8.self)
        .replacingOccurrences(of: "\"D\"", with: "\"E\""))
    _ = try built.site.request(into: "new").run(Policy())
    site.server.serve(built.site.folder.path("new"))
    #expect(try await store.takeUpdate() != nil)
    site.server.bend { _, _ in }
    // The server no longer has the pack of this request.
    await #expect(throws: OnDemandError.releaseGone(pack: try built.pack("C", "D").id)) {
      try await waiting[0].value
    }
    try await waiting[1].value
    await #expect(throws: OnDemandError.invalidTag("D")) {
      try await store.request(for: ["D"]).beginAccessing()
    }
    await store.close()
  }

  @Test func `a release that comes back takes up what is still held`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    let old = store.request(for: ["C"])
    try await old.beginAccessing()
    try built.site.write("c", "new")
    built.site.waitForClockTick()
    _ = try built.site.request(into: "new").run(Policy())
    for folder in ["new", "out"] {
      site.server.serve(built.site.folder.path(folder))
      #expect(try await store.takeUpdate() != nil)
    }
    let fetched = site.server.paths.count
    let again = store.request(for: ["C"])
    try await again.beginAccessing()
    old.endAccessing()
    await store.close()
    #expect(site.server.paths.count == fetched)
    #expect(try site.packs().count == 2)
  }

  @Test func `an index that is none leaves the release`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    let index = try built.site.folder.read("out/index.json")
    let text = String(decoding: index, as: UTF8.self)
    let bad: [Data] = [
      Data(), Data("{}".utf8), Data(index.prefix(400)), Data(repeating: 0x5B, count: 1_000_000),
      Data(repeating: 0x20, count: Catalog.maxIndexSize + 1), Data(repeating: 0x2C, count: 500_000),
      Data(text.replacingOccurrences(of: "\"formatVersion\": 1", with: "\"formatVersion\": 9").utf8),
      Data(text.replacingOccurrences(of: "\"packs/", with: "\"../packs/").utf8),
      Data(text.replacingOccurrences(of: "sha256:", with: "sha256:x").utf8),
      Data(text.replacingOccurrences(of: "\"size\": ", with: "\"size\": 90000000000000").utf8),
    ]
    for data in bad {
      site.server.bend { path, answer in
        answer = FolderServer.Answer(
          status: 200, headers: [:], body: path == "index.json" ? data : answer.body)
      }
      await #expect(throws: OnDemandError.self, "\(data.count) bytes") { try await store.takeUpdate() }
    }
    site.server.bend { _, _ in }
    try await store.request(for: ["A"]).beginAccessing()
    await store.close()
  }
}
