import Flags
import PackKit

extension Command {
  private struct ValidateOptions: Sendable {
    var project = ProjectOptions()
    var shared = SharedOptions()
  }

  /// The command `packtool validate [MANIFEST]`.
  static let validate = Command(
    CommandSyntax<ValidateOptions>(
      name: "validate", summary: "check a manifest and its files, writing nothing",
      discussion: ["Finds all that build would find and tells it with file, line and column."],
      arguments: [manifestArgument], flags: ProjectOptions.flags(in: \.project) + SharedOptions.flags(in: \.shared)), ValidateOptions.init
  ) { options, arguments, session in
    let preparation = try Preparation(
      argument: arguments.first ?? ".", profile: options.shared.profile, project: options.project.choice, jobs: options.shared.workers)
    let shared = options.shared
    if shared.isVerbose { session.explain(PreparationText.text(of: preparation, jobs: shared.workers)) }
    let findings = Judgement(options: options.shared).findings(of: preparation)
    session.report(findings, options.shared)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
