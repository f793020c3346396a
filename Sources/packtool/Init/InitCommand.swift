import Formats
import Model
import Pipeline
import System

extension Command {
  fileprivate struct InitOptions: ReportingOptions {
    var format = OutputFormat.text
    var bundleIdentifier: String?
    var isDryRun = false
    var replacesFile = false
    var shared = SharedOptions()
  }

  static let initialize = Command(
    CommandSyntax<InitOptions>(
      name: "init", summary: "propose a manifest for a folder of assets",
      arguments: [
        Argument(
          "FOLDER", summary: "a folder of assets (default: the current folder)", kind: .folder, count: 0...1
        ).using(.writtenManifest)
      ],
      flags: [
        .outputFormat(of: "result", into: \.format),
        .value(
          "--bundle-identifier", valueName: "ID", summary: "the app's identifier, such as com.example.game",
          into: \.bundleIdentifier),
        .toggle("--dry-run", "-n", summary: "print the manifest and write nothing", sets: \.isDryRun),
        .toggle("--force", summary: "replace an existing manifest", sets: \.replacesFile),
      ] + SharedOptions.flags(in: \.shared, without: [.strict, .severity])), defaults: InitOptions.init
  ) { options, arguments, session in try options.run(arguments.first ?? ".", session: session) }
}

extension Command.InitOptions {
  fileprivate func run(_ argument: String, session: Session) throws -> ExitStatus {
    let folder = trimmed(argument)
    guard let status = try FileOperations.statusIfThere(folder) else {
      return session.refuse("the folder \(quoted(argument)) does not exist; pass a folder of assets")
    }
    guard status.kind == .folder else {
      return session.refuse("\(quoted(argument)) is not a folder; name a folder of assets")
    }
    // A manifest in the folder of the assets would itself become an asset. But if this folder already has a
    // manifest, a second manifest must not be written elsewhere.
    let below = try ManifestSource.isSource(folder: folder) ? nil : Self.pathBelowCurrent(of: folder)
    let manifestFolder = below == nil ? folder : "."
    let path = joined(manifestFolder, Manifest.fileName)
    let identifier = try bundleIdentifier ?? existingIdentifier(in: path) ?? Self.identifier(for: folder)
    if let mistake = StringFormat.bundleIdentifier.mistake(in: identifier) {
      return session.refuse(mistake.message)
    }
    guard
      let proposal = try ManifestProposal(
        folder: folder, manifestPath: path, folderPathFromManifest: below?.text ?? ".",
        bundleIdentifier: identifier,
        jobs: shared.workers)
    else { return session.refuse("\(quoted(argument)) contains no files to tag") }
    let schema = try schemaPath(relativeTo: path)
    let proposed = try ProposedPlan(proposal, manifestPath: path, schemaPath: schema, jobs: shared.workers)
    let existing = try existingFileFindings(in: manifestFolder, forAssetsIn: folder)
    let findings = shared.judged(
      proposed.findings + existing, by: proposed.plan?.manifest, sources: proposed.source, manifestPath: path)
    guard existing.isEmpty else {
      session.report(findings, options: shared)
      return try session.refuse(findings, format: format)
    }
    let written = isDryRun ? nil : path
    var missing: Set<MissingFile> = isDryRun ? [.manifest] : []
    if try !FileOperations.exists(joined(manifestFolder, schema)) { missing.insert(.schema) }
    let next = Self.nextSteps(assetFolder: folder, manifestFolder: manifestFolder, missing: missing)
    if isDryRun {
      if format == .text {
        session.printProgress(proposed.text(writtenTo: written) + next, options: shared)
        try session.print(Output(json: proposed.text))
      }
    } else {
      try session.write(proposed.text, to: path, as: .manifest)
      if format == .text && !shared.isQuiet { try session.print(proposed.text(writtenTo: written) + next) }
    }
    if format == .json { try session.print(Output(proposed.json(writtenTo: written, findings: findings))) }
    // The findings refer to places in the manifest that was printed above.
    session.report(findings, options: shared)
    return ExitStatus(of: findings)
  }

  /// Returns a folder's path relative to the current folder, with symlinks resolved; nil if the folder is not
  /// below the current folder.
  ///
  /// In a path such as `link/..`, `..` is the parent folder of the symlink's target, and not the folder that
  /// contains the symlink.
  private static func pathBelowCurrent(of folder: String) throws(SystemError) -> RelativePath? {
    let current = try RealPath(of: "."), real = try RealPath(of: folder)
    guard current.contains(real) else { return nil }
    let path = real.names.dropFirst(current.names.count).joined(separator: [UInt8(ascii: "/")])
    guard let text = String(validating: path, as: UTF8.self) else { return nil }
    return try? RelativePath(text.isEmpty ? "." : text)
  }

  /// Returns `com.example.` followed by the folder's own name, without characters that identifiers cannot
  /// contain.
  private static func identifier(for folder: String) throws(SystemError) -> String {
    let name = lastName(of: String(decoding: try FileOperations.realPath(of: folder), as: UTF8.self))
    let word = name.lowercased().unicodeScalars.filter {
      ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-"
    }
    return "com.example." + (word.isEmpty ? "app" : String(String.UnicodeScalarView(word)))
  }

  /// The identifier in the manifest that `--force` replaces; nil if there is no such manifest.
  private func existingIdentifier(in path: String) throws(SystemError) -> String? {
    guard replacesFile, try FileOperations.exists(path) else { return nil }
    let value = try ManifestReader(argument: path).value
    return value?.member("bundleIdentifier")?.string.flatMap { text in
      StringFormat.bundleIdentifier.mistake(in: text) == nil ? text : nil
    }
  }

  private func existingFileFindings(in folder: String, forAssetsIn assets: String) throws(SystemError)
    -> [Diagnostic]
  {
    if isDryRun { return [] }
    var found: [Diagnostic] = []
    let path = joined(folder, Manifest.fileName)
    if !replacesFile, try !FileOperations.exists(path),
      let outer = try ManifestSource.manifest(packingFolder: assets)
    {
      let message =
        "the manifest \(quoted(outer)) already packs the files of this folder, and a second manifest would be "
        + "packed with them; edit that manifest, or use --force to write a second one"
      found.append(Diagnostic(.existingFile, message: message, at: Place(path)))
    }
    if !replacesFile, try FileOperations.exists(path, symlinks: .notFollowed) {
      found.append(
        Diagnostic(
          .existingFile, message: "the file already exists; to replace it, use --force", at: Place(path)))
    }
    let other = joined(folder, Manifest.fileNameWithComments)
    if try FileOperations.exists(other, symlinks: .notFollowed) {
      let message =
        "the folder already contains this manifest, and a folder can have only one; remove this manifest"
      found.append(Diagnostic(.existingFile, message: message, at: Place(other)))
    }
    return found
  }

  /// A file that does not exist yet and that the next commands must make.
  private enum MissingFile {
    case manifest
    case schema
  }

  /// Lists the next commands for a manifest that was proposed for a folder of assets.
  private static func nextSteps(assetFolder: String, manifestFolder: String, missing: Set<MissingFile>)
    -> PlainText
  {
    func words(_ manifestFolder: String) -> ShellText { manifestFolder == "." ? "" : " \(manifestFolder)" }
    let place = words(manifestFolder)
    var table = TextTable([.left, .left])
    func add(_ command: ShellText, purpose: String) { table.add(displayed(command), purpose) }
    if missing.contains(.manifest) {
      add("packtool init\(words(assetFolder))", purpose: "write this manifest")
    }
    if missing.contains(.schema) {
      add(
        "packtool schema > \(joined(manifestFolder, schemaName))",
        purpose: "let editors complete the manifest's keys")
    }
    add("packtool plan\(place)", purpose: "show its packs and their sizes")
    add("packtool plan --untagged\(place)", purpose: "list the files without tags")
    add("packtool suggest TRACE...\(place)", purpose: "propose tags from recorded runs of the app")
    add("packtool build\(place) -o packs", purpose: "write the packs")
    return "next:\n" + table.text(indentation: 2)
  }
}

// A proposed manifest and, if it was written, the file that contains it.
extension ProposedPlan {
  private static let maxKept = 12

  fileprivate func text(writtenTo path: String?) -> PlainText {
    let tags = shares.reduce(into: Set<String>()) { $0.formUnion($1.tags) }
    let rules = "\(counted(proposal.rules.count, of: "rule")), \(counted(tags.count, of: "tag"))"
    let head: PlainText = path.map { "wrote \(displayed($0)): \(rules)\n" } ?? "would write \(rules)\n"
    return head + root + engine + table + lists + kept + leftOut
  }

  private var root: PlainText {
    if proposal.manifest.root.value == "." { return "" }
    let (count, size) = proposal.outside
    let files = "\(counted(count, of: "file")), \(ByteSize.text(size))"
    let rest: PlainText = count == 0 ? "" : "; outside the root, never packed: \(files)"
    return "root: \(displayed(proposal.manifest.root.value))\(rest)\n"
  }

  private var engine: PlainText {
    proposal.engine.map {
      "this is a project of \($0): pack the files that the engine builds for players, not the source files\n"
    } ?? ""
  }

  private var table: PlainText {
    var table = TextTable([.left, .left, .right, .right, .left])
    for (rule, share) in zip(proposal.rules, shares) {
      let names = rule.rule.tags.map(\.value) + rule.rule.templates.map(\.text.value)
      let tags = share.tags.count == 1 ? "1 pack" : "\(grouped(share.tags.count)) packs"
      table.add(
        displayed(rule.rule.text.value), listed(names), tags, ByteSize.text(share.size), rule.reason)
    }
    return table.text(indentation: 2)
  }

  private var lists: PlainText {
    let lists = [
      ("initial install", proposal.manifest.initialInstallTags.map(\.value)),
      ("prefetch", proposal.manifest.prefetchTagOrder.map(\.value)),
    ]
    let none: PlainText =
      lists[0].1.isEmpty ? "initial install: no tags; add the tags that the first screen needs\n" : ""
    return none
      + lists.filter { !$0.1.isEmpty }.map { name, tags -> PlainText in
        "\(name): \(listed(tags, atMost: 8))\n"
      }.joined()
  }

  private var kept: PlainText {
    guard let untagged = plan?.tree.untagged, untagged.files > 0 else { return "" }
    let text: PlainText =
      "untagged, in the app bundle: \(counted(untagged.files, of: "file")), \(ByteSize.text(untagged.size))\n"
    let largest = proposal.kept.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
    let table = Table(
      largest.prefix(Self.maxKept), columns: .text { displayed($0.path) },
      .number { ByteSize.text($0.size) },
      .text { $0.reason })
    return text + table.text(indentation: 2) + andMore(largest.count - Self.maxKept, noun: "more folder")
  }

  private var leftOut: PlainText {
    if proposal.leftOut.isEmpty { return "" }
    return
      "excluded with \"exclude\", because packtool would report errors: "
      + "\(listed(proposal.leftOut, atMost: 4))\n"
  }

  fileprivate func json(writtenTo path: String?, findings: Findings) -> JSONText {
    findings.document([
      "status": path == nil ? "printed" : "written", "output": path.map(JSONText.string) ?? .null,
      "manifest": JSONReader.read(source).value.map(JSONText.read) ?? .null,
      "rules": zip(proposal.rules, shares).map(Self.json), "kept": proposal.kept.map(Self.json),
      "leftOut": proposal.leftOut,
    ])
  }

  private static func json(of rule: ProposedRule, share: RuleShare) -> JSONText {
    .fields([
      rule.rule.pattern.key: rule.rule.text.value, "reason": rule.reason, "tags": share.tags.sorted(),
      "fileCount": share.fileCount, "size": share.size,
    ])
  }

  private static func json(of folder: KeptFolder) -> JSONText {
    .fields([
      "path": folder.path, "fileCount": folder.fileCount, "size": folder.size, "reason": folder.reason,
    ])
  }
}
