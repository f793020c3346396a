/// Why a request, an update or a store failed.
public enum OnDemandError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No pack of the release in the store has this tag.
  case invalidTag(String)
  /// The packs of all open requests would together have more bytes than may be in use.
  case inUseLimit(needed: Int64, limit: Int64)
  /// A pack of so many bytes does not fit, even after all has been purged that may be; or the disk is full.
  case outOfSpace(needed: Int64)
  /// Packs are missing, or an index, and the server cannot be reached.
  case offline
  /// The server answered the request for a pack, or for the index (`pack` is nil), with a status that no retry mends.
  case refused(pack: String?, status: Int)
  /// What the server sent is not what the index says, twice in a row; or the index itself is no index.
  case damaged(pack: String?, reason: String)
  /// The index is not signed by a key of the options, is older than one seen before, or past its date.
  case untrusted(String)
  /// The pack is in a container that this library does not read, such as `tar.zst`.
  case unsupportedContainer(pack: String, container: String)
  /// No open request holds a file of this path.
  case notHeld(path: String)
  /// The request was begun before, or ended while it waited, or its store was closed.
  case ended
  /// Another process, or another store of this one, has the folder open.
  case folderInUse
  /// The disk refused to read or write: the system's words.
  case storage(String)

  /// The number of the same error of Apple's on-demand resources where there is one, else 0.
  public var code: Int {
    switch self {
    case .outOfSpace: 4992
    case .inUseLimit: 4993
    case .invalidTag: 4994
    default: 0
    }
  }

  /// What happened, for developers.
  public var description: String {
    switch self {
    case .invalidTag(let tag): "no pack has the tag \"\(tag)\""
    case .inUseLimit(let needed, let limit): "\(needed) bytes would be in use, \(limit) may be"
    case .outOfSpace(let needed): "there is no space for \(needed) bytes"
    case .offline: "the server cannot be reached"
    case .refused(let pack, let status): "the server refused \(pack ?? "the index") with status \(status)"
    case .damaged(let pack, let reason): "\(pack ?? "the index") is damaged: \(reason)"
    case .untrusted(let reason): "the index is not trusted: \(reason)"
    case .unsupportedContainer(let pack, let container):
      "\(pack) is a \(container), and only zip can be read; build with \"container\": \"zip\""
    case .notHeld(let path): "no open request holds \"\(path)\""
    case .ended: "the request has ended"
    case .folderInUse: "the folder is in use by another process"
    case .storage(let reason): reason
    }
  }
}
