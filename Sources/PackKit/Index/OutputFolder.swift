package import Archiving

/// The folder that a build writes to: `index.json` names all that counts in it.
package struct OutputFolder: Sendable {
  /// As the user would type it.
  package let path: String
  package let layout: Layout

  /// What the folder that serves only the next build is called.
  static let recordFolderName = ".packtool"

  var indexPath: String { joined(path, Index.name) }
  var packsPath: String { layout.packsFolder == "." ? path : joined(path, layout.packsFolder) }
  var recordFolder: String { joined(path, Self.recordFolderName) }
  /// What the last build left for the next.
  var recordPath: String { joined(recordFolder, "record") }
  /// What builds into the same folder lock.
  var lockPath: String { joined(recordFolder, "lock") }
  /// Where files are written before they are published by a rename.
  var stagingPath: String { joined(recordFolder, "staging") }

  package init(_ path: String, layout: Layout = .packtool) {
    self.path = trimmed(path)
    self.layout = layout
  }

  /// What tells the folder from others; nil where it is not there yet.
  package var identity: FileIdentity? {
    get throws(SystemError) { try FileOperations.statusIfThere(path)?.identity }
  }

  /// Whether a build has been here.
  var hasRecordFolder: Bool {
    get throws(SystemError) { try exists(recordFolder) }
  }

  /// What the last build left for this one; nil where it cannot be read.
  var record: BuildRecord? {
    guard let file = try? InputFile(recordPath), let reader = try? BinaryReader(file)
    else {
      return nil
    }
    return try? RecordFormat.record(from: reader)
  }

  /// The stamp of a published file, or of all in a folder; nil where it is not there in its size.
  func stamp(of published: PublishedFile) -> FileStamp? { try? requiredStamp(of: published) }

  /// The stamp of a file that has just been published.
  func requiredStamp(of published: PublishedFile) throws(SystemError) -> FileStamp {
    let file = joined(path, published.path)
    let status = try FileOperations.status(of: file, following: false)
    if status.kind == .folder { return try FileStamp(ofAllIn: file) }
    guard status.kind == .file && status.size == published.file.size else {
      throw SystemError("look at", file, code: SystemError.truncated)
    }
    return FileStamp(status)
  }

  /// Whether something other than a folder stands at the path.
  var isFile: Bool {
    get throws(SystemError) {
      let status = try FileOperations.statusIfThere(path)
      return status != nil && status?.kind != .folder
    }
  }

  /// Whether an index.json stands here that packtool did not write.
  package var isForeign: Bool {
    get throws(SystemError) {
      if layout.isXcodes { return false }
      guard try exists(indexPath) else { return false }
      // With an index that is damaged, what stands beside it tells.
      if try hasRecordFolder { return false }
      if try holdsPacks { return false }
      let bytes = try InputFile(indexPath).contents(limit: IndexReader.longestIndex)
      let value = bytes.flatMap { JSONReader.read(SourceText(path: indexPath, bytes: $0)).value }
      guard case .object(let members) = value?.content else { return true }
      return !["formatVersion", "bundleIdentifier", "packs"].allSatisfy { key in
        members.contains { $0.key == key }
      }
    }
  }

  /// The packs and contents that the current index names, relative to the folder.
  func publishedPaths() throws(SystemError) -> [String] {
    if layout.isXcodes { return (record?.packs ?? []).map(\.published.archive.path) }
    guard try exists(indexPath),
      let bytes = try InputFile(indexPath).contents(limit: IndexReader.longestIndex)
    else { return [] }
    let index = JSONReader.read(SourceText(path: indexPath, bytes: bytes)).value
    let files =
      (index?.member("packs")?.elements?.map { $0.member("archive") } ?? []) + [index?.member("contents")]
    return files.compactMap { $0?.member("path")?.string }
  }

  /// The layout of a build that stands here, where it is not this one's.
  var otherLayout: Layout? {
    get throws(SystemError) {
      let found = try foundLayout
      return found == layout ? nil : found
    }
  }

  private var foundLayout: Layout? {
    get throws(SystemError) {
      if try exists(indexPath), try exists(joined(path, Layout.packtool.packsFolder)) { return .packtool }
      if try exists(joined(path, Layout.xcode.packsFolder)) { return .xcode }
      return try exists(joined(path, Layout.hosted.indexName)) ? .hosted : nil
    }
  }

  /// Whether anything, also a link that leads nowhere, stands at a path.
  func exists(_ path: String) throws(SystemError) -> Bool {
    try FileOperations.exists(path, following: false)
  }
}
