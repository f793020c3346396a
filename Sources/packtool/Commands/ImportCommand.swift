import Archiving
import Findings
import Flags
import Formats
import PackKit
import Projects
import System

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
      arguments: [
        Argument(
          "PROJECT", summary: "a project of Xcode's: App.xcodeproj",
          kind: .file(suffixes: [".xcodeproj", ".xcworkspace", ".pbxproj"]))
      ],
      flags: [
        .value(
          "--output", "-o", valueName: "FILE", kind: .file(), summary: "the manifest to write", into: \.output
        )
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
    guard !findings.hasErrors, let manifest = reading.manifest else { return .inputHasErrors }
    let output = output ?? Session.standardOutput
    // A printed manifest is meant to be saved next to the project.
    let isPrinted = try output == Session.standardOutput || FileOperations.isStream(output)
    let root = try isPrinted ? manifest.root.value : manifest.rootPath(seenFrom: output)
    try session.write(ManifestFormat(manifest, root: root).bytes(), to: output, as: .json)
    return .done
  }
}
