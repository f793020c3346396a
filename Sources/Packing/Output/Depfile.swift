package import Formats
import Model
import Pipeline
package import System

/// The files and folders that a build depends on, as a depfile for make and ninja.
package struct Depfile {
  /// Findings about names that the depfile does not contain, because make or ninja would misread them.
  package private(set) var findings: [Diagnostic] = []
  private var target: DepfileName?
  /// The dependencies of the target, as text for its rule.
  private var dependencies = ByteBuffer()
  /// An empty rule for each dependency, so that make does not stop if a file has been removed.
  private var rules = ByteBuffer()
  private var reported: Set<[UInt8]> = []

  /// Collects the dependencies of the file that is published last.
  ///
  /// The dependencies are the manifest and its sources, the files, and the folders. The time of a folder
  /// shows that files were added or removed. The releases that patches start from and the other inputs are
  /// also dependencies.
  init(of plan: PackPlan, in output: OutputFolder, baselines: [PatchBaseline], otherInputs: [String]) {
    let root = plan.manifest.rootPath
    target = name(Array(joined(output.path, output.files.indexName).utf8), kind: .file)
    for old in baselines {
      for path in [old.indexPath] + old.packPaths { add(Array(path.utf8), kind: .file) }
    }
    for path in otherInputs { add(Array(path.utf8), kind: .file) }
    for source in plan.manifest.sources { add(Array(source.utf8), kind: .file) }
    for folder in plan.tree.folders { add(Self.path(of: folder, below: root), kind: .folder) }
    // The target of a git-annex symlink does not exist, and make would stop because it has no rule for a
    // missing file.
    for file in plan.tree.files where file.pointer?.isLink != true {
      add(Array(joined(root, file.path).utf8), kind: .file)
    }
  }

  /// The bytes of the depfile; empty if the target's name cannot be written in a depfile.
  package consuming func bytes() -> ByteBuffer {
    var buffer = ByteBuffer()
    guard let target else { return buffer }
    buffer.append(target.bytes[...])
    buffer.append(":")
    dependencies.withBytes { buffer.append($0) }
    buffer.append("\n")
    rules.withBytes { buffer.append($0) }
    return buffer
  }

  private mutating func add(_ path: [UInt8], kind: FileStatus.Kind) {
    guard let name = name(path, kind: kind) else { return }
    dependencies.append(" \\\n  ")
    dependencies.append(name.bytes[...])
    rules.append("\n")
    rules.append(name.bytes[...])
    rules.append(":\n")
  }

  /// Returns the path of a folder below the root.
  ///
  /// The path can contain any bytes.
  private static func path(of folder: [UInt8], below root: String) -> [UInt8] {
    if folder.isEmpty { return Array(root.utf8) }
    return Array(joined(root, "x").utf8.dropLast()) + folder
  }

  private mutating func name(_ path: [UInt8], kind: FileStatus.Kind) -> DepfileName? {
    do throws(DepfileName.Fault) {
      return try DepfileName(path, kind: kind) { other in
        String(validating: other, as: UTF8.self).map {
          (try? FileOperations.exists($0, symlinks: .notFollowed)) ?? true
        }
          ?? true
      }
    } catch {
      report(path, fault: error)
      return nil
    }
  }

  private mutating func report(_ path: [UInt8], fault: DepfileName.Fault) {
    var subject = path
    // If a folder's name cannot be written, only the folder is reported, not the files below it.
    if case .contains(let place) = fault {
      let end = path[place.upperBound...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
      subject = Array(path[..<end])
    }
    guard reported.insert(subject).inserted else { return }
    let message =
      "\(quoted(bytes: subject)) \(fault.statement(on: path)), so the depfile does not list it; rename it"
    findings.append(
      Diagnostic(.unsayableName, message: message, at: Place(String(decoding: subject, as: UTF8.self))))
  }
}

extension DepfileName.Fault {
  /// Returns the end of a message about a path.
  fileprivate func statement(on path: [UInt8]) -> String {
    switch self {
    case .contains(let place): "contains \(quoted(bytes: path[place])), which a depfile cannot contain"
    case .begins(let start): "begins with \(quoted(start)), which is not possible in a depfile"
    case .ends(let end): "ends in \(quoted(end)), which is not possible in a depfile"
    case .isTarget: "is a name that has a special meaning for make"
    case .isWildcard: "has a wildcard that make could expand to another path"
    case .isTooLong: "is longer than the system allows for a path"
    }
  }
}

/// A path in a depfile, escaped so that GNU make and ninja both read exactly that path.
///
/// We found the rules by trying make 4.3 and ninja 1.11 with 12,000 names. A test compares the result with
/// both programs.
struct DepfileName {
  let bytes: [UInt8]

  /// The reason why a path cannot be escaped.
  enum Fault: Error {
    /// The path contains a character that make or ninja misreads, at this range of bytes.
    case contains(Range<Int>)
    case begins(String)
    case ends(String)
    /// The path is a special target of make.
    case isTarget
    /// make reads part of the path as a wildcard, which can match another file.
    case isWildcard
    /// The path is longer than PATH_MAX.
    case isTooLong
  }

  /// Escapes a path.
  ///
  /// If make or ninja would misread the path of a folder, the suffix `/.` is added, which does not change the
  /// meaning of the path.
  init(_ path: [UInt8], kind: FileStatus.Kind = .file, exists: ([UInt8]) -> Bool) throws(Fault) {
    if path.count >= Self.maxSize { throw .isTooLong }
    if let place = Self.unescapable(in: path) { throw .contains(place) }
    var path = path
    if kind == .folder && Self.endFault(of: path) != nil { path += Array("/.".utf8) }
    if let fault = Self.endFault(of: path) { throw fault }
    for start in ["~", "-l"] where path.starts(with: start.utf8) { throw .begins(start) }
    if Self.isWildcard(path, exists: exists) { throw .isWildcard }
    bytes = try Self.escaped(path)
  }

  private static let maxSize = 4096

  /// Whether a byte ends a name in make or ninja, or has a special meaning that cannot be escaped.
  private static func isReserved(_ byte: UInt8) -> Bool {
    switch UnicodeScalar(byte) {
    case "*", "?", ";", "|", "<", ">", "^", "`", "%", "=", "&", "\"", "'": true
    default: byte < 0x20 || byte == 0x7f
    }
  }

  private static func unescapable(in path: [UInt8]) -> Range<Int>? {
    for (index, byte) in path.enumerated() {
      if isReserved(byte) { return index..<index + 1 }
      // U+0080 to U+009F are also control characters, and one of them is a line end.
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
    // Special targets of make, such as ".PHONY", and make's suffixes such as ".c" are names without a slash.
    let isDotted = path.first == UInt8(ascii: ".") && !path.contains(UInt8(ascii: "/"))
    return isDotted && path != Array(".".utf8) && path != Array("..".utf8) ? .isTarget : nil
  }

  private static func escaped(_ path: [UInt8]) throws(Fault) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(path.count + 8)
    var slashes = 0
    for (index, byte) in path.enumerated() {
      switch UnicodeScalar(byte) {
      // Before a space, two backslashes stand for one backslash.
      case " ": text += Array(repeating: backslash, count: slashes + 1)
      case "#", ":", "$":
        // Before these characters, make and ninja interpret backslashes differently.
        if slashes > 0 { throw .contains(index - 1..<index) }
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
  /// Whether a path contains brackets and make would match another file with it.
  ///
  /// If no file matches, make uses the path literally.
  private static func isWildcard(_ path: [UInt8], exists: ([UInt8]) -> Bool) -> Bool {
    guard path.contains(UInt8(ascii: "[")) else { return false }
    if path.contains(backslash) { return true }
    for name in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let open = name.firstIndex(of: UInt8(ascii: "[")),
        let close = name[open...].dropFirst(2).firstIndex(of: UInt8(ascii: "]"))
      else { continue }
      let choices = name[(open + 1)..<close]
      // Ranges, negations and nested brackets are refused without computing what they match.
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
