import Formats
import Model
import System

/// Looks into a file that is read from front to back, as those of packs are.
///
/// It keeps only what a check may still ask for: the head of each file, and more of the few that a head does not clear.
package struct StreamedContent {
  private var front = ByteBuffer()
  private var isClear = false

  /// The most bytes from the front that a check asks for.
  private static let maxHeadSize = 1 << 20

  package init() {}

  /// Takes the next bytes of the file.
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

  /// What is wrong with the file, which ended after some bytes; nil if nothing is.
  ///
  /// Further bytes are those of another file.
  package mutating func finish(size: Int64) -> ContentCheck? {
    defer {
      isClear = false
      front.clear()
    }
    return isClear ? nil : inspection(size: size).found
  }

  /// Whether the head says that nothing is wrong, whatever follows.
  private var isHeadClear: Bool {
    // The size so far is the smallest that the file can have: no check gives up on it that would not on the whole file.
    let inspection = inspection(size: Int64(front.count))
    return inspection.found == nil && !inspection.asksForMore
  }

  /// What a check says of the bytes so far.
  private struct Inspection {
    var found: ContentCheck?
    /// Whether it reads more than the head, so that further bytes may change what it says.
    var asksForMore = false
  }

  private func inspection(size: Int64) -> Inspection {
    var inspection = Inspection()
    inspection.found = front.withSpan(from: 0) { head -> ContentCheck? in
      // The bytes are in memory, so that reading them does not fail.
      try? ContentCheck.finding(head: head, size: size) { offset, count throws(SystemError) in
        inspection.asksForMore = true
        let start = Int(clamping: offset)
        return start >= head.count ? [] : (start..<min(head.count, start + count)).map { head[$0] }
      }
    }
    return inspection
  }
}
