import Foundation
import Model
import Pipeline
import System
import Support
import Testing

@testable import OnDemand

/// Tests the files that the store keeps on the disk, and the store's behavior if files are missing or
/// damaged.
@Suite(.noHang, .mostlyWaits) struct DiskTests {
  private let built: BuiltSite
  private let site: StoreSite

  init() throws {
    built = try BuiltSite()
    site = try StoreSite(built.path)
  }

  /// Returns those of the given tags whose packs are all stored.
  private func stored(_ store: PackStore, among tags: [String] = ["A", "B", "C", "D"]) async throws
    -> [String]
  {
    var stored: [String] = []
    for tag in tags {
      let request = store.request(for: [tag])
      if try await request.conditionallyBeginAccessing() { stored.append(tag) }
      request.endAccessing()
    }
    return stored
  }

  /// Runs in a separate process, which is allowed to have only a few files open.
  ///
  /// Its standard input is closed, so the folder can get the descriptor 0.
  @Test func `a folder whose names were synced is closed`() async throws {
    let path = site.folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      close(0)
      var limit = rlimit(rlim_cur: 100, rlim_max: 100)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      for _ in 0..<200 { try Disk().syncNames(URL(fileURLWithPath: path)) }
    }
  }

  @Test func `reading archives gives its memory back`() async throws {
    let text = String(decoding: Sample.text(300_000), as: UTF8.self)
    let zip = RawZip([RawZip.Entry("a", text, isDeflated: true)])
    try site.folder.write("a.zip", zip.bytes)
    let path = site.folder.path("a.zip")
    await #expect(processExitsWith: .success) { [path = path as String] in
      let givesBack = try givesMemoryBack {
        var reader = try ZipReader(URL(fileURLWithPath: path))
        while let entry = try reader.next() { try reader.read(entry) { _ in } }
      }
      #expect(givesBack)
    }
  }

  @Test func `an unpacked pack leaves no download`() async throws {
    let store = try await site.updated()
    _ = try await store.begin(["A", "C"])
    await store.close()
    let left = try site.left()
    #expect(left.filter { !$0.hasPrefix("packs/") } == [])
    let packs = built.index.packs.count
    #expect(try site.packs().count == packs)
    for pack in try site.packs() {
      let names = try FileManager.default.contentsOfDirectory(atPath: "\(site.url.path)/packs/\(pack)")
      #expect(names.sorted() == ["files", "list"])
    }
  }

  @Test func `opening removes what nothing needs`() async throws {
    let first = try await site.updated()
    _ = try await first.begin(["D"])
    await first.close()
    let wanted = try built.pack("A").archive.file.digest.hex
    try site.folder.write("store/staging/half/files/x", "x")
    try site.folder.write("store/partial/\(String(repeating: "0", count: 64))", "leftover")
    try site.folder.write("store/partial/\(wanted)", "part")
    let packs = try site.packs()
    try site.folder.write("store/packs/\(String(repeating: "0", count: 32))/files/x", "x")
    let store = try await site.open()
    await store.drain()
    #expect(try site.left().filter { $0.hasPrefix("partial/") } == ["partial/\(wanted)"])
    #expect(try site.packs() == packs)
    try await site.settle()
    await store.close()
  }

  @Test func `what is opened again is what was there`() async throws {
    let first = try await site.updated()
    let request = try await first.begin(["C"])
    request.endAccessing()
    let size = first.storedSize
    await first.close()
    let store = try await site.open()
    #expect(try await stored(store) == ["C", "D"] && store.storedSize == size)
    await store.close()
  }

  @Test func `an install is remembered, and so is its prefetch`() async throws {
    let prefetched = try built.pack("C").archive.path
    site.server.bend { path, answer in
      if path == prefetched { answer = FolderServer.Answer(status: 503, headers: [:], body: Data()) }
    }
    let first = try await site.updated()
    try await first.install().wait()
    await first.close()
    site.server.bend { _, _ in }
    // The prefetch continues without another call from the app.
    let store = try await site.open()
    try await waitUntil("the prefetch is there") { try await stored(store) == ["A", "B", "C", "D"] }
    let asked = site.server.paths.count
    try await store.install().wait()
    #expect(site.server.paths.count == asked)
    await store.close()
  }

  /// The pack that was used most recently is not purged, even if the store was reopened in the meantime.
  ///
  /// "B" and "D" have one pack each.
  @Test(arguments: [["B", "D"], ["D", "B"]]) func `the last use is remembered`(tags: [String]) async throws {
    var site = site
    let time = Locked<Int64>(1000)
    site.options.now = { time.withLock { $0 } }
    let first = try await site.updated()
    for tag in tags {
      time.withLock { $0 += 1000 }
      let request = try await first.begin([tag])
      time.withLock { $0 += 1000 }
      request.endAccessing()
    }
    await first.close()
    let store = try await site.open()
    store.setSpace(store.storedSize - 1)
    #expect(try await stored(store) == [tags[1]])
    await store.close()
  }

  @Test func `preservation is remembered`() async throws {
    let first = try await site.updated()
    let request = try await first.begin(["B", "D"])
    request.endAccessing()
    await first.setPreservationPriority(0.5, for: ["B"])
    await first.setPreservationPriority(.nan, for: ["D"])
    await first.close()
    let store = try await site.open()
    store.setSpace(store.storedSize - 1)
    #expect(try await stored(store) == ["B"])
    await store.close()
  }

  @Test func `what was purged is not prefetched, also after the store was opened again`() async throws {
    let first = try await site.updated()
    let request = try await first.begin(["C", "D"])
    request.endAccessing()
    first.setSpace(0)
    await first.close()
    let store = try await site.open()
    try await store.install().wait()
    #expect(try await stored(store) == ["A", "B"])
    #expect(try store.storedSize == built.pack("A").size + built.pack("A", "B").size)
    await store.close()
  }

  /// Old packs are kept as long as patches can use them, unless their space is needed.
  @Test func `old packs go where space is short`() async throws {
    let patched = try PatchSite()
    let site = try patched.storeBeforeUpdate()
    let store = try await site.updated()
    let request = try await store.begin(["A", "C", "D", "E", "F"])
    request.endAccessing()
    let old = try site.packs().count
    site.server.serve(patched.site.folder.path("new"))
    try await store.takeUpdate()
    #expect(try site.packs().count == old)
    store.setSpace(0)
    #expect(store.storedSize == 0)
    await store.drain()
    #expect(try site.packs() == [])
    try await site.settle()
    await store.close()
  }

  @Test func `old packs go with the last patch`() async throws {
    let patched = try PatchSite()
    let site = try patched.storeBeforeUpdate()
    let store = try await site.updated()
    let first = try await store.begin(["A", "C", "D", "E", "F"])
    first.endAccessing()
    site.server.serve(patched.site.folder.path("new"))
    try await store.takeUpdate()
    _ = try await store.begin(["A", "C", "D", "E", "F"])
    let packs = try patched.index("new").packs
    await store.drain()
    #expect(try site.packs().count == packs.count)
    #expect(store.storedSize == packs.reduce(0) { $0 + $1.size })
    try await site.settle()
    #expect(try site.left().allSatisfy { $0.hasPrefix("packs/") })
    await store.close()
  }

  @Test func `a pack is put in the place of what is there`() throws {
    let folder = try StoreFolder(site.url)
    for text in ["old", "new"] {
      let made = folder.newPlace
      try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: made.appendingPathComponent(text))
      try folder.publish(made, as: "key")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: "\(site.url.path)/packs/key") == ["new"])
    #expect(try folder.storedKeys() == ["key"])
  }

  /// If a job is cancelled at the last moment, its pack is kept, unless the pack was purged in the meantime.
  @Test(arguments: [false, true]) func `a download that was left publishes what is wanted`(isPurged: Bool)
    async throws
  {
    try await site.updated().close()
    var storeState = try StoreState(
      opening: StoreFolder(site.url), servers: [FolderServer.url], options: site.options)
    let request = RequestState(["D"])
    #expect(try storeState.begin(request, missing: .downloaded))
    storeState.schedule.reschedule()
    let first = storeState.schedule.serving.first
    let number = try #require(first)
    storeState.updateJobs { _, _, _ in Task {} }
    let made = storeState.plan(for: number, job: 1)
    let plan = try #require(made)
    storeState.schedule.close(request)
    if isPurged { storeState.schedule.setSpace(0) }
    storeState.schedule.reschedule()
    storeState.updateJobs { _, _, _ in Task {} }
    let late = storeState.plan(for: number, job: 1)
    #expect(storeState.jobs.isEmpty && late == nil)
    storeState.finish(plan)
    #expect(storeState.schedule.packs[number].isStored == !isPurged)
    let removed = storeState.effects.contains {
      if case .removePack(plan.pack.key) = $0 { true } else { false }
    }
    #expect(removed == isPurged)
  }

  @Test func `a release that cannot be written is not taken`() async throws {
    let store = try await site.open()
    try site.folder.write("store/catalog/x", "no file gets into the place of a folder")
    do {
      try await store.takeUpdate()
      Issue.record("it was taken")
    } catch {
      guard case OnDemandError.storage = error else { throw error }
    }
    do {
      try await store.request(for: ["A"]).beginAccessing()
      Issue.record("it was taken")
    } catch OnDemandError.storage {}
    try FileManager.default.removeItem(atPath: site.folder.path("store/catalog"))
    #expect(try await store.takeUpdate() != nil)
    _ = try await store.begin(["A"])
    await store.close()
  }

  @Test func `what cannot be read is as if it were not there`() async throws {
    let first = try await site.updated()
    _ = try await first.begin(["A"])
    await first.close()
    for name in ["state", "catalog"] {
      try site.folder.write("store/\(name)", "no JSON")
      let store = try await site.open()
      let asked = site.server.paths.count
      // The store still has its copy of the server's index.
      _ = try await store.begin(["A"])
      #expect(site.server.paths.count == asked, "\(name)")
      await store.close()
    }
    // If the store has no release, it keeps its packs until it downloads a release that contains them.
    for name in ["catalog", "index"] { try site.folder.write("store/\(name)", "no JSON") }
    let store = try await site.open()
    #expect(store.release == nil)
    #expect(try site.packs().count == 2)
    let asked = site.server.paths.count
    _ = try await store.begin(["A"])
    #expect(site.server.paths.dropFirst(asked) == ["index.json"])
    await store.close()
  }

  @Test func `an update tells what it changes`() async throws {
    let patched = try PatchSite()
    _ = try patched.build(into: "new", from: [])
    let site = try StoreSite(patched.site.folder.path("old"))
    let (old, new) = (try patched.index("old").packs, try patched.index("new").packs)
    let store = try await site.open()
    let first = try #require(try await store.checkForUpdate())
    #expect(first.addedTags == ["A", "B", "C", "D", "E", "F"] && first.changedTags == [])
    #expect(first.removedTags == [] && first.downloadSize == 0 && store.release == nil)
    try await first.apply()
    #expect(store.release == first.release)
    _ = try await store.begin(["D", "F"])
    site.server.serve(patched.site.folder.path("new"))
    let update = try #require(try await store.checkForUpdate())
    let digests = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0.digest) })
    let changed = Set(new.filter { digests[$0.id] != $0.digest }.flatMap(\.tags))
    #expect(update.changedTags == changed.sorted() && changed.count > 2 && !changed.contains("F"))
    let pack = try #require(new.first { $0.tags == ["D"] })
    #expect(update.downloadSize == pack.archive.file.size)
    #expect(store.release == first.release)
    await store.close()
  }
}
