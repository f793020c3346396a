import Findings
import Flags
import Formats
import PackKit
import Projects
import System

extension Command {
  fileprivate struct InitOptions: ReportingOptions {
    var form = forms[0]
    var bundleIdentifier: String?
    var isDryRun = false
    var replacesFile = false
    var shared = SharedOptions()

    var destinations: [Destination] { form.destinations }

    static let forms: [ResultWriter<InitReport>] = [
      .text { $0.text },
      .json { $0.json },
    ]
  }

  /// The command `packtool init [FOLDER]`.
  static let initialize = Command(
    reporting: CommandSyntax<InitOptions>(
      name: "init", summary: "propose a manifest for a folder of assets",
      discussion: [
        "Looks at the folders: numbered ones, languages, and folders of one kind get tags by their names, other large ones "
          + "a tag each; small ones, and what an app needs from its start, stay in the app bundle. Writes Manifest.json, "
          + "for you to edit: here if FOLDER is below the current folder, else into FOLDER."
      ],
      examples: [
        .init("init --dry-run Assets", "print the manifest, write nothing"),
        .init("init Assets && packtool plan", "write it, and show its packs"),
      ],
      arguments: [
        Argument(
          "FOLDER", summary: "a folder of assets (default: the current one)", kind: .folder, count: 0...1)
      ],
      flags: [
        .resultForm(of: "result", in: InitOptions.forms, into: \.form),
        .value(
          "--bundle-identifier", valueName: "ID", summary: "the app's identifier, such as com.example.game",
          into: \.bundleIdentifier),
        .toggle("--dry-run", "-n", summary: "print the manifest and write nothing", sets: \.isDryRun),
        .toggle("--force", summary: "replace a manifest that is there", sets: \.replacesFile),
      ] + SharedOptions.flags(in: \.shared)), InitOptions.init
  ) { options, arguments, session in try options.run(arguments.first ?? ".", session) }
}

extension Command.InitOptions {
  fileprivate func run(_ argument: String, _ session: Session) throws -> ExitStatus {
    let folder = trimmed(argument)
    guard try FileOperations.statusIfThere(folder)?.kind == .folder else {
      return session.refuse(UsageMistake("\(quoted(argument)) is no folder; name one of assets"))
    }
    let identifier = try bundleIdentifier ?? Self.identifier(for: folder)
    if let mistake = TextForm.bundleIdentifier.mistake(in: identifier) {
      return session.refuse(UsageMistake(mistake.message))
    }
    // Beside the assets it would be one of them; where one is already, there is no second.
    let below = try ManifestSource.isSource(folder: folder) ? nil : try? RelativePath(folder)
    let place = below == nil ? folder : "."
    let path = joined(place, Manifest.fileName)
    guard
      let proposal = try ManifestProposal(
        folder: folder, path: path, seenAs: below?.text ?? ".", bundleIdentifier: identifier,
        jobs: shared.workers)
    else { return session.refuse(UsageMistake("\(quoted(argument)) holds no files to tag")) }
    let proposed = try ProposedPlan(
      proposal, path: path, schema: try SchemaFile.path(seenFrom: path), jobs: shared.workers)
    let obstacles = try obstacles(in: place)
    let findings = shared.judged(
      proposed.findings + obstacles, by: proposed.plan?.manifest, text: proposed.source, path: path)
    session.report(findings, shared)
    guard obstacles.isEmpty else {
      try session.printRefusal(findings, with: form)
      return .inputHasErrors
    }
    let report = InitReport(
      proposed: proposed, argument: folder, folder: place, path: isDryRun ? nil : path, findings: findings)
    if isDryRun {
      if form.form == .text { session.narrate(report.text, shared) }
      if form.form == .text {
        try session.print(Output(json: report.manifestText))
      } else {
        try session.print(report, with: form)
      }
    } else {
      try session.write(proposed.text, to: path)
      if !shared.isQuiet || form.form == .json { try session.print(report, with: form) }
    }
    return findings.hasErrors ? .inputHasErrors : .done
  }

  /// `com.example.` and the folder's own name, as far as identifiers may have its characters.
  private static func identifier(for folder: String) throws(SystemError) -> String {
    let name = lastName(of: String(decoding: try FileOperations.realPath(of: folder), as: UTF8.self))
    let word = name.lowercased().unicodeScalars.filter {
      ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-"
    }
    return "com.example." + (word.isEmpty ? "app" : String(String.UnicodeScalarView(word)))
  }

  /// The findings about manifests that are there and not to be replaced.
  private func obstacles(in folder: String) throws(SystemError) -> [Diagnostic] {
    if isDryRun { return [] }
    var found: [Diagnostic] = []
    let path = joined(folder, Manifest.fileName)
    if !replacesFile, try FileOperations.exists(path, following: false) {
      found.append(
        Diagnostic(.existingFile, "the file is there already; --force replaces it", at: Place(path)))
    }
    let other = joined(folder, Manifest.fileNameWithComments)
    if try FileOperations.exists(other, following: false) {
      let message = "the folder has this manifest already; remove it, since a folder has one"
      found.append(Diagnostic(.existingFile, message, at: Place(other)))
    }
    return found
  }
}
