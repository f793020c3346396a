package import Foundation
import Model
import Pipeline

/// A folder of a test's own, removed with all in it when the test lets go of it.
package final class TemporaryFolder: Sendable {
  /// The folder's path without links.
  package let path: String

  package init() throws {
    // A run of mutants removes what is left by tests that it ends.
    let run = ProcessInfo.processInfo.environment["TEST_RUN"] ?? ""
    var template = Array("/tmp/packtool-test-\(run)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    // Tests take rights away; what cannot be removed otherwise is given them back first.
    _ = try? run("/bin/chmod", ["-R", "u+rwX", path])
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of something in the folder.
  package func path(_ relative: String) -> String { "\(path)/\(relative)" }

  /// Writes a file and the folders above it.
  package func write(_ relative: String, _ text: String) throws {
    try write(relative, Data(text.utf8))
  }

  /// Writes a file and the folders above it.
  package func write(_ relative: String, _ data: Data) throws {
    let url = URL(fileURLWithPath: path(relative))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// Writes a program, by another process: one that a test beside starts would hold a file of this process open for
  /// writing until it executes, and nothing runs a file that is.
  package func writeProgram(_ relative: String, _ text: String) throws {
    try write("\(relative).text", text)
    let copy = "cat \"$0.text\" > \"$0\" && chmod 755 \"$0\" && rm \"$0.text\""
    guard try run("sh", ["-c", copy, path(relative)]).status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Makes a file of a size that takes no room on the disk.
  package func writeSparse(_ relative: String, size: Int64) throws {
    try write(relative, Data())
    guard truncate(path(relative), off_t(size)) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Makes a symbolic link.
  package func link(_ relative: String, to target: String) throws {
    let url = URL(fileURLWithPath: path(relative))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path(relative), withDestinationPath: target)
  }

  /// The content of a file.
  package func read(_ relative: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(relative)))
  }

  /// Every file below a folder by its relative path, with its content.
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
