import Foundation
import Support
@testable import System
import Testing
@testable import packtool

/// Tests that findings are shown before packing if they are known by then, and that they are shown only once.
@Suite struct EarlyFindingTests {
  /// Records, for each write to standard error, whether the index already existed.
  private final class Watch: Terminal {
    private let lines = Monitor<[(text: String, isBuilt: Bool)]>([])
    private let index: String

    init(index: String) {
      self.index = index
    }

    var errors: [(text: String, isBuilt: Bool)] { lines.change { $0 } }

    func write(_ text: String, to stream: StandardStream) throws(SystemError) {
      let isBuilt = FileManager.default.fileExists(atPath: index)
      if stream == .error { lines.change { $0.append((text, isBuilt)) } }
    }

    func write(_ bytes: ByteBuffer, to stream: StandardStream) throws(SystemError) {}
    func isScreen(_ stream: StandardStream) -> Bool { false }
    func width(of stream: StandardStream) -> Int? { nil }
  }

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("x", "T")], members: #""exclude": ["*.psd"]"#)
    try folder.write("x/a", "text")
    return folder
  }

  @Test func `a warning comes before the packs`() throws {
    let folder = try folder()
    let watch = Watch(index: folder.path("out/index.json"))
    #expect(
      Tool.run(["build", folder.path, "-o", folder.path("out")], environment: [:], terminal: watch) == .done)
    let said = watch.errors.filter { $0.text.reports("unused-exclude") }
    #expect(said.count == 1 && said.first?.isBuilt == false)
    #expect(
      watch.errors.last?.text.hasPrefix("packtool: 0 errors, ") == true
        && watch.errors.last?.isBuilt == true)
  }

  @Test func `documents have it once`() throws {
    let folder = try folder()
    let run = runTool("build", folder.path, "-o", folder.path("out"), "--diagnostics", "json")
    #expect(run.errors.components(separatedBy: "\"unused-exclude\"").count == 2)
    #expect(run.errors.hasPrefix("{"))
    // Nothing is packed in the second run, so all findings are shown at the end.
    let again = runTool("build", folder.path, "-o", folder.path("out"))
    #expect(again.errors.components(separatedBy: "[unused-exclude]").count == 2)
  }
}
