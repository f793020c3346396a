public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Sends the requests of a store to the store's servers.
///
/// The library's own transport is `URLSessionTransport`. Write another transport to use background sessions
/// or your own authentication.
public protocol Transport: Sendable {
  /// Sends a GET request, and passes the response to a receiver while it arrives.
  ///
  /// Return from the method when the body has ended. You can follow redirects, or pass a redirect to the
  /// receiver like any other response; the library then follows it. Call the receiver from one thread at a
  /// time. If the receiver throws, end the transfer and rethrow the error. Also end the transfer if the task
  /// is cancelled.
  ///
  /// - Throws: `URLError` or another error if the server cannot be reached or the connection breaks.
  func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws
}

/// Receives a response while it arrives.
public struct ResponseReceiver: Sendable {
  private let onResponse: @Sendable (HTTPURLResponse) throws -> Void
  private let onData: @Sendable (Data) throws -> Void

  /// Creates a receiver that passes each part of a response to a closure.
  ///
  /// A transport that sends its requests with another transport can use its own receiver to change or count
  /// what arrives. If a closure throws an error, the transfer ends.
  public init(
    onResponse: @escaping @Sendable (HTTPURLResponse) throws -> Void,
    onData: @escaping @Sendable (Data) throws -> Void
  ) {
    (self.onResponse, self.onData) = (onResponse, onData)
  }

  /// Receives the status and the headers.
  ///
  /// Call it once, before the body.
  public func receive(_ response: HTTPURLResponse) throws { try onResponse(response) }

  /// Receives the next bytes of the body.
  public func receive(_ data: Data) throws { try onData(data) }
}
