import System

/// The records after a zip archive's central directory.
struct ZipEnd {
  let entryCount: Int
  let start: Int64
  let size: Int64

  func append(to buffer: inout ByteBuffer) {
    if entryCount >= ZipFields.limit16 || size >= ZipFields.limit32 || start >= ZipFields.limit32 {
      appendZip64End(to: &buffer)
    }
    buffer.append(little: ZipFields.endSignature)
    buffer.append(little: UInt16(0))  // this disk
    buffer.append(little: UInt16(0))  // the directory's disk
    buffer.append(little: UInt16(clamping: entryCount))
    buffer.append(little: UInt16(clamping: entryCount))
    buffer.append(little: UInt32(clamping: size))
    buffer.append(little: UInt32(clamping: start))
    buffer.append(little: UInt16(0))  // comment
  }

  private func appendZip64End(to buffer: inout ByteBuffer) {
    buffer.append(little: ZipFields.zip64EndSignature)
    buffer.append(little: UInt64(44))  // bytes of this record that follow
    buffer.append(little: ZipFields.madeByUnix | 45)
    buffer.append(little: UInt16(45))
    buffer.append(little: UInt32(0))  // this disk
    buffer.append(little: UInt32(0))  // the directory's disk
    buffer.append(little: UInt64(entryCount))
    buffer.append(little: UInt64(entryCount))
    buffer.append(little: size)
    buffer.append(little: start)
    buffer.append(little: ZipFields.zip64LocatorSignature)
    buffer.append(little: UInt32(0))
    buffer.append(little: start + size)
    buffer.append(little: UInt32(1))
  }
}
