import Formats
import Model
import Packing
import Pipeline
import Play
import System

extension Command {
  fileprivate struct SimulateOptions: ReportingOptions {
    /// The network that a flag sets instead of the scenario's network; nil if the flag is not used.
    var network: ScenarioPlay.Network?
    /// The number of connections that a flag sets instead of the scenario's number; nil if the flag is not
    /// used.
    var connections: Int?
    var format = OutputFormat.text
    var advises = false
    var rules = Rules.onDemandResources
    var background: RuntimeRules.BackgroundOrder?
    var device: DeviceClass?
    /// The pattern of generated players.
    ///
    /// If it is set, generated players are simulated instead of a scenario.
    var pattern: PlayerPattern?
    var runs: Int?
    var seed: Int?
    var log: String?
    /// The options for the layout of the packs.
    var target = ManifestOptions()
    /// The folder that `--root` specifies.
    ///
    /// Code that reads files gets this folder from `RunScope.current`.
    var root: String?
    var shared = SharedOptions()

    /// The runtime whose rules are simulated; the raw value is its name in flags.
    enum Rules: String, Sendable, CaseIterable {
      case onDemandResources = "on-demand-resources"
      case backgroundAssets = "background-assets"
    }
  }

  static let simulate = Command(
    CommandSyntax<SimulateOptions>(
      name: "simulate", summary: "play a scenario with the packs, and show how long a player waits",
      arguments: [
        Argument(
          "SCENARIO", summary: "a scenario; not needed with --players",
          kind: .file(.input, suffixes: [".json"]),
          count: 0...1),
        Argument(
          "MANIFEST|DIR", summary: "a manifest, its folder (default: the current folder), or a built folder",
          kind: .path, count: 0...1
        ).using(.manifest, .builtIndex),
      ],
      flags: [
        .network(into: \.network),
        .number(
          "--connections",
          summary: "number of packs downloaded at the same time, instead of the scenario's (default: 1; "
            + "OnDemand has 4)",
          range: 1...Scenario.maxConnections, into: \.connections),
        .outputFormat(of: "result", into: \.format),
        .device(
          summary: "play with the packs of one device class, from a manifest or a folder built for it",
          into: \.device),
        .choice(
          "--rules", valueName: "RUNTIME", summary: "the runtime to simulate (default: on-demand-resources)",
          into: \.rules),
        .choice(
          "--background-order", valueName: "ORDER",
          summary:
            "order in which the system downloads packs that no request needs, only with --rules "
            + "background-assets (default: id)",
          into: \.background),
        .toggle(
          "--advise",
          summary: "try changes to the manifest's lists and earlier requests, and show what each saves",
          sets: \.advises),
        .value(
          "--replay", valueName: "LOG", kind: .file(.input, suffixes: [".jsonl"]),
          summary: "play the downloads of a log of \"packtool serve\" over --link", into: \.log),
        .pointers(into: \.target.acceptsPointers), .root(into: \.root),
      ] + SimulateOptions.playerFlags + ManifestOptions.packFlags.lifted(into: \.target)
        + SharedOptions.flags(in: \.shared)), defaults: SimulateOptions.init
  ) { options, arguments, session in
    if let mistake = options.mistake(arguments) { return session.refuse(mistake) }
    if let log = options.log { return try options.replay(log, session: session) }
    var options = options
    try options.adoptLayout(arguments)
    if let pattern = options.pattern {
      return try options.runPlayers(
        pattern, releaseAt: try arguments.first ?? ManifestSource.search(), session: session)
    }
    return try options.run(
      scenarioAt: arguments[0], releaseAt: try arguments.count > 1 ? arguments[1] : ManifestSource.search(),
      session: session)
  }
}

extension Command.SimulateOptions {
  fileprivate static let playerFlags: [Flag<Self>] = .helpGroup(
    under: "players",
    flags: [
      .choice(
        "--players", valueName: "PATTERN",
        summary: "make players: linear (level after level), branching (some next places), random (any tag)",
        into: \.pattern),
      .number("--runs", summary: "number of players (default: 100)", range: 1...100_000, into: \.runs),
      .number(
        "--seed", summary: "seed of their random numbers (default: 1)", range: 0...Int(Int32.max),
        into: \.seed),
    ])

  /// Adds the settings in the `layout` of the manifest that the arguments name.
  fileprivate mutating func adoptLayout(_ arguments: [String]) throws {
    let packs = try (pattern == nil ? arguments.dropFirst() : arguments[...]).first ?? ManifestSource.search()
    if try BuiltFolder.isNamed(by: packs) { return }
    target.device = device
    try target.adoptLayout(ofManifest: packs)
    device = target.device
  }

  fileprivate func mistake(_ arguments: [String]) -> String? {
    let isMade = pattern != nil
    let first = arguments.first.map { quoted($0) } ?? ""
    let isFolder = arguments.first.flatMap { try? FileOperations.statusIfThere($0) }??.kind == .folder
    let ofScenarios: Mistakes = [
      isMade && connections != nil:
        "flag \"--connections\" needs a scenario, and cannot be used with \"--players\"",
      isMade && advises: "flag \"--advise\" needs a scenario, and cannot be used with \"--players\"",
      isMade && arguments.count > 1:
        "\"--players\" makes its own scenarios; pass only a manifest or a built folder",
      !isMade && runs != nil: "flag \"--runs\" can only be used with \"--players\"",
      !isMade && seed != nil: "flag \"--seed\" can only be used with \"--players\"",
      !isMade && isFolder:
        "\(first) is a folder; pass the scenario first, then the manifest or the built folder",
      !isMade && arguments.isEmpty:
        "argument \"SCENARIO\" is missing; pass a scenario, or use --players PATTERN",
    ]
    let ofLogs: Mistakes = [
      isMade || advises || connections != nil || device != nil || !arguments.isEmpty:
        "\"--replay\" can only be combined with \"--link\", because the log already contains the requests "
        + "and their times",
      network?.profile == nil:
        "\"--replay\" needs \"--link NAME\", the network profile that the log was recorded with",
    ]
    var target = target
    target.device = device
    return target.targetMistake ?? firstMistake(log == nil ? ofScenarios : ofLogs)
      ?? firstMistake([
        rules == .onDemandResources && background != nil:
          "flag \"--background-order\" can only be used with \"--rules background-assets\"",
        rules != .onDemandResources && (log != nil || isMade || advises):
          "flag \"--rules\" can only be used with a scenario, and without \"--advise\"",
      ])
  }

  fileprivate func replay(_ path: String, session: Session) throws -> ExitStatus {
    let log = try RequestLogReader(path: path)
    let findings = shared.judged(log.diagnostics, sources: log.text, manifestPath: path)
    session.report(findings, options: shared)
    guard !findings.hasErrors, let profile = network?.profile else {
      return try session.refuse(findings, format: format)
    }
    guard let replay = Replay(log, on: profile) else {
      session.reportError(
        "the downloads of \(quoted(path)) take longer than packtool can count", check: .logSyntax)
      return .inputHasErrors
    }
    try session.print(format, text: replay.text(path: path), json: replay.json)
    return .done
  }

  fileprivate func run(scenarioAt scenario: String, releaseAt packs: String, session: Session) throws
    -> ExitStatus
  {
    let reader = try ScenarioReader(path: scenario)
    let releases = try releases(of: packs)
    if let mistake = mistake(of: releases) { return session.refuse(mistake) }
    var rules = rules == .backgroundAssets ? RuntimeRules.backgroundAssets : RuntimeRules()
    rules.background = background ?? rules.background
    let play = try ScenarioPlay(
      reader, on: releases, network: network, connections: connections, rules: rules, device: device,
      jobs: shared.workers)
    let note = play?.result == nil ? [] : releases.note
    let found = reader.diagnostics + releases.diagnostics + note + (play?.diagnostics ?? [])
    let findings = judged(found, releases: releases, scenarioText: reader.text, reportedAt: scenario)
    session.report(findings, options: shared)
    guard let play, let result = play.result, let table = play.table
    else { return try session.refuse(findings, format: format) }
    let run = SimulationRun(
      scenario: play.scenario, result: result, table: table, path: scenario,
      firstDownload: play.firstDownload)
    let advice = advises ? Advice(for: play, lists: releases.lists) : nil
    let steps = run.scenario.steps
    try session.print(
      format, text: run.text(width: session.width(of: .output)) + (advice?.text(steps) ?? ""),
      json: run.result.json(firstDownload: run.firstDownload, advice: advice?.json(steps)))
    return ExitStatus(of: findings)
  }

  private func releases(of packs: String) throws -> SimulatedReleaseReader {
    if try BuiltFolder.isNamed(by: packs) { try target.flagsOfTargets.refuse(forBuilt: packs) }
    var request = Preparation.Request(argument: packs, jobs: shared.workers)
    request.device = device
    request.layoutRules = target.choice.rules
    request.acceptsPointers = target.acceptsPointers
    return try SimulatedReleaseReader(request)
  }

  private func mistake(of releases: SimulatedReleaseReader) -> String? {
    guard let device, releases.release != nil else { return nil }
    return deviceMistake(in: [(releases.path, releases.device)], named: device)
  }

  fileprivate func runPlayers(
    _ pattern: PlayerPattern, releaseAt packs: String, session: Session
  ) throws -> ExitStatus {
    let releases = try releases(of: packs)
    if let mistake = mistake(of: releases) { return session.refuse(mistake) }
    let findings = judged(
      releases.diagnostics + (releases.diagnostics.hasErrors ? [] : releases.note), releases: releases,
      scenarioText: nil, reportedAt: releases.path)
    session.report(findings, options: shared)
    guard !findings.hasErrors, let release = releases.release, let table = PackTable(release)
    else { return try session.refuse(findings, format: format) }
    let choice = network.map { [$0.profile] }
    var players = Players(
      pattern, of: release, lists: releases.lists, runs: runs ?? 100,
      seed: UInt64(seed ?? 1))
    players.device.inUseLimit = releases.inUseLimit
    let results = players.results(on: table, links: choice)
    try session.print(format, text: players.text(of: results), json: players.json(of: results))
    return .done
  }

  private func judged(
    _ diagnostics: [Diagnostic], releases: SimulatedReleaseReader, scenarioText: SourceText?,
    reportedAt path: String
  ) -> Findings {
    var sources = scenarioText
    sources.add(releases.text)
    return shared.judged(diagnostics, by: releases.manifest, sources: sources, manifestPath: path)
  }
}

extension Flag {
  /// Makes the flag `--link`.
  static func network(into target: Target<ScenarioPlay.Network?>) -> Flag {
    let names = NetworkProfile.all.map(\.name) + [NetworkProfile.noName]
    return .parsed(
      "--link", valueName: "NAME",
      summary: "network profile at the start, instead of the scenario's: \(listed(names))",
      parse: { name throws(FlagMistake) -> ScenarioPlay.Network? in
        NetworkProfile.isNone(name) ? .offline : .profile(try networkLink(name))
      }, into: target)
  }
}
