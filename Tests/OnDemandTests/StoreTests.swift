import Foundation
import FoundationNetworking
import Model
import Pipeline
import Support
import Testing

@testable import OnDemand

extension PatchSite {
  /// Makes a store whose server offers the old release.
  ///
  /// The new release is already built, with patches from the old release.
  func storeBeforeUpdate() throws -> StoreSite {
    _ = try build(into: "new", from: ["old"])
    return try StoreSite(site.folder.path("old"))
  }
}

/// A store in its own folder, with a server in the same process.
struct StoreSite {
  let server: FolderServer
  let folder: TemporaryFolder
  var options = PackStore.Options()
  let waits = Locked<[Double]>([])

  init(_ root: String) throws {
    server = FolderServer(root)
    options.use(server)
    folder = try TemporaryFolder()
  }

  /// Makes a store with a copy of this store's folder.
  ///
  /// The copy is in the state that this store's folder would have if the process were killed now.
  func afterKill() throws -> StoreSite {
    let copy = try StoreSite(server, options: options)
    try FileManager.default.copyItem(at: url, to: copy.url)
    return copy
  }

  private init(_ server: FolderServer, options: PackStore.Options) throws {
    (self.server, self.options) = (server, options)
    folder = try TemporaryFolder()
  }

  var url: URL { URL(fileURLWithPath: folder.path("store")) }

  func open() async throws -> PackStore {
    var options = options
    let (waits, wait) = (waits, options.wait)
    options.wait = {
      let seconds = $0
      waits.withLock { $0.append(seconds) }
      try await wait(seconds)
    }
    return try await PackStore.open(at: url, server: FolderServer.url, options)
  }

  /// Opens the store and applies the server's release.
  func updated() async throws -> PackStore {
    let store = try await open()
    try await store.takeUpdate()
    return store
  }

  /// Returns the paths of all files that are left in the store's folders for packs, partial downloads and
  /// staging.
  func left() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: url.path).filter { path in
      ["packs/", "partial/", "staging/"].contains { path.hasPrefix($0) }
    }.sorted()
  }

  /// Waits until no files are being made or removed.
  func settle() async throws {
    // Listing the files fails if a folder is removed at the same time.
    try await waitUntil("staging is empty") {
      (try? left())?.contains { $0.hasPrefix("staging/") } == false
    }
  }

  /// Returns the names of the stored packs.
  func packs() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path + "/packs") }
}

extension BuiltSite {
  /// Returns the contents of the files of each tag.
  ///
  /// The inner dictionaries have the paths as keys.
  func filesByTag() throws -> [String: [String: Data]] {
    let paths = [
      "A": ["a/1.bin", "a/2/deep", "a/3", "a/é.txt", "both/x"], "B": ["both/x"], "C": ["c", "d"], "D": ["d"],
    ]
    return try paths.mapValues { paths in
      try Dictionary(uniqueKeysWithValues: paths.map { ($0, Data(try site.folder.read("Assets/\($0)"))) })
    }
  }
}

/// Tests all stages of a store: an empty folder, files that can be read, and an empty folder again.
@Suite(.noHang, .mostlyWaits) struct StoreTests {
  @Test func `a tag is fetched and read`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.open()
    #expect(store.tags == [] && store.release == nil)
    let update = try #require(try await store.takeUpdate())
    #expect(update.addedTags == ["A", "B", "C", "D"] && update.downloadSize == 0)
    #expect(store.tags == ["A", "B", "C", "D"] && store.release == update.release)
    #expect(try await store.checkForUpdate() == nil)
    for (tag, files) in try built.filesByTag() {
      let request = store.request(for: [tag])
      let progress = request.progress
      try await request.beginAccessing()
      for (path, data) in files { #expect(try Data(contentsOf: store.url(for: path)) == data) }
      var last: ResourceProgress?
      for await step in progress { last = step }
      #expect(last?.fraction == 1 && last?.bytes == last?.total)
      request.endAccessing()
      #expect(throws: OnDemandError.notHeld(path: "c")) { try store.url(for: "c") }
    }
    await store.close()
  }

  @Test func `what is there needs no network`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let first = try await site.updated()
    try await first.request(for: ["A"]).beginAccessing()
    await first.close()
    site.server.bend { _, answer in (answer.status, answer.failure) = (0, .unreachable) }
    let store = try await site.open()
    await #expect(throws: OnDemandError.serverIsAway) { try await store.checkForUpdate() }
    let request = store.request(for: ["A"])
    #expect(try await request.conditionallyBeginAccessing())
    #expect(try store.url(for: "a/3").path.hasSuffix("/a/3"))
    #expect(try await store.request(for: ["C"]).conditionallyBeginAccessing() == false)
    await #expect(throws: OnDemandError.serverIsAway) { try await store.request(for: ["C"]).beginAccessing() }
    await #expect(throws: OnDemandError.invalidTag("x")) {
      try await store.request(for: ["x"]).beginAccessing()
    }
    site.server.bend { _, _ in }
    try await store.request(for: ["C"]).beginAccessing()
    await store.close()
  }

  @Test func `an empty store needs a server`() async throws {
    let site = try StoreSite("/nowhere")
    let store = try await site.open()
    let missing = OnDemandError.refused(pack: nil, status: 404)
    await #expect(throws: missing) { try await store.request(for: ["A"]).beginAccessing() }
    await #expect(throws: missing) { try await store.install().wait() }
    await #expect(throws: missing) { try await store.checkForUpdate() }
    await #expect(throws: OnDemandError.offline) {
      try await store.request(for: ["A"]).conditionallyBeginAccessing()
    }
    await store.close()
  }

  @Test func `an empty store takes the release of its server by itself`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.open()
    try await store.install().wait()
    #expect(store.tags == ["A", "B", "C", "D"])
    await store.close()
    let other = try StoreSite(built.path)
    let second = try await other.open()
    let request = second.request(for: ["D"])
    try await request.beginAccessing()
    #expect(try Data(contentsOf: request.url(for: "d")) == Data(built.site.folder.read("Assets/d")))
    await second.close()
  }

  @Test func `a request is used once`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    let request = store.request(for: ["A"])
    try await request.beginAccessing()
    await #expect(throws: OnDemandError.ended) { try await request.beginAccessing() }
    request.endAccessing()
    await #expect(throws: OnDemandError.ended) { try await request.conditionallyBeginAccessing() }
    await store.close()
    await #expect(throws: OnDemandError.closed) { try await store.request(for: ["A"]).beginAccessing() }
  }

  @Test func `a request ends while it waits`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    site.server.bend { _, answer in (answer.body, answer.failure) = (Data(), .passing) }
    let request = store.request(for: ["A"])
    let waiting = Task { try await request.beginAccessing() }
    try await waitUntil("the store tries again") { site.waits.withLock { !$0.isEmpty } }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    let (ended, closed) = (store.request(for: ["A"]), store.request(for: ["A"]))
    let others = [ended, closed].map { request in Task { try await request.beginAccessing() } }
    try await waitUntil("both wait") { store.view { $0.schedule.waiting.count == 2 } }
    ended.endAccessing()
    await #expect(throws: OnDemandError.ended) { try await others[0].value }
    await store.close()
    await #expect(throws: OnDemandError.closed) { try await others[1].value }
  }

  @Test func `the install brings the initial install and the prefetch`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    try await store.install().wait()
    #expect(try await store.request(for: ["A", "B"]).conditionallyBeginAccessing())
    try await waitUntil("the prefetch is there") {
      try await store.request(for: ["C", "D"]).conditionallyBeginAccessing()
    }
    try await store.install().wait()
    await store.close()
    #expect(try site.packs().count == 4)
  }

  @Test func `errors of the network are tried again from where they broke`() async throws {
    let built = try BuiltSite()
    let pack = try built.pack("C", "D")
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    let tries = Locked(0)
    site.server.bend { path, answer in
      if !path.hasPrefix("packs/") { return }
      let number = tries.withLock { tries in
        tries += 1
        return tries
      }
      if number == 1 { answer.body = answer.body.prefix(50) }
      if (2...4).contains(number) { answer = FolderServer.Answer(status: 503, headers: [:], body: Data()) }
      if number == 1 { answer.failure = .passing }
    }
    try await store.request(for: ["D"]).beginAccessing()
    #expect(site.waits.withLock { $0 } == [1, 2, 4, 8])
    let asked = site.server.requests.filter { $0.url?.path == "/\(pack.archive.path)" }
    #expect(asked.count == 5)
    #expect(asked.dropFirst().areAll { $0.value(forHTTPHeaderField: "Range") == "bytes=50-" })
    await store.close()
  }

  @Test func `a download goes on after the store was opened again`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let first = try await site.updated()
    site.server.bend { path, answer in
      if !path.hasPrefix("packs/") { return }
      answer.body = answer.body.prefix(100)
      answer.failure = .passing
    }
    let request = first.request(for: ["D"])
    let waiting = Task { try await request.beginAccessing() }
    try await waitUntil("the store tries again") { site.waits.withLock { !$0.isEmpty } }
    await first.close()
    _ = try? await waiting.value
    site.server.bend { _, _ in }
    let store = try await site.open()
    try await store.request(for: ["D"]).beginAccessing()
    #expect(site.server.requests.last?.value(forHTTPHeaderField: "Range") == "bytes=100-")
    await store.close()
  }

  @Test func `what the server refuses names the pack`() async throws {
    let built = try BuiltSite()
    let id = try built.pack("C", "D").id
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    for status in [301, 401, 403, 404, 410, 451] {
      site.server.bend { _, answer in answer = FolderServer.Answer(status: status, headers: [:], body: Data())
      }
      await #expect(throws: OnDemandError.refused(pack: id, status: status)) {
        try await store.request(for: ["D"]).beginAccessing()
      }
    }
    site.server.bend { _, answer in answer.body = Data(answer.body.reversed()) }
    do {
      try await store.request(for: ["D"]).beginAccessing()
      Issue.record("it was taken")
    } catch {
      guard case OnDemandError.damaged(id, _) = error else { throw error }
    }
    #expect(site.server.paths.suffix(2).allSatisfy { $0.hasPrefix("packs/") })
    await store.close()
  }

  @Test func `other containers are named`() async throws {
    for container in ["tar.gz", "tar.zst", "folder"] {
      let built = try BuiltSite(try #require(.init(rawValue: container)))
      let site = try StoreSite(built.path)
      let store = try await site.updated()
      let ids = built.index.packs.map(\.id)
      do {
        try await store.request(for: ["A"]).beginAccessing()
        Issue.record("it was taken")
      } catch {
        #expect(
          ids.contains { error as? OnDemandError == .unsupportedContainer(pack: $0, container: container) })
      }
      await store.close()
    }
  }

  @Test func `space is made of what nobody holds`() async throws {
    let built = try BuiltSite()
    var site = try StoreSite(built.path)
    let size = try built.pack("A").size
    site.options.space = size + 6
    let store = try await site.updated()
    let (all, small) = (store.request(for: ["A", "C"]), store.request(for: ["C"]))
    var warnings = store.lowSpaceWarnings.makeAsyncIterator()
    await #expect(throws: OnDemandError.self) { try await all.beginAccessing() }
    #expect(await warnings.next() != nil)
    try await small.beginAccessing()
    small.endAccessing()
    let large = store.request(for: ["A"])
    // "A" also needs the pack of "A" and "B". There is enough space for this pack only if the packs of "C"
    // are purged.
    try await large.beginAccessing()
    #expect(store.storedSize <= size + 6)
    store.setSpace(0)
    #expect(store.storedSize >= size)
    large.endAccessing()
    store.setSpace(0)
    #expect(store.storedSize == 0)
    try await waitUntil("all packs are removed") { try site.packs().isEmpty }
    await store.close()
  }

  /// A pack is purged while it is being downloaded, and a request needs it immediately afterwards.
  @Test func `a purged download that is wanted goes on`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    let request = store.request(for: ["C"])
    try await request.beginAccessing()
    request.endAccessing()
    let looks = Locked(0)
    site.server.bend { [stored = store.storedSize] path, _ in
      looks.withLock { $0 += 1 }
      guard looks.withLock({ $0 }) == 1 else { return }
      let size = built.index.packs.first { $0.archive.path == path }?.size ?? 0
      store.setSpace(size + stored - 1)
      store.setSpace(.max)
    }
    try await store.install().wait()
    for (path, data) in try #require(built.filesByTag()["A"]) {
      let tagged = store.request(for: ["A"])
      try await tagged.beginAccessing()
      #expect(try Data(contentsOf: store.url(for: path)) == data)
    }
    await store.close()
  }

  @Test func `a closed store leaves the folder to others`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    let prefetched = try [built.pack("C"), built.pack("C", "D")].map(\.archive.path)
    site.server.bend { path, answer in
      if prefetched.contains(path) { (answer.status, answer.body) = (503, Data()) }
    }
    try await store.install().wait()
    await store.close()
    site.server.bend { _, _ in }
    let (packs, fetched) = (try site.packs(), site.server.paths.count)
    try FileManager.default.removeItem(at: site.url.appendingPathComponent("state"))
    store.setNetworkAvailable(true)
    try await Task.sleep(nanoseconds: 200_000_000)
    store.setSpace(0)
    await store.setPreservationPriority(1, for: ["A"])
    await store.close()
    #expect(try site.packs() == packs && packs.count == 2)
    #expect(site.server.paths.count == fetched)
    #expect(!FileManager.default.fileExists(atPath: site.url.path + "/state"))
  }

  /// A server that closes the store after it sent the index.
  private struct ClosingServer: Transport {
    let server: FolderServer
    let store = Locked<PackStore?>(nil)

    func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
      try await server.send(request, to: receiver)
      if FolderServer.path(request) == "index.json" { await store.withLock { $0 }?.close() }
    }
  }

  @Test func `an update that comes while the store closes writes nothing`() async throws {
    let built = try BuiltSite()
    var site = try StoreSite(built.path)
    let server = ClosingServer(server: site.server)
    site.options.transport = server
    let store = try await site.open()
    server.store.withLock { $0 = store }
    await #expect(throws: OnDemandError.closed) { try await store.checkForUpdate() }
    let files = try FileManager.default.contentsOfDirectory(atPath: site.url.path)
    #expect(Set(files).isDisjoint(with: ["trust", "staged", "staged.index", "catalog"]), "\(files)")
  }

  @Test func `a folder has one store`() async throws {
    var site = try StoreSite(BuiltSite().path)
    let first = try await site.open()
    await #expect(throws: OnDemandError.folderInUse) { try await site.open() }
    site.options.waitsForFolder = true
    let second = Task { [site] in try await site.open() }
    await first.close()
    try await second.value.close()
  }

  /// A new child process shares the descriptor of the lock until it executes its program.
  @Test func `closing unlocks for all who hold the descriptor`() async throws {
    let site = try StoreSite(BuiltSite().path)
    let first = try await site.open()
    let path = site.url.resolvingSymlinksInPath().path + "/lock"
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(
      Int32.init)
    let others = descriptors.filter { descriptor in
      let link = "/proc/self/fd/\(descriptor)"
      return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == path
    }.map { dup($0) }
    defer { for descriptor in others { close(descriptor) } }
    #expect(!others.isEmpty)
    await first.close()
    try await site.open().close()
  }

  @Test func `a disk that refuses is an error`() async throws {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    let store = try await site.updated()
    await store.saveUnlessClosed()
    try FileManager.default.removeItem(at: site.url)
    do {
      try await store.request(for: ["A"]).beginAccessing()
      Issue.record("it was taken")
    } catch {
      guard case OnDemandError.storage = error else { throw error }
    }
    try Data().write(to: site.url)
    await #expect(throws: OnDemandError.self) { try await site.open() }
  }
}
