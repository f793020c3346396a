import Foundation
import Support
import Testing

import Model
import System
@testable import packtool

/// Tests that packtool reports each failure of the disk, whichever call it affects.
///
/// The acceptance tests also look at what is left in the output folder.
@Suite(
  .noHang, .enabled(if: FaultShim.shared != nil, "no C compiler here that makes the library of faults"))
struct DiskFaultTests {
  /// Runs packtool several times, and lets another call fail each time.
  ///
  /// `isTested` decides which calls fail. Before each run, the outputs of the previous run are removed. If the
  /// call fails before `last` gets its name, the first of the outputs must not exist after the run.
  private func expectFailures(
    of arguments: [String], into outputs: String..., last: String, in folder: TemporaryFolder,
    atLeast count: Int,
    where isTested: (String) -> Bool
  ) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let calls = try shim.calls(of: program, arguments, in: folder.path)
    var counts: [String: Int] = [:]
    let numbers = calls.indices.filter { number in
      let call = calls[number]
      guard isTested(call) else { return false }
      // Calls of one kind differ only in numbers and digests. Except in the nightly run, few of them fail.
      let kind = String(call.map { $0.isHexDigit ? "#" : $0 })
      counts[kind, default: 0] += 1
      return isWhole || counts[kind, default: 0] <= (isFlush(call) ? 2 : 1)
    }
    #expect(numbers.count >= count, "\(calls.joined(separator: "\n"))")
    for number in numbers {
      for output in outputs { try? FileManager.default.removeItem(atPath: folder.path(output)) }
      let run = try shim.run(program, arguments, in: folder.path, call: number + 1, .inputOutput)
      let comment: Comment = "call \(number + 1): \(run.call)\n\(run.result.errors)"
      #expect(run.result.status == packtool.ExitStatus.machineFailed.rawValue, comment)
      #expect(run.result.errors.contains(FaultShim.Fault.inputOutput.reason), comment)
      // No message names a folder with a slash at its end.
      #expect(!run.result.errors.contains("/\""), comment)
      let isPublished = calls[..<number].contains { $0.hasPrefix("rename") && $0.hasSuffix("/\(last)") }
      let isLeft = FileManager.default.fileExists(atPath: folder.path(outputs[0]))
      #expect(isPublished == isLeft, comment)
    }
    for output in outputs { try? FileManager.default.removeItem(atPath: folder.path(output)) }
  }

  private func isFlush(_ call: String) -> Bool {
    ["fsync ", "fdatasync ", "syncfs "].contains(where: call.hasPrefix)
  }

  /// Whether a call writes, names or removes a file.
  ///
  /// The other calls open files and set their attributes.
  private func isChange(_ call: String) -> Bool {
    let names = ["write ", "pwrite ", "mkdir ", "rename", "unlink", "rmdir "]
    return isWhole || isFlush(call) || names.contains(where: call.hasPrefix)
  }

  @Test(arguments: [FaultSite.Form.patches, .backgroundAssets])
  func `a build reports each failure`(form: FaultSite.Form) throws {
    let site = try FaultSite(form)
    try site.set(.one)
    let lockfile = form == .backgroundAssets ? ["--id-map", "ids.json"] : []
    try expectFailures(
      of: site.arguments + lockfile, into: "out", "ids.json", last: form.lastName, in: site.folder,
      atLeast: 15, where: isChange)
  }

  @Test(arguments: [FaultSite.Form.zip, .folder])
  func `a shard and a merge report each failure`(form: FaultSite.Form) throws {
    let site = try FaultSite(form)
    try site.set(.one)
    let arguments = ["build", "-o", "shard", "-j", "1", "--shard", "1/1"]
    try expectFailures(
      of: arguments, into: "shard", last: "shard.json", in: site.folder, atLeast: 4
    ) { isFlush($0) || form == .folder && $0.hasPrefix("mkdir ") }
    #expect(
      runTool("build", site.folder.path, "-o", site.folder.path("shard"), "--shard", "1/1").status == .done)
    try expectFailures(
      of: ["merge", "shard", "-o", "out", "-j", "1"], into: "out", last: "index.json", in: site.folder,
      atLeast: 6
    ) { form == .folder ? isChange($0) : isFlush($0) }
  }

  /// Runs packtool several times, and lets another call fail each time that reads the contents of a file.
  ///
  /// The first call that reads a file fails and, in the nightly run, each such call. A run without an
  /// error must have the same result as without a fault, because some contents are only compared.
  private func expectFailedReads(
    of arguments: [String], in folder: TemporaryFolder, atLeast count: Int, prepare: () throws -> Void = {},
    isSame: () throws -> Bool
  ) throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let reads = FaultShim.Calls.reading(folder.path)
    try prepare()
    let calls = try shim.calls(of: program, arguments, in: folder.path, reads)
    var kinds: Set<String> = []
    let numbers = calls.indices.filter { number in
      let call = calls[number]
      guard call.hasPrefix("pread ") || call.hasPrefix("read "), isWhole || !call.contains("/Assets/") else {
        return false
      }
      // The name of a file without a name is its inode.
      return kinds.insert(String(call.prefix { $0 != "#" })).inserted || isWhole
    }
    #expect(kinds.count >= count, "\(calls.joined(separator: "\n"))")
    for number in numbers {
      try prepare()
      let run = try shim.run(program, arguments, in: folder.path, reads, call: number + 1, .inputOutput)
      let comment: Comment = "call \(number + 1): \(run.call)\n\(run.result.output)\n\(run.result.errors)"
      if run.result.status == 0 {
        let isUnchanged = try isSame()
        #expect(isUnchanged, comment)
      } else {
        #expect(run.result.status == packtool.ExitStatus.machineFailed.rawValue, comment)
        #expect(run.result.errors.contains(FaultShim.Fault.inputOutput.reason), comment)
      }
    }
  }

  @Test func `patches and their verification report each failed read`() throws {
    let site = try FaultSite(.patches)
    try site.set(.one)
    try expectFailedReads(
      of: site.arguments, in: site.folder, atLeast: 6,
      prepare: { try FileOperations.remove(site.folder.path("out")) },
      isSame: { try site.isBuild(of: .one) })
    try FileOperations.remove(site.folder.path("out"))
    #expect(site.build().status == .done)
    try expectFailedReads(
      of: ["verify", "out", "--patch-from", "old", "-j", "1"], in: site.folder, atLeast: 6,
      isSame: { false })
  }

  /// The files of packs are as before, but newer, so the build only writes its cache again.
  @Test func `a build that only renews its cache reports each failure`() throws {
    let shim = try #require(FaultShim.shared)
    let program = try packtoolProgram()
    let site = try FaultSite(.zip)
    func prepare() throws {
      try site.set(.one)
      #expect(site.build().status == .done)
      try site.set(.one)
    }
    try prepare()
    let calls = try shim.calls(of: program, site.arguments, in: site.folder.path)
    #expect(!calls.contains { $0.hasSuffix(".zip") }, "\(calls.joined(separator: "\n"))")
    let numbers = calls.indices.filter { number in
      let call = calls[number]
      let isRemoval = ["rmdir ", "unlink"].contains(where: call.hasPrefix) && call.hasSuffix("/staging")
      return isFlush(call) || call.hasPrefix("rename") || isRemoval
    }
    #expect(numbers.contains { calls[$0].hasSuffix("/staging") }, "\(calls.joined(separator: "\n"))")
    for number in numbers {
      try prepare()
      let run = try shim.run(program, site.arguments, in: site.folder.path, call: number + 1, .inputOutput)
      let comment: Comment = "call \(number + 1): \(run.call)\n\(run.result.errors)"
      #expect(run.result.status == packtool.ExitStatus.machineFailed.rawValue, comment)
      #expect(run.result.errors.contains(FaultShim.Fault.inputOutput.reason), comment)
      #expect(try site.isBuild(of: .one), comment)
    }
  }
}
