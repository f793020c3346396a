import Formats
import Model
import Pipeline

/// A failure that the server causes on purpose, to test whether an app can handle it.
package struct Fault: Sendable {
  /// The kind of failure.
  package enum Kind: Sendable, Hashable {
    case missing
    /// The connection ends after this number of body bytes.
    case cut(Int64)
    /// Some requests fail.
    ///
    /// For the values 1 and 20, for example, 1 of every 20 requests fails.
    case unavailable(Int, of: Int)
  }

  /// The reason why a string is not a valid fault.
  ///
  /// `message` is worded so that it can follow the string in a sentence.
  package struct Mistake: Error {
    package let message: String
  }

  package let kind: Kind
  /// The fault as the user wrote it.
  package let text: String
  /// The paths that the fault applies to; nil for all paths.
  private let paths: RuleMatcher?

  /// The maximum value of the second number of `unavailable`.
  private static let maxRequests = 1_000_000

  /// Reads `404:PATTERN`, `cut:BYTES:PATTERN`, `503:1/20` or `503:1/20:PATTERN`.
  package init(_ text: String) throws(Mistake) {
    self.text = text
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count) {
    case ("404", 2...):
      kind = .missing
      paths = try Self.paths(parts.dropFirst().joined(separator: ":"))
    case ("cut", 3):
      guard let bytes = Int64(parts[1]).flatMap({ $0 < 0 ? nil : $0 }) ?? ByteSize.bytes(in: parts[1]) else {
        throw Mistake(
          message:
            "contains the size \(quoted(parts[1])); expected a number of bytes, such as 65536 or \"64 kB\"")
      }
      kind = .cut(bytes)
      paths = try Self.paths(parts[2])
    case ("503", 2...):
      kind = try Self.share(parts[1])
      paths = parts.count == 3 ? try Self.paths(parts[2]) : nil
    default:
      throw Mistake(message: "accepts 404:PATTERN, cut:BYTES:PATTERN or 503:1/20, not \(quoted(text))")
    }
  }

  /// Whether the fault applies to a request for a file.
  ///
  /// `number` counts the requests.
  func hits(_ path: String, number: Int) -> Bool {
    if let paths, paths.firstExclude(matching: path) == nil { return false }
    guard case .unavailable(let count, let all) = kind else { return true }
    // The failures are spread evenly. With 1/20, for example, every twentieth request fails.
    return (number % all) * count % all < count
  }

  /// Whether the fault can apply to any file of a table.
  package func hitsAny(of table: ServedTable) -> Bool {
    paths == nil || table.paths.contains { paths?.firstExclude(matching: $0) != nil }
  }

  /// The number of bytes after which the connection ends; nil if the fault is of another kind.
  var cut: Int64? {
    guard case .cut(let bytes) = kind else { return nil }
    return bytes
  }

  private static func share(_ text: String) throws(Mistake) -> Kind {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let count = numbers[0], let all = numbers[1], (1...maxRequests).contains(all),
      (1...all).contains(count)
    else {
      throw Mistake(
        message: "contains the share \(quoted(text)); expected a fraction of at most 1, such as 1/20")
    }
    return .unavailable(count, of: all)
  }

  /// Reads the glob for the files.
  ///
  /// A glob without a slash matches file names in any folder.
  private static func paths(_ pattern: String) throws(Mistake) -> RuleMatcher {
    let path = pattern.hasPrefix("/") ? String(pattern.dropFirst()) : pattern
    do throws(Glob.Mistake) {
      return RuleMatcher(excludes: [try Glob(pattern.contains("/") ? path : "**/\(path)")])
    } catch {
      if case .partialStars = error {
        throw Mistake(message: "needs a glob such as \"*Castle*\": \(error.message(for: pattern))")
      }
      throw Mistake(
        message: "contains the pattern \(quoted(pattern)), which is not a glob such as \"*Castle*\"")
    }
  }
}
