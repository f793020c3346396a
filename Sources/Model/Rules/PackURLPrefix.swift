import Formats

/// The beginning of the URL from which devices download a pack, up to the pack's name.
package struct PackURLPrefix: Hashable, Sendable {
  /// The prefix as the user wrote it.
  ///
  /// It only contains characters that are allowed in a URL.
  package private(set) var text: String

  /// The reason why a string cannot begin a URL, worded so that it can follow "the prefix" in a sentence.
  package struct Mistake: Error {
    package let reason: String
  }

  package init(_ text: String) throws(Mistake) {
    if let reason = Self.reasonAgainst(text) { throw Mistake(reason: reason) }
    self.text = text
  }

  /// Whether a name after the prefix is part of a query.
  ///
  /// If so, nothing can follow the name.
  package var hasQuery: Bool { text.contains("?") }

  /// The prefix with a slash at its end.
  package var asFolder: PackURLPrefix {
    var folder = self
    if !text.hasSuffix("/") { folder.text += "/" }
    return folder
  }
}

extension PackURLPrefix {
  private static func reasonAgainst(_ text: String) -> String? {
    if text.isEmpty { return "is empty" }
    if let odd = text.unicodeScalars.first(where: { !isURLCharacter($0) }) {
      return "contains \(quoted(String(odd))), which must be percent-encoded in a URL"
    }
    if text.firstMatch(of: #/%(?![0-9A-Fa-f]{2})/#) != nil {
      return "contains a \"%\" without two hexadecimal digits after it"
    }
    if text.contains("#") { return "has a fragment, which devices never send to a server" }
    guard let parts = text.wholeMatch(of: #/([A-Za-z][A-Za-z0-9+.\-]*):(//([^/?]*))?.*/#) else { return nil }
    guard ["http", "https"].contains(parts.1.lowercased()) else {
      return "has the scheme \(quoted(parts.1 + ":")); begin it with \"https://\""
    }
    guard let authority = parts.3 else { return "has no \"//\" after its scheme" }
    return reasonAgainst(authority: authority)
  }

  private static func reasonAgainst(authority: Substring) -> String? {
    if authority.contains("@") { return "contains a user name or password, which every player could read" }
    guard let parts = authority.wholeMatch(of: #/(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._\-]+)(:([0-9]*))?/#) else {
      return "has the host \(quoted(authority)), which is not a name or an address with an optional port"
    }
    if let port = parts.3, !port.isEmpty, !(1...65_535).contains(Int(port) ?? 0) {
      return "has the port \(quoted(port)); ports end at 65535"
    }
    return nil
  }

  /// Whether a character can be in a URL without percent-encoding (RFC 3986).
  private static func isURLCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: "-._~:/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar)
    }
  }
}
