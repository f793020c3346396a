package import Findings
import Formats
import PackKit
import Published
import Releases
package import System

/// The table of a built folder, with findings about what of it cannot be served.
package struct BuiltTable {
  /// Nil where the folder cannot be served.
  package internal(set) var table: ServedTable?
  package internal(set) var diagnostics: [Diagnostic] = []
  /// The path of the file that a build replaces last.
  package internal(set) var indexPath: String

  /// How often a folder is read anew that is published while it is read.
  private static let mostReadings = 20

  /// Reads a built folder in any of its layouts, and opens what it names.
  ///
  /// - Throws: where the machine fails.
  package init(_ argument: String) throws(SystemError) {
    self = try Self.reading(argument)
    for _ in 1..<Self.mostReadings where table == nil && diagnostics.isEmpty {
      self = try Self.reading(argument)
    }
    if table == nil && diagnostics.isEmpty {
      let isLink = try FileOperations.statusIfThere(indexPath, following: false)?.kind == .link
      let what =
        isLink ? "is a symbolic link; put the file in its place" : "changes faster than it can be read"
      report(.damagedIndex, "\(quoted(indexPath)) \(what)", at: indexPath)
    }
  }

  init(indexPath: String) {
    self.indexPath = indexPath
  }

  /// Reads once; neither a table nor findings mean that a build published meanwhile.
  private static func reading(_ argument: String) throws(SystemError) -> BuiltTable {
    let path = trimmed(argument)
    if try BackgroundAssetsBuild.isOne(path) { return try BuiltTable(backgroundAssets: path) }
    if try XcodeExport.isOne(path) { return try BuiltTable(hosted: path) }
    return try BuiltTable(packtool: path)
  }

  mutating func report(_ check: Check, _ message: String, at path: String) {
    diagnostics.append(Diagnostic(check, message, at: Place(path)))
  }

  /// Says that a pack is not there; its requests are answered by 404, as those for any other path.
  mutating func reportMissing(_ tags: [String], at path: String) {
    let message = "the pack of \(setNotation(tags)) is not here, so requests for it fail with 404"
    diagnostics.append(Diagnostic(.missingPack, message, at: Place(path), severity: .warning))
  }
}

// The layout packtool.
extension BuiltTable {
  fileprivate init(packtool argument: String) throws(SystemError) {
    let folder = try BuiltFolder(argument)
    self.init(indexPath: folder.indexPath)
    guard let index = folder.index, let contents = folder.contents, !folder.diagnostics.hasErrors else {
      diagnostics = folder.diagnostics
      return
    }
    var draft = try TableDraft(.packtool, in: folder.path)
    var whole = ByteBuffer()
    whole.append(index.text.bytes[...])
    let digest = whole.withBytes { SHA256.digest(of: $0) }
    guard let indexFile = try draft.open(lastName(of: indexPath), digest: digest, .revalidated),
      let list = try draft.open(index.contents.path, digest: index.contents.file.digest, .immutable),
      indexFile.isStill(digest), list.size == index.contents.file.size
    else { return }
    draft.add(indexFile)
    draft.add(list)
    for (number, pack) in index.packs.enumerated() {
      draft.packs.append(.init(id: pack.id, tags: pack.tags, size: pack.archive.file.size))
      try add(pack, number, contents, to: &draft, in: folder.path)
    }
    // A build that has published since has also removed packs: then the new index counts.
    if !indexFile.isCurrent(at: indexPath) {
      diagnostics = []
      return
    }
    table = ServedTable(draft, index: indexFile)
  }

  private mutating func add(
    _ pack: PublishedIndex.Pack, _ number: Int, _ contents: PublishedContents, to draft: inout TableDraft,
    in folder: String
  ) throws(SystemError) {
    let archive = pack.archive
    let path = joined(folder, archive.path)
    guard let status = try FileOperations.statusIfThere(path, following: false) else {
      return reportMissing(pack.tags, at: path)
    }
    if status.kind == .folder {
      for file in contents.files(of: number).map(Int.init) {
        let inside = "\(archive.path)/\(String(decoding: contents.path(file), as: UTF8.self))"
        guard
          let file = try draft.open(inside, digest: contents.digest(file), .immutable, pack: number)
        else {
          reportMissing(pack.tags, at: joined(folder, inside))
          continue
        }
        draft.add(file)
      }
    } else if let file = try draft.open(archive.path, digest: archive.file.digest, .immutable, pack: number),
      file.size == archive.file.size
    {
      draft.add(file)
    } else {
      let message =
        "the pack of \(setNotation(pack.tags)) is not the file that the index names, so requests for it fail with 404"
      diagnostics.append(Diagnostic(.damagedPack, message, at: Place(path), severity: .warning))
    }
  }
}

extension ServedFile {
  /// Whether the open file has a digest.
  fileprivate func isStill(_ digest: Digest) -> Bool { (try? bytesDigest()) == digest }

  /// Whether a path still leads to this very file.
  func isCurrent(at path: String) -> Bool {
    guard let status = try? FileOperations.statusIfThere(path) else { return false }
    return FileStamp(status) == stamp
  }
}
