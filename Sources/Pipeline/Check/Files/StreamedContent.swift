import Formats
import Model
import System

/// Inspects the contents of files that are read from front to back, such as the files of packs.
///
/// The type keeps only the bytes that a check might still need: the head of each file and, if the head does
/// not show that the file is harmless, more bytes of that file.
package struct StreamedContent {
  private var front = ByteBuffer()
  private var isClear = false

  /// The maximum number of bytes that a check reads from the start of a file.
  private static let maxHeadSize = 1 << 20

  package init() {}

  /// Adds the next bytes of the file.
  package mutating func append(_ block: RawSpan) {
    if isClear { return }
    let missing = max(0, ContentProblem.headSize - front.count)
    front.append(block.extracting(first: missing))
    let rest = block.extracting(droppingFirst: missing)
    if missing > 0, front.count >= ContentProblem.headSize, isHeadClear {
      isClear = true
      front.clear()
    } else {
      front.append(rest.extracting(first: Self.maxHeadSize - front.count))
    }
  }

  /// Ends the file and returns the problem with its contents; nil if the file has no problem.
  ///
  /// Bytes that are added afterwards belong to another file.
  package mutating func finish(size: Int64) -> ContentProblem? {
    defer {
      isClear = false
      front.clear()
    }
    return isClear ? nil : inspection(size: size).found
  }

  /// Whether the head alone shows that nothing is wrong with the file.
  private var isHeadClear: Bool {
    // The file is at least as large as the bytes so far. So if a check that skips large files would run on
    // the whole file, it runs here as well.
    let inspection = inspection(size: Int64(front.count))
    return inspection.found == nil && !inspection.asksForMore
  }

  /// The result of a check on the bytes so far.
  private struct Inspection {
    var found: ContentProblem?
    /// Whether the check reads beyond the head, so further bytes can change the result.
    var asksForMore = false
  }

  private func inspection(size: Int64) -> Inspection {
    var inspection = Inspection()
    inspection.found = front.withSpan(from: 0) { head -> ContentProblem? in
      // All bytes are in memory, so reading cannot fail.
      try? ContentProblem.found(inHead: head, size: size) { offset, count throws(SystemError) in
        inspection.asksForMore = true
        let start = Int(clamping: offset)
        return start >= head.count ? [] : (start..<min(head.count, start + count)).map { head[$0] }
      }
    }
    return inspection
  }
}
