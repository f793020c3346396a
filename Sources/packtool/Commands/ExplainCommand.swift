import Flags
import PackKit

extension Command {
  private struct ExplainOptions: Sendable {
    var shared = SharedOptions()
  }

  /// The command `packtool explain PATH|TAG|PACK [MANIFEST]`.
  static let explain = Command(
    CommandSyntax<ExplainOptions>(
      name: "explain", summary: "say why a file is in its pack, and what a tag or pack downloads",
      discussion: [
        "A path is one below the root, inside a pack or from the current folder. A pack is named by its "
          + "identifier, its name, the beginning of either or of its digest, or by its tags with \"+\" between."
      ],
      arguments: [
        Argument("PATH|TAG|PACK", summary: "a file or folder, a tag, or a pack"), manifestArgument,
      ], flags: SharedOptions.flags(in: \.shared)), ExplainOptions.init
  ) { options, arguments, session in
    let manifest = arguments.count > 1 ? arguments[1] : "."
    let shared = options.shared
    let preparation = try Preparation(argument: manifest, choices: .init(depth: .plan), jobs: shared.workers)
    if shared.isVerbose { session.explain(PreparationText.text(of: preparation, jobs: shared.workers)) }
    let findings = Judgement(options: shared).findings(of: preparation)
    session.report(findings, shared)
    guard let plan = preparation.plan else { return .inputHasErrors }
    let finder = SubjectFinder(plan)
    let subjects = finder.subjects(named: arguments[0])
    if subjects.isEmpty {
      let guess = finder.guess(for: arguments[0]).map { "; did you mean \(quoted($0))?" } ?? ""
      return session.refuse(
        UsageMistake("\(quoted(arguments[0])) is no file, tag or pack of \(preparation.path)\(guess)"))
    }
    try session.print(subjects.map { SubjectText($0, in: plan).text }.joined(separator: "\n"))
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
