import Model
import Pipeline
import System

/// A part of a pack that one thread makes: a batch of small files, or a block of a large file.
///
/// The bytes of a pack depend on the size of the blocks, but not on the threads.
enum PackPiece {
  /// A batch of whole files.
  ///
  /// The range contains their indices in the pack.
  case batch(Range<Int>)
  /// A part of a large file that must be compressed.
  case block(file: Int, Range<Int64>)
  /// A part of a large file that is copied in compressed form from an older archive.
  case copy(file: Int, Range<Int64>)

  /// The size in bytes of a block of a large file.
  static let blockSize: Int64 = 1 << 20
  /// The maximum size in bytes of a file that is not split into blocks.
  ///
  /// Splitting smaller files would be too slow, because joining blocks takes up to 20 % of the time of
  /// compressing them.
  static let wholeLimit: Int64 = 1 << 22
  private static let maxFilesInBatch = 512

  /// Returns the pieces of a pack in the order in which they are written.
  ///
  /// `copiedSize` returns the size of a file's bytes in an older archive, or nil if the file must be
  /// compressed again.
  static func pieces(of files: [AssetFile], copiedSize: (Int) -> Int64?) -> [PackPiece] {
    var pieces: [PackPiece] = []
    var start = 0
    var size: Int64 = 0
    func endBatch(at end: Int) {
      if start < end { pieces.append(.batch(start..<end)) }
      start = end
      size = 0
    }
    for (index, file) in files.enumerated() {
      if size + file.size > blockSize || index - start == maxFilesInBatch { endBatch(at: index) }
      size += file.size
      guard file.size > wholeLimit else { continue }
      if let copied = copiedSize(index) {
        pieces += blocks(of: copied).map { .copy(file: index, $0) }
      } else {
        pieces += blocks(of: file.size).map { .block(file: index, $0) }
      }
      start = index + 1
      size = 0
    }
    endBatch(at: files.count)
    return pieces
  }

  private static func blocks(of size: Int64) -> [Range<Int64>] {
    stride(from: 0, to: size, by: Int(blockSize)).map { $0..<min($0 + blockSize, size) }
  }
}

/// The maximum number of finished pieces that wait to be written.
///
/// The limit restricts the use of memory.
private let maxPiecesAhead = 4

/// Writes the pieces of a pack in order, although several threads make the pieces.
///
/// The thread that made the next piece in the order writes it, and then writes the waiting pieces that
/// follow. In the meantime, the other threads make new pieces.
final class OrderedWriter<Piece: Sendable>: Sendable {
  private struct State {
    /// The index of the next piece to write.
    ///
    /// It is the index after the piece that is currently being written.
    var next = 0
    var waiting: [Int: Piece] = [:]
    var isWriting = false
    var hasFailed = false
  }

  private let state = Monitor(State())

  /// Makes a piece and writes it in order.
  ///
  /// The arguments of `write` are the index and the piece. `write` runs on only one thread at a time.
  func put(_ number: Int, make: () throws -> Piece, write: (Int, Piece) throws -> Void) throws {
    do {
      let piece = try make()
      state.wait { number - $0.next <= maxPiecesAhead || $0.hasFailed ? () : nil }
      state.change { $0.waiting[number] = piece }
      while let (number, piece) = popDue() {
        try write(number, piece)
        state.change { $0.isWriting = false }
      }
    } catch {
      // Without this flag, threads that wait for this piece would wait forever.
      state.change { $0.hasFailed = true }
      throw error
    }
  }

  func isDue(_ number: Int) -> Bool { state.change { $0.next == number && !$0.isWriting } }

  private func popDue() -> (Int, Piece)? {
    state.change { state in
      if state.isWriting || state.hasFailed { return nil }
      guard let piece = state.waiting.removeValue(forKey: state.next) else { return nil }
      state.isWriting = true
      state.next += 1
      return (state.next - 1, piece)
    }
  }
}
