import Formats
import Model
package import System

/// Reads a built folder consistently while builds may be writing to it.
///
/// A build replaces several files, and removes files of the old index. A reader could therefore see parts of
/// two builds. A reader blocks builds only when it has seen parts of two builds and reads again.
package struct ConsistentRead {
  private let folder: String
  /// The stamps of folders before the read.
  ///
  /// The stamps change when a build publishes or removes a file.
  private let before: [FileStamp?]

  /// Prepares for reading a folder, or the folder that contains a file.
  package init(at path: String) throws(SystemError) {
    let isFolder = try FileOperations.statusIfThere(path)?.kind == .folder
    folder = isFolder ? trimmed(path) : folderPath(of: path)
    before = try Self.stamps(of: folder)
  }

  /// Calls `read`.
  ///
  /// If the result is incomplete and a build has changed the folder, calls `read` again while a lock keeps
  /// builds from writing.
  package func result<Value>(isComplete: (Value) -> Bool, read: () throws -> Value) throws -> Value {
    let first = Result { try read() }
    if case .success(let value) = first, isComplete(value) { return value }
    guard let lock = try lock(), try Self.stamps(of: folder) != before else { return try first.get() }
    return try withExtendedLifetime(lock) { try read() }
  }

  /// Waits until no build holds the lock that builds use, and acquires it.
  ///
  /// A symlink is not followed, because builds never create a symlink as the lock, and a symlink could lead
  /// to any file.
  private func lock() throws(SystemError) -> FileLock? {
    let record = joined(folder, PublishedNames.recordFolder)
    guard try FileOperations.statusIfThere(record, symlinks: .notFollowed)?.kind == .folder else {
      return nil
    }
    return try FileLock(sharing: joined(folder, PublishedNames.lock))
  }

  private static func stamps(of folder: String) throws(SystemError) -> [FileStamp?] {
    let folders = [
      ".", PublishedNames.packsFolder, PublishedNames.manifestsFolder,
      PublishedNames.onDemandResourcesFolder,
    ]
    return try folders.map { name throws(SystemError) in
      try FileOperations.statusIfThere(joined(folder, name)).map { FileStamp($0) }
    }
  }
}
