import Findings
package import PackKit
package import System

/// The files and folders that a build depends on, in the form that make and ninja read.
package struct Depfile {
  private let plan: PackPlan
  private let target: String

  /// The dependencies of what is published last in an output folder.
  package init(of plan: PackPlan, in output: OutputFolder) {
    self.plan = plan
    target = joined(output.path, output.layout.indexName)
  }

  /// Writes the file, where it would change.
  package func write(to path: String) throws(SystemError) {
    try FileOperations.replace(path, by: text)
  }

  /// A rule for the index, and an empty one for each dependency: make goes on when one was removed.
  private var text: ByteBuffer {
    let names = dependencies.map(escaped)
    var buffer = ByteBuffer()
    buffer.append("\(escaped(target)):")
    for name in names { buffer.append(" \\\n  \(name)") }
    buffer.append("\n")
    for name in names { buffer.append("\n\(name):\n") }
    return buffer
  }

  /// What the manifest was made of, the files, and the folders, whose times tell of files that came or went.
  private var dependencies: [String] {
    let root = plan.manifest.rootPath
    let folders = plan.tree.folders.compactMap { String(validating: $0, as: UTF8.self) }
    return plan.manifest.sources + folders.map { joined(root, $0) }
      + plan.tree.files.map { joined(root, $0.path) }
  }

  /// A path as make and ninja read it, as far as they have a way to write it.
  private func escaped(_ path: String) -> String {
    let scalars = Array(path.unicodeScalars)
    return scalars.indices.map { index in
      let scalar = scalars[index]
      switch scalar {
      case " ", "#", ":": return "\\\(scalar)"
      case "$": return "$$"
      // In front of what is escaped, and at the end, two backslashes stand for one.
      case "\\":
        let next = scalars[index...].first { $0 != "\\" }
        return next.map { " #:".unicodeScalars.contains($0) } ?? true ? "\\\\" : "\\"
      // These end a name whatever stands in front of them, but a wildcard finds the file.
      case ";", "|": return "?"
      case "=" where index == 0, "&" where index == scalars.count - 1: return "?"
      default: return String(scalar)
      }
    }.joined()
  }
}
