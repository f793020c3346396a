import Formats
package import Model
import Pipeline
package import System

/// The folder that a build writes to; `index.json` lists all of its published files.
package struct OutputFolder: Sendable {
  /// The path as the user typed it.
  package let path: String
  let files: LayoutFiles

  var indexPath: String { joined(path, files.indexName) }
  var packsPath: String { files.packsFolder == "." ? path : joined(path, files.packsFolder) }
  var recordFolder: String { joined(path, PublishedNames.recordFolder) }
  var recordPath: String { joined(recordFolder, "record") }
  var lockPath: String { joined(path, PublishedNames.lock) }
  /// The file that keeps the build cache out of Git.
  var ignorePath: String { joined(recordFolder, ".gitignore") }

  /// Writes a `.gitignore` into the folder of the build cache, so that nobody commits the cache by accident.
  func ignoreRecordFolder() throws(SystemError) {
    var text = ByteBuffer()
    text.append("*\n")
    try FileOperations.write(text, toNew: ignorePath)
  }

  /// The path of the folder with the files that will be published with a rename.
  var stagingPath: String { joined(recordFolder, "staging") }

  init(_ path: String, files: LayoutFiles) {
    self.path = trimmed(path)
    self.files = files
  }

  package init(_ path: String, layout: Layout = .packtool) { self.init(path, files: LayoutFiles(layout)) }

  /// The identity of the folder; nil if it does not exist.
  package var identity: FileIdentity? {
    get throws(SystemError) { try FileOperations.statusIfThere(path)?.identity }
  }

  /// Whether a build has written to the folder.
  var hasRecordFolder: Bool { get throws(SystemError) { try exists(recordFolder) } }

  /// Returns the stamp of a published file, or of everything in a published folder; nil if the file is
  /// missing or has another size.
  func stamp(of published: PublishedFile) -> FileStamp? { try? requiredStamp(of: published) }

  /// The stamp of a file that has just been published.
  func requiredStamp(of published: PublishedFile) throws(SystemError) -> FileStamp {
    let file = joined(path, published.path)
    let status = try FileOperations.status(of: file, symlinks: .notFollowed)
    if status.kind == .folder { return try FileStamp(ofAllIn: file) }
    guard status.kind == .file && status.size == published.file.size else {
      throw SystemError(during: "access", path: file, code: SystemError.truncated)
    }
    return FileStamp(status)
  }

  /// The path of the file that lists the packs which a build is about to publish.
  ///
  /// If the build is killed while it publishes, only this list shows that packtool made the packs.
  var journalPath: String { joined(recordFolder, "publishing") }

  /// The packs that unfinished builds were about to publish, relative to the folder.
  var journaledPacks: [String] {
    get throws(SystemError) {
      guard case .bytes(let bytes) = try FileContents(outputPath: journalPath, limit: 64 << 20) else {
        return []
      }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init).filter { line in
        line == joined(files.packsFolder, lastName(of: line)) && files.isPackName(lastName(of: line))
      }
    }
  }

  /// Writes the list of packs that are about to be published.
  ///
  /// Existing packs of unfinished builds stay in the list.
  func journal(_ packs: [String]) throws(SystemError) {
    var lines = ByteBuffer()
    var known = Set(packs)
    for pack in try journaledPacks where try exists(joined(path, pack)) { known.insert(pack) }
    for pack in known.sorted() { lines.append("\(pack)\n") }
    try FileOperations.replaceContents(of: journalPath, with: lines)
  }

  /// Whether there is anything at a path, including a dangling symlink.
  func exists(_ path: String) throws(SystemError) -> Bool {
    try FileOperations.exists(path, symlinks: .notFollowed)
  }
}

/// The changes that a build made in its output folder.
///
/// Paths are relative to this folder.
package struct OutputChanges: Sendable {
  /// Packs that are new or have other contents.
  package internal(set) var written: [String] = []
  /// Packs and lists that were removed, in byte order.
  package internal(set) var removed: [String] = []
  /// The number of packs that were removed; removed lists and manifests are not counted.
  package var removedPacks: Int {
    removed.count { path in
      !path.hasPrefix("\(PublishedNames.patchesFolder)/")
        && ![".json", ".plist", ".aar"].contains { path.hasSuffix($0) }
    }
  }
  /// Whether the index or a list was written.
  var isListWritten = false
  /// Patches that this build wrote, in byte order.
  package internal(set) var patches: [String] = []

  /// Whether nothing was written except the build cache.
  package var isNothingWritten: Bool { written.isEmpty && patches.isEmpty && !isListWritten }
}
