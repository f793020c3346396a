import Formats
import Model
import System

struct SharedOptions: Sendable {
  var isSubmission = false
  var isStrict = false
  var limits: String?
  /// The severities of checks, keyed by the check's id.
  ///
  /// These severities override those that the manifest sets.
  var severities: [String: SeverityChoice] = [:]
  var outputs = FindingOutputs()
  var jobs: Int?
  var scanJobs: Int?
  var color = ColorChoice.auto
  var isQuiet = false
  var isVerbose = false
  var symlinks = SymlinkRule.inside

  /// The places to which symlinks among assets and input files may lead.
  enum SymlinkRule: String, CaseIterable, Sendable {
    /// Symlinks must lead to places below the root and in the checkout.
    case inside
    /// Symlinks may lead to any place.
    case follow
  }

  enum ColorChoice: String, CaseIterable, Sendable {
    case auto
    case always
    case never
  }

  var profile: LimitProfile? { limits.flatMap(LimitProfile.named) }

  /// The number of threads that do the work.
  var workers: Int { jobs ?? defaultWorkerCount() }

  var scanWorkers: Int { scanJobs ?? workers }

  private static let jobsRange = 1...1024

  /// The topics of flags that only some commands have.
  ///
  /// A command has the flags of a topic if it needs them.
  enum Topic {
    case limits
    /// Flags about reading the folders of a manifest.
    case scans
  }

  /// A shared flag that would change nothing in some commands.
  enum Optional: String {
    case strict = "--strict"
    case severity = "--severity"
    case jobs = "--jobs"
  }

  /// Returns the shared flags and the flags of some topics.
  ///
  /// `part` is the path to the shared options in the options of the command. `unused` are the flags that would
  /// change nothing in the command; `RemovedFlag` explains this to users.
  static func flags<Options>(
    in part: Flag<Options>.Target<SharedOptions>, about topics: Set<Topic> = [],
    without unused: Set<Optional> = []
  ) -> [Flag<Options>] {
    let used = own.filter { flag in !unused.contains { $0.rawValue == flag.name } }
    return ((topics.contains(.limits) ? forLimits : []) + used + (topics.contains(.scans) ? forScans : []))
      .map { $0.lifted(into: part).assigned(toGroup: "shared flags") }
  }

  private static let forLimits: [Flag<SharedOptions>] = [
    .toggle(
      "--submission",
      summary: "report exceeded store limits as errors, not as warnings", sets: \.isSubmission),
    .value(
      "--limits", valueName: "PROFILE", kind: .choice(LimitProfile.all.map(\.name)),
      summary: "limits to check, instead of the manifest's profile", into: \.limits
    ).hintingOtherChoices(
      "set the limits of another store in the manifest, such as \"limits\": { \"packSize\": \"1.5 GB\" }"),
  ]

  private static let forScans: [Flag<SharedOptions>] = [
    .number(
      "--scan-jobs",
      summary: "number of threads that read folders, such as 16 for a network disk (default: as --jobs)",
      range: jobsRange, into: \.scanJobs
    ).asSetting("scanJobs")
  ]

  private static let own: [Flag<SharedOptions>] =
    [
      .toggle(
        "--strict",
        summary: "treat warnings as errors, except those about advised sizes", sets: \.isStrict),
      .each(
        "--severity", valueName: "ID=LEVEL", kind: .named(.severity),
        summary: "set the severity of a check's findings: error, warning, note or ignore", parse: severity,
        add: { $0.severities[$1.id] = $1.choice }),
    ]
    + FindingOutputs.flags.lifted(into: \.outputs) + [
      .number(
        "--jobs", "-j",
        summary: "number of threads (default: slightly more than the number of processors)", range: jobsRange,
        into: \.jobs),
      .choice(
        "--symlinks", valueName: "RULE",
        summary:
          "allowed targets of symlinks among assets and input files, either only in the root and the "
          + "checkout, or anywhere (default: inside)",
        into: \.symlinks),
      .choice("--color", valueName: "WHEN", summary: "colour findings", into: \.color)
        .reading(.noColor, .forcedColor, .colorInCI, .plainTerminal),
      .toggle("--quiet", "-q", summary: "print only errors and warnings", sets: \.isQuiet),
      .toggle("--verbose", "-v", summary: "print what packtool does", sets: \.isVerbose),
    ]

  private static func severity(_ text: String) throws(FlagMistake) -> (id: String, choice: SeverityChoice) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let choice = SeverityChoice(rawValue: parts[1]) else {
      let levels = SeverityChoice.allCases.map(\.rawValue)
      let word = parts.count == 2 ? parts[1] : ""
      let level = SeverityChoice(otherName: word)?.rawValue ?? nearest(to: word, in: levels)
      throw FlagMistake(
        "accepts ID=LEVEL with one of the levels \(levels.joined(separator: ", ")), not \(quoted(text))"
          + suggestion(level.map { "\(parts[0])=\($0)" }))
    }
    guard let check = Check.named(parts[0]) else {
      let guess = didYouMean(nearest(to: parts[0], in: Check.all.map(\.id)))
      throw FlagMistake("contains the check \(quoted(parts[0])), which does not exist\(guess)")
    }
    if let reason = check.fixedBecause, choice != .error {
      throw FlagMistake("cannot lower the severity of \(quoted(check.id)), which is \(reason)")
    }
    return (check.id, choice)
  }
}

let manifestArgument = Argument(
  "MANIFEST",
  summary:
    "a manifest, a folder that contains one (default: the current folder or the nearest above), or "
    + "App.xcodeproj",
  kind: .path, count: 0...1
).using(.manifest)

let builtFolderArgument = Argument("DIR", summary: "a folder that packtool built", kind: .folder)
  .using(.index, .contents, .packs)

struct FindingOutputs: Sendable {
  /// An output for the findings in one format.
  struct Output: Sendable {
    let format: DiagnosticsFormat
    /// The path of the file; nil means standard error.
    let path: String?
  }

  private var named: [Output] = []
  /// The file for a format for which the user specified no file.
  ///
  /// The findings are written to this file instead of standard error.
  private var plainPath: String?

  /// The flag of every command that reports findings.
  static let flagName = "--diagnostics"

  static let flags: [Flag<FindingOutputs>] = [
    .forms(
      flagName, valueName: "FORM[=FILE]",
      summary: "format of findings, for standard error or for a file, as in text=FILE; can be repeated"
    ) { (outputs, format: DiagnosticsFormat, path) in
      outputs.named.append(Output(format: format, path: path))
    }.reading(.checkout),
    .value(
      "--findings", valueName: "FILE", kind: .file(.output),
      summary: "write findings to a file, not to standard error", into: \.plainPath
    ).asDeprecated(successor: "--diagnostics text=FILE"),
  ]

  var all: [Output] {
    let needsPlain = named.isEmpty || (plainPath != nil && named.allSatisfy { $0.path != nil })
    let outputs = needsPlain ? [Output(format: .text, path: nil)] + named : named
    return outputs.map { Output(format: $0.format, path: $0.path ?? plainPath) }
  }

  /// The format of the findings on standard error; nil if findings are written only to files.
  var onStandardError: DiagnosticsFormat? { all.first { $0.path == nil }?.format }

  /// Whether a single document is written to standard error.
  ///
  /// No other line may be written before or after the document.
  var isDocument: Bool { onStandardError?.isDocument ?? false }

  /// The message if the user chose two formats for standard error; otherwise nil.
  var mistake: String? {
    let streams = named.filter { $0.path == nil }
    if streams.count < 2 { return nil }
    let format = streams[1].format.rawValue
    return
      "flag \"--diagnostics\" has two formats for standard error; write one of the formats to a file, such "
      + "as \(format)=FILE"
  }
}

/// The findings of one run.
///
/// The findings are kept for the documents and files that are written at the end of the run.
final class FindingReports: Sendable {
  let outputs: FindingOutputs
  private let color: SharedOptions.ColorChoice
  private let environment: Environment
  /// The folder that paths in reports are relative to.
  ///
  /// It is computed when a report needs it, because it depends on environment variables that matter only for
  /// reports.
  var base: PathBase { PathBase(environment) }
  private let found = Monitor(Findings())

  init(_ options: SharedOptions, environment: Environment) {
    self.environment = environment
    outputs = options.outputs
    color = options.color
  }

  var hasErrors: Bool { found.change { $0.hasErrors } }

  func add(_ findings: Findings) { found.change { $0.add(findings) } }

  func add(_ check: Check, message: String) {
    let finding = Diagnostic(check, message: message, at: .commandLine)
    add(Findings(manifestPath: "", sources: nil, diagnostics: [finding]))
  }

  /// Writes the files with findings.
  ///
  /// If a file cannot be written, its findings go to standard error, unless standard error shows findings
  /// anyway: no finding may be lost. Standard error is written last, because it also contains failures of this
  /// method.
  func writeFiles(_ session: Session) throws {
    let findings = found.change { $0 }
    let screen = Screen(width: nil, isColored: color == .always, showsAll: session.showsAll)
    var failure: (any Error)?
    for output in outputs.all {
      guard let path = output.path else { continue }
      do {
        try session.write(output.format.output(of: findings, on: screen, base: base), to: path)
      } catch {
        failure = failure ?? error
      }
    }
    guard let failure else { return }
    if outputs.onStandardError == nil {
      session.writeToStandardError(DiagnosticsFormat.text.output(of: findings, on: screen, base: base))
    }
    throw failure
  }

  func writeDocument(_ session: Session) {
    guard let format = outputs.onStandardError, format.isDocument else { return }
    let screen = Screen(width: nil, isColored: false, showsAll: true)
    session.writeToStandardError(format.output(of: found.change { $0 }, on: screen, base: base))
  }
}
