import Flags
import PackKit
import Projects

extension Command {
  private struct PlanOptions: Sendable {
    var format = ResultFormat.text
    var manifest = ManifestOptions()
  }

  /// The command `packtool plan [MANIFEST]`.
  static let plan = Command(
    CommandSyntax<PlanOptions>(
      name: "plan", summary: "show what would be built: packs, tags, sizes, order",
      arguments: [manifestArgument],
      flags: [.choice("--format", valueName: "FORMAT", summary: "the form of the plan", into: \.format)]
        + ManifestOptions.flags(in: \.manifest), mistake: \.manifest.mistake), PlanOptions.init
  ) { options, arguments, session in
    let (prepared, findings) = try options.manifest.check(arguments.first, session)
    session.report(findings, options.manifest.shared)
    let release = prepared.plan.map { Release(of: $0) }
    switch options.format {
    case .json: try session.print(PlanJSON(release, findings).text, as: .json)
    case .text: if let release { try session.print(PlanText(release).text) }
    }
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
