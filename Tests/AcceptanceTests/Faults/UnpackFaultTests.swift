import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests that `unpack` handles faults: each system call with which it changes or reads files fails once.
@Suite(.enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
struct UnpackFaultTests {
  /// A build, the files in its packs, and the folder for the unpacked files.
  private struct Site {
    let site: FaultSite
    let arguments: [String]
    let files: [String: Data]

    init(_ form: FaultSite.Form, _ flags: String...) throws {
      site = try FaultSite(form)
      try site.set(.one)
      #expect(site.build().status == .done)
      arguments = ["unpack", "out", "--all", "-o", "new", "-j", "1"] + flags
      files = try site.folder.files(below: "Assets")
    }

    var folder: TemporaryFolder { site.folder }

    /// Returns the unpacked files, including files in hidden folders.
    func unpacked() throws -> [String: Data] {
      FileManager.default.fileExists(atPath: folder.path("new")) ? try folder.files(below: "new") : [:]
    }

    /// Removes the unpacked files.
    func clear() throws {
      if FileManager.default.fileExists(atPath: folder.path("new")) {
        try FileManager.default.removeItem(atPath: folder.path("new"))
      }
    }
  }

  @Test(arguments: FaultSeries.all(of: [.zip, .tarGzip, .tarZstandard, .folder]))
  func `a call that fails leaves whole files`(series: FaultSeries) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try Site(series.form)
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    #expect(calls.count > 20)
    series.tell(calls, of: "an unpack")
    // Files get their names after all packs have been verified.
    let naming = try #require(calls.firstIndex { $0.hasPrefix("mkdirat") && !$0.hasSuffix("unpack") })
    for number in series.numbers(of: calls) {
      let (call, fault) = (calls[number], series.fault(atCall: number))
      try site.clear()
      let run = try shim.run(program, site.arguments, in: site.folder.path, call: number + 1, fault).result
      let context: Comment = "call \(number + 1): \(call)\n\(run.errors)"
      try expectFailure(of: run, call, fault, about: "new")
      let left = try site.unpacked()
      let whole = left.filter { !$0.key.hasPrefix(".packtool-unpack/") }
      for (path, content) in whole { #expect(site.files[path] == content, context) }
      if fault != .kill { #expect(whole == left, context) }
      if number < naming {
        #expect(whole.isEmpty, context)
        if fault != .kill {
          #expect(!FileManager.default.fileExists(atPath: site.folder.path("new")), context)
        }
      }
      let again = runTool(
        "unpack", site.folder.path("out"), "--all", "-o", site.folder.path("new"), "--force")
      #expect(again.status == .done, "\(context)\(again.errors)")
      #expect(try site.unpacked() == site.files, context)
    }
  }

  @Test func `what is replaced is replaced whole`() throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try Site(.zip, "--force")
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    for (number, call) in calls.enumerated() {
      for path in site.files.keys { try site.folder.write("new/\(path)", "mine") }
      let run = try shim.run(
        program, site.arguments, in: site.folder.path, call: number + 1, .inputOutput
      ).result
      let context: Comment = "call \(number + 1): \(call)\n\(run.errors)"
      try expectFailure(of: run, call, .inputOutput, about: "new")
      let left = try site.unpacked()
      #expect(Set(left.keys) == Set(site.files.keys), context)
      for (path, content) in left {
        #expect(content == Data("mine".utf8) || content == site.files[path], context)
      }
    }
  }

  @Test(arguments: [FaultSite.Form.zip, .tarZstandard])
  func `a failed read is reported`(form: FaultSite.Form) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try Site(form)
    let reads = FaultShim.Calls.reading(site.folder.path)
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path, reads)
    for number in stride(from: 0, to: calls.count, by: sample(2, of: 1)) {
      try site.clear()
      let run = try shim.run(
        program, site.arguments, in: site.folder.path, reads, call: number + 1, .inputOutput)
      let context: Comment = "call \(number + 1): \(run.call)\n\(run.result.errors)"
      try expectFailureToRead(run.result, run.call, in: site.folder.path)
      for (path, content) in try site.unpacked() { #expect(site.files[path] == content, context) }
    }
  }

  @Test(arguments: [FaultSite.Form.zip, .tarGzip, .folder] + FaultSite.Form.inPlace)
  func `verify does not take a failing disk for damage`(form: FaultSite.Form) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(form)
    #expect(site.build().status == .done)
    let arguments = ["verify", "out", "-j", "1"]
    let reads = FaultShim.Calls.reading(site.folder.path)
    let calls = try shim.calls(of: program, arguments, in: site.folder.path, reads)
    // With one output format, every call is tested, and with every other output format, every third call; for a
    // push, half of them.
    for number in stride(from: 0, to: calls.count, by: (form == .zip ? 1 : 3) * sample(2, of: 1)) {
      let run = try shim.run(program, arguments, in: site.folder.path, reads, call: number + 1, .inputOutput)
      try expectFailureToRead(run.result, run.call, in: site.folder.path)
    }
  }
}
