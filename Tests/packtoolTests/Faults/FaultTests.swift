import Foundation
import Support
import Testing

@testable import packtool

/// Every system call by which a build changes files fails once, in a process of its own.
@Suite(.enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
struct FaultTests {
  private static let arguments = ["build", "-o", "out", "-j", "1"]

  @Test(arguments: ["zip", "folder"], FaultShim.Fault.allCases)
  func aCallThatFailsLeavesTheOldBuildOrTheNew(container: String, fault: FaultShim.Fault) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(container: container)
    var version = FaultSite.Version.one
    try site.set(version)
    #expect(site.build().status == .done)
    try site.set(version.other)
    let calls = try shim.calls(of: program, Self.arguments, in: site.folder.path)
    version = version.other
    #expect(calls.count > 30)
    for (number, call) in calls.enumerated() {
      try site.set(version.other)
      let run = try shim.run(program, Self.arguments, in: site.folder.path, call: number + 1, fault)
      let context: Comment = "call \(number + 1): \(call)\n\(run.errors)"
      try expectFailure(of: run, call, fault)
      // All calls in front of the index's rename come before the new build, and all behind it after.
      let isPublished = calls[..<number].contains { $0.hasPrefix("rename") && $0.hasSuffix("index.json") }
      #expect(try site.holdsBuild(of: isPublished ? version.other : version), context)
      if fault != .kill && !isPublished { #expect(try site.isBuild(of: version), context) }
      let again = site.build()
      version = version.other
      #expect(again.status == .done, "\(context)\(again.errors)")
      #expect(try site.isBuild(of: version), context)
      #expect(try site.leftovers() == ["lock", "record"], context)
    }
  }

  @Test(arguments: FaultShim.Fault.allCases)
  func aFirstBuildThatFailsLeavesNothingThatLooksLikeOne(fault: FaultShim.Fault) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(container: "zip")
    try site.set(.one)
    let calls = try shim.calls(of: program, Self.arguments, in: site.folder.path)
    for (number, call) in calls.enumerated() {
      try FileManager.default.removeItem(atPath: site.folder.path("out"))
      let run = try shim.run(program, Self.arguments, in: site.folder.path, call: number + 1, fault)
      let context: Comment = "call \(number + 1): \(call)\n\(run.errors)"
      try expectFailure(of: run, call, fault)
      let isPublished = calls[..<number].contains { $0.hasPrefix("rename") && $0.hasSuffix("index.json") }
      if isPublished {
        #expect(try site.isBuild(of: .one), context)
      } else if fault == .kill {
        #expect(!FileManager.default.fileExists(atPath: site.folder.path("out/index.json")), context)
      } else {
        #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")), context)
      }
      #expect(site.build().status == .done, context)
      #expect(try site.isBuild(of: .one), context)
    }
  }

  @Test func aDiskThatFailsInTheMiddleOfALargePackIsNamed() throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(container: "zip")
    try site.folder.write(
      "Assets/b/large.zip", Data((0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }))
    let calls = try shim.calls(of: program, Self.arguments, in: site.folder.path)
    let early = try #require(calls.firstIndex { $0.hasPrefix("sync_file_range") })
    try FileManager.default.removeItem(atPath: site.folder.path("out"))
    let run = try shim.run(program, Self.arguments, in: site.folder.path, call: early + 1, .inputOutput)
    try expectFailure(of: run, calls[early], .inputOutput)
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")))
  }

  /// Exit status 3 and one message with the path and the reason; a kill tells nothing.
  private func expectFailure(of run: ProgramResult, _ call: String, _ fault: FaultShim.Fault) throws {
    let context: Comment = "\(call)\n\(run.errors)"
    if fault == .kill {
      #expect(run.status == 9, context)
      return
    }
    #expect(run.status == 3, context)
    let message = try #require(run.errors.split(separator: "\n").last, context)
    #expect(message.hasPrefix("packtool: error: cannot "), context)
    #expect(message.hasSuffix(": \(fault.reason)"), context)
    // The last part of the name stands in the message, in quotes, but for standard output's own.
    if !call.hasPrefix("write") { #expect(message.contains("\"out"), context) }
    #expect(run.errors.split(separator: "\n").count { $0.contains("error: ") } == 1, context)
  }
}
