import System

/// How many pieces may be made ahead of the next one to be written, which bounds the memory.
private let mostPiecesAhead = 4

/// Writes the pieces of a pack in order, though several threads make them.
///
/// The thread that made the next piece writes it, and the waiting ones after it; the others continue with new
/// pieces.
final class OrderedWriter<Piece: Sendable>: Sendable {
  private struct State {
    /// The index of the next piece to be written, after the one that is being written.
    var next = 0
    var waiting: [Int: Piece] = [:]
    var isWriting = false
    var hasFailed = false
  }

  private let state = Monitor(State())

  /// Makes a piece and writes it in order by `write`, which gets the piece and its index, and runs on one thread
  /// at a time.
  func put(_ number: Int, make: () throws -> Piece, write: (Int, Piece) throws -> Void) throws {
    do {
      let piece = try make()
      state.wait { number - $0.next <= mostPiecesAhead || $0.hasFailed ? () : nil }
      state.change { $0.waiting[number] = piece }
      while let (number, piece) = takeDue() {
        try write(number, piece)
        state.change { $0.isWriting = false }
      }
    } catch {
      // Otherwise threads that wait for this piece would wait forever.
      state.change { $0.hasFailed = true }
      throw error
    }
  }

  func isDue(_ number: Int) -> Bool { state.change { $0.next == number && !$0.isWriting } }

  private func takeDue() -> (Int, Piece)? {
    state.change { state in
      if state.isWriting || state.hasFailed { return nil }
      guard let piece = state.waiting.removeValue(forKey: state.next) else { return nil }
      state.isWriting = true
      state.next += 1
      return (state.next - 1, piece)
    }
  }
}
