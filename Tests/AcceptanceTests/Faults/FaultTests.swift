import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests that a build handles faults: each system call with which it changes files fails once.
///
/// Each fault occurs in a separate process.
@Suite(.enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
struct FaultTests {
  @Test(arguments: FaultSeries.all(of: FaultSite.Form.allCases))
  func `a call that fails leaves the old build or the new`(series: FaultSeries) throws {
    let form = series.form
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite.changed(form)
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    var version = FaultSite.Version.two
    #expect(calls.count > 30)
    series.tell(calls, of: "a build")
    for number in series.numbers(of: calls) {
      let fault = series.fault(atCall: number)
      try site.set(version.other)
      let (run, call) = try shim.run(program, site.arguments, in: site.folder.path, call: number + 1, fault)
      let context: Comment = "call \(number + 1): \(call)\n\(run.errors)"
      try expectFailure(of: run, call, fault)
      let isNext = form.isPublished(by: calls[..<number])
      try expectOneBuild(of: site, version, isNext: isNext, fault, context)
      if fault != .kill && !isNext {
        // The output folder is unchanged, so the result of another build would prove nothing.
        #expect(try site.leftovers() == form.leftovers, context)
        continue
      }
      let again = site.build()
      version = version.other
      #expect(again.status == .done, "\(context)\(again.errors)")
      #expect(try site.isBuild(of: version), context)
      #expect(try site.leftovers() == form.leftovers, context)
    }
  }

  /// After a fault before the last rename, the folder must contain the old build.
  ///
  /// After a later fault, it must contain the new build.
  private func expectOneBuild(
    of site: FaultSite, _ version: FaultSite.Version, isNext: Bool, _ fault: FaultShim.Fault,
    _ context: Comment
  ) throws {
    if isNext {
      #expect(try site.holdsBuild(of: version.other), context)
    } else if fault != .kill {
      #expect(try site.isBuild(of: version), context)
    } else if site.form.isInPlace {
      // Some renames may have happened, and no process is left that could undo them.
      #expect(try site.holdsOnlyWholeFiles(), context)
    } else {
      #expect(try site.holdsBuild(of: version), context)
    }
  }

  @Test(arguments: FaultSeries.all(of: [.zip, .patches] + FaultSite.Form.inPlace))
  func `a first build that fails leaves nothing that looks like one`(series: FaultSeries) throws {
    let form = series.form
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(form)
    try site.set(.one)
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    series.tell(calls, of: "a first build")
    for number in series.numbers(of: calls) {
      let fault = series.fault(atCall: number)
      try FileManager.default.removeItem(atPath: site.folder.path("out"))
      let (run, call) = try shim.run(program, site.arguments, in: site.folder.path, call: number + 1, fault)
      let context: Comment = "call \(number + 1): \(call)\n\(run.errors)"
      try expectFailure(of: run, call, fault)
      if form.isPublished(by: calls[..<number]) {
        #expect(try site.isBuild(of: .one), context)
      } else if fault == .kill {
        #expect(!FileManager.default.fileExists(atPath: site.folder.path("out/\(form.lastName)")), context)
        #expect(try site.holdsOnlyWholeFiles(), context)
      } else {
        #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")), context)
      }
      #expect(site.build().status == .done, context)
      #expect(try site.isBuild(of: .one), context)
    }
  }

  @Test(
    .disabled(if: isPortable, "POSIX has no call that exchanges files"),
    arguments: [FaultSite.Form.xcode, .hosted])
  func `where the file system cannot exchange packs are replaced all the same`(form: FaultSite.Form) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite.changed(form)
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    var version = FaultSite.Version.two
    let exchanges = calls.indices.filter { calls[$0].hasPrefix("renameat2") }
    #expect(exchanges.count == 3)
    for number in exchanges {
      version = version.other
      try site.set(version)
      let run = try shim.run(
        program, site.arguments, in: site.folder.path, call: number + 1, .unknownCall)
      #expect(run.result.status == 0, "\(run.call)\n\(run.result.errors)")
      #expect(try site.isBuild(of: version))
      #expect(try site.leftovers() == form.leftovers)
    }
  }

  @Test(arguments: [FaultSite.Form.zip, .patches, .folder] + FaultSite.Form.inPlace)
  func `the name of a new folder is on the disk before what is in it`(form: FaultSite.Form) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(form)
    let arguments = ["build", "-o", "some/where/out"] + site.arguments.dropFirst(3)
    let calls = try shim.calls(of: program, arguments, in: site.folder.path)
    let isFirst = calls.indices.first { form.isPublished(by: calls[...$0]) }
    let publication = try #require(isFirst)
    let synced = Set(calls[..<publication].filter { $0.hasPrefix("fsync ") }.map { $0.dropFirst(6) })
    for folder in [site.folder.path, site.folder.path("some"), site.folder.path("some/where")] {
      #expect(synced.contains(Substring(folder)))
    }
    // If folders existed before the build, their names are already on the disk.
    try site.set(.one)
    let again = try shim.calls(of: program, arguments, in: site.folder.path)
    #expect(!again.contains("fsync \(site.folder.path("some/where"))"))
  }

  @Test func `a folder that may not be read is no obstacle to a new one in it`() throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(.zip)
    try site.set(.one)
    let reads = FaultShim.Calls.reading(site.folder.path)
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path, reads)
    let opening = try #require(calls.firstIndex(of: "open \(site.folder.path("out/.."))"))
    try FileManager.default.removeItem(atPath: site.folder.path("out"))
    let run = try shim.run(program, site.arguments, in: site.folder.path, reads, call: opening + 1, .denied)
    #expect(run.result.status == 0, "\(run.result.errors)")
    #expect(try site.isBuild(of: .one))
  }

  /// Tests packs that need several writes.
  ///
  /// Each write is refused or fails.
  @Test func `a write that fails in the middle of a pack is named`() throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(.zip)
    for number in 1...3 { try site.folder.write("Assets/b/\(number)", try noise(800_000)) }
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    let undisturbed = try site.published()
    let writes = calls.indices.filter { number in
      calls[number].hasPrefix("pwrite") && calls[number].split(separator: "/").last.flatMap { Int($0) } != nil
    }
    #expect(writes.count > 4, "three packs, of which one takes several")
    for (number, fault) in writes.flatMap({ [($0, FaultShim.Fault.invalid), ($0, .inputOutput)] }) {
      try? FileManager.default.removeItem(atPath: site.folder.path("out"))
      let run = try shim.run(program, site.arguments, in: site.folder.path, call: number + 1, fault)
      if run.result.status == 0 {
        #expect(fault == .invalid)
        #expect(try site.published() == undisturbed)
      } else {
        try expectFailure(of: run.result, run.call, fault)
        #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")))
      }
    }
  }

  @Test func `a disk that fails in the middle of a large pack is named`() throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(.zip)
    try site.folder.write(
      "Assets/b/large.zip", Data((0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }))
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    let name = isPortable ? "fsync" : "sync_file_range"
    let early = try #require(calls.firstIndex { $0.hasPrefix(name) })
    try FileManager.default.removeItem(atPath: site.folder.path("out"))
    let run = try shim.run(program, site.arguments, in: site.folder.path, call: early + 1, .inputOutput)
    try expectFailure(of: run.result, run.call, .inputOutput)
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")))
  }
}

/// Expects exit status 3 and one message with the path and the reason.
///
/// A killed process prints nothing.
func expectFailure(
  of run: ProgramResult, _ call: String, _ fault: FaultShim.Fault, about output: String = "out"
) throws {
  let context: Comment = "\(call)\n\(run.errors)"
  if fault == .kill {
    #expect(run.status == 128 + SIGKILL, context)
    return
  }
  #expect(run.status == 3, context)
  let message = try #require(run.errors.split(separator: "\n").last, context)
  #expect(message.hasPrefix("packtool: error: cannot "), context)
  // A message about a full disk goes on with the space that is needed or free.
  #expect(
    message.hasSuffix(": \(fault.reason)") || message.contains(": \(fault.reason) in the folder ")
      || [.noSpace, .overQuota].contains(fault) && message.contains(": \(fault.reason); ")
        && message.hasSuffix("another disk"),
    context)
  // Except for standard output, which `run` sends to a file, the message contains the last component of the path
  // in quotes.
  if !(call.hasPrefix("write ") && call.hasSuffix(".output")) {
    #expect(message.contains("\"\(output)"), context)
  }
  #expect(run.errors.split(separator: "\n").count { $0.contains("error: ") } == 1, context)
}
