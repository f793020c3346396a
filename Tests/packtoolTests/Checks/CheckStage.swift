@testable import Formats
@testable import packtool
import Foundation
import Support
import Testing

/// A folder in which a sample provokes a check, and the texts of all findings of the check that its runs gave.
final class CheckStage {
  /// Stands for the folder in command lines and texts.
  static let site = "SITE"

  let check: Check
  let folder: TemporaryFolder
  private(set) var findings: [String] = []

  init(_ check: Check) throws {
    self.check = check
    folder = try TemporaryFolder()
  }

  /// Runs a command line, whose words stand between blanks.
  @discardableResult
  func run(_ line: String, environment: [String: String] = [:]) -> packtool.ExitStatus {
    run(words: line.split(separator: " ").map(String.init), environment: environment)
  }

  @discardableResult
  func run(words: [String], environment: [String: String] = [:]) -> packtool.ExitStatus {
    let words = words.map { $0.replacing(Self.site, with: folder.path) }
    let run = ToolRun(words + ["--jobs", "1"], environment: environment)
    for finding in run.findings(check.id) {
      let notes = finding.notes.map { note in
        "  " + Self.place(note.file, note.line, note.column) + note.message
      }
      let place = Self.place(finding.file, finding.line, finding.column)
      add([place + "\(finding.severity): \(finding.message)"] + notes)
    }
    return run.status
  }

  /// Adds findings that no command line gives.
  func add(_ found: [Diagnostic]) {
    for finding in found where finding.check == check {
      let position = finding.place.position
      let place = Self.place(finding.place.path, position?.line, position?.column)
      let notes = finding.notes.map { note in
        let position = note.place?.position
        return "  " + Self.place(note.place?.path, position?.line, position?.column) + note.message
      }
      add([place + "\(finding.severity): \(finding.message)"] + notes)
    }
  }

  /// Adds what a run printed.
  func add(text: String) { add([text]) }

  private func add(_ lines: [String]) {
    let text = lines.joined(separator: "\n")
      .replacing(folder.path, with: Self.site)
      .replacing(/\/tmp\/packtool-test-[A-Za-z0-9-]+/, with: Self.site)
    if !findings.contains(text) { findings.append(text) }
  }

  private static func place(_ path: String?, _ line: Int?, _ column: Int?) -> String {
    guard let path, !path.isEmpty else { return "" }
    guard let line, let column else { return "\(path): " }
    return "\(path):\(line):\(column): "
  }
}
