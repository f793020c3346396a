extension FileOperations {
  /// Gives a file this content, at once for all who look, and makes the folders above it; one that holds it
  /// already is not touched.
  package static func replace(_ path: String, by bytes: ByteBuffer) throws(SystemError) {
    if holds(path, bytes) { return }
    if let folder = parent(of: path) { try makeFolder(folder) }
    let staged = path + ".tmp"
    try remove(staged)
    do throws(SystemError) {
      try write(bytes, toNew: staged)
      try rename(staged, to: path)
    } catch {
      try? remove(staged)
      throw error
    }
  }
}
