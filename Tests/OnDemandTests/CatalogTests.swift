import Foundation
import Support
import Testing

@testable import OnDemand

/// Tests which indexes the library accepts.
@Suite struct CatalogTests {
  /// Makes a pack for an index.
  ///
  /// The arguments replace some values of the pack.
  private func pack(
    _ id: String = "p", _ changes: [String: Any] = [:], archive: [String: Any] = [:]
  ) -> [String: Any] {
    let digest = PublishedDigest(of: id).rawValue
    let file: [String: Any] = ["path": "packs/\(id).zip", "size": 9, "digest": digest]
    let pack: [String: Any] = [
      "id": id, "tags": ["T"], "size": 5, "fileCount": 1, "digest": digest,
      "archive": file.merging(archive) { $1 },
    ]
    return pack.merging(changes) { $1 }
  }

  private func catalog(_ packs: [[String: Any]], formatVersion: Int = 1) throws -> Catalog {
    let index: [String: Any] = ["formatVersion": formatVersion, "packs": packs]
    return try Catalog(index: JSONSerialization.data(withJSONObject: index))
  }

  @Test func `packs of sizes up to a bound are taken`() throws {
    let largest = Catalog.maxFileSize
    for size in [0, 1, largest] {
      #expect(try catalog([pack("p", ["size": size], archive: ["size": size])]).packs[0].archive.size == size)
    }
    #expect(try catalog([pack("p", ["fileCount": 0]), pack("q")]).packs.map(\.id) == ["p", "q"])
  }

  @Test func `an entry that is wrong names its pack`() throws {
    let beyond = Catalog.maxFileSize + 1
    let wrong: [[[String: Any]]] = [
      [pack("p", ["size": -1])], [pack("p", ["size": beyond])], [pack("p", ["fileCount": -1])],
      [pack("p", archive: ["size": -1])], [pack("p", archive: ["size": beyond])],
      [pack("p", archive: ["path": "../x"])], [pack("p", archive: ["path": ""])],
      [pack("q"), pack("p"), pack("r"), pack("p")],
    ]
    for packs in wrong {
      #expect(
        throws: OnDemandError.damaged(pack: "p", reason: "its entry in the index is invalid"), "\(packs)"
      ) {
        try catalog(packs)
      }
    }
    #expect(throws: OnDemandError.damaged(pack: "", reason: "its entry in the index is invalid")) {
      try catalog([pack("", archive: ["path": "x"])])
    }
  }

  @Test func `other format versions are named`() throws {
    for version in [0, 2, -1] {
      let reason = "its format version is \(version), which this library cannot read"
      #expect(throws: OnDemandError.damaged(pack: nil, reason: reason)) {
        try catalog([pack()], formatVersion: version)
      }
    }
  }

  @Test func `a digest is 64 small hex digits behind its kind`() {
    let digits = String(repeating: "0123456789abcdef", count: 4)
    #expect(PublishedDigest(rawValue: "sha256:\(digits)")?.hex == digits)
    for text in [
      "sha256:\(digits.dropLast())", "sha256:\(digits)0", "sha256:\(digits.uppercased())", digits, "",
      "sha512:\(digits)", "sha256:\(digits.dropLast())/", "sha256:\(digits.dropLast()):",
      "sha256:\(digits.dropLast())`", "sha256:\(digits.dropLast())g", "sha256:\(digits.dropLast(2))é",
    ] {
      #expect(PublishedDigest(rawValue: text) == nil, "\(text)")
    }
  }

  /// Packs with different contents must have different folders.
  @Test func `packs of other contents have other keys`() throws {
    let one = try catalog([pack()]).packs[0]
    let others = [
      pack("q", ["digest": one.digest.rawValue]), pack("p", ["size": 6]),
      pack("p", ["digest": PublishedDigest(of: "x").rawValue]),
    ]
    for other in others { #expect(try catalog([other]).packs[0].key != one.key) }
    let same = pack("p", ["tags": ["U"], "fileCount": 2], archive: ["path": "packs/other.zip", "size": 8])
    #expect(try catalog([same]).packs[0].key == one.key)
    #expect(one.key.count == 32 && one.key.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
  }
}

/// Tests the results and the progress that requests report.
@Suite(.noHang, .mostlyWaits) struct RequestStateTests {
  @Test func `a request ends once`() async throws {
    let state = RequestState(["T"])
    state.settle()
    state.settle(.failure(.offline))
    try await state.wait()
    #expect(state.isDone)
    let failed = RequestState(["T"])
    failed.settle(.failure(.offline))
    failed.settle()
    await #expect(throws: OnDemandError.offline) { try await failed.wait() }
  }

  @Test func `progress ends with the request, and begins at what is there`() async throws {
    let steps = Locked<[ResourceProgress]>([])
    var schedule = DownloadSchedule(inUse: 100)
    try schedule.update(to: .test(["a": 10, "b": 20]))
    let request = RequestState(["a", "b"])
    #expect(try schedule.begin(request, missing: .downloaded))
    let (stream, watcher) = AsyncStream<ResourceProgress>.makeStream()
    schedule.watch(request, watcher: watcher)
    schedule.reschedule()
    schedule.receive(4, pack: 0)
    schedule.receive(99, pack: 0)
    schedule.arrive()
    schedule.reschedule()
    schedule.receive(5, pack: 1)
    // The progress does not go back if a download restarts.
    schedule.receive(2, pack: 1)
    schedule.arrive()
    for await step in stream { steps.withLock { $0.append(step) } }
    #expect(steps.withLock { $0.map(\.bytes) } == [0, 4, 10, 15, 30])
    #expect(steps.withLock { $0.areAll { $0.total == 30 } })
    #expect(steps.withLock { $0.map(\.fraction) }.last == 1)
    // A watcher that starts later gets the latest progress value.
    let (late, latecomer) = AsyncStream<ResourceProgress>.makeStream()
    schedule.watch(request, watcher: latecomer)
    var count = 0
    for await _ in late { count += 1 }
    #expect(count == 1)
    #expect(ResourceProgress(bytes: 0, total: 0).fraction == 1)
    #expect(ResourceProgress(bytes: 1, total: 4).fraction == 0.25)
    #expect(ResourceProgress(bytes: 5, total: 4).fraction == 1)
  }

  @Test func `one thread at a time uses a value`() {
    let value = Locked(0)
    let (inside, isNext) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let order = Locked<[String]>([])
    let group = DispatchGroup()
    waitingQueue.async(group: group) {
      value.withLock { _ in
        inside.signal()
        // If the lock did not work, the second thread would get it during this time.
        _ = isNext.wait(timeout: .now() + 0.2)
        order.withLock { $0.append("first") }
      }
    }
    waitingQueue.async(group: group) {
      inside.wait()
      value.withLock { _ in
        order.withLock { $0.append("second") }
        isNext.signal()
      }
    }
    #expect(group.wait(timeout: .now() + 600) == .success)
    #expect(order.withLock { $0 } == ["first", "second"])
  }
}

/// Tests the exact numbers of bytes at which the limits of a schedule have an effect.
@Suite(.noHang) struct ScheduleLimitTests {
  private func schedule(_ sizes: [String: Int64], space: Int64 = .max, inUse: Int64 = .max) throws
    -> DownloadSchedule
  {
    var schedule = DownloadSchedule(space: space, inUse: inUse)
    try schedule.update(to: .test(sizes))
    return schedule
  }

  /// Downloads all packs that are needed.
  private func downloadAndStore(_ schedule: inout DownloadSchedule) {
    for _ in 0...schedule.packs.count {
      schedule.now += 1
      schedule.reschedule()
      schedule.arrive()
    }
  }

  @Test func `as many bytes as the limit says may be in use`() throws {
    var schedule = try schedule(["a": 10, "b": 20, "c": 1], inUse: 30)
    #expect(throws: OnDemandError.inUseLimit(needed: 31, limit: 30)) {
      try schedule.begin(RequestState(["a", "b", "c"]), missing: .downloaded)
    }
    #expect(try schedule.begin(RequestState(["a", "b"]), missing: .downloaded))
    // A pack that several requests use counts once.
    #expect(try schedule.begin(RequestState(["b"]), missing: .downloaded))
    #expect(throws: OnDemandError.inUseLimit(needed: 31, limit: 30)) {
      try schedule.begin(RequestState(["c"]), missing: .downloaded)
    }
    #expect(schedule.requests.count == 2)
  }

  @Test func `a pack fits into exactly its space`() throws {
    for (space, error) in [(10, nil), (9, OnDemandError.outOfSpace(needed: 10))] as [(Int64, OnDemandError?)]
    {
      var schedule = try schedule(["a": 10], space: space)
      let request = RequestState(["a"])
      #expect(try schedule.begin(request, missing: .downloaded))
      schedule.reschedule()
      #expect(schedule.serving == (error == nil ? [0] : []))
      #expect(schedule.events.shortages == (error == nil ? [] : [10]))
      guard let error else { continue }
      #expect(request.failure == error && schedule.requests.isEmpty)
    }
  }

  @Test func `no more is purged than is needed`() throws {
    let table: [(space: Int64, left: [String])] = [
      (30, ["a", "b", "c"]), (29, ["b", "c"]), (20, ["b", "c"]), (19, ["c"]), (10, ["c"]), (9, []),
    ]
    for (space, left) in table {
      var schedule = try schedule(["a": 10, "b": 10, "c": 10])
      for tag in ["a", "b", "c"] {
        let request = RequestState([tag])
        #expect(try schedule.begin(request, missing: .downloaded))
        downloadAndStore(&schedule)
        schedule.close(request)
      }
      schedule.events = DownloadSchedule.Events()
      schedule.setSpace(space)
      #expect(schedule.packs.filter(\.isStored).map(\.info.id) == left, "\(space)")
      #expect(schedule.reserved == Int64(10 * left.count))
      #expect(schedule.events.removed.count == 3 - left.count && schedule.events.shortages == [])
      #expect(schedule.packs.filter(\.wasPurged).count == 3 - left.count)
      #expect(schedule.events.isChanged == (left.count < 3))
    }
  }

  @Test func `what is least worth, was used first, and has the first ID is purged first`() throws {
    var schedule = try schedule(["a": 10, "b": 10, "c": 10, "d": 10])
    for number in schedule.packs.indices {
      schedule.restore(number, as: DownloadSchedule.Restored(isStored: true, lastUse: [5, 3, 3, 1][number]))
    }
    schedule.preservation = ["d": 0.5]
    var order: [String] = []
    for space: Int64 in [30, 20, 10, 0] {
      schedule.setSpace(space)
      order += schedule.events.removed.map { schedule.packs[$0].info.id }
      schedule.events.removed = []
    }
    #expect(order == ["b", "c", "a", "d"])
  }

  @Test func `packs that are held are not purged, and that is a warning`() throws {
    var schedule = try schedule(["a": 10])
    let request = RequestState(["a"])
    #expect(try schedule.begin(request, missing: .downloaded))
    downloadAndStore(&schedule)
    schedule.setSpace(10)
    #expect(schedule.events.shortages == [])
    schedule.setSpace(9)
    #expect(schedule.packs[0].isStored && schedule.events.shortages == [1] && schedule.events.removed.isEmpty)
    schedule.close(request)
    schedule.setSpace(9)
    #expect(
      !schedule.packs[0].isReserved && schedule.events.removed == [0] && schedule.events.shortages == [1])
  }

  @Test func `an initial install of exactly the space fits`() throws {
    for (space, fits) in [(30, true), (29, false)] as [(Int64, Bool)] {
      var schedule = DownloadSchedule(space: space, inUse: .max)
      try schedule.update(
        to: .test(["a": 10, "b": 20, "c": 1], initialInstall: ["b", "a"], prefetch: ["c"]))
      let install = RequestState()
      if !fits {
        #expect(throws: OnDemandError.outOfSpace(needed: 30)) { try schedule.install(install) }
        #expect(schedule.installs.isEmpty)
        continue
      }
      try schedule.install(install)
      schedule.reschedule()
      #expect(schedule.serving == [1])
      schedule.arrive()
      schedule.reschedule()
      #expect(schedule.serving == [0] && install.outcome == nil && !schedule.isInstalled)
      schedule.arrive()
      schedule.reschedule()
      #expect(install.isDone && schedule.isInstalled && schedule.installs.isEmpty)
      // There is no space for the prefetch. No pack is purged for a prefetch, and no warning is sent.
      #expect(schedule.serving == [] && schedule.events.shortages == [] && schedule.prefetch.isEmpty)
    }
  }

  @Test func `a priority lies between 0 and 1`() {
    for (level, same) in [(-1.0, 0.0), (2, 1), (.infinity, 1), (-.infinity, 0), (.nan, 0.5)] {
      #expect(LoadingPriority(level) == LoadingPriority(same), "\(level)")
    }
    #expect(LoadingPriority(0.2) < 0.3 && LoadingPriority(1) < .urgent)
  }

  @Test func `the request with the higher priority is served, and of two the first`() throws {
    var schedule = try schedule(["a": 1, "b": 1, "c": 1, "d": 1])
    let requests = ["a", "b", "c", "d"].map { RequestState([$0]) }
    for (request, priority) in zip(requests, [0.2, 0.7, 0.7, 0.1]) {
      request.priority = LoadingPriority(priority)
      #expect(try schedule.begin(request, missing: .downloaded))
    }
    var served: [Int?] = []
    for _ in 0..<5 {
      schedule.reschedule()
      served.append(schedule.serving.first)
      schedule.arrive()
    }
    #expect(served == [1, 2, 0, 3, nil])
    // An urgent request interrupts the running download.
    var other = try self.schedule(["a": 1, "b": 1])
    let (slow, urgent) = (RequestState(["a"]), RequestState(["b"]))
    #expect(try other.begin(slow, missing: .downloaded))
    other.reschedule()
    urgent.priority = .urgent
    #expect(try other.begin(urgent, missing: .downloaded))
    other.reschedule()
    #expect(other.serving == [1])
  }
}

extension Catalog {
  /// Makes a release with one pack for each tag.
  ///
  /// `sizes` contains the sizes of the packs. The packs are in the order of the tags.
  static func test(
    _ sizes: [String: Int64], initialInstall: [String] = [], prefetch: [String] = []
  ) throws -> Catalog {
    Catalog(
      bundleIdentifier: nil, number: nil, expires: nil, indexDigest: "test",
      packs: sizes.sorted { $0.key < $1.key }.map { id, size in
        Pack(
          id: id, tags: [id], size: size, fileCount: 1, digest: PublishedDigest(of: id),
          archive: ServerFile(
            path: "packs/\(id).zip", size: size, digest: PublishedDigest(of: "\(id) zip")))
      }, initialInstall: initialInstall, prefetch: prefetch)
  }
}

extension DownloadSchedule {
  /// Completes the first running download, and stores its pack.
  mutating func arrive() { if let pack = serving.first { store(pack) } }
}

extension RequestState {
  /// Whether the request became available.
  fileprivate var isDone: Bool { if case .success? = outcome { true } else { false } }
  /// The error that ended the request.
  var failure: OnDemandError? { if case .failure(let error)? = outcome { error } else { nil } }
}
