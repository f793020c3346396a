import System

/// The size of an app as the store shows it: the app bundle with the packs of the initial install.
package struct FirstDownload: Sendable {
  /// Bytes of the app bundle; nil if they are not known.
  package let appSize: Int64?
  /// The most bytes of the initial install that one device gets.
  package let initialInstall: Int64
  /// The bytes above which the profile advises against a download over cellular; nil if it says nothing about it.
  package let cellularLimit: Int64?

  package init(_ release: Release, appSize: Int64?, limits: LimitSettings) {
    self.appSize = appSize
    initialInstall = release.sizeOnDevice(of: .initialInstall)
    cellularLimit = limits.limit(.cellularSize)?.doubtful
  }

  /// Bytes of the app bundle, where they are known, and of the initial install.
  package var size: Int64 { (appSize ?? 0).saturatingSum(with: initialInstall) }

  /// Whether the download is larger than the profile advises over cellular.
  package var isAboveCellularLimit: Bool { cellularLimit.map { size > $0 } ?? false }
}
