/// What stands at a path, as far as it is a file that can be read whole.
package enum FileContents: Sendable, Hashable {
  case bytes([UInt8])
  case missing
  /// A folder, or something else that has no content.
  case noFile
  /// A file of more bytes than are wanted.
  case tooLong

  /// Reads a file by its path from the current directory, where it has at most `limit` bytes.
  ///
  /// - Throws: where it is there but cannot be read.
  package init(of path: String, limit: Int) throws(SystemError) {
    let file: InputFile
    do throws(SystemError) {
      file = try InputFile(path)
    } catch {
      if !error.isMissing { throw error }
      self = .missing
      return
    }
    if try file.status().kind != .file {
      self = .noFile
    } else {
      self = try file.contents(limit: limit).map(FileContents.bytes) ?? .tooLong
    }
  }
}
