package import System

/// The packs of a release as a simulation needs them.
package struct SimulatedRelease: Sendable {
  /// One pack.
  package struct Pack: Sendable {
    package let id: String
    package let tags: [String]
    /// Bytes that it takes on a device.
    package let size: Int64
    /// Bytes that come over the link.
    package let transfer: Int64
    /// A value that is equal for packs of two releases with the same contents.
    package var content: String
    /// Whether the device downloads the pack by itself where its tags say so, and not only on request.
    package var isOfDevice = true

    package init(id: String, tags: [String], size: Int64, transferSize: Int64, contentID: String) {
      (self.id, self.tags, self.size, self.transfer, self.content) = (id, tags, size, transferSize, contentID)
    }
  }

  package var packs: [Pack]
  /// The packs of the initial install by their place in `packs`, in the order of their download.
  package var initialInstall: [Int]
  /// The packs of the prefetch by their place in `packs`, in the order of their download.
  package var prefetch: [Int]
  /// The size of the app itself in bytes; nil if unknown.
  package var appSize: Int64?
  /// The digest of the index; nil for a plan.
  package var digest: Digest?
  /// Bytes of the index, as it is sent; 0 for a plan.
  package var indexSize: Int64 = 0
  /// Bytes of the lists of patches by the release that these start from.
  package var listSizes: [Digest: Int64] = [:]
  /// Bytes of patches by the release that they start from and the pack's identifier.
  package var patches: [Digest: [String: Int64]] = [:]

  package init(packs: [Pack], initialInstall: [Int], prefetch: [Int], appSize: Int64? = nil) {
    (self.packs, self.initialInstall, self.prefetch, self.appSize) = (
      packs, initialInstall, prefetch, appSize
    )
  }
}
