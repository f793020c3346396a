import Formats
import Foundation
import FoundationNetworking
import Model
import Packing
import Pipeline
import Support
import System
import Testing

@testable import OnDemand

/// An error that no test expects.
struct Unexpected: Error {}

/// Tests for servers and networks that fail.
///
/// The store must not hang, other requests must not wait, and every error must contain a reason.
@Suite(.noHang, .mostlyWaits) struct FailureTests {
  private let built: BuiltSite
  private let site: StoreSite

  init() throws {
    built = try BuiltSite()
    site = try StoreSite(built.path)
  }

  private func busy(_ headers: [String: String] = [:]) -> FolderServer.Answer {
    FolderServer.Answer(status: 503, headers: headers, body: Data())
  }

  /// A clock for tests.
  ///
  /// A wait ends only when it is cancelled or when a test advances the time.
  private final class Clock: @unchecked Sendable {
    private let lock = NSLock()
    private var now: Int64 = 1_000_000_000
    private var pauses: [Double] = []
    private var waiting = 0

    var time: Int64 { lock.withLock { now } }
    var waits: [Double] { lock.withLock { pauses } }
    /// Whether a task is waiting now.
    var isAwaited: Bool { lock.withLock { waiting > 0 } }

    func advance(by seconds: Double) { lock.withLock { now += Int64(seconds * 1_000_000) } }

    func wait(_ seconds: Double) async throws {
      let end = lock.withLock {
        pauses.append(seconds)
        waiting += 1
        return now + Int64(seconds * 1_000_000)
      }
      defer { lock.withLock { waiting -= 1 } }
      while time < end {
        try Task.checkCancellation()
        try await Task.sleep(nanoseconds: 1_000_000)
      }
    }
  }

  private func clocked() -> (site: StoreSite, clock: Clock) {
    let clock = Clock()
    var site = site
    site.options.now = { clock.time }
    site.options.wait = clock.wait
    site.options.patience = 30
    return (site, clock)
  }

  @Test func `a pack that the server cannot give holds up no other`() async throws {
    let (site, clock) = clocked()
    let bad = try built.pack("A").archive.path
    site.server.bend { path, answer in if path == bad { answer = busy() } }
    let store = try await site.updated()
    let (first, second) = (store.request(for: ["A"]), store.request(for: ["D"]))
    first.loadingPriority = .urgent
    let waiting = Task { try await first.beginAccessing() }
    try await waitUntil("the bad pack rests") { !clock.waits.isEmpty }
    try await second.beginAccessing()
    let install = store.install()
    try await waitUntil("the rest of the install comes") { await store.state(of: "B") == .downloaded }
    waiting.cancel()
    _ = try? await waiting.value
    await store.close()
    await #expect(throws: OnDemandError.closed) { try await install.wait() }
  }

  @Test func `a request without a byte fails with the status, and keeps what came`() async throws {
    let (site, clock) = clocked()
    let pack = try built.pack("C", "D")
    let isCut = Locked(true)
    site.server.bend { path, answer in
      if path != pack.archive.path { return }
      if isCut.withLock({ $0 }) {
        (answer.body, answer.failure) = (answer.body.prefix(50), .passing)
        isCut.withLock { $0 = false }
      } else {
        answer = busy()
      }
    }
    let store = try await site.updated()
    let request = store.request(for: ["D"])
    let waiting = Task { try await request.beginAccessing() }
    let ticking = Task {
      while !Task.isCancelled {
        // Advance the time only between requests. Otherwise, the store would count it as time in which the
        // server sends nothing.
        if clock.isAwaited { clock.advance(by: 0.25) }
        try await Task.sleep(nanoseconds: 2_000_000)
      }
    }
    await #expect(throws: OnDemandError.refused(pack: pack.id, status: 503)) { try await waiting.value }
    ticking.cancel()
    // The last pause is shortened so that it ends when the store's `patience` of 30 seconds ends.
    #expect(clock.waits.reduce(0, +) <= 32 && clock.waits.count >= 5, "\(clock.waits)")
    #expect(try site.left() == ["partial/\(pack.archive.file.digest.hex)"])
    site.server.bend { _, _ in }
    try await store.request(for: ["D"]).beginAccessing()
    #expect(site.server.requests.last?.value(forHTTPHeaderField: "Range") == "bytes=50-")
    await store.close()
  }

  /// A server that sends the first bytes of a pack, and then nothing until the test ends the transfer.
  private struct StallingServer: Transport {
    let server: FolderServer
    let path: String
    let attempts = Locked(0)
    let isOver = Locked(false)

    func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
      if FolderServer.path(request) != path { return try await server.send(request, to: receiver) }
      let isFirst = attempts.withLock { attempts in
        attempts += 1
        return attempts == 1
      }
      if isFirst {
        let head = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: [:])!
        try receiver.receive(head)
        try receiver.receive(Data(repeating: 0, count: 50))
      }
      while !isOver.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
      throw URLError(.timedOut)
    }
  }

  @Test func `a transfer that falls silent for the whole patience is not tried again`() async throws {
    var (site, clock) = clocked()
    let pack = try built.pack("C", "D")
    let server = StallingServer(server: site.server, path: pack.archive.path)
    site.options.transport = server
    let store = try await site.updated()
    let waiting = Task { try await store.request(for: ["D"]).beginAccessing() }
    let part = URL(fileURLWithPath: site.folder.path("store/partial/\(pack.archive.file.digest.hex)"))
    try await waitUntil("the first bytes are there") {
      (try? Data(contentsOf: part).count) == 50
    }
    clock.advance(by: 30)
    server.isOver.withLock { $0 = true }
    await #expect(throws: OnDemandError.unreachable(UnderlyingError(URLError(.timedOut)))) {
      try await waiting.value
    }
    #expect(server.attempts.withLock { $0 } == 1 && clock.waits == [])
    await store.close()
  }

  /// A pack that waits for an urgent pack, or for its paused request, keeps its time for retries.
  @Test(arguments: ["pause", "urgent request"])
  func `a delay that the app wants is not the server's silence`(by cause: String) async throws {
    let (rules, clock) = clocked()
    var site = rules
    site.options.connections = 1
    let (path, urgent) = try (built.pack("A").archive.path, built.pack("C", "D").archive.path)
    let answers = Locked(0)
    site.server.bend { asked, answer in
      if asked == urgent { clock.advance(by: 60) }
      if asked != path { return }
      let number = answers.withLock { answers in
        answers += 1
        return answers
      }
      if number == 1 { (answer.body, answer.isEndless) = (answer.body.prefix(1), true) }
      if number == 2 { answer = busy() }
    }
    let store = try await site.updated()
    let request = store.request(for: ["A"])
    let waiting = Task { try await request.beginAccessing() }
    try await waitUntil("the download has begun") { answers.withLock { $0 } == 1 }
    if cause == "pause" {
      request.pause()
      clock.advance(by: 60)
      request.resume()
    } else {
      let other = store.request(for: ["D"])
      other.loadingPriority = .urgent
      try await other.beginAccessing()
    }
    try await waitUntil("it waits") { !clock.waits.isEmpty }
    clock.advance(by: 1)
    try await waiting.value
    await store.close()
  }

  @Test(arguments: [Double.infinity, .greatestFiniteMagnitude, .nan, -1])
  func `every patience is a number of seconds`(patience: Double) async throws {
    let server = try ScriptedServer { _ in
      [.answer(503, ["Retry-After: 99999999999999999999"])]
    }
    var options = PackStore.Options()
    options.patience = patience
    let store = try await PackStore.open(at: site.url, server: server.url(), options)
    await #expect(throws: OnDemandError.refused(pack: nil, status: 503)) { try await store.checkForUpdate() }
    await store.close()
    // A pack of a busy server waits as long as the server asks.
    var rules = site
    rules.options.patience = patience
    rules.server.bend { path, answer in
      if path.hasPrefix("packs/") { answer = busy(["Retry-After": "99999999999999999999"]) }
    }
    let other = try await rules.updated()
    let events = other.events
    let waiting = Task { try await other.begin(["D"]) }
    for await event in events {
      if case .retry = event { break }
      if case .failed = event { break }
    }
    await other.close()
    await #expect(throws: OnDemandError.self) { try await waiting.value }
  }

  /// Until the user logs in to a network, every response is replaced with the login page of the network.
  @Test func `a page instead of a pack leads to a retry`() async throws {
    let (site, clock) = clocked()
    let isLoggedIn = Locked(false)
    let store = try await site.updated()
    site.server.bend { _, answer in
      if isLoggedIn.withLock({ $0 }) { return }
      answer = .init(status: 200, headers: ["Content-Type": "text/html"], body: Data("<html>".utf8))
    }
    let page = OnDemandError.unreachable(UnderlyingError(URLError(.badServerResponse)))
    await #expect(throws: page) { try await store.checkForUpdate() }
    let waiting = Task { try await store.request(for: ["D"]).beginAccessing() }
    try await waitUntil("it waits") { !clock.waits.isEmpty }
    isLoggedIn.withLock { $0 = true }
    clock.advance(by: 1)
    try await waiting.value
    await store.close()
  }

  @Test func `retry after is honored`() async throws {
    let (site, clock) = clocked()
    let isFirst = Locked(true)
    site.server.bend { path, answer in
      let wasFirst = isFirst.withLock { isFirst in
        defer { if path.hasPrefix("packs/") { isFirst = false } }
        return isFirst && path.hasPrefix("packs/")
      }
      if wasFirst { answer = busy(["Retry-After": "7"]) }
    }
    let store = try await site.updated()
    let waiting = Task { try await store.request(for: ["D"]).beginAccessing() }
    try await waitUntil("it waits") { !clock.waits.isEmpty }
    #expect(clock.waits == [7])
    clock.advance(by: 7)
    try await waiting.value
    await store.close()
  }

  @Test(arguments: ["network", "request"]) func `a pause is cut short`(by event: String) async throws {
    let (site, clock) = clocked()
    let isAway = Locked(true)
    site.server.bend { path, answer in
      if path.hasPrefix("packs/") && isAway.withLock({ $0 }) { answer = busy() }
    }
    let store = try await site.updated()
    let waiting = Task { try await store.request(for: ["D"]).beginAccessing() }
    try await waitUntil("it waits") { clock.waits.count == 1 }
    isAway.withLock { $0 = false }
    // The clock does not advance, so only the event can end the pause.
    if event == "network" {
      store.setNetworkAvailable(true)
      try await waiting.value
    } else {
      try await store.request(for: ["B"]).beginAccessing()
      try await waiting.value
    }
    #expect(clock.time == 1_000_000_000)
    await store.close()
  }

  @Test func `a connection that breaks after its first byte is tried again`() async throws {
    let (site, clock) = clocked()
    try await site.updated().close()
    let answers = Locked(0)
    site.server.bend { path, answer in
      let number = answers.withLock { answers in
        defer { answers += 1 }
        return answers
      }
      if number == 0 { (answer.body, answer.failure) = (answer.body.prefix(50), .passing) }
      if number == 1 { (answer.status, answer.failure) = (0, .unreachable) }
    }
    // This store has not downloaded anything from the server before.
    let store = try await site.open()
    let waiting = Task { try await store.request(for: ["D"]).beginAccessing() }
    for count in 1...2 {
      try await waitUntil("it waits") { clock.waits.count == count }
      clock.advance(by: 2)
    }
    try await waiting.value
    await store.close()
  }

  @Test func `a prefetch that began without a server comes when it is back`() async throws {
    let (site, clock) = clocked()
    let prefetched = try [built.pack("C"), built.pack("C", "D")].map(\.archive.path)
    let isAway = Locked(true)
    site.server.bend { path, answer in
      if prefetched.contains(path) && isAway.withLock({ $0 }) {
        (answer.status, answer.failure) = (0, .unreachable)
      }
    }
    let first = try await site.updated()
    try await first.install().wait()
    await first.close()
    let store = try await site.open()
    try await waitUntil("it rests") { !clock.waits.isEmpty }
    isAway.withLock { $0 = false }
    clock.advance(by: 61)
    try await waitUntil("the prefetch is there") { await store.state(of: "C") == .downloaded }
    await store.close()
  }

  @Test func `a patch that is always cut leads to the archive`() async throws {
    #if Patches
      let patched = try PatchSite()
      let site = try patched.storeBeforeUpdate()
      let store = try await site.updated()
      try await store.request(for: ["A", "C"]).beginAccessing()
      site.server.serve(patched.site.folder.path("new"))
      try await store.takeUpdate()
      site.server.bend { path, answer in
        if path.hasPrefix("patches/") && path.hasSuffix(".zip") {
          (answer.body, answer.failure) = (answer.body.prefix(answer.body.count / 2), .passing)
        }
      }
      var events = store.events.makeAsyncIterator()
      try await store.request(for: ["A", "C"]).beginAccessing()
      #expect(site.waits.withLock { $0 } == [])
      guard case .patchFailed = await events.next() else { throw Unexpected() }
      await store.close()
    #endif
  }

  @Test func `a pack that is gone asks for the release once`() async throws {
    let store = try await site.updated()
    let pack = try built.pack("C", "D")
    site.server.bend { path, answer in
      if path == pack.archive.path { answer = .init(status: 404, headers: [:], body: Data()) }
    }
    await #expect(throws: OnDemandError.refused(pack: pack.id, status: 404)) {
      try await store.request(for: ["D"]).beginAccessing()
    }
    #expect(site.server.paths.count { $0 == "index.json" } == 2)
    // Make the server offer another release, which does not contain the old packs.
    try built.site.write("d", "new")
    built.site.waitForClockTick()
    _ = try built.site.request(into: "new").run(Policy())
    site.server.serve(built.site.folder.path("new"))
    site.server.bend { _, _ in }
    await #expect(throws: OnDemandError.releaseGone(pack: pack.id)) {
      try await store.request(for: ["D"]).beginAccessing()
    }
    try await store.takeUpdate()
    try await store.request(for: ["D"]).beginAccessing()
    await store.close()
  }

  @Test func `other servers are tried`() async throws {
    var site = site
    let other = try #require(URL(string: "http://mirror.example/folder"))
    site.options.servers = [other]
    site.server.bend { path, answer in
      // The first server has only the index. On the other server, the paths begin with the name of a folder.
      if path.hasPrefix("packs/") { answer = .init(status: 404, headers: [:], body: Data()) }
    }
    let (root, server) = (built.path, site.server)
    site.options.transport = Mirror(server: server, root: root)
    let store = try await site.updated()
    try await store.request(for: ["D"]).beginAccessing()
    await store.close()
  }

  /// A second server that serves the same files below `/folder` on another host.
  private struct Mirror: Transport {
    let server: FolderServer
    let root: String

    func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
      if request.url?.host != "mirror.example" { return try await server.send(request, to: receiver) }
      let path = FolderServer.path(request).dropFirst("folder/".count)
      let body = try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)"))
      let head = HTTPURLResponse(url: request.url!, statusCode: 200, httpVersion: nil, headerFields: [:])!
      try receiver.receive(head)
      try receiver.receive(body)
    }
  }
}

/// Tests problems of real connections.
@Suite(.noHang, .mostlyWaits) struct ConnectionFailureTests {
  /// Makes a store that already has a release.
  ///
  /// The store's server is in this process.
  private func store(_ url: URL, patience: Double) async throws -> (store: PackStore, site: StoreSite) {
    let built = try BuiltSite()
    let site = try StoreSite(built.path)
    try await site.updated().close()
    var options = PackStore.Options()
    options.patience = patience
    return (try await PackStore.open(at: site.url, server: url, options), site)
  }

  private func expectUnreachable(_ url: URL) async throws {
    let (store, site) = try await store(url, patience: 0.5)
    for isUpdate in [true, false] {
      do {
        if isUpdate {
          _ = try await store.checkForUpdate()
        } else {
          try await store.request(for: ["D"]).beginAccessing()
        }
        Issue.record("it succeeded")
      } catch OnDemandError.unreachable(let reason) {
        #expect(reason.error is URLError && reason.description.count > 10)
      }
    }
    await store.close()
    try await site.settle()
  }

  @Test func `a failure of tls is an error with its reason`() async throws {
    let server = try ScriptedServer { _ in [.answer(200)] }
    try await expectUnreachable(try #require(URL(string: "https://127.0.0.1:\(server.port)")))
  }

  @Test func `an unknown scheme and an unknown host are errors with their reasons`() async throws {
    for text in ["htp://127.0.0.1", "http://packs.invalid"] {
      try await expectUnreachable(try #require(URL(string: text)))
    }
  }

  /// The server accepts connections.
  ///
  /// After that, it sends nothing, only the headers, or endless trailers.
  @Test(arguments: ["", "HTTP/1.1 200 x\r\n\r\n", "trailers"])
  func `a silent server is given up`(text: String) async throws {
    let server = try ScriptedServer { _ in
      if text != "trailers" { return [.send(text), .waitForEnd] }
      let head = "HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"
      return [.send(head)] + (0..<2000).map { .sendLater("X-\($0): y\r\n") }
    }
    try await expectUnreachable(server.url())
  }

  @Test func `an index of tiny pieces is refused`() async throws {
    let server = try ScriptedServer { _ in
      [
        .send("HTTP/1.1 200 x\r\nTransfer-Encoding: chunked\r\n\r\n"),
        .send(String(repeating: "1\r\n \r\n", count: 60_000)), .waitForEnd,
      ]
    }
    let (store, site) = try await store(server.url(), patience: 600)
    await #expect(
      throws: OnDemandError.damaged(pack: nil, reason: "the server sends the file in too many small pieces")
    ) {
      try await store.checkForUpdate()
    }
    await store.close()
    try await site.settle()
  }
}

/// Tests the targets of redirects, and the headers that the store sends to these targets.
@Suite(.noHang, .mostlyWaits) struct RedirectTests {
  private func fetch(_ url: URL, _ options: PackStore.Options = PackStore.Options()) async throws {
    let folder = try TemporaryFolder()
    var options = options
    options.headers = ["Authorization": "Bearer x"]
    options.patience = 3600
    let store = try await PackStore.open(at: URL(fileURLWithPath: folder.path("store")), server: url, options)
    defer { Task { await store.close() } }
    _ = try await store.checkForUpdate()
  }

  private func index() throws -> String {
    String(decoding: try BuiltSite().site.folder.read("out/index.json"), as: UTF8.self)
  }

  @Test func `a redirect within the server keeps the app's headers`() async throws {
    let text = try index()
    let server = try ScriptedServer { request in
      request.target == "/index.json" ? [.answer(302, ["Location: /y?z=1"])] : [.answer(200, [], text)]
    }
    try await fetch(server.url())
    #expect(server.requests.map(\.target) == ["/index.json", "/y?z=1"])
    #expect(server.requests.areAll { $0.header("Authorization") == "Bearer x" })
  }

  /// The app's headers can contain passwords, so the store must not send them to the target of the redirect.
  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirect to another server loses the app's headers`(status: Int) async throws {
    let text = try index()
    let other = try ScriptedServer { _ in [.answer(200, [], text)] }
    for host in ["127.0.0.1", "localhost"] {
      let server = try ScriptedServer { _ in
        [.answer(status, ["Location: http://\(host):\(other.port)/index.json"])]
      }
      try await fetch(server.url())
      #expect(server.requests.first?.header("Authorization") == "Bearer x")
    }
    #expect(other.requests.count == 2 && other.requests.areAll { $0.header("Authorization") == nil })
  }

  @Test func `five redirects are followed, and no more`() async throws {
    let text = try index()
    let server = try ScriptedServer { request in
      let count = request.target.count { $0 == "x" }
      // The count starts at 1, because the URL of the index contains an "x".
      return count == 7
        ? [.answer(200, [], text)]
        : [.answer(302, ["Location: /\(String(repeating: "x", count: count + 1))"])]
    }
    await #expect(throws: OnDemandError.refused(pack: nil, status: 302)) {
      try await fetch(server.url())
    }
    #expect(server.requests.count == 6)
  }

  @Test func `a redirect leads to https alone`() async throws {
    let site = try StoreSite(BuiltSite().path)
    for place in [
      "http://other.example/x", "http://packs.example/x", "file:///etc/passwd", "ftp://other.example/x",
      "data:,x",
      "http://127.0.0.1/x", "", "//", "https:x",
    ] {
      site.server.bend { _, answer in
        answer = .init(status: 302, headers: ["Location": place], body: Data())
      }
      await #expect(throws: OnDemandError.refused(pack: nil, status: 302), "\(place)") {
        try await fetch(FolderServer.url, site.options)
      }
    }
    let asked = site.server.requests.count
    site.server.bend { path, answer in
      if path == "index.json" {
        answer = .init(status: 302, headers: ["Location": "https://other.example/out.json"], body: Data())
      } else {
        answer = .init(status: 451, headers: [:], body: Data())
      }
    }
    await #expect(throws: OnDemandError.refused(pack: nil, status: 451)) {
      try await fetch(FolderServer.url, site.options)
    }
    let last = try #require(site.server.requests.last)
    #expect(
      site.server.requests.count == asked + 2 && last.url?.absoluteString == "https://other.example/out.json")
    #expect(last.value(forHTTPHeaderField: "Authorization") == nil)
  }
}
