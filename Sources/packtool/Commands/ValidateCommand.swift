import Flags
import PackKit

extension Command {
  private struct ValidateOptions: Sendable {
    var update = BaselineOptions()
    var shared = SharedOptions()
  }

  /// The command `packtool validate [MANIFEST]`.
  static let validate = Command(
    CommandSyntax<ValidateOptions>(
      name: "validate", summary: "check a manifest and its files, writing nothing",
      discussion: ["Finds all that build would find and tells it with file, line and column."],
      arguments: [manifestArgument],
      flags: BaselineOptions.flags(in: \.update) + SharedOptions.flags(in: \.shared)), ValidateOptions.init
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
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
