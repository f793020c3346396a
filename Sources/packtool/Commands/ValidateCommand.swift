import Findings
import Flags
import Formats
import Projects
import Releases

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
          "--scenario", valueName: "FILE", kind: .file(suffixes: [".json"]),
          summary: "also play a scenario and check what comes of it against what it expects; may be repeated",
          into: \.scenarios)
      ] + ManifestOptions.flags(in: \.manifest), mistake: \.manifest.mistake), ValidateOptions.init
  ) { options, arguments, session in
    let shared = options.manifest.shared
    let (prepared, found) = try options.manifest.findings(arguments.first, session)
    var text = prepared.text
    let played = try options.play(on: prepared, &text)
    let findings = shared.judged(found + played, by: prepared.manifest, text: text, path: prepared.path)
    session.report(findings, shared)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}

extension Command.ValidateOptions {
  /// What scenarios are found to break, where the plan is one to play; their texts are added for quotes.
  fileprivate func play(on prepared: Preparation, _ text: inout SourceText?) throws -> [Diagnostic] {
    if scenarios.isEmpty { return [] }
    let release = try SimulatedReleaseReader(prepared).release
    return try scenarios.flatMap { path in
      let reader = try ScenarioReader(path: path)
      if let read = reader.text { text?.append(read) }
      let play = try release.flatMap { try ScenarioPlay(reader, on: $0, jobs: manifest.shared.workers) }
      return reader.diagnostics + (play?.diagnostics ?? [])
    }
  }
}
