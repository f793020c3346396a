package import Archiving

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

  /// The manifest, the files, and the folders, whose times tell of files that came or went.
  private var dependencies: [String] {
    let root = plan.manifest.rootPath
    let folders = plan.tree.folders.compactMap { String(validating: $0, as: UTF8.self) }
    return [plan.manifest.text.path] + folders.map { joined(root, $0) }
      + plan.tree.files.map { joined(root, $0.path) }
  }

  private func escaped(_ path: String) -> String {
    path.unicodeScalars.map { scalar in
      switch scalar {
      case " ", "#", ":": "\\\(scalar)"
      case "$": "$$"
      default: String(scalar)
      }
    }.joined()
  }
}
