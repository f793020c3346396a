package import Foundation
import Model
import Pipeline

/// A folder that belongs to one test.
///
/// The folder and all its contents are removed when the test releases this object.
package final class TemporaryFolder: Sendable {
  /// The folder's path without symlinks.
  package let path: String

  package init() throws {
    // A mutation run kills tests. With the name in this variable, it finds and removes the folders that these
    // tests leave.
    let run = ProcessInfo.processInfo.environment["TEST_RUN"] ?? ""
    var template = Array("/tmp/packtool-test-\(run)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    // Some tests remove permissions. The permissions must be restored before the folder can be removed.
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
    let url = URL(fileURLWithPath: path(relative))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
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
