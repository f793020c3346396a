import Foundation
import OnDemand
import Synchronization

/// Plays a scenario against a real store and a real server, and measures when things happen.
///
/// Steps run on one task, one after the other, as in the simulation; requests wait on tasks of their own.
final class Player: Sendable {
  /// What became of one request; times in microseconds from the start of the run.
  struct Request: Encodable {
    let name: String
    let tags: [String]
    let began: Int64
    var available, ended: Int64?
    var waited: Int64 = 0
    var error: String?
    /// Bytes over the network that its packs still needed when it began.
    var downloadSize: Int64
    /// How much of it is there, from 0 to 1.
    var fraction = 0.0
  }

  struct Played: Encodable {
    let step: Int
    let from: Int64
    var to: Int64
    /// Bytes that a staged update still needed when it was found.
    var downloadSize: Int64?
  }

  struct Record {
    var requests: [Request] = []
    var steps: [Played] = []
    var installed: Int64?
    var stalls = 0
    var stalled: Int64 = 0
    /// What happened, for the log of a run.
    var lines: [(time: Int64, text: String)] = []
    /// Time that does not count: that in which the index of an update comes, which a simulation has at once.
    var pause: Int64 = 0
  }

  let record = Mutex(Record())
  private let open = Mutex<[String: (number: Int, request: ResourceRequest)]>([:])
  private let opened: Mutex<PackStore>
  private let staged = Mutex<PackStore.Update?>(nil)
  private let network: LossyTransport
  /// Microseconds that the player waits while the network loses everything.
  private let patience: Int64
  private let reopen: @Sendable () async throws -> PackStore
  private let publish: @Sendable (String) throws -> Void
  private let start = ContinuousClock.now

  init(
    _ store: PackStore, network: LossyTransport, patience: Int64,
    reopen: @escaping @Sendable () async throws -> PackStore,
    publish: @escaping @Sendable (String) throws -> Void
  ) {
    opened = Mutex(store)
    self.network = network
    self.patience = patience
    self.reopen = reopen
    self.publish = publish
  }

  private var store: PackStore { opened.withLock { $0 } }

  func close() async { await store.close() }

  /// Microseconds since the start of the run.
  var now: Int64 { record.withLock { now(in: $0) } }

  func play(_ steps: [Step]) async throws {
    for (number, step) in steps.enumerated() {
      let from = now
      let size = try await play(step)
      record.withLock {
        $0.steps.append(Played(step: number + 1, from: from, to: now(in: $0), downloadSize: size))
      }
    }
    quit()
  }

  private func now(in record: Record) -> Int64 {
    let time = ContinuousClock.now - start
    return time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000 - record.pause
  }

  /// Plays a step, and returns the number of bytes that a staged update needs; nil for all other steps.
  private func play(_ step: Step) async throws -> Int64? {
    if step.staged == true, let release = step.update { return try await stage(release) }
    try await perform(step)
    return nil
  }

  private func perform(_ step: Step) async throws {
    if step.install == true { return try await install() }
    if let tags = step.begin {
      return await begin(tags, named: step.as ?? tags.joined(separator: " + "), step.priority)
    }
    if let tags = step.conditional { return try await look(for: tags, named: step.as ?? tags.joined(separator: " + ")) }
    if let name = step.await { return await wait(for: name) }
    if let name = step.end { return end(name) }
    if let text = step.play { return try await Task.sleep(for: .microseconds(microseconds(text))) }
    if let tags = step.preserve, case .number(let value) = step.to {
      return await store.setPreservationPriority(value, for: tags)
    }
    if case .text(let name) = step.priority, let priority = step.to {
      open.withLock { $0[name] }?.request.loadingPriority = loadingPriority(priority)
      return
    }
    if let space = step.space { return store.setSpace(space.bytes) }
    if step.quit == true { return quit() }
    if step.kill == true { return try await kill() }
    if let release = step.update { return try await update(to: release) }
    if step.apply == true { return try await apply() }
    if let link = step.link { return await change(to: link) }
    say("a step that a real run cannot play is passed over")
  }

  /// Changes the network, as far as the player can: only the server could give it another rate.
  func change(to link: Scenario.Link) async {
    let from = now
    network.losesAll = link == .losesAll
    // The server's network is busy for a moment with bytes for the connections that have ended. Nothing comes in this time,
    // which a simulation does not have.
    if network.losesAll { try? await Task.sleep(for: .milliseconds(20)) }
    record.withLock { $0.pause += now(in: $0) - from }
    store.setNetworkAvailable(link != .none)
    if link == .other {
      say("the network is the server's")
      resumeStaged()
    }
  }

  private func install() async throws {
    do {
      let (download, start) = (store.install(), now)
      let isDone = Mutex(false)
      let waiting = Task {
        defer { isDone.withLock { $0 = true } }
        try await download.wait()
      }
      while !isDone.withLock({ $0 }) {
        try await Task.sleep(for: .microseconds(500))
        if network.losesAll && now - start >= patience { throw PlayerError("timed-out") }
      }
      try await waiting.value
      record.withLock { $0.installed = now(in: $0) }
      say("installed")
    } catch {
      say("the install failed: \(error)")
      throw PlayerError("the install failed: \(error)")
    }
  }

  private func loadingPriority(_ priority: Step.Priority?) -> LoadingPriority {
    switch priority {
    case .number(let value): LoadingPriority(floatLiteral: value)
    case .text("urgent"): .urgent
    default: 0.5
    }
  }

  private func add(named name: String, tags: [String]) async -> Int {
    let size = await store.downloadSize(of: tags)
    return record.withLock { record in
      record.requests.append(Request(name: name, tags: tags, began: now(in: record), downloadSize: size))
      return record.requests.count - 1
    }
  }

  private func begin(_ tags: [String], named name: String, _ priority: Step.Priority?) async {
    let request = store.request(for: tags)
    request.loadingPriority = loadingPriority(priority)
    let number = await add(named: name, tags: tags)
    open.withLock { $0[name] = (number, request) }
    say("begins \(quoted(tags)) as \"\(name)\"")
    Task {
      for await step in request.progress {
        record.withLock { $0.requests[number].fraction = step.fraction }
      }
    }
    // At once, so that requests begin in the order of the steps.
    Task.immediate {
      do {
        try await request.beginAccessing()
        record.withLock {
          $0.requests[number].available = now(in: $0)
          $0.requests[number].fraction = 1
        }
        say("\"\(name)\" is there")
      } catch OnDemandError.ended {
        // The scenario has ended it while it waited.
      } catch {
        // It may be among those that a quit closes while it is told that one of them has failed.
        guard open.withLock({ $0.removeValue(forKey: name) }) != nil else { return }
        record.withLock { $0.requests[number].error = word(for: error) }
        say("\"\(name)\" failed: \(error)")
      }
    }
  }

  private func look(for tags: [String], named name: String) async throws {
    let request = store.request(for: tags)
    let number = await add(named: name, tags: tags)
    do {
      if try await request.conditionallyBeginAccessing() {
        open.withLock { $0[name] = (number, request) }
        record.withLock {
          $0.requests[number].available = $0.requests[number].began
          $0.requests[number].fraction = 1
        }
        say("\"\(name)\" is there already")
      } else {
        say("\"\(name)\" is not there")
      }
    } catch {
      record.withLock { $0.requests[number].error = word(for: error) }
      say("\"\(name)\" failed: \(error)")
    }
  }

  private func wait(for name: String) async {
    guard let (number, request) = open.withLock({ $0[name] }) else { return }
    let from = now
    func isWaiting() -> Bool {
      record.withLock { $0.requests[number].available == nil && $0.requests[number].error == nil }
    }
    if !isWaiting() { return }
    say("the player waits for \"\(name)\"")
    while isWaiting() {
      try? await Task.sleep(for: .microseconds(500))
      if network.losesAll && now - from >= patience { giveUp(request, number: number, name: name) }
    }
    record.withLock { record in
      let time = (record.requests[number].available ?? now(in: record)) - from
      record.requests[number].waited += max(0, time)
      // A simulation answers in no time. A program needs a few milliseconds, in which nobody waits.
      if time < 10_000 { return }
      record.stalled += time
      record.stalls += 1
    }
  }

  /// Ends a request that waits on a network that loses everything.
  private func giveUp(_ request: ResourceRequest, number: Int, name: String) {
    _ = open.withLock { $0.removeValue(forKey: name) }
    record.withLock {
      $0.requests[number].ended = now(in: $0)
      $0.requests[number].error = "timed-out"
    }
    request.endAccessing()
    say("\"\(name)\" failed: timed-out")
  }

  private func end(_ name: String) {
    guard let (number, request) = open.withLock({ $0.removeValue(forKey: name) }) else { return }
    record.withLock { $0.requests[number].ended = now(in: $0) }
    request.endAccessing()
    say("ends \"\(name)\"")
  }

  /// Closes all requests in one moment: none that waits may come first, and purge or fail, because another has ended.
  private func quit() {
    let all = open.withLock { open in
      defer { open = [:] }
      return open.sorted { $0.key < $1.key }
    }
    let isWaiting = record.withLock { record in
      for (_, request) in all { record.requests[request.number].ended = now(in: record) }
      return all.contains { record.requests[$0.value.number].available == nil }
    }
    if isWaiting { store.setNetworkAvailable(false) }
    for (name, request) in all {
      request.request.endAccessing()
      say("ends \"\(name)\"")
    }
    if isWaiting {
      store.setNetworkAvailable(true)
      resumeStaged()
    }
  }

  /// Ends the run of the app in the middle of its downloads, and begins another on the same folder.
  ///
  /// This process goes on, so the store is closed; tests of the library kill processes.
  private func kill() async throws {
    let from = now
    quit()
    await store.close()
    let next = try await reopen()
    opened.withLock { $0 = next }
    if staged.withLock({ $0 }) != nil {
      staged.withLock { $0 = next.stagedUpdate }
      resumeStaged()
    }
    record.withLock { $0.pause += now(in: $0) - from }
    say("the app is killed, and starts again")
  }

  private func update(to release: String) async throws {
    let from = now
    // While the clock stands, nothing comes: a prefetch would go on until the new index is there.
    store.setNetworkAvailable(false)
    try publish(release)
    let update = try await store.checkForUpdate()
    let size = update?.downloadSize ?? 0
    try await update?.apply(.immediately)
    store.setNetworkAvailable(true)
    record.withLock { $0.pause += now(in: $0) - from }
    say("updates to \(release): \(size) bytes for packs that were there")
  }

  /// Finds an update and begins to download it; the bytes that it needs.
  private func stage(_ release: String) async throws -> Int64 {
    let from = now
    try publish(release)
    let update = try await store.checkForUpdate()
    staged.withLock { $0 = update }
    record.withLock { $0.pause += now(in: $0) - from }
    let size = update?.downloadSize ?? 0
    resumeStaged()
    say("stages \(release): \(size) bytes for tags that are there")
    return size
  }

  /// Downloads the staged update, also after it was broken off.
  private func resumeStaged() { _ = staged.withLock { $0?.download() } }

  private func apply() async throws {
    let from = now
    let update = staged.withLock { staged in
      defer { staged = nil }
      return staged
    }
    try await update?.apply(.immediately)
    record.withLock { $0.pause += now(in: $0) - from }
    say("applies the staged update")
  }

  private func say(_ text: String) { record.withLock { $0.lines.append((now(in: $0), text)) } }
}

private func quoted(_ tags: [String]) -> String { tags.map { "\"\($0)\"" }.joined(separator: ", ") }

/// The word of a simulation for an error.
private func word(for error: any Error) -> String {
  switch error as? OnDemandError {
  case .invalidTag: "invalid-tag"
  case .inUseLimit: "in-use-limit"
  case .outOfSpace: "out-of-space"
  case .offline: "offline"
  default: "\(error)"
  }
}
