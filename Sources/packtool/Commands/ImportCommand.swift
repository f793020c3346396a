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
    var replacesFile = false
    var project = ProjectOptions()
    var shared = SharedOptions()

    var destinations: [Destination] {
      form.destinations + (output.map { [Destination(flag: "--output", $0)] } ?? [])
    }

    static let forms: [ResultWriter<ImportReport>] = [
      .text { $0.told },
      .json { ImportJSON($0).json },
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
        .toggle("--force", summary: "replace a manifest that is there", sets: \.replacesFile),
      ] + ProjectOptions.flags(in: \.project) + SharedOptions.flags(in: \.shared)), ImportOptions.init
  ) { options, arguments, session in try options.run(arguments[0], session) }
}

extension Command.ImportOptions {
  fileprivate func run(_ argument: String, _ session: Session) throws -> ExitStatus {
    let source = ManifestSource.xcodeProject
    let reading = try source.read(argument, project.choice)
    let text = reading.findings.hasErrors ? nil : try reading.manifest.map(text)
    let obstacles = try text.map(obstacles) ?? []
    let findings = shared.judged(
      reading.findings + reading.uncarried + obstacles, by: reading.manifest,
      text: reading.text, path: try source.path(for: argument))
    session.report(findings, shared)
    // An obstacle is one whatever the flags say.
    guard !findings.hasErrors, obstacles.isEmpty, let manifest = reading.manifest, let text else {
      try session.printRefusal(findings, with: form)
      return .inputHasErrors
    }
    if let output = output ?? printed {
      try session.write(text, to: output, shown: Output(json: String(decoding: text.array(), as: UTF8.self)))
    }
    let report = try ImportReport(
      manifest: manifest, text: text, output: file, findings: findings, isQuiet: shared.isQuiet)
    try session.print(report, with: form)
    return .done
  }

  /// The manifest as it is written; one that is printed is meant to be saved next to the project.
  private func text(of manifest: Manifest) throws -> ByteBuffer {
    let place = try file ?? joined(manifest.folder, Manifest.fileName)
    let root = try file.map { try manifest.rootPath(seenFrom: $0) } ?? manifest.root.value
    return ManifestFormat(manifest, root: root, schema: try SchemaFile.path(seenFrom: place)).bytes()
  }

  /// The finding about a file with another content that is not to be replaced.
  private func obstacles(to text: ByteBuffer) throws -> [Diagnostic] {
    guard let file = try file, !replacesFile, try FileOperations.exists(file),
      !FileOperations.holds(file, text)
    else { return [] }
    let message = "the file is there already; --force replaces it"
    return [Diagnostic(.existingFile, message, at: Place(file))]
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
