import Formats
import Model
import Pipeline
@testable import Play
import System
import Support
import Testing

@testable import OnDemand

/// Compares the schedule with the simulator, which was written independently.
///
/// The tests compare which packs are downloaded, purged and refused, and when this happens.
@Suite(.noHang) struct ScheduleTests {
  @Test(arguments: 0..<8) func `it plays as the simulator does`(part: Int) throws {
    var transfers = 0
    let seeds = sample(20, of: Array(0..<125))
    for seed in seeds {
      transfers += try Self.compare(RandomScenario(seed: UInt64(20_000 + part * 125 + seed)))
    }
    #expect(transfers > 2 * seeds.count)
  }

  /// The scenarios include staged updates and networks that lose every packet.
  @Test(arguments: 0..<4) func `it stages updates as the simulator does`(part: Int) throws {
    var (transfers, played) = (0, 0)
    let count = sample(30, of: 2_000)
    for seed in 0..<count {
      let found = try Self.compare(RandomScenario(seed: UInt64(50_000 + part * 2_000 + seed), steps: .all))
      transfers += found
      played += found > 0 ? 1 : 0
    }
    #expect(transfers > 2 * count && played > count * 6 / 10, "\(transfers) transfers in \(played) scenarios")
  }

  /// Plays a scenario with the schedule and with the simulator, and compares the results.
  ///
  /// Returns the number of transfers.
  private static func compare(_ random: RandomScenario) throws -> Int {
    // The app itself is not a pack, because the app store delivers it.
    var release = random.release
    release.appSize = nil
    let text = SourceText(path: "scenario.json", bytes: Array(random.scenario.text.utf8))
    var scenario = try #require(ScenarioReader(text: text).scenario)
    scenario.connections = random.connections
    let table = try #require(PackTable(release, updates: random.updates))
    guard let expected = try? Simulation.run(scenario, on: table, detail: .events) else { return 0 }
    var play = VirtualPlay(scenario, release, random.updates)
    play.run()
    let ids = expected.packs.map(\.id)
    let comment = Comment(rawValue: random.task)
    let transfers = expected.transfers.map {
      VirtualPlay.Transfer(
        pack: ids[$0.pack ?? 0], from: $0.from, to: $0.to, bytes: $0.bytes, isWhole: $0.isComplete)
    }
    // Sort the transfers, because transfers that end at the same time have no fixed order.
    #expect(play.transfers.sorted() == transfers.sorted(), comment)
    #expect(
      play.purges == expected.purges.map { VirtualPlay.Purge(pack: ids[$0.pack], time: $0.time) }, comment)
    #expect(
      play.requests
        == expected.requests.map {
          VirtualPlay.Request(
            name: $0.name, available: $0.available, ended: $0.ended, error: $0.error?.rawValue,
            downloadSize: $0.downloadSize)
        }, comment)
    #expect(play.stagedSizes == expected.steps.compactMap(\.downloadSize), comment)
    #expect(play.installed == expected.summary.installed, comment)
    return play.transfers.count
  }
}

/// Plays a scenario with the schedule on a network.
///
/// The network computes times in the same way as the simulator.
private struct VirtualPlay {
  struct Transfer: Comparable {
    let pack: String
    let from: Int64
    let to: Int64
    let bytes: Int64
    let isWhole: Bool

    static func < (first: Transfer, second: Transfer) -> Bool {
      (first.to, first.from, first.pack, first.bytes) < (second.to, second.from, second.pack, second.bytes)
    }
  }
  struct Purge: Equatable {
    let pack: String
    let time: Int64
  }
  struct Request: Equatable {
    let name: String
    var available: Int64?
    var ended: Int64?
    var error: String?
    var downloadSize: Int64?
  }
  private struct Service {
    let pack: Int
    let start: Int64
    /// The number of bytes that had arrived before this transfer started.
    let before: Int64
    let bytes: Int64
    let firstByte: Int64
    var isFlowing = false
    /// The amount that is left to transfer, in fractions of a byte.
    ///
    /// At one bit per second, one such fraction is transferred in each microsecond.
    var rest: UInt128

    static let parts: UInt128 = 8_000_000
    /// The number of whole bytes that have arrived since the transfer started.
    var came: Int64 { bytes - Int64((rest + Self.parts - 1) / Self.parts) }
  }

  private(set) var transfers: [Transfer] = []
  private(set) var purges: [Purge] = []
  private(set) var requests: [Request] = []
  private(set) var installed: Int64?
  /// For each staged update, the number of bytes that were still missing when the update was found.
  private(set) var stagedSizes: [Int64] = []

  private let scenario: Scenario
  private let updates: [String: SimulatedRelease]
  private var schedule: DownloadSchedule
  private var now: Int64 = 0
  private var link: NetworkProfile?
  private var services: [Service] = []
  private var settled: Int64 = 0
  /// The states of the open requests, by the position of the request in `requests`.
  private var open: [Int: RequestState] = [:]
  private var places: [String: Int] = [:]
  private var hasFailed = false
  private var staged: Catalog?
  /// The download of the staged update and its packs.
  ///
  /// When the network is available again, the app requests the download again.
  private var staging: RequestState?
  private var stagedPacks: [Int] = []

  init(_ scenario: Scenario, _ release: SimulatedRelease, _ updates: [String: SimulatedRelease]) {
    (self.scenario, self.updates, link) = (scenario, updates, scenario.network)
    schedule = DownloadSchedule(
      space: scenario.device.space, inUse: scenario.device.inUseLimit ?? 2_000_000_000,
      connections: scenario.connections,
      isOnline: scenario.network != nil)
    put(release)
  }

  private mutating func put(_ release: SimulatedRelease) {
    schedule.now = now
    schedule.update(to: Self.catalog(of: release))
  }

  private static func catalog(of release: SimulatedRelease) -> Catalog {
    let packs = release.packs.map {
      Catalog.Pack(
        id: $0.id, tags: $0.tags, size: $0.size, fileCount: 1, digest: PublishedDigest(of: $0.content),
        archive: ServerFile(path: "", size: $0.transfer, digest: PublishedDigest(of: "")))
    }
    return Catalog(
      bundleIdentifier: nil, number: nil, expires: nil, indexDigest: "", packs: packs,
      initialInstall: release.initialInstall.map { release.packs[$0].id },
      prefetch: release.prefetch.map { release.packs[$0].id })
  }

  mutating func run() {
    for step in scenario.order where !hasFailed {
      perform(scenario.steps[step].action)
      advance(to: now)
    }
    sync()
    leaveAll()
    for place in open.keys { requests[place].ended = now }
  }

  private mutating func perform(_ action: ScenarioStep.Action) {
    switch action {
    case .install: install()
    case .begin(let tags, let name, let priority): begin(tags, name, priority)
    case .conditional(let tags, let name): begin(tags, name, nil)
    case .end(let name): if let place = places[name] { end([place]) }
    case .await(let name): wait(for: name)
    case .priority(let name, let priority):
      guard let request = places[name].flatMap({ open[$0] }) else { return }
      change { _ in request.priority = OnDemand.LoadingPriority(priority) }
    case .preserve(let tags, let value): change { for tag in tags { $0.preservation[tag] = value } }
    case .play(let time): advance(to: now + time)
    case .network(let link): change(to: link)
    case .space(let space): change { $0.setSpace(space) }
    case .quit: end(open.keys.sorted())
    case .kill:
      sync()
      leaveAll()
      end(open.keys.sorted())
    case .update(let name, .immediate): if let release = updates[name] { update(to: release) }
    case .update(let name, .staged): if let release = updates[name] { stage(release) }
    case .apply:
      guard let next = staged else { return }
      change { $0.update(to: next) }
      (staged, staging) = (nil, nil)
    }
  }

  private mutating func wait(for name: String) {
    while let place = places[name], let request = open[place], requests[place].available == nil {
      if link?.losesAll == true {
        advance(to: now + scenario.patience)
        (requests[place].ended, requests[place].error) = (now, "timed-out")
        open[place] = nil
        change { $0.close(request) }
      } else if !followEvent() {
        return
      }
    }
  }

  private mutating func stage(_ release: SimulatedRelease) {
    let next = Self.catalog(of: release)
    staged = next
    sync()
    schedule.now = now
    stagedPacks = schedule.stagedPacks(of: next, numbers: schedule.stage(next))
    stagedSizes.append(schedule.downloadSize(of: stagedPacks))
    downloadStaged()
    settle()
  }

  /// Downloads the staged update.
  ///
  /// Without a network, the download starts later.
  private mutating func downloadStaged() {
    let request = RequestState()
    staging = request
    do { try schedule.download(request, packs: stagedPacks) } catch { request.settle(.failure(error)) }
  }

  private mutating func install() {
    do {
      let request = RequestState()
      try change { try $0.install(request) }
      if link?.losesAll == true && request.outcome == nil {
        advance(to: now + scenario.patience)
        hasFailed = true
        return
      }
      while request.outcome == nil, followEvent() {}
      installed = now
    } catch {
      hasFailed = true
    }
  }

  /// Begins a request.
  ///
  /// If the priority is nil, the request becomes available only if all its packs are already stored.
  private mutating func begin(_ tags: [String], _ name: String, _ priority: ModelPriority?) {
    requests.append(Request(name: name))
    let (place, request) = (requests.count - 1, RequestState(tags))
    sync()
    requests[place].downloadSize = (try? schedule.resolved(tags)).map { schedule.downloadSize(of: $0) }
    if let priority { request.priority = OnDemand.LoadingPriority(priority) }
    places[name] = nil
    do {
      try change {
        try $0.begin(request, missing: priority == nil ? .refused : .downloaded)
      } opened: { play, isOpen in
        if isOpen { (play.open[place], play.places[name]) = (request, place) }
      }
    } catch {
      requests[place].error = Self.word(error)
    }
  }

  private mutating func end(_ places: [Int]) {
    let ended = places.compactMap { open.removeValue(forKey: $0) }
    for place in places { requests[place].ended = requests[place].ended ?? now }
    change { for request in ended { $0.close(request) } }
  }

  private mutating func change(to link: NetworkProfile?) {
    sync()
    leaveAll()
    self.link = link
    change { $0.setOnline(link != nil) }
    if case .failure(.offline) = staging?.outcome, link != nil {
      downloadStaged()
      settle()
    }
  }

  private mutating func update(to release: SimulatedRelease) {
    sync()
    put(release)
    settle()
  }

  /// Changes the schedule, and carries out the effects of the change.
  private mutating func change<Value>(
    _ body: (inout DownloadSchedule) throws -> Value, opened: (inout VirtualPlay, Value) -> Void = { _, _ in }
  ) rethrows {
    sync()
    schedule.now = now
    let value = try body(&schedule)
    opened(&self, value)
    settle()
  }

  /// Reports to the schedule how many bytes have arrived until now.
  private mutating func sync() {
    let flowing = UInt128(services.count { $0.isFlowing })
    if let link, flowing > 0, now > settled {
      let share = UInt128(now - settled) * UInt128(link.rate) / flowing
      for place in services.indices where services[place].isFlowing {
        services[place].rest -= min(share, services[place].rest)
      }
    }
    settled = now
    for service in services { schedule.receive(service.before + service.came, pack: service.pack) }
  }

  private mutating func settle() {
    schedule.reschedule()
    for pack in schedule.events.purged {
      purges.append(Purge(pack: schedule.packs[pack].info.id, time: now))
    }
    let left = services.filter {
      !schedule.serving.contains($0.pack) || schedule.events.removed.contains($0.pack)
    }
    (schedule.events.removed, schedule.events.purged) = ([], [])
    for (place, request) in open {
      switch request.outcome {
      case .success: requests[place].available = requests[place].available ?? now
      case .failure(let error):
        open[place] = nil
        (requests[place].ended, requests[place].error) = (now, Self.word(error))
      case nil: continue
      }
    }
    for service in left { leave(service, isWhole: false) }
    guard let link else { return }
    for pack in schedule.serving where !services.contains(where: { $0.pack == pack }) {
      let state = schedule.packs[pack]
      let rest = max(0, state.info.archive.size - state.arrived)
      services.append(
        Service(
          pack: pack, start: now, before: state.arrived, bytes: rest, firstByte: now + link.latency,
          rest: UInt128(rest) * Service.parts))
    }
  }

  private mutating func leaveAll() { for service in services { leave(service, isWhole: false) } }

  private mutating func leave(_ service: Service, isWhole: Bool) {
    services.removeAll { $0.pack == service.pack }
    transfers.append(
      Transfer(
        pack: schedule.packs[service.pack].info.id, from: service.start, to: now,
        bytes: isWhole ? service.bytes : service.came, isWhole: isWhole))
  }

  private var nextEvent: Int64? {
    guard let link, !link.losesAll else { return nil }
    let (flowing, rate) = (UInt128(services.count { $0.isFlowing }), UInt128(link.rate))
    return services.map { service in
      service.isFlowing ? Int64((service.rest * flowing + rate - 1) / rate) + settled : service.firstByte
    }.min()
  }

  /// Advances the time to the next moment at which bytes start to flow or a pack arrives.
  ///
  /// Returns false if there is no such moment.
  @discardableResult private mutating func followEvent() -> Bool {
    guard let event = nextEvent else { return false }
    now = event
    sync()
    for place in services.indices where services[place].firstByte <= now { services[place].isFlowing = true }
    guard let service = services.first(where: { $0.isFlowing && $0.rest == 0 }) else { return true }
    leave(service, isWhole: true)
    change { $0.store(service.pack) }
    return true
  }

  private mutating func advance(to time: Int64) {
    while let event = nextEvent, event <= time { followEvent() }
    now = time
  }

  private static func word(_ error: any Error) -> String {
    switch error as? OnDemandError {
    case .invalidTag: "invalid-tag"
    case .inUseLimit: "in-use-limit"
    case .offline: "offline"
    case .outOfSpace: "out-of-space"
    default: "\(error)"
    }
  }
}

extension OnDemand.LoadingPriority {
  fileprivate init(_ priority: ModelPriority) {
    switch priority {
    case .urgent: self = .urgent
    case .level(let level): self.init(level)
    }
  }
}

extension PublishedDigest {
  init(of text: String) { self.init(rawValue: "sha256:" + SHA256Digest.hex(of: Array(text.utf8)))! }
}
