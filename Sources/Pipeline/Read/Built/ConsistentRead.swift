import Formats
import Model
package import System

/// A look at a built folder in which a build may be at work.
///
/// A build replaces several files, and removes what the old index named: who reads meanwhile may see parts of two
/// builds. No reader keeps a build waiting but one that has met such a thing.
package struct ConsistentRead {
  private let folder: String
  /// The times that change when a build publishes or removes a file, before the look.
  private let before: [FileStamp?]

  /// Prepares for a look at a folder, or at the one that a file is in.
  package init(at path: String) throws(SystemError) {
    let isFolder = try FileOperations.statusIfThere(path)?.kind == .folder
    folder = isFolder ? trimmed(path) : folderPath(of: path)
    before = try Self.stamps(of: folder)
  }

  /// Takes a look; another one, while builds wait, where the first is not whole and a build has worked meanwhile.
  package func result<Value>(isComplete: (Value) -> Bool, read: () throws -> Value) throws -> Value {
    let first = Result { try read() }
    if case .success(let value) = first, isComplete(value) { return value }
    guard let lock = try lock(), try Self.stamps(of: folder) != before else { return try first.get() }
    return try withExtendedLifetime(lock) { try read() }
  }

  /// The lock that builds take, once none holds it; a link, which none makes, might lead to any file.
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
