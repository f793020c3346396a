import Formats
package import System
import Synchronization

/// Counts the bytes of assets that a run reads and hashes, on any thread.
package final class ReadCounter: Sendable {
  /// Numbers of bytes.
  package struct Count: Sendable, Equatable {
    /// The bytes that were read.
    package let read: Int64
    /// The bytes whose SHA-256 was computed.
    package let hashed: Int64

    package init(read: Int64, hashed: Int64) {
      self.read = read
      self.hashed = hashed
    }
  }

  // Atomic, not behind a lock: every thread adds to them for each file.
  private let read = Atomic<Int64>(0)
  private let hashed = Atomic<Int64>(0)

  package init() {}

  /// The bytes so far.
  package var count: Count {
    Count(read: read.load(ordering: .relaxed), hashed: hashed.load(ordering: .relaxed))
  }

  /// Adds bytes that were read.
  package func addRead(_ bytes: Int64) { read.wrappingAdd(bytes, ordering: .relaxed) }

  /// Adds bytes that were hashed.
  package func addHashed(_ bytes: Int64) { hashed.wrappingAdd(bytes, ordering: .relaxed) }
}

/// Opens the files of a tree one after another; a file in the same folder as the last is opened by its name alone,
/// so that the kernel need not resolve the whole path.
package struct AssetOpener {
  private var folder: (path: Substring, handle: Folder)?

  package init() {}

  /// Opens a file by its path below a root.
  package mutating func open(_ path: String, below root: Folder) throws(SystemError) -> InputFile {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return try root.openFile(Array(path.utf8))
    }
    let parent = path[..<slash]
    let name = Array(path.utf8[path.utf8.index(after: slash)...])
    if let folder, folder.path.isSameInBytes(as: parent) { return try folder.handle.openFile(name) }
    let handle = try Folder(Array(parent.utf8), below: root)
    folder = (parent, handle)
    return try handle.openFile(name)
  }
}

extension Folder {
  /// Opens a file that was scanned below this root; a file that was replaced since counts as missing.
  func open(_ file: AssetFile) throws(SystemError) -> InputFile {
    let input = try openFile(Array(file.path.utf8))
    if try input.status().identity != file.stamp.identity {
      throw SystemError("open", path: input.path, code: SystemError.missing)
    }
    return input
  }
}
