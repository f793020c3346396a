import Model
import Pipeline
import System

/// Distributes the pieces of all packs to threads.
///
/// Large packs come first.
final class PackQueue: Sendable {
  private struct Entry {
    let pack: Int
    /// The writer of the pack, which also contains the pack's file list; nil before the first piece and after
    /// the last piece.
    var writer: (any PackWriter)?
    var pieceCount = 0
    var nextPiece = 0
    var finishedPieces = 0

    var remaining: Int { pieceCount - nextPiece }
  }

  /// The next piece that a thread makes.
  private struct Piece {
    /// The position of the piece's pack in the queue.
    let entry: Int
    let writer: any PackWriter
    let number: Int
  }

  private struct State {
    /// The packs to write, the largest first.
    var entries: [Entry]
    var begunCount = 0
    var open: Set<Int> = []
    var written: [Int: FinishedPack] = [:]
    var failure: (any Error)?
  }

  private let job: PackJob
  private let staging: String
  private let sync: PackSync
  private let maxConcurrentPacks: Int
  private let state: Monitor<State>

  /// Creates a queue for some packs of a job, given by their index in the plan.
  ///
  /// The queue passes complete archives to `sync`.
  init(_ packs: [Int], of job: PackJob, staging: String, sync: PackSync) {
    self.job = job
    self.staging = staging
    self.sync = sync
    maxConcurrentPacks = job.settings.container.maxConcurrentPacks
    let sizes = job.plan.packs
    let ordered = packs.sorted { (-sizes[$0].size, $0) < (-sizes[$1].size, $1) }
    state = Monitor(State(entries: ordered.map { Entry(pack: $0) }))
  }

  /// Writes all packs, and returns them keyed by their index in the plan.
  func writeAll(jobs: Int) throws -> [Int: FinishedPack] {
    onThreads(jobs) { _ in
      let clock = LapClock(isRunning: self.job.timings.measuresParts)
      var compressor = EntryCompressor(self.job.settings, clock: clock)
      var current: Int?
      defer { for (phase, entry) in compressor.clock.entries { self.job.timings.add(phase, entry: entry) } }
      while let piece = self.nextPiece(after: current) {
        current = piece.entry
        do {
          try piece.writer.makePiece(piece.number, with: &compressor)
          try self.finishPiece(of: piece.entry, writer: piece.writer)
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

  /// Returns the next piece.
  ///
  /// It is a piece of the thread's current pack if possible, otherwise of a new pack, otherwise of any pack.
  private func nextPiece(after current: Int?) -> Piece? {
    state.change { state in
      if state.failure != nil { return nil }
      do {
        guard let entry = try choose(after: current, state: &state), let writer = state.entries[entry].writer
        else {
          return nil
        }
        defer {
          state.entries[entry].nextPiece += 1
          if state.entries[entry].remaining == 0 { state.open.remove(entry) }
        }
        return Piece(entry: entry, writer: writer, number: state.entries[entry].nextPiece)
      } catch {
        state.failure = error
        return nil
      }
    }
  }

  private func choose(after current: Int?, state: inout State) throws -> Int? {
    if let current, state.open.contains(current) { return current }
    if state.open.count >= maxConcurrentPacks || state.begunCount == state.entries.count {
      return state.open.max { state.entries[$0].remaining < state.entries[$1].remaining }
    }
    let next = state.begunCount
    let pack = state.entries[next].pack
    let writer = try job.settings.container.writer(forPack: pack, in: job, staging: "\(staging)/\(pack)")
    state.entries[next].writer = writer
    state.entries[next].pieceCount = writer.pieceCount
    state.begunCount += 1
    state.open.insert(next)
    return next
  }

  private func finishPiece(of entry: Int, writer: any PackWriter) throws {
    let isLast = state.change { state in
      state.entries[entry].finishedPieces += 1
      let isLast = state.entries[entry].finishedPieces == writer.pieceCount
      if isLast { state.entries[entry].writer = nil }
      return isLast
    }
    // If there is a finding, the pack might be incomplete. The pack will not be published, so it need not be
    // finished.
    guard isLast, job.diagnostics.isEmpty else { return }
    let written = try writer.finish()
    if !written.isFolder { sync.add(written.stagedPath) }
    state.change { $0.written[$0.entries[entry].pack] = written }
  }
}

/// Syncs finished packs to the disk while other packs are being made.
final class PackSync: Sendable {
  private struct State {
    var waiting: [String] = []
    var isClosed = false
    var failure: SystemError?
  }

  /// The threads only wait for the disk.
  ///
  /// If there are several requests, the disk can choose their order.
  private static let threadCount = 8

  private let state: Monitor<State>
  private let threads: Threads

  init() {
    let state = Monitor(State())
    self.state = state
    threads = Threads(numbered: 0..<Self.threadCount) { _ in Self.work(at: state) }
  }

  func add(_ path: String) { state.change { $0.waiting.append(path) } }

  /// Waits until all packs would survive a power failure.
  func finish() throws(SystemError) {
    state.change { $0.isClosed = true }
    // The current thread also syncs packs, because the system might have been unable to start other threads.
    Self.work(at: state)
    threads.join()
    if let failure = state.change({ $0.failure }) { throw failure }
  }

  /// Discards the packs that have not been synced yet, after a failure.
  func abandon() {
    state.change {
      $0.waiting = []
      $0.isClosed = true
    }
    threads.join()
  }

  private static func work(at state: Monitor<State>) {
    while let path = next(of: state) {
      do throws(SystemError) {
        try FileOperations.syncAndRelease(path)
      } catch {
        state.change {
          $0.failure = $0.failure ?? error
          $0.waiting = []
        }
      }
    }
  }

  /// Waits for the next pack; nil if no pack is left.
  private static func next(of state: Monitor<State>) -> String? {
    state.wait(until: { !$0.waiting.isEmpty || $0.isClosed }) { $0.waiting.popLast() }
  }
}
