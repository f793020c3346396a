import Formats
import Model
import Pipeline
import System

extension Command {
  fileprivate struct FormatOptions: ReportingOptions {
    var format = OutputFormat.text
    var isCheck = false
    var isDiff = false
    var shared = SharedOptions()
    var writes: Bool { !isCheck && !isDiff }
  }

  static let format = Command(
    CommandSyntax<FormatOptions>(
      name: "fmt", summary: "rewrite manifests in packtool's style, keeping comments",
      arguments: [
        Argument(
          "MANIFEST",
          summary:
            "a manifest, or a folder that contains one (default: the current folder or the nearest above)",
          kind: .path, count: 0...1000
        ).using(.manifest)
      ],
      flags: [
        .outputFormat(of: "result", into: \.format),
        .toggle("--check", summary: "write nothing, and report another style as an error", sets: \.isCheck),
        .toggle("--diff", summary: "do as --check, and show what would change", sets: \.isDiff),
      ] + SharedOptions.flags(in: \.shared, without: [.strict, .jobs])), defaults: FormatOptions.init
  ) { options, arguments, session in
    if let project = arguments.first(where: { ManifestSource(argument: $0) != .manifest }) {
      return session.refuse("\(quoted(project)) is an Xcode project, but fmt formats only manifests")
    }
    if let other = arguments.first(where: { RecognizedFileKind(named: lastName(of: $0)) == .project }) {
      return session.refuse(
        "\(quoted(other)) is \(RecognizedFileKind.project.words), but fmt formats only manifests")
    }
    return try options.run(arguments.isEmpty ? [try ManifestSource.search()] : arguments, session: session)
  }
}

extension Command.FormatOptions {
  fileprivate func run(_ arguments: [String], session: Session) throws -> ExitStatus {
    var findings = Findings()
    var manifests: [EditedText] = []
    for argument in arguments {
      let style = try ManifestStyle(argument)
      if let kind = style.otherKind {
        return session.refuse("\(quoted(style.path)) \(kind), but fmt formats only manifests")
      }
      let found = style.findings + (writes ? [] : style.remarks)
      findings.add(shared.judged(found, sources: style.text, manifestPath: style.path))
      if let edited = style.edited { manifests.append(edited) }
    }
    session.report(findings, options: shared)
    if writes {
      for manifest in manifests {
        FileOperations.removeLeftovers(nextTo: manifest.text.path)
        if manifest.edits.isEmpty { continue }
        session.warn(aboutLostAttributes: try manifest.write(), at: manifest.text.path)
      }
    }
    let screen = session.screen(shared)
    try session.print(
      format, text: text(of: manifests, on: screen), json: Self.json(of: manifests, findings: findings))
    return ExitStatus(of: findings)
  }

  private func text(of manifests: [EditedText], on screen: Screen) -> PlainText {
    let changed = manifests.filter { !$0.edits.isEmpty }
    if isDiff { return changed.map { $0.diff(on: screen) }.joined() }
    if isCheck || shared.isQuiet { return "" }
    return changed.map { "formatted \(displayed($0.text.path))\n" as PlainText }.joined()
  }

  private static func json(of manifests: [EditedText], findings: Findings) -> JSONText {
    findings.document([
      "status": findings.status,
      "manifests": manifests.map { manifest in
        JSONText.fields(["path": manifest.text.path, "changed": !manifest.edits.isEmpty])
      },
    ])
  }
}
