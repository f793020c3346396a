public import Foundation

/// The reason why a request, an update or a store failed.
///
/// A call whose task is cancelled throws `CancellationError` instead.
public enum OnDemandError: Error, Sendable, Hashable {
  /// No pack of the current release has this tag.
  case invalidTag(String)
  /// The total size of the packs of all open requests would exceed `Options.inUse`.
  case inUseLimit(needed: Int64, limit: Int64)
  /// There is not enough space, even after the store purged all packs that it can purge.
  ///
  /// `needed` is the number of missing bytes, or 0 if the disk is full and the number is not known.
  case outOfSpace(needed: Int64)
  /// Packs or a release are missing, and this device has no network connection.
  case offline
  /// The server cannot be reached, or it sent no byte for `Options.patience` seconds.
  ///
  /// The value is the system's error.
  case unreachable(UnderlyingError)
  /// The server answered a request with an HTTP error status.
  ///
  /// The request was for a pack, or for the index if `pack` is nil.
  case refused(pack: String?, status: Int)
  /// The server no longer has a pack, and offers another release.
  ///
  /// Check for an update, and then begin the request again.
  case releaseGone(pack: String)
  /// The server twice sent data that does not match the index, or the index itself cannot be used.
  case damaged(pack: String?, reason: String)
  /// The index cannot be trusted.
  ///
  /// It has expired, it was not signed with a key in `Options.publicKeys`, it belongs to another app, or the
  /// store has already seen a newer index.
  case untrusted(String)
  /// The pack is in a container that this library cannot read, such as `tar.zst`.
  case unsupportedContainer(pack: String, container: String)
  /// No open request uses a file with this path.
  ///
  /// If you called `url(for:)` of a request, this request does not use such a file.
  case notHeld(path: String)
  /// A newer update, or another release, has replaced this update.
  case updateReplaced
  /// Your code began the request a second time, or it ended the request while the request waited.
  case ended
  /// The store was closed.
  case closed
  /// Another process, or another store in this process, has the folder open.
  case folderInUse
  /// The disk could not be read or written. The value is the system's error.
  case storage(UnderlyingError)
}

/// A system error inside another error.
///
/// Two values are equal if their domains and codes are equal.
public struct UnderlyingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error as the system threw it.
  public let error: any Error

  /// Wraps an error.
  public init(_ error: any Error) { self.error = error }

  private var bridged: NSError { error as NSError }

  /// The system's description, with the domain and code.
  public var description: String {
    let text = (bridged.userInfo[NSLocalizedDescriptionKey] as? String) ?? bridged.localizedDescription
    return "\(text) (\(bridged.domain) \(bridged.code))"
  }

  /// Whether both errors have the same domain and code.
  public static func == (first: UnderlyingError, second: UnderlyingError) -> Bool {
    first.bridged.domain == second.bridged.domain && first.bridged.code == second.bridged.code
  }

  /// Hashes the domain and the code.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(bridged.domain)
    hasher.combine(bridged.code)
  }
}

extension OnDemandError: LocalizedError, CustomNSError, CustomStringConvertible {
  /// The error domain of these errors when they are converted to `NSError`.
  public static var errorDomain: String { "OnDemand.OnDemandError" }

  /// The error code.
  ///
  /// Errors that On-Demand Resources also has get Apple's codes (4992 to 4994). Other errors have numbers
  /// that start at 1.
  public var errorCode: Int {
    switch self {
    case .outOfSpace: 4992
    case .inUseLimit: 4993
    case .invalidTag: 4994
    case .offline: 1
    case .unreachable: 2
    case .refused: 3
    case .releaseGone: 4
    case .damaged: 5
    case .untrusted: 6
    case .unsupportedContainer: 7
    case .notHeld: 8
    case .updateReplaced: 9
    case .ended: 10
    case .closed: 11
    case .folderInUse: 12
    case .storage: 13
    }
  }

  /// The description, and the system's error under the key `NSUnderlyingErrorKey`.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    info[NSUnderlyingErrorKey] = underlyingError
    return info
  }

  /// The system's error; nil if this error has none.
  public var underlyingError: (any Error)? {
    switch self {
    case .unreachable(let error), .storage(let error): error.error
    default: nil
    }
  }

  /// The description, which `localizedDescription` returns.
  public var errorDescription: String? { description }

  /// A description of the error, for developers.
  public var description: String {
    switch self {
    case .invalidTag(let tag): "no pack has the tag \"\(tag)\""
    case .inUseLimit(let needed, let limit):
      "the open requests would use \(needed) bytes, but the limit is \(limit)"
    case .outOfSpace(let needed):
      needed > 0 ? "there is no space for \(needed) bytes" : "the disk is full"
    case .offline: "there is no network"
    case .unreachable(let error): "the server cannot be reached: \(error)"
    case .refused(let pack, let status): "the server refused \(pack ?? "the index") with status \(status)"
    case .releaseGone(let pack): "the server no longer has \(pack), because it offers another release"
    case .damaged(let pack, let reason): "\(pack ?? "the index") is damaged: \(reason)"
    case .untrusted(let reason): "the index is not trusted: \(reason)"
    case .unsupportedContainer(let pack, let container):
      "\(pack) is a \(container), but the library can read only zip; build with \"container\": \"zip\""
    case .notHeld(let path): "no open request contains the file \"\(path)\""
    case .updateReplaced: "another update has replaced this update"
    case .ended: "the request has ended"
    case .closed: "the store is closed"
    case .folderInUse: "the folder is in use by another process"
    case .storage(let error): "the disk reports an error: \(error)"
    }
  }
}

/// Makes the error that says that the server sent wrong data.
func wrong(_ reason: String) -> OnDemandError { .damaged(pack: nil, reason: reason) }

extension OnDemandError {
  /// Converts any error that occurs in a transfer, or while a file is read or written.
  init(_ error: any Error, pack: String? = nil) {
    switch error {
    case OnDemandError.refused(nil, let status): self = .refused(pack: pack, status: status)
    case OnDemandError.damaged(nil, let reason): self = .damaged(pack: pack, reason: reason)
    case let known as OnDemandError: self = known
    case let busy as BusyServer: self = .refused(pack: pack, status: busy.status)
    case is CancellationError: self = .ended
    case let error as URLError where Self.codesWithoutNetwork.contains(error.code): self = .offline
    case let error as URLError: self = .unreachable(UnderlyingError(error))
    case let error where Disk.isFull(error): self = .outOfSpace(needed: 0)
    default: self = .storage(UnderlyingError(error))
    }
  }

  /// Error codes that mean that this device has no network connection.
  private static let codesWithoutNetwork: Set<URLError.Code> = [
    .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff,
  ]
}

/// A response such as 503.
///
/// The store retries the request after such a response.
struct BusyServer: Error {
  let status: Int
  /// The seconds that the server asks the client to wait.
  var retryAfter: Double?
}
