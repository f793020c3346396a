/// A kind of limit; the raw value is its key in a manifest.
package enum LimitKind: String, Sendable, CaseIterable {
  case packSize
  case packCount
  case initialInstallSize
  case prefetchSize
  case totalSize
  case appBundleSize
  case tagSize
  case inUseSize
  case cellularSize

  /// A description of the value that the limit restricts, for the schema and for messages.
  package var summary: String {
    switch self {
    case .packSize: "size of one asset pack"
    case .packCount: "number of asset packs"
    case .initialInstallSize: "size of all packs of the initial install"
    case .prefetchSize: "size of all packs of the initial install and the prefetch order together"
    case .totalSize: "size of all asset packs"
    case .appBundleSize: "size of the app bundle"
    case .tagSize: "advised size of all packs of one tag"
    case .inUseSize: "advised size of all packs of one tag, because they are in use at the same time"
    case .cellularSize:
      "advised size of the app bundle and the initial install together, for a download over cellular"
    }
  }
}

/// The largest permitted count, or size in bytes.
///
/// Apple does not say whether 1 MB is 10^6 or 2^20 bytes. So a limit has two numbers, one for each
/// interpretation. The store might reject sizes above `doubtful`, and certainly rejects sizes above
/// `certain`.
package struct Limit: Sendable, Hashable {
  package let doubtful: Int64
  package let certain: Int64

  static func exactly(_ bytes: Int64) -> Limit { Limit(doubtful: bytes, certain: bytes) }

  static func megabytes(_ count: Int64) -> Limit { Limit(doubtful: count * 1_000_000, certain: count << 20) }

  static func gigabytes(_ count: Int64) -> Limit {
    Limit(doubtful: count * 1_000_000_000, certain: count << 30)
  }
}

/// The limits of one store.
package struct LimitProfile: Sendable {
  package let name: String
  /// One line that describes the profile, for help and messages.
  package let summary: String
  package let limits: [LimitKind: Limit]
  /// The date on which the numbers were read from Apple's pages, such as `2026-11-22`; nil if the numbers no
  /// longer change.
  package internal(set) var readOn: String?
  /// The maximum number of packs that the store accepts in one submission; nil if the store does not limit
  /// this number.
  package internal(set) var packsPerSubmission: Int?
  /// Whether devices put the files of all packs into one folder.
  package internal(set) var sharesPaths = false
  /// Whether packs can contain machine code for systems other than macOS.
  package internal(set) var acceptsCode = false
  /// Whether the limit for the total size of all packs counts the archives instead of the files.
  package internal(set) var countsArchives = false
  /// Whether apps run on TVs.
  ///
  /// If so, limits are also checked for the device classes of TVs.
  var hasTVs = false
  /// Xcode warns if the initial install and the prefetch together exceed this size in bytes; nil if the
  /// profile has no such warning.
  package var xcodeWarning: Int64?
  /// The maximum size of all packs in one app variant; nil if the limit for the total size of all packs is
  /// smaller.
  package var variantSize: Limit?

  package static let all: [LimitProfile] = [
    appStore, appStoreIOS18, appStoreTVOS, wwdc15, wwdc16, wwdc16TVOS, backgroundAssets,
  ]

  /// Returns the profile that has this name; nil if no profile has it.
  package static func named(_ name: String) -> LimitProfile? { all.first { $0.name == name } }

  /// The default profile: On-Demand Resources up to iOS 17.
  package static let appStore = LimitProfile(
    name: "app-store", summary: "On-Demand Resources in the App Store",
    limits: [
      .packSize: .megabytes(512), .packCount: .exactly(1000), .initialInstallSize: .gigabytes(2),
      .prefetchSize: .gigabytes(4), .totalSize: .gigabytes(20), .appBundleSize: .gigabytes(2),
      .tagSize: .megabytes(64), .inUseSize: .gigabytes(2), .cellularSize: .megabytes(200),
    ], xcodeWarning: 2 << 30)

  static let appStoreIOS18 = LimitProfile(
    name: "app-store-ios18", summary: "On-Demand Resources for apps that need iOS 18",
    limits: [
      .packSize: .gigabytes(8), .packCount: .exactly(1000), .totalSize: .gigabytes(70),
      .appBundleSize: .gigabytes(4), .tagSize: .megabytes(64), .cellularSize: .megabytes(200),
    ], variantSize: .gigabytes(30))

  static let appStoreTVOS = LimitProfile(
    name: "app-store-tvos", summary: "On-Demand Resources for tvOS",
    limits: [
      .packSize: .megabytes(512), .packCount: .exactly(1000), .initialInstallSize: .gigabytes(2),
      .prefetchSize: .gigabytes(4), .totalSize: .gigabytes(20), .appBundleSize: .gigabytes(4),
      .tagSize: .megabytes(64),
    ], hasTVs: true)

  static let wwdc15 = LimitProfile(
    name: "wwdc15", summary: "the limits that Apple announced in 2015",
    limits: [
      .packSize: .megabytes(512), .prefetchSize: .gigabytes(2), .totalSize: .gigabytes(18),
      .appBundleSize: .gigabytes(2), .tagSize: .megabytes(64), .inUseSize: .gigabytes(2),
      .cellularSize: .megabytes(100),
    ])

  static let wwdc16 = LimitProfile(
    name: "wwdc16", summary: "the limits that Apple announced in 2016",
    limits: announced2016.merging([.appBundleSize: .gigabytes(4)]) { $1 })

  static let wwdc16TVOS = LimitProfile(
    name: "wwdc16-tvos", summary: "the limits for tvOS that Apple announced in 2016",
    limits: announced2016.merging([.appBundleSize: .megabytes(200)]) { $1 }, hasTVs: true)

  /// The numbers that iOS and tvOS share, from WWDC 2016, session 221.
  ///
  /// The session did not mention a limit for cellular networks.
  private static let announced2016: [LimitKind: Limit] = [
    .packSize: .megabytes(512), .packCount: .exactly(1000), .initialInstallSize: .gigabytes(2),
    .prefetchSize: .gigabytes(4), .totalSize: .gigabytes(20), .tagSize: .megabytes(64),
    .inUseSize: .gigabytes(2),
  ]

  package static let backgroundAssets = LimitProfile(
    name: "background-assets", summary: "Background Assets hosted by Apple",
    limits: [
      .packCount: Limit(doubtful: 100, certain: 200), .totalSize: .gigabytes(200),
      .appBundleSize: .gigabytes(4), .cellularSize: .megabytes(200),
    ], readOn: "2026-11-22", packsPerSubmission: 10, sharesPaths: true, acceptsCode: true,
    countsArchives: true)
}

/// The limits that a manifest selects: a profile, and values that override the profile.
package struct LimitSettings: Sendable {
  /// A limit that the manifest sets instead of the profile's limit.
  package struct Override: Sendable {
    /// The limit; nil if the manifest removes the profile's limit.
    package let limit: Limit?
    /// The offset of the value in the manifest.
    package let offset: Int

    package init(_ limit: Limit?, at offset: Int = 0) {
      self.limit = limit
      self.offset = offset
    }
  }

  package typealias Overrides = [LimitKind: Override]

  package var profile = LimitProfile.appStore
  package var overrides: Overrides = [:]

  package init(profile: LimitProfile = .appStore, overrides: Overrides = [:]) {
    self.profile = profile
    self.overrides = overrides
  }

  /// The end of a message, which states the date on which the profile's numbers were read; empty if the
  /// profile has no date.
  package var readOn: String { profile.readOn.map { " (as of \($0))" } ?? "" }

  /// Returns the date on which a limit's number was read, as the end of a message; empty if the manifest sets
  /// this limit itself.
  package func readOn(_ kind: LimitKind) -> String { overrides[kind] == nil ? readOn : "" }

  /// Returns the limit of a kind; nil if there is no such limit.
  package func limit(_ kind: LimitKind) -> Limit? {
    if let override = overrides[kind] { return override.limit }
    return profile.limits[kind]
  }

  /// The kinds of limits that the manifest removes, or raises above the higher interpretation of the
  /// profile's number.
  package var raisedKinds: [LimitKind] {
    LimitKind.allCases.filter { kind in
      guard let override = overrides[kind], let own = profile.limits[kind] else { return false }
      return override.limit.map {
        // The store's number can be read in two ways. A manifest that sets the larger of these two numbers
        // does not raise the limit.
        $0.certain > own.doubtful && $0.certain != own.certain
      } ?? true
    }
  }
}
