import Findings
import Flags
import Formats
import PackKit
import Projects
import System

extension Command {
  fileprivate struct FormatOptions: ReportingOptions {
    var form = forms[0]
    var isCheck = false
    var isDiff = false
    var shared = SharedOptions()

    var destinations: [Destination] { form.destinations }
    var mode: FormatReport.Mode { isDiff ? .diff : isCheck ? .check : .write }

    static let forms: [ResultWriter<FormatReport>] = [
      .screen { $0.text(on: $1) },
      .json { $0.json },
    ]
  }

  /// The command `packtool fmt [MANIFEST...]`.
  static let format = Command(
    reporting: CommandSyntax<FormatOptions>(
      name: "fmt", summary: "write manifests in their one style, comments kept",
      discussion: [
        "Two blanks for each level, a rule on one line where 120 columns hold it, no comma behind the last element. Order, "
          + "strings, comments and single blank lines stay. init and import write this style."
      ],
      examples: [
        .init("fmt", "write the manifest of this folder anew, if it has another style"),
        .init("fmt --check Games/*/Manifest.json", "refuse other styles, in CI"),
      ],
      arguments: [
        Argument(
          "MANIFEST",
          summary: "a manifest, or the folder of one (default: the current folder or the nearest above)",
          kind: .path, count: 0...1000)
      ],
      flags: [
        .resultForm(of: "result", in: FormatOptions.forms, into: \.form),
        .toggle("--check", summary: "write nothing; another style is an error", sets: \.isCheck),
        .toggle("--diff", summary: "the same, and show what would change", sets: \.isDiff),
      ] + SharedOptions.flags(in: \.shared)), FormatOptions.init
  ) { options, arguments, session in
    if let project = arguments.first(where: { ManifestSource(argument: $0) != .manifest }) {
      return session.refuse(UsageMistake("\(quoted(project)) is a project; fmt takes manifests"))
    }
    return try options.run(arguments.isEmpty ? [try ManifestSource.search()] : arguments, session)
  }
}

extension Command.FormatOptions {
  fileprivate func run(_ arguments: [String], _ session: Session) throws -> ExitStatus {
    var findings = Findings()
    var manifests: [EditedText] = []
    for argument in arguments {
      let style = try ManifestStyle(argument)
      let found = style.findings + (mode == .write ? [] : style.remarks)
      findings.add(shared.judged(found, text: style.text, path: style.path))
      if let edited = style.edited { manifests.append(edited) }
    }
    session.report(findings, shared)
    if mode == .write {
      for manifest in manifests {
        FileOperations.removeLeftovers(beside: manifest.text.path)
        if manifest.edits.isEmpty { continue }
        session.warn(of: try manifest.write(), manifest.text.path)
      }
    }
    let report = FormatReport(mode: mode, manifests: manifests, findings: findings, isQuiet: shared.isQuiet)
    try session.print(report, with: form, on: session.screen(shared))
    return findings.hasErrors ? .inputHasErrors : .done
  }
}

/// The result of `fmt`.
struct FormatReport {
  /// The treatment of a manifest in another style.
  enum Mode: Sendable {
    case write
    /// It is a finding.
    case check
    /// It is a finding, and shown.
    case diff
  }

  let mode: Mode
  /// The manifests that could be read, with their edits.
  let manifests: [EditedText]
  let findings: Findings
  let isQuiet: Bool

  /// Those with another style.
  private var changed: [EditedText] { manifests.filter { !$0.edits.isEmpty } }

  func text(on screen: Screen) -> PlainText {
    switch mode {
    case .write: isQuiet ? "" : changed.map { "formatted \(displayed($0.text.path))\n" as PlainText }.joined()
    case .check: ""
    case .diff: changed.map { $0.diff(on: screen) }.joined()
    }
  }

  var json: JSONText {
    findings.document([
      "status": findings.status,
      "manifests": .array(
        manifests.map { manifest in
          .object(["path": .string(manifest.text.path), "changed": .bool(!manifest.edits.isEmpty)])
        }),
    ])
  }
}
