import Formats
import Model
import Packing
import Pipeline
import System

struct SigningOptions: Sendable {
  var key: String?
  var password: String?
  var release: Int?
  var expires: String?

  static let flags: [Flag<SigningOptions>] = .helpGroup(
    under: "signing flags",
    flags: [
      .value(
        "--sign", valueName: "KEY", kind: .file(.input),
        summary:
          "sign the index with a minisign secret key from a file or a pipe, writing index.json.minisig",
        into: \.key
      ).using(.signature),
      .value(
        "--sign-password", valueName: "FILE", kind: .file(.input),
        summary: "read the password of an encrypted key from the first line of a file or a pipe",
        into: \.password
      ).asSetting("sign.password"),
      .number(
        "--release", summary: "number of the signed release (default: the previous number plus 1)",
        range: 1...Int(ByteSize.largestExact), into: \.release),
      .value(
        "--expires", valueName: "WHEN",
        summary:
          "expiry of the release: a date, a time, or a duration such as \"90 days\", counted from "
          + "SOURCE_DATE_EPOCH or now",
        into: \.expires
      ).reading(.expiryStart),
    ])

  var mistake: String? {
    let others = [
      ("--set sign.password", password != nil), ("--release", release != nil), ("--expires", expires != nil),
    ]
    guard key == nil, let flag = others.first(where: \.1)?.0 else { return nil }
    return "flag \(quoted(flag)) can only be used with \"--sign\""
  }

  /// The files that contain secrets, except pipes.
  var files: [SecretFile] { [key, password].compactMap(\.self).compactMap(SecretFile.init) }

  /// Returns the settings for signing the release; nil if there is no key.
  ///
  /// The release number will be higher than the number of the baseline. If the session has a
  /// SOURCE_DATE_EPOCH, an expiry is counted from it, otherwise from now.
  ///
  /// - Throws: a `FlagMistake` about a key that cannot be used.
  func settings(
    withSourceDateOf session: Session, afterReleaseAt baseline: String? = nil
  ) throws -> Signing? {
    guard let key else { return nil }
    let password = try password.map { try secretPassword(in: $0, for: "--set sign.password") }
    do {
      let advice = "\"minisign -G -W -p packs.pub -s packs.key\" makes the secret key packs.key"
      let text = try secretText(of: key, for: "--sign", help: "pass the path of a secret key; \(advice)")
      if !SecretKey.isSecretKey(text) {
        let isPublic = (try? PublicKey(text)) != nil
        throw FlagMistake(
          "flag \"--sign\" needs a minisign secret key, but \(quoted(key)) is "
            + (isPublic
              ? "a public key; pass the secret key that belongs to it"
              : "not one; \(advice)"))
      }
      let secret = try SecretKey(text, password: password)
      var signing = Signing(secret, number: release.map(Int64.init), expiryText: try expiry(in: session))
      if let baseline, try BuiltFolder.isNamed(by: baseline) {
        let folder = try BuiltFolder(baseline)
        try signing.raiseNumber(above: folder.index, ifSignedAt: folder.indexPath)
      }
      return signing
    } catch let mistake as MinisignMistake {
      throw FlagMistake("flag \"--sign\" cannot use the key: \(quoted(key)) \(mistake.reason)")
    }
  }

  /// Returns the time of expiry in RFC 3339 format; nil if the release does not expire.
  ///
  /// The result is the same for the same input, unless the expiry is a duration that is counted from the
  /// current time.
  private func expiry(in session: Session) throws -> String? {
    guard let text = expires else { return nil }
    let start = session.hasSourceDate ? try session.entryTime() : ThisProcess.time / 1_000_000_000
    if let time = (UTCTime.time(of: text) ?? UTCTime.time(of: "\(text)T00:00:00Z"))?.seconds, time >= 0 {
      if time > start { return UTCTime.text(ofSeconds: time) }
      let now = session.hasSourceDate ? "SOURCE_DATE_EPOCH is" : "it is now"
      throw FlagMistake(
        "flag \"--expires\" is \(UTCTime.text(ofSeconds: time)), but \(now) "
          + "\(UTCTime.text(ofSeconds: start)), so every client would reject the release; set a later time")
    }
    let units: [(name: String, scale: Int64)] = [("h", 3600), ("day", 86_400), ("days", 86_400)]
    // The maximum is a thousand years, so that the year has four digits.
    guard let duration = number(in: text, units: units, rounding: .down), 1...31_536_000_000 ~= duration
    else {
      throw FlagMistake(
        "flag \"--expires\" accepts a date such as 2027-01-31, a time such as 2027-01-31T12:00:00Z or a "
          + "duration such as \"90 days\", not \(quoted(text))")
    }
    return UTCTime.text(ofSeconds: min(start + duration, 253_402_300_799))
  }
}

extension Signing {
  /// Returns the error about the release to sign if it has already expired according to the clock, although
  /// it has not expired according to SOURCE_DATE_EPOCH.
  ///
  /// No client would accept such a release. The error is a finding, because users who rebuild an old release
  /// to compare its bytes must be able to lower its severity. Its place is the index in the output folder.
  func findingsIfExpired(outputPath output: String) -> [Diagnostic] {
    guard let expiryText, let time = UTCTime.time(of: expiryText)?.seconds,
      time <= ThisProcess.time / 1_000_000_000
    else { return [] }
    let message =
      "the release would expire at \(expiryText), which is in the past, so every client would reject it; set "
      + "a later \"--expires\", or use \"--severity expired-release=warning\" to build an old release again"
    let place = Place(joined(output, PublishedNames.index))
    return [Diagnostic(.expiredRelease, message: message, at: place, severity: .error)]
  }
}

/// A file on the command line that contains a secret key or a password.
///
/// A pipe does not count as such a file.
struct SecretFile {
  let path: String
  private let isReadableByAll: Bool

  init?(_ path: String) {
    guard let status = (try? FileOperations.statusIfThere(path)) ?? nil, status.kind == .file else {
      return nil
    }
    self.path = path
    isReadableByAll = status.isReadableByAll
  }

  /// A warning that every user of the machine can read the secret; nil if they cannot.
  var finding: Diagnostic? {
    guard isReadableByAll else { return nil }
    let command: ShellText = "chmod go= \(path)"
    return Diagnostic(
      .readableSecret, message: "every user of this machine can read the secret; run \(quoted(command.text))",
      at: Place(path))
  }
}

/// Returns the password in the first line of the file that a flag names.
///
/// Passwords are in files because they must not be on the command line.
func secretPassword(in path: String, for flag: String) throws -> String {
  let password = try secretText(of: path, for: flag).prefix { !$0.isNewline }
  if password.isEmpty {
    throw FlagMistake("the first line of \(quoted(path)) is empty, but must contain the password")
  }
  return String(password)
}

/// Returns the whole text of the file or pipe that a flag names.
///
/// `help` says what to do if the file does not exist.
func secretText(
  of path: String, for flag: String, help: String = "pass the path of an existing file"
) throws -> String {
  let longest = 1 << 20
  let bytes: [UInt8]
  func mistake(_ words: String) -> FlagMistake {
    FlagMistake("flag \"\(flag)\" needs a file, but \(quoted(path)) \(words)")
  }
  switch try FileContents(ofFileOrPipe: path, limit: longest) {
  case .bytes(let found): bytes = found
  case .missing: throw mistake("does not exist; \(help)")
  case .noFile: throw mistake("is not a file")
  case .tooLong: throw mistake("is larger than \(ByteSize.exact(longest))")
  }
  guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
    throw mistake("is not UTF-8 text")
  }
  return text
}
