import Support
import Testing

@testable import OnDemand

/// Tests single rules of the schedule, and which changes must be saved.
@Suite(.noHang) struct ScheduleRuleTests {
  private func pack(_ id: String, _ tags: [String], size: Int64 = 10, _ contents: String = "")
    -> Catalog.Pack
  {
    Catalog.Pack(
      id: id, tags: tags, size: size, fileCount: 1, digest: PublishedDigest(of: "\(id)\(contents)"),
      archive: ServerFile(
        path: "\(id).zip", size: size + 1, digest: PublishedDigest(of: "\(id)\(contents) zip")))
  }

  private func release(
    _ packs: [Catalog.Pack], initialInstall: [String] = [], prefetch: [String] = []
  ) -> Catalog {
    Catalog(
      bundleIdentifier: nil, number: nil, expires: nil, indexDigest: "test", packs: packs,
      initialInstall: initialInstall, prefetch: prefetch)
  }

  private func schedule(_ release: Catalog, space: Int64 = .max, connections: Int = 1)
    -> DownloadSchedule
  {
    var schedule = DownloadSchedule(space: space, inUse: .max, connections: connections)
    schedule.update(to: release)
    schedule.events = DownloadSchedule.Events()
    return schedule
  }

  /// Makes a change, and checks whether it must be saved.
  private func expectChange(
    _ isChanged: Bool, of schedule: inout DownloadSchedule,
    sourceLocation: SourceLocation = #_sourceLocation,
    by change: (inout DownloadSchedule) throws -> Void
  ) rethrows {
    schedule.events = DownloadSchedule.Events()
    try change(&schedule)
    #expect(schedule.events.isChanged == isChanged, sourceLocation: sourceLocation)
  }

  private var simple: Catalog { release([pack("a", ["A"]), pack("b", ["B"])]) }

  @Test func `a store has 1 to 64 connections`() {
    let counts = [-1, 0, 1, 2, 63, 64, 65, .max]
    #expect(
      counts.map { DownloadSchedule(inUse: 0, connections: $0).connections } == [
        1, 1, 1, 2, 63, 64, 64, 64,
      ])
  }

  @Test func `as many packs are downloaded as there are connections`() throws {
    let packs = (0..<5).map { pack("\($0)", ["T"]) }
    for connections in 1...6 {
      var schedule = schedule(release(packs), connections: connections)
      let request = RequestState(["T"])
      #expect(try schedule.begin(request, missing: .downloaded))
      schedule.reschedule()
      #expect(schedule.serving == Array(0..<min(5, connections)))
      schedule.store(0)
      schedule.suspend(2)
      schedule.reschedule()
      #expect(schedule.serving.sorted() == Array([1, 3, 4].prefix(connections)))
      schedule.resume(2)
      schedule.reschedule()
      let running = Set(schedule.serving)
      #expect(
        running == Set([1, 2, 3, 4].prefix(connections)) && schedule.serving.count == running.count)
    }
  }

  @Test func `each change that must be saved is reported`() throws {
    var schedule = schedule(simple)
    let request = RequestState(["A"])
    try expectChange(true, of: &schedule) { _ = try $0.begin(request, missing: .downloaded) }
    expectChange(false, of: &schedule) { $0.reschedule() }
    #expect(schedule.serving == [0])
    expectChange(false, of: &schedule) { $0.receive(5, pack: 0) }
    #expect(schedule.packs[0].arrived == 5)
    expectChange(false, of: &schedule) { $0.suspend(0) }
    #expect(schedule.packs[0].isSuspended && schedule.serving == [])
    expectChange(false, of: &schedule) { $0.resume(0) }
    #expect(!schedule.packs[0].isSuspended)
    schedule.now = 3
    expectChange(true, of: &schedule) { $0.store(0) }
    #expect(
      schedule.events.isSettled && schedule.packs[0].isStored && schedule.packs[0].lastUse == 3)
    schedule.now = 8
    expectChange(true, of: &schedule) { $0.close(request) }
    #expect(!schedule.events.isSettled && schedule.packs[0].lastUse == 8)
    expectChange(false, of: &schedule) { $0.close(request) }
    expectChange(false, of: &schedule) { $0.discard([1]) }
    #expect(schedule.events.removed == [])
    expectChange(true, of: &schedule) { $0.markMissing(0) }
    #expect(
      !schedule.packs[0].isStored && schedule.packs[0].arrived == 0 && schedule.packs[0].isReserved)
    schedule.store(0)
    expectChange(true, of: &schedule) { $0.discard([0, 1]) }
    #expect(
      schedule.events.removed == [0] && schedule.events.purged == [] && schedule.packs[0].wasPurged)
    #expect(!schedule.packs[0].isReserved && !schedule.packs[0].isStored && schedule.reserved == 0)
    #expect(!schedule.packs[1].wasPurged)
    let update = release([pack("a", ["A"])])
    expectChange(true, of: &schedule) { $0.update(to: update) }
    #expect(schedule.packs.map(\.isCurrent) == [true, false])
  }

  @Test func `a request that is refused or offline changes nothing`() throws {
    var schedule = schedule(simple)
    let request = RequestState(["A"])
    try expectChange(false, of: &schedule) { _ = try $0.begin(request, missing: .refused) }
    #expect(schedule.requests.isEmpty && request.packs == [])
    schedule.setOnline(false)
    #expect(throws: OnDemandError.offline) { try schedule.begin(request, missing: .downloaded) }
    #expect(try !schedule.begin(request, missing: .refused))
    #expect(throws: OnDemandError.invalidTag("C")) {
      try schedule.begin(RequestState(["A", "C"]), missing: .refused)
    }
    schedule.store(0)
    #expect(try schedule.begin(request, missing: .refused))
    #expect(try schedule.begin(RequestState(["A"]), missing: .downloaded))
    #expect(schedule.requests.count == 2 && request.packs == [0] && schedule.packs[0].pins == 2)
    #expect(schedule.pinnedSize == 10 && schedule.reserved == 10)
  }

  @Test func `a network that goes away ends what waits`() throws {
    var schedule = schedule(simple)
    schedule.store(0)
    let (there, waiting, staging) = (RequestState(["A"]), RequestState(["B"]), RequestState())
    #expect(try schedule.begin(there, missing: .downloaded))
    #expect(try schedule.begin(waiting, missing: .downloaded))
    try schedule.download(staging, packs: [0, 1])
    #expect(schedule.waiting.count == 1 && schedule.isAwaited(1) && schedule.isAwaited(0))
    schedule.setOnline(false)
    #expect(there.failure == nil && waiting.failure == .offline && staging.failure == .offline)
    #expect(schedule.requests.count == 1 && schedule.stagings.isEmpty && schedule.waiting.isEmpty)
    schedule.reschedule()
    #expect(schedule.serving == [] && !schedule.isOnline)
    try schedule.download(RequestState(), packs: [0])
    #expect(throws: OnDemandError.offline) { try schedule.download(RequestState(), packs: [1]) }
    #expect(schedule.stagings.isEmpty)
    #expect(throws: OnDemandError.offline) { try schedule.install(RequestState()) }
  }

  @Test func `the sizes of downloads are those of what is missing`() {
    var schedule = schedule(release((0..<4).map { pack("\($0)", ["T"], size: Int64($0) * 10) }))
    #expect(schedule.downloadSize(of: 0..<4) == 64 && schedule.downloadSize(of: []) == 0)
    schedule.receive(4, pack: 1)
    #expect(schedule.downloadSize(of: [1]) == 7 && schedule.downloadSize(of: 0..<4) == 60)
    schedule.receive(99, pack: 1)
    #expect(schedule.downloadSize(of: [1]) == 0 && schedule.downloadSize(of: 0..<4) == 53)
    schedule.store(2)
    #expect(schedule.downloadSize(of: [2]) == 0 && schedule.downloadSize(of: 0..<4) == 32)
    schedule.setTransfer(5, pack: 3)
    #expect(schedule.downloadSize(of: [3]) == 5)
    let progress = schedule.progress(of: [0, 1, 2, 3])
    #expect(progress.bytes == 11 + 21 && progress.total == 1 + 11 + 21 + 5)
  }

  /// A pack's space is reserved while a part of its download is on the disk.
  @Test func `what is on the disk is reserved`() {
    let cases: [(isStored: Bool, arrived: Int64, isReserved: Bool)] = [
      (true, 0, true), (false, 1, true), (false, 0, false), (true, 5, true),
    ]
    for each in cases {
      var schedule = schedule(simple)
      schedule.restore(0, as: .init(isStored: each.isStored, arrived: each.arrived))
      #expect(
        schedule.packs[0].isReserved == each.isReserved
          && schedule.reserved == (each.isReserved ? 10 : 0))
      #expect(
        schedule.packs[0].lastUse == (each.isStored ? 0 : nil) && !schedule.packs[0].wasPurged)
      #expect(
        schedule.packs[0].arrived == each.arrived && schedule.packs[0].isStored == each.isStored)
    }
    var schedule = schedule(simple)
    schedule.restore(1, as: .init(isStored: false, lastUse: 7, wasPurged: true))
    #expect(schedule.packs[1].lastUse == 7 && schedule.packs[1].wasPurged && schedule.reserved == 0)
  }

  @Test func `the prefetch leaves out what was purged`() {
    let all = release("abcd".map { pack("\($0)", ["\($0)"]) }, prefetch: ["c", "a", "d", "b"])
    var schedule = schedule(all)
    #expect(schedule.prefetch.isEmpty)
    schedule.restore(2, as: .init(isStored: false, wasPurged: true))
    schedule.restore(3, as: .init(isStored: false, wasPurged: true))
    schedule.resumePrefetch()
    #expect(Array(schedule.prefetch) == [2, 0, 3, 1])
    schedule.reschedule()
    #expect(schedule.serving == [0] && Array(schedule.prefetch) == [0, 3, 1])
    schedule.arrive()
    schedule.reschedule()
    #expect(schedule.serving == [1])
    schedule.fail(.releaseGone(pack: "b"), pack: 1)
    schedule.reschedule()
    #expect(schedule.serving == [] && schedule.prefetch.isEmpty)
  }

  /// Only an install or a request may purge packs.
  @Test func `the prefetch takes only free space`() throws {
    let all = release("abc".map { pack("\($0)", ["\($0)"]) }, prefetch: ["b", "c"])
    for (space, served) in [(20, [1]), (19, [])] as [(Int64, [Int])] {
      var schedule = schedule(all, space: space)
      schedule.store(0)
      schedule.resumePrefetch()
      schedule.reschedule()
      #expect(
        schedule.serving == served && schedule.packs[0].isStored && schedule.events.shortages == [])
      let request = RequestState(["c"])
      #expect(try schedule.begin(request, missing: .downloaded))
      schedule.reschedule()
      #expect(
        schedule.serving == [2] && !schedule.packs[0].isStored && schedule.events.purged == [0])
    }
  }

  @Test func `space is freed for a number of bytes`() {
    let all = release("abc".map { pack("\($0)", ["\($0)"]) })
    for (bytes, left) in [(0, 3), (1, 2), (10, 2), (11, 1), (30, 0), (31, 0)] as [(Int64, Int)] {
      var schedule = schedule(all, space: 100)
      for number in 0..<3 { schedule.store(number) }
      #expect(schedule.free(bytes) == (left < 3), "\(bytes)")
      #expect(schedule.packs.count { $0.isStored } == left && schedule.space == 100)
      #expect(schedule.reserved == Int64(left * 10) && schedule.events.purged.count == 3 - left)
    }
    var empty = schedule(all, space: 100)
    let isFreed = empty.free(5)
    #expect(!isFreed)
  }

  @Test func `packs are purged by importance, then by use, then by name`() {
    let all = release([pack("a", ["A", "B"]), pack("b", ["C"]), pack("c", ["D"])])
    var rated = schedule(all)
    for number in 0..<3 { rated.store(number) }
    // The most important tag of a pack counts.
    rated.preservation = ["A": 0.2, "B": 0.8, "C": 0.5]
    rated.setSpace(29)
    #expect(rated.events.purged == [2])
    rated.setSpace(19)
    #expect(rated.events.purged == [2, 1])
    rated.setSpace(10)
    #expect(rated.events.purged == [2, 1] && rated.packs.map(\.wasPurged) == [false, true, true])
    var used = schedule(all)
    for number in [2, 1, 0] {
      // "a" is used last, and the other packs are used at the same time.
      if number == 0 { used.now += 1 }
      used.store(number)
    }
    used.setSpace(0)
    #expect(used.events.purged == [1, 2, 0] && used.events.removed == [1, 2, 0])
    #expect(used.reserved == 0 && used.events.shortages == [])
  }

  @Test func `the end of a request is a use of what is stored`() throws {
    var schedule = schedule(simple)
    schedule.now = 5
    let waiting = RequestState(["A"])
    #expect(try schedule.begin(waiting, missing: .downloaded))
    schedule.close(waiting)
    #expect(schedule.packs[0].lastUse == nil && schedule.packs[0].pins == 0 && schedule.pinnedSize == 0)
    schedule.store(1)
    let (first, second) = (RequestState(["B"]), RequestState(["B"]))
    for request in [first, second] { #expect(try schedule.begin(request, missing: .refused)) }
    #expect(schedule.packs[1].lastUse == 5 && schedule.packs[1].pins == 2 && schedule.pinnedSize == 10)
    schedule.now = 6
    schedule.close(first)
    #expect(schedule.packs[1].lastUse == 6 && schedule.pinnedSize == 10)
    schedule.now = 7
    schedule.close(second)
    #expect(schedule.packs[1].lastUse == 7 && schedule.pinnedSize == 0)
    // A request that is closed again has no effect.
    schedule.now = 8
    schedule.close(second)
    #expect(schedule.packs[1].lastUse == 7 && schedule.packs[1].pins == 0)
  }

  @Test func `requests that fail do not end the prefetch`() throws {
    var schedule = schedule(release([pack("a", ["A"]), pack("b", ["B"])], prefetch: ["a"]))
    schedule.resumePrefetch()
    let (first, second) = (RequestState(["A", "B"]), RequestState(["B"]))
    #expect(try schedule.begin(first, missing: .downloaded))
    #expect(try schedule.begin(second, missing: .downloaded))
    schedule.reschedule()
    schedule.failRequests(.unreachable(UnderlyingError(CancellationError())), pack: 0)
    #expect(first.failure != nil && second.outcome == nil && schedule.serving == [])
    #expect(Array(schedule.prefetch) == [0])
    schedule.reschedule()
    #expect(schedule.serving == [1])
    schedule.fail(.closed, pack: 0)
    #expect(schedule.prefetch.isEmpty && second.outcome == nil)
  }

  @Test func `urgent requests come first and alone`() throws {
    let all = release("abcd".map { pack("\($0)", ["\($0)"]) })
    var schedule = schedule(all, connections: 3)
    let requests = "abcd".map { RequestState(["\($0)"]) }
    for (request, priority) in zip(requests, [0.9, nil, 0.1, nil] as [Double?]) {
      request.priority = priority.map { LoadingPriority($0) } ?? .urgent
      #expect(try schedule.begin(request, missing: .downloaded))
    }
    schedule.reschedule()
    #expect(schedule.serving == [1, 3])
    requests[1].isPaused = true
    schedule.reschedule()
    #expect(schedule.serving == [3])
    schedule.store(3)
    schedule.reschedule()
    #expect(schedule.serving == [0, 2])
    requests[1].isPaused = false
    schedule.reschedule()
    #expect(schedule.serving == [1])
    // An urgent request with nothing to download does not hold up other requests.
    schedule.suspend(1)
    schedule.reschedule()
    #expect(schedule.serving == [0, 2])
  }

  @Test func `a request that is opened again waits again`() throws {
    var schedule = schedule(simple)
    schedule.store(0)
    let request = RequestState(["A"])
    #expect(try schedule.begin(request, missing: .downloaded))
    schedule.markMissing(0)
    schedule.reopen(request)
    #expect(request.outcome == nil && schedule.requests.isEmpty && schedule.packs[0].pins == 0)
    #expect(try schedule.begin(request, missing: .downloaded))
    #expect(request.outcome == nil && schedule.requests.count == 1)
    schedule.store(0)
    #expect(request.outcome != nil && request.failure == nil)
    schedule.reopen(RequestState())
    #expect(schedule.requests.count == 1)
  }

  /// Packs that a request uses stay until it ends, even if no release has them.
  @Test func `packs of earlier releases go when nobody uses them`() throws {
    let old = release([pack("a", ["A"]), pack("b", ["B"]), pack("c", ["C"])])
    let new = release([pack("a", ["A"], "new"), pack("b", ["B"])])
    var schedule = schedule(old)
    for number in 0..<3 { schedule.store(number) }
    let request = RequestState(["A"])
    #expect(try schedule.begin(request, missing: .refused))
    schedule.events = DownloadSchedule.Events()
    schedule.update(to: new)
    #expect(
      schedule.events.removed == [2]
        && schedule.packs.map(\.isStored) == [true, true, false, false])
    #expect(schedule.packs.map(\.isCurrent) == [false, true, false, true])
    #expect(try schedule.resolved(["A", "B"]) == [3, 1])
    #expect(throws: OnDemandError.invalidTag("C")) { try schedule.resolved(["C"]) }
    schedule.close(request)
    #expect(
      schedule.events.removed == [2, 0] && schedule.reserved == 10 && schedule.pinnedSize == 0)
  }

  @Test func `a staged release keeps its packs until it goes`() throws {
    let old = release([pack("a", ["A"]), pack("b", ["B"]), pack("c", ["C"])])
    let new = release([
      pack("a", ["A"], "new"), pack("b", ["B"]), pack("c", ["C"], "new"), pack("d", ["A", "C"]),
    ])
    var schedule = schedule(old)
    for number in 0..<2 { schedule.store(number) }
    let numbers = schedule.stage(new)
    #expect(numbers == ["a": 3, "b": 1, "c": 4, "d": 5])
    #expect(schedule.packs.map(\.isStaged) == [false, true, false, true, true, true])
    #expect(schedule.packs.map(\.isCurrent) == [true, true, true, false, false, false])
    // "C" is not stored, so the device needs only the pack that "C" shares with "A".
    #expect(schedule.stagedPacks(of: new, numbers: numbers) == [3, 1, 5])
    let download = RequestState()
    try schedule.download(download, packs: [3, 1, 5])
    schedule.reschedule()
    #expect(schedule.serving == [3])
    schedule.store(3)
    schedule.reschedule()
    #expect(schedule.serving == [5] && download.outcome == nil)
    schedule.store(5)
    #expect(download.outcome != nil && download.failure == nil && schedule.stagings.isEmpty)
    schedule.events = DownloadSchedule.Events()
    let other = release([pack("a", ["A"], "new"), pack("b", ["B"])])
    let waiting = RequestState()
    try schedule.download(waiting, packs: [4])
    #expect(schedule.stage(other) == ["a": 3, "b": 1])
    #expect(waiting.failure == .updateReplaced && schedule.events.removed == [5])
    #expect(schedule.packs.map(\.isStaged) == [false, true, false, true, false, false])
    let last = RequestState()
    schedule.markMissing(3)
    try schedule.download(last, packs: [3])
    schedule.unstage(error: .closed)
    #expect(
      last.failure == .closed && schedule.events.removed == [5, 3] && schedule.stagings.isEmpty)
    #expect(schedule.packs.allSatisfy { !$0.isStaged } && schedule.packs[1].isStored)
  }

  @Test func `archives take the space of archives`() {
    var schedule = DownloadSchedule(space: 100, inUse: .max, keepsArchives: true)
    schedule.update(to: simple)
    #expect(schedule.packs.map(\.size) == [11, 11] && schedule.packs.map(\.transfer) == [11, 11])
    #expect(self.schedule(simple).packs.map(\.size) == [10, 10])
  }

  /// The packs of an install are not purged for one another.
  @Test func `an install purges other packs only`() throws {
    let all = release(
      "abcd".map { pack("\($0)", ["\($0)"]) }, initialInstall: ["a", "b"], prefetch: ["d"])
    var schedule = schedule(all, space: 20)
    for (number, use) in [(0, 1), (2, 9)] as [(Int, Int64)] {
      schedule.restore(number, as: .init(isStored: true, lastUse: use))
    }
    let install = RequestState()
    try schedule.install(install)
    #expect(install.packs == [0, 1] && schedule.isAwaited(1) && schedule.isAwaited(0))
    schedule.reschedule()
    #expect(schedule.serving == [1] && schedule.events.purged == [2] && schedule.packs[0].isStored)
    schedule.arrive()
    #expect(install.outcome == nil && !schedule.isInstalled)
    schedule.events = DownloadSchedule.Events()
    schedule.reschedule()
    #expect(install.outcome != nil && install.failure == nil && schedule.isInstalled)
    #expect(schedule.events.isChanged && schedule.events.isSettled && schedule.installs.isEmpty)
    // There is no space for the prefetch, and no pack is purged for it.
    #expect(schedule.serving == [] && schedule.packs.map(\.isStored) == [true, true, false, false])
  }

  @Test func `an install that does not fit beside packs in use is given up`() throws {
    var schedule = schedule(
      release("abc".map { pack("\($0)", ["\($0)"]) }, initialInstall: ["a", "b"]), space: 20)
    schedule.store(2)
    #expect(try schedule.begin(RequestState(["c"]), missing: .refused))
    let install = RequestState()
    try schedule.install(install)
    schedule.reschedule()
    #expect(schedule.serving == [0])
    schedule.arrive()
    schedule.reschedule()
    #expect(install.failure == .outOfSpace(needed: 10) && schedule.events.shortages == [10])
    #expect(schedule.installs.isEmpty && !schedule.isInstalled && schedule.packs[2].isStored)
  }
}
