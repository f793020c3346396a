import Findings
import System

/// One run of the tool: its environment and what it may write to.
struct Session: Sendable {
  let environment: [String: String]
  let terminal: any Terminal

  /// Writes a result to standard output.
  func print(_ text: String, as form: LogForm = .plain) throws(SystemError) {
    try terminal.write(form.safe(text), to: .output)
  }

  /// The path that stands for standard output where one file is written.
  static let standardOutput = "-"

  /// Writes a result to one file that the user named; `form` is what it is on standard output, nil for raw bytes.
  func write(_ bytes: ByteBuffer, to path: String, as form: LogForm? = nil) throws(SystemError) {
    guard path == Self.standardOutput else { return try FileOperations.replace(path, by: bytes) }
    guard let form else { return try terminal.write(bytes, to: .output) }
    try print(String(decoding: bytes.array(), as: UTF8.self), as: form)
  }

  /// Writes anything but a result to standard error; if that cannot be written, nothing can be told.
  func explain(_ text: String, as form: LogForm = .plain) {
    try? terminal.write(form.safe(text), to: .error)
  }

  /// Says why the tool itself cannot go on.
  func complain(_ message: String) {
    explain("\(Tool.name): error: \(harmless(message))\n")
  }

  /// Says what is wrong with the command line or the environment.
  func refuse(_ mistake: UsageMistake) -> ExitStatus {
    complain(mistake.message)
    return .usage
  }

  /// Characters in a line of output; what most people read well where there is no screen.
  func width(of stream: StandardStream) -> Int { min(terminal.width(of: stream) ?? 100, 120) }

  /// Whether a stream may be coloured and rewritten: it is a screen that understands that.
  func isLively(_ stream: StandardStream) -> Bool {
    terminal.isScreen(stream) && environment["TERM"] != "dumb"
  }

  /// The time that every entry of a pack gets, in seconds since 1970: 1980-01-01 unless `SOURCE_DATE_EPOCH` says otherwise.
  func entryTime() -> Result<Int64, UsageMistake> {
    guard let text = environment["SOURCE_DATE_EPOCH"], !text.isEmpty else { return .success(315_532_800) }
    // The end of the year 9999: beyond it no format of an archive has a date.
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

  /// Whether `SOURCE_DATE_EPOCH` says what time it is.
  var hasSourceDate: Bool { !(environment["SOURCE_DATE_EPOCH"] ?? "").isEmpty }
}

/// A command line or an environment that makes no sense.
struct UsageMistake: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
