import Flags
import PackKit

extension Command {
  fileprivate struct ValidateOptions: Sendable {
    var manifest = ManifestOptions()
    var scenarios: [String] = []
  }

  /// The command `packtool validate [MANIFEST]`.
  static let validate = Command(
    CommandSyntax<ValidateOptions>(
      name: "validate", summary: "check a manifest and its files, writing nothing",
      discussion: ["Finds all that build would find and tells it with file, line and column."],
      arguments: [manifestArgument],
      flags: [
        .list(
          "--scenario", valueName: "FILE",
          summary: "also play a scenario and hold what comes of it against what it expects; may be repeated",
          into: \.scenarios)
      ] + ManifestOptions.flags(in: \.manifest)), ValidateOptions.init
  ) { options, arguments, session in
    if let mistake = options.manifest.mistake { return session.refuse(mistake) }
    let shared = options.manifest.shared
    let (preparation, onUpdate) = try options.manifest.prepare(arguments.first, session)
    var text = preparation.text
    let played = try options.play(on: preparation, &text)
    let findings = Judgement(options: shared).findings(
      of: preparation.diagnostics + onUpdate + played, about: preparation.manifest, text,
      path: preparation.path)
    session.report(findings, shared)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}

extension Command.ValidateOptions {
  /// What scenarios are found to break, where the plan is one to play; their texts are added for quotes.
  fileprivate func play(on preparation: Preparation, _ text: inout SourceText?) throws -> [Diagnostic] {
    if scenarios.isEmpty { return [] }
    let release = try SimulatedReleaseReader(preparation).release
    return try scenarios.flatMap { path in
      let reader = try ScenarioReader(path: path)
      if let read = reader.text { text?.append(read) }
      let play = try release.flatMap { try ScenarioPlay(reader, on: $0, jobs: manifest.shared.workers) }
      return reader.diagnostics + (play?.diagnostics ?? [])
    }
  }
}
