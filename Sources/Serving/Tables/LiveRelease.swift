package import Formats
import Model
import Pipeline
import System

/// The table of a folder that builds can change.
///
/// The table is always that of the current build. For each request, the server checks whether the index is
/// still the file that was read. Running downloads keep open the files of the table with which they began.
package final class LiveRelease: Sendable {
  private struct State {
    var table: ServedTable
    /// The stamps that the index, the folder of archives and the download manifest had when they were last
    /// checked.
    var seen: [FileStamp?]
    /// The findings of the last check.
    ///
    /// If there are any findings, the folder is checked again from time to time.
    var reported: [Diagnostic]
    /// The earliest time of the next check, in seconds.
    var nextLook = 0.0
  }

  /// The number of seconds between two checks of an incomplete build.
  ///
  /// A build is incomplete, for example, while it is being copied to this machine.
  private static let pause = 0.5

  /// The folder as the user typed it.
  package let path: String
  /// A function that is called when a build is published in the folder while the server runs.
  private let report: @Sendable (ServedTable?, [Diagnostic]) -> Void
  private let indexPath: String
  private let others: [String]
  private let state: Monitor<State>

  package init(
    _ path: String, table: ServedTable, indexPath: String, alreadyReported: [Diagnostic] = [],
    report: @escaping @Sendable (ServedTable?, [Diagnostic]) -> Void = { _, _ in }
  ) {
    self.path = path
    self.report = report
    self.indexPath = indexPath
    others = [PublishedNames.archivesFolder, PublishedNames.downloadManifest].map {
      joined(folderPath(of: indexPath), $0)
    }
    state = Monitor(
      State(table: table, seen: [table.index.stamp] + others.map(Self.stamp), reported: alreadyReported))
  }

  static func stamp(_ path: String) -> FileStamp? {
    (try? FileOperations.statusIfThere(path)).flatMap { $0 }.map { FileStamp($0) }
  }

  /// The table of the newest build.
  ///
  /// If the new build cannot be served, the table of the previous build stays in use.
  package var table: ServedTable { table(at: ThisProcess.seconds) }

  /// Returns the table at a given time in seconds.
  func table(at now: Double) -> ServedTable {
    let stamps = [Self.stamp(indexPath)] + others.map(Self.stamp)
    return state.change { state in
      let isNew = stamps[0] != nil && stamps != state.seen
      guard isNew || (!state.reported.isEmpty && now >= state.nextLook) else { return state.table }
      state.seen = stamps
      state.nextLook = now + Self.pause
      let (table, found) = read()
      if !isNew && found == state.reported { return state.table }
      state.reported = found
      if let table {
        table.adoptFetched(from: state.table)
        state.table = table
        state.seen[0] = table.index.stamp
      }
      report(table, found)
      return state.table
    }
  }

  private func read() -> (table: ServedTable?, found: [Diagnostic]) {
    do throws(SystemError) {
      let reading = try BuiltTable(path)
      return (reading.table, reading.diagnostics)
    } catch {
      return (
        nil,
        [
          Diagnostic(
            .machineFailure, message: "packtool cannot open the new build: \(error)", at: Place(path))
        ]
      )
    }
  }
}
