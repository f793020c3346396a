import Findings
import Flags
import Formats
import PackKit
import Projects
import Simulation
import System

extension Command {
  fileprivate struct ValidateOptions: ReportingOptions {
    var form = ResultForm.text
    var manifest = ManifestOptions()
    var scenarios: [String] = []
    var isMending = false
    var infoPlist: String?
    var sources = SourceOptions()
    var report = ReportOptions()

    var shared: SharedOptions { manifest.shared }
    var destinations: [Destination] { report.destinations }

    var mistake: String? { sources.mistake ?? manifest.mistake }
  }

  /// The command `packtool validate [MANIFEST...]`.
  static let validate = Command(
    reporting: CommandSyntax<ValidateOptions>(
      name: "validate", summary: "check manifests and their files, writing nothing",
      discussion: [
        "Finds all that build would find and tells it with file, line and column.",
        "--fix mends what has one sure mend, such as a misspelt key or tag, a path below the root's own name, a tag that is "
          + "listed twice: it shows the changed lines, then writes the manifest, of which all else stays as it is, and "
          + "checks it anew.",
      ],
      examples: [
        .init("validate", "every mistake, nothing written"),
        .init(
          "validate --diagnostics text --diagnostics sarif=packtool.sarif",
          "for people, and for code scanning"),
      ],
      arguments: [manifestArgument.repeated(upTo: 1000)],
      flags: [
        .resultForm(of: "result", into: \.form),
        .toggle("--fix", summary: "mend what has one sure mend, after showing the change", sets: \.isMending),
        .list(
          "--scenario", valueName: "FILE", kind: .file(suffixes: [".json"]),
          summary: "also play a scenario and check what comes of it against what it expects; may be repeated",
          into: \.scenarios),
        .value(
          "--info-plist", valueName: "FILE", kind: .file(suffixes: [".plist"]),
          summary: "also check the keys of an app's Info.plist for Background Assets", into: \.infoPlist),
      ] + SourceOptions.flags.lifted(into: \.sources) + ReportOptions.flags.lifted(into: \.report)
        + ManifestOptions.flags.lifted(into: \.manifest), mistake: \.mistake), ValidateOptions.init
  ) { options, arguments, session in
    let manifests = arguments.isEmpty ? [nil] : arguments.map(Optional.some)
    if options.report.path != nil && manifests.count > 1 {
      return session.refuse("flag \"--report\" goes with one manifest; write one report for each")
    }
    let report = ValidationReport(try manifests.map { try options.validate($0, session) })
    session.report(report.findings, options.shared)
    try session.print(options.form, "", report.json)
    // A line for people: logs close with the number of findings.
    if session.isLively(.error), let hint = report.mendHint { session.narrate(hint, options.shared) }
    if report.findings.diagnostics.isEmpty && report.findings.accepted.isEmpty && !options.shared.isQuiet {
      session.narrate("\(Tool.name): no findings (\(report.sum))\n", options.shared)
    }
    return report.findings.hasErrors ? .inputHasErrors : .done
  }
}

extension Command.ValidateOptions {
  fileprivate func validate(_ argument: String?, _ session: Session) throws -> ValidationReport.Manifest {
    var examined = try examine(argument, session)
    if isMending {
      for _ in 0..<Self.mostRounds {
        let (prepared, findings, _) = examined
        guard let text = prepared.text, let mended = EditedText(mending: findings.diagnostics, in: text)
        else { break }
        try show(mended, session)
        session.warn(of: try mended.write(), text.path)
        examined = try examine(argument, session)
      }
    }
    let (prepared, findings, runs) = examined
    if let path = report.path {
      try session.write(try manifest.facts(of: prepared, findings, simulations: runs), to: path)
    }
    return ValidationReport.Manifest(
      path: prepared.path, release: prepared.plan.map { Release(of: $0) }, findings: findings)
  }

  /// How often a manifest is mended, since what was wrong may hide what else is.
  private static let mostRounds = 10

  /// Shows a change before it is made: among results, or where these are for programs, beside the findings.
  private func show(_ mended: EditedText, _ session: Session) throws {
    if form == .text {
      try session.print(mended.diff(on: session.screen(shared)))
    } else {
      session.narrate(mended.diff(on: .plain), shared)
    }
  }

  private func examine(
    _ argument: String?, _ session: Session
  ) throws -> (prepared: Preparation, findings: Findings, runs: [SimulationRun]) {
    let (prepared, found) = try manifest.findings(argument, session, listsUntagged: report.path != nil)
    let played = try play(on: prepared)
    var text = prepared.text
    for more in played.texts { text?.append(more) }
    var inCode = try sources.findings(on: prepared, &text)
    if let infoPlist, let slice = prepared.slice {
      inCode += try BackgroundInfo(Release(of: slice), path: infoPlist).findings()
    }
    let findings = shared.judged(
      found + played.findings + inCode, by: prepared.manifest, text: text, path: prepared.path)
    return (prepared, findings, played.runs)
  }

  /// Plays the scenarios on the plan, where it is one to play.
  private func play(on prepared: Preparation) throws -> PlayedScenarios {
    let release = try scenarios.isEmpty ? nil : SimulatedReleaseReader(prepared).release
    return try PlayedScenarios(scenarios, on: release, jobs: shared.workers)
  }
}

/// The result of `validate`.
struct ValidationReport {
  /// One manifest that was checked.
  struct Manifest {
    let path: String
    /// The plan; nil where errors leave nothing.
    let release: Release?
    let findings: Findings
  }

  let manifests: [Manifest]
  /// The findings of all.
  let findings: Findings

  init(_ manifests: [Manifest]) {
    self.manifests = manifests
    findings = manifests.reduce(into: Findings()) { $0.add($1.findings) }
  }

  /// The hint on findings that have one sure fix; nil if there are none.
  var mendHint: PlainText? {
    let count = findings.diagnostics.count { $0.fix != nil }
    return count == 0 ? nil : "\(Tool.name): --fix mends \(counted(count, "finding"))\n"
  }

  /// The counts of a run without findings: `3 packs, 7 files, 1.23 MB`.
  var sum: String {
    let releases = manifests.compactMap(\.release)
    let packs = releases.reduce(0) { $0 + $1.packs.count }
    let files = releases.reduce(0) { $0 + $1.total.files }
    let size = ByteSize.text(releases.saturatingSum { $0.total.size })
    return "\(counted(packs, "pack")), \(counted(files, "file")), \(size)"
  }

  /// The JSON of `validate`.
  var json: JSONText {
    findings.document([
      "status": findings.status, "manifests": .array(manifests.map(json)),
    ])
  }

  private func json(of manifest: ValidationReport.Manifest) -> JSONText {
    var members: [String: JSONText] = [
      "path": .string(manifest.path), "status": manifest.findings.status, "summary": manifest.findings.counts,
    ]
    if let release = manifest.release {
      members["packs"] = .integer(release.packs.count)
      members["fileCount"] = .integer(release.total.files)
      members["size"] = .integer(release.total.size)
    }
    return .object(members)
  }
}

extension Findings {
  /// `accepted`, or `refused` with an error among the findings.
  var status: JSONText { .string(hasErrors ? "refused" : "accepted") }
}

/// Where an app's code is, in which tags are searched.
struct SourceOptions: Sendable {
  private var folders: [String] = []
  private var pattern: RegularExpression?

  /// The flags of these options.
  static let flags: [Flag<SourceOptions>] = .grouped(
    under: "the app's code",
    [
      .list(
        "--sources", valueName: "DIR", kind: .folder,
        summary:
          "search the app's code for tags that no file has, and for tags that no code asks for; may be repeated",
        into: \.folders),
      .parsed(
        "--sources-pattern", valueName: "REGEX",
        summary:
          "what a request looks like, in place of NSBundleResourceRequest: its first group, or all of it, is the tag",
        parse: pattern, into: \.pattern),
    ])

  private static func pattern(_ text: String) throws(FlagMistake) -> RegularExpression {
    do { return try RegularExpression(text) } catch {
      throw FlagMistake(
        "needs a regular expression such as 'load\\(\"([^\"]*)\"', not \(quoted(text)): \(error.reason)")
    }
  }

  /// The message on a flag that needs another.
  var mistake: String? {
    pattern != nil && folders.isEmpty
      ? "flag \"--sources-pattern\" needs a folder with code: --sources DIR" : nil
  }

  /// Findings about the code, where there is a plan; texts are added for quotes.
  func findings(on prepared: Preparation, _ text: inout SourceText?) throws -> [Diagnostic] {
    guard !folders.isEmpty, let plan = prepared.plan else { return [] }
    let search = try CodeSearch(for: plan, in: folders, pattern: pattern)
    for file in search.texts { text?.append(file) }
    return search.diagnostics
  }
}
