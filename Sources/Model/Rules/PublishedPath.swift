import Formats

/// The rules for paths in builds.
///
/// All code that reads or writes builds uses these rules. They apply to the paths of archives in a folder and
/// of files in a pack. A reader accepts every path that a build accepts. The OnDemand target cannot import
/// this target, so its type `PackPath` repeats the rules. `PathRuleTests` compares all readers and writers.
package enum PublishedPath {
  /// Whether a path is in canonical form and leads to a file below its folder.
  ///
  /// The parameter is a span instead of `some Collection`, because the compiler does not specialize a generic
  /// function for a caller in another target. `inspect` calls this function for every path in an index, and
  /// took 2.7 times as long with a generic parameter.
  package static func isPlain(_ path: Span<UInt8>) -> Bool {
    var (length, dots) = (0, 0)
    for index in path.indices {
      let byte = path[index]
      if byte == UInt8(ascii: "/") {
        if length <= 2 && dots == length { return false }
        (length, dots) = (0, 0)
      } else {
        if byte < 0x20 || byte == 0x7f { return false }
        length += 1
        if byte == UInt8(ascii: ".") { dots += 1 }
      }
    }
    return (length > 2 || dots < length) && path.count <= RelativePath.maxSize
  }

  package static func isPlain(_ path: String) -> Bool { isPlain(path.utf8Span.span) }

  /// Whether a path is also valid for a file in a pack.
  ///
  /// A path in a pack must not contain backslashes, because some archive readers treat a backslash as a
  /// slash.
  package static func isInPack(_ path: Span<UInt8>) -> Bool {
    isPlain(path) && path.indices.allSatisfy { path[$0] != UInt8(ascii: "\\") }
  }

  package static func isInPack(_ path: String) -> Bool { isInPack(path.utf8Span.span) }
}

/// Recognizes names that Windows cannot store.
package enum WindowsNames {
  /// Whether Windows can store a file or folder with a name.
  package static func canStore(_ name: ArraySlice<UInt8>) -> Bool {
    if name.contains(where: isReserved) { return false }
    if name.last == UInt8(ascii: ".") || name.last == UInt8(ascii: " ") { return false }
    // A device name stays reserved with any extension, and with spaces before the extension.
    let base = name.prefix { $0 != UInt8(ascii: ".") }
    let end = base.lastIndex { $0 != UInt8(ascii: " ") }.map(base.index(after:)) ?? base.startIndex
    return !mayBeDevice(base[..<end]) || !devices.contains(uppercased(base[..<end]))
  }

  /// Returns the path itself and the paths of its parent folders, as far as Windows cannot store their last
  /// names.
  package static func unstorableNames(in path: String) -> [String] {
    let bytes = Array(path.utf8)
    var found: [String] = []
    var start = 0
    for end in bytes.indices + [bytes.count] where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
      if !canStore(bytes[start..<end]) { found.append(String(decoding: bytes[..<end], as: UTF8.self)) }
      start = end + 1
    }
    return found
  }

  /// Whether a byte of a name is a character that Windows reserves.
  package static func isReserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ":"), UInt8(ascii: "\""), UInt8(ascii: "|"),
      UInt8(ascii: "?"), UInt8(ascii: "*"), UInt8(ascii: "\\"):
      true
    default: false
    }
  }

  /// Whether a name might be a device name.
  ///
  /// This fast check makes the slow check unnecessary for most names.
  private static func mayBeDevice(_ base: ArraySlice<UInt8>) -> Bool {
    guard let first = base.first else { return false }
    return (3...7).contains(base.count) && "CPANL".utf8.contains(first & 0xdf)
  }

  private static func uppercased(_ base: ArraySlice<UInt8>) -> [UInt8] {
    base.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 & 0xdf : $0 }
  }

  private static let devices: Set<[UInt8]> = {
    let numbers = (1...9).map(String.init) + ["¹", "²", "³"]
    let ports = ["COM", "LPT"].flatMap { port in numbers.map { port + $0 } }
    return Set((["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"] + ports).map { Array($0.utf8) })
  }()
}
