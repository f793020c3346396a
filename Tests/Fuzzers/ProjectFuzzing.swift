@testable import Formats
@testable import Model
@testable import Pipeline
@testable import Play
@testable import System

/// The plan of a small project.
///
/// A trace or the code of an app is compared with it.
struct ProjectFuzzing {
  private let plan: PackPlan

  init() throws {
    let folder = "\(ScratchFile.folder)/plan"
    for name in ["Level 1/a", "Level 2/b", "Menu/c", "d"] {
      _ = try ScratchFile(Array(name.utf8), named: "plan/\(name)")
    }
    _ = try ScratchFile(Array(Self.manifest.utf8), named: "plan/Manifest.json")
    var request = Preparation.Request(argument: folder, jobs: 1)
    request.listsUntagged = true
    guard let plan = try Preparation(request).plan else { fatalError("the project has no plan") }
    self.plan = plan
  }

  /// Reads the input as a trace of the files that an app loads.
  func compare(trace input: [UInt8]) throws {
    let file = try ScratchFile(input, named: "trace.txt")
    _ = try LoadedScenes(tracesAt: [file.path], in: plan, sceneMarks: [], jobs: 1)
    try FileOperations.remove(file.path)
  }

  /// Reads the input as a file of code.
  ///
  /// The first byte selects the language.
  func compare(code input: [UInt8]) throws {
    guard let first = input.first else { return }
    let languages = CodeLanguage.allCases
    let name = "code/file.\(languages[Int(first) % languages.count].rawValue)"
    let file = try ScratchFile(Array(input.dropFirst()), named: name)
    _ = try CodeSearch(for: plan, in: [folderPath(of: file.path)], pattern: nil)
    try FileOperations.remove(file.path)
  }

  private static let manifest = """
    {"bundleIdentifier": "com.example.fuzz", "resources": [
      {"path": "Level 1", "tags": ["Level 1"]}, {"path": "Level 2", "tags": ["Level 2", "Both"]},
      {"path": "Menu", "tags": ["Menu", "Both"]}]}
    """
}
