import Formats
import System

/// The size of an app as the store shows it: the app bundle and the packs of the initial install.
package struct FirstDownload: Sendable {
  /// The size of the app bundle in bytes; nil if it is unknown.
  package let appSize: Int64?
  /// The size in bytes of the initial install on the device that downloads the most bytes.
  package let initialInstall: Int64
  /// The profile advises against downloads over cellular networks that exceed this size in bytes; nil if the
  /// profile has no such limit.
  package let cellularLimit: Int64?

  package init(_ release: Release, appSize: Int64?, limits: LimitSettings) {
    self.appSize = appSize
    initialInstall = release.sizeOnDevice(of: .initialInstall)
    cellularLimit = limits.limit(.cellularSize)?.doubtful
  }

  /// The size in bytes of the initial install, plus the size of the app bundle if it is known.
  package var size: Int64 { (appSize ?? 0).saturatingSum(with: initialInstall) }

  /// The sizes of the app bundle and of the initial install, for people to read; nil if the size of the app
  /// bundle is unknown.
  package var partsText: String? {
    appSize.map { "app \(ByteSize.text($0)), initial install \(ByteSize.text(initialInstall))" }
  }

  /// Whether the download is larger than the profile advises for cellular networks.
  package var isAboveCellularLimit: Bool { cellularLimit.map { size > $0 } ?? false }
}
