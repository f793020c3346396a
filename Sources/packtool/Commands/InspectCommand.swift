import Findings
import Flags
import Formats
import Releases

extension Command {
  fileprivate struct InspectOptions: Sendable {
    var format = ResultFormat.text
    var shared = SharedOptions()
  }

  /// The command `packtool inspect FILE|DIR`.
  static let inspect = Command(
    CommandSyntax<InspectOptions>(
      name: "inspect", summary: "show a pack, an index or a property list of packs, whoever wrote it",
      discussion: [
        "Takes an asset pack (a folder, a zip or tar archive), an OnDemandResources.plist, an AssetPackManifest.plist, "
          + "an index.json, or a folder with one of these. Checks nothing: that is what verify does."
      ],
      arguments: [Argument("FILE|DIR", summary: "what to look into", kind: .path)],
      flags: [.choice("--format", valueName: "FORMAT", summary: "the form of the output", into: \.format)]
        + SharedOptions.flags(in: \.shared)), InspectOptions.init
  ) { options, arguments, session in try options.run(arguments[0], session) }
}

extension Command.InspectOptions {
  fileprivate func run(_ argument: String, _ session: Session) throws -> ExitStatus {
    let inspection: Inspection
    do {
      inspection = try Inspection(argument)
    } catch let refusal as Inspection.Refusal {
      session.report(shared.judged(refusal.diagnostics, path: argument), shared)
      return .inputHasErrors
    }
    let report = InspectionReport(inspection)
    let text = format == .json ? JSONText.object(report.members).text : report.text
    try session.print(text, as: format.logForm)
    guard case .pack(let pack) = inspection, !pack.damage.isEmpty else { return .done }
    for reason in pack.damage { session.complain("\(quoted(pack.path)) is damaged: \(reason)") }
    return .inputHasErrors
  }
}
