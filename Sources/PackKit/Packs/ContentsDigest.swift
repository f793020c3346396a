import Archiving

/// The digest of a pack's contents, whatever holds them: the SHA-256 of a line `<sha256> <size> <path>` for
/// each file, in byte order of the paths.
func contentsDigest(of files: [AssetFile], _ packed: [PackedFile]) -> Digest {
  var digest = SHA256()
  var lines = ByteBuffer()
  for (file, packed) in zip(files, packed) {
    lines.append(hexOf: packed.digest)
    lines.append(" \(file.size) \(file.packPath)\n")
    if lines.count > 1 << 16 {
      lines.withBytes { digest.update($0) }
      lines.clear()
    }
  }
  lines.withBytes { digest.update($0) }
  return digest.finish()
}
