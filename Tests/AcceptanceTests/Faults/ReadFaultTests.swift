@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests that a build handles faults: each system call with which it reads files fails once.
///
/// In another test, all calls process fewer bytes than requested.
@Suite(.enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
struct ReadFaultTests {
  @Test(arguments: FaultSite.Form.allCases)
  func `a failed read is reported or changes nothing`(form: FaultSite.Form) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite.changed(form)
    let reads = FaultShim.Calls.reading(site.folder.path)
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path, reads)
    var version = FaultSite.Version.two
    #expect(calls.count > 100)
    // With one output format, every call is tested, and with every other output format, every seventh call; for a
    // push, half of them.
    for number in stride(from: 0, to: calls.count, by: (form == .zip ? 1 : 7) * sample(2, of: 1)) {
      try site.set(version.other)
      let run: (result: ProgramResult, call: String)
      do {
        run = try shim.run(
          program, site.arguments, in: site.folder.path, reads, call: number + 1, .inputOutput)
      } catch  where form == .backgroundAssets && error is FaultShimFailure {
        // This program has fewer calls. The reason is that the times of linked files decide which files are
        // compared.
        break
      }
      let context: Comment = "call \(number + 1): \(run.call)\n\(run.result.errors)"
      if run.result.status == 0 {
        // Some calls only save work, or read a file only for a comparison, so their failure has no effect.
        // For example, a file that cannot be cloned is copied. The manifest has already been read; here, it
        // is only compared with the files that outputs would replace.
        let isCompared = run.call.hasPrefix("lstat ") && run.call.hasSuffix("/Manifest.json")
        #expect(run.call.contains("/out/") || isCompared || form == .backgroundAssets, context)
        #expect(try site.isBuild(of: version.other), context)
      } else {
        try expectFailureToRead(run.result, run.call, in: site.folder.path)
        if try site.isBuild(of: version) && site.leftovers() == form.leftovers { continue }
        #expect(try site.holdsBuild(of: version.other), context)
      }
      version = version.other
      #expect(site.build().status == .done, context)
      #expect(try site.isBuild(of: version), context)
    }
  }

  @Test func `a file of the users that may not be read is a finding`() throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(.zip)
    try site.set(.one)
    let reads = FaultShim.Calls.reading(site.folder.path("Assets/"))
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path, reads)
    let opening = calls.indices.filter { calls[$0].hasPrefix("open") && !calls[$0].hasSuffix("/.") }
    #expect(opening.count > 5)
    for number in opening {
      try FileManager.default.removeItem(atPath: site.folder.path("out"))
      let run = try shim.run(program, site.arguments, in: site.folder.path, reads, call: number + 1, .denied)
      let context: Comment = "\(run.call)\n\(run.result.errors)"
      #expect(run.result.status == 1, context)
      // If the folder of a file cannot be opened, the message contains the path of the file.
      let name = run.call.dropFirst("open \(site.folder.path)/".count)
      #expect(
        run.result.errors.hasPrefix("\(name): error: ") || run.result.errors.hasPrefix("\(name)/"), context)
      #expect(run.result.errors.reports("unreadable-file"), context)
      #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")), context)
      #expect(site.build().status == .done)
    }
  }

  @Test func `a project that cannot be read is reported`() throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(packageFolder)/Examples/Xcode", toPath: folder.path("project"))
    let arguments = ["build", "project/Lanterns.xcodeproj", "--layout", "xcode", "-o", "out", "-j", "1"]
    let reads = FaultShim.Calls.reading(folder.path("project/"))
    let calls = try shim.calls(of: program, arguments, in: folder.path, reads)
    let whole = try folder.files(below: "out/OnDemandResources")
    for number in stride(from: 0, to: calls.count, by: sample(7, of: 3)) {
      try? FileManager.default.removeItem(atPath: folder.path("out"))
      let run = try shim.run(program, arguments, in: folder.path, reads, call: number + 1, .inputOutput)
      if run.result.status == 0 {
        // If the spelling of rules is not corrected, this does not affect the result.
        #expect(try folder.files(below: "out/OnDemandResources") == whole, "\(run.call)")
      } else {
        try expectFailureToRead(run.result, run.call, in: folder.path)
        #expect(!FileManager.default.fileExists(atPath: folder.path("out")), "\(run.call)")
      }
    }
  }

  @Test(arguments: FaultSite.Form.allCases, FaultShim.Weather.allCases)
  func `short and interrupted calls change nothing`(form: FaultSite.Form, weather: FaultShim.Weather) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(form)
    // All parts of packtool that work in blocks need several blocks for this text.
    let text = (0..<400_000).map { "\($0 &* 2_654_435_761 % 10_007) " }.joined()
    try site.folder.write("Assets/b/large", text)
    usleep(60_000)
    try site.set(.one)
    #expect(site.build(into: "undisturbed", "--no-cache").status == .done)
    func expectSame(_ flags: String...) throws {
      let run = try shim.run(program, site.arguments + flags, in: site.folder.path, weather)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try site.published() == site.published("undisturbed"))
    }
    try expectSame()
    try expectSame("--no-cache")
    try site.set(.two)
    #expect(site.build(into: "undisturbed").status == .done)
    try expectSame()
    #expect(try site.leftovers() == form.leftovers)
    let verified = try shim.run(program, ["verify", "out"], in: site.folder.path, weather)
    #expect(verified.status == 0, "\(verified.errors)")
    if form.isInPlace { return }
    let unpacked = try shim.run(
      program, ["unpack", "out", "--all", "-o", "new"], in: site.folder.path, weather)
    #expect(unpacked.status == 0, "\(unpacked.errors)")
    #expect(try site.folder.files(below: "new") == site.folder.files(below: "Assets"))
  }
}

/// Expects exit status 3, and a message with the path of the file that could not be read or with the purpose
/// of reading it.
func expectFailureToRead(_ run: ProgramResult, _ call: String, in place: String) throws {
  let context: Comment = "\(call)\n\(run.errors)"
  #expect(run.status == 3, context)
  let message = try #require(run.errors.split(separator: "\n").last, context)
  #expect(message.hasPrefix("packtool: error: cannot "), context)
  #expect(message.hasSuffix(": \(FaultShim.Fault.inputOutput.reason)"), context)
  let named = try #require(message.split(separator: "\"").dropFirst().first, context)
  // The characters that the kernel adds to the path of a file without a name.
  let gone = " (deleted)"
  var subject = call.drop { $0 != "/" }.dropLast(call.hasSuffix(gone) ? gone.count : 0)
  // A new file has no name at first, so its path in /proc consists of its folder and its inode.
  if let slash = subject.lastIndex(of: "/"), subject[slash...].hasPrefix("/#") { subject = subject[..<slash] }
  let path = named.hasPrefix("/") ? String(named) : "\(place)/\(named)"
  #expect(subject == path || subject.hasPrefix("\(path)/") || path.hasPrefix("\(subject)/"), context)
}
