package import System

/// The parts of a release that a simulation needs.
package struct SimulatedRelease: Sendable {
  /// A pack of a release.
  package struct Pack: Sendable {
    package let id: String
    package let tags: [String]
    /// The size of the pack on a device in bytes.
    package let size: Int64
    /// The size of the pack's download in bytes.
    package let transfer: Int64
    /// A string that identifies the pack's contents.
    ///
    /// Packs of two releases have the same string if and only if their contents are the same.
    package var content: String
    /// Whether the initial install and the prefetch can include the pack.
    ///
    /// The value is false for packs of a language that the device does not use.
    package var isOfDevice = true

    package init(id: String, tags: [String], size: Int64, transferSize: Int64, contentID: String) {
      (self.id, self.tags, self.size, self.transfer, self.content) = (id, tags, size, transferSize, contentID)
    }
  }

  package var packs: [Pack]
  /// The packs of the initial install, as indices in `packs`, in download order.
  package var initialInstall: [Int]
  /// The packs of the prefetch, as indices in `packs`, in download order.
  package var prefetch: [Int]
  /// The size of the app itself in bytes; nil if unknown.
  package var appSize: Int64?
  /// The digest of the index; nil for a plan.
  package var digest: Digest?
  /// The size of the index in bytes, as a server sends it; 0 for a plan.
  package var indexSize: Int64 = 0
  /// The size of each list of patches in bytes, by the release that the patches start from.
  package var listSizes: [Digest: Int64] = [:]
  /// The size of each patch in bytes, by the release that the patch starts from and by the pack's identifier.
  package var patches: [Digest: [String: Int64]] = [:]

  package init(packs: [Pack], initialInstall: [Int], prefetch: [Int], appSize: Int64? = nil) {
    (self.packs, self.initialInstall, self.prefetch, self.appSize) = (
      packs, initialInstall, prefetch, appSize
    )
  }
}
