import Archiving
import Flags
import PackKit

extension Command {
  private struct BuildOptions: Sendable {
    var output: String?
    var keepsOld = false
    var shared = SharedOptions()
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
        .toggle("--keep-old", summary: "leave packs that the new index does not name", sets: \.keepsOld),
      ] + SharedOptions.flags(in: \.shared)), BuildOptions.init
  ) { options, arguments, session in
    let start = ThisProcess.seconds
    let shared = options.shared
    let output = OutputFolder(options.output ?? ".")
    let time: Int64
    switch session.entryTime() {
    case .success(let seconds): time = seconds
    case .failure(let mistake):
      session.complain(mistake.message)
      return .usage
    }
    let preparation = try Preparation(
      argument: arguments.first ?? ".", output: output, profile: shared.profile, jobs: shared.workers)
    let judgement = Judgement(options: shared)
    let findings = judgement.findings(of: preparation, more: preparation.findings(about: output))
    guard !findings.hasErrors, let plan = preparation.plan else {
      session.report(findings, shared)
      return .inputHasErrors
    }
    let build = Build(
      of: plan, into: output, settings: PackSettings(container: plan.manifest.container, modified: time),
      jobs: shared.workers, keepsOld: options.keepsOld)
    let progress = session.progress(of: plan, shared)
    let (index, changes) = try build.run { progress?.advance(by: $0) }
    progress?.clear()
    let all = judgement.findings(of: preparation, more: changes)
    session.report(all, shared)
    guard let index else { return .inputHasErrors }
    if !shared.isQuiet {
      let seconds = ThisProcess.seconds - start
      try session.print(BuildSummary(index, output: output.path, seconds: seconds).text)
    }
    return .done
  }
}
