import Findings
import Flags
import Formats
import PackKit
import Projects
import System

extension Command {
  fileprivate struct ImportOptions: ReportingOptions {
    var form = forms[0]
    var output: String?
    var project = ProjectOptions()
    var shared = SharedOptions()

    var destinations: [Destination] {
      form.destinations + (output.map { [Destination(flag: "--output", $0)] } ?? [])
    }

    static let forms: [ResultWriter<ImportReport>] = [
      .text { $0.told },
      .json { ImportJSON($0).text },
    ]
  }

  /// The command `packtool import PROJECT.xcodeproj`.
  static let importProject = Command(
    reporting: CommandSyntax<ImportOptions>(
      name: "import", summary: "make a manifest of an Xcode project's tags",
      discussion: [
        "Prints a manifest to be put beside the project; findings say what could not be carried. build, plan and "
          + "validate take a project too, in place of a manifest."
      ],
      arguments: [
        Argument(
          "PROJECT", summary: "a project of Xcode's: App.xcodeproj",
          kind: .file(suffixes: [".xcodeproj", ".xcworkspace", ".pbxproj"]))
      ],
      flags: [
        .resultForm(of: "result", in: ImportOptions.forms, into: \.form),
        .value(
          "--output", "-o", valueName: "FILE", kind: .file(), summary: "the manifest to write", into: \.output
        ),
      ] + ProjectOptions.flags(in: \.project) + SharedOptions.flags(in: \.shared)), ImportOptions.init
  ) { options, arguments, session in try options.run(arguments[0], session) }
}

extension Command.ImportOptions {
  fileprivate func run(_ argument: String, _ session: Session) throws -> ExitStatus {
    let source = ManifestSource.xcodeProject
    let reading = try source.read(argument, project.choice)
    let findings = shared.judged(
      reading.findings + reading.uncarried, by: reading.manifest, text: reading.text,
      path: try source.path(for: argument))
    session.report(findings, shared)
    guard !findings.hasErrors, let manifest = reading.manifest else {
      try session.printRefusal(findings, with: form)
      return .inputHasErrors
    }
    // A printed manifest is meant to be saved next to the project.
    let root = try file.map { try manifest.rootPath(seenFrom: $0) } ?? manifest.root.value
    let text = ManifestFormat(manifest, root: root).bytes()
    if let output = output ?? printed { try session.write(text, to: output, as: .json) }
    let report = try ImportReport(
      manifest: manifest, text: text, output: file, findings: findings, isQuiet: shared.isQuiet)
    try session.print(report, with: form)
    return .done
  }

  /// Standard output, unless that is for the result.
  private var printed: String? { form.form == .text ? Session.standardOutput : nil }

  /// The file to write; nil where the manifest goes to a stream.
  private var file: String? {
    get throws {
      guard let output, output != Session.standardOutput else { return nil }
      return try FileOperations.isStream(output) ? nil : output
    }
  }
}
