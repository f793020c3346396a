import Archiving
import PackKit
import System

extension PackJob {
  /// Whether at most a fifth of a pack is worth deflating, by samples from all of it.
  func isMostlyRandom(_ pack: AssetPack) -> Bool {
    let sampleCount: Int64 = 128
    let sampleSize: Int64 = 256
    var opener = AssetOpener()
    var sample = ByteBuffer()
    var (takenCount, compressibleCount) = (0, 0)
    var files = self.files(of: pack)[...]
    // The offset of the first of `files` in all of them.
    var start: Int64 = 0
    for number in 0..<sampleCount {
      let offset = sampleRange(number, of: sampleCount, size: sampleSize, in: pack.size).lowerBound
      while let file = files.first, start + file.size <= offset {
        start += file.size
        files.removeFirst()
      }
      guard let file = files.first, file.size >= sampleSize else { continue }
      let first = min(offset - start, file.size - sampleSize)
      sample.clear()
      guard readSample(file, first..<first + sampleSize, by: &opener, into: &sample) else { continue }
      let excess = sample.withBytes { $0.excess(ofMiddle: $0.byteCount) }
      takenCount += 1
      if settings.compression.isWorthDeflating(excess) { compressibleCount += 1 }
    }
    return takenCount > 0 && compressibleCount * 5 <= takenCount
  }
}
