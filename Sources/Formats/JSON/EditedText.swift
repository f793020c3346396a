package import Findings
import System

/// A text with edits made.
package struct EditedText: Sendable {
  package let text: SourceText
  /// The edits, in order and without overlaps.
  package let edits: [TextEdit]
  /// The text's bytes with the edits made.
  package let bytes: [UInt8]

  package init(_ text: SourceText, _ edits: [TextEdit]) {
    self.text = text
    self.edits = edits
    bytes = text.bytes.applying(edits)
  }

  /// The sure mends of findings about a JSON text; nil if there are none, or if the text would no longer be JSON.
  package init?(mending findings: [Diagnostic], in text: SourceText) {
    let fixes = findings.filter { $0.place.path == text.path }.compactMap(\.fix)
    var edits: [TextEdit] = []
    for fix in fixes.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      // What overlaps is mended the next time, if it is still wrong then.
      if let last = edits.last, fix.range.lowerBound < last.range.upperBound || fix.range == last.range {
        continue
      }
      edits.append(fix)
    }
    if edits.isEmpty { return nil }
    self.init(text, edits)
    let mended = SourceText(path: text.path, bytes: bytes, hasComments: text.hasComments)
    guard mended.syntaxMistakes <= text.syntaxMistakes else { return nil }
  }

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
    return try FileOperations.replace(text.path, by: content)
  }
}

/// A file that someone else changed between its reading and its writing.
package struct ChangedText: Error, CustomStringConvertible {
  let path: String

  package var description: String {
    "\(quoted(path)) was changed by another program while it was read; nothing was written, try again"
  }
}

extension SourceText {
  fileprivate var syntaxMistakes: Int {
    JSONReader.read(self).diagnostics.filter { $0.check == .jsonSyntax }.reduce(0) { $0 + $1.count }
  }
}
