extension InputFile {
  /// Returns the SHA-256 of the whole content.
  package func digest() throws(SystemError) -> Digest {
    var buffer = ByteBuffer()
    // Most files are small, and allocating a large buffer takes longer than reading a small file.
    let step = min(Self.step, max(0, try status().size) + 1)
    return try digest(ofFirst: .max, step: step, through: &buffer)
  }

  /// Returns the SHA-256 of the first `size` bytes, or of the whole file if the file is shorter.
  ///
  /// `buffer` is only memory that the function uses for reading.
  package func digest(ofFirst size: Int64, through buffer: inout ByteBuffer) throws(SystemError) -> Digest {
    try digest(ofFirst: size, step: Self.step, through: &buffer)
  }

  private static let step: Int64 = 1 << 20

  private func digest(
    ofFirst size: Int64, step: Int64, through buffer: inout ByteBuffer
  ) throws(SystemError) -> Digest {
    var digest = SHA256()
    var offset: Int64 = 0
    while offset < size {
      buffer.clear()
      try read(Int(min(step, size - offset)), at: offset, into: &buffer)
      if buffer.isEmpty { break }
      buffer.withBytes { digest.update($0) }
      offset += Int64(buffer.count)
    }
    return digest.finish()
  }
}
