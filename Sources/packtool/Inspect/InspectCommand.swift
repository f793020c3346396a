import Findings
import Flags
import Releases

extension Command {
  fileprivate struct InspectOptions: ReportingOptions {
    var form = forms[0]
    var shared = SharedOptions()
    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<Inspection>] = [
      .text { InspectionText($0).text },
      .json { InspectionJSON($0).json },
    ]
  }

  /// The command `packtool inspect FILE|DIR`.
  static let inspect = Command(
    reporting: CommandSyntax<InspectOptions>(
      name: "inspect", summary: "show a pack, an index or a property list of packs, whoever wrote it",
      discussion: [
        "Takes an asset pack (a folder, a zip or tar archive), an OnDemandResources.plist, an AssetPackManifest.plist, "
          + "an index.json, or a folder, .app, .xcarchive or .ipa with one of these. Checks nothing: that is what "
          + "verify does."
      ],
      arguments: [Argument("FILE|DIR", summary: "what to look into", kind: .path)],
      flags: [.resultForm(of: "output", in: InspectOptions.forms, into: \.form)]
        + SharedOptions.flags(in: \.shared)), InspectOptions.init
  ) { options, arguments, session in try options.run(arguments[0], session) }
}

extension Command.InspectOptions {
  fileprivate func run(_ argument: String, _ session: Session) throws -> ExitStatus {
    let inspection: Inspection
    do {
      inspection = try Inspection(argument)
    } catch let refusal as Inspection.Refusal {
      let findings = shared.judged(refusal.diagnostics, path: argument)
      session.report(findings, shared)
      try session.printRefusal(findings, with: form)
      return .inputHasErrors
    }
    try session.print(inspection, with: form)
    guard case .pack(let pack) = inspection, !pack.damage.isEmpty else { return .done }
    for reason in pack.damage {
      session.complain("\(quoted(pack.path)) is damaged: \(reason)", .damagedPack)
    }
    return .inputHasErrors
  }
}
