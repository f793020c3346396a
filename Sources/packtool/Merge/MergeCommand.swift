import Model
import Packing
import System

extension Command {
  private struct MergeOptions: ReportingOptions {
    var output: String?
    var manifest: String?
    var keepsOld = false
    var failsIfLocked = false
    var leavesNoState = false
    var signing = SigningOptions()
    var shared = SharedOptions()
  }

  static let merge = Command(
    CommandSyntax<MergeOptions>(
      name: "merge", summary: "merge the shards of a build that \"build --shard\" wrote",
      arguments: [
        Argument(
          "SHARD", summary: "a folder that \"packtool build --shard\" wrote", kind: .folder,
          count: 1...Shard.maxShards
        ).using(.inputShard)
      ],
      flags: [
        .value(
          "--output", "-o", valueName: "DIR", kind: .folder, summary: "the folder to write to", into: \.output
        )
        .required(hint: "name the folder to write to, for example -o build/packs")
        .using(.index, .contents, .packs),
        .value(
          "--manifest", valueName: "FILE", kind: .file(.input, suffixes: [".json", ".jsonc"]),
          summary: "the manifest of the release, for shards that \"build --shard manifest\" wrote",
          into: \.manifest),
        .toggle(
          "--no-wait",
          summary: "fail if another build is writing to the same folder, instead of waiting",
          sets: \.failsIfLocked
        ).asSetting("failIfLocked"),
        .toggle("--keep-old", summary: "keep packs that the new index does not name", sets: \.keepsOld),
        .noState(into: \.leavesNoState),
      ] + SigningOptions.flags.lifted(into: \.signing) + SharedOptions.flags(in: \.shared),
      mistake: \.signing.mistake),
    defaults: MergeOptions.init
  ) { options, arguments, session in
    let start = ThisProcess.seconds
    var request = MergeRequest(
      shardFolders: arguments, output: options.output ?? ".", jobs: options.shared.workers)
    request.manifest = options.manifest
    request.keepsOld = options.keepsOld
    request.state = options.leavesNoState ? .removed : .kept
    request.signing = try options.signing.settings(withSourceDateOf: session)
    if !options.failsIfLocked {
      request.lockWait = session.lockWait(for: request.output, options: options.shared)
    }
    let own =
      options.signing.files.compactMap(\.finding)
      + (request.signing?.findingsIfExpired(outputPath: request.output) ?? [])
    let early = options.shared.judged(own, manifestPath: request.output)
    if early.hasErrors {
      session.report(early, options: options.shared)
      return .inputHasErrors
    }
    let result = try request.run(options.shared.policy)
    session.report(
      options.shared.judged(
        result.findings + own, by: result.manifest, sources: result.manifest?.text,
        manifestPath: options.manifest ?? result.output), options: options.shared)
    guard let release = result.release else { return .inputHasErrors }
    if !options.shared.isQuiet {
      try session.print(
        release.summary(result.changes, output: result.output, seconds: ThisProcess.seconds - start))
    }
    return .done
  }
}
