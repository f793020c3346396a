import Formats
package import System

/// A temporary file.
///
/// One thread appends bytes to the file. After the file is finished, the bytes can be read.
///
/// The file's name is removed immediately after the file is opened, so no file remains on the disk, even if
/// packtool is killed.
package final class Spool {
  private var output: OutputFile?
  private let file: SharedFile
  /// The number of bytes that have been appended so far.
  package private(set) var size: Int64 = 0

  /// Creates the temporary file in a folder.
  package init(in folder: String) throws(SystemError) {
    let path = joined(folder, ".packtool-\(String(UInt64.random(in: 0 ... .max), radix: 16))")
    output = try OutputFile(creating: path)
    file = SharedFile(try InputFile(path))
    try FileOperations.removeFile(path)
  }

  package func append(_ bytes: RawSpan) throws(SystemError) {
    try output?.write(bytes)
    size += Int64(bytes.byteCount)
  }

  /// Finishes the file; must be called only once.
  package func finish() throws(SystemError) -> SharedFile {
    if let output = output.take() { _ = try output.finish() }
    return file
  }
}

/// A range of bytes in a finished spool.
package struct SpooledBytes: Sendable {
  private let file: SharedFile
  private let range: Range<Int64>

  package init(_ range: Range<Int64>, of file: SharedFile) {
    self.file = file
    self.range = range
  }

  package var size: Int64 { range.upperBound - range.lowerBound }

  /// Appends a part of the bytes to a buffer.
  package func read(_ part: Range<Int64>, into buffer: inout ByteBuffer) throws(SystemError) {
    let before = buffer.count
    try file.input.read(part.count, at: range.lowerBound + part.lowerBound, into: &buffer)
    if buffer.count - before != part.count {
      throw SystemError(during: "read back", path: file.input.path, code: SystemError.truncated)
    }
  }
}
