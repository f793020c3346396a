import Findings
import System

/// One run of the tool: its environment and its terminal.
struct Session: Sendable {
  let environment: [String: String]
  /// Every command, in the order of help.
  let commands: [Command]
  private let terminal: any Terminal
  /// Seconds since any moment.
  let clock: @Sendable () -> Double
  /// What is freed with the session, since to free the files of a tree one by one takes longer than to check them.
  private let kept = Monitor<[any Sendable]>([])
  /// The findings of the command; nil before its flags are understood, and for commands without findings.
  var reports: FindingReports?

  init(
    environment: [String: String], terminal: any Terminal, commands: [Command] = [],
    clock: @escaping @Sendable () -> Double = { ThisProcess.seconds }
  ) {
    self.environment = environment
    self.terminal = terminal
    self.commands = commands
    self.clock = clock
  }

  /// Keeps a value for as long as the session.
  func keep(_ value: some Sendable) { kept.change { $0.append(value) } }

  /// Writes a result to standard output.
  func print(_ output: Output) throws(SystemError) { try terminal.write(output.text, to: .output) }

  /// Writes a result for people to standard output.
  func print(_ text: PlainText) throws(SystemError) { try print(Output(text)) }

  /// The path that means standard output, for commands that write one file.
  static let standardOutput = "-"

  /// Writes bytes to a file that the user named; on standard output they are `shown`, or where that is nil the
  /// bytes themselves, as the next program in a pipe needs them.
  func write(_ bytes: ByteBuffer, to path: String, shown: Output? = nil) throws(SystemError) {
    guard path == Self.standardOutput else {
      return warn(of: try FileOperations.replace(path, by: bytes), path)
    }
    if let shown { try print(shown) } else { try terminal.write(bytes, to: .output) }
  }

  /// Writes a report to a file that the user named.
  func write(_ output: Output, to path: String) throws(SystemError) {
    var bytes = ByteBuffer()
    bytes.append(output.text)
    try write(bytes, to: path, shown: output)
  }

  /// Says what a replaced file could not keep.
  func warn(of lost: [String], _ path: String) {
    if lost.isEmpty || reports?.outputs.isDocument == true { return }
    let traits = lost.joined(separator: ", ")
    explain("\(Tool.name): warning: \(quoted(path)) could not keep \(traits) of the file before it\n")
  }

  /// Writes anything but a result to standard error; a failure of that cannot be reported.
  func explain(_ output: Output) { try? terminal.write(output.text, to: .error) }

  /// Writes anything but a result for people to standard error.
  func explain(_ text: PlainText) { explain(Output(text)) }

  /// The line width of output in characters: that of the terminal up to 120, or 100 without one.
  func width(of stream: StandardStream) -> Int { min(terminal.width(of: stream) ?? 100, 120) }

  /// The columns of a terminal; nil for a stream that is none.
  func columns(of stream: StandardStream) -> Int? { terminal.width(of: stream) }

  /// Whether a stream is a terminal that supports colours and rewriting lines.
  func isLively(_ stream: StandardStream) -> Bool {
    terminal.isScreen(stream) && environment["TERM"] != "dumb"
  }

  /// The time of every entry in packs, in seconds since 1970: `SOURCE_DATE_EPOCH`, or 1980-01-01 without it.
  func entryTime() -> Result<Int64, UsageMistake> {
    guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return .success(315_532_800) }
    // The end of the year 9999, after which no archive format has dates.
    let last: Int64 = 253_402_300_799
    guard text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let seconds = Int64(text), seconds <= last
    else {
      return .failure(
        UsageMistake(
          "the environment's SOURCE_DATE_EPOCH is \(quoted(text)); expected seconds since 1970, from 0 to \(last)"
        ))
    }
    return .success(seconds)
  }

  /// Whether `SOURCE_DATE_EPOCH` is set.
  var hasSourceDate: Bool { !(environment["SOURCE_DATE_EPOCH"] ?? "").isEmpty }
}

/// A mistake in the command line or the environment.
struct UsageMistake: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
