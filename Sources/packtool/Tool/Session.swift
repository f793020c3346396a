import Formats
import Model
import Packing
import Pipeline
import System

/// One run of the tool: its environment and its terminal.
struct Session: Sendable {
  let environment: [String: String]
  let terminal: any Terminal
  /// Every command, in the order of help, by what it is for.
  var groups: [(name: String, commands: [Command])] = []
  var commands: [Command] { groups.flatMap(\.commands) }
  /// Seconds since any moment.
  var clock: @Sendable () -> Double = { ThisProcess.seconds }
  /// Values that live as long as the session: to free the files of a tree takes longer than to check them.
  private let kept = Monitor<[any Sendable]>([])
  /// The findings of the command; nil before its flags are understood, and for commands without findings.
  var reports: FindingReports?
  var showsAll = false

  func keep(_ value: some Sendable) { kept.change { $0.append(value) } }

  func print(_ output: Output) throws(SystemError) { try terminal.write(output.text, to: .output) }

  func print(_ text: PlainText) throws(SystemError) { try print(short(text)) }

  func print(markdown text: Written<MarkdownForm>) throws(SystemError) { try print(short(text)) }

  private func short<Form: PrintedForm>(_ text: Written<Form>) -> Output {
    showsAll ? Output(text) : Output(text).shortened
  }

  /// The path that means standard output, for commands that write one file.
  static let standardOutput = "-"

  /// Writes bytes to a file that the user named; on standard output they are `shown`, or where that is nil the
  /// bytes themselves, as the next program in a pipe needs them.
  func write(_ bytes: ByteBuffer, to path: String, as kind: OutputKind, shown: Output? = nil) throws {
    guard path == Self.standardOutput else {
      return warn(aboutLostAttributes: try OutputFiles.write(bytes, to: path, as: kind), at: path)
    }
    if let shown { try print(shown) } else { try terminal.write(bytes, to: .output) }
  }

  /// Writes a text that is a product to a file that the user named.
  func write(_ output: Output, to path: String) throws {
    var bytes = ByteBuffer()
    bytes.append(output.text)
    try write(bytes, to: path, as: .product, shown: output)
  }

  func warn(aboutLostAttributes lost: [String], at path: String) {
    if lost.isEmpty || reports?.outputs.isDocument == true { return }
    let traits = lost.joined(separator: ", ")
    writeToStandardError(
      "\(Tool.name): warning: \(quoted(path)) could not keep \(traits) of the file before it\n")
  }

  /// Writes anything but a result to standard error; a failure of that cannot be reported.
  func writeToStandardError(_ output: Output) { try? terminal.write(output.text, to: .error) }

  func writeToStandardError(_ text: PlainText) { writeToStandardError(short(text)) }

  /// The line width of output in characters: that of the terminal up to 120, or 100 without one.
  func width(of stream: StandardStream) -> Int { min(terminal.width(of: stream) ?? 100, 120) }

  /// The columns of a terminal; nil for a stream that is none.
  func columns(of stream: StandardStream) -> Int? { terminal.width(of: stream) }

  func isLively(_ stream: StandardStream) -> Bool {
    terminal.isScreen(stream) && environment["TERM"] != "dumb"
  }

  /// The time of every entry in packs, in seconds since 1970: `SOURCE_DATE_EPOCH`, or 1980-01-01 without it.
  func entryTime() throws(FlagMistake) -> Int64 {
    guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return 315_532_800 }
    // The end of the year 9999, after which no archive format has dates.
    let last: Int64 = 253_402_300_799
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let seconds = Int64(text), seconds <= last
    else {
      throw FlagMistake(
        "the environment's SOURCE_DATE_EPOCH is \(quoted(text)); expected seconds since 1970, from 0 to \(last)"
      )
    }
    return seconds
  }

  var hasSourceDate: Bool { !(environment["SOURCE_DATE_EPOCH"] ?? "").isEmpty }
}

// How a run says why it failed: in the document of findings where standard error is one, else as a line.
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
      // No command can report an error and end as if there were none.
      if status == .done && reports.hasErrors { status = .inputHasErrors }
    } catch {
      status = session.status(after: error)
    }
    do {
      try reports.writeFiles(session)
    } catch {
      let failed = session.status(after: error)
      if failed != .done { status = failed }
    }
    reports.writeDocument(session)
    return status
  }
}

protocol Terminal: Sendable {
  func write(_ text: String, to stream: StandardStream) throws(SystemError)
  func write(_ bytes: ByteBuffer, to stream: StandardStream) throws(SystemError)
  func isScreen(_ stream: StandardStream) -> Bool
  /// The width in characters; nil if the stream is no terminal.
  func width(of stream: StandardStream) -> Int?
}

extension Findings {
  /// Those that standard error has: no notes with `--quiet`, which files and documents still list.
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
  /// Prints progress notes to standard error, unless it is a JSON or XML document.
  func printProgress(_ text: PlainText, options: SharedOptions) {
    if !options.outputs.isDocument { writeToStandardError(text) }
  }

  /// Writes findings and the summary line to standard error, but none that were said already; documents and files
  /// follow at the end of the run.
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

  /// Whether a stream gets colours: by the flag, else by the variables of https://no-color.org and
  /// https://force-color.org, else where a terminal shows it and no CI runs this.
  func isColored(_ choice: SharedOptions.ColorChoice, on stream: StandardStream = .error) -> Bool {
    switch choice {
    case .always: return true
    case .never: return false
    case .auto:
      if isSet("NO_COLOR") { return false }
      if ["FORCE_COLOR", "CLICOLOR_FORCE"].contains(where: { isSet($0) && environment[$0] != "0" }) {
        return true
      }
      return isLively(stream) && !isSet("CI")
    }
  }

  private func isSet(_ variable: String) -> Bool { !(environment[variable] ?? "").isEmpty }
}
