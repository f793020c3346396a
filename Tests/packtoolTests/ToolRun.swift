import Foundation
import Support
import Testing
@testable import packtool

/// A run of the tool with its findings as programs read them.
struct ToolRun {
  struct Finding: Decodable {
    let id: String
    let severity: String
    let message: String
    let file: String
    let line: Int?
  }

  let status: packtool.ExitStatus
  let all: [Finding]

  init(_ words: [String]) {
    let run = runTool(words: words + ["--diagnostics", "json"])
    status = run.status
    struct Document: Decodable { let diagnostics: [Finding] }
    all = (try? JSONDecoder().decode(Document.self, from: Data(run.errors.utf8)))?.diagnostics ?? []
  }

  func findings(_ check: String) -> [Finding] { all.filter { $0.id == check } }
}
