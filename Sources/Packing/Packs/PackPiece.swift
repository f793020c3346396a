import PackKit
import System

/// A part of a pack that one thread makes: small files in batches, large ones in blocks.
///
/// The bytes of a pack depend on the size of the blocks, not on the threads.
enum PackPiece {
  /// Whole files, by their indices in the pack.
  case batch(Range<Int>)
  /// Part of a large file, to be compressed.
  case block(file: Int, Range<Int64>)
  /// Part of a large file that is copied compressed from an older archive.
  case copy(file: Int, Range<Int64>)

  /// The size in bytes of a block of a large file.
  static let blockSize: Int64 = 1 << 20
  /// The largest file in bytes that is not split: joining blocks costs up to a fifth of compressing them.
  static let wholeLimit: Int64 = 1 << 22
  private static let mostFilesInBatch = 512

  /// The pieces of a pack in the order in which they are written; `copiedSize` has the bytes that an older archive
  /// keeps of a file, nil for one that must be compressed.
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
