import Formats
package import System

/// The path in a request's target.
///
/// It is decoded once, and has neither the first slash nor a query. The server only looks the path up in a
/// table. No path in the table contains dots as components, double slashes or encoded slashes, so these need
/// no special rules. Paths are compared by bytes, not by Unicode equivalence.
package struct RequestPath: Sendable, Hashable {
  /// The reason why a target cannot be the path of a file.
  ///
  /// The raw value is worded so that it can follow the target in a sentence.
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
  /// The path is below the folder of the build cache, because files of that folder are never served.
  static let events = RequestPath(decoded: ".packtool/events")
}

/// The target of a request.
///
/// Servers accept two forms: a path, or a URL with a path.
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
    self.path = path.first == UInt8(ascii: "/") ? path : [UInt8(ascii: "/")] + path
  }
}
