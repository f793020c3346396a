import Formats
import Inspect
import Model
import Packing
import Pipeline
import Play
import System

extension Command {
  static let build = Command(
    CommandSyntax<BuildOptions>(
      name: "build", summary: "check a manifest, then write its packs and their index",
      arguments: [manifestArgument], flags: BuildOptions.flags
    ).reading(.entryTime, .progressInCI),
    defaults: BuildOptions.init
  ) { options, arguments, session in
    var options = options
    try options.manifest.adoptLayout(ofManifest: arguments.first)
    if let mistake = options.mistake { return session.refuse(mistake) }
    return try session.build(arguments.first, options: options)
  }
}

extension Session {
  fileprivate func build(_ argument: String?, options: BuildOptions) throws -> ExitStatus {
    let start = ThisProcess.seconds
    var request = try options.request(argument, entryTime: entryTime(), session: self)
    request.signing = try options.signing.settings(
      withSourceDateOf: self, afterReleaseAt: options.manifest.baseline)
    request.findings += request.signing?.findingsIfExpired(outputPath: request.outputPath) ?? []
    try options.addReusedRelease(to: &request)
    var shownFindings = Findings()
    let result: BuildResult
    do {
      result = try BuildRequest.retrying {
        try runSteps(of: request, options: options, shown: &shownFindings)
      }
    } catch is MissingURLPrefix {
      return refuse(ManifestOptions.missingPrefix)
    }
    let archiveFindings = try makeArchives(for: result, of: request, options: options)
    let findings = report(result, options: options, adding: archiveFindings, alreadyShown: shownFindings)
    let seconds = ThisProcess.seconds - start
    try writeFiles(about: result, of: request, findings: findings, seconds: seconds, options: options)
    guard let release = result.release else { return .inputHasErrors }
    if options.showsTimings || options.shared.isVerbose {
      printProgress(result.timings.text, options: options.shared)
    }
    if !options.shared.isQuiet && options.result != Session.standardOutput {
      try print(release.summary(result.changes, output: request.outputPath, seconds: seconds))
    }
    return .done
  }

  /// Runs the steps of the build.
  ///
  /// If the build writes packs, `shown` is set to the findings that were shown before packing.
  private func runSteps(
    of request: BuildRequest, options: BuildOptions, shown: inout Findings
  ) throws -> BuildResult {
    var checked = try request.check(options.shared.policy)
    let prepared = checked.prepared
    if let plan = prepared.plan { keep(plan) }
    options.manifest.printNotes(about: prepared, session: self)
    let (update, mistakes) = try options.manifest.update(to: prepared, unchangedFiles: checked.unchanged)
    checked.moreFindings = mistakes
    if options.patchFrom.isEmpty {
      options.manifest.printDownload(of: update, session: self)
      checked.moreFindings += options.manifest.findings(on: update, of: prepared)
    }
    let decided = try checked.decide()
    // If the disk is full, the user must know how much space the build needs.
    do {
      return try packAndPublish(decided, of: request, options: options, update: update, shown: &shown)
    } catch let error as SystemError where error.isFullDisk {
      let size = ByteSize.exact(decided.result.sizeToWrite)
      throw FullDisk(
        error, need: "the packs to write have \(size) before compression", outputPath: request.outputPath)
    }
  }

  /// Writes the packs and publishes them.
  private func packAndPublish(
    _ decided: DecidedBuild, of request: BuildRequest, options: BuildOptions, update: Comparison?,
    shown: inout Findings
  ) throws -> BuildResult {
    let prepared = decided.result.prepared
    if decided.isWriting {
      shown = options.shared.judged(decided.result.findings, about: prepared)
      printFindings(shown, options: options.shared)
    }
    let plan = decided.isWriting ? decided.result.plan : nil
    let line = plan.flatMap { progress(of: $0, decisions: decided.result.decisions, options: options.shared) }
    defer { line?.clear() }
    var packed = try decided.pack { line?.advance(by: $0, of: $1) }
    line?.clear()
    if !options.patchFrom.isEmpty, let release = packed.release, let update {
      // With patches, the download of an update is smaller. So findings about the update are made after the
      // patches are known.
      let patched = Comparison(old: update.old, new: update.new.packed(as: release))
      options.manifest.printDownload(of: patched, session: self)
      packed.add(options.manifest.findings(on: patched, of: prepared))
    }
    return try packed.publish()
  }

  private func writeFiles(
    about result: BuildResult, of request: BuildRequest, findings: Findings, seconds: Double,
    options: BuildOptions
  ) throws {
    if result.release != nil, let depfile = result.depfile, let path = options.depfile {
      try write(depfile.bytes(), to: path, as: .product)
    }
    if let path = options.missing, let missing = result.missing {
      var lines = ByteBuffer()
      for file in missing { lines.append("\(file)\n") }
      try write(lines, to: path, as: .product, shown: Output(missing.map { "\($0)\n" as PlainText }.joined()))
    }
    if let path = options.result {
      let json = result.json(findings, indexName: request.indexName, seconds: seconds)
      try write(Output(json), to: path)
    }
  }

  /// Runs `ba-package` if the user requested it.
  ///
  /// If `ba-package` fails, there are findings about this.
  private func makeArchives(
    for result: BuildResult, of request: BuildRequest, options: BuildOptions
  ) throws -> [Diagnostic] {
    guard let release = result.release else { return [] }
    let isSelfHosted = request.layout.assets.isSelfHosted
    guard options.packages else {
      return isSelfHosted
        ? try BackgroundAssetsArchiver.findings(onMissingArchivesOf: release, in: request) : []
    }
    let packaging = try BackgroundAssetsArchiver(request, release: release, environment: environment)
    // The download manifest and the version lockfile contain the sizes of archives, so both files are written
    // again.
    if isSelfHosted && !packaging.archived.isEmpty { _ = try request.run(options.shared.policy) }
    if options.shared.isVerbose {
      printProgress(
        "made archives of \(counted(packaging.archived.count, of: "pack")) with ba-package\n",
        options: options.shared)
    }
    return packaging.diagnostics
  }

  private func report(
    _ result: BuildResult, options: BuildOptions, adding more: [Diagnostic], alreadyShown: Findings
  ) -> Findings {
    if (options.explains || options.shared.isVerbose), let plan = result.plan,
      !result.decisions.isEmpty
    {
      printProgress(
        plan.text(of: result.decisions, kept: options.shared.isVerbose ? .listed : .counted),
        options: options.shared)
    }
    let findings = options.shared.judged(result.findings + more, about: result.prepared)
    report(findings, options: options.shared, alreadyShown: alreadyShown)
    return findings
  }
}

extension Timings {
  fileprivate var text: PlainText {
    let entries = all
    let packing = entries[.pack]?.seconds ?? 0
    var table = TextTable([.left, .right, .right, .right])
    table.add("phase", "seconds", "MB/s", "cores")
    for phase in Phase.allCases {
      guard let entry = entries[phase] else { continue }
      let isPart = phase.isPartOfPacking
      // The parts of packing overlap in time. They are shown in processor seconds, because processor seconds
      // can be added up.
      let seconds = isPart ? entry.processorSeconds : entry.seconds
      let speed =
        entry.bytes > 0 && seconds > 0 ? decimal(Double(entry.bytes) / 1e6 / seconds, digits: 0) : ""
      let whole = isPart ? packing : entry.seconds
      let cores = whole > 0 ? decimal(entry.processorSeconds / whole, digits: 2) : ""
      table.add((isPart ? "  " : "") + phase.rawValue, decimal(seconds, digits: 3), speed, cores)
    }
    return table.text()
  }
}

extension BuildResult {
  fileprivate func json(_ findings: Findings, indexName: String, seconds: Double) -> JSONText {
    .fields([
      "formatVersion": 1, "status": release == nil ? "refused" : isUnchanged ? "unchanged" : "built",
      "written": changes.written, "kept": kept, "removed": changes.removed,
      "index": release == nil ? JSONText.null : .string(indexName),
      "contents": release?.contents.map { JSONText.string($0.path) } ?? .null,
      "seconds": (seconds * 1000).rounded() / 1000, "read": reads.read, "hashed": reads.hashed,
      "diagnostics": findings.counts,
      // Only the results of builds that reused packs have this key, so the keys of all other results stay the
      // same.
      "takenOver": reused.isEmpty ? nil : reused,
      "patches": release?.patches.isEmpty == false ? changes.patches : nil,
    ])
  }
}
