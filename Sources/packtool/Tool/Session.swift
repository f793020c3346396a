import Formats
import Model
import Packing
import Pipeline
import System

/// A run of packtool: its environment and its terminal.
struct Session: Sendable {
  let environment: Environment
  let terminal: any Terminal
  /// Every command, grouped by purpose, in the order of help.
  var groups: [CommandGroup] = []
  var commands: [Command] { groups.commands }
  /// Returns the number of seconds since a fixed moment.
  var clock: @Sendable () -> Double = { ThisProcess.seconds }
  /// Values that are kept in memory until the process ends.
  ///
  /// The values are not freed, because freeing the files of a tree takes longer than checking them.
  private let kept = Monitor<[any Sendable]>([])
  /// The findings of the command; nil before its flags are parsed, and for commands without findings.
  var reports: FindingReports?
  var showsAll = false

  func command(named name: String) -> Command? {
    groups.command(named: name)
  }

  func keep(_ value: some Sendable) { kept.change { $0.append(value) } }

  func print(_ output: Output) throws(SystemError) { try terminal.write(output.text, to: .output) }

  func print(_ text: PlainText) throws(SystemError) { try print(short(text)) }

  func print(markdown text: Written<MarkdownForm>) throws(SystemError) { try print(short(text)) }

  private func short<Form: PrintedForm>(_ text: Written<Form>) -> Output {
    showsAll ? Output(text) : Output(text).shortened
  }

  /// The path that stands for standard output, for commands that write one file.
  static let standardOutput = "-"

  /// Writes bytes to a file that the user specified.
  ///
  /// If the file is standard output, the method writes `shown` instead. If `shown` is nil, it writes the
  /// bytes themselves, for the next program in a pipe.
  func write(_ bytes: ByteBuffer, to path: String, as kind: OutputKind, shown: Output? = nil) throws {
    guard path == Self.standardOutput else {
      do {
        return warn(aboutLostAttributes: try OutputFiles.write(bytes, to: path, as: kind), at: path)
      } catch let error as SystemError where error.isFullDisk {
        throw FullDisk(
          error, need: "the new file has \(ByteSize.exact(bytes.count))", outputPath: path)
      }
    }
    if let shown { try print(shown) } else { try terminal.write(bytes, to: .output) }
  }

  /// Writes text output to a file that the user specified.
  func write(_ output: Output, to path: String) throws {
    var bytes = ByteBuffer()
    bytes.append(output.text)
    try write(bytes, to: path, as: .product, shown: output)
  }

  func warn(aboutLostAttributes lost: [String], at path: String) {
    if lost.isEmpty || reports?.outputs.isDocument == true { return }
    let traits = lost.joined(separator: ", ")
    writeToStandardError(
      "\(Tool.name): warning: \(quoted(path)) could not keep \(traits) of the previous file\n")
  }

  /// Writes to standard error.
  ///
  /// A failure is ignored, because it could not be reported.
  func writeToStandardError(_ output: Output) { try? terminal.write(output.text, to: .error) }

  func writeToStandardError(_ text: PlainText) { writeToStandardError(short(text)) }

  /// Returns the line width in characters.
  ///
  /// This is the width of the terminal, but at most 120. If there is no terminal, the width is 100.
  func width(of stream: StandardStream) -> Int { min(terminal.width(of: stream) ?? 100, 120) }

  /// Returns the number of columns of a terminal; nil for a stream that is not a terminal.
  func columns(of stream: StandardStream) -> Int? { terminal.width(of: stream) }

  func canRewriteLines(_ stream: StandardStream) -> Bool {
    terminal.isScreen(stream) && environment[.terminal] != "dumb"
  }

  /// Returns the time that every entry in packs gets, in seconds since 1970.
  ///
  /// It is `SOURCE_DATE_EPOCH`, or 1980-01-01 if this variable is not set.
  func entryTime() throws(FlagMistake) -> Int64 {
    guard let text = environment.value(of: .sourceDate) else { return 315_532_800 }
    // The end of the year 9999. No archive format can contain later dates.
    let last: Int64 = 253_402_300_799
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let seconds = Int64(text), seconds <= last
    else {
      throw FlagMistake(
        "the environment variable SOURCE_DATE_EPOCH is \(quoted(text)); expected seconds since 1970, from 0 "
          + "to \(last)"
      )
    }
    return seconds
  }

  var hasSourceDate: Bool { environment.value(of: .sourceDate) != nil }
}

// Reports failures. If findings are written to standard error as a document, the failure is in this document.
// Otherwise, it is a line of text.
extension Session {
  func reportError(_ message: String, check: Check = .wrongCommandLine) {
    fail("error: \(message)", message: message, check: check)
  }

  func refuse(_ message: String) -> ExitStatus {
    reportError(message)
    return .usage
  }

  func fail(_ line: PlainText, message: String, check: Check) {
    reports?.add(check, message: message)
    if reports?.outputs.isDocument != true { writeToStandardError("\(Tool.name): \(line)\n") }
  }

  func reporting(_ options: SharedOptions, body: (Session) throws -> ExitStatus) -> ExitStatus {
    let reports = FindingReports(options, environment: environment)
    var session = self
    session.reports = reports
    session.showsAll = options.isVerbose
    var status: ExitStatus
    do {
      status = try body(session)
      // A command that reported an error must not end with success.
      if status == .done && reports.hasErrors { status = .inputHasErrors }
    } catch {
      status = session.status(after: error)
    }
    do {
      try reports.writeFiles(session)
    } catch {
      let failed = session.status(after: error)
      // Errors of the input count more than a mistake of the command line that they may have caused.
      if failed == .machineFailed || (failed != .done && status == .done) { status = failed }
    }
    reports.writeDocument(session)
    return status
  }
}

protocol Terminal: Sendable {
  func write(_ text: String, to stream: StandardStream) throws(SystemError)
  func write(_ bytes: ByteBuffer, to stream: StandardStream) throws(SystemError)
  func isScreen(_ stream: StandardStream) -> Bool
  /// Returns the width of a stream in characters; nil if the stream is not a terminal.
  func width(of stream: StandardStream) -> Int?
}

extension Findings {
  /// Returns the findings for standard error.
  ///
  /// If `--quiet` is set, they do not include notes. Files and documents still contain the notes.
  fileprivate func shown(_ options: SharedOptions) -> [Diagnostic] {
    options.isQuiet ? diagnostics.filter { $0.severity != .note } : diagnostics
  }
}

extension SharedOptions {
  var policy: Policy { Policy(isSubmission: isSubmission, isStrict: isStrict, severities: severities) }

  func judged(
    _ findings: [Diagnostic], by manifest: Manifest? = nil, sources: SourceText? = nil, manifestPath: String
  ) -> Findings {
    Findings(manifestPath: manifestPath, sources: sources, judging: [(findings, policy.adding(manifest))])
  }

  func judged(_ findings: [Diagnostic], about prepared: Preparation) -> Findings {
    judged(findings, by: prepared.manifest, sources: prepared.text, manifestPath: prepared.path)
  }
}

extension Session {
  /// Prints progress notes to standard error, unless a document is written to standard error.
  func printProgress(_ text: PlainText, options: SharedOptions) {
    if !options.outputs.isDocument { writeToStandardError(text) }
  }

  /// Writes findings and the summary line to standard error.
  ///
  /// Findings that were already shown are left out.
  ///
  /// Documents and files are written only at the end of the run.
  func report(_ findings: Findings, options: SharedOptions, alreadyShown: Findings = Findings()) {
    reports?.add(findings)
    printFindings(findings.without(alreadyShown), options: options)
    if !findings.shown(options).isEmpty || !(findings.accepted.isEmpty || options.isQuiet) {
      printProgress("\(Tool.name): \(findings.summary)\n", options: options)
    }
  }

  func printFindings(_ findings: Findings, options: SharedOptions) {
    guard let format = options.outputs.onStandardError, !format.isDocument else { return }
    let base = reports?.base ?? PathBase(environment)
    let shown = Findings(
      manifestPath: findings.manifestPath, sources: findings.sources, diagnostics: findings.shown(options))
    let screen = Screen(width: nil, isColored: isColored(options.color), showsAll: showsAll)
    writeToStandardError(format.output(of: shown, on: screen, base: base))
  }

  func screen(_ options: SharedOptions) -> Screen {
    Screen(
      width: columns(of: .output), isColored: isColored(options.color, on: .output),
      showsAll: options.isVerbose)
  }

  /// Whether a stream gets colours.
  ///
  /// The flag takes precedence over the environment variables, and these take precedence over the terminal.
  ///
  /// The variables are described at https://no-color.org and https://force-color.org. Without them, a
  /// terminal gets colours unless the run is in a CI.
  func isColored(_ choice: SharedOptions.ColorChoice, on stream: StandardStream = .error) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      if environment.value(of: .noColor) != nil { return false }
      let forcing = [environment.value(of: .forceColor), environment.value(of: .forceColorInCLI)]
      if forcing.contains(where: { $0 != nil && $0 != "0" }) { return true }
      return canRewriteLines(stream) && environment.value(of: .ci) == nil
    }
  }
}
