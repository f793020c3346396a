import PackKit
import System

/// A part of a pack that one worker makes: small files in batches, large ones in blocks.
///
/// The bytes of a pack depend on the size of the blocks, not on who makes which.
enum PackPiece {
  /// Files, whole, by their places in the pack.
  case batch(Range<Int>)
  /// Part of a large file, to be compressed.
  case block(file: Int, Range<Int64>)
  /// Part of a large file as an older archive keeps it.
  case copy(file: Int, Range<Int64>)

  /// Bytes of a large file that are compressed at once.
  static let blockSize: Int64 = 1 << 20
  /// Bytes of a file that one worker still takes whole: joining blocks costs a twelfth of compressing them.
  static let wholeLimit: Int64 = 1 << 22
  private static let mostFilesInBatch = 512

  /// The pieces of a pack.
  ///
  /// - Parameters:
  ///   - files: the pack's files in their order.
  ///   - copiedSize: the bytes that an older archive keeps of a file; nil for one that must be compressed.
  /// - Returns: the pieces in the order in which they are written.
  static func pieces(of files: [AssetFile], copiedSize: (Int) -> Int64?) -> [PackPiece] {
    var pieces: [PackPiece] = []
    var start = 0
    var size: Int64 = 0
    func endBatch(at end: Int) {
      if start < end { pieces.append(.batch(start..<end)) }
      start = end
      size = 0
    }
    for (place, file) in files.enumerated() {
      if size + file.size > blockSize || place - start == mostFilesInBatch { endBatch(at: place) }
      size += file.size
      guard file.size > wholeLimit else { continue }
      if let copied = copiedSize(place) {
        pieces += blocks(of: copied).map { .copy(file: place, $0) }
      } else {
        pieces += blocks(of: file.size).map { .block(file: place, $0) }
      }
      start = place + 1
      size = 0
    }
    endBatch(at: files.count)
    return pieces
  }

  private static func blocks(of size: Int64) -> [Range<Int64>] {
    stride(from: 0, to: size, by: Int(blockSize)).map { $0..<min($0 + blockSize, size) }
  }
}
