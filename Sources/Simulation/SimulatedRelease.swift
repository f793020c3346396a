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
    /// What is equal for packs of two releases that hold the same.
    package let content: String

    package init(id: String, tags: [String], size: Int64, transfer: Int64, content: String) {
      self.id = id
      self.tags = tags
      self.size = size
      self.transfer = transfer
      self.content = content
    }
  }

  package var packs: [Pack]
  /// The packs of the initial install by their place in `packs`, in the order of their download.
  package var initialInstall: [Int]
  /// The packs of the prefetch by their place in `packs`, in the order of their download.
  package var prefetch: [Int]
  /// The size of the app itself in bytes; nil if unknown.
  package var appSize: Int64?

  package init(packs: [Pack], initialInstall: [Int], prefetch: [Int], appSize: Int64? = nil) {
    self.packs = packs
    self.initialInstall = initialInstall
    self.prefetch = prefetch
    self.appSize = appSize
  }
}
