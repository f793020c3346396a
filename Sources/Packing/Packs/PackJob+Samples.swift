import Archiving
import PackKit
import System

extension PackJob {
  /// Whether a pack is compressed already but for a fifth, by samples from all of it.
  func isMostlyRandom(_ files: [AssetFile]) -> Bool {
    let sampleCount: Int64 = 128
    let sampleSize: Int64 = 256
    let size = files.saturatingSum { $0.size }
    guard size >= sampleCount * sampleSize else { return false }
    var opener = AssetOpener()
    var sample = ByteBuffer()
    var randomCount = 0
    var restExcess: Float = 0
    var rest = files[...]
    // The offset of the first of the rest in all of them.
    var start: Int64 = 0
    for number in 0..<sampleCount {
      let offset = sampleRange(number, of: sampleCount, size: sampleSize, in: size).lowerBound
      while let file = rest.first, file.size <= offset - start {
        start += file.size
        rest.removeFirst()
      }
      // A shorter file is mostly its header in the tar, which compresses well.
      guard let file = rest.first, file.size >= sampleSize else { continue }
      let first = min(offset - start, file.size - sampleSize)
      sample.clear()
      guard readSample(file, first..<first + sampleSize, by: &opener, into: &sample) else { continue }
      let excess = sample.withBytes { $0.excess(ofMiddle: $0.byteCount) }
      if settings.compression.isWorthDeflating(excess) { continue }
      randomCount += 1
      restExcess += excess
    }
    return Int64(randomCount) * 5 >= sampleCount * 4
      && restExcess <= Compression.uncodedExcess * Float(randomCount)
  }
}
