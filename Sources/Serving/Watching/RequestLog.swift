import CLibrary
import Findings
import Formats
import Synchronization
package import System

/// A file to which each answered request adds one line of JSON.
package final class RequestLog: Sendable {
  private let path: String
  private let descriptor: Int32
  private let hasFailed = Atomic(false)
  private let complain: @Sendable (SystemError) -> Void

  /// Opens a file, whose lines stay; `complain` is told of the first line that cannot be written.
  package init(_ path: String, complain: @escaping @Sendable (SystemError) -> Void) throws(SystemError) {
    self.path = path
    self.complain = complain
    descriptor = retrying { open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o644) }
    if descriptor < 0 { throw SystemError("open", path) }
  }

  deinit { close(descriptor) }

  /// Adds a line, by one call: lines of several threads do not mix.
  func write(_ entry: LogEntry) {
    var line = entry.json.line
    line.append("\n")
    let count = line.withBytes {
      $0.withUnsafeBytes { bytes in
        retrying { CLibrary.write(descriptor, bytes.baseAddress, bytes.count) }
      }
    }
    if count == line.count { return }
    let error = SystemError("write", path, code: count < 0 ? errno : ENOSPC)
    if !hasFailed.exchange(true, ordering: .relaxed) { complain(error) }
  }
}

/// One request of the log.
struct LogEntry: Sendable {
  /// When it came, in nanoseconds since 1970.
  let time: Int64
  let method: String
  let target: [UInt8]
  let status: Int
  let range: String?
  /// Bytes of the body.
  let bytes: Int64
  /// From its first line to the end of the answer.
  let microseconds: Int64
  let pack: ServedTable.Pack?

  /// The most characters of what a client says.
  private static let longest = 2000

  var json: JSONText {
    let request =
      "\(method.prefix(Self.longest)) \(String(decoding: target.prefix(Self.longest), as: UTF8.self))"
    return .ordered([
      ("time", .string(UTCTime.text(ofNanoseconds: time))), ("request", .string(request)),
      ("range", range.map { .string(String($0.prefix(Self.longest))) } ?? .null),
      ("status", .integer(status)), ("bytes", .integer(bytes)),
      ("milliseconds", .real(Double(microseconds) / 1000)),
      ("pack", pack.map { .string($0.id) } ?? .null), ("tags", .strings(pack?.tags ?? [])),
    ])
  }
}

/// Times as logs have them: `2026-11-22T21:49:30.123456Z`.
enum UTCTime {
  /// The text of a time after 1970.
  static func text(ofNanoseconds time: Int64) -> String {
    let (days, rest) = (time / 1000).floored(by: 86_400_000_000)
    let date = CivilDate(daysSince1970: days)
    let (seconds, fraction) = rest.floored(by: 1_000_000)
    let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, 2) }.joined(separator: ":")
    return
      "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(clock).\(padded(fraction, 6))Z"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
