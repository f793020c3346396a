import Findings
import Flags
import Formats
import PackKit
import Projects
import Releases

extension Command {
  fileprivate struct ValidateOptions: ReportingOptions {
    var form = forms[0]
    var manifest = ManifestOptions()
    var scenarios: [String] = []
    var sources = SourceOptions()

    var shared: SharedOptions { manifest.shared }
    var destinations: [Destination] { form.destinations }

    var mistake: String? { sources.mistake ?? manifest.mistake }

    static let forms: [ResultWriter<ValidationReport>] = [
      .text { _ in "" },
      .json { ValidationJSON($0).text },
    ]
  }

  /// The command `packtool validate [MANIFEST...]`.
  static let validate = Command(
    reporting: CommandSyntax<ValidateOptions>(
      name: "validate", summary: "check manifests and their files, writing nothing",
      discussion: ["Finds all that build would find and tells it with file, line and column."],
      arguments: [manifestArgument.repeated(upTo: 1000)],
      flags: [
        .resultForm(of: "result", in: ValidateOptions.forms, into: \.form),
        .list(
          "--scenario", valueName: "FILE", kind: .file(suffixes: [".json"]),
          summary: "also play a scenario and check what comes of it against what it expects; may be repeated",
          into: \.scenarios),
      ] + SourceOptions.flags(in: \.sources) + ManifestOptions.flags(in: \.manifest), mistake: \.mistake),
    ValidateOptions.init
  ) { options, arguments, session in
    let manifests = arguments.isEmpty ? [nil] : arguments.map(Optional.some)
    let report = ValidationReport(try manifests.map { try options.validate($0, session) })
    session.report(report.findings, options.shared)
    try session.print(report, with: options.form)
    return report.findings.hasErrors ? .inputHasErrors : .done
  }
}

extension Command.ValidateOptions {
  fileprivate func validate(_ argument: String?, _ session: Session) throws -> ValidationReport.Manifest {
    let (prepared, found) = try manifest.findings(argument, session)
    var text = prepared.text
    let played = try play(on: prepared, &text) + sources.findings(on: prepared, &text)
    return ValidationReport.Manifest(
      path: prepared.path, release: prepared.plan.map { Release(of: $0) },
      findings: shared.judged(found + played, by: prepared.manifest, text: text, path: prepared.path))
  }

  /// What scenarios are found to break, where the plan is one to play; their texts are added for quotes.
  private func play(on prepared: Preparation, _ text: inout SourceText?) throws -> [Diagnostic] {
    if scenarios.isEmpty { return [] }
    let release = try SimulatedReleaseReader(prepared).release
    return try scenarios.flatMap { path in
      let reader = try ScenarioReader(path: path)
      if let read = reader.text { text?.append(read) }
      let play = try release.flatMap { try ScenarioPlay(reader, on: $0, jobs: shared.workers) }
      return reader.diagnostics + (play?.diagnostics ?? [])
    }
  }
}
