import Findings
import Projects
import System

/// A path in a depfile, spelled so that GNU make and ninja both read that path and nothing else.
///
/// What is sayable was found by trying make 4.3 and ninja 1.11 on 12,000 names; the test holds both to it.
struct DepfileName {
  /// The spelling.
  let bytes: [UInt8]

  /// Why a path has no such spelling.
  enum Fault: Error {
    /// It holds a character that one of the two takes for something else: where that stands, and its length in bytes.
    case holds(Range<Int>)
    case begins(String)
    case ends(String)
    /// make has its own meaning for it.
    case isTarget
    /// make takes part of it for a wildcard, which may find another file.
    case isWildcard
    /// No system call takes it.
    case isTooLong
  }

  /// Spells a path; a folder's may get `/.` behind it, which changes what make and ninja read, not what it names.
  init(_ path: [UInt8], isFolder: Bool = false, exists: ([UInt8]) -> Bool) throws(Fault) {
    if path.count >= Self.longest { throw .isTooLong }
    if let place = Self.unsayable(in: path) { throw .holds(place) }
    var path = path
    if isFolder && Self.endFault(of: path) != nil { path += Array("/.".utf8) }
    if let fault = Self.endFault(of: path) { throw fault }
    for start in ["~", "-l"] where path.starts(with: start.utf8) { throw .begins(start) }
    if Self.isWildcard(path, exists: exists) { throw .isWildcard }
    bytes = try Self.escaped(path)
  }

  /// PATH_MAX.
  private static let longest = 4096

  /// Whether a byte ends a name in make or in ninja, or means something else there, whatever stands in front of it.
  private static func isReserved(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "*", "?", ";", "|", "<", ">", "^", "`", "%", "=", "&", "\"", "'": true
    default: byte < 0x20 || byte == 0x7f
    }
  }

  private static func unsayable(in path: [UInt8]) -> Range<Int>? {
    for (index, byte) in path.enumerated() {
      if isReserved(byte) { return index..<index + 1 }
      // U+0080 to U+009F are control characters too, a line end among them.
      if byte == 0xc2, index + 1 < path.count, (0x80...0x9f).contains(path[index + 1]) {
        return index..<index + 2
      }
    }
    return nil
  }

  private static func endFault(of path: [UInt8]) -> Fault? {
    guard let last = path.last else { return nil }
    switch UnicodeScalar(last) {
    case ")", "\\", ":", " ": return .ends(String(UnicodeScalar(last)))
    default: break
    }
    // ".PHONY" and the like, and suffixes; all are names without a slash.
    let isDotted = path.first == UInt8(ascii: ".") && !path.contains(UInt8(ascii: "/"))
    return isDotted && path != Array(".".utf8) && path != Array("..".utf8) ? .isTarget : nil
  }

  private static func escaped(_ path: [UInt8]) throws(Fault) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(path.count + 8)
    var slashes = 0
    for (index, byte) in path.enumerated() {
      switch UnicodeScalar(byte) {
      // In front of a space two backslashes stand for one.
      case " ": text += Array(repeating: backslash, count: slashes + 1)
      case "#", ":", "$":
        // In front of these make and ninja disagree on what backslashes are.
        if slashes > 0 { throw .holds(index - 1..<index) }
        text.append(byte == UInt8(ascii: "$") ? byte : backslash)
      default: break
      }
      slashes = byte == backslash ? slashes + 1 : 0
      text.append(byte)
    }
    return text
  }
}

private let backslash = UInt8(ascii: "\\")

extension DepfileName {
  /// Whether make finds something else by a path that holds brackets; where it finds nothing, it takes the path as it is.
  private static func isWildcard(_ path: [UInt8], exists: ([UInt8]) -> Bool) -> Bool {
    guard path.contains(UInt8(ascii: "[")) else { return false }
    if path.contains(backslash) { return true }
    for name in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let open = name.firstIndex(of: UInt8(ascii: "[")),
        let close = name[open...].dropFirst(2).firstIndex(of: UInt8(ascii: "]"))
      else { continue }
      let choices = name[(open + 1)..<close]
      // Ranges, exceptions and more brackets are not worth a look at what they would find.
      guard choices.allSatisfy({ $0 < 0x80 && !"[]!^-".utf8.contains($0) }),
        !name[(close + 1)...].contains(UInt8(ascii: "["))
      else { return true }
      if choices.contains(where: { exists(Array(path[..<open]) + [$0] + path[(close + 1)...]) }) {
        return true
      }
    }
    return false
  }
}
