import Foundation

/// The rules for paths from outside.
///
/// packtool has the same rules in `PublishedPath`. A test checks both sets of rules with the same paths,
/// because the library must accept every path that `packtool build` accepts.
enum PackPath {
  /// The maximum size of a path in bytes.
  ///
  /// It is the limit of the zip format.
  static let maxSize = 65_535

  /// Whether a path in an index leads to a file below the server's folder.
  static func isPublished(_ path: String) -> Bool {
    let names = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return path.utf8.count <= maxSize
      && path.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && names.allSatisfy { !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) }
  }

  /// Whether a path in a pack stays below the folder that the pack is unpacked to.
  ///
  /// On Windows, some names stand for devices or for streams of other files. The function rejects such names
  /// there.
  static func isInPack(_ path: String) -> Bool {
    let isSafe = isPublished(path) && !path.utf8.contains(UInt8(ascii: "\\"))
    #if os(Windows)
      return isSafe && isStorableOnWindows(path)
    #else
      return isSafe
    #endif
  }

  /// Whether Windows can store a file at a path.
  static func isStorableOnWindows(_ path: String) -> Bool {
    path.utf8.split(separator: UInt8(ascii: "/")).allSatisfy { name in
      if name.contains(where: { windowsMarks.contains($0) }) { return false }
      if name.last == UInt8(ascii: ".") || name.last == UInt8(ascii: " ") { return false }
      var base = name.prefix { $0 != UInt8(ascii: ".") }
      while base.last == UInt8(ascii: " ") { base.removeLast() }
      return !windowsDevices.contains(String(decoding: base, as: UTF8.self).uppercased())
    }
  }

  private static let windowsMarks = Set("<>:\"|?*\\".utf8)
  private static let windowsDevices: Set<String> = {
    let numbers = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"]
    let ports = ["COM", "LPT"].flatMap { port in numbers.map { port + $0 } }
    return Set(["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + ports)
  }()
}

extension URL {
  /// Returns the URL of a file below this URL, by its path in an index.
  ///
  /// All bytes are percent-encoded, except the unreserved characters of RFC 3986 and slashes. `+` is encoded
  /// because S3 reads it as a space.
  func appending(published path: String) -> URL? {
    guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
    var folder = parts.percentEncodedPath
    if folder.hasSuffix("/") { folder.removeLast() }
    parts.percentEncodedPath = "\(folder)/\(Self.percentEncoded(path))"
    return parts.url
  }

  private static func percentEncoded(_ path: String) -> String {
    path.utf8.map { byte in
      let isLetterOrDigit =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isLetterOrDigit || "-._~/".utf8.contains(byte) { return String(UnicodeScalar(byte)) }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }
}
