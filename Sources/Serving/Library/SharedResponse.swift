#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
import CMicroHTTP
import Synchronization
import System

/// A libmicrohttpd response, which can be queued on many connections.
final class SharedResponse: @unchecked Sendable {
  // @unchecked is correct because libmicrohttpd counts the uses of a response under its own lock.
  private let response: OpaquePointer
  /// The memory for the copy of a file that the response contains; nil if there is no copy.
  private let share: CopyMemory.Share?
  /// Whether the kernel copies the response's body from a file.
  let isFile: Bool

  /// Takes ownership of a response, and adds headers to it.
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

  /// Makes a response whose body the kernel copies from a file descriptor to the connection.
  convenience init?(_ file: Int32, range: Range<Int64>, headers: [ResponseHeader]) {
    // libmicrohttpd closes the descriptor that it gets, so it gets a copy of the descriptor.
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

  /// Makes a response from a file's bytes in memory.
  ///
  /// A single system call sends these bytes together with the headers.
  ///
  /// Returns nil if the file is large, or if there is no memory for the copy.
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

  /// Makes a response whose body libmicrohttpd requests in pieces.
  ///
  /// `fill` writes the bytes from a position on into a buffer. It returns the number of bytes, 0 if it
  /// suspended the connection, or libmicrohttpd's code for the end of the body.
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

  /// Holds the closure that makes a response's body.
  ///
  /// It is a class because libmicrohttpd needs a pointer to it.
  private final class Filler {
    let fill: (UnsafeMutableRawBufferPointer, Int64) -> Int

    init(_ fill: @escaping (UnsafeMutableRawBufferPointer, Int64) -> Int) { self.fill = fill }
  }

  /// Queues the response on a connection.
  func queue(_ status: Int, on connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, UInt32(status), response)
  }
}

/// One header of a response.
package struct ResponseHeader: Sendable, Equatable {
  package let name: String
  package let value: String

  package init(_ name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// The memory for copies of small files.
///
/// The files that are requested first get the memory.
final class CopyMemory: Sendable {
  private let freeBytes = Atomic(8 << 20)

  /// The maximum size of a file that is copied into memory.
  ///
  /// For a larger file, it is faster to let the kernel send the file.
  private static let maxCopiedSize = 32 << 10

  /// The memory that is reserved for a copy.
  ///
  /// The memory is released when this value is destroyed.
  struct Share: ~Copyable {
    fileprivate let memory: CopyMemory
    fileprivate let count: Int

    deinit { memory.freeBytes.add(count, ordering: .relaxed) }
  }

  /// Reserves memory for a copy of `count` bytes.
  ///
  /// Returns nil if the memory is used up or the file is too large.
  func share(of count: Int) -> Share? {
    if count > Self.maxCopiedSize { return nil }
    if freeBytes.subtract(count, ordering: .relaxed).newValue >= 0 {
      return Share(memory: self, count: count)
    }
    freeBytes.add(count, ordering: .relaxed)
    return nil
  }
}
