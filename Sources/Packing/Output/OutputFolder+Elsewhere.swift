import Findings
import System

extension OutputFolder {
  /// Publishes the list of packs that are in other folders; false if it is published already, or there are none.
  func publish(_ list: (name: String, bytes: ByteBuffer)?) throws(SystemError) -> Bool {
    guard let list, !hasPublished(list) else { return false }
    let staged = joined(stagingPath, list.name)
    try FileOperations.write(list.bytes, toNew: staged)
    try FileOperations.sync(staged)
    try FileOperations.rename(staged, to: joined(path, list.name))
    return true
  }

  /// Whether the list of packs that are in other folders is published; true if there are none.
  func hasPublished(_ list: (name: String, bytes: ByteBuffer)?) -> Bool {
    guard let list else { return true }
    return FileOperations.holds(joined(path, list.name), list.bytes)
  }
}
