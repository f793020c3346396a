import CLinux
import Glibc

/// Direct writing (O_DIRECT): from our memory to the disk without a copy in the page cache.
enum DirectWriting {
  /// Alignment in bytes of memory addresses, file offsets and lengths.
  static let alignment = 4096

  /// Switches an open file to direct writing; false if its file system does not support it.
  static func begin(_ descriptor: Int32) -> Bool { isSupported(descriptor) && setFlag(descriptor, true) }

  /// Switches an open file back to the page cache.
  static func end(_ descriptor: Int32) { _ = setFlag(descriptor, false) }

  /// Whether `statx` reports support, which Linux does since 6.1; older kernels count as unsupported.
  private static func isSupported(_ descriptor: Int32) -> Bool {
    let (emptyPath, alignments): (Int32, UInt32) = (0x1000, 0x2000)  // AT_EMPTY_PATH, STATX_DIOALIGN
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { status in
      guard statx(descriptor, "", emptyPath, alignments, status.baseAddress!) == 0,
        status.load(as: UInt32.self) & alignments != 0
      else { return false }
      // The offsets of stx_dio_mem_align and stx_dio_offset_align; both are 0 where direct writing is unsupported.
      return [152, 156].allSatisfy { offset in
        (1...UInt32(alignment)).contains(status.load(fromByteOffset: offset, as: UInt32.self))
      }
    }
  }

  private static func setFlag(_ descriptor: Int32, _ isSet: Bool) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    guard let flag, flags >= 0 else { return false }
    return fcntl(descriptor, F_SETFL, isSet ? flags | flag : flags & ~flag) == 0
  }

  /// O_DIRECT, whose value differs by processor architecture; nil for architectures whose value is not listed
  /// here.
  private static var flag: Int32? {
    #if arch(x86_64) || arch(i386)
      0o40000
    #elseif arch(arm64) || arch(arm)
      0o200000
    #else
      nil
    #endif
  }
}
