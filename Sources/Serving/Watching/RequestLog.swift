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
    let (seconds, fraction) = (time / 1000).floored(by: 1_000_000)
    return .ordered([
      ("time", .string(UTCTime.text(ofSeconds: seconds, fraction: fraction, digits: 6))),
      ("request", .string(request)),
      ("range", range.map { .string(String($0.prefix(Self.longest))) } ?? .null),
      ("status", .integer(status)), ("bytes", .integer(bytes)),
      ("milliseconds", .real(Double(microseconds) / 1000)),
      ("pack", pack.map { .string($0.id) } ?? .null), ("tags", .strings(pack?.tags ?? [])),
    ])
  }
}
