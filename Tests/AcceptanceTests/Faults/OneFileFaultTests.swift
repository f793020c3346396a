import Foundation
@testable import Model
@testable import Pipeline
@testable import System
@testable import packtool
import Support
import Testing

/// Tests commands that replace a single file, while system calls fail.
@Suite(.enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
struct OneFileFaultTests {
  private static let arguments = [
    "import", "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj", "-q", "--force", "-o", "out.json",
  ]

  @Test func `a file is on the disk before and after its rename`() throws {
    let shim = try #require(FaultShim.shared)
    let folder = try TemporaryFolder()
    let calls = try shim.calls(of: packtoolProgram(), Self.arguments, in: folder.path)
    let rename = try #require(calls.firstIndex { $0.hasPrefix("rename") })
    #expect(calls[..<rename].contains { $0.hasPrefix("fsync") }, "\(calls)")
    #expect(calls[rename...].contains { $0.hasPrefix("fsync") && !$0.contains(".packtool-") }, "\(calls)")
  }

  @Test(arguments: [FaultShim.Fault.kill, .inputOutput, .noSpace])
  func `a call that fails leaves the old file or the new`(fault: FaultShim.Fault) throws {
    let shim = try #require(FaultShim.shared)
    let folder = try TemporaryFolder()
    let calls = try shim.calls(of: packtoolProgram(), Self.arguments, in: folder.path)
    let new = try folder.read("out.json")
    for number in calls.indices {
      try folder.write("out.json", "old")
      let run = try shim.run(packtoolProgram(), Self.arguments, in: folder.path, call: number + 1, fault)
      let content = try folder.read("out.json")
      #expect(content == new || content == Data("old".utf8), "\(run.call)")
      if fault == .kill { continue }
      #expect(run.result.status == 3, "\(run.call)\n\(run.result.errors)")
      #expect(
        run.result.errors.contains("\"out.json\": ") || run.result.errors.contains("\".\": "),
        "\(run.result.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["out.json"], "\(run.call)")
    }
  }
}
