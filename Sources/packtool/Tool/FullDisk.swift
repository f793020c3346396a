import Formats
import System

/// The failure of a run because a disk is full.
struct FullDisk: Error, CustomStringConvertible {
  private let error: SystemError
  /// The size of what the run has to write, as a statement; nil if it is unknown.
  private let need: String?
  /// The number of free bytes after temporary files were removed; nil if it is unknown, or if a quota and not the
  /// disk limits the user.
  private let free: Int64?

  /// Makes the failure for an error of the system.
  ///
  /// `need` states the size of what the run has to write. `outputPath` is a path on the disk to which the run
  /// writes.
  init(_ error: SystemError, need: String? = nil, outputPath: String) {
    self.error = error
    // A device such as /dev/full has no size.
    let isDevice = (try? FileOperations.isStream(outputPath)) ?? false
    self.need = isDevice ? nil : need
    free = isDevice || error.isOverQuota ? nil : FileOperations.freeSpace(at: outputPath)
  }

  var description: String {
    let facts = [need, free.map { "the disk has \(ByteSize.exact($0)) free" }].compactMap(\.self)
    if facts.isEmpty { return error.description }
    return "\(error); \(facts.joined(separator: ", and ")); delete files there, or write to another disk"
  }
}
