@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
@testable import packtool
import Foundation
import Support
import Testing

/// Tests builds that are ended by signals, and builds that run in one folder at the same time.
///
/// Each build runs in its own process.
@Suite(.mostlyWaits) struct SignalTests {
  private static let text = (0..<300_000).map { "\($0 &* 2_654_435_761 % 10_007) " }.joined()

  /// A project whose build takes long enough to be interrupted.
  private func project(_ container: String = "zip") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest(
      [.path("a", "A"), .path("b", "B")], app: "com.example.signals", root: "Assets",
      members: #""appBundle": { "size": 1000000 }"#, #""compression": "best""#,
      #""container": "\#(container)""#)
    try folder.write("Assets/a", "small")
    for number in 0..<2 { try folder.write("Assets/b/\(number)", "\(number)\(Self.text)") }
    return folder
  }

  /// Starts a build.
  ///
  /// `shell` contains commands that a shell runs before it executes the build.
  private func start(
    _ folder: TemporaryFolder, _ flags: String..., errors: String, shell: String = ":"
  ) throws -> TestProcess {
    let build = [try packtoolProgram(), "build", folder.path, "-o", folder.path("out"), "-j", "1"] + flags
    // Some programs start others with blocked signals.
    return try TestProcess(
      "/bin/sh", ["-c", "\(shell); exec \"$@\"", "sh"] + build, errors: folder.path(errors),
      blockedSignals: [SIGINT, SIGTERM, SIGHUP])
  }

  private func said(_ errors: String, in folder: TemporaryFolder) throws -> String {
    String(decoding: try folder.read(errors), as: UTF8.self)
  }

  /// Waits until the build has begun to write packs.
  private func waitForPacks(in folder: TemporaryFolder) throws {
    try blockUntil("the build writes") {
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path("out/.packtool/staging"))
      return names?.isEmpty == false
    }
  }

  @Test(
    arguments: [("SIGINT", SIGINT, "zip"), ("SIGTERM", SIGTERM, "tar.gz"), ("SIGHUP", SIGHUP, "folder")]
      + [("SIGINT", SIGINT, "tar.zst")])
  func `a signal ends a build within a second`(name: String, number: Int32, container: String) throws {
    let folder = try project(container)
    let process = try start(folder, errors: "errors")
    try waitForPacks(in: folder)
    let start = ContinuousClock.now
    process.signal(number)
    let ending = process.waitForEnd()
    #expect(ContinuousClock.now - start < .seconds(isAlone ? 1 : 30))
    #expect(ending == .signal(number))
    let folderName = folder.path("out")
    #expect(
      try said("errors", in: folder)
        == "packtool: interrupted by \(name); temporary files were removed, and \"\(folderName)\" is unchanged\n"
    )
    #expect(!FileManager.default.fileExists(atPath: folderName))
  }

  @Test func `what is ignored from the start stays ignored`() throws {
    let folder = try project()
    // In practice, nohup makes a process ignore one of these two signals, and a shell makes background
    // processes ignore the other signal.
    let process = try start(folder, errors: "errors", shell: "trap '' HUP INT")
    try waitForPacks(in: folder)
    process.signal(SIGHUP)
    process.signal(SIGINT)
    #expect(process.waitForEnd() == .status(0))
    #expect(runTool("verify", folder.path("out")).status == .done)
  }

  /// Returns the description of the build that has locked the folder.
  ///
  /// On POSIX systems, no call returns the process that holds a lock.
  private func name(of build: TestProcess) -> String {
    isPortable ? "another build" : "another build (process \(build.id))"
  }

  @Test func `a second build waits for the first`() throws {
    let folder = try project()
    let first = try start(folder, errors: "first")
    try waitForPacks(in: folder)
    let second = try start(folder, errors: "second")
    #expect(second.waitForEnd() == .status(0))
    #expect(first.waitForEnd() == .status(0))
    let message =
      "packtool: waiting for \(name(of: first)) that is writing to \"\(folder.path("out"))\"\n"
    #expect(try said("second", in: folder).hasPrefix(message))
    #expect(try !said("first", in: folder).contains("waiting"))
    #expect(runTool("verify", folder.path("out")).status == .done)
  }

  @Test func `a signal ends the waiting`() throws {
    let folder = try project()
    let first = try start(folder, errors: "first")
    try waitForPacks(in: folder)
    let second = try start(folder, errors: "second")
    try blockUntil("it says that it waits") { try !second.isRunning || !said("second", in: folder).isEmpty }
    second.signal(SIGINT)
    #expect(second.waitForEnd() == .signal(SIGINT))
    #expect(try said("second", in: folder).hasSuffix("packtool: interrupted by SIGINT\n"))
    #expect(first.waitForEnd() == .status(0))
    #expect(runTool("verify", folder.path("out"), "--strict").status == .done)
  }

  @Test func `a second build fails where it may not wait`() throws {
    let folder = try project()
    let first = try start(folder, errors: "first")
    try waitForPacks(in: folder)
    let second = try start(folder, "--no-wait", errors: "second")
    #expect(second.waitForEnd() == .status(3))
    #expect(try said("second", in: folder).contains("error: \(name(of: first)) is"))
    #expect(first.waitForEnd() == .status(0))
    #expect(runTool("verify", folder.path("out")).status == .done)
  }

  @Test func `the lock of a dead process is no obstacle`() throws {
    let folder = try project()
    let first = try start(folder, errors: "first")
    try waitForPacks(in: folder)
    first.signal(SIGKILL)
    first.waitForEnd()
    #expect(FileManager.default.fileExists(atPath: folder.path("out/.packtool/lock")))
    let second = runTool("build", folder.path, "-o", folder.path("out"), "--no-wait")
    #expect(second.status == .done)
    #expect(!second.errors.contains("waiting"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out/.packtool/staging")))
    #expect(runTool("verify", folder.path("out"), "--strict").status == .done)
  }

  @Test func `ten builds at once end well`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A")], app: "com.example.ten", root: "Assets")
    for number in 0..<20 { try folder.write("Assets/a/\(number)", "file \(number)") }
    let builds = try (0..<10).map { number in
      // The compression differs, so some builds find packs of earlier builds but must write other packs.
      try start(folder, "--compression", number % 2 == 0 ? "store" : "best", errors: "errors\(number)")
    }
    #expect(builds.map { $0.waitForEnd() } == Array(repeating: .status(0), count: 10))
    #expect(runTool("verify", folder.path("out"), "--strict").status == .done)
  }
}
