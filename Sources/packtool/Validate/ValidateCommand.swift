import Formats
import Model
import Pipeline
import Play
import System

extension Command {
  fileprivate struct ValidateOptions: ReportingOptions {
    var format = OutputFormat.text
    var manifest = ManifestOptions()
    var scenarioPaths: [String] = []
    var appliesFixes = false
    var infoPlist: String?
    var sources: [String] = []
    var sourcesPattern: RegularExpression?
    var shared: SharedOptions { manifest.shared }

    var mistake: String? {
      sourcesPattern != nil && sources.isEmpty
        ? "flag \"--sources-pattern\" needs a folder with code: --sources DIR" : manifest.mistake
    }
  }

  static let validate = Command(
    CommandSyntax<ValidateOptions>(
      name: "validate", summary: "check manifests and their files, without writing anything",
      arguments: [manifestArgument.repeated(upTo: 1000)],
      flags: [
        .outputFormat(of: "result", into: \.format),
        .toggle(
          "--fix",
          summary: "fix mistakes that have only one possible fix, and show the change", sets: \.appliesFixes),
        .list(
          "--scenario", valueName: "FILE", kind: .file(.input, suffixes: [".json"]),
          summary: "also play a scenario and compare the result with what it expects; can be repeated",
          into: \.scenarioPaths),
        .value(
          "--info-plist", valueName: "FILE", kind: .file(.input, suffixes: [".plist"]),
          summary: "also check the keys of an app's Info.plist for Background Assets", into: \.infoPlist),
        .device(
          summary: "check the packs of one device class, as \"build --device\" makes them",
          into: \.manifest.device),
      ] + ValidateOptions.sourceFlags
        + ManifestOptions.targetFlags.lifted(into: \.manifest)
        + ManifestOptions.flags.lifted(into: \.manifest), mistake: \.mistake), defaults: ValidateOptions.init
  ) { options, arguments, session in
    let manifests = arguments.isEmpty ? [nil] : arguments.map(Optional.some)
    let checked = try manifests.map { try options.validate($0, session: session) }
    let findings = checked.reduce(into: Findings()) { $0.add($1.findings) }
    session.report(findings, options: options.shared)
    let results = JSONText.array(checked.map(ValidateOptions.json))
    try session.print(
      options.format, text: "", json: findings.document(["status": findings.status, "manifests": results]))
    // This line is printed only for people, because the last line in logs must be the number of findings.
    let fixableCount = findings.diagnostics.count { $0.fix != nil }
    if session.canRewriteLines(.error), fixableCount > 0 {
      session.printProgress(
        "\(Tool.name): --fix fixes \(counted(fixableCount, of: "finding"))\n", options: options.shared)
    }
    if findings.diagnostics.isEmpty && findings.accepted.isEmpty && !options.shared.isQuiet {
      let sum = ValidateOptions.sum(of: checked.compactMap(\.release))
      session.printProgress("\(Tool.name): no findings (\(sum))\n", options: options.shared)
    }
    return ExitStatus(of: findings)
  }
}

extension Command.ValidateOptions {
  /// A manifest that has been checked.
  fileprivate struct CheckedManifest {
    let path: String
    /// The release; nil if there is no plan because of errors.
    let release: Release?
    let findings: Findings
  }

  /// A manifest that is being checked.
  private struct Examination {
    let prepared: Preparation
    let findings: Findings
  }

  fileprivate static let sourceFlags: [Flag<Self>] = .helpGroup(
    under: "flags for the app's code",
    flags: [
      .list(
        "--sources", valueName: "DIR", kind: .folder,
        summary:
          "search the app's code for tags that no file has, and for tags that no code requests; can be "
          + "repeated",
        into: \.sources),
      .parsed(
        "--sources-pattern", valueName: "REGEX",
        summary:
          "pattern of a request, instead of NSBundleResourceRequest: its first group, or the whole match, is "
          + "the tag",
        parse: { text throws(FlagMistake) -> RegularExpression? in
          do throws(RegularExpression.Mistake) { return try RegularExpression(text) } catch {
            throw FlagMistake(
              "needs a regular expression such as 'load\\(\"([^\"]*)\"', not \(quoted(text)): \(error.reason)"
            )
          }
        }, into: \.sourcesPattern),
    ])

  fileprivate func validate(_ argument: String?, session: Session) throws -> CheckedManifest {
    var examined = try examine(argument, session: session)
    if appliesFixes {
      for _ in 0..<Self.maxRounds {
        guard let text = examined.prepared.text,
          let fixed = EditedText(fixing: examined.findings.diagnostics, in: text)
        else { break }
        try show(fixed, session: session)
        session.warn(aboutLostAttributes: try fixed.write(), at: text.path)
        examined = try examine(argument, session: session)
      }
    }
    let (prepared, findings) = (examined.prepared, examined.findings)
    return CheckedManifest(
      path: prepared.path, release: prepared.plan.map { Release(of: $0) }, findings: findings)
  }

  /// The maximum number of rounds of fixes.
  ///
  /// A mistake can hide other mistakes, so a manifest is checked again after each round.
  private static let maxRounds = 10

  /// Shows a change to a manifest before the change is made.
  ///
  /// The change is printed to standard output. If standard output is for programs, the change is printed with
  /// the findings.
  private func show(_ fixed: EditedText, session: Session) throws {
    if format == .text {
      try session.print(fixed.diff(on: session.screen(shared)))
    } else {
      session.printProgress(fixed.diff(on: .plain), options: shared)
    }
  }

  private func examine(_ argument: String?, session: Session) throws -> Examination {
    var manifest = manifest
    try manifest.adoptLayout(ofManifest: argument)
    try manifest.refuseTargetMistake()
    let (prepared, found) = try manifest.prepareAndCheck(
      manifestAt: argument, session: session)
    let release = try scenarioPaths.isEmpty ? nil : SimulatedReleaseReader(prepared)
    let played = try PlayedScenarios(at: scenarioPaths, on: release, jobs: shared.workers)
    let plan = sources.isEmpty ? nil : prepared.plan
    let search = try plan.map { try CodeSearch(for: $0, in: sources, pattern: sourcesPattern) }
    var sourceTexts = prepared.text
    for more in played.texts + (search?.texts ?? []) { sourceTexts?.append(more) }
    var all = found + played.findings + (search?.diagnostics ?? [])
    if let infoPlist, let slice = prepared.slice {
      all += try BackgroundInfo(Release(of: slice), infoPlistPath: infoPlist).findings()
    }
    let findings = shared.judged(
      all, by: prepared.manifest, sources: sourceTexts, manifestPath: prepared.path)
    return Examination(prepared: prepared, findings: findings)
  }

  /// Returns the counts that are shown after a run without findings, such as `3 packs, 7 files, 1.23 MB`.
  fileprivate static func sum(of releases: [Release]) -> String {
    let packs = releases.reduce(0) { $0 + $1.packs.count }
    let files = releases.reduce(0) { $0 + $1.total.files }
    let size = ByteSize.text(releases.saturatingSum { $0.total.size })
    return "\(counted(packs, of: "pack")), \(counted(files, of: "file")), \(size)"
  }

  fileprivate static func json(of manifest: CheckedManifest) -> JSONText {
    .fields([
      "path": manifest.path, "status": manifest.findings.status, "summary": manifest.findings.counts,
      "packs": manifest.release.map(\.packs.count), "fileCount": manifest.release.map(\.total.files),
      "size": manifest.release.map(\.total.size),
    ])
  }
}

extension Findings {
  /// The status for programs: `refused` if any of the findings is an error, otherwise `accepted`.
  var status: JSONText { .string(hasErrors ? "refused" : "accepted") }
}
