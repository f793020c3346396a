/// The content at a path: a whole file's content, or why there is none.
package enum FileContents: Sendable, Hashable {
  case bytes([UInt8])
  case missing
  /// A folder, or something else without content.
  case noFile
  /// A file that exceeds the limit.
  case tooLong

  /// Reads a file of at most `limit` bytes by its path from the current directory.
  ///
  /// - Throws: if the file exists but cannot be read.
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
