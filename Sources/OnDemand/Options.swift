public import Foundation

extension PackStore {
  /// How a store behaves.
  public struct Options: Sendable {
    /// Packs that are downloaded at the same time, from 1 to 64.
    ///
    /// Default: 4.
    public var connections = 4
    /// More URLs of the same folder, tried in turn if a server fails.
    ///
    /// Default: none.
    public var servers: [URL] = []
    /// Seconds without a byte after which a request, or a call that asks the server, fails.
    ///
    /// Default: 30.
    public var patience = 30.0
    /// Bytes that packs can take up.
    ///
    /// Default, nil: what the volume offers, less a margin of 5 % and at most 256 MB. While a pack is made,
    /// its archive and the old files that patches start from come on top.
    public var space: Int64?
    /// Bytes that the packs of all open requests can have together.
    ///
    /// Default: 2,000,000,000.
    public var inUse: Int64 = 2_000_000_000
    /// The app's own identifier; an index of another app is refused.
    ///
    /// Default, nil: that of the first index taken.
    public var bundleIdentifier: String?
    /// The lowest release that this version of the app can use.
    ///
    /// Default, nil: any.
    public var minimumRelease: Int64?
    /// Public minisign keys, as text; if there are any, every index must be signed by one of them.
    ///
    /// Default: none.
    public var publicKeys: [String] = []
    /// Headers of every request, such as `Authorization`; never sent to another host.
    ///
    /// Default: none.
    public var headers: [String: String] = [:]
    /// Whether cellular networks can be used, on systems that know them.
    ///
    /// Default: true.
    public var allowsCellular = true
    /// Whether networks in Low Data Mode can be used, on systems that know it.
    ///
    /// Default: true.
    public var allowsConstrained = true
    /// Whether opening waits for a folder that another store has open, instead of throwing `folderInUse`.
    ///
    /// Default: false.
    public var waitsForFolder = false
    /// Whether packs stay zip files, which `ResourceRequest.archives` lists, instead of being unpacked.
    ///
    /// Default: false. Patches are not used then. Packs that were stored with the other setting are deleted.
    public var keepsArchives = false
    /// What carries requests to the servers.
    ///
    /// Default: a `URLSessionTransport`.
    public var transport: any Transport = URLSessionTransport.shared

    // Tests replace these.
    /// Microseconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000_000) }
    /// Waits some seconds, and throws if the task is cancelled.
    var wait: @Sendable (Double) async throws -> Void = {
      try await Task.sleep(nanoseconds: UInt64(max(0, $0) * 1_000_000_000))
    }
    /// Seconds of real time without a byte after which a transfer ends, where `patience` is by another clock.
    var transferPatience: Double?
    /// The part of a pause that is taken, so that clients do not come back together.
    var jitter: @Sendable () -> Double = { Double.random(in: 0.8...1.2) }
    /// The free bytes of the volume and its size.
    var volume: @Sendable (URL) -> Volume? = { Volume(of: $0) }

    /// Seconds without a byte after which a transfer ends.
    var silenceLimit: Double { transferPatience ?? patience }

    /// The defaults.
    public init() {}
  }
}

/// The room on a volume, in bytes.
struct Volume: Sendable {
  var free: Int64
  var size: Int64

  /// The room that stays for others.
  var margin: Int64 { min(size / 20, 256_000_000) }

  init(free: Int64, size: Int64) { (self.free, self.size) = (free, size) }

  /// The volume of a folder; nil if the system does not say.
  init?(of folder: URL) {
    guard let values = try? FileManager.default.attributesOfFileSystem(forPath: folder.path),
      let free = (values[.systemFreeSize] as? NSNumber)?.int64Value,
      let size = (values[.systemSize] as? NSNumber)?.int64Value
    else { return nil }
    self.init(free: free, size: size)
  }
}
