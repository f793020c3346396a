import Formats
import Model
package import Pipeline
import System
import Synchronization

/// Replays recorded runs with other tags over several networks.
package struct TagPlayback: Sendable {
  fileprivate var request: TagProposal.Request
  private let bundleIdentifier: String
  private let sizes: [Int64]
  private let largestInstall: Int64

  /// The waits and downloads of some runs with one tagging.
  package struct Result: Sendable {
    package let name: String
    /// The number of microseconds that all runs wait, for the installation and in stalls.
    ///
    /// The number of a run is the mean over the networks.
    package let wait: PlayersResult.Spread
    package let mean: Int64
    /// The number of microseconds until the app is installed.
    package let installed: PlayersResult.Spread
    /// The number of bytes that are transferred over the network.
    package let transferred: PlayersResult.Spread
    /// The number of packs; nil for the lower bound, which has no packs.
    package let packs: Int?
    /// The numbers of rules and tags that a manifest and the app need for this tagging; nil for the lower
    /// bound.
    package fileprivate(set) var cost: TagCost?
  }

  init(_ request: TagProposal.Request, of plan: PackPlan) {
    self.request = request
    bundleIdentifier = plan.manifest.bundleIdentifier
    sizes = plan.tree.files.map(\.size)
    largestInstall = plan.manifest.allowed(.initialInstallSize)
  }

  /// Plays recorded runs with a tagging and returns the result.
  ///
  /// Returns nil if there are no runs.
  func result(of tagging: Tagging, runs: [LoadedScenes.Run]) -> Result? {
    let release = tagging.release(bundleIdentifier: bundleIdentifier)
    guard let table = PackTable(release) else { return nil }
    let tagSizes = tagging.tagSizes
    let all = onThreads(request.jobs, each: runs) { run in
      summaries(
        steps(of: run, base: tagging.baseScene) { tagging.tagsAsked(in: $0, tagSizes: tagSizes) },
        table: table)
    }
    return Result(tagging.name, summariesOfRuns: all, packCount: release.packs.count)
  }

  /// Returns a lower bound for the waits of some runs.
  ///
  /// The bound applies to any tags and packs.
  ///
  /// When a scene begins, all files that the run has loaded so far must have been downloaded. The download
  /// takes one round trip and the time for the bytes. It can only happen while the player plays the earlier
  /// scenes, or waits.
  func bound(_ runs: [LoadedScenes.Run]) -> Result? {
    let all = onThreads(request.jobs, each: runs) { run -> [SimulationResult.Summary] in
      request.links.map { network in
        var summary = SimulationResult.Summary()
        var seen: Set<Int32> = []
        var played: Int64 = 0
        for (place, visit) in run.visits.enumerated() {
          let bytes = visit.files.saturatingSum { seen.insert($0).inserted ? sizes[Int($0)] : 0 }
          summary.transferred = summary.transferred.saturatingSum(with: bytes)
          if summary.transferred > 0, let flow = network.time(for: summary.transferred) {
            summary.stalled = max(summary.stalled, network.latency.saturatingSum(with: flow) - played)
          }
          if place + 1 < run.visits.count {
            played = played.saturatingSum(with: max(0, run.visits[place + 1].start - visit.start))
          }
        }
        return summary
      }
    }
    return Result("lower bound", summariesOfRuns: all, packCount: nil)
  }

  private func summaries(_ steps: [ScenarioStep.Action], table: PackTable) -> [SimulationResult.Summary] {
    request.links.compactMap { network in
      var scenario = Scenario(network: network, device: SimulatedDevice(inUseLimit: .max), actions: steps)
      scenario.connections = request.connections
      return try? Simulation.run(scenario, on: table).summary
    }
  }

  /// Converts a run to steps of a scenario.
  ///
  /// When a scene begins, the app requests the scene's tags and ends the request of the previous scene.
  ///
  /// The request of the base scene stays open.
  private func steps(
    of run: LoadedScenes.Run, base: Int?, asked: (LoadedScenes.Visit) -> [String]
  ) -> [ScenarioStep.Action] {
    var steps: [ScenarioStep.Action] = [.install]
    var open: String?
    for (place, visit) in run.visits.enumerated() {
      let tags = asked(visit)
      let name = "\(place)"
      if !tags.isEmpty {
        steps += [.begin(tags, as: name, priority: .standard), .await(name)]
        if let open { steps.append(.end(open)) }
        open = visit.scene == base ? nil : name
      }
      if place + 1 < run.visits.count {
        steps.append(.play(max(0, run.visits[place + 1].start - visit.start)))
      }
    }
    return steps
  }
}

extension TagPlayback.Result {
  fileprivate init?(_ name: String, summariesOfRuns runs: [[SimulationResult.Summary]], packCount: Int?) {
    let runs = runs.filter { !$0.isEmpty }
    func mean(_ value: (SimulationResult.Summary) -> Int64) -> [Int64] {
      runs.map { run in run.saturatingSum(value) / Int64(run.count) }
    }
    let waits = mean { ($0.installed ?? 0).saturatingSum(with: $0.stalled) }
    guard let wait = PlayersResult.Spread(waits), let transferred = PlayersResult.Spread(mean(\.transferred)),
      let installed = PlayersResult.Spread(mean { $0.installed ?? 0 })
    else { return nil }
    self.name = name
    self.wait = wait
    self.installed = installed
    self.transferred = transferred
    self.packs = packCount
    self.mean = waits.saturatingSum { $0 } / Int64(waits.count)
  }
}

/// The cost of writing tags in a manifest, and of requesting them in an app.
package struct TagCost: Sendable {
  /// The number of rules in the manifest.
  package let rules: Int
  /// The number of tags.
  package let tags: Int
  /// The maximum number of tags that one scene requests.
  package let tagsOfScene: Int

  init(_ tagging: Tagging, rules: Int, runs: [LoadedScenes.Run]) {
    self.rules = rules
    tags = tagging.usedTags.count
    let tagSizes = tagging.tagSizes
    tagsOfScene =
      runs.lazy.flatMap(\.visits).map { tagging.tagsAsked(in: $0, tagSizes: tagSizes).count }.max() ?? 0
  }
}

extension TagPlayback {
  /// Returns the tagging with tag lists that suit most training runs.
  ///
  /// Tags that at least 80 % of the runs request in their first scene go into the initial install. Tags that
  /// at least 50 % of the runs request are prefetched, if prefetching reduces the players' waits.
  func withLists(_ tagging: Tagging, trainingRuns: LoadedScenes) -> Tagging {
    let every = max(1, trainingRuns.runs.count / Self.maxTried)
    let runs = stride(from: 0, to: trainingRuns.runs.count, by: every).map { trainingRuns.runs[$0] }
    var tagging = tagging
    let tagSizes = tagging.tagSizes
    var first: [String: Int] = [:]
    var later: [String: (runs: Int, places: Int)] = [:]
    for run in runs {
      var seen: Set<String> = []
      for (place, visit) in run.visits.enumerated() {
        for tag in tagging.tagsAsked(in: visit, tagSizes: tagSizes) where seen.insert(tag).inserted {
          if place == 0 { first[tag, default: 0] += 1 }
          later[tag, default: (0, 0)].runs += 1
          later[tag, default: (0, 0)].places += place
        }
      }
    }
    var initial = first.filter { $0.value * 5 >= runs.count * 4 }.keys.sorted()
    var atFirst = Set(initial)
    let bytes = zip(tagging.tags, tagSizes).filter { atFirst.contains($0.0) }.saturatingSum { $0.1 }
    if bytes > largestInstall { (initial, atFirst) = ([], []) }
    let order = later.filter { $0.value.runs * 2 >= runs.count && !atFirst.contains($0.key) }
    tagging.initialInstall = initial
    var ahead = tagging
    ahead.prefetch = order.sorted {
      ($0.value.places * $1.value.runs, $0.key) < ($1.value.places * $0.value.runs, $1.key)
    }.map(\.key)
    if ahead.prefetch.isEmpty { return tagging }
    let means = [tagging, ahead].map { result(of: $0, runs: runs)?.mean ?? .max }
    return means[1] < means[0] ? ahead : tagging
  }

  /// The approximate number of runs with which tag lists are tried.
  private static let maxTried = 12
}

/// Proposes tags from recorded runs, and compares the proposal with other taggings.
package struct TagProposal: Sendable {
  /// The settings of a proposal.
  package struct Request: Sendable {
    package var links: [NetworkProfile]
    package var connections = 1
    package var seed: UInt64 = 1
    /// The updates that changed each file, as a set with one bit for each update.
    package var changes: [String: UInt64] = [:]
    package var updateCount = 0
    package var jobs = 1

    package init(links: [NetworkProfile]) { self.links = links }
  }

  /// The training runs, and the classes and costs that are needed to make packs from these runs.
  private struct TrainingSet {
    let runs: LoadedScenes
    let classes: FileClasses
    let costModel: PackGrouping.CostModel
  }

  package let trainingRuns: LoadedScenes
  package let heldOut: LoadedScenes
  package let classes: FileClasses
  package let tagging: Tagging
  package let costModel: PackGrouping.CostModel
  /// The results for the held-out runs with each tagging: today's manifest, one tag per folder, exact sets,
  /// one pack, the proposal and the lower bound.
  package let table: [TagPlayback.Result]

  /// The values that the search tries for the cost of a pack, in seconds.
  ///
  /// A higher cost leads to fewer packs. The value nil stands for the exact sets.
  private static let packCosts: [Double?] = [nil, 0, 0.002, 0.01, 0.05]

  /// Learns from 75 % of the runs and measures the tags with the other 25 %.
  ///
  /// Returns nil if there are fewer than two runs.
  package init?(
    _ loaded: LoadedScenes, plan: PackPlan, request: Request,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) {
    guard let (trainingRuns, heldOut) = loaded.split(seed: request.seed) else { return nil }
    let playback = TagPlayback(request, of: plan)
    var alone = playback
    alone.request.jobs = 1
    // packtool learns from one part of the training runs, and uses the other part to choose the best cost of
    // a pack.
    let (first, second) = trainingRuns.split(seed: request.seed) ?? (trainingRuns, trainingRuns)
    let trainingSets = onThreads(request.jobs, each: [first, trainingRuns]) { runs -> TrainingSet in
      let classes = FileClasses(runs, plan: plan, changes: request.changes)
      return TrainingSet(
        runs: runs, classes: classes, costModel: PackGrouping.CostModel(runs, plan: plan, request: request))
    }
    let tries = Self.packCosts.map { (trainingSet: trainingSets[0], perPack: $0) } + [(trainingSets[1], nil)]
    let done = Atomic(0)
    let tried = onThreads(request.jobs, each: tries) { [alone] trainingSet, perPack in
      let tagging = Self.tagging(
        "exact sets", trainingSet: trainingSet, plan: plan, secondsPerPack: perPack, seed: request.seed)
      progress(Double(done.add(1, ordering: .relaxed).newValue) / Double(tries.count + 1))
      return alone.withLists(tagging, trainingRuns: trainingSet.runs)
    }
    let waits = tried.dropLast().map { tagging -> Int64 in
      if tagging.sets.count > trainingSets[0].costModel.maxPacks { return .max }
      return playback.result(of: tagging, runs: second.runs)?.mean ?? .max
    }
    let least = waits.indices.last { waits[$0] == waits.min() } ?? 0
    let count = loaded.scenes.count
    let rows: [@Sendable () -> Tagging] = [
      {
        Self.tagging(
          "proposal", trainingSet: trainingSets[1], plan: plan, secondsPerPack: Self.packCosts[least],
          seed: request.seed)
      },
      {
        Tagging("folders", plan: plan, sceneCount: count) { path in
          path.split(separator: "/").count > 1 ? String(path.prefix { $0 != "/" }) : "."
        }
      },
      { Tagging("one pack", plan: plan, sceneCount: count) { _ in "all" } },
    ]
    var made = onThreads(request.jobs, each: rows) { [alone] in
      alone.withLists($0(), trainingRuns: trainingRuns)
    }
    let exact = tried[tries.count - 1]
    let ends = [exact, made[0]].map { playback.result(of: $0, runs: heldOut.runs)?.wait.median ?? .max }
    var costModel = trainingSets[1].costModel
    costModel.pack = Self.packCosts[least] ?? 0
    // If players wait longer with merged packs than with the exact sets, the exact sets are proposed, unless
    // they result in too many packs.
    if ends[0] < ends[1], exact.sets.count <= costModel.maxPacks {
      made[0] = exact
      made[0].name = "proposal"
      costModel.pack = 0
    }
    (self.trainingRuns, self.heldOut, self.costModel) = (trainingRuns, heldOut, costModel)
    classes = trainingSets[1].classes
    tagging = made[0]
    let today = Tagging("today", plan: plan, scenes: loaded.scenes)
    let all = [today, made[1], exact, made[2], tagging]
    let costs = onThreads(request.jobs, each: all.enumerated().map { $0 }) { [heldOut] number, tagging in
      // The current manifest has its own rules. For other taggings, the number is the smallest number of
      // rules that assign the tags to the files.
      let ruleCount = number == 0 ? plan.manifest.rules.count : tagging.rules(for: plan).count
      return TagCost(tagging, rules: ruleCount, runs: heldOut.runs)
    }
    let results = zip(all, costs).compactMap { tagging, cost -> TagPlayback.Result? in
      var result = playback.result(of: tagging, runs: heldOut.runs)
      result?.cost = cost
      return result
    }
    table = results + [playback.bound(heldOut.runs)].compactMap(\.self)
  }

  private static func tagging(
    _ name: String, trainingSet: TrainingSet, plan: PackPlan, secondsPerPack: Double?, seed: UInt64
  ) -> Tagging {
    var costModel = trainingSet.costModel
    costModel.pack = secondsPerPack ?? 0
    let items = trainingSet.classes.classes.map(\.item)
    let groups =
      secondsPerPack == nil
      ? items.indices.map { [$0] } : PackGrouping(of: items, costModel: costModel, seed: seed).groups
    return Tagging(name, classes: trainingSet.classes, groups: groups, of: plan)
  }

  /// Whether players of the held-out runs wait more than 1 % less than with today's manifest.
  package var gains: Bool {
    let means = ["today", "proposal"].compactMap { name in table.first { $0.name == name }?.mean }
    return means.count == 2 && means[1] < means[0] - means[0] / 100
  }

  /// For each proposed pack, the runs that need it.
  package var packItems: [PackGrouping.Item] {
    var items = tagging.sizes.map { _ in PackGrouping.Item(size: 0, firstSceneRunMask: 0, runMask: 0) }
    var packs: [Int32: Int32] = [:]
    for (file, number) in classes.classOfFile.enumerated() { packs[number] = tagging.packOfFile[file] }
    for (number, pack) in packs.sorted(by: { $0.key < $1.key }) {
      items[Int(pack)] = items[Int(pack)] + classes.classes[Int(number)].item
    }
    return items
  }
}

extension PackGrouping.CostModel {
  /// Computes the costs of waiting over networks.
  ///
  /// In later scenes, a part of the loading happens during play and costs less.
  init(_ trainingRuns: LoadedScenes, plan: PackPlan, request: TagProposal.Request) {
    let runs = Double(max(1, trainingRuns.runs.count))
    let seconds = trainingRuns.runs.reduce(0.0) { $0 + Double($1.visits.last?.start ?? 0) / 1e6 } / runs
    let bytes =
      trainingRuns.runs.reduce(0.0) { sum, run in
        sum + Set(run.visits.flatMap(\.files)).reduce(0.0) { $0 + Double(plan.tree.files[Int($1)].size) }
      } / runs
    var (first, later) = ((request: 0.0, byte: 0.0), (request: 0.0, byte: 0.0))
    for network in request.links {
      let share = 1 / Double(request.links.count)
      let byte = 8 / Double(network.rate)
      let latency = Double(network.latency) / 1e6 / Double(request.connections)
      let waiting = max(0.1, 1 - seconds / max(1e-9, bytes * byte))
      first = (first.request + share * latency, first.byte + share * byte)
      later = (later.request + share * waiting * latency, later.byte + share * waiting * byte)
    }
    self.init(first: first, later: later, runCount: min(trainingRuns.runs.count, FileClasses.maxRuns))
    updateCount = request.updateCount
    update = first.byte * Self.updateShare
    largestPack = plan.manifest.allowed(.packSize)
    maxPacks = Int(clamping: plan.manifest.allowed(.packCount))
  }

  /// The cost of a byte that an update changes, divided by the cost of a byte that a player waits for.
  private static let updateShare = 0.1
}

extension Manifest {
  /// Returns the largest value that every interpretation of a store limit accepts.
  fileprivate func allowed(_ kind: LimitKind) -> Int64 { limits.limit(kind)?.doubtful ?? .max }
}
