@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
import Foundation
import Support
import Testing

/// Compares runs, groupings and players for some seeds with snapshot files.
///
/// After a change of the code, the diffs of the snapshot files show its effects.
///
/// Other tests check whether the results are right. After an intended change, run `UPDATE_SNAPSHOTS=1 swift
/// test`, then read the diff.
@Suite(.noHang) struct PlaySnapshotTests {
  private static func text(_ time: Int64?) -> String { time.map { "\($0)" } ?? "-" }

  /// Returns a run as lines: all its events, and the advice for each stall.
  private static func lines(of random: RandomScenario, lookups: Int?) throws -> [String] {
    let reader = ScenarioReader(
      text: SourceText(path: "scenario.json", bytes: Array(random.scenario.text.utf8)))
    let scenario = try #require(reader.scenario, "\(reader.diagnostics)")
    let table = try #require(PackTable(random.release, updates: random.updates))
    let result: SimulationResult
    do throws(ScenarioMistake) {
      result = try Simulation.run(scenario, on: table, detail: .events)
    } catch {
      return ["mistake in step \(error.source)"]
    }
    var lines = ["steps " + result.steps.map { "\($0.source):\($0.from)-\($0.to)" }.joined(separator: " ")]
    lines += result.requests.map { each in
      "request \(each.name) \(each.tags.joined(separator: "+")) in \(each.step): \(each.began) \(text(each.available)) "
        + "\(text(each.ended)) \(each.last == .max ? -1 : each.last) \(each.waited) \(each.error?.rawValue ?? "")"
    }
    lines += result.packs.filter { $0.transferred > 0 || $0.downloads > 0 || $0.purges > 0 }.map {
      "pack \($0.id) \($0.downloads) \($0.transferred) \($0.purges)"
    }
    lines += result.transfers.map {
      "transfer \($0.pack ?? -1) \($0.isForRequest) \($0.from)-\($0.to) \($0.bytes) \($0.isComplete)"
    }
    lines += result.purges.map { "purge \($0.pack) \($0.time) \($0.size) for \($0.cause ?? -1)" }
    lines.append(
      "states "
        + result.states.map { $0.map { "\($0.step):\($0.state)" }.joined(separator: ",") }
        .joined(separator: " "))
    let gauges = TagGauge.all(of: result, table: table, after: Array(result.steps.indices))
    lines += gauges.map {
      "tag \($0.tag) \($0.size) \($0.states.map { String("\($0)".prefix(4)) }.joined(separator: " "))"
    }
    lines += Stall.all(of: result, scenario: scenario).map {
      "stall \($0.step) \($0.request) \($0.from)-\($0.to) \($0.remedy(in: result, table: table))"
    }
    lines.append("looks \(leastLookups(scenario, table: table, guess: lookups))")
    lines.append("\(result.summary)".replacing(/.*?Summary/, with: "summary"))
    return lines
  }

  /// Returns the lowest limit for look-ups with which a run succeeds.
  ///
  /// If the limit were lower by one, the run would end with a mistake. `guess` is a limit to try first.
  private static func leastLookups(_ scenario: Scenario, table: PackTable, guess: Int?) -> Int {
    func isEnough(_ limit: Int) -> Bool {
      var bounds = Simulation.Bounds()
      bounds.maxLookups = limit
      return (try? Simulation.run(scenario, on: table, within: bounds)) != nil
    }
    if let guess, isEnough(guess), guess == 0 || !isEnough(guess - 1) { return guess }
    var (least, most) = (0, 1 << 16)
    while least < most {
      let middle = (least + most) / 2
      if isEnough(middle) { most = middle } else { least = middle + 1 }
    }
    return least
  }

  @Test func `runs of random scenarios`() throws {
    let path = "Tests/Fixtures/Play/runs.txt"
    // The limits of the snapshot are tried first, so that two simulations are enough to find each.
    let known = try? String(contentsOfFile: "\(packageFolder)/\(path)", encoding: .utf8)
    var limits: [String: Int] = [:]
    for run in known?.components(separatedBy: "\nseed ").dropFirst() ?? [] {
      let line = run.split(separator: "\n").first { $0.hasPrefix("looks ") }
      limits[String(run.prefix { $0 != "," })] = line.flatMap { Int($0.dropFirst("looks ".count)) }
    }
    var lines: [String] = []
    for seed in 20_000..<20_030 as Range<UInt64> {
      let random = RandomScenario(seed: seed)
      lines += ["", "seed \(seed), \(random.connections) at a time"]
      lines += try Self.lines(of: random, lookups: limits["\(seed)"])
    }
    try expectSnapshot(lines.joined(separator: "\n") + "\n", at: path)
  }

  @Test func `packs of random classes`() throws {
    let lines = (300..<340 as Range<UInt64>).map { seed in
      let random = RandomClasses(seed: seed)
      let grouping = PackGrouping(of: random.items, costModel: random.costModel, seed: seed)
      return "\(seed) \(Int64(grouping.cost * 1e6)) \(grouping.groups)"
    }
    try expectSnapshot(lines.joined(separator: "\n") + "\n", at: "Tests/Fixtures/Play/groupings.txt")
  }

  /// With this many classes, the search merges them only once, and makes no random changes.
  @Test(arguments: sample(1, of: [130, 600])) func `packs of many classes`(count: Int) throws {
    var dice = Dice(seed: UInt64(count))
    let items = (0..<count).map { _ in
      PackGrouping.Item(
        size: Int64(1000 + dice.below(9_000_000)), firstSceneRunMask: dice.chance(20) ? 1 : 0,
        runMask: UInt128(1) << UInt128(dice.below(30)) | UInt128(dice.below(1 << 20)) << 40)
    }
    var model = PackGrouping.CostModel(
      first: (request: 0.05, byte: 1e-6), later: (request: 0.03, byte: 4e-7), runCount: 64)
    if count > 500 { model.maxPacks = 550 }
    let grouping = PackGrouping(of: items, costModel: model)
    try expectSnapshot(
      "\(count) \(Int64(grouping.cost * 1e6)) \(grouping.groups)\n",
      at: "Tests/Fixtures/Play/groupings-\(count).txt")
  }

  @Test(arguments: PlayerPattern.allCases) func `steps of made players`(pattern: PlayerPattern) throws {
    var lines: [String] = []
    for count in [1, 3, 12] {
      let packs = (0..<count).map {
        SimulatedRelease.Pack(
          id: "\($0)", tags: ["Level \($0)"], size: 1_000_000 + Int64($0), transferSize: 900_000,
          contentID: "")
      }
      let release = SimulatedRelease(packs: packs, initialInstall: [], prefetch: [])
      let lists = TagLists(initialInstall: count == 3 ? ["Level 1"] : [], prefetch: ["Level 2"])
      let players = Players(pattern, of: release, lists: lists, runs: 25, seed: 3)
      for number in 0..<3 {
        let steps = players.scenario(number, network: nil).steps.prefix(30).map { "\($0.action)" }
        lines.append("\(count) \(number): \(steps.joined(separator: " "))")
      }
      let table = try #require(PackTable(release))
      for link in ["3G", "LTE"] {
        let result = PlayersResult(players, on: table, network: NetworkProfile.named(link))
        let spreads = [result?.installed, result?.stalls, result?.stalled, result?.transferred]
        lines.append(
          "\(link): "
            + spreads.map { "\($0?.median ?? -1) \($0?.percentile95 ?? -1)" }.joined(separator: ", "))
      }
    }
    try expectSnapshot(
      lines.joined(separator: "\n") + "\n", at: "Tests/Fixtures/Play/players-\(pattern.rawValue).txt")
  }
}
