import Findings
package import System

extension Manifest {
  /// The path of the root folder relative to the folder of a file, for a manifest that will be written there.
  package func rootPath(seenFrom file: String) throws(SystemError) -> String {
    let folder = folderPath(of: file)
    try FileOperations.makeFolder(folder)
    let from = try components(of: folder)
    let to = try components(of: rootPath)
    let shared = zip(from, to).prefix { $0 == $1 }.count
    let path = Array(repeating: "..", count: from.count - shared) + to.dropFirst(shared)
    return path.isEmpty ? "." : path.joined(separator: "/")
  }
}

/// The components of an absolute path with all links resolved.
private func components(of path: String) throws(SystemError) -> [String] {
  try FileOperations.realPath(of: path).split(separator: UInt8(ascii: "/")).map {
    String(decoding: $0, as: UTF8.self)
  }
}
