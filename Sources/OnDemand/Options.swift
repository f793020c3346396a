public import Foundation

extension PackStore {
  /// The settings of a store.
  public struct Options: Sendable {
    /// The number of packs that are downloaded at the same time, from 1 to 64.
    ///
    /// Default: 4.
    public var connections = 4
    /// The URLs of additional servers that have the same folder.
    ///
    /// If a server fails, the store tries the next server.
    ///
    /// Default: none.
    public var servers: [URL] = []
    /// A request, or another call to the server, fails if no byte arrives for this number of seconds.
    ///
    /// With `.infinity`, a request waits until your code ends it.
    ///
    /// Default: 30.
    public var patience = 30.0
    /// The maximum total size of all packs in bytes.
    ///
    /// Default: nil, which means the free space of the volume, minus 5 % of the volume's size (but at most
    /// 256 MB). While the store makes a pack, the pack's archive and the old files for patches need
    /// additional space.
    public var space: Int64?
    /// The maximum total size in bytes of the packs that all open requests use.
    ///
    /// Default: 2,000,000,000.
    public var inUse: Int64 = 2_000_000_000
    /// The bundle identifier of the app; the store rejects the index of another app.
    ///
    /// Default: nil, which means the identifier in the first index that the store accepts.
    public var bundleIdentifier: String?
    /// The lowest release number that this version of the app can use.
    ///
    /// Default: nil, which means any release.
    public var minimumRelease: Int64?
    /// Public minisign keys, as text.
    ///
    /// If the list is not empty, every index must be signed with one of these keys.
    ///
    /// Default: none.
    public var publicKeys: [String] = []
    /// HTTP headers for every request, such as `Authorization`.
    ///
    /// The store sends them only to the hosts of its servers.
    ///
    /// Default: none.
    public var headers: [String: String] = [:]
    /// Whether the store can use cellular networks, if the system distinguishes them from other networks.
    ///
    /// Default: true.
    public var allowsCellular = true
    /// Whether the store can use networks in Low Data Mode, if the system has that mode.
    ///
    /// Default: true.
    public var allowsConstrained = true
    /// Whether `open` waits while another store has the folder open, instead of throwing `folderInUse`.
    ///
    /// Default: false.
    public var waitsForFolder = false
    /// Whether packs stay zip files instead of being unpacked.
    ///
    /// `ResourceRequest.archives` returns these zip files. Default: false. If the value is true, the store
    /// does not use patches. Opening the store deletes packs that were stored with the other setting.
    public var keepsArchives = false
    /// The transport that sends requests to the servers.
    ///
    /// Default: a `URLSessionTransport`.
    public var transport: any Transport = URLSessionTransport.shared

    // The following values are properties so that tests can replace them.
    /// The current time, in microseconds since 1970.
    var now: @Sendable () -> Int64 = { Int64(Date().timeIntervalSince1970 * 1_000_000) }
    /// Waits for a number of seconds, and throws if the task is cancelled.
    var wait: @Sendable (Double) async throws -> Void = {
      try await Task.sleep(nanoseconds: UInt64(max(0, $0) * 1_000_000_000))
    }
    /// A transfer ends if no byte arrives for this number of seconds of real time.
    ///
    /// In tests, `patience` can use another clock. Such tests set this value, too.
    var transferPatience: Double?
    /// Returns a random factor for the length of a pause.
    ///
    /// With this factor, clients retry at different times.
    var jitter: @Sendable () -> Double = { Double.random(in: 0.8...1.2) }
    /// Returns the free and the total number of bytes of the volume.
    var volume: @Sendable (URL) -> Volume? = { Volume(of: $0) }
    /// The calls that wait until data is on the disk.
    var disk = Disk()

    /// A transfer ends if no byte arrives for this number of seconds.
    var silenceLimit: Double { transferPatience ?? patience }

    /// The options with a patience that all clocks can count: at most 100 years, instead of infinity.
    var limited: Self {
      var options = self
      options.patience = patience.isNaN ? Self().patience : min(max(patience, 0), 3_000_000_000)
      return options
    }

    /// Makes options with the default values.
    public init() {}
  }
}
