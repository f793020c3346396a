import Findings
import Formats
import PackKit
package import System

/// The folder that a build writes to: `index.json` names all that counts in it.
package struct OutputFolder: Sendable {
  /// As the user would type it.
  package let path: String
  let layout: any PackLayout

  var indexPath: String { joined(path, layout.indexName) }
  var packsPath: String { layout.packsFolder == "." ? path : joined(path, layout.packsFolder) }
  var recordFolder: String { joined(path, PublishedNames.recordFolder) }
  /// What the last build left for the next.
  var recordPath: String { joined(recordFolder, "record") }
  /// What builds into the same folder lock.
  var lockPath: String { joined(recordFolder, "lock") }
  /// Where files are written before they are published by a rename.
  var stagingPath: String { joined(recordFolder, "staging") }

  package init(_ path: String, layout: Layout = .packtool, xcode: XcodeSettings = XcodeSettings()) {
    self.init(path, layout: layout.type(xcode))
  }

  init(_ path: String, layout: any PackLayout) {
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
    guard let file = try? InputFile(recordPath, followingLinks: false), let reader = try? BinaryReader(file)
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

  /// Whether anything, also a link that leads nowhere, stands at a path.
  func exists(_ path: String) throws(SystemError) -> Bool {
    try FileOperations.exists(path, following: false)
  }
}
