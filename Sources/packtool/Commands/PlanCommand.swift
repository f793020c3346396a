import Flags
import PackKit
import Projects

extension Command {
  private struct PlanOptions: ReportingOptions {
    var form = forms[0]
    var manifest = ManifestOptions()
    var listsUntagged = false
    var shared: SharedOptions { manifest.shared }
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<PlanReport>] = [
      .text { report in
        let untagged = report.untagged.map { UntaggedFolder.text(of: $0) } ?? ""
        return report.release.map { PlanText($0).text + untagged } ?? ""
      },
      .json { PlanJSON($0.release, $0.findings, untagged: $0.untagged).json },
    ]
  }

  /// The command `packtool plan [MANIFEST]`.
  static let plan = Command(
    reporting: CommandSyntax<PlanOptions>(
      name: "plan", summary: "show what would be built: packs, tags, sizes, order",
      arguments: [manifestArgument],
      flags: [
        .resultForm(of: "plan", in: PlanOptions.forms, into: \.form),
        .toggle(
          "--untagged", summary: "list the files without tags, by folder, the largest first",
          sets: \.listsUntagged),
      ]
        + ManifestOptions.flags(in: \.manifest), mistake: \.manifest.mistake), PlanOptions.init
  ) { options, arguments, session in
    let (prepared, findings) = try options.manifest.check(
      arguments.first, session, listsUntagged: options.listsUntagged)
    session.report(findings, options.manifest.shared)
    let release = prepared.plan.map { Release(of: $0) }
    try session.print(
      PlanReport(
        release: release, findings: findings,
        untagged: options.listsUntagged ? prepared.plan?.tree.untaggedFiles : nil), with: options.form)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
