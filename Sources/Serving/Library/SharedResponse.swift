#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import CMicroHTTP
import Synchronization
import System

/// A response of the library's, which may be queued on many connections.
final class SharedResponse: @unchecked Sendable {
  // @unchecked: the library counts its uses under a lock of its own.
  private let response: OpaquePointer
  /// The disk space of its copy of a file.
  private let share: CopyMemory.Share?
  /// Whether the kernel copies its body from a file.
  let isFile: Bool

  /// Takes over a response, and gives it headers.
  private init?(
    _ response: OpaquePointer?, headers: [ResponseHeader], share: consuming CopyMemory.Share? = nil,
    isFile: Bool = false
  ) {
    self.share = share
    self.isFile = isFile
    guard let response else { return nil }
    self.response = response
    for header in headers { MHD_add_response_header(response, header.name, header.value) }
  }

  deinit { MHD_destroy_response(response) }

  convenience init?(text: some Sequence<UInt8>, headers: [ResponseHeader]) {
    var bytes = Array(text)
    self.init(MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY), headers: headers)
  }

  /// A response whose body the kernel copies from a file, by its descriptor, to the connection.
  convenience init?(_ file: Int32, range: Range<Int64>, headers: [ResponseHeader]) {
    // The library closes what it gets.
    let descriptor = fcntl(file, F_DUPFD_CLOEXEC, 0)
    if descriptor < 0 { return nil }
    guard
      let response = MHD_create_response_from_fd_at_offset64(
        UInt64(range.count), descriptor, UInt64(range.lowerBound))
    else {
      close(descriptor)
      return nil
    }
    self.init(response, headers: headers, isFile: true)
  }

  /// A response whose body is a file's bytes in memory, which leave with the headers by one call; nil for a long file,
  /// and where there is no memory for it.
  convenience init?(copyOf file: Int32, size: Int64, in memory: CopyMemory, headers: [ResponseHeader]) {
    let count = Int(size)
    guard let share = memory.share(of: count), let bytes = malloc(max(1, count)) else { return nil }
    guard retrying({ pread(file, bytes, count, 0) }) == count,
      let response = MHD_create_response_from_buffer(count, bytes, .RESPMEM_MUST_FREE)
    else {
      free(bytes)
      return nil
    }
    self.init(response, headers: headers, share: share)
  }

  /// A response whose body is asked for piece by piece.
  ///
  /// `fill` fills a space with what comes next from a position; it returns the count, 0 where the connection rests until
  /// then, or the library's number for an end.
  convenience init?(
    length: UInt64, longestPiece: Int, headers: [ResponseHeader],
    fill: @escaping (UnsafeMutableRawBufferPointer, Int64) -> Int
  ) {
    let filler = Unmanaged.passRetained(Filler(fill))
    let response = MHD_create_response_from_callback(
      length, longestPiece,
      { context, position, space, size in
        let filler = Unmanaged<Filler>.fromOpaque(context!).takeUnretainedValue()
        return filler.fill(UnsafeMutableRawBufferPointer(start: space, count: size), Int64(position))
      }, filler.toOpaque(), { Unmanaged<Filler>.fromOpaque($0!).release() })
    if response == nil { filler.release() }
    self.init(response, headers: headers)
  }

  /// The reader of a response's body; a class, since the library holds it by address.
  private final class Filler {
    let fill: (UnsafeMutableRawBufferPointer, Int64) -> Int

    init(_ fill: @escaping (UnsafeMutableRawBufferPointer, Int64) -> Int) { self.fill = fill }
  }

  /// Sends it as the answer on a connection.
  func queue(_ status: Int, on connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, UInt32(status), response)
  }
}

/// One header of an answer.
package struct ResponseHeader: Sendable, Equatable {
  package let name: String
  package let value: String

  package init(_ name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// Memory for copies of short files that are asked for; the first that ask get it.
final class CopyMemory: Sendable {
  private let freeBytes = Atomic(8 << 20)

  /// The longest file that is copied: longer ones the kernel sends faster from the file.
  private static let maxCopiedSize = 32 << 10

  /// Memory for one copy, until the end of this value.
  struct Share: ~Copyable {
    fileprivate let memory: CopyMemory
    fileprivate let count: Int

    deinit { memory.freeBytes.add(count, ordering: .relaxed) }
  }

  /// Memory for a copy of some bytes; nil where there is none.
  func share(of count: Int) -> Share? {
    if count > Self.maxCopiedSize { return nil }
    if freeBytes.subtract(count, ordering: .relaxed).newValue >= 0 {
      return Share(memory: self, count: count)
    }
    freeBytes.add(count, ordering: .relaxed)
    return nil
  }
}
