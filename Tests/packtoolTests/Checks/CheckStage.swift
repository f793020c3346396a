@testable import Formats
@testable import packtool
import Foundation
import Support
import Testing

/// A folder in which a sample provokes checks, and all findings that the runs of the sample reported.
///
/// Only one thread at a time uses a stage.
final class CheckStage: @unchecked Sendable {
  /// The word that stands for the folder in command lines and texts.
  static let site = "SITE"

  private static let currentFolder = FileManager.default.currentDirectoryPath

  let folder: TemporaryFolder
  /// The findings as text, by the ids of their checks.
  ///
  /// Each text is stored only once.
  private(set) var found: [String: [String]] = [:]
  /// The number of command lines that were run.
  private(set) var runs = 0
  /// Changes whose old text is no longer in the file.
  var stale: [String] = []

  init() throws { folder = try TemporaryFolder() }

  /// Runs a command line.
  ///
  /// The words of the command line are separated by spaces.
  @discardableResult
  func run(_ line: String, environment: [String: String] = [:]) -> packtool.ExitStatus {
    run(words: line.split(separator: " ").map(String.init), environment: environment)
  }

  @discardableResult
  func run(words: [String], environment: [String: String] = [:]) -> packtool.ExitStatus {
    let words = words.map { $0.replacing(Self.site, with: folder.path) }
    let hasThreads = RemovedFlag.named("--jobs", of: words.first ?? "") == nil
    let run = ToolRun(words + (hasThreads ? ["--jobs", "1"] : []), environment: environment)
    runs += 1
    for finding in run.all {
      let notes = finding.notes.map { note in
        "  " + Self.place(note.file, note.line, note.column) + note.message
      }
      let place = Self.place(finding.file, finding.line, finding.column)
      add([place + "\(finding.severity): \(finding.message)"] + notes, of: finding.id)
    }
    return run.status
  }

  /// Adds findings that no command line reports.
  func add(_ findings: [Diagnostic]) {
    for finding in findings {
      let position = finding.place.position
      let place = Self.place(finding.place.path, position?.line, position?.column)
      let notes = finding.notes.map { note in
        let position = note.place?.position
        return "  " + Self.place(note.place?.path, position?.line, position?.column) + note.message
      }
      add([place + "\(finding.severity): \(finding.message)"] + notes, of: finding.check.id)
    }
  }

  /// Adds a finding as text, as a run printed it.
  func add(text: String, of check: Check) { add([text], of: check.id) }

  private func add(_ lines: [String], of id: String) {
    var text = lines.joined(separator: "\n").replacingOccurrences(of: folder.path, with: Self.site)
      .replacingOccurrences(of: Self.currentFolder + "\"", with: "FOLDER\"")
    while let start = text.range(of: TemporaryFolder.prefix) {
      let end = text[start.upperBound...].firstIndex { !$0.isLetter && !$0.isNumber && $0 != "-" }
      text.replaceSubrange(start.lowerBound..<(end ?? text.endIndex), with: Self.site)
    }
    if found[id]?.contains(text) != true { found[id, default: []].append(text) }
  }

  private static func place(_ path: String?, _ line: Int?, _ column: Int?) -> String {
    guard let path, !path.isEmpty else { return "" }
    guard let line, let column else { return "\(path): " }
    return "\(path):\(line):\(column): "
  }
}
