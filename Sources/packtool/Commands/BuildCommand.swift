import Archiving
import Flags
import PackKit

extension Command {
  fileprivate struct BuildOptions: Sendable {
    var output: String?
    var keepsOld = false
    var isImpatient = false
    var ignoresCache = false
    var explains = false
    var showsTimings = false
    var depfile: String?
    var compression: Compression?
    var xcode = XcodeOptions()
    var manifest = ManifestOptions()
    var shared: SharedOptions { manifest.shared }
  }

  /// The command `packtool build [MANIFEST] -o DIR`.
  static let build = Command(
    CommandSyntax<BuildOptions>(
      name: "build", summary: "check a manifest, then write its packs and their index",
      discussion: [
        "Nothing is written where there are errors. DIR/index.json is replaced last, by one rename; packs that it "
          + "no longer names are removed after that."
      ],
      arguments: [manifestArgument],
      flags: [
        .value("--output", "-o", valueName: "DIR", summary: "the folder to write to", into: \.output)
          .required(hint: "say where to write, for example -o build/packs"),
        .parsed(
          "--compression", valueName: "LEVEL",
          summary: "how hard to compress, in place of the manifest's word",
          choices: Compression.allCases.map(\.rawValue), parse: { Compression(rawValue: $0) },
          into: \.compression),
        .toggle(
          "--no-cache", summary: "make all packs anew, whatever the last build knew", sets: \.ignoresCache),
        .toggle(
          "--explain", summary: "say for each pack why it was written, or that it was not", sets: \.explains),
        .value(
          "--depfile", valueName: "FILE", summary: "write what the build depends on, for make and ninja",
          into: \.depfile),
        .toggle(
          "--no-wait", summary: "fail where another build is writing to the same folder", sets: \.isImpatient),
        .toggle("--timings", summary: "say how long each phase took", sets: \.showsTimings),
        .toggle("--keep-old", summary: "leave packs that the new index does not name", sets: \.keepsOld),
      ] + XcodeOptions.flags(in: \.xcode) + ManifestOptions.flags(in: \.manifest)), BuildOptions.init
  ) { options, arguments, session in
    switch session.entryTime() {
    case .success(let time):
      if let mistake = options.mistake {
        session.refuse(mistake)
      } else {
        try options.run(arguments.first ?? ".", entryTime: time, session)
      }
    case .failure(let mistake): session.refuse(mistake)
    }
  }
}

extension Command.BuildOptions {
  fileprivate func run(_ argument: String, entryTime: Int64, _ session: Session) throws -> ExitStatus {
    let start = ThisProcess.seconds
    let output = OutputFolder(output ?? ".", layout: xcode.layout)
    let patience = patience(session)
    let claim = try OutputClaim(existing: output, patience)
    let (preparation, onUpdate) = try manifest.prepare(
      argument, output: output, priorUnder: ignoresCache ? nil : claim, depth: .checks, session)
    if xcode.lacksPrefix(for: preparation.manifest) { return session.refuse(XcodeOptions.missingPrefix) }
    let judgement = Judgement(options: shared)
    let depfile = depfile == nil ? nil : preparation.plan.map { Depfile(of: $0, in: output) }
    let found = try preparation.findings(about: output) + onUpdate + (depfile?.findings ?? [])
    guard !judgement.findings(of: preparation, more: found).hasErrors,
      let build = build(preparation, output, claim, patience, entryTime, session)
    else {
      let inFiles = try preparation.findingsInFiles(jobs: shared.workers)
      session.report(judgement.findings(of: preparation, more: found + inFiles), shared)
      return .inputHasErrors
    }
    let progress = session.progress(of: build.plan, shared)
    let outcome = try build.run(accepts: { judgement.accepts($0, of: preparation) }) {
      progress?.advance(by: $0)
    }
    progress?.clear()
    if explains || shared.isVerbose { session.narrate(Explanation.text(of: outcome, build.plan), shared) }
    session.report(
      judgement.findings(of: preparation, more: outcome.diagnostics + onUpdate + (depfile?.findings ?? [])),
      shared)
    guard let index = outcome.index else { return .inputHasErrors }
    if let depfile, let path = self.depfile { try session.write(depfile.bytes(), to: path) }
    if showsTimings { session.narrate(TimingsText.text(of: preparation.timings), shared) }
    if !shared.isQuiet {
      let seconds = ThisProcess.seconds - start
      let summary = BuildSummary(
        index, output: output.path, isUnchanged: outcome.isUnchanged, seconds: seconds)
      try session.print(summary.text)
    }
    return .done
  }

  /// What is wrong with flags that do not go together.
  fileprivate var mistake: UsageMistake? {
    if compression != nil && xcode.layout == .hosted {
      return UsageMistake(
        "flag \"--compression\" has no meaning for the layout \"hosted\": its entries are stored")
    }
    return xcode.mistake ?? manifest.mistake
  }

  private func build(
    _ preparation: Preparation, _ output: OutputFolder, _ claim: OutputClaim?,
    _ patience: OutputClaim.Patience, _ entryTime: Int64, _ session: Session
  ) -> Build? {
    guard let manifest = preparation.manifest else { return nil }
    let settings = PackSettings(
      container: manifest.container, compression: compression ?? manifest.compression, modified: entryTime,
      layout: xcode.layout,
      xcode: xcode.settings(for: manifest, sourceDate: session.hasSourceDate ? entryTime : nil))
    return Build(
      preparation, into: output, settings: settings, jobs: shared.workers, keepsOld: keepsOld,
      claim: claim, patience: patience)
  }

  private func patience(_ session: Session) -> OutputClaim.Patience {
    if isImpatient { return .fails }
    let folder = quoted(output ?? ".")
    return .waits { holder in
      let other = holder.map { " (process \($0))" } ?? ""
      session.narrate(
        "\(Tool.name): waiting for another build\(other) that is writing to \(folder)\n", shared)
    }
  }
}
