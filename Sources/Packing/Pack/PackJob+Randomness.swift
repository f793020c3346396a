import Archiving
import Formats
import Model
import Pipeline
import System

extension PackJob {
  /// Whether at least 80 % of a pack's bytes are already compressed, estimated from samples of the whole
  /// pack.
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
    // The offset of the first remaining file in the concatenation of all files of the pack.
    var start: Int64 = 0
    for number in 0..<sampleCount {
      let offset = sampleRange(inPart: number, of: sampleCount, sampleSize: sampleSize, totalSize: size)
        .lowerBound
      while let file = rest.first, file.size <= offset - start {
        start += file.size
        rest.removeFirst()
      }
      // A shorter file is skipped, because its tar header is larger than its contents and compresses well.
      guard let file = rest.first, file.size >= sampleSize else { continue }
      let first = min(offset - start, file.size - sampleSize)
      sample.clear()
      guard readSample(file, range: first..<first + sampleSize, by: &opener, into: &sample) else { continue }
      let chiSquaredExcess = sample.withBytes { $0.chiSquaredExcess(ofMiddle: $0.byteCount) }
      if settings.compression.isWorthDeflating(chiSquaredExcess) { continue }
      randomCount += 1
      restExcess += chiSquaredExcess
    }
    return Int64(randomCount) * 5 >= sampleCount * 4
      && restExcess <= Compression.uncodedExcess * Float(randomCount)
  }
}
