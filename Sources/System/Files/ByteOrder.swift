import Glibc

/// The order of texts by the bytes of their UTF-8.
package enum ByteOrder {
  /// Below zero if the first text comes first, zero if both are the same bytes.
  package static func compare(_ first: String, _ second: String) -> Int {
    let (length, otherLength) = (first.utf8.count, second.utf8.count)
    let order = first.utf8Span.span.withUnsafeBufferPointer { ours in
      second.utf8Span.span.withUnsafeBufferPointer { theirs in
        length == 0 || otherLength == 0
          ? 0 : memcmp(ours.baseAddress!, theirs.baseAddress!, min(length, otherLength))
      }
    }
    return order == 0 ? length - otherLength : Int(order)
  }
}
