public import Foundation

/// Why a request, an update or a store failed.
///
/// A call whose task is cancelled throws `CancellationError` instead.
public enum OnDemandError: Error, Sendable, Hashable {
  /// No pack of the current release has this tag.
  case invalidTag(String)
  /// The packs of all open requests would together have more bytes than `Options.inUse`.
  case inUseLimit(needed: Int64, limit: Int64)
  /// Some bytes do not fit, even after everything was purged that can be.
  case outOfSpace(needed: Int64)
  /// Packs are missing, or a release, and this device has no network.
  case offline
  /// The server cannot be reached, or sent no byte for `Options.patience`; with the system's reason.
  case unreachable(UnderlyingError)
  /// The server answered the request for a pack, or for the index (`pack` is nil), with an HTTP status.
  case refused(pack: String?, status: Int)
  /// The server no longer has a pack, and offers another release: check for an update, then begin again.
  case releaseGone(pack: String)
  /// The server sent something else than the index says, twice in a row; or the index itself cannot be used.
  case damaged(pack: String?, reason: String)
  /// The index is not signed by a key of the options, belongs to another app, is older than one seen before,
  /// or has expired.
  case untrusted(String)
  /// The pack is in a container that this library does not read, such as `tar.zst`.
  case unsupportedContainer(pack: String, container: String)
  /// The request, or no open request, holds a file of this path.
  case notHeld(path: String)
  /// A newer update, or another release, has replaced this update.
  case updateReplaced
  /// The request was begun before, or ended while it waited.
  case ended
  /// The store was closed.
  case closed
  /// Another process, or another store of this process, has the folder open.
  case folderInUse
  /// The disk refused to read or write; with the system's reason.
  case storage(UnderlyingError)
}

/// An error of the system that another error carries; two are equal if they have the same domain and code.
public struct UnderlyingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error as the system threw it.
  public let error: any Error

  /// Wraps an error.
  public init(_ error: any Error) { self.error = error }

  private var bridged: NSError { error as NSError }

  /// The system's own words.
  public var description: String {
    let text = (bridged.userInfo[NSLocalizedDescriptionKey] as? String) ?? bridged.localizedDescription
    return "\(text) (\(bridged.domain) \(bridged.code))"
  }

  /// Whether both have the same domain and code.
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
  /// The domain of `NSError`s made from these errors.
  public static var errorDomain: String { "OnDemand.OnDemandError" }

  /// The code of the same error of Apple's On-Demand Resources (4992 to 4994) where there is one, else a
  /// number of its own from 1 on.
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

  /// The description, and the system's error under `NSUnderlyingErrorKey`.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: description]
    info[NSUnderlyingErrorKey] = underlyingError
    return info
  }

  /// The system's error, where there is one.
  public var underlyingError: (any Error)? {
    switch self {
    case .unreachable(let error), .storage(let error): error.error
    default: nil
    }
  }

  /// What happened, as `localizedDescription` has it.
  public var errorDescription: String? { description }

  /// What happened, for developers.
  public var description: String {
    switch self {
    case .invalidTag(let tag): "no pack has the tag \"\(tag)\""
    case .inUseLimit(let needed, let limit): "\(needed) bytes would be in use, and the limit is \(limit)"
    case .outOfSpace(let needed): "there is no space for \(needed) bytes"
    case .offline: "there is no network"
    case .unreachable(let error): "the server cannot be reached: \(error)"
    case .refused(let pack, let status): "the server refused \(pack ?? "the index") with status \(status)"
    case .releaseGone(let pack): "the server no longer has \(pack), and offers another release"
    case .damaged(let pack, let reason): "\(pack ?? "the index") is damaged: \(reason)"
    case .untrusted(let reason): "the index is not trusted: \(reason)"
    case .unsupportedContainer(let pack, let container):
      "\(pack) is a \(container), and only zip can be read; build with \"container\": \"zip\""
    case .notHeld(let path): "no open request holds \"\(path)\""
    case .updateReplaced: "another update has replaced this one"
    case .ended: "the request has ended"
    case .closed: "the store is closed"
    case .folderInUse: "the folder is in use by another process"
    case .storage(let error): "the disk refused: \(error)"
    }
  }
}

/// The server sent something that cannot be right.
func wrong(_ reason: String) -> OnDemandError { .damaged(pack: nil, reason: reason) }

extension OnDemandError {
  /// The error for whatever ended a transfer, or a read or write of a file.
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

  /// Codes that say that this device has no network.
  private static let codesWithoutNetwork: Set<URLError.Code> = [
    .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff,
  ]
}

/// An answer such as 503, after which the server is asked again.
struct BusyServer: Error {
  let status: Int
  /// Seconds that the server asks to wait.
  var retryAfter: Double?
}
