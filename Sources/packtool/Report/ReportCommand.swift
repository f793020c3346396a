import Formats
import Inspect
import Model
import Packing
import Pipeline
import Play

extension Command {
  fileprivate struct ReportCommandOptions: ReportingOptions {
    var output: String?
    var baselines: [String] = []
    var scenarioPaths: [String] = []
    var built: String?
    var project = ProjectChoice()
    var acceptsPointers = false
    var device: DeviceClass?
    /// The options for the layout of the packs.
    var target = ManifestOptions()
    var shared = SharedOptions()

    static let own: [Flag<ReportCommandOptions>] = [
      .value(
        "--output", "-o", valueName: "FILE", kind: .file(.output, suffixes: [".html"]),
        summary: "the file to write",
        into: \.output
      )
      .required(hint: "name the file to write, for example -o report.html"),
      .list(
        "--baseline", valueName: "INDEX", kind: .path,
        summary:
          "an earlier release, to show the cost of the update; repeat it, the oldest first, for a history",
        into: \.baselines),
      .list(
        "--scenario", valueName: "FILE", kind: .file(.input, suffixes: [".json"]),
        summary: "a scenario to play and show; can be repeated", into: \.scenarioPaths),
      .device(
        summary: "show the packs of one device class, from a manifest or from folders built for it",
        into: \.device),
      .pointers(into: \.acceptsPointers),
    ]
  }

  static let report = Command(
    CommandSyntax<ReportCommandOptions>(
      name: "report", summary: "show packs, limits, updates and waits as charts in one HTML file",
      arguments: [
        Argument(
          "MANIFEST|DIR",
          summary: "a manifest, its folder (default: the current folder), App.xcodeproj, or a built folder",
          kind: .path, count: 0...1
        ).using(.manifest, .builtIndex)
      ],
      flags: ReportCommandOptions.own + [.built(into: \.built)]
        + ManifestOptions.targetFlags.lifted(into: \.target)
        + projectFlags.lifted(into: \.project)
        + SharedOptions.flags(in: \.shared, about: [.limits, .scans])), defaults: ReportCommandOptions.init
  ) { options, arguments, session in
    let argument = try arguments.first ?? ManifestSource.search()
    let isBuilt = try BuiltFolder.isNamed(by: argument)
    if isBuilt {
      let flags: ManifestFlags = ["--built": options.built != nil, "--pointers": options.acceptsPointers]
      try (flags + options.target.flagsOfTargets + options.project.flagsOfManifests).refuse(
        forBuilt: argument)
    }
    var options = options
    options.target.device = options.device
    if !isBuilt { try options.target.adoptLayout(ofManifest: argument) }
    try options.target.refuseTargetMistake()
    options.device = options.target.device
    let facts = try isBuilt ? options.facts(ofBuilt: argument) : options.facts(ofManifest: argument)
    session.report(facts.findings, options: options.shared)
    guard let path = options.output else { return .usage }
    // A page without packs and without a manifest would only repeat the error.
    if facts.isWithoutSource { return .inputHasErrors }
    try session.write(facts.page, to: path, as: .product)
    if path != Session.standardOutput && !options.shared.isQuiet {
      try session.print("wrote \(displayed(path))\n")
    }
    return ExitStatus(of: facts.findings)
  }
}

extension Command.ReportCommandOptions {
  fileprivate func facts(ofBuilt argument: String) throws -> ReportFacts {
    let folder = try BuiltFolder(argument)
    if let device, let index = folder.index,
      let mistake = deviceMistake(in: [(argument, index.device)], named: device)
    {
      throw FlagMistake(mistake)
    }
    let newest = try baselines.isEmpty ? nil : ReleaseReader(argument, jobs: shared.workers).release
    var earlier = EarlierReleases(
      try ReleaseReader.read(
        baselines,
        options: ReleaseReader.Options(device: device, scanJobs: shared.scanWorkers), jobs: shared.workers))
    let history = earlier.history(to: newest)
    let release = scenarioPaths.isEmpty ? nil : SimulatedReleaseReader(folder)
    let played = try PlayedScenarios(at: scenarioPaths, on: release, jobs: shared.workers)
    var found = folder.findings(shared.profile) + earlier.findings + played.findings
    found += history?.removedTags.findings(in: nil, path: folder.indexPath) ?? []
    if let release = folder.release, let contents = folder.contents {
      found += contents.duplicateFindings(in: release)
    }
    return ReportFacts(
      ReportSubject(folder),
      findings: shared.judged(
        found, sources: sources(manifest: nil, played: played), manifestPath: folder.indexPath),
      history: history, simulations: played.runs)
  }

  fileprivate func facts(ofManifest argument: String) throws -> ReportFacts {
    var request = Preparation.Request(
      argument: argument, project: project, profile: shared.profile, jobs: shared.workers,
      scanJobs: shared.scanWorkers)
    request.listsUntagged = true
    request.acceptsPointers = acceptsPointers
    request.device = device
    var target = target
    // A report is about all devices. So it must not fail because of settings that only prevent a build for
    // one layout.
    target.choice.isForEachDevice = true
    target.applyTarget(to: &request)
    let prepared = try Preparation(request)
    var found =
      try prepared.diagnostics + prepared.planFindings(jobs: shared.workers)
      + target.targetFindings(about: prepared)
    let built = try prepared.packs(builtIn: built, shared: shared)
    let readers = try ReleaseReader.read(
      baselines,
      options: ReleaseReader.Options(
        acceptsPointers: acceptsPointers, device: device, scanJobs: shared.scanWorkers), jobs: shared.workers)
    var earlier = EarlierReleases(readers)
    let history = earlier.history(to: try earlier.newest(prepared, jobs: shared.workers))
    let release = try scenarioPaths.isEmpty ? nil : SimulatedReleaseReader(prepared)
    let played = try PlayedScenarios(at: scenarioPaths, on: release, jobs: shared.workers)
    found += built.findings + earlier.findings + played.findings
    found += history?.removedTags.findings(in: prepared.manifest, path: prepared.path) ?? []
    return ReportFacts(
      try ReportSubject(prepared, packs: built.packs),
      findings: shared.judged(
        found, by: prepared.manifest, sources: sources(manifest: prepared.text, played: played),
        manifestPath: prepared.path),
      history: history, simulations: played.runs)
  }

  private func sources(manifest first: SourceText?, played: PlayedScenarios) -> SourceText? {
    played.texts.reduce(into: first) { $0.add($1) }
  }
}
