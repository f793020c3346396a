import Foundation

/// The free and the total number of bytes of a volume.
struct Volume: Sendable {
  var free: Int64
  var size: Int64

  /// The number of bytes that stay free for other programs.
  var keptFree: Int64 { min(size / 20, 256_000_000) }

  init(free: Int64, size: Int64) { (self.free, self.size) = (free, size) }

  /// Reads the numbers of the volume that contains a folder; nil if the system does not report them.
  init?(of folder: URL) {
    guard let values = try? FileManager.default.attributesOfFileSystem(forPath: folder.path),
      let free = (values[.systemFreeSize] as? NSNumber)?.int64Value,
      let size = (values[.systemSize] as? NSNumber)?.int64Value
    else { return nil }
    self.init(free: free, size: size)
  }
}
