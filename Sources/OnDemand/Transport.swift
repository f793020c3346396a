public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What carries a store's requests to its servers.
///
/// The library's own transport is `URLSessionTransport`. Write another one to use background sessions or an
/// authentication of your own.
public protocol Transport: Sendable {
  /// Sends a GET request, and hands its answer to a receiver as it comes.
  ///
  /// Return when the body has ended. Redirects can be followed, or handed over as any other answer, which the
  /// library then follows itself. Call the receiver from one thread at a time. If it throws, end the transfer
  /// and rethrow. End the transfer also when the task is cancelled.
  ///
  /// - Throws: `URLError` or another error if the server cannot be reached or the connection breaks.
  func send(_ request: URLRequest, to receiver: ResponseReceiver) async throws
}

/// Takes an answer while it comes.
public struct ResponseReceiver: Sendable {
  private let onResponse: @Sendable (HTTPURLResponse) throws -> Void
  private let onData: @Sendable (Data) throws -> Void

  init(
    onResponse: @escaping @Sendable (HTTPURLResponse) throws -> Void,
    onData: @escaping @Sendable (Data) throws -> Void
  ) {
    (self.onResponse, self.onData) = (onResponse, onData)
  }

  /// Takes the status and the headers, once, before the body.
  public func receive(_ response: HTTPURLResponse) throws { try onResponse(response) }

  /// Takes the next bytes of the body.
  public func receive(_ data: Data) throws { try onData(data) }
}
