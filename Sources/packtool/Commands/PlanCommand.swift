import Flags
import PackKit

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
        + ManifestOptions.flags(in: \.manifest)), PlanOptions.init
  ) { options, arguments, session in
    if let mistake = options.manifest.mistake { return session.refuse(mistake) }
    let shared = options.manifest.shared
    let (preparation, onUpdate) = try options.manifest.prepare(arguments.first, session)
    let findings = Judgement(options: shared).findings(of: preparation, more: onUpdate)
    session.report(findings, shared)
    let plan = preparation.plan
    switch options.format {
    case .json: try session.print(PlanJSON(plan, findings).text, as: .json)
    case .text: if let plan { try session.print(PlanText(plan).text) }
    }
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
