package import Findings
package import PackKit
package import System

/// The files and folders that a build depends on, as a depfile for make and ninja.
package struct Depfile {
  /// Findings about names left out, since make and ninja would misread them.
  package private(set) var findings: [Diagnostic] = []
  private var target: DepfileName?
  /// The dependencies in the rule of the target.
  private var dependencies = ByteBuffer()
  /// An empty rule for each dependency, so that make continues when a file was removed.
  private var rules = ByteBuffer()
  /// The names with a finding.
  private var told: Set<[UInt8]> = []

  /// The dependencies of the file that is published last: the sources of the manifest, the files, and the folders,
  /// whose times show added and removed files.
  package init(of plan: PackPlan, in output: OutputFolder) {
    let root = plan.manifest.rootPath
    target = name(joined(output.path, output.layout.indexName), isFolder: false)
    for source in plan.manifest.sources { add(Array(source.utf8), isFolder: false) }
    for folder in plan.tree.folders { add(Self.path(of: folder, below: root), isFolder: true) }
    // What a link of git-annex leads to is not there, and make would have to know how to make it.
    for file in plan.tree.files where file.pointer?.isLink != true {
      add(Array(joined(root, file.path).utf8), isFolder: false)
    }
  }

  /// The bytes of the depfile; empty if the target itself cannot be named.
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

  private mutating func add(_ path: [UInt8], isFolder: Bool) {
    guard let name = name(path, isFolder: isFolder) else { return }
    dependencies.append(" \\\n  ")
    dependencies.append(name.bytes[...])
    rules.append("\n")
    rules.append(name.bytes[...])
    rules.append(":\n")
  }

  /// The path of a folder below the root, which may have any bytes.
  private static func path(of folder: [UInt8], below root: String) -> [UInt8] {
    if folder.isEmpty { return Array(root.utf8) }
    return Array(joined(root, "x").utf8.dropLast()) + folder
  }

  private mutating func name(_ path: String, isFolder: Bool) -> DepfileName? {
    name(Array(path.utf8), isFolder: isFolder)
  }

  private mutating func name(_ path: [UInt8], isFolder: Bool) -> DepfileName? {
    do throws(DepfileName.Fault) {
      return try DepfileName(path, isFolder: isFolder) { other in
        String(validating: other, as: UTF8.self).map {
          (try? FileOperations.exists($0, following: false)) ?? true
        }
          ?? true
      }
    } catch {
      report(path, error)
      return nil
    }
  }

  private mutating func report(_ path: [UInt8], _ fault: DepfileName.Fault) {
    var subject = path
    // Files below a folder that cannot be named are covered by the folder's finding.
    if case .holds(let place) = fault {
      let end = path[place.upperBound...].firstIndex(of: UInt8(ascii: "/")) ?? path.count
      subject = Array(path[..<end])
    }
    guard told.insert(subject).inserted else { return }
    let message =
      "\(quoted(bytes: subject)) \(fault.statement(on: path)); make and ninja are not told of it, rename it"
    findings.append(
      Diagnostic(.unsayableName, message, at: Place(String(decoding: subject, as: UTF8.self))))
  }
}

extension DepfileName.Fault {
  /// The message on a path, without its name.
  fileprivate func statement(on path: [UInt8]) -> String {
    switch self {
    case .holds(let place): "holds \(quoted(bytes: path[place])), which a depfile has no form for"
    case .begins(let start): "begins with \(quoted(start)), which a depfile has no form for"
    case .ends(let end): "ends in \(quoted(end)), which a depfile has no form for"
    case .isTarget: "is a name that make keeps for itself"
    case .isWildcard: "is a wildcard to make, which may find another file"
    case .isTooLong: "is longer than a path may be"
    }
  }
}
