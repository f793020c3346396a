import Formats
package import System

/// The path of a request's target: decoded once, without the first slash and without a query.
///
/// The server only looks the path up in a table. So dots, double slashes and encoded slashes need no special
/// rules, because no path in the table contains them. Paths are compared by bytes, not by Unicode
/// equivalence.
package struct RequestPath: Sendable, Hashable {
  /// The reason why a target cannot be the path of a file.
  ///
  /// The raw value is a continuation of a sentence about the target.
  package enum Mistake: String, Error {
    case notAPath = "does not begin with a slash, or has a fragment"
    case brokenEscape = "has a \"%\" without two hex digits"
    case notText = "is not UTF-8"
    case hasControlCharacter = "has a control character"
  }

  package let key: ByteKey

  package var text: String { key.text }

  /// Reads the path of a target that begins with a slash.
  package init(_ target: some Collection<UInt8>) throws(Mistake) {
    guard target.first == UInt8(ascii: "/") else { throw .notAPath }
    var path = Array(target.dropFirst().prefix { $0 != UInt8(ascii: "?") })
    if path.contains(UInt8(ascii: "#")) { throw .notAPath }
    if path.contains(UInt8(ascii: "%")) {
      guard let decoded = PercentEncoding.bytes(of: path) else { throw .brokenEscape }
      path = decoded
    }
    if path.contains(where: { $0 < 0x20 || $0 == 0x7f }) { throw .hasControlCharacter }
    do { _ = try UTF8Span(validating: path.span) } catch { throw .notText }
    key = ByteKey(utf8: path)
  }

  init(decoded text: String) { key = ByteKey(text) }

  /// The path of the debug gauge.
  static let gauge = RequestPath(decoded: "")
  /// The path of the gauge's events.
  ///
  /// It is below the folder of the build cache, whose files are never served.
  static let events = RequestPath(decoded: ".packtool/events")
}

/// The two forms of a target that servers accept: a path, or a URL with a path.
struct RequestTarget {
  /// The host in the URL, with its port; nil if the target is a path.
  let authority: String?
  let path: ArraySlice<UInt8>

  init(_ target: [UInt8]) {
    let scheme = ["http://".utf8, "https://".utf8].first { scheme in
      target.count > scheme.count && zip(target, scheme).allSatisfy { ($0 | 0x20) == ($1 | 0x20) }
    }
    guard let scheme else {
      (authority, path) = (nil, target[...])
      return
    }
    let rest = target[scheme.count...]
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    self.authority = String(decoding: authority, as: UTF8.self)
    let path = rest[authority.endIndex...]
    self.path = path.isEmpty ? [UInt8(ascii: "/")] : path
  }
}
