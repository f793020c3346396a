import System

/// The durations of a run's phases.
package final class Timings: Sendable {
  /// A phase of the work.
  ///
  /// The phases that are parts of packing run on several threads at the same time.
  package enum Phase: String, Sendable, CaseIterable {
    case readManifest = "read manifest"
    case scan
    case plan
    /// Comparing files and archives with the files and archives of the previous build.
    case compare
    case check
    case pack
    /// Making patches from earlier releases.
    case patch
    case read
    case hash
    case compress
    case write
    /// Waiting for the disk.
    case sync
    case publish

    /// Whether the phase is a part of packing.
    package var isPartOfPacking: Bool {
      switch self {
      case .read, .hash, .compress, .write: true
      default: false
      }
    }
  }

  /// The measurements of one phase.
  package struct Entry: Sendable {
    /// The elapsed time in seconds.
    ///
    /// For a part of packing it is 0, because several threads work at the same time.
    package var seconds = 0.0
    /// The processor time of all threads in seconds.
    package var processorSeconds = 0.0
    package var bytes: Int64 = 0
  }

  private let entries: Monitor<[Phase: Entry]> = Monitor([:])
  /// Whether the parts of packing are measured.
  ///
  /// Measuring them needs several system calls for each file.
  package let measuresParts: Bool

  package init(measuresParts: Bool = false) { self.measuresParts = measuresParts }

  /// The measurements of all phases so far.
  package var all: [Phase: Entry] { entries.change { $0 } }

  /// Runs `body` as part of a phase.
  package func measure<Result, Failure: Error>(
    _ phase: Phase, bytes: Int64 = 0, body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = (ThisProcess.seconds, ThisProcess.processorSeconds)
    defer {
      add(
        phase,
        entry: Entry(
          seconds: ThisProcess.seconds - start.0,
          processorSeconds: ThisProcess.processorSeconds - start.1, bytes: bytes))
    }
    return try body()
  }

  /// Adds the measurements of one thread to a phase.
  package func add(_ phase: Phase, entry: Entry) {
    entries.change { entries in
      entries[phase, default: Entry()].seconds += entry.seconds
      entries[phase, default: Entry()].processorSeconds += entry.processorSeconds
      entries[phase, default: Entry()].bytes += entry.bytes
    }
  }
}

/// Measures successive parts of packing on one thread, in processor seconds of that thread.
package struct LapClock {
  package private(set) var entries: [Timings.Phase: Timings.Entry] = [:]
  private let isRunning: Bool
  private var last = 0.0

  /// Creates a clock.
  ///
  /// The clock measures nothing if `isRunning` is false.
  package init(isRunning: Bool = false) { self.isRunning = isRunning }

  /// Starts a new lap, and discards the time since the previous lap.
  package mutating func skip() { if isRunning { last = ThisProcess.threadSeconds } }

  /// Adds the time since the previous call of `lap` or `skip` to a phase.
  package mutating func lap(_ phase: Timings.Phase, bytes: Int64) {
    if !isRunning { return }
    let now = ThisProcess.threadSeconds
    entries[phase, default: Timings.Entry()].processorSeconds += now - last
    entries[phase, default: Timings.Entry()].bytes += bytes
    last = now
  }
}
