import Glibc
@testable import Model
@testable import Pipeline
@testable import System

/// A file for readers that expect a path.
///
/// It is in memory if the system has a folder for this.
final class ScratchFile {
  let path: String

  /// A folder that only this process uses.
  static let folder: String = {
    let top = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    let folder = "\(top)/packtool-fuzz-\(getpid())"
    mkdir(folder, 0o755)
    atexit { try? FileOperations.remove(ScratchFile.folder) }
    return folder
  }()

  init(_ bytes: [UInt8], named name: String = "input") throws {
    path = "\(Self.folder)/\(name)"
    if let folder = FileOperations.parent(of: path) { try FileOperations.makeFolder(folder) }
    try FileOperations.remove(path)
    var file = try OutputFile(creating: path)
    try file.write(bytes.span.bytes)
    _ = try file.finish()
  }
}
