import Flags
import PackKit
import Projects

extension Command {
  private struct PlanOptions: ReportingOptions {
    var form = forms[0]
    var manifest = ManifestOptions()
    var listsUntagged = false
    var merge: Int?
    var shared: SharedOptions { manifest.shared }
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<PlanReport>] = [
      .text { report in
        let untagged = report.untagged.map { UntaggedFolder.text(of: $0) } ?? ""
        return report.release.map { PlanText($0).text + untagged + merge(of: $0, in: report) } ?? ""
      },
      .json { PlanJSON($0.release, $0.findings, untagged: $0.untagged, merge: $0.merge?.plan).text },
    ]

    private static func merge(of release: Release, in report: PlanReport) -> String {
      report.merge.map { MergeText($0.plan, release, most: $0.most).text } ?? ""
    }
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
        .number(
          "--merge",
          summary: "show how joining packs comes to at most N, and what users download for nothing then",
          range: 1...MergePlan.mostPacks, into: \.merge),
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
        untagged: options.listsUntagged ? prepared.plan?.tree.untaggedFiles : nil,
        merge: options.merge.flatMap { most in prepared.plan.map { (MergePlan(of: $0, most: most), most) } }),
      with: options.form)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
