import Foundation
import Support
import Testing

@testable import packtool

/// Tests power failures at each moment of a build, a merge and an unpacking.
///
/// Bytes that were not flushed are lost.
@Suite(
  .enabled(if: FaultShim.shared != nil, "no C compiler here that makes the recorder"),
  .noHang)
struct PowerCutTests {
  /// If a build that replaces an older build is interrupted, one of the two builds remains.
  ///
  /// After the build has ended, the new build remains.
  @Test(arguments: FaultSite.Form.allCases)
  func `a power cut during a build leaves the old build or the new one`(form: FaultSite.Form) throws {
    let site = try FaultSite.changed(form)
    let disk = try record(site.arguments, in: site.folder)
    let states = disk.states(isWhole: isWhole)
    #expect(states.count > 20)
    for state in states {
      try state.write("/out", to: site.folder.path("out"))
      let context: Comment = "\(state.events) of \(disk.eventCount) events"
      if state.events == disk.eventCount {
        #expect(try site.holdsBuild(of: .two), context)
      } else if form.isInPlace {
        #expect(try site.holdsOnlyWholeFiles(), context)
      } else {
        #expect(try site.holdsBuild(of: .one) || site.holdsBuild(of: .two), context)
      }
    }
    // The next build repairs every state.
    for state in sample(5, of: states) {
      try state.write("/out", to: site.folder.path("out"))
      let again = site.build()
      #expect(again.status == .done, "\(again.errors)")
      #expect(try site.isBuild(of: .two), "\(state.events) of \(disk.eventCount) events")
    }
  }

  @Test(arguments: FaultSite.Form.allCases)
  func `a power cut during a first build leaves no index without its files`(form: FaultSite.Form) throws {
    let site = try FaultSite(form)
    try site.set(.one)
    let disk = try record(site.arguments, in: site.folder)
    for state in disk.states(isWhole: isWhole) {
      try state.write("/out", to: site.folder.path("out"))
      let context: Comment = "\(state.events) of \(disk.eventCount) events"
      let isPublished = FileManager.default.fileExists(atPath: site.folder.path("out/\(form.lastName)"))
      if isPublished || state.events == disk.eventCount {
        #expect(try site.holdsBuild(of: .one), context)
      }
    }
  }

  @Test func `a power cut during a merge leaves the old build or the new one`() throws {
    let site = try FaultSite.changed(.zip)
    for shard in 1...2 {
      let run = runTool(
        "build", site.folder.path, "-o", site.folder.path("shard\(shard)"), "--shard", "\(shard)/2")
      #expect(run.status == .done, "\(run.errors)")
    }
    let disk = try record(["merge", "shard1", "shard2", "-o", "out", "-j", "1"], in: site.folder)
    for state in disk.states(isWhole: isWhole) {
      try state.write("/out", to: site.folder.path("out"))
      let context: Comment = "\(state.events) of \(disk.eventCount) events"
      let isNew = try site.holdsBuild(of: .two)
      #expect(try isNew || (state.events < disk.eventCount && site.holdsBuild(of: .one)), context)
    }
  }

  /// `ba-package` does not flush its archives, so packtool flushes each archive before renaming it.
  @Test func `a power cut leaves whole archives of packs or none`() throws {
    let site = try FaultSite.changed(.backgroundAssets)
    try site.folder.writeProgram("bin/ba-package", "#!/bin/sh\necho archive > \"$3\"\n")
    let disk = try RecordedDisk(
      packtoolProgram(), site.arguments + ["--package"], below: site.folder.path, store: TemporaryFolder(),
      environment: ["PATH": "\(site.folder.path("bin")):/usr/bin:/bin"])
    var most = 0
    for state in disk.states(isWhole: isWhole) {
      try state.write("/out", to: site.folder.path("out"))
      let found = try files(below: "out/archives", in: site.folder)
      let context: Comment = "\(state.events) of \(disk.eventCount) events"
      #expect(found.values.allSatisfy { $0 == Data("archive\n".utf8) }, context)
      most = max(most, found.count)
    }
    #expect(most == 3)
  }

  @Test(.disabled(if: isPortable, "POSIX has no call that writes one file system to its disk"))
  func `a power cut during an unpack leaves whole files or none`() throws {
    let site = try FaultSite.changed(.zip)
    #expect(site.build().status == .done)
    let disk = try record(["unpack", "out", "--all", "-o", "new", "-j", "1"], in: site.folder)
    let whole = try site.folder.files(below: "new")
    #expect(!whole.isEmpty)
    for state in disk.states(isWhole: isWhole) {
      try state.write("/new", to: site.folder.path("new"))
      let found = try files(below: "new", in: site.folder)
      #expect(found.allSatisfy { whole[$0.key] == $0.value }, "\(state.events) of \(disk.eventCount) events")
      if state.events == disk.eventCount { #expect(found == whole) }
    }
  }

  private func record(_ arguments: [String], in folder: TemporaryFolder) throws -> RecordedDisk {
    try RecordedDisk(packtoolProgram(), arguments, below: folder.path, store: TemporaryFolder())
  }

  /// Returns the files with final names, except files that the program would remove in its next run.
  private func files(below name: String, in folder: TemporaryFolder) throws -> [String: Data] {
    guard FileManager.default.fileExists(atPath: folder.path(name)) else { return [:] }
    return try folder.files(below: name).filter { !$0.key.hasPrefix(".") }
  }
}
