import Findings
import PackKit
import System

/// A build's hold on its output folder: no other build writes there meanwhile, and what fails leaves it as it was.
package final class OutputLock: Sendable {
  /// What a build does where another one has the folder.
  package enum Patience: Sendable {
    /// It is told the other's process number, where that is known, and waits.
    case waits(notice: @Sendable (Int32?) -> Void)
    case fails
  }

  let output: OutputFolder
  private let lock: FileLock
  /// The folders that were made for the claim, the outermost first.
  private let made: [String]

  /// Claims a folder that a build may have left something in; nil where there is nothing to agree on yet.
  package convenience init?(existing output: OutputFolder, _ patience: Patience) throws {
    guard try output.hasRecordFolder, try output.unsafeParts.isEmpty else { return nil }
    try self.init(output, patience)
  }

  /// Claims a folder, and makes it where it is not there.
  init(_ output: OutputFolder, _ patience: Patience) throws {
    self.output = output
    if let part = try output.unsafeParts.first { throw part }
    made = try FileOperations.makeFolder(output.recordFolder)
    do {
      lock = try FileLock(output.lockPath) { holder in
        switch patience {
        case .waits(let notice): notice(holder)
        case .fails: throw BusyFolder(path: output.path, holder: holder)
        }
      }
    } catch {
      // Where the lock is another's, so is its file by now.
      let isFree = (error as? SystemError)?.isInterruption == false && made.contains(output.recordFolder)
      Self.remove(made, lock: isFree ? output.lockPath : nil)
      throw error
    }
  }

  /// What stood in the folder before a build began to write.
  struct Before {
    /// Folders that the build made, the outermost first.
    var made: [String]
    var packs: Set<String>
    var files: Set<String>
  }

  /// Clears what a build left behind that did not end, and makes the folders to write to.
  func begin() throws(SystemError) -> Before {
    try output.clearStaging()
    // The folder that others see comes last: where one of the two cannot be made, it is not left behind.
    try FileOperations.makeFolder(output.stagingPath)
    let folders = try FileOperations.makeFolder(output.packsPath)
    do throws(SystemError) {
      try syncNames()
      return Before(
        made: made + folders, packs: Set(try FileOperations.names(in: output.packsPath)),
        files: Set(try FileOperations.names(in: output.path)))
    } catch {
      Self.remove(folders, lock: nil)
      throw error
    }
  }

  /// Brings the names of the output folder and those above it to the disk, where they are new: what is published
  /// in a folder is lost with its name.
  private func syncNames() throws(SystemError) {
    let length = output.path.utf8.count
    for folder in made where folder.utf8.count <= length { try FileOperations.syncName(ofFolder: folder) }
  }

  /// Leaves the folder as it was before a build that published nothing.
  func abandon(_ before: Before?) {
    Interruption.ignore()
    try? output.clearStaging()
    if let before { output.removeNew(since: before.packs, files: before.files) }
    let made = before?.made ?? self.made
    Self.remove(made, lock: made.contains(output.recordFolder) ? output.lockPath : nil)
  }

  private static func remove(_ made: [String], lock: String?) {
    if let lock { try? FileOperations.removeFile(lock) }
    for folder in made.reversed() { FileOperations.removeFolderIfEmpty(folder) }
  }
}

/// A signal ended a build, which left its folder as it was.
package struct InterruptedBuild: Error {
  package let path: String
}

/// Another build has the output folder.
package struct BusyFolder: Error, CustomStringConvertible {
  let path: String
  /// The other build's process number, where that is known.
  let holder: Int32?

  package var description: String {
    let other = holder.map { " (process \($0))" } ?? ""
    return "another build\(other) is writing to \(quoted(path)); wait for its end, or leave \"--no-wait\" out"
  }
}
