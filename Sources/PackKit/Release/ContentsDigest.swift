package import System

/// The digest of a pack's contents in any container: the SHA-256 of one line `<sha256> <size> <path>` for each
/// file, in byte order of the paths.
package struct ContentsDigest: ~Copyable {
  private var digest = SHA256()
  /// Lines that have not been added to the digest yet.
  private var lines = ByteBuffer()

  package init() {}

  /// Adds the next file.
  package mutating func add(_ path: String, size: Int64, _ file: Digest) {
    beginLine(size, file)
    lines.append(path)
    endLine()
  }

  /// Adds the next file by its path in UTF-8.
  package mutating func add(_ path: ArraySlice<UInt8>, size: Int64, _ file: Digest) {
    beginLine(size, file)
    lines.append(path)
    endLine()
  }

  /// The digest of all files that were added.
  package consuming func finish() -> Digest {
    takeLines()
    return digest.finish()
  }

  private mutating func beginLine(_ size: Int64, _ file: Digest) {
    lines.append(hexOf: file)
    lines.append(" \(size) ")
  }

  private mutating func endLine() {
    lines.append(UInt8(ascii: "\n"))
    if lines.count > 1 << 16 { takeLines() }
  }

  private mutating func takeLines() {
    lines.withBytes { digest.update($0) }
    lines.clear()
  }
}
