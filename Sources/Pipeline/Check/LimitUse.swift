package import Formats
package import Model
import System

/// How much of one limit a release uses; of a limit that holds for each pack or tag, the one that uses most.
package struct LimitUse: Sendable {
  package let kind: LimitKind
  /// The tags of the pack, or the tag, that uses most; empty where the limit holds for all together.
  package let tags: [String]
  /// The class of devices that uses most of a limit that holds for each; nil where all get the same.
  package let device: DeviceClass?
  /// Bytes, uncompressed, or a number of packs.
  package let used: Int64
  package let limit: Limit
  /// Whether the store refuses more; else it is advice.
  package let isStoreLimit: Bool

  /// The largest permitted value by every reading of the limit.
  package var allowed: Int64 { limit.doubtful }

  /// The bytes left below the limit; below 0 where it is exceeded.
  package var headroom: Int64 { allowed - used }

  /// The part of the limit that is used, 1 for all of it.
  package var share: Double { allowed > 0 ? Double(used) / Double(allowed) : used > 0 ? .infinity : 0 }

  /// Whether the limit counts packs, not bytes.
  package var isCount: Bool { kind == .packCount }

  /// Every limit of a profile; those of the app bundle only where its size is known.
  ///
  /// `slices` are what classes of devices get, where not all get the same.
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
  /// Whether the limit holds for what each class of devices gets; else it counts what the store hosts.
  fileprivate var holdsPerDevice: Bool {
    switch self {
    case .packSize, .initialInstallSize, .prefetchSize, .tagSize, .inUseSize, .cellularSize: true
    case .packCount, .totalSize, .appBundleSize: false
    }
  }

  /// The check that finds what exceeds the limit.
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
    case .inUseSize: "in use at once, advised"
    case .cellularSize: "app and initial install over cellular, advised"
    }
  }
}
