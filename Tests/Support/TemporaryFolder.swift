package import Foundation
import Model
import Pipeline
import System

/// A folder that belongs to one test.
///
/// The folder and all its contents are removed when the test releases this object.
package final class TemporaryFolder: Sendable {
  /// The folder that contains all such folders.
  ///
  /// Except in the nightly run, it is in memory if possible, because a disk makes some tests slow.
  package static let parent = isWhole || !canUseMemory ? "/tmp" : memory

  /// The beginning of the path of each such folder.
  package static let prefix = "\(parent)/\(name)"

  private static let name = "packtool-test-"

  private static let memory = "/dev/shm"

  /// Whether files in memory have enough space, and whether they can be programs.
  private static var canUseMemory: Bool {
    var status = statvfs()
    guard access(memory, W_OK) == 0, statvfs(memory, &status) == 0 else { return false }
    // ST_NOEXEC, which Swift does not see.
    let noPrograms: UInt = 8
    let space = UInt64(status.f_bavail) * UInt64(status.f_frsize)
    return space > 4 << 30 && UInt(status.f_flag) & noPrograms == 0
  }

  // A mutation run kills tests. With the name in this variable, it finds and removes the folders that these
  // tests leave.
  private static let runName = ProcessInfo.processInfo.environment["TEST_RUN"] ?? ""

  /// The paths of the folders that exist.
  private static let existing = Monitor<Set<String>>([])

  /// When the run ends, removes the folders that nothing has released, such as those of static values.
  private static let isRemovedAtExit =
    atexit {
      for path in existing.change({ $0 }) { try? FileManager.default.removeItem(atPath: path) }
    } == 0

  /// The folder's path without symlinks.
  package let path: String

  /// The kind of file system that contains a folder.
  package enum FileSystem {
    case any
    /// Not below `/dev`, so that a test can replace `/dev`.
    case disk
  }

  package init(on fileSystem: FileSystem = .any) throws {
    let parent = fileSystem == .disk ? "/tmp" : Self.parent
    var template = Array("\(parent)/\(Self.name)\(Self.runName)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    precondition(Self.isRemovedAtExit)
    _ = Self.existing.change { [path] in $0.insert(path) }
  }

  deinit {
    defer { _ = Self.existing.change { [path] in $0.remove(path) } }
    if (try? FileManager.default.removeItem(atPath: path)) != nil || access(path, F_OK) != 0 { return }
    // Some tests remove permissions. Without permissions, only root can remove the folder.
    _ = try? run("/bin/chmod", ["-R", "u+rwX", path])
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Returns the path of a file or folder in this folder.
  package func path(_ relative: String) -> String { "\(path)/\(relative)" }

  /// Writes a file and creates the folders above it.
  package func write(_ relative: String, _ text: String) throws {
    try write(relative, Data(text.utf8))
  }

  /// Writes a file and creates the folders above it.
  package func write(_ relative: String, _ data: Data) throws {
    let path = path(relative)
    // Foundation is not used here, because it waits for the disk after each file.
    var stream = fopen(path, "we")
    if stream == nil, errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      try FileManager.default.createDirectory(
        atPath: String(path[..<slash]), withIntermediateDirectories: true)
      stream = fopen(path, "we")
    }
    guard let stream else { throw SystemError(during: "create", path: path) }
    let count = data.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, stream) }
    guard fclose(stream) == 0 && count == data.count else { throw SystemError(during: "write", path: path) }
  }

  /// Writes a program.
  ///
  /// Another process does this. If this process wrote it, a child process that another test starts at the
  /// same time could hold the file open for writing. The system does not execute a file that is open for
  /// writing.
  package func writeProgram(_ relative: String, _ text: String) throws {
    try write("\(relative).text", text)
    let copy = "cat \"$0.text\" > \"$0\" && chmod 755 \"$0\" && rm \"$0.text\""
    guard try run("sh", ["-c", copy, path(relative)]).status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Creates a file that has a size but takes no space on the disk.
  package func writeSparse(_ relative: String, size: Int64) throws {
    try write(relative, Data())
    guard truncate(path(relative), off_t(size)) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Creates a symlink.
  package func link(_ relative: String, to target: String) throws {
    let url = URL(fileURLWithPath: path(relative))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path(relative), withDestinationPath: target)
  }

  /// Returns the content of a file.
  package func read(_ relative: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(relative)))
  }

  /// Returns the content of every file below a folder, by its relative path.
  package func files(below relative: String = ".") throws -> [String: Data] {
    let folder = path(relative)
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
      if !isFolder.boolValue { files[name] = try read("\(relative)/\(name)") }
    }
    return files
  }
}
