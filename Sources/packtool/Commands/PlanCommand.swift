import Flags
import PackKit
import Projects

extension Command {
  private struct PlanOptions: ReportingOptions {
    var form = forms[0]
    var manifest = ManifestOptions()
    var listsUntagged = false
    var listsDevices = false
    var shared: SharedOptions { manifest.shared }
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<PlanReport>] = [
      .text { report in
        let untagged = report.untagged.map { UntaggedFolder.text(of: $0) } ?? ""
        let slices = report.slices.map { SlicesText($0).text } ?? ""
        return report.release.map { PlanText($0).text + untagged + slices } ?? ""
      },
      .json { PlanJSON($0.release, $0.findings, untagged: $0.untagged, slices: $0.slices).text },
      .thinningReport { $0.slices.map { ThinningReport($0).text } ?? "" },
    ]

    func report(on prepared: Preparation, _ findings: Findings) throws -> PlanReport {
      var slices: SlicesReport?
      if listsDevices || form.form == .thinningReport, let plan = prepared.plan {
        let app = try AppBundleMeasure(of: plan.manifest).size
        slices = SlicesReport(of: plan, for: prepared.devices, appSize: app)
      }
      return PlanReport(
        release: prepared.slice.map { Release(of: $0) }, findings: findings,
        untagged: listsUntagged ? prepared.plan?.tree.untaggedFiles : nil, slices: slices)
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
        .device(
          summary: "plan what one class of devices gets; \"packtool devices\" lists them",
          into: \.manifest.device),
        .toggle(
          "--devices", summary: "also show the smallest and the largest class of devices of each pack",
          sets: \.listsDevices),
      ]
        + ManifestOptions.flags(in: \.manifest), mistake: \.manifest.mistake), PlanOptions.init
  ) { options, arguments, session in
    let (prepared, findings) = try options.manifest.check(
      arguments.first, session, listsUntagged: options.listsUntagged)
    session.report(findings, options.manifest.shared)
    try session.print(options.report(on: prepared, findings), with: options.form)
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
