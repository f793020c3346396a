package import Formats
package import Model
import System

/// The share of one limit that a release uses.
///
/// If the limit applies to each pack or tag, the value is the share of the largest pack or tag.
package struct LimitUse: Sendable {
  package let kind: LimitKind
  /// The tags of the pack that uses the largest share, or the tag itself; empty if the limit applies to the
  /// whole release.
  package let tags: [String]
  /// The device class that uses the largest share of a per-device limit; nil if all devices get the same
  /// files.
  package let device: DeviceClass?
  /// The size in uncompressed bytes, or the number of packs.
  package let used: Int64
  package let limit: Limit
  /// Whether the store rejects larger values; if false, the limit is only a recommendation.
  package let isStoreLimit: Bool

  /// The largest value that every interpretation of the limit permits.
  package var allowed: Int64 { limit.doubtful }

  /// The number of bytes, or packs, that are left below the limit; negative if the limit is exceeded.
  package var headroom: Int64 { allowed - used }

  /// The used fraction of the limit; 1 means that the limit is fully used.
  package var share: Double { allowed > 0 ? Double(used) / Double(allowed) : used > 0 ? .infinity : 0 }

  /// Whether the limit counts packs instead of bytes.
  package var isCount: Bool { kind == .packCount }

  /// Returns the use of every limit of a profile.
  ///
  /// Limits that include the app bundle are left out if the size of the app bundle is unknown. `slices` are
  /// the files that each device class gets; empty if all devices get the same files.
  package static func all(
    of release: Release, slices: [ReleaseSlice] = [], limits: LimitSettings, appBundleSize: Int64?
  ) -> [LimitUse] {
    LimitKind.allCases.compactMap { kind in
      guard let limit = limits.limit(kind) else { return nil }
      let parts: [(Release, DeviceClass?)] =
        slices.isEmpty || !kind.holdsPerDevice
        ? [(release, nil)] : slices.map { ($0.release, $0.devices.first) }
      let uses = parts.compactMap { part, device in
        usage(of: kind, release: part, appBundleSize: appBundleSize).map { tags, used in
          LimitUse(
            kind: kind, tags: tags, device: device, used: used, limit: limit,
            isStoreLimit: kind.check.isStoreLimit)
        }
      }
      return uses.max { $0.used < $1.used }
    }
  }

  private static func usage(
    of kind: LimitKind, release: Release, appBundleSize: Int64?
  ) -> (tags: [String], used: Int64)? {
    let initial = release.sizeOnDevice(of: .initialInstall)
    switch kind {
    case .packSize: return release.packs.max { $0.size < $1.size }.map { ($0.tags, $0.size) }
    case .packCount: return ([], Int64(release.packs.count))
    case .initialInstallSize: return ([], initial)
    case .prefetchSize: return ([], release.sizeOnDevice(of: .initialInstall, .prefetch))
    case .totalSize:
      let archived = LimitProfile.named(release.profile)?.countsArchives == true ? release.archivedSize : nil
      return ([], archived ?? release.total.size)
    case .appBundleSize: return appBundleSize.map { ([], $0) }
    case .tagSize, .inUseSize: return release.tags.max { $0.size < $1.size }.map { ([$0.name], $0.size) }
    case .cellularSize: return appBundleSize.map { ([], $0.saturatingSum(with: initial)) }
    }
  }
}

extension LimitKind {
  /// Whether the limit applies separately to the files of each device class.
  ///
  /// If false, the limit applies to all files that the store hosts.
  fileprivate var holdsPerDevice: Bool {
    switch self {
    case .packSize, .initialInstallSize, .prefetchSize, .tagSize, .inUseSize, .cellularSize: true
    case .packCount, .totalSize, .appBundleSize: false
    }
  }

  /// The check that reports values above the limit.
  package var check: Check {
    switch self {
    case .packSize: .packSize
    case .packCount: .packCount
    case .initialInstallSize: .initialInstallSize
    case .prefetchSize: .prefetchSize
    case .totalSize: .totalSize
    case .appBundleSize: .appBundleSize
    case .tagSize: .tagSize
    case .inUseSize: .inUseSize
    case .cellularSize: .cellularSize
    }
  }

  /// A short title for tables.
  package var title: String {
    switch self {
    case .packSize: "one pack"
    case .packCount: "number of packs"
    case .initialInstallSize: "initial install"
    case .prefetchSize: "initial install and prefetch"
    case .totalSize: "all packs"
    case .appBundleSize: "app bundle"
    case .tagSize: "one tag, advised"
    case .inUseSize: "in use at the same time, advised"
    case .cellularSize: "app and initial install over cellular, advised"
    }
  }
}
