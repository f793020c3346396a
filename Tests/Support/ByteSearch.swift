import Foundation

extension UnsafeRawBufferPointer {
  /// Returns the offset of the first occurrence of some bytes, at or after an offset.
  ///
  /// The functions of the C library do the work, because loops in Swift are slow in debug builds.
  func firstOffset(of bytes: UnsafeRawBufferPointer, from start: Int = 0) -> Int? {
    guard let wanted = bytes.baseAddress, bytes.count > 0 else { return start <= count ? start : nil }
    guard let base = baseAddress else { return nil }
    var offset = start
    while offset + bytes.count <= count {
      guard let found = memchr(base + offset, Int32(bytes[0]), count - bytes.count + 1 - offset) else {
        return nil
      }
      offset = UnsafeRawPointer(found) - base
      if memcmp(base + offset, wanted, bytes.count) == 0 { return offset }
      offset += 1
    }
    return nil
  }
}
