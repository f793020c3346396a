import CLinux
import Glibc

/// Writing past the memory that keeps files: from ours to the disk without a copy.
enum DirectWriting {
  /// Bytes that memory, places in the file and amounts are multiples of.
  static let alignment = 4096

  /// Sets an open file to be written so; false where its file system cannot.
  static func begin(_ descriptor: Int32) -> Bool {
    isSupported(descriptor) && setFlag(descriptor, true)
  }

  /// Sets an open file to be written as any other.
  static func end(_ descriptor: Int32) {
    _ = setFlag(descriptor, false)
  }

  /// By what Linux says since 6.1; older ones would have to be asked by trying.
  private static func isSupported(_ descriptor: Int32) -> Bool {
    let (emptyPath, alignments): (Int32, UInt32) = (0x1000, 0x2000)  // AT_EMPTY_PATH, STATX_DIOALIGN
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { status in
      guard statx(descriptor, "", emptyPath, alignments, status.baseAddress!) == 0,
        status.load(as: UInt32.self) & alignments != 0
      else { return false }
      // stx_dio_mem_align and stx_dio_offset_align, 0 where there is no way.
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

  /// O_DIRECT, which each kind of processor has its own of; nil for those that nobody has looked up.
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
