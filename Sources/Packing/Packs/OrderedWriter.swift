import System

/// Pieces of a pack that may be made before one ahead of them is written: what bounds the memory.
private let mostPiecesAhead = 4

/// Writes the pieces of a pack in their order, whoever makes them and when.
///
/// Whoever has made the piece that is due writes it, and those that wait behind it; all others go on to make more.
final class OrderedWriter<Piece: Sendable>: Sendable {
  private struct State {
    /// The piece that is due, or the one behind that which is being written.
    var next = 0
    var waiting: [Int: Piece] = [:]
    var isWriting = false
    var hasFailed = false
  }

  private let state = Monitor(State())

  /// Makes a piece and has it written by `write`, which gets a piece and its number, and never runs twice at once.
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
      // Whoever waits for this piece would wait for ever.
      state.change { $0.hasFailed = true }
      throw error
    }
  }

  /// Whether nobody has a piece before this one to write: whoever makes it will write it at once.
  func isDue(_ number: Int) -> Bool {
    state.change { $0.next == number && !$0.isWriting }
  }

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
