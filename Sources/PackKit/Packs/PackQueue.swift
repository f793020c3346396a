import Archiving

/// Shares the pieces of all packs out to workers, large packs first.
final class PackQueue: Sendable {
  private struct Entry {
    let pack: Int
    /// Nil before the pack is begun and once all is made: it knows all of the pack's files.
    var writer: (any PackWriter)?
    /// Nil before the pack is begun.
    var pieceCount: Int?
    var nextPiece = 0
    var finishedPieces = 0

    var hasPieces: Bool { pieceCount.map { nextPiece < $0 } ?? true }
    var remaining: Int { (pieceCount ?? 0) - nextPiece }
  }

  private struct State {
    /// The packs to write, the largest first.
    var entries: [Entry]
    var written: [Int: WrittenPack] = [:]
    var failure: (any Error)?
  }

  private let job: PackJob
  private let staging: String
  private let sync: PackSync
  private let state: Monitor<State>

  /// A queue of some packs of a job, by their number in the plan; archives go on to `sync` once they are whole.
  init(_ packs: [Int], of job: PackJob, staging: String, sync: PackSync) {
    self.job = job
    self.staging = staging
    self.sync = sync
    let sizes = job.plan.packs
    let ordered = packs.sorted { (-sizes[$0].size, $0) < (-sizes[$1].size, $1) }
    state = Monitor(State(entries: ordered.map { Entry(pack: $0) }))
  }

  /// Writes all packs; the result has each by its number in the plan.
  func writeAll(jobs: Int) throws -> [Int: WrittenPack] {
    onThreads(jobs) { _ in
      var bench = Workbench(self.job.settings)
      var current: Int?
      defer { for (phase, entry) in bench.clock.entries { self.job.timings.add(phase, entry) } }
      while let (entry, writer, piece) = self.take(after: current) {
        current = entry
        do {
          try writer.makePiece(piece, at: &bench)
          try self.finishPiece(of: entry, writer)
        } catch {
          self.state.change { $0.failure = $0.failure ?? error }
        }
      }
    }
    return try state.change { state in
      if let failure = state.failure { throw failure }
      return state.written
    }
  }

  /// The next piece: of the pack that the worker is at, else of one that nobody has begun, else of any.
  private func take(after current: Int?) -> (entry: Int, writer: any PackWriter, piece: Int)? {
    state.change { state in
      if state.failure != nil { return nil }
      let choice =
        current.flatMap { state.entries[$0].hasPieces ? $0 : nil }
        ?? state.entries.firstIndex { $0.pieceCount == nil }
        ?? state.entries.indices.max { state.entries[$0].remaining < state.entries[$1].remaining }
      guard let choice, state.entries[choice].hasPieces else { return nil }
      do {
        let writer = try state.entries[choice].writer ?? makeWriter(for: state.entries[choice].pack)
        state.entries[choice].writer = writer
        state.entries[choice].pieceCount = writer.pieceCount
        guard state.entries[choice].hasPieces else { return nil }
        state.entries[choice].nextPiece += 1
        return (choice, writer, state.entries[choice].nextPiece - 1)
      } catch {
        state.failure = error
        return nil
      }
    }
  }

  private func makeWriter(for pack: Int) throws -> any PackWriter {
    try job.settings.container.writer(for: job.plan.packs[pack], in: job, staging: "\(staging)/\(pack)")
  }

  private func finishPiece(of entry: Int, _ writer: any PackWriter) throws {
    let isLast = state.change { state in
      state.entries[entry].finishedPieces += 1
      let isLast = state.entries[entry].finishedPieces == writer.pieceCount
      if isLast { state.entries[entry].writer = nil }
      return isLast
    }
    // A pack with a finding has gaps; it is never published.
    guard isLast, job.diagnostics.isEmpty else { return }
    let written = try writer.finish()
    if !written.isFolder { sync.add(written.stagedPath) }
    state.change { $0.written[$0.entries[entry].pack] = written }
  }
}
