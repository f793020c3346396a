import Formats
import Foundation
import Model
import Packing
import Pipeline
import Support
import System
import Testing

@testable import OnDemand

/// Tests the state of a store's folder after a process was killed at any time.
@Suite(.noHang, .mostlyWaits) struct KilledStoreTests {
  private let built: BuiltSite
  private var site: StoreSite

  init() throws {
    built = try BuiltSite()
    site = try StoreSite(built.path)
  }

  /// Returns the tags whose packs are all stored.
  private func stored(_ tags: [String], _ store: PackStore) async -> [String] {
    var stored: [String] = []
    for tag in tags where await store.state(of: tag) == .downloaded { stored.append(tag) }
    return stored
  }

  @Test func `preservation is stored when the call returns`() async throws {
    let store = try await site.updated()
    try await store.begin(["B", "D"]).endAccessing()
    await store.setPreservationPriority(0.5, for: ["B"])
    #expect(await store.preservationPriority(for: "B") == 0.5)
    let killed = try site.afterKill()
    await store.close()
    let again = try await killed.open()
    again.setSpace(again.storedSize - 1)
    #expect(await stored(["B", "D"], again) == ["B"])
    #expect(await again.preservationPriority(for: "B") == 0.5)
    await again.close()
  }

  /// "B" and "D" have one pack each.
  ///
  /// The pack that was in use when the process was killed is not purged.
  @Test(arguments: ["B", "D"]) func `what was in use counts as used then`(tag: String) async throws {
    let store = try await site.updated()
    for tag in ["B", "D", tag == "B" ? "D" : "B"] { try await store.begin([tag]).endAccessing() }
    let request = store.request(for: [tag])
    #expect(try await request.conditionallyBeginAccessing())
    await store.saveUnlessClosed()
    let killed = try site.afterKill()
    request.endAccessing()
    await store.close()
    // Open the store twice: the recorded use may count only once.
    let once = try await killed.open()
    await once.close()
    let again = try await killed.open()
    again.setSpace(again.storedSize - 1)
    #expect(await stored(["B", "D"], again) == [tag])
    await again.close()
  }

  @Test func `a pack whose file is wrong comes again`() async throws {
    let store = try await site.updated()
    let request = try await store.begin(["D"])
    let file = try request.url(for: "d")
    request.endAccessing()
    await store.close()
    try Data("bad".utf8).write(to: file)
    let again = try await site.open()
    #expect(
      try await again.verify()
        == PackStore.Verification(
          checked: 1, damaged: [built.pack("C", "D").id], repaired: [built.pack("C", "D").id]))
    #expect(try Data(contentsOf: file) == Data(built.site.folder.read("Assets/d")))
    #expect(try await again.verify().damaged == [])
    await again.close()
    // If a pack's list is missing, the store does not know the files of the pack.
    try FileManager.default.removeItem(
      at: file.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("list"))
    let last = try await site.open()
    let asked = site.server.paths.count
    let other = last.request(for: ["D"])
    #expect(try await other.conditionallyBeginAccessing() == false)
    try await other.beginAccessing()
    #expect(try Data(contentsOf: other.url(for: "d")) == Data(built.site.folder.read("Assets/d")))
    #expect(site.server.paths.count == asked + 1)
    await last.close()
  }

  @Test func `a damaged pack without a server is not there`() async throws {
    let store = try await site.updated()
    let request = try await store.begin(["D"])
    try Data("bad".utf8).write(to: request.url(for: "d"))
    site.server.bend { _, answer in (answer.status, answer.failure) = (0, .unreachable) }
    store.setNetworkAvailable(true)
    await #expect(throws: OnDemandError.serverIsAway) { try await store.verify() }
    #expect(await store.state(of: "D") == .missing)
    await store.close()
  }
}

/// Tests the calls of the store that an app can make, except requests.
@Suite(.noHang, .mostlyWaits) struct StoreStateTests {
  private let built: BuiltSite
  private var site: StoreSite

  init() throws {
    built = try BuiltSite()
    site = try StoreSite(built.path)
  }

  @Test func `the state of a tag goes from missing to in use`() async throws {
    let store = try await site.updated()
    #expect(await store.state(of: "D") == .missing)
    #expect(await store.state(of: "x") == .missing)
    let size = try built.pack("C", "D").archive.file.size
    #expect(await store.downloadSize(of: ["D"]) == size)
    #expect(await store.downloadSize(of: ["D", "x", "D"]) == size)
    site.server.bend { path, answer in
      if path.hasPrefix("packs/") { (answer.body, answer.isEndless) = (answer.body.prefix(50), true) }
    }
    let request = store.request(for: ["D"])
    let waiting = Task { try await request.beginAccessing() }
    let part = TagState.partial(ResourceProgress(bytes: 50, total: size))
    let path = "store/partial/\(try built.pack("C", "D").archive.file.digest.hex)"
    try await waitUntil("a part is on the disk") { (try? site.folder.read(path))?.count == 50 }
    // The first bytes of a small download are recorded when the download is paused.
    request.pause()
    try await waitUntil("a part is noted") { await store.state(of: "D") == part }
    #expect(await store.downloadSize(of: ["D"]) == size - 50)
    site.server.bend { _, _ in }
    request.resume()
    try await waiting.value
    #expect(await store.state(of: "D") == .inUse)
    #expect(await store.downloadSize(of: ["D"]) == 0)
    request.endAccessing()
    #expect(await store.state(of: "D") == .downloaded)
    await store.close()
  }

  @Test func `a paused request waits until it is resumed`() async throws {
    let store = try await site.updated()
    let (paused, other) = (store.request(for: ["A"]), store.request(for: ["D"]))
    paused.pause()
    let waiting = Task { try await paused.beginAccessing() }
    try await waitUntil("it waits") { store.view { $0.schedule.waiting.count == 1 } }
    try await other.beginAccessing()
    let path = try built.pack("A").archive.path
    #expect(paused.isPaused && !site.server.paths.contains(path))
    paused.resume()
    try await waiting.value
    await store.close()
  }

  @Test func `packs come side by side, as many as there are connections`() async throws {
    let packs = built.index.packs.count
    for connections in [1, 3, 4] {
      var site = try StoreSite(built.path)
      site.options.connections = connections
      let store = try await site.updated()
      let count = Locked(0)
      site.server.bend { path, answer in
        if !path.hasPrefix("packs/") { return }
        let number = count.withLock { count in
          count += 1
          return count
        }
        // The first requests get no response, so that all connections are in use. A download ends when its last
        // byte has arrived, even if the response does not.
        if number <= connections { (answer.status, answer.isEndless) = (0, true) }
      }
      let request = store.request(for: ["A", "B", "C", "D"])
      let waiting = Task { try await request.beginAccessing() }
      try await waitUntil("all connections are used") {
        // Wait until all requests have reached the server. Otherwise, a late request would get an endless
        // response after the pause.
        count.withLock { $0 } >= connections && store.view { $0.schedule.serving.count } == connections
      }
      #expect(site.server.mostAtOnce == connections && packs == 4)
      request.pause()
      request.resume()
      try await waiting.value
      await store.close()
    }
  }

  @Test func `tags are removed, except for what others need`() async throws {
    let store = try await site.updated()
    let held = store.request(for: ["B"])
    try await held.beginAccessing()
    try await store.request(for: ["A", "C", "D"]).beginAccessing()
    // "D" shares its only pack with "C". All packs of "C" are stored, so nothing is deleted if only "D" is
    // removed.
    #expect(await store.remove(["D"]) == 0)
    #expect(try await store.remove(["C", "D"]) == built.pack("C").size + built.pack("C", "D").size)
    #expect(await store.state(of: "C") == .missing)
    // An open request uses the pack with the tags "A" and "B", so this pack is not removed.
    #expect(try await store.remove(["A", "B", "x"]) == built.pack("A").size)
    #expect(await store.state(of: "B") == .inUse)
    #expect(try site.packs().count == 1)
    await store.close()
  }

  @Test func `an install reports its progress`() async throws {
    let store = try await site.updated()
    let install = store.install()
    var steps: [ResourceProgress] = []
    for await step in install { steps.append(step) }
    try await install.wait()
    let total = try built.pack("A").archive.file.size + built.pack("A", "B").archive.file.size
    #expect(steps.last == ResourceProgress(bytes: total, total: total))
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.bytes < $1.bytes })
    await store.close()
  }

  /// The update changes a pack of the initial install, so this pack is missing again.
  @Test func `an install after an update brings what changed`() async throws {
    let store = try await site.updated()
    try await store.install().wait()
    try built.site.write("a/3", "new")
    built.site.waitForClockTick()
    _ = try built.site.request(into: "new").run(Policy())
    site.server.serve(built.site.folder.path("new"))
    try await store.takeUpdate()
    #expect(await store.state(of: "A") != .downloaded)
    try await store.install().wait()
    #expect(await store.state(of: "A") == .downloaded)
    await store.close()
  }

  @Test func `packs can stay archives`() async throws {
    var site = site
    site.options.keepsArchives = true
    let store = try await site.updated()
    let request = store.request(for: ["A"])
    #expect(request.archives == [])
    try await request.beginAccessing()
    let packs = try [built.pack("A"), built.pack("A", "B")].sorted { $0.id < $1.id }
    #expect(
      try request.archives.map { try Data(contentsOf: $0) }
        == packs.map { Data(try built.site.folder.read("out/\($0.archive.path)")) })
    #expect(store.storedSize == packs.reduce(0) { $0 + $1.archive.file.size })
    #expect(throws: OnDemandError.notHeld(path: "a/3")) { try request.url(for: "a/3") }
    #expect(try await store.verify().damaged == [])
    request.endAccessing()
    #expect(request.archives == [])
    await store.close()
    let again = try await site.open()
    #expect(try await again.request(for: ["A"]).conditionallyBeginAccessing())
    await again.close()
    // An archive is deleted if its contents differ from the list in the index.
    let folder = try TemporaryFolder()
    let zip = RawZip([RawZip.Entry("../x", "text")])
    try folder.write("packs/x.zip", zip.bytes)
    try folder.write("index.json", zip.index)
    var other = try StoreSite(folder.path)
    other.options.keepsArchives = true
    let hostile = try await other.updated()
    await #expect(
      throws: OnDemandError.damaged(pack: "p", reason: "\"../x\" is not an allowed path in a pack")
    ) {
      try await hostile.request(for: ["T"]).beginAccessing()
    }
    await hostile.close()
  }

  @Test func `folders are not found`() async throws {
    let store = try await site.updated()
    let request = store.request(for: ["A"])
    #expect(throws: OnDemandError.notHeld(path: "a/3")) { try request.url(for: "a/3") }
    try await request.beginAccessing()
    for path in ["a", "a/2", "", "/", "a/", "a/3/", "../list", "c"] {
      #expect(throws: OnDemandError.notHeld(path: path)) { try request.url(for: path) }
      #expect(throws: OnDemandError.notHeld(path: path)) { try store.url(for: path) }
    }
    await store.close()
  }

  @Test func `progress of what is stored has one element`() async throws {
    let store = try await site.updated()
    try await store.request(for: ["D"]).beginAccessing()
    for isEarly in [true, false] {
      let request = store.request(for: ["D"])
      var progress: AsyncStream<ResourceProgress>?
      if isEarly { progress = request.progress }
      try await request.beginAccessing()
      var steps: [ResourceProgress] = []
      for await step in progress ?? request.progress { steps.append(step) }
      let size = try built.pack("C", "D").archive.file.size
      #expect(steps == [ResourceProgress(bytes: size, total: size)])
    }
    await store.close()
  }

  @Test func `events say what happened`() async throws {
    let store = try await site.open()
    let events = store.events
    try await store.takeUpdate()
    try await store.request(for: ["D"]).beginAccessing()
    store.setSpace(0)
    await store.close()
    var seen: [StoreEvent] = []
    for await event in events { seen.append(event) }
    let pack = try built.pack("C", "D")
    let release = try #require(seen.first)
    guard case .applied = release else { throw Unexpected() }
    #expect(
      seen.dropFirst() == [
        .stored(pack: pack.id, bytes: pack.archive.file.size, isPatch: false),
        .purged(pack: pack.id, bytes: pack.size),
      ])
  }

  /// "é" has two forms in Unicode, which Swift treats as equal and file systems do not.
  @Test func `a path is found in either form of Unicode`() async throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A")], app: "com.example.forms", root: "Assets")
    let (composed, decomposed) = ("a/\u{E9}", "a/e\u{301}")
    try folder.write("Assets/\(decomposed)", Data("text".utf8))
    #expect(try run(packtoolProgram(), ["build", folder.path, "-o", folder.path("out")]).status == 0)
    let site = try StoreSite(folder.path("out"))
    let store = try await site.updated()
    let request = try await store.begin(["A"])
    for path in [composed, decomposed] {
      #expect(try String(contentsOf: request.url(for: path), encoding: .utf8) == "text")
      #expect(try String(contentsOf: store.url(for: path), encoding: .utf8) == "text")
    }
    await store.close()
  }

  @Test func `readers that went away are forgotten`() async throws {
    let store = try await site.updated()
    let request = store.request(for: ["A"])
    request.pause()
    let waiting = Task { try await request.beginAccessing() }
    try await waitUntil("it waits") { store.view { $0.schedule.waiting.count == 1 } }
    for _ in 0..<100 { _ = (store.events, store.lowSpaceWarnings, request.progress) }
    let (events, progress) = (store.events, request.progress)
    request.resume()
    try await waiting.value
    #expect(store.view { $0.watchers.count } == 1)
    store.setSpace(0)
    #expect(store.view { $0.lowSpace.count } == 0)
    await store.close()
    var count = 0
    for await _ in events { count += 1 }
    for await step in progress { #expect(step.fraction == 1) }
    #expect(count >= 2)
  }

  @Test func `the room of the volume is the space`() async throws {
    var site = site
    let free = Locked(Int64.max / 4)
    site.options.volume = { _ in Volume(free: free.withLock { $0 }, size: 1_000) }
    let store = try await site.updated()
    var warnings = store.lowSpaceWarnings.makeAsyncIterator()
    try await store.request(for: ["A"]).beginAccessing()
    // The free space is smaller than the archive and its files together, so packs that no request uses are
    // purged.
    free.withLock { $0 = 60 }
    try await store.request(for: ["D"]).beginAccessing()
    #expect(await warnings.next() != nil)
    #expect(await store.state(of: "A") != .downloaded)
    #expect(await store.state(of: "D") == .downloaded)
    await store.close()
  }

  @Test func `a full disk purges by the rules, then gives up`() async throws {
    try await site.updated().close()
    var storeState = try StoreState(
      opening: StoreFolder(site.url), servers: [FolderServer.url], options: site.options)
    let (old, new) = (RequestState(["B"]), RequestState(["D"]))
    #expect(try storeState.begin(old, missing: .downloaded))
    let stored = try #require(try storeState.schedule.resolved(["B"]).first)
    storeState.schedule.store(stored)
    storeState.schedule.close(old)
    #expect(try storeState.begin(new, missing: .downloaded))
    storeState.schedule.reschedule()
    storeState.updateJobs { _, _, _ in Task {} }
    let first = storeState.schedule.serving.first
    let number = try #require(first)
    let made = storeState.plan(for: number, job: 1)
    let plan = try #require(made)
    let full = CocoaError(.fileWriteOutOfSpace)
    guard case .tryAgain = storeState.handle(full, plan: plan) else { throw Unexpected() }
    #expect(storeState.state(of: "B") == .missing)
    guard case .stop = storeState.handle(POSIXError(.ENOSPC), plan: plan) else { throw Unexpected() }
    let pack = try built.pack("C", "D")
    #expect(new.failure == .outOfSpace(needed: pack.size + pack.archive.file.size))
    #expect(storeState.schedule.reserved == 0)
  }
}

/// Tests how errors appear to code that uses Swift's or Foundation's types.
@Suite struct OnDemandErrorTests {
  @Test func `errors have codes and descriptions`() {
    let codes: [(OnDemandError, Int)] = [
      (.outOfSpace(needed: 1), 4992), (.inUseLimit(needed: 2, limit: 1), 4993), (.invalidTag("x"), 4994),
    ]
    for (error, code) in codes {
      #expect(error.errorCode == code && (error as any Error)._code == code)
      #expect(error.localizedDescription == error.description && error.errorDescription == error.description)
    }
    let own: [OnDemandError] = [
      .offline, .serverIsAway, .refused(pack: nil, status: 1), .releaseGone(pack: "p"),
      .damaged(pack: nil, reason: ""), .untrusted(""), .unsupportedContainer(pack: "", container: ""),
      .notHeld(path: ""), .updateReplaced, .ended, .closed, .folderInUse,
      .storage(UnderlyingError(CocoaError(.fileNoSuchFile))),
    ]
    #expect(Set(own.map(\.errorCode)) == Set(1...13))
    #expect(OnDemandError.serverIsAway.underlyingError is URLError)
    #expect(OnDemandError.serverIsAway.errorUserInfo["NSUnderlyingError"] is URLError)
    #expect(OnDemandError.serverIsAway != .unreachable(UnderlyingError(URLError.passing)))
  }
}
