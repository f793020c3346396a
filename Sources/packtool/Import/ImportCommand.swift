import Formats
import Model
import Packing
import Pipeline
import System

extension Command {
  fileprivate struct ImportOptions: ReportingOptions {
    var format = OutputFormat.text
    var output: String?
    var replacesFile = false
    var idMap: String?
    var ledger: String?
    var project = ProjectChoice()
    var acceptsPointers = false
    var shared = SharedOptions()
  }

  static let importProject = Command(
    CommandSyntax<ImportOptions>(
      name: "import",
      summary: "make a manifest from an Xcode project's tags, or from Background Assets manifests",
      arguments: [
        Argument(
          "PROJECT", summary: "an Xcode project, such as App.xcodeproj, or manifests of ba-package",
          kind: .file(.input, suffixes: [".xcodeproj", ".xcworkspace", ".pbxproj", ".json"]), count: 1...1000
        ).using(.project)
      ],
      flags: [
        .outputFormat(of: "result", into: \.format),
        .value(
          "--output", "-o", valueName: "FILE", kind: .file(.manifest), summary: "the manifest to write",
          into: \.output
        ),
        .toggle("--force", summary: "replace an existing manifest", sets: \.replacesFile),
        .value(
          "--id-map", valueName: "FILE", kind: .file(.output, suffixes: [".json"]),
          summary: "also write the ids of imported Background Assets packs, for later builds", into: \.idMap),
        .value(
          "--ledger", valueName: "FILE", kind: .file(.output, suffixes: [".json"]),
          summary:
            "also write the version lockfile FILE with the versions of a download manifest, for later builds "
            + "of self-hosted packs",
          into: \.ledger),
        .pointers(into: \.acceptsPointers),
      ] + projectFlags.lifted(into: \.project) + SharedOptions.flags(in: \.shared)),
    defaults: ImportOptions.init
  ) { options, arguments, session in
    if let other = arguments.dropFirst().first, !(try BackgroundImporter.isOne(other)) {
      return session.refuse(
        "\(quoted(other)) is not a manifest for ba-package; if there are several files, all must be such "
          + "manifests"
      )
    }
    return try options.run(arguments, session: session)
  }
}

extension Command.ImportOptions {
  /// The manifest that was read from the arguments.
  private struct Source {
    let reading: ManifestSource.Reading
    /// The path that findings about the whole input refer to.
    let path: String
    /// The importer of Background Assets manifests; nil if a project is imported.
    let packs: BackgroundImporter?

    /// Whether a finding is about a rule that matches no file, if the missing file itself has already been
    /// reported.
    ///
    /// A project can be imported on a machine that does not have all of its files. So a rule for a missing
    /// file is not a mistake.
    func isKnownMissing(_ finding: Diagnostic) -> Bool {
      guard finding.check == .noMatch else { return false }
      // If the finding is about the whole project, none of the project's files exist.
      return reading.findings.contains { $0.check == .missingResource }
        || reading.settingsWithoutKey.contains {
          $0.check == .missingResource && (finding.isCountOfUnreported || $0.place == finding.place)
        }
    }
  }

  private func source(_ arguments: [String]) throws -> Source {
    if try BackgroundImporter.isOne(arguments[0]) {
      let importer = try BackgroundImporter(
        manifestsAt: arguments, selectorsRelativeTo: project.root ?? ".", keepsVersions: ledger != nil)
      return Source(reading: importer.reading, path: arguments[0], packs: importer)
    }
    let source = ManifestSource.xcodeProject
    return Source(
      reading: try source.read(arguments[0], choice: project), path: try source.path(for: arguments[0]),
      packs: nil)
  }

  fileprivate func run(_ arguments: [String], session: Session) throws -> ExitStatus {
    let source = try source(arguments)
    let (reading, path) = (source.reading, source.path)
    let imported = try reading.manifest.map { manifest in
      var manifest = manifest
      manifest.rules = manifest.foldedRules
      if source.packs != nil { manifest.layout.idMap = try lockfile(of: manifest) }
      return manifest
    }
    let text = reading.findings.hasErrors ? nil : try imported.map(text)
    let existing = try (text.map(existingFileFindings) ?? []) + lockfileObstacles(source)
    let check = try checkImport(of: text, imported: imported, source: source)
    var sources = reading.text
    if let check { sources?.append(check.text) }
    let findings = shared.judged(
      reading.findings + reading.settingsWithoutKey + existing + (check?.findings ?? []),
      by: reading.manifest,
      sources: sources, manifestPath: path)
    session.report(findings, options: shared)
    if let ledger, !findings.hasErrors, existing.isEmpty {
      let bytes = PackLockfile(path: ledger, packs: source.packs?.versions ?? [:]).bytes
      try session.write(bytes, to: ledger, as: .product, shown: Output(json: bytes))
      // If the input is only a download manifest, it lists no files, so there is no manifest to write.
      if imported == nil { return .done }
    }
    // An existing file stops the import, even if a flag lowers the severity of the finding about it.
    guard !findings.hasErrors, existing.isEmpty, let manifest = imported, let text
    else { return try session.refuse(findings, format: format) }
    if let output = output ?? (format == .text ? Session.standardOutput : nil) {
      try session.write(text, to: output, as: .manifest, shown: Output(json: text))
    }
    if let idMap {
      let ids = JSONText.object((source.packs?.ids ?? [:]).mapValues(JSONText.string)).bytes()
      try session.write(ids, to: idMap, as: .product, shown: Output(json: ids))
    }
    let file = try file
    try session.print(
      format, text: file.map { summary(of: manifest, in: $0) } ?? "",
      json: json(of: manifest, text: text, in: file, findings: findings))
    return .done
  }

  /// The findings about the new manifest, and the text that the findings refer to.
  private struct ImportCheckResult {
    let findings: [Diagnostic]
    let text: SourceText
  }

  /// Checks the new manifest in the same way as `validate`.
  ///
  /// Packs for Background Assets are also checked as in a build in the `background-assets` layout.
  ///
  /// Returns nil if there is no manifest.
  private func checkImport(of text: ByteBuffer?, imported: Manifest?, source: Source) throws
    -> ImportCheckResult?
  {
    guard let text, let imported else { return nil }
    let manifestPath = try file ?? joined(imported.folder, Manifest.fileName)
    var request = Preparation.Request(argument: manifestPath, jobs: shared.workers)
    request.acceptsPointers = acceptsPointers
    func readBack(_ request: Preparation.Request) throws -> ReadBack {
      try ReadBack(of: text.array(), savedAt: manifestPath, writtenFrom: imported, request: request)
    }
    let back = try readBack(request)
    var found = back.findings
    if let packs = source.packs {
      var target = ManifestOptions()
      target.choice = packs.layout
      target.applyTarget(to: &request)
      let build = try readBack(request)
      found += try build.findings + target.targetFindings(about: build.prepared)
    }
    // Only errors are reported. `validate` would show the same warnings about the manifest, but they do not
    // mean that the import is wrong.
    var seen: Set<Diagnostic> = []
    let errors = found.filter {
      $0.severity == .error && !source.isKnownMissing($0) && seen.insert($0).inserted
    }
    let shared = source.packs.flatMap { back.prepared.plan.map($0.sharedFileFindings) } ?? []
    return ImportCheckResult(findings: errors + shared, text: back.text)
  }

  /// Returns findings about lockfiles that already exist, and about versions for which the user must specify
  /// a lockfile.
  private func lockfileObstacles(_ source: Source) throws(SystemError) -> [Diagnostic] {
    var existing: [Diagnostic] = []
    for (path, statement) in [
      (ledger, "the version lockfile already exists, and may contain higher versions"),
      (idMap, "the ID lockfile already exists, and builds use its ids"),
    ] {
      guard let path, !replacesFile, try FileOperations.exists(path) else { continue }
      existing.append(
        Diagnostic(.existingFile, message: "\(statement); to replace it, use --force", at: Place(path)))
    }
    if !existing.isEmpty { return existing }
    guard source.reading.manifest == nil, source.reading.findings.isEmpty, ledger == nil else { return [] }
    let message =
      "a download manifest does not list files; also pass the manifests for ba-package, or set a version "
      + "lockfile with --ledger"
    return [Diagnostic(.missingManifest, message: message, at: Place(source.path))]
  }

  /// Returns the text of the manifest.
  ///
  /// If the manifest is printed and not written to a file, its paths assume that the user will save it next
  /// to the project.
  private func text(of manifest: Manifest) throws -> ByteBuffer {
    let manifestPath = try file ?? joined(manifest.folder, Manifest.fileName)
    let root = try manifest.rootPath(relativeTo: manifestPath)
    return manifest.formatted(root: root, schema: try schemaPath(relativeTo: manifestPath))
  }

  /// Returns the path of the new ID lockfile, relative to the manifest's folder; nil if there is no such file.
  private func lockfile(of manifest: Manifest) throws -> Located<String>? {
    guard let idMap, idMap != Session.standardOutput else { return nil }
    let manifestPath = try file ?? joined(manifest.folder, Manifest.fileName)
    return Located(try Manifest.path(of: idMap, relativeToManifest: manifestPath), at: 0)
  }

  private func existingFileFindings(for text: ByteBuffer) throws -> [Diagnostic] {
    guard let file = try file, !replacesFile, try FileOperations.exists(file),
      !FileOperations.contents(of: file, equal: text)
    else { return [] }
    let message = "the file already exists; to replace it, use --force"
    return [Diagnostic(.existingFile, message: message, at: Place(file))]
  }

  /// The file to which the manifest is written; nil if it is written to a stream.
  private var file: String? {
    get throws {
      guard let output, output != Session.standardOutput else { return nil }
      return try FileOperations.isStream(output) ? nil : output
    }
  }

  private func summary(of manifest: Manifest, in file: String) -> PlainText {
    if shared.isQuiet { return "" }
    return "wrote \(displayed(file)): \(counted(manifest.rules.count, of: "rule")), "
      + "\(counted(manifest.firstOffsets.count, of: "tag"))\n"
  }

  /// Returns the result as JSON, for programs.
  ///
  /// The result contains the manifest itself, unless the manifest was written to a file.
  private func json(
    of manifest: Manifest, text: ByteBuffer, in file: String?, findings: Findings
  ) -> JSONText {
    let source = SourceText(path: Manifest.fileName, bytes: text.array())
    let written = file == nil ? JSONReader.read(source).value.map(JSONText.read) ?? .null : nil
    return findings.document([
      "status": file == nil ? "printed" : "written", "output": file.map(JSONText.string) ?? .null,
      "rules": manifest.rules.count, "tags": manifest.firstOffsets.count, "manifest": written,
    ])
  }
}

extension BackgroundImporter {
  /// The layout in which a build does not change the imported packs.
  fileprivate var layout: LayoutChoice {
    var choice = LayoutChoice(layout: .backgroundAssets)
    choice.assets.platforms = platforms
    choice.assets.version = hasLanguages ? .v27 : .v26
    return choice
  }
}
