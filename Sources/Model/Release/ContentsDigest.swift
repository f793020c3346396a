package import System

/// The digest of a pack's contents, whatever its container is.
///
/// It is the SHA-256 of one line `<sha256> <size> <path>` for each file, in byte order of the paths.
package struct ContentsDigest: ~Copyable {
  private var digest = SHA256()
  /// Lines that have not yet been added to the digest.
  private var lines = ByteBuffer()

  package init() {}

  /// Adds the next file.
  ///
  /// The files must be in byte order of their paths.
  package mutating func add(path: String, size: Int64, fileDigest: Digest) {
    beginLine(size: size, fileDigest: fileDigest)
    lines.append(path)
    endLine()
  }

  /// Adds the next file, whose path is given in UTF-8.
  package mutating func add(path: ArraySlice<UInt8>, size: Int64, fileDigest: Digest) {
    beginLine(size: size, fileDigest: fileDigest)
    lines.append(path)
    endLine()
  }

  /// Returns the digest of all files that were added.
  package consuming func finish() -> Digest {
    hashLines()
    return digest.finish()
  }

  private mutating func beginLine(size: Int64, fileDigest: Digest) {
    lines.append(hexOf: fileDigest)
    lines.append(" \(size) ")
  }

  private mutating func endLine() {
    lines.append(UInt8(ascii: "\n"))
    if lines.count > 1 << 16 { hashLines() }
  }

  private mutating func hashLines() {
    lines.withBytes { digest.update($0) }
    lines.clear()
  }
}
