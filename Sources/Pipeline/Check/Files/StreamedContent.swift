import Formats
import Model
import System

/// Inspects the contents of files that are read from front to back, such as the files of packs.
///
/// It keeps only the bytes that a check might still need. It keeps the head of each file. If the head does
/// not show that the file is harmless, it keeps more bytes of the file.
package struct StreamedContent {
  private var front = ByteBuffer()
  private var isClear = false

  /// The maximum number of bytes from the start of a file that a check reads.
  private static let maxHeadSize = 1 << 20

  package init() {}

  /// Adds the next bytes of the file.
  package mutating func append(_ block: RawSpan) {
    if isClear { return }
    let missing = max(0, ContentCheck.headSize - front.count)
    front.append(block.extracting(first: missing))
    let rest = block.extracting(droppingFirst: missing)
    if missing > 0, front.count >= ContentCheck.headSize, isHeadClear {
      isClear = true
      front.clear()
    } else {
      front.append(rest.extracting(first: Self.maxHeadSize - front.count))
    }
  }

  /// Ends the file and returns the problem with its contents; nil if the file has no problem.
  ///
  /// Bytes that are added later belong to another file.
  package mutating func finish(size: Int64) -> ContentCheck? {
    defer {
      isClear = false
      front.clear()
    }
    return isClear ? nil : inspection(size: size).found
  }

  /// Whether the head alone shows that nothing is wrong with the file.
  private var isHeadClear: Bool {
    // The number of bytes so far is a lower bound of the file's size. A check that skips large files
    // therefore runs here if it would run on the whole file.
    let inspection = inspection(size: Int64(front.count))
    return inspection.found == nil && !inspection.asksForMore
  }

  /// The result of a check on the bytes so far.
  private struct Inspection {
    var found: ContentCheck?
    /// Whether the check reads beyond the head, so that further bytes can change the result.
    var asksForMore = false
  }

  private func inspection(size: Int64) -> Inspection {
    var inspection = Inspection()
    inspection.found = front.withSpan(from: 0) { head -> ContentCheck? in
      // All bytes are in memory, so reading cannot fail.
      try? ContentCheck.finding(head: head, size: size) { offset, count throws(SystemError) in
        inspection.asksForMore = true
        let start = Int(clamping: offset)
        return start >= head.count ? [] : (start..<min(head.count, start + count)).map { head[$0] }
      }
    }
    return inspection
  }
}
