import Findings
import Releases
import Flags
import PackKit
import Projects
import Published

extension Command {
  fileprivate struct PlanOptions: ReportingOptions {
    var form = forms[0]
    var manifest = ManifestOptions()
    var listsUntagged = false
    var merge: Int?
    var view = PlanView()
    var built = BuiltOptions()
    var report = ReportOptions()
    var listsDevices = false
    var shared: SharedOptions { manifest.shared }
    var destinations: [Destination] { form.destinations + report.destinations }

    static let forms: [ResultWriter<PlanReport>] = [
      .screen { report, screen in
        let untagged = report.untagged.map { UntaggedFolder.text(of: $0) } ?? ""
        let slices: PlainText = report.slices.map { SlicesText($0).text } ?? ""
        return report.release.map {
          PlanText($0, report.view, on: screen).text + untagged + slices + merge(of: $0, in: report)
        } ?? ""
      },
      .json {
        PlanJSON($0.release, $0.findings, untagged: $0.untagged, merge: $0.merge?.plan, slices: $0.slices)
          .json
      },
      .markdown { report in report.release.map { PlanMarkdown($0, report.view, report.slices).text } ?? "" },
      .csv { report in report.release.map { PlanCSV($0, report.view).text } ?? "" },
      .mermaid { report in report.release.map { PlanMermaid($0, report.view).text } ?? "" },
      .thinningReport { $0.slices.map { ThinningReport($0).text } ?? "" },
    ]

    private static func merge(of release: Release, in report: PlanReport) -> PlainText {
      report.merge.map { MergeText($0.plan, release, most: $0.most).text } ?? ""
    }

    /// The slices, where they are asked for.
    func slices(of prepared: Preparation) throws -> SlicesReport? {
      guard listsDevices || form.form == .thinningReport, let plan = prepared.plan else { return nil }
      let app = try AppBundleMeasure(of: plan.manifest).size
      return SlicesReport(of: plan, for: prepared.devices, appSize: app)
    }
  }

  /// The command `packtool plan [MANIFEST]`.
  static let plan = Command(
    reporting: CommandSyntax<PlanOptions>(
      name: "plan", summary: "show what would be built: packs, tags, sizes, order",
      discussion: ["Of a built folder in place of the manifest, what it holds is shown."],
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
        .number(
          "--merge",
          summary: "show how joining packs comes to at most N, and what users download for nothing then",
          range: 1...MergePlan.mostPacks, into: \.merge),
      ] + PlanView.flags.lifted(into: \.view) + BuiltOptions.flags.lifted(into: \.built)
        + ReportOptions.flags.lifted(into: \.report)
        + ManifestOptions.flags.lifted(into: \.manifest), mistake: \.manifest.mistake), PlanOptions.init
  ) { options, arguments, session in
    if let argument = arguments.first, try BuiltFolder.isNamed(by: argument) {
      return try options.show(BuiltFolder(argument), session)
    }
    let (prepared, found) = try options.manifest.findings(
      arguments.first, session, listsUntagged: options.listsUntagged || options.report.path != nil)
    let built = try options.built.packs(of: prepared, options.manifest)
    let findings = options.shared.judged(found + built.findings, about: prepared)
    if let path = options.report.path {
      let facts = try options.manifest.facts(of: prepared, findings, packs: built.packs)
      try session.write(facts, to: path)
    }
    var report = PlanReport(
      release: prepared.slice.map { Release(of: $0, packs: built.packs) }, findings: findings,
      untagged: options.listsUntagged ? prepared.plan?.tree.untaggedFiles : nil,
      slices: try options.slices(of: prepared), view: options.view)
    report.merge = options.merge.flatMap { most in prepared.plan.map { (MergePlan(of: $0, most: most), most) }
    }
    return try options.show(report, session)
  }
}

extension Command.PlanOptions {
  fileprivate func show(_ folder: BuiltFolder, _ session: Session) throws -> ExitStatus {
    let findings = shared.judged(folder.allFindings, path: folder.indexPath)
    if let path = report.path {
      let all = shared.judged(folder.findings(shared.profile), path: folder.indexPath)
      try session.write(ReportFacts(ReportSubject(folder), findings: all), to: path)
    }
    return try show(
      PlanReport(
        release: findings.hasErrors ? nil : folder.release, findings: findings, untagged: nil, slices: nil,
        view: view), session)
  }

  fileprivate func show(_ plan: PlanReport, _ session: Session) throws -> ExitStatus {
    let findings = plan.findings
    session.report(findings, shared)
    try session.print(plan, with: form, on: session.screen(shared))
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
