import Flags
import PackKit

/// What the commands have in common that follow a manifest to its plan: build, validate and plan.
struct ManifestOptions: Sendable {
  var update = BaselineOptions()
  var project = ProjectOptions()
  var shared = SharedOptions()

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<ManifestOptions>) -> [Flag<Options>] {
    let own: [Flag<ManifestOptions>] =
      BaselineOptions.flags(in: \.update) + ProjectOptions.flags(in: \.project)
      + SharedOptions.flags(in: \.shared, checksLimits: true)
    return own.map { $0.lifted(into: part) }
  }

  /// Flags that do not go together.
  var mistake: UsageMistake? { update.mistake }

  /// Follows a manifest, or a project of Xcode's, as far as it leads, with what the update from the baseline is over.
  ///
  /// `claim` is a hold on the output folder under which what the last build there knew may be relied on.
  func prepare(
    _ argument: String?, output: OutputFolder? = nil, priorUnder claim: OutputClaim? = nil,
    depth: Preparation.Depth = .files, _ session: Session
  ) throws -> (Preparation, onUpdate: [Diagnostic]) {
    let preparation = try Preparation(
      argument: argument ?? ".", output: output,
      choices: Preparation.Choices(
        profile: shared.profile, budgets: update.budgets.budgets, project: project.choice,
        claim: claim, depth: depth),
      jobs: shared.workers)
    if shared.isVerbose {
      session.narrate(PreparationText.text(of: preparation, jobs: shared.workers), shared)
    }
    return (preparation, try update.findings(on: preparation, shared, session))
  }
}
