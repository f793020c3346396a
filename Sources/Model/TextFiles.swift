package import Formats
package import System

// Texts as files: Formats knows nothing of a disk.
extension JSONValue {
  /// The value of a JSON file that is input; nil if there is no file of at most so many bytes that can be read to its
  /// end.
  package init?(of path: String, limit: Int) throws(SystemError) {
    self.init(try FileContents(of: path, limit: limit), of: path)
  }

  /// The same for a file that packtool itself wrote into an output folder.
  package init?(outputPath path: String, limit: Int) throws(SystemError) {
    self.init(try FileContents(outputPath: path, limit: limit), of: path)
  }

  private init?(_ contents: FileContents, of path: String) {
    guard case .bytes(let bytes) = contents,
      let value = JSONReader.read(SourceText(path: path, bytes: bytes)).value
    else { return nil }
    self = value
  }

  /// A SHA-256 in the form of an index: "sha256:" and the digits.
  package var digest: Digest? { string.flatMap { Digest(prefixed: Array($0.utf8)[...]) } }
}

extension Diagnostic {
  /// The finding on an input file that is reached through a symlink out of the checkout; nil for a failure of the machine.
  package init?(refusing error: SystemError) {
    guard let message = error.refused else { return nil }
    self.init(.linkEscapesCheckout, message: message, at: Place(error.path))
  }
}

extension EditedText {
  /// Replaces the file at once, with all its new content or none of it.
  ///
  /// - Throws: `ChangedText` if it no longer has the bytes that were read, and the error of a file system that fails.
  /// - Returns: what the new file could not keep of the old one.
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

/// A file that someone else changed between its reading and its writing.
package struct ChangedText: Error, CustomStringConvertible {
  let path: String

  package var description: String {
    "\(quoted(path)) was changed by another program while it was read; nothing was written, try again"
  }
}
