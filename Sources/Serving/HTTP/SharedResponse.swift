import CMicroHTTP
import Glibc

/// A response of the library's, which may be queued on many connections.
final class SharedResponse: @unchecked Sendable {
  // @unchecked: the library counts its uses under a lock of its own.
  private let response: OpaquePointer

  /// Takes over a response, and gives it headers.
  init?(_ response: OpaquePointer?, _ headers: [Response.Header]) {
    guard let response else { return nil }
    self.response = response
    for header in headers { MHD_add_response_header(response, header.name, header.value) }
  }

  deinit { MHD_destroy_response(response) }

  /// A response whose body is a text.
  convenience init?(text: some Sequence<UInt8>, _ headers: [Response.Header]) {
    var bytes = Array(text)
    self.init(MHD_create_response_from_buffer(bytes.count, &bytes, .RESPMEM_MUST_COPY), headers)
  }

  /// A response whose body the kernel copies from a file to the connection.
  convenience init?(_ file: ServedFile, _ range: Range<Int64>, _ headers: [Response.Header]) {
    // The library closes what it gets.
    let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    if descriptor < 0 { return nil }
    guard
      let response = MHD_create_response_from_fd_at_offset64(
        UInt64(range.count), descriptor, UInt64(range.lowerBound))
    else {
      close(descriptor)
      return nil
    }
    self.init(response, headers)
  }

  /// Sends it as the answer on a connection.
  func queue(_ status: Int, on connection: OpaquePointer) -> MHD_Result {
    MHD_queue_response(connection, UInt32(status), response)
  }
}
