import Formats
import Inspect
import Model
import Packing
import Pipeline

extension Command {
  fileprivate struct PlanOptions: ReportingOptions {
    var format = OutputFormat.text
    var manifest = ManifestOptions()
    var listsUntagged = false
    var merge: Int?
    var view = PlanView()
    var built: String?
    var listsDevices = false
    var printsInfo = false
    var manifestURL: String?
    var shared: SharedOptions { manifest.shared }

    /// The first mistake in flags that cannot be used together.
    var mistake: String? {
      manifestURL != nil && !printsInfo
        ? "flag \"--manifest-url\" can only be used with \"--info-plist\"" : manifest.mistake
    }

    /// Whether the plan shows the packs of each device class separately, instead of the packs for all
    /// devices.
    var showsEachDevice: Bool { listsDevices || format == .thinningReport }

    func slices(of prepared: Preparation) throws -> SlicesReport? {
      guard showsEachDevice, let plan = prepared.plan else { return nil }
      let app = try plan.manifest.appBundleSize().size
      return SlicesReport(of: plan, for: prepared.devices, appSize: app)
    }
  }

  static let plan = Command(
    CommandSyntax<PlanOptions>(
      name: "plan", summary: "show the packs that a build would write: tags, sizes, order",
      arguments: [manifestArgument],
      flags: [
        .outputFormat(of: "plan", in: OutputFormat.allCases, into: \.format),
        .toggle(
          "--untagged", summary: "list the files without tags, by folder, the largest first",
          sets: \.listsUntagged),
        .device(
          summary: "plan the packs of one device class; \"packtool devices\" lists the classes",
          into: \.manifest.device),
        .toggle(
          "--devices", summary: "also show the smallest and the largest device class for each pack",
          sets: \.listsDevices),
        .number(
          "--merge",
          summary:
            "show how to combine packs into at most N, and which bytes users then download unnecessarily",
          range: 1...CombinePlan.maxPacks, into: \.merge),
        .toggle(
          "--info-plist", summary: "print the keys of the app's Info.plist for Background Assets instead",
          sets: \.printsInfo),
        .value(
          "--manifest-url", valueName: "URL",
          summary: "with --info-plist: the URL of the download manifest of self-hosted packs",
          into: \.manifestURL),
      ] + PlanView.flags.lifted(into: \.view) + [.built(into: \.built)]
        + ManifestOptions.targetFlags.lifted(into: \.manifest)
        + ManifestOptions.flags.lifted(into: \.manifest), mistake: \.mistake
    ).using(.builtIndex), defaults: PlanOptions.init
  ) { options, arguments, session in
    if let argument = arguments.first, try BuiltFolder.isNamed(by: argument) {
      try options.flagsOfManifests.refuse(forBuilt: argument)
      return try options.show(BuiltFolder(argument), session: session)
    }
    var manifest = options.manifest
    try manifest.adoptLayout(ofManifest: arguments.first)
    try manifest.refuseTargetMistake()
    manifest.choice.isForEachDevice = options.showsEachDevice
    let (prepared, found) = try manifest.prepareAndCheck(
      manifestAt: arguments.first, session: session,
      untagged: options.listsUntagged ? .listed : .counted)
    let built = try prepared.packs(
      builtIn: options.built, baseline: options.manifest.baseline, shared: options.shared)
    let findings = options.shared.judged(found + built.findings, about: prepared)
    if options.printsInfo, let slice = prepared.slice {
      session.report(findings, options: options.shared)
      if findings.hasErrors { return .inputHasErrors }
      let info = BackgroundInfo(Release(of: slice), infoPlistPath: prepared.path)
      try session.print(PlainText(lines: info.plist(manifestURL: options.manifestURL).document + "\n"))
      return .done
    }
    let merge = options.merge.flatMap { maxPacks in
      prepared.plan.map { (plan: CombinePlan(of: $0, maxPacks: maxPacks), maxPacks: maxPacks) }
    }
    let report = try prepared.slice.map { slice in
      PlanReport(
        release: Release(of: slice, packs: built.packs), findings: findings,
        untagged: options.listsUntagged ? prepared.plan?.tree.untaggedFiles : nil,
        slices: try options.slices(of: prepared), view: options.view, merge: merge,
        firstDownload: FirstDownload(
          Release(of: slice), appSize: try slice.manifest.appBundleSize().size,
          limits: slice.manifest.limits))
    }
    return try options.show(report, findings: findings, session: session)
  }
}

extension Command.PlanOptions {
  fileprivate var flagsOfManifests: ManifestFlags {
    let budgets = manifest.budgets
    let own: ManifestFlags = [
      "--pointers": manifest.acceptsPointers, "--untagged": listsUntagged, "--device": manifest.device != nil,
      "--devices": listsDevices,
      "--format thinning-report": format == .thinningReport, "--merge": merge != nil,
      "--info-plist": printsInfo, "--built": built != nil, "--baseline": manifest.baseline != nil,
      "--set budgets.updateSize": budgets.updateSize != nil, "--set budgets.growth": budgets.growth != nil,
      "--set budgets.packs": !budgets.packs.isEmpty,
    ]
    return own + manifest.flagsOfTargets + manifest.project.flagsOfManifests
  }

  fileprivate func show(_ folder: BuiltFolder, session: Session) throws -> ExitStatus {
    let findings = shared.judged(folder.allFindings, manifestPath: folder.indexPath)
    let release = findings.hasErrors ? nil : folder.release
    let report = release.map {
      PlanReport(
        release: $0, findings: findings, untagged: nil, slices: nil, view: view, merge: nil,
        firstDownload: FirstDownload($0, appSize: nil, limits: LimitSettings(of: $0)))
    }
    return try show(report, findings: findings, session: session)
  }

  fileprivate func show(_ plan: PlanReport?, findings: Findings, session: Session) throws -> ExitStatus {
    session.report(findings, options: shared)
    if let plan {
      switch format {
      case .text: try session.print(plan.text(on: session.screen(shared)))
      case .json: try session.print(Output(plan.json))
      case .markdown: try session.print(markdown: plan.markdown)
      case .csv: try session.print(Output(plan.csv))
      case .thinningReport: try session.print(plan.slices?.thinningReport ?? "")
      }
    } else if format == .json {
      try session.print(Output(.object(findings.planRefusal)))
    }
    return ExitStatus(of: findings)
  }
}

struct PlanReport {
  let release: Release
  let findings: Findings
  /// The files without tags; nil if the user did not request them.
  let untagged: [UntaggedFile]?
  /// The slices; nil if the user did not request them.
  let slices: SlicesReport?
  let view: PlanView
  /// A proposal for combining packs until there are at most `maxPacks` packs; nil if the user did not request
  /// it.
  let merge: (plan: CombinePlan, maxPacks: Int)?
  /// The size of the app as the store shows it.
  let firstDownload: FirstDownload
}

struct PlanView: Sendable {
  /// The order of packs.
  ///
  /// The default is the download order. Packs on demand are sorted by their tags.
  var sort: Sort?
  var maxRows: Int?

  enum Sort: String, CaseIterable, Sendable {
    case size
    case name
    case tags
  }

  static let flags: [Flag<PlanView>] = [
    .choice(
      "--sort", valueName: "ORDER",
      summary: "order of packs (default: the order of their download; packs on demand by their tags)",
      into: \.sort),
    .number(
      "--top",
      summary: "show only the first N packs and tags of each delivery; with --sort size, the largest",
      range: 1...1_000_000, into: \.maxRows),
  ]

  func packs(of delivery: Delivery, in release: Release) -> (shown: [Int], left: Int) {
    let all = ordered(release.order(of: delivery), delivery: delivery, release: release)
    let shown = all.prefix(maxRows ?? .max)
    return (Array(shown), all.count - shown.count)
  }

  /// Returns the tags to show; with `--sort size`, the largest tags come first.
  func tags(of delivery: Delivery, in release: Release) -> [Release.Tag] {
    var tags = release.tags(of: delivery)
    if sort == .size { tags.sort { ($1.size, $0.name) < ($0.size, $1.name) } }
    return Array(tags.prefix(maxRows ?? .max))
  }

  private func ordered(_ numbers: [Int], delivery: Delivery, release: Release) -> [Int] {
    let packs = release.packs
    switch sort ?? (delivery == .onDemand ? .tags : nil) {
    case nil: return numbers
    case .size:
      return numbers.sorted { first, second in
        let sizes = (
          packs[first].packedSize ?? packs[first].size, packs[second].packedSize ?? packs[second].size
        )
        return sizes.0 == sizes.1 ? first < second : sizes.0 > sizes.1
      }
    case .name: return numbers.sorted { packs[$0].name.precedesInBytes(packs[$1].name) }
    case .tags:
      return numbers.sorted { first, second in
        packs[first].tags.lexicographicallyPrecedes(packs[second].tags) { $0.precedesInBytes($1) }
      }
    }
  }
}
