import Foundation
import FoundationNetworking
import Model
import Pipeline
import Support
import System
import Testing

@testable import OnDemand

/// Tests the rules of a store's state without a network or threads.
///
/// The tests check the changes on the disk, and the values that watchers receive.
@Suite(.noHang, .mostlyWaits) struct StoreRuleTests {
  private let folder: TemporaryFolder
  private var options = PackStore.Options()
  private static let damage = OnDemandError.damaged(pack: nil, reason: "x")

  init() throws {
    folder = try TemporaryFolder()
    options.use(FolderServer("/nowhere"))
    options.now = { 1_000_000_000 }
    options.patience = 30
  }

  private var url: URL { URL(fileURLWithPath: folder.path("store")) }

  /// Makes a pack with its own tag.
  ///
  /// The archive of the pack is one byte larger than its files.
  private func pack(_ id: String, _ contents: String = "old", size: Int64 = 10) -> Catalog.Pack {
    Catalog.Pack(
      id: id, tags: [id], size: size, fileCount: 1, digest: PublishedDigest(of: "\(id) \(contents)"),
      archive: ServerFile(
        path: "packs/\(id).zip", size: size + 1, digest: PublishedDigest(of: "\(id) \(contents) zip")))
  }

  /// Returns the pack with patches from an earlier pack.
  ///
  /// The digests of the patches are the digests of the strings in `sizes`.
  private func patched(_ pack: Catalog.Pack, from old: Catalog.Pack, _ sizes: [String: Int64]) -> Catalog.Pack
  {
    var pack = pack
    pack.patches = sizes.sorted { $0.key < $1.key }.map { text, size in
      let file = ServerFile(path: "patches/\(text).zip", size: size, digest: PublishedDigest(of: text))
      return Catalog.PackPatch(base: old.key, file: file)
    }
    return pack
  }

  private func release(
    _ digest: String, _ packs: [Catalog.Pack], expires: String? = nil, app: String? = nil,
    number: Int64? = nil,
    initialInstall: [String] = [], prefetch: [String] = []
  ) -> Catalog {
    Catalog(
      bundleIdentifier: app, number: number, expires: expires, indexDigest: digest, packs: packs,
      initialInstall: initialInstall, prefetch: prefetch)
  }

  /// Opens the state of a store that has a release and some packs.
  ///
  /// `earlier` contains the releases before it.
  private func open(
    _ current: Catalog?, stored: [Catalog.Pack] = [], staged: Catalog? = nil, earlier: [Catalog] = [],
    servers: [URL] = [FolderServer.url]
  ) throws -> StoreState {
    let store = try StoreFolder(url)
    if let current { try store.write(current.stored, to: "catalog") }
    if let staged { try store.write(staged.stored, to: "staged") }
    for pack in stored {
      try FileManager.default.createDirectory(at: store.pack(pack.key), withIntermediateDirectories: true)
    }
    var history = ReleaseHistory()
    for old in earlier { history.add(old, present: Set(stored.map(\.key))) }
    try store.write(history.stored, to: "history")
    return try StoreState(opening: store, servers: servers, options: options)
  }

  private func word(_ next: StoreState.Next) -> String {
    switch next {
    case .tryAgain: "try again"
    case .stop: "stop"
    case .askForRelease(let error): "ask: \(error)"
    }
  }

  private func events(of stream: AsyncStream<StoreEvent>) async -> [StoreEvent] {
    var events: [StoreEvent] = []
    for await event in stream { events.append(event) }
    return events
  }

  /// Failures that occur one after another, and their expected results.
  private struct Consequence {
    let errors: [any Error]
    let words: [String]
    let events: [StoreEvent]
    var failure: OnDemandError?
    var pauses: [Double] = []
    var servers = 1
    var isServerKnown = true
    /// The server that the store asks next.
    var host = "packs.example"
  }

  @Test func `each failure of an archive has its consequence`() async throws {
    let known = OnDemandError.damaged(pack: "A", reason: "x")
    let (lost, away) = (
      OnDemandError.unreachable(UnderlyingError(URLError.passing)), OnDemandError.serverIsAway
    )
    let refused = { (status: Int) in OnDemandError.refused(pack: "A", status: status) }
    let raw = { (status: Int) in OnDemandError.refused(pack: nil, status: status) }
    let bad = URLError(.badURL)
    let disk = CocoaError(.fileReadNoPermission)
    let cases: [Consequence] = [
      Consequence(errors: [Self.damage], words: ["try again"], events: []),
      Consequence(
        errors: [Self.damage, Self.damage], words: ["try again", "stop"],
        events: [.failed(pack: "A", error: known)], failure: known),
      Consequence(
        errors: [raw(401)], words: ["stop"], events: [.failed(pack: "A", error: refused(401))],
        failure: refused(401)),
      Consequence(errors: [raw(403)], words: ["ask: \(refused(403))"], events: []),
      Consequence(errors: [raw(404)], words: ["ask: \(refused(404))"], events: []),
      Consequence(errors: [raw(410)], words: ["ask: \(refused(410))"], events: []),
      Consequence(
        errors: [raw(404)], words: ["try again"], events: [], servers: 2, host: "mirror1.example"),
      Consequence(
        errors: [raw(404), raw(404)], words: ["try again", "ask: \(refused(404))"], events: [], servers: 2),
      Consequence(
        errors: [URLError.passing, URLError.passing], words: ["try again", "stop"],
        events: [.retry(pack: "A", error: lost, seconds: 1)], pauses: [1], servers: 2),
      Consequence(
        errors: [bad], words: ["stop"],
        events: [.failed(pack: "A", error: .unreachable(UnderlyingError(bad)))],
        failure: .unreachable(UnderlyingError(bad))),
      Consequence(
        errors: [disk], words: ["stop"], events: [.failed(pack: "A", error: .storage(UnderlyingError(disk)))],
        failure: .storage(UnderlyingError(disk))),
      Consequence(
        errors: [URLError.passing], words: ["stop"],
        events: [.retry(pack: "A", error: lost, seconds: 1)], pauses: [1]),
      Consequence(
        errors: [BusyServer(status: 503, retryAfter: 7)], words: ["stop"],
        events: [.retry(pack: "A", error: refused(503), seconds: 7)], pauses: [7]),
      Consequence(
        errors: [BusyServer(status: 503, retryAfter: 700)], words: ["stop"],
        events: [.retry(pack: "A", error: refused(503), seconds: 30)], pauses: [30]),
      Consequence(
        errors: [URLError.unreachable], words: ["stop"], events: [.failed(pack: "A", error: away)],
        failure: away, isServerKnown: false),
      Consequence(
        errors: [URLError.unreachable], words: ["stop"],
        events: [.retry(pack: "A", error: away, seconds: 1)], pauses: [1]),
      // If a connection breaks, the server can be reached.
      Consequence(
        errors: [URLError.passing], words: ["stop"],
        events: [.retry(pack: "A", error: lost, seconds: 1)], pauses: [1], isServerKnown: false),
    ]
    for (number, expected) in cases.enumerated() {
      let servers = (0..<expected.servers).map { number in
        number == 0 ? FolderServer.url : URL(string: "http://mirror\(number).example")!
      }
      let comment: Comment = "case \(number): \(expected.errors)"
      var state = try open(release("one", [pack("A"), pack("B")]), servers: servers)
      let request = RequestState(["A"])
      #expect(try state.begin(request, missing: .downloaded))
      if expected.isServerKnown { state.markServerKnown() }
      let plan = try state.startJob()
      state.receive(5, plan: plan, at: state.schedule.now)
      if !expected.isServerKnown { state.setNetwork(isAvailable: true) }
      let (stream, watcher) = AsyncStream<StoreEvent>.makeStream()
      state.watchers.append(watcher)
      let words = expected.errors.map { word(state.handle($0, plan: plan)) }
      #expect(words == expected.words, comment)
      watcher.finish()
      #expect(await events(of: stream) == expected.events, comment)
      #expect(request.failure == expected.failure, comment)
      #expect(state.pauses.map(\.seconds) == expected.pauses, comment)
      #expect(state.pauses.allSatisfy { $0.number == plan.number }, comment)
      #expect(state.schedule.packs[plan.number].isSuspended == !expected.pauses.isEmpty, comment)
      #expect(state.jobs.isEmpty == (expected.failure != nil), comment)
      // The bytes of a damaged file are not kept, because they are not the beginning of the right file.
      let isDamaged = expected.errors.contains { $0 as? OnDemandError == Self.damage }
      #expect(state.schedule.packs[plan.number].arrived == (isDamaged ? 0 : 5), comment)
      #expect(state.removedPacks == [] && state.removedDownloads == [], comment)
      if expected.servers > 1, let next = state.plan(for: plan.number, job: plan.job) {
        #expect(next.server.host == expected.host, comment)
      }
    }
  }

  @Test func `a patch that fails is not tried again, and one that cannot be reached is`() async throws {
    let old = pack("A")
    let new = patched(pack("A", "new"), from: old, ["large": 8, "small": 3])
    let before = release("one", [old])
    for isReachable in [true, false] {
      var state = try open(release("two", [new]), stored: [old], earlier: [before])
      state.markServerKnown()
      let request = RequestState(["A"])
      #expect(try state.begin(request, missing: .downloaded))
      let plan = try state.startJob()
      #expect(plan.patch?.file.path == "patches/small.zip" && plan.file.size == 3)
      #expect(state.downloadSize(of: [plan.number]) == 3)
      state.receive(2, plan: plan, at: state.schedule.now)
      let (stream, watcher) = AsyncStream<StoreEvent>.makeStream()
      state.watchers.append(watcher)
      let error: any Error = isReachable ? URLError.passing : URLError.unreachable
      let known = OnDemandError(error)
      #expect(word(state.handle(error, plan: plan)) == (isReachable ? "try again" : "stop"))
      watcher.finish()
      let heard = await events(of: stream)
      if isReachable {
        #expect(heard == [.patchFailed(pack: "A", error: known)])
        #expect(state.removedDownloads == [PublishedDigest(of: "small").hex] && state.pauses.isEmpty)
        #expect(state.schedule.packs[plan.number].arrived == 0)
        #expect(state.downloadSize(of: [plan.number]) == 8)
        let made = state.plan(for: plan.number, job: plan.job)
        let second = try #require(made)
        #expect(second.patch?.file.path == "patches/large.zip")
        #expect(word(state.handle(Self.damage, plan: second)) == "try again")
        let last = state.plan(for: plan.number, job: plan.job)
        #expect(last?.patch == nil && last?.file.size == 11)
        #expect(state.removedPacks == [] && request.outcome == nil)
      } else {
        #expect(heard == [.retry(pack: "A", error: known, seconds: 1)] && state.removedDownloads == [])
        #expect(state.schedule.packs[plan.number].arrived == 2)
      }
      try FileManager.default.removeItem(at: url)
    }
  }

  /// On a full disk, the store removes old packs first, and then stored packs that no request uses.
  ///
  /// If this is not enough, the request fails.
  @Test func `a full disk takes old packs before stored ones`() async throws {
    let (old, other, new) = (pack("A"), pack("B"), pack("A", "new"))
    var state = try open(
      release("two", [new, other]), stored: [old, other], earlier: [release("one", [old, other])])
    #expect(state.removedPacks == [])
    let request = RequestState(["A"])
    #expect(try state.begin(request, missing: .downloaded))
    let plan = try state.startJob()
    state.receive(4, plan: plan, at: state.schedule.now)
    let (stream, watcher) = AsyncStream<StoreEvent>.makeStream()
    state.watchers.append(watcher)
    let (warnings, warned) = AsyncStream<Void>.makeStream()
    state.lowSpace.append(warned)
    #expect(word(state.handle(POSIXError(.ENOSPC), plan: plan)) == "try again")
    #expect(state.removedPacks == [old.key] && state.state(of: "B") == .downloaded)
    #expect(word(state.handle(POSIXError(.EDQUOT), plan: plan)) == "try again")
    #expect(state.state(of: "B") == .missing && request.outcome == nil)
    _ = state.handleEvents()
    #expect(state.removedPacks == [old.key, other.key])
    #expect(word(state.handle(CocoaError(.fileWriteOutOfSpace), plan: plan)) == "stop")
    // The download needs 17 bytes: the last 7 of the archive's 11 bytes, and 10 bytes for the files.
    #expect(request.failure == .outOfSpace(needed: 17))
    #expect(state.schedule.reserved == 0 && state.jobs.isEmpty)
    for stream in [watcher] { stream.finish() }
    warned.finish()
    #expect(
      await events(of: stream) == [
        .lowSpace(needed: 17), .lowSpace(needed: 17), .purged(pack: "B", bytes: 10), .lowSpace(needed: 17),
        .failed(pack: "A", error: .outOfSpace(needed: 17)),
      ])
    var count = 0
    for await _ in warnings { count += 1 }
    #expect(count == 3)
  }

  /// Before a download, the store purges only as many bytes as are missing on the volume.
  @Test func `a volume with little room gives up old packs, then stored ones`() async throws {
    let (old, other, new) = (pack("A"), pack("B"), pack("A", "new"))
    var state = try open(
      release("two", [new, other, pack("C")]), stored: [old, other, pack("C")],
      earlier: [release("one", [old, other])])
    #expect(try state.begin(RequestState(["A"]), missing: .downloaded))
    let plan = try state.startJob()
    state.prepareRoom(for: plan, free: 21)
    #expect(state.removedPacks == [] && state.schedule.events.purged.isEmpty)
    state.prepareRoom(for: plan, free: 20)
    #expect(state.removedPacks == [old.key] && state.schedule.events.purged.isEmpty)
    state.prepareRoom(for: plan, free: 20)
    #expect(state.schedule.events.purged.map { state.schedule.packs[$0].info.id } == ["B"])
    state.prepareRoom(for: plan, free: 20)
    #expect(state.schedule.events.purged.map { state.schedule.packs[$0].info.id } == ["B", "C"])
  }

  @Test func `a download that has arrived needs only the space of its files`() throws {
    var state = try open(release("one", [pack("A"), pack("B")]), stored: [pack("B")])
    let request = RequestState(["A"])
    #expect(try state.begin(request, missing: .downloaded))
    let first = try state.startJob()
    state.receive(11, plan: first, at: state.schedule.now)
    let again = state.plan(for: first.number, job: first.job)
    let plan = try #require(again)
    #expect(plan.arrived == 11)
    state.prepareRoom(for: plan, free: 10)
    #expect(state.schedule.events.purged.isEmpty)
    state.prepareRoom(for: plan, free: 9)
    #expect(state.schedule.events.purged.map { state.schedule.packs[$0].info.id } == ["B"])
    #expect(word(state.handle(POSIXError(.ENOSPC), plan: plan)) == "stop")
    #expect(request.failure == .outOfSpace(needed: 10))
  }

  @Test func `an archive that is kept needs no space for its files`() throws {
    var other = self
    other.options.keepsArchives = true
    var state = try other.open(release("one", [pack("A"), pack("B")]), stored: [pack("B")])
    #expect(try state.begin(RequestState(["A"]), missing: .downloaded))
    let plan = try state.startJob()
    state.prepareRoom(for: plan, free: 11)
    #expect(state.schedule.events.purged.isEmpty)
    state.prepareRoom(for: plan, free: 10)
    #expect(state.schedule.events.purged.map { state.schedule.packs[$0].info.id } == ["B"])
  }

  @Test func `the prefetch purges nothing where a volume is short`() throws {
    var state = try open(release("one", [pack("A"), pack("B")], prefetch: ["A"]), stored: [pack("B")])
    state.schedule.resumePrefetch()
    let plan = try state.startJob()
    state.prepareRoom(for: plan, free: 0)
    #expect(state.state(of: "B") == .downloaded && state.schedule.events.purged.isEmpty)
    #expect(word(state.handle(POSIXError(.ENOSPC), plan: plan)) == "stop")
    #expect(state.state(of: "B") == .downloaded && state.schedule.prefetch.isEmpty)
  }

  @Test func `the space is that of the volume and of the app, whichever is less`() throws {
    var state = try open(release("one", [pack("A"), pack("B")]), stored: [pack("A")])
    state.setVolume(Volume(free: 100, size: 200))
    // The volume has 100 free bytes, and 10 bytes are stored. 10 bytes must stay free for other programs.
    #expect(state.schedule.space == 100)
    state.setSpace(40)
    #expect(state.schedule.space == 40 && state.state(of: "A") == .downloaded)
    state.setSpace(400)
    #expect(state.schedule.space == 100)
    state.setVolume(Volume(free: 0, size: 1_000_000))
    #expect(state.schedule.space == 0 && state.state(of: "A") == .downloaded)
    state.setVolume(Volume(free: 100, size: 200))
    state.setSpace(-5)
    #expect(state.schedule.space == 0 && state.state(of: "A") == .missing)
    #expect(Volume(free: 0, size: 100_000_000_000).keptFree == 256_000_000)
  }

  @Test func `a space that the app sets is not limited by the volume`() throws {
    var other = self
    other.options.space = 1000
    var state = try other.open(release("one", [pack("A")]), stored: [pack("A")])
    #expect(state.schedule.space == 1000)
    state.setVolume(Volume(free: 1, size: 200))
    #expect(state.schedule.space == 1000)
    other.options.space = -1
    #expect(try other.open(nil).schedule.space == 0)
  }

  @Test func `bytes of a job that was left are not counted`() async throws {
    var state = try open(release("one", [pack("A", size: 100)]))
    let first = RequestState(["A"])
    #expect(try state.begin(first, missing: .downloaded))
    let left = try state.startJob()
    state.receive(10, plan: left, at: state.schedule.now)
    #expect(state.isServerKnown && state.state(of: "A") == .partial(ResourceProgress(bytes: 10, total: 101)))
    state.schedule.close(first)
    state.schedule.reschedule()
    state.updateJobs { _, _, _ in Task {} }
    // If a job was cancelled a moment ago, its last bytes are still counted.
    state.receive(20, plan: left, at: state.schedule.now)
    #expect(state.schedule.packs[left.number].arrived == 20)
    #expect(try state.begin(RequestState(["A"]), missing: .downloaded))
    let plan = try state.startJob()
    #expect(plan.job == left.job + 1 && plan.arrived == 20)
    state.receive(90, plan: left, at: state.schedule.now)
    #expect(state.schedule.packs[plan.number].arrived == 20)
    let stale = state.plan(for: left.number, job: left.job)
    #expect(stale == nil && word(state.handle(URLError.passing, plan: left)) == "stop")
    #expect(word(state.fail(.offline, plan: left)) == "stop" && state.pauses.isEmpty)
    state.receive(30, plan: plan, at: state.schedule.now)
    state.receive(25, plan: plan, at: state.schedule.now)
    let (stream, watcher) = AsyncStream<StoreEvent>.makeStream()
    state.watchers.append(watcher)
    state.finish(plan)
    watcher.finish()
    // The bytes of a download that restarted are counted once.
    #expect(await events(of: stream) == [.stored(pack: "A", bytes: 30, isPatch: false)])
    #expect(state.state(of: "A") == .inUse && state.jobs.isEmpty)
    #expect(state.removedDownloads == [plan.pack.archive.digest.hex] && state.present == [plan.pack.key])
  }

  @Test func `only new bytes are an answer`() throws {
    var state = try open(release("one", [pack("A", size: 100)]))
    #expect(try state.begin(RequestState(["A"]), missing: .downloaded))
    let plan = try state.startJob()
    let start = state.schedule.now
    state.receive(0, plan: plan, at: start + 1)
    #expect(!state.isServerKnown && state.retryStates[plan.number]?.since == start)
    state.receive(4, plan: plan, at: start + 2)
    #expect(state.isServerKnown && state.retryStates[plan.number]?.since == start + 2)
    // The same number of bytes, or fewer if the download restarts, does not count as progress.
    for bytes in [4, 3] as [Int64] {
      state.receive(bytes, plan: plan, at: start + 3)
      #expect(state.schedule.packs[plan.number].arrived == bytes)
      #expect(state.retryStates[plan.number]?.since == start + 2)
    }
    // The time of the last byte does not go back.
    state.receive(5, plan: plan, at: start + 1)
    #expect(state.retryStates[plan.number]?.since == start + 2)
  }

  @Test(arguments: [[5, 3], [3, 5]]) func `the larger of two partial downloads counts`(sizes: [Int]) throws {
    let new = patched(pack("A", "new"), from: pack("A"), ["p": 8])
    let store = try StoreFolder(url)
    let other = PublishedDigest(of: "other").hex
    try Data(count: sizes[0]).write(to: store.download(new.archive.digest.hex))
    try Data(count: sizes[1]).write(to: store.download(new.patches[0].file.digest.hex))
    try Data(count: 7).write(to: store.download(other))
    #expect(try open(nil).removedDownloads == [])
    let state = try open(release("one", [new]))
    #expect(state.schedule.packs.map(\.arrived) == [5] && state.removedDownloads == [other])
  }

  @Test func `what was purged or closed gets no bytes`() throws {
    for isClosed in [true, false] {
      var state = try open(release("one", [pack("A", size: 100)]))
      let request = RequestState(["A"])
      #expect(try state.begin(request, missing: .downloaded))
      let plan = try state.startJob()
      state.receive(10, plan: plan, at: state.schedule.now)
      if isClosed {
        _ = state.close()
      } else {
        state.schedule.close(request)
        state.schedule.setSpace(0)
      }
      state.receive(50, plan: plan, at: state.schedule.now)
      #expect(state.schedule.packs[plan.number].arrived == (isClosed ? 10 : 0))
      if isClosed {
        state.finish(plan)
        #expect(!state.schedule.packs[plan.number].isStored && state.present.isEmpty)
        #expect(word(state.handle(URLError.passing, plan: plan)) == "stop" && state.pauses.isEmpty)
      }
    }
  }

  @Test func `a closed store ends all that waits`() async throws {
    let new = release("two", [pack("A", "new")])
    var state = try open(
      release("one", [pack("A"), pack("B")], initialInstall: ["B"]), stored: [pack("A")], staged: new)
    let (request, install, update) = (RequestState(["B"]), RequestState(), RequestState())
    #expect(try state.begin(request, missing: .downloaded))
    try state.install(install)
    try state.download(update, digest: "two")
    let plan = try state.startJob()
    _ = state.handle(URLError.passing, plan: plan)
    let retryTask = Task<Void, Never> { try? await Task.sleep(for: .seconds(86_400)) }
    state.setRetryTask(retryTask, pack: plan.number)
    let (stream, watcher) = AsyncStream<StoreEvent>.makeStream()
    let (warnings, warned) = AsyncStream<Void>.makeStream()
    state.watchers.append(watcher)
    state.lowSpace.append(warned)
    let task = state.jobs[plan.number]?.task
    #expect(state.close().count == 1)
    #expect([request, install, update].map(\.failure) == [.closed, .closed, .closed])
    #expect(state.isClosed && state.jobs.isEmpty && task?.isCancelled != false && retryTask.isCancelled)
    // Both streams have ended.
    #expect(await events(of: stream) == [])
    for await _ in warnings {}
    #expect(state.close().count == 1)
    for change: (inout StoreState) throws -> Void in [
      { _ = try $0.begin(RequestState(["A"]), missing: .refused) }, { try $0.install(RequestState()) },
      { try $0.download(RequestState(), digest: "one") }, { _ = try $0.applied(digest: "two") },
    ] {
      #expect(throws: OnDemandError.closed) { try change(&state) }
    }
    state.updateJobs { _, _, _ in
      Issue.record("a job of a closed store began")
      return Task {}
    }
  }

  @Test func `a request begins once, and one that was refused has ended`() throws {
    var state = try open(release("one", [pack("A"), pack("B")]), stored: [pack("A")])
    let request = RequestState(["A"])
    #expect(try state.begin(request, missing: .refused))
    #expect(throws: OnDemandError.ended) { try state.begin(request, missing: .downloaded) }
    let waiting = RequestState(["B"])
    #expect(try state.begin(waiting, missing: .refused) == false && waiting.outcome == nil)
    #expect(try state.begin(waiting, missing: .downloaded))
    #expect(throws: OnDemandError.ended) { try state.begin(waiting, missing: .downloaded) }
    #expect(state.schedule.requests.count == 2)
    for missing in [DownloadSchedule.MissingPacks.downloaded, .refused] {
      let unknown = RequestState(["x"])
      #expect(throws: OnDemandError.invalidTag("x")) { try state.begin(unknown, missing: missing) }
      #expect(unknown.failure == (missing == .downloaded ? .invalidTag("x") : nil))
    }
    var empty = try StoreState(
      opening: StoreFolder(URL(fileURLWithPath: folder.path("other"))), servers: [FolderServer.url],
      options: options)
    #expect(throws: OnDemandError.offline) { try empty.begin(RequestState(["A"]), missing: .downloaded) }
    #expect(throws: OnDemandError.offline) { try empty.install(RequestState()) }
  }

  @Test func `without a network nothing waits, and nothing counts as an answer`() throws {
    let new = release("two", [pack("A", "new"), pack("B", "new")])
    var state = try open(
      release("one", [pack("A"), pack("B")], initialInstall: ["B"]), stored: [pack("A")], staged: new)
    let request = RequestState(["B"])
    #expect(try state.begin(request, missing: .downloaded))
    state.markServerKnown()
    #expect(state.isServerKnown)
    state.setNetwork(isAvailable: false)
    #expect(request.failure == .offline && !state.isServerKnown)
    state.markServerKnown()
    #expect(!state.isServerKnown)
    let update = RequestState()
    #expect(throws: OnDemandError.offline) { try state.download(update, digest: "two") }
    #expect(throws: OnDemandError.offline) { try state.install(RequestState()) }
    #expect(throws: OnDemandError.offline) { try state.begin(RequestState(["B"]), missing: .downloaded) }
    #expect(try state.begin(RequestState(["A"]), missing: .downloaded))
    state.schedule.reschedule()
    #expect(state.schedule.serving.isEmpty && state.schedule.stagings.isEmpty)
    state.setNetwork(isAvailable: true)
    #expect(!state.isServerKnown)
    state.markServerKnown()
    #expect(state.isServerKnown)
  }

  @Test func `what rests is woken by the network and by requests, with all its time`() throws {
    var state = try open(release("one", [pack("A"), pack("B")]))
    #expect(try state.begin(RequestState(["A"]), missing: .downloaded))
    state.markServerKnown()
    let plan = try state.startJob()
    for pause in [1.0, 2, 4] {
      #expect(word(state.handle(URLError.passing, plan: plan)) == "stop")
      #expect(state.pauses.map(\.seconds) == [pause] && state.schedule.serving.isEmpty)
      state.pauses = []
      state.resume(plan.number)
      let again = try state.startJob()
      #expect(again.job == plan.job)
    }
    #expect(word(state.handle(URLError.passing, plan: plan)) == "stop")
    let retryTask = Task<Void, Never> { try? await Task.sleep(for: .seconds(86_400)) }
    state.setRetryTask(retryTask, pack: plan.number)
    state.schedule.now += 20_000_000
    #expect(try state.begin(RequestState(["A", "B"]), missing: .downloaded))
    #expect(!state.schedule.packs[plan.number].isSuspended && retryTask.isCancelled)
    #expect(state.retryStates[plan.number]?.pauses == 0)
    #expect(state.retryStates[plan.number]?.since == state.schedule.now)
    state.pauses = []
    _ = state.handle(URLError.passing, plan: plan)
    #expect(state.pauses.map(\.seconds) == [1])
    state.setNetwork(isAvailable: true)
    #expect(!state.schedule.packs[plan.number].isSuspended)
  }

  /// A request fails when its patience ends.
  ///
  /// The received bytes are kept for the next request.
  @Test func `patience ends with the time that it has`() throws {
    for (seconds, isOver) in [(29.9, false), (30.0, true), (31.0, true)] {
      var state = try open(release("one", [pack("A")]))
      let request = RequestState(["A"])
      #expect(try state.begin(request, missing: .downloaded))
      state.markServerKnown()
      let plan = try state.startJob()
      state.receive(5, plan: plan, at: state.schedule.now)
      state.schedule.now += Int64(seconds * 1_000_000)
      #expect(word(state.handle(URLError.passing, plan: plan)) == "stop")
      #expect((request.failure != nil) == isOver, "\(seconds)")
      #expect(state.pauses.count == (isOver ? 0 : 1) && state.schedule.packs[plan.number].arrived == 5)
      // The last pause ends at the same time as the patience.
      if let pause = state.pauses.first { #expect(abs(pause.seconds - 0.1) < 0.001) }
    }
  }

  @Test func `tags are removed but for what is held or needed`() throws {
    let shared = Catalog.Pack(
      id: "AB", tags: ["A", "B"], size: 100, fileCount: 1, digest: PublishedDigest(of: "AB"),
      archive: ServerFile(path: "packs/AB.zip", size: 90, digest: PublishedDigest(of: "AB zip")))
    var state = try open(
      release("one", [pack("A"), shared, pack("B"), pack("C")]), stored: [pack("A"), shared, pack("C")])
    // "B" is not completely stored, so the packs that "A" and "B" share are not kept for it.
    #expect(state.remove(["A"]) == 110)
    #expect(state.state(of: "A") == .missing && state.state(of: "C") == .downloaded)
    _ = state.handleEvents()
    #expect(Set(state.removedPacks) == [pack("A").key, shared.key])
    #expect(state.remove(["x", "A"]) == 0)
    let request = RequestState(["C"])
    #expect(try state.begin(request, missing: .refused))
    #expect(state.state(of: "C") == .inUse && state.remove(["C"]) == 0)
    state.schedule.close(request)
    #expect(state.state(of: "C") == .downloaded && state.remove(["C"]) == 10)
  }

  @Test func `an update is downloaded for what is stored, and forgotten when it is replaced`() throws {
    let new = release("two", [pack("A", "new"), pack("B", "new"), pack("C")])
    var state = try open(
      release("one", [pack("A"), pack("B"), pack("C")]), stored: [pack("A"), pack("C")], staged: new)
    #expect(state.stagedPacks.map { state.schedule.packs[$0].info.id } == ["A", "C"])
    #expect(state.downloadSize(of: state.stagedPacks) == 11)
    let (update, other, same) = (RequestState(), RequestState(), RequestState())
    try state.download(update, digest: "two")
    #expect(throws: OnDemandError.updateReplaced) { try state.download(other, digest: "three") }
    try state.download(same, digest: "one")
    #expect(same.outcome != nil && same.failure == nil && update.outcome == nil)
    #expect(throws: OnDemandError.updateReplaced) { try state.applied(digest: "three") }
    #expect(try state.applied(digest: "one") == nil && state.applied(digest: "two") != nil)
    let plan = try state.startJob()
    state.receive(3, plan: plan, at: state.schedule.now)
    #expect(state.downloadSize(of: state.stagedPacks) == 8)
    state.unstage()
    #expect(update.failure == .updateReplaced && state.staged == nil && state.stagedPacks == [])
    #expect(state.schedule.stagings.isEmpty && state.schedule.packs.allSatisfy { !$0.isStaged })
    // The bytes of the partial download can no longer be used.
    #expect(state.schedule.reserved == 20)
    #expect(throws: OnDemandError.updateReplaced) { try state.applied(digest: "two") }
  }

  @Test func `downloading an update wakes what rests, with all its time`() throws {
    let new = release("two", [pack("A", "new")])
    var state = try open(release("one", [pack("A")]), stored: [pack("A")], staged: new)
    state.markServerKnown()
    try state.download(RequestState(), digest: "two")
    let plan = try state.startJob()
    #expect(word(state.handle(URLError.passing, plan: plan)) == "stop")
    #expect(state.schedule.packs[plan.number].isSuspended)
    state.schedule.now += 20_000_000
    try state.download(RequestState(), digest: "two")
    #expect(!state.schedule.packs[plan.number].isSuspended)
    #expect(state.retryStates[plan.number]?.pauses == 0)
    #expect(state.retryStates[plan.number]?.since == state.schedule.now)
  }

  @Test func `an update that replaces another one keeps the packs that both have`() throws {
    let (old, shared) = (pack("A"), pack("A", "new"))
    var state = try open(release("one", [old, pack("B")]), stored: [old])
    state.stage(release("two", [shared, pack("B")]))
    try state.download(RequestState(), digest: "two")
    state.finish(try state.startJob())
    _ = state.handleEvents()
    #expect(state.present.contains(shared.key))
    state.stage(release("three", [shared, pack("B", "new")]))
    _ = state.handleEvents()
    #expect(state.removedPacks == [] && state.present.contains(shared.key))
    #expect(state.schedule.packs.count { $0.info.key == shared.key } == 1)
    #expect(state.downloadSize(of: state.stagedPacks) == 0)
  }

  @Test func `an update takes up packs that are on the disk, and keeps old ones for patches`() throws {
    let (old, kept, gone) = (pack("A"), pack("B"), pack("D"))
    let new = patched(pack("A", "new"), from: old, ["patch": 3])
    let first = release("one", [old, kept, gone], app: "a.b")
    var state = try open(
      first, stored: [old, kept, gone], staged: release("two", [new, kept, pack("C")], app: "a.b"))
    let made = try state.applied(digest: "two")
    let applied = try #require(made)
    #expect(applied.trust.bundleIdentifier == "a.b" && applied.history.entries.map(\.indexDigest) == ["one"])
    try state.apply(applied)
    #expect(state.catalog?.indexDigest == "two" && state.staged == nil)
    #expect(state.trust.bundleIdentifier == "a.b")
    #expect(state.state(of: "B") == .downloaded && state.state(of: "A") == .missing)
    _ = state.handleEvents()
    // Old packs are kept, because a patch can need any file of the old release.
    #expect(state.removedPacks == [] && state.present == [old.key, kept.key, gone.key])
    #expect(state.currentNumbers.count == 3)
    // A pack that the current release no longer has is not downloaded again for the next one.
    state.stage(release("three", [new, kept, gone], app: "a.b"))
    #expect(state.schedule.packs.contains { $0.info.key == gone.key && $0.isStaged && $0.isStored })
    state.unstage()
    #expect(try state.begin(RequestState(["A"]), missing: .downloaded))
    let plan = try state.startJob()
    #expect(plan.patch?.file.size == 3)
    state.finish(plan)
    _ = state.handleEvents()
    #expect(Set(state.removedPacks) == [old.key, gone.key] && state.present == [kept.key, new.key])
    #expect(throws: OnDemandError.updateReplaced) { try state.apply(applied) }
  }

  @Test(
    arguments: [
      ("7", nil, 7), ("-3", nil, 0), ("soon", nil, nil), (nil, nil, nil),
      ("Fri, 27 Nov 2026 10:00:06 GMT", "Fri, 27 Nov 2026 10:00:00 GMT", 6),
      ("Fri, 27 Nov 2026 10:00:00 GMT", "Fri, 27 Nov 2026 10:00:06 GMT", 0),
      ("Fri, 27 Nov 2026 10:00:06 GMT", nil, 4),
    ] as [(String?, String?, Double?)])
  func `a busy server says how long to wait`(retryAfter: String?, date: String?, seconds: Double?) throws {
    var fields: [String: String] = [:]
    fields["Retry-After"] = retryAfter
    fields["Date"] = date
    let answer = try #require(
      HTTPURLResponse(url: FolderServer.url, statusCode: 503, httpVersion: nil, headerFields: fields))
    // 27 November 2026, 10:00:02 UTC.
    #expect(secondsToWait(answer, now: Date(timeIntervalSince1970: 1_795_773_602)) == seconds)
  }

  @Test func `a release is checked only as far as there are keys`() throws {
    var state = try open(nil)
    state.trust.bundleIdentifier = "a.b"
    state.trust.highestRelease = 5
    let odd = [
      release("x", [], expires: "1970-01-01T00:00:00Z", app: "a.b", number: 5),
      release("x", [], app: "c.d", number: 5), release("x", [], app: "a.b", number: 4),
      release("x", [], app: "a.b"),
    ]
    for next in odd {
      if next.bundleIdentifier == "a.b" {
        try state.check(next, signature: .none)
      } else {
        // Another app is refused without keys, too.
        #expect(throws: OnDemandError.untrusted("it belongs to the app \"c.d\", not to \"a.b\"")) {
          try state.check(next, signature: .none)
        }
      }
      #expect(throws: OnDemandError.self) { try state.check(next, signature: .verified) }
    }
    try state.check(release("x", []), signature: .none)
    #expect(throws: OnDemandError.self) { try state.check(release("x", [], number: 6), signature: .verified) }
    try state.check(release("x", [], app: "a.b", number: 5), signature: .verified)
    try state.check(
      release("x", [], expires: "2001-01-01T00:00:00Z", app: "a.b", number: 6), signature: .verified)
    var strict = self
    (strict.options.bundleIdentifier, strict.options.minimumRelease) = ("a.b", 5)
    let bound = try strict.open(nil)
    for next in odd.dropFirst() {
      #expect(throws: OnDemandError.self) { try bound.check(next, signature: .none) }
    }
    try bound.check(release("x", [], app: "a.b", number: 5), signature: .none)
  }

  @Test func `what is saved is what is opened`() throws {
    let packs = [pack("A"), pack("B"), pack("C")]
    var state = try open(
      release("one", packs, initialInstall: ["A"], prefetch: ["B", "C"]), stored: [packs[0], packs[2]])
    let install = RequestState()
    try state.install(install)
    state.schedule.reschedule()
    #expect(state.schedule.isInstalled && install.failure == nil)
    state.schedule.preservation = ["B": 0.25]
    state.indexTag = SavedState.IndexTag(tag: "t", server: "s", digest: "one")
    state.schedule.now += 7
    let request = RequestState(["C"])
    #expect(try state.begin(request, missing: .refused))
    let saved = state.saved
    #expect(saved.isInstalled && saved.prefetching == "one" && saved.preservation == ["B": 0.25])
    #expect(saved.held == [packs[2].key] && saved.indexTag == state.indexTag)
    let read = try SavedState(stored: saved.stored)
    #expect(read.isInstalled && read.prefetching == "one" && read.preservation == ["B": 0.25])
    #expect(read.held == saved.held && read.indexTag == saved.indexTag)
    #expect(read.uses.mapValues(\.time) == saved.uses.mapValues(\.time) && read.uses.count == 2)
    try StoreFolder(url).write(saved.stored, to: "state")
    var again = try StoreState(
      opening: StoreFolder(url), servers: [FolderServer.url], options: options)
    #expect(again.schedule.isInstalled && again.schedule.prefetch.map { $0 } == [1, 2])
    #expect(again.schedule.preservation == ["B": 0.25] && again.indexTag == state.indexTag)
    // A request used one of the packs a moment ago, so the other pack is purged first.
    again.setSpace(10)
    #expect(again.state(of: "A") == .missing && again.state(of: "C") == .downloaded)
    let purged = try SavedState(stored: again.saved.stored)
    #expect(purged.uses[packs[0].key]?.wasPurged == true && purged.uses[packs[2].key]?.wasPurged == false)
    #expect(throws: (any Error).self) { try SavedState(stored: Data("other".utf8)) }
  }

  @Test func `a catalog is read as it was written`() throws {
    let new = patched(pack("A", "new", size: 7), from: pack("A"), ["p": 3, "q": 4])
    let catalog = release(
      "one", [new, pack("B")], expires: "2030-01-01T00:00:00Z", app: "a.b", number: 9, initialInstall: ["B"],
      prefetch: ["A", "B"])
    let read = try Catalog(stored: catalog.stored)
    #expect(read.bundleIdentifier == "a.b" && read.number == 9 && read.expires == "2030-01-01T00:00:00Z")
    #expect(read.indexDigest == "one" && read.initialInstall == ["B"] && read.prefetch == ["A", "B"])
    for (one, other) in zip(read.packs, catalog.packs) {
      #expect(one.id == other.id && one.tags == other.tags && one.size == other.size && one.key == other.key)
      #expect(one.fileCount == 1 && one.digest == other.digest && one.archive == other.archive)
      #expect(one.patches == other.patches)
    }
    #expect(read.packs.count == 2 && read.packs[0].patches.count == 2)
    // A file that is truncated at any byte, or that has an additional byte, is not accepted.
    for count in 0..<catalog.stored.count {
      #expect(throws: (any Error).self) { try Catalog(stored: catalog.stored.prefix(count)) }
    }
    #expect(throws: (any Error).self) { try Catalog(stored: catalog.stored + [0]) }
    var history = ReleaseHistory()
    history.add(release("gone", [pack("X")]), present: [new.key])
    history.add(catalog, present: [new.key])
    history.add(catalog, present: [new.key])
    let same = try ReleaseHistory(stored: history.stored)
    #expect(same.entries.map(\.indexDigest) == ["one"] && same.entries[0].keys == history.entries[0].keys)
    #expect(
      same.id(ofKey: new.key) == "A" && same.id(ofKey: pack("B").key) == "B" && same.id(ofKey: "x") == nil)
  }

  @Test func `packs come in the order of their IDs`() throws {
    var schedule = DownloadSchedule(inUse: .max)
    let names = (0..<26).map { String(UnicodeScalar(UInt8(0x41 + ($0 * 7) % 26))) }
    let packs = names.map { name in
      Catalog.Pack(
        id: name, tags: ["T"], size: 1, fileCount: 1, digest: PublishedDigest(of: name),
        archive: ServerFile(path: "\(name).zip", size: 1, digest: PublishedDigest(of: "\(name) zip")))
    }
    schedule.update(to: release("one", packs))
    #expect(try schedule.resolved(["T"]).map { schedule.packs[$0].info.id } == names.sorted())
  }
}

/// Tests a store in which the folder, a wait or a request fails in the middle of an action.
@Suite(.noHang, .mostlyWaits) struct StoreInterruptionTests {
  private let built: BuiltSite
  private let site: StoreSite

  init() throws {
    built = try BuiltSite()
    site = try StoreSite(built.path)
  }

  private func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: site.folder.path("store/\(name)"))
  }

  /// Makes a folder at the path of a file, so that the file cannot be written.
  private func block(_ name: String) throws {
    try? FileManager.default.removeItem(atPath: site.folder.path("store/\(name)"))
    try site.folder.write("store/\(name)/x", "")
  }

  private func isStorage(_ error: any Error) -> Bool {
    if case OnDemandError.storage = error { true } else { false }
  }

  /// The catalog is written last.
  ///
  /// So a release becomes the current release only when all its other files are written.
  @Test(arguments: ["trust", "history", "catalog"])
  func `a release is applied only where each of its files can be written`(name: String) async throws {
    let store = try await site.open()
    let update = try #require(try await store.checkForUpdate())
    let names = ["history", "catalog"]
    #expect(names.allSatisfy { !exists($0) } && exists("trust"))
    try block(name)
    await #expect { try await update.apply(.immediately) } throws: { isStorage($0) }
    #expect(store.release == nil && store.stagedUpdate?.release == update.release)
    #expect(exists("history") == (name != "trust") && exists("catalog") == (name == "catalog"))
    try FileManager.default.removeItem(atPath: site.folder.path("store/\(name)"))
    try await update.apply(.immediately)
    #expect(store.release == update.release && names.allSatisfy(exists) && exists("index"))
    #expect(!exists("staged") && !exists("staged.index"))
    await store.close()
  }

  @Test(arguments: ["trust", "staged.index", "staged"])
  func `an update is found only where it can be written`(name: String) async throws {
    let store = try await site.open()
    let events = store.events
    try block(name)
    await #expect { try await store.checkForUpdate() } throws: { isStorage($0) }
    #expect(store.stagedUpdate == nil && store.release == nil)
    #expect(exists("staged.index") == (name != "trust") && exists("staged") == (name == "staged"))
    await store.close()
    var failures = 0
    for await event in events { if case .indexFailed(let error) = event, isStorage(error) { failures += 1 } }
    #expect(failures == 1)
  }

  @Test func `a folder that cannot be listed is an error`() throws {
    for name in ["partial", "packs"] {
      let folder = try StoreFolder(site.url)
      try FileManager.default.removeItem(atPath: site.folder.path("store/\(name)"))
      #expect(throws: CocoaError.self, "\(name)") {
        try StoreState(opening: folder, servers: [FolderServer.url], options: site.options)
      }
    }
  }

  /// A request ends while its pack is being written to the disk.
  ///
  /// Then the write fails.
  @Test func `a job that ends in the middle leaves nothing`() async throws {
    var site = site
    let open = Locked<ResourceRequest?>(nil)
    site.options.disk.syncFileSystem = nil
    site.options.disk.syncFile = { _ in
      open.withLock { $0 }?.endAccessing()
      throw POSIXError(.EIO)
    }
    let store = try await site.updated()
    let request = store.request(for: ["D"])
    open.withLock { $0 = request }
    await #expect(throws: OnDemandError.ended) { try await request.beginAccessing() }
    await store.close()
    #expect(try site.left().filter { !$0.hasPrefix("partial/") } == [])
  }

  /// The folder of a new pack disappears after its files are on the disk.
  @Test func `a pack that cannot be put in its place is not stored`() async throws {
    var site = site
    let isFirst = Locked(true)
    site.options.disk.syncFileSystem = { made in
      let removes = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if removes { try FileManager.default.removeItem(at: made) }
    }
    let store = try await site.updated()
    await #expect(throws: OnDemandError.self) { try await store.begin(["D"]) }
    #expect(try site.packs() == [])
    try await store.begin(["D"])
    #expect(try site.packs().count == 1)
    await store.close()
  }

  /// If a download was already resumed before its pause ended, the end of the pause has no effect.
  @Test func `a pause that was cut short wakes nobody`() async throws {
    var site = site
    let pauses = Locked<[CheckedContinuation<Void, Never>]>([])
    site.options.wait = { _ in
      await withCheckedContinuation { pause in pauses.withLock { $0.append(pause) } }
    }
    site.server.bend { path, answer in
      if path.hasPrefix("packs/") { answer = .init(status: 503, headers: [:], body: Data()) }
    }
    let store = try await site.updated()
    let waiting = Task { try await store.begin(["D"]) }
    try await waitUntil("it rests") { pauses.withLock { $0.count } == 1 }
    store.setNetworkAvailable(true)
    try await waitUntil("it rests again") { pauses.withLock { $0.count } == 2 }
    let asked = site.server.paths.count
    pauses.withLock { $0[0] }.resume()
    try await Task.sleep(for: .milliseconds(100))
    #expect(site.server.paths.count == asked && pauses.withLock { $0.count } == 2)
    site.server.bend { _, _ in }
    pauses.withLock { $0[1] }.resume()
    try await waiting.value.endAccessing()
    await store.close()
  }

  /// Sends a body in pieces, with a pause before each piece.
  ///
  /// In addition, keeps the receivers of its requests.
  private final class SlowTransport: Transport {
    private let pieces: [Data]
    private let failure: URLError?
    private let kept = Locked<[ResponseReceiver]>([])

    init(_ body: Data, pieces count: Int, failure: URLError? = nil) {
      let size = max(1, (body.count + count - 1) / count)
      pieces = stride(from: 0, to: body.count, by: size).map { Data(body.dropFirst($0).prefix(size)) }
      self.failure = failure
    }

    var receivers: [ResponseReceiver] { kept.withLock { $0 } }

    static func head(_ url: URL) -> HTTPURLResponse {
      HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: [:])!
    }

    func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
      kept.withLock { $0.append(receiver) }
      if let failure { throw failure }
      try receiver.receive(Self.head(request.url!))
      for piece in pieces {
        try await Task.sleep(for: .milliseconds(20))
        try receiver.receive(piece)
      }
    }
  }

  @Test func `a small file has a limit`() async throws {
    site.server.bend { path, answer in
      if path == "x" { answer = .init(status: 200, headers: ["ETag": "t"], body: Data("12345".utf8)) }
      if path == "y" { answer = .init(status: 304, headers: [:], body: Data()) }
    }
    let store = try await site.open()
    let whole = try await store.data("x", atMost: 5)
    #expect(whole.data == Data("12345".utf8) && whole.tag == "t" && whole.server == FolderServer.url)
    await #expect(throws: OnDemandError.self) { try await store.data("x", atMost: 4) }
    // Only a request with a known tag can get this answer.
    let refused = OnDemandError.refused(pack: nil, status: 304)
    await #expect(throws: refused) { try await store.data("y", atMost: 5) }
    let server = FolderServer.url.absoluteString
    let known = SavedState.IndexTag(tag: "t", server: server, digest: "d")
    #expect(try await store.data("y", atMost: 5, unless: known).data == nil)
    let foreign = SavedState.IndexTag(tag: "t", server: "\(server)/other", digest: "d")
    await #expect(throws: refused) { try await store.data("y", atMost: 5, unless: foreign) }
    await store.close()
  }

  /// The server answers with the status that the path ends with, and with the URL of an existing file.
  @Test func `each status has its meaning`() async throws {
    site.server.bend { path, answer in
      answer = .init(
        status: Int(path.dropFirst("status/".count)) ?? 200,
        headers: ["Location": "https://other.example/x"], body: Data("12345".utf8))
    }
    let store = try await site.open()
    for status in [200, 300, 301, 399] {
      #expect(try await store.data("status/\(status)", atMost: 5).data == Data("12345".utf8), "\(status)")
    }
    for status in [201, 206, 299, 304, 400, 407, 409, 428, 430, 499] {
      await #expect(throws: OnDemandError.refused(pack: nil, status: status)) {
        try await store.data("status/\(status)", atMost: 5)
      }
    }
    for status in [408, 429, 500, 599] {
      await #expect(throws: BusyServer.self, "\(status)") {
        try await store.data("status/\(status)", atMost: 5)
      }
    }
    await store.close()
  }

  /// Sends pieces of certain sizes, calls a function after each piece, and then fails.
  private struct PieceTransport: Transport {
    let sizes: [Int]
    let look: @Sendable () -> Void

    func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws {
      try receiver.receive(SlowTransport.head(request.url!))
      for size in sizes {
        try receiver.receive(Data(count: size))
        look()
      }
      throw URLError(.unsupportedURL)
    }
  }

  /// The state of the store does not change with each piece, because there can be thousands of pieces.
  @Test func `a download reports its bytes after each 128 KiB`() async throws {
    var site = site
    let pack = Catalog.Pack(
      id: "A", tags: ["A"], size: 10, fileCount: 1, digest: PublishedDigest(of: "A"),
      archive: ServerFile(path: "packs/A.zip", size: 300_000, digest: PublishedDigest(of: "zip")))
    let release = Catalog(
      bundleIdentifier: nil, number: nil, expires: nil, indexDigest: "one", packs: [pack],
      initialInstall: [], prefetch: [])
    try StoreFolder(site.url).write(release.stored, to: "catalog")
    let (opened, arrived) = (Locked<PackStore?>(nil), Locked<[Int64]>([]))
    site.options.transport = PieceTransport(sizes: [100, 130_971, 1, 131_071, 1, 5]) {
      guard let store = opened.withLock({ $0 }) else { return }
      let bytes = store.view { $0.schedule.packs[0].arrived }
      arrived.withLock { $0.append(bytes) }
    }
    let store = try await site.open()
    opened.withLock { $0 = store }
    await #expect(throws: OnDemandError.self) { try await store.begin(["A"]) }
    #expect(arrived.withLock { $0 } == [0, 0, 131_072, 131_072, 262_144, 262_144])
    // The last bytes are reported when the transfer ends.
    #expect(store.view { $0.schedule.packs[0].arrived } == 262_149)
    opened.withLock { $0 = nil }
    await store.close()
  }

  /// Each byte arrives within the patience, but the whole body does not arrive in time.
  @Test func `an index that arrives slowly ends after four times the patience`() async throws {
    var site = site
    let index = try Data(built.site.folder.read("out/index.json"))
    site.options.transport = SlowTransport(index, pieces: 100)
    site.options.transferPatience = 0.1
    let store = try await site.open()
    let late = OnDemandError.unreachable(UnderlyingError(URLError(.timedOut)))
    await #expect(throws: late) { try await store.takeUpdate() }
    #expect(store.release == nil)
    await store.close()
  }

  @Test func `a transfer that has ended takes nothing more`() async throws {
    var site = site
    let transport = SlowTransport(Data(), pieces: 1, failure: .passing)
    site.options.transport = transport
    let store = try await site.open()
    let lost = OnDemandError.unreachable(UnderlyingError(URLError.passing))
    await #expect(throws: lost) { try await store.checkForUpdate() }
    let receiver = try #require(transport.receivers.first)
    #expect(throws: CancellationError.self) { try receiver.receive(SlowTransport.head(FolderServer.url)) }
    #expect(throws: CancellationError.self) { try receiver.receive(Data("late".utf8)) }
    await store.close()
  }

  @Test func `an install of a first release that does not fit fails`() async throws {
    var site = site
    site.options.space = 1
    let store = try await site.open()
    let size = try built.pack("A").size + built.pack("A", "B").size
    await #expect(throws: OnDemandError.outOfSpace(needed: size)) { try await store.install().wait() }
    await store.close()
  }

  @Test func `waiting for a folder can be cancelled`() async throws {
    let first = try await site.open()
    var other = site
    other.options.waitsForFolder = true
    let second = Task { [other] in try await other.open() }
    try await Task.sleep(for: .milliseconds(20))
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    await first.close()
  }

  @Test func `a task that is cancelled unpacks nothing more`() async throws {
    let zip = RawZip([RawZip.Entry("a/b", "text")])
    try site.folder.write("zip", zip.bytes)
    let (file, made) = (site.folder.path("zip"), site.folder.path("made"))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try PackMaker.unpack(URL(fileURLWithPath: file), pack: zip.pack, into: URL(fileURLWithPath: made))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!FileManager.default.fileExists(atPath: "\(made)/files"))
  }

  /// If a task is cancelled at the moment when its wait ends, it gets either the result or the cancellation.
  @Test func `a wait ends once, whatever ends it first`() async throws {
    let state = RequestState(["T"])
    let tasks = (0..<200).map { _ in Task { try await state.wait() } }
    try await Task.sleep(for: .milliseconds(50))
    state.settle()
    for task in tasks { task.cancel() }
    for task in tasks {
      do { try await task.value } catch is CancellationError {}
    }
    try await state.wait()
  }

  @Test func `packs that were repaired are nobody's`() async throws {
    let store = try await site.updated()
    let request = try await store.begin(["D"])
    let file = try request.url(for: "d")
    request.endAccessing()
    try Data("bad".utf8).write(to: file)
    let events = store.events
    #expect(try await store.verify().repaired.count == 1)
    #expect(await store.state(of: "D") == .downloaded && store.view { $0.schedule.requests.isEmpty })
    store.setSpace(0)
    #expect(store.storedSize == 0)
    await store.close()
    var repaired: [StoreEvent] = []
    for await event in events { if case .repaired = event { repaired.append(event) } }
    #expect(try repaired == [.repaired(pack: built.pack("C", "D").id)])
  }
}

/// Tests each function of a store's folder.
@Suite(.noHang) struct StoreFolderTests {
  private let place: TemporaryFolder
  private let folder: StoreFolder

  init() throws {
    place = try TemporaryFolder()
    folder = try StoreFolder(URL(fileURLWithPath: place.path("store")))
  }

  @Test func `what cannot be put in its place is an error`() throws {
    #expect(throws: CocoaError.self) { try folder.publish(folder.newPlace, as: "key") }
    #expect(try folder.storedKeys() == [])
    try place.write("store/index", "old")
    try place.write("store/staged.index", "new")
    try folder.promoteIndex()
    #expect(try place.read("store/index") == Data("new".utf8) && folder.read("staged.index") == nil)
    // If there is no staged index, the store has no index afterwards.
    try folder.promoteIndex()
    #expect(try folder.read("index") == nil)
    try place.write("store/state/x", "no file gets into the place of a folder")
    #expect(throws: (any Error).self) { try folder.write(Data(), to: "state") }
    #expect(throws: (any Error).self) { try folder.read("state") }
  }

  @Test func `files are found by their contents, first in the likeliest packs`() throws {
    let digests = ["a", "b", "c"].map { PublishedDigest(of: $0).hex }
    try place.write("store/packs/one/list", "\(digests[0]) 1 x y\n\(digests[1]) 1 z\n")
    try place.write(
      "store/packs/two/list", "\(digests[1]) 1 other\nno line\nword\nx 5\n\(digests[2]) x odd\n")
    let wanted = Set(digests)
    let found = folder.files(withDigests: wanted, likeliest: ["two"])
    #expect(
      found.mapValues { $0.path.dropFirst(folder.url.path.count + 1) } == [
        digests[0]: "packs/one/files/x y", digests[1]: "packs/two/files/other",
      ])
    #expect(folder.files(withDigests: [digests[1]], likeliest: ["one"])[digests[1]]?.lastPathComponent == "z")
    #expect(folder.files(withDigests: [], likeliest: ["none"]).isEmpty)
  }

  @Test func `a pack is intact with its list and all its files`() throws {
    let zip = RawZip([RawZip.Entry("a/b", "text"), RawZip.Entry("c", "more")])
    func make() throws {
      let made = folder.newPlace
      try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
      try place.write("zip", zip.bytes)
      try PackMaker.unpack(URL(fileURLWithPath: place.path("zip")), pack: zip.pack, into: made)
      try folder.sync(made)
      try folder.publish(made, as: zip.pack.key)
    }
    try make()
    #expect(folder.isIntact(zip.pack))
    let pack = "store/packs/\(zip.pack.key)"
    for (path, text) in [("files/c", "mors"), ("files/a/b", ""), ("list", "")] {
      let before = try place.read("\(pack)/\(path)")
      try place.write("\(pack)/\(path)", text)
      #expect(!folder.isIntact(zip.pack), "\(path)")
      try FileManager.default.removeItem(atPath: place.path("\(pack)/\(path)"))
      #expect(!folder.isIntact(zip.pack), "\(path)")
      try place.write("\(pack)/\(path)", before)
      #expect(folder.isIntact(zip.pack))
    }
    // The list has the right digest, but the pack has a different number of files.
    let more = Catalog.Pack(
      id: zip.pack.id, tags: [], size: zip.pack.size, fileCount: 3, digest: zip.pack.digest,
      archive: zip.pack.archive)
    #expect(!folder.isIntact(more))
  }
}

extension StoreState {
  /// Starts the first download, and returns the plan of its job.
  fileprivate mutating func startJob() throws -> Plan {
    schedule.reschedule()
    updateJobs { _, _, _ in Task {} }
    let number = try #require(schedule.serving.first)
    let job = try #require(jobs[number])
    let made = plan(for: number, job: job.id)
    return try #require(made)
  }

  fileprivate var removedPacks: [String] {
    effects.compactMap { if case .removePack(let key) = $0 { key } else { nil } }
  }

  fileprivate var removedDownloads: [String] {
    effects.compactMap { if case .removeDownload(let digest) = $0 { digest } else { nil } }
  }
}
