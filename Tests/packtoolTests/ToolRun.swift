import Foundation
import Support
import Testing
@testable import packtool

/// A run of packtool, with its findings in the form in which programs read them.
struct ToolRun {
  struct Finding: Decodable {
    struct Note: Decodable {
      let message: String
      let file: String?
      let line: Int?
      let column: Int?
    }

    let id: String
    let severity: String
    let message: String
    /// The file; empty if the finding has no file.
    let file: String
    let line: Int?
    let column: Int?
    let notes: [Note]

    private enum Key: CodingKey { case id, severity, message, file, line, column, notes }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      id = try values.decode(String.self, forKey: .id)
      severity = try values.decode(String.self, forKey: .severity)
      message = try values.decode(String.self, forKey: .message)
      file = try values.decodeIfPresent(String.self, forKey: .file) ?? ""
      line = try values.decodeIfPresent(Int.self, forKey: .line)
      column = try values.decodeIfPresent(Int.self, forKey: .column)
      notes = try values.decodeIfPresent([Note].self, forKey: .notes) ?? []
    }
  }

  let status: packtool.ExitStatus
  let all: [Finding]

  init(_ words: [String], environment: [String: String] = [:]) {
    let run = runTool(words: words + ["--diagnostics", "json"], environment: environment)
    status = run.status
    struct Document: Decodable { let diagnostics: [Finding] }
    all = (try? JSONDecoder().decode(Document.self, from: Data(run.errors.utf8)))?.diagnostics ?? []
  }

  func findings(_ check: String) -> [Finding] { all.filter { $0.id == check } }
}
