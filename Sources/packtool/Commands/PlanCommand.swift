import Flags
import PackKit
import Projects
import Releases

extension Command {
  fileprivate struct PlanOptions: ReportingOptions {
    var form = forms[0]
    var manifest = ManifestOptions()
    var listsUntagged = false
    var view = PlanView()
    var built = BuiltOptions()
    var report = ReportOptions()
    var shared: SharedOptions { manifest.shared }
    var destinations: [Destination] { form.destinations + report.destinations }

    static let forms: [ResultWriter<PlanReport>] = [
      .screen { report, screen in
        let untagged = report.untagged.map { UntaggedFolder.text(of: $0) } ?? ""
        return report.release.map { PlanText($0, report.view, on: screen).text + untagged } ?? ""
      },
      .json { PlanJSON($0.release, $0.findings, untagged: $0.untagged).text },
      .markdown { report in report.release.map { PlanMarkdown($0, report.view).text } ?? "" },
      .form(.csv) { report in report.release.map { PlanCSV($0, report.view).text } ?? "" },
      .form(.mermaid) { report in report.release.map { PlanMermaid($0, report.view).text } ?? "" },
    ]
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
      ] + PlanView.flags(in: \.view) + BuiltOptions.flags(in: \.built)
        + ReportOptions.flags(in: \.report)
        + ManifestOptions.flags(in: \.manifest), mistake: \.manifest.mistake), PlanOptions.init
  ) { options, arguments, session in
    if let argument = arguments.first, try BuiltFolder.isNamed(by: argument) {
      return try options.show(BuiltFolder(argument), session)
    }
    let (prepared, found) = try options.manifest.findings(
      arguments.first, session, listsUntagged: options.listsUntagged || options.report.path != nil)
    let built = try options.built.packs(of: prepared, options.manifest)
    let findings = options.shared.judged(found + built.findings, about: prepared)
    let release = prepared.plan.map { Release(of: $0, packs: built.packs) }
    if let path = options.report.path {
      let facts = try options.manifest.facts(of: prepared, findings, packs: built.packs)
      try session.write(facts, to: path)
    }
    return try options.show(
      release, findings, untagged: options.listsUntagged ? prepared.plan?.tree.untaggedFiles : nil, session)
  }
}

extension Command.PlanOptions {
  fileprivate func show(_ folder: BuiltFolder, _ session: Session) throws -> ExitStatus {
    let findings = shared.judged(folder.allFindings, path: folder.indexPath)
    if let path = report.path {
      let all = shared.judged(folder.findings(shared.profile), path: folder.indexPath)
      try session.write(ReportFacts(ReportSubject(folder), findings: all), to: path)
    }
    return try show(findings.hasErrors ? nil : folder.release, findings, untagged: nil, session)
  }

  fileprivate func show(
    _ release: Release?, _ findings: Findings, untagged: [UntaggedFile]?, _ session: Session
  ) throws -> ExitStatus {
    session.report(findings, shared)
    try session.print(
      PlanReport(release: release, findings: findings, untagged: untagged, view: view), with: form,
      on: session.screen(shared))
    return findings.hasErrors ? .inputHasErrors : .done
  }
}
