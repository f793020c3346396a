import Findings
import System

/// One run of the tool: its environment and its terminal.
struct Session: Sendable {
  let environment: [String: String]
  let terminal: any Terminal
  /// The findings of the command; nil before its flags are understood, and for commands without findings.
  var reports: FindingReports?

  /// Writes a result to standard output.
  func print(_ text: String, as form: LogForm = .plain) throws(SystemError) {
    try terminal.write(form.safe(text), to: .output)
  }

  /// The path that means standard output, for commands that write one file.
  static let standardOutput = "-"

  /// Writes a result to a file that the user named; `form` is its form on standard output, nil for raw bytes.
  func write(_ bytes: ByteBuffer, to path: String, as form: LogForm? = nil) throws(SystemError) {
    guard path == Self.standardOutput else { return try FileOperations.replace(path, by: bytes) }
    guard let form else { return try terminal.write(bytes, to: .output) }
    try print(String(decoding: bytes.array(), as: UTF8.self), as: form)
  }

  /// Writes anything but a result to standard error; a failure of that cannot be reported.
  func explain(_ text: String, as form: LogForm = .plain) {
    try? terminal.write(form.safe(text), to: .error)
  }

  /// The line width of output in characters: that of the terminal up to 120, or 100 without one.
  func width(of stream: StandardStream) -> Int { min(terminal.width(of: stream) ?? 100, 120) }

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
