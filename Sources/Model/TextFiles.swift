package import Formats
package import System

// Reads and writes text files. This code is not in the module Formats, because that module does not access
// the disk.
extension JSONValue {
  /// Reads the value of a JSON input file of at most `limit` bytes.
  ///
  /// The value is nil if the file does not exist or is not valid JSON.
  package init?(of path: String, limit: Int) throws(SystemError) {
    self.init(try FileContents(of: path, limit: limit), of: path)
  }

  /// Reads the value of a JSON file that packtool itself wrote into an output folder.
  package init?(outputPath path: String, limit: Int) throws(SystemError) {
    self.init(try FileContents(outputPath: path, limit: limit), of: path)
  }

  private init?(_ contents: FileContents, of path: String) {
    guard case .bytes(let bytes) = contents,
      let value = JSONReader.read(SourceText(path: path, bytes: bytes)).value
    else { return nil }
    self = value
  }

  /// The SHA-256 in a string with the format of an index, which is "sha256:" and 64 hex digits; nil for any
  /// other value.
  package var digest: Digest? { string.flatMap { Digest(prefixed: Array($0.utf8)[...]) } }
}

extension Diagnostic {
  /// Creates the finding about an input file whose path leads through a symlink to a place outside the
  /// checkout; nil for any other error.
  package init?(refusing error: SystemError) {
    guard let message = error.refused else { return nil }
    self.init(.linkEscapesCheckout, message: message, at: Place(error.path))
  }
}

extension EditedText {
  /// Replaces the file atomically.
  ///
  /// - Throws: `ChangedText` if the file no longer has the bytes that were read, or the error of the file
  ///   system.
  /// - Returns: the attributes of the old file that the new file could not keep.
  package func write() throws -> [String] {
    let mark = SourceText.mark
    guard case .bytes(let now) = try FileContents(of: text.path, limit: text.bytes.count + mark.count) else {
      throw ChangedText(path: text.path)
    }
    let hasMark = now.starts(with: mark)
    guard now.dropFirst(hasMark ? mark.count : 0).elementsEqual(text.bytes) else {
      throw ChangedText(path: text.path)
    }
    var content = ByteBuffer(capacity: bytes.count + mark.count)
    if hasMark { content.append(mark[...]) }
    content.append(bytes[...])
    return try FileOperations.replaceContents(of: text.path, with: content)
  }
}

/// The error for a file that another program changed between reading and writing.
package struct ChangedText: Error, CustomStringConvertible {
  let path: String

  package var description: String {
    "another program changed \(quoted(path)) while packtool read it; nothing was written, try again"
  }
}
