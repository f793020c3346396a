package import Findings
import PackKit
import System

/// The table of a folder as its last build left it.
///
/// Each request looks whether the index is still the file that was read; downloads that have begun keep the files of
/// their table open.
package final class LiveRelease: Sendable {
  private struct State {
    var table: ServedTable
    /// The index that was read last, also where it could not be used.
    var seen: FileStamp
  }

  /// The folder as the user typed it.
  package let path: String
  /// What is told of a build that was published while the folder is served.
  private let report: @Sendable (ServedTable?, [Diagnostic]) -> Void
  private let indexPath: String
  private let state: Monitor<State>

  package init(
    _ path: String, _ table: ServedTable, indexPath: String,
    report: @escaping @Sendable (ServedTable?, [Diagnostic]) -> Void = { _, _ in }
  ) {
    self.path = path
    self.report = report
    self.indexPath = indexPath
    state = Monitor(State(table: table, seen: table.index.stamp))
  }

  /// The table of the last build; a folder that cannot be served leaves the one before in place.
  package var table: ServedTable {
    let stamp = (try? FileOperations.statusIfThere(indexPath)).flatMap { $0 }.map { FileStamp($0) }
    return state.change { state in
      guard let stamp, stamp != state.seen else { return state.table }
      state.seen = stamp
      guard let reading = try? BuiltTable(path) else { return state.table }
      if let table = reading.table {
        table.adoptFetched(from: state.table)
        state.table = table
        state.seen = table.index.stamp
      }
      report(reading.table, reading.diagnostics)
      return state.table
    }
  }
}
