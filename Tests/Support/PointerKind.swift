package import Foundation
import Model
import Pipeline
import System

/// A kind of pointer.
///
/// A pointer stands for a file whose content is not in the repository.
package enum PointerKind: String, CaseIterable, Sendable {
  case lfs
  case annexFile
  case annexLink

  /// Replaces each file below a folder with a pointer at the same path.
  package func replaceFiles(below folder: String, in site: TemporaryFolder) throws {
    for (path, content) in try site.files(below: folder) {
      try replace("\(folder)/\(path)", content, in: site)
    }
  }

  /// Writes a pointer at a path.
  ///
  /// The pointer stands for the given content.
  package func replace(_ path: String, _ content: Data, in site: TemporaryFolder) throws {
    try? FileManager.default.removeItem(atPath: site.path(path))
    let key = Self.key(of: content, path)
    switch self {
    case .lfs:
      // Git LFS does not use pointers for empty files.
      try site.write(path, content.isEmpty ? "" : Self.lfsPointer(to: content))
    case .annexFile: try site.write(path, "/annex/objects/\(key)\n")
    case .annexLink: try site.link(path, to: "../.git/annex/objects/mq/f8/\(key)/\(key)")
    }
  }

  /// Returns the text of a Git LFS pointer.
  package static func lfsPointer(to content: Data) -> String {
    "version https://git-lfs.github.com/spec/v1\noid sha256:\(digest(of: content).hex)\nsize \(content.count)\n"
  }

  /// Returns the key that git-annex assigns to a file.
  package static func key(of content: Data, _ path: String) -> String {
    let suffix = URL(fileURLWithPath: path).pathExtension
    let end = suffix.isEmpty ? "" : ".\(suffix)"
    return "SHA256E-s\(content.count)--\(digest(of: content).hex)\(end)"
  }

  private static func digest(of content: Data) -> Digest {
    var bytes = ByteBuffer()
    bytes.append(Array(content)[...])
    var digest = SHA256()
    bytes.withBytes { digest.update($0) }
    return digest.finish()
  }
}
