import Flags
import Packing
import Projects
import System

extension Command {
  /// The command `packtool build [MANIFEST] -o DIR`.
  static let build = Command(
    CommandSyntax<BuildOptions>(
      name: "build", summary: "check a manifest, then write its packs and their index",
      discussion: [
        "Nothing is written where there are errors. DIR/index.json is replaced last, by one rename; packs that it "
          + "no longer names are removed after that."
      ],
      arguments: [manifestArgument], flags: BuildOptions.flags, mistake: \.mistake), BuildOptions.init
  ) { options, arguments, session in
    switch session.entryTime() {
    case .success(let time): try session.build(arguments.first, options, entryTime: time)
    case .failure(let mistake): session.refuse(mistake)
    }
  }
}

extension Session {
  fileprivate func build(_ argument: String?, _ options: BuildOptions, entryTime: Int64) throws -> ExitStatus
  {
    let start = ThisProcess.seconds
    let request = options.request(argument, entryTime: entryTime, self)
    let progress = Monitor<Progress?>(nil)
    let observer = BuildObserver {
      options.manifest.narrate($0, self)
    } packing: { plan in
      guard let line = self.progress(of: plan, options.shared) else { return nil }
      progress.change { $0 = line }
      return { line.advance(by: $0) }
    }
    let result: BuildResult
    do {
      result = try request.run(options.shared.policy, observer)
    } catch is MissingURLPrefix {
      return refuse(LayoutOptions.missingPrefix)
    }
    progress.change { $0?.clear() }
    try report(result, options)
    guard let release = result.release else { return .inputHasErrors }
    if let depfile = result.depfile, let path = options.depfile { try write(depfile.bytes(), to: path) }
    if options.showsTimings { narrate(TimingsText.text(of: result.timings), options.shared) }
    if !options.shared.isQuiet {
      let summary = BuildSummary(
        release, output: request.outputPath, isUnchanged: result.isUnchanged,
        seconds: ThisProcess.seconds - start)
      try print(summary.text)
    }
    return .done
  }

  private func report(_ result: BuildResult, _ options: BuildOptions) throws {
    if (options.explains || options.shared.isVerbose), let plan = result.prepared.plan,
      !result.decisions.isEmpty
    {
      narrate(
        Explanation.text(of: result.decisions, plan, listsKept: options.shared.isVerbose), options.shared)
    }
    report(options.shared.judged(result.findings, about: result.prepared), options.shared)
  }
}
