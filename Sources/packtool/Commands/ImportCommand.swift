import Archiving
import Flags
import PackKit

extension Command {
  fileprivate struct ImportOptions: Sendable {
    var output: String?
    var project = ProjectOptions()
    var shared = SharedOptions()
  }

  /// The command `packtool import PROJECT.xcodeproj`.
  static let importProject = Command(
    CommandSyntax<ImportOptions>(
      name: "import", summary: "make a manifest of an Xcode project's tags",
      discussion: [
        "Prints a manifest to be put beside the project; findings say what could not be carried. build, plan and "
          + "validate take a project too, in place of a manifest."
      ],
      arguments: [Argument("PROJECT", summary: "a project of Xcode's: App.xcodeproj")],
      flags: [
        .value("--output", "-o", valueName: "FILE", summary: "the manifest to write", into: \.output)
      ] + ProjectOptions.flags(in: \.project) + SharedOptions.flags(in: \.shared)), ImportOptions.init
  ) { options, arguments, session in try options.run(arguments[0], session) }
}

extension Command.ImportOptions {
  fileprivate func run(_ argument: String, _ session: Session) throws -> ExitStatus {
    let path = XcodeImporter.projectPath(for: argument)
    let importer = try XcodeImporter(argument: argument, project.choice)
    let findings = Judgement(options: shared).findings(
      of: importer.diagnostics + importer.uncarried, about: importer.manifest, importer.text,
      path: path)
    session.report(findings, shared)
    guard !findings.hasErrors, let manifest = importer.manifest else { return .inputHasErrors }
    guard let output else {
      try session.print(
        String(decoding: ManifestFormat(manifest, root: manifest.root.value).bytes().array(), as: UTF8.self),
        as: .json)
      return .done
    }
    let format = ManifestFormat(manifest, root: try manifest.rootPath(seenFrom: output))
    try FileOperations.replace(output, by: format.bytes())
    return .done
  }
}

/// Which part of a project is meant.
struct ProjectOptions: Sendable {
  private var target: String?
  private var configuration: String?
  private var root: String?

  var choice: ProjectChoice { ProjectChoice(target: target, configuration: configuration, root: root) }

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<ProjectOptions>) -> [Flag<Options>] {
    own.map { $0.lifted(into: part).grouped(under: "flags for Xcode projects") }
  }

  private static let own: [Flag<ProjectOptions>] = [
    .value(
      "--target", valueName: "NAME", summary: "the target whose resources count (default: the only app)",
      into: \.target),
    .value(
      "--configuration", valueName: "NAME",
      summary: "the configuration whose build settings count (default: the one of command-line builds)",
      into: \.configuration),
    .value(
      "--root", valueName: "DIR",
      summary: "the folder below which files of settings are read (default: that of the repository)",
      into: \.root),
  ]
}
