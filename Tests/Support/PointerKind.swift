package import Foundation
import Model
import Pipeline
import System

/// A form in which a repository has a file without its content.
package enum PointerKind: String, CaseIterable, Sendable {
  case lfs
  case annexFile
  case annexLink

  /// Puts a pointer in place of each file below a folder; each keeps its path.
  package func replaceFiles(below folder: String, in site: TemporaryFolder) throws {
    for (path, content) in try site.files(below: folder) {
      try replace("\(folder)/\(path)", content, in: site)
    }
  }

  /// Puts a pointer to a content at a path.
  package func replace(_ path: String, _ content: Data, in site: TemporaryFolder) throws {
    try? FileManager.default.removeItem(atPath: site.path(path))
    let key = Self.key(of: content, path)
    switch self {
    case .lfs:
      // Git LFS passes empty files on as they are.
      try site.write(path, content.isEmpty ? "" : Self.lfsPointer(to: content))
    case .annexFile: try site.write(path, "/annex/objects/\(key)\n")
    case .annexLink: try site.link(path, to: "../.git/annex/objects/mq/f8/\(key)/\(key)")
    }
  }

  /// The text of a Git LFS pointer.
  package static func lfsPointer(to content: Data) -> String {
    "version https://git-lfs.github.com/spec/v1\noid sha256:\(digest(of: content).hex)\nsize \(content.count)\n"
  }

  /// The key that git-annex gives to a file.
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
