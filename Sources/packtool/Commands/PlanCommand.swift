import Flags
import PackKit

extension Command {
  private struct PlanOptions: Sendable {
    var format = PlanFormat.text
    var update = BaselineOptions()
    var shared = SharedOptions()
  }

  private enum PlanFormat: String, CaseIterable, Sendable {
    case text
    case json
  }

  /// The command `packtool plan [MANIFEST]`.
  static let plan = Command(
    CommandSyntax<PlanOptions>(
      name: "plan", summary: "show what would be built: packs, tags, sizes, order",
      arguments: [manifestArgument],
      flags: [.choice("--format", valueName: "FORMAT", summary: "the form of the plan", into: \.format)]
        + BaselineOptions.flags(in: \.update) + SharedOptions.flags(in: \.shared)), PlanOptions.init
  ) { options, arguments, session in
    if let mistake = options.update.mistake { return session.refuse(mistake) }
    let preparation = try Preparation(
      argument: arguments.first ?? ".", profile: options.shared.profile,
      budgets: options.update.budgets.budgets,
      jobs: options.shared.workers)
    let shared = options.shared
    if shared.isVerbose { session.explain(PreparationText.text(of: preparation, jobs: shared.workers)) }
    let more = try options.update.findings(on: preparation, shared, session)
    let findings = Judgement(options: options.shared).findings(of: preparation, more: more)
    session.report(findings, options.shared)
    let plan = preparation.plan
    switch options.format {
    case .json: try session.print(PlanJSON(plan, findings).text)
    case .text: if let plan { try session.print(PlanText(plan).text) }
    }
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
