@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
@testable import packtool
import Foundation
import Support
import Testing

/// Tests builds that crash, have too little memory, or reach limits that the shell sets.
///
/// Each build runs in its own process.
@Suite(.noHang) struct CrashTests {
  private static let text = (0..<300_000).map { "\($0 &* 2_654_435_761 % 10_007) " }.joined()

  private func project(files: Int = 4) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest(
      [.path("a", "A")], app: "com.example.crashes", root: "Assets",
      members: #""appBundle": { "size": 1000000 }"#, #""compression": "best""#)
    for number in 0..<files { try folder.write("Assets/a/\(number)", "\(number)\(Self.text)") }
    return folder
  }

  /// Runs a build after some shell commands.
  private func build(_ folder: TemporaryFolder, behind shell: String, redirecting: String = "") throws
    -> ProgramResult
  {
    try run(
      "sh",
      ["-c", "\(shell); \"$@\" \(redirecting)", "sh", try packtoolProgram(), "build", "-o", "out", "-q"],
      in: folder.path)
  }

  /// Expects that the next build does not wait for a lock, and that it removes the leftovers of the previous
  /// build.
  private func expectNextBuild(in folder: TemporaryFolder, _ context: Comment) {
    let run = runTool("build", folder.path, "-o", folder.path("out"), "-q", "--no-wait")
    #expect(run.status == .done, context)
    let left = try? FileManager.default.contentsOfDirectory(atPath: folder.path("out/.packtool")).sorted()
    #expect(left == [".gitignore", "lock", "record"], context)
    #expect(runTool("verify", folder.path("out"), "--strict").status == .done, context)
  }

  @Test(arguments: [("SIGILL", SIGILL), ("SIGTRAP", SIGTRAP), ("SIGSEGV", SIGSEGV), ("SIGBUS", SIGBUS)])
  func `a crash ends a build at once and the next clears up`(name: String, number: Int32) throws {
    let folder = try project(files: 16)
    let build = [try packtoolProgram(), "build", folder.path, "-o", folder.path("out"), "-j", "1"]
    let process = try TestProcess("env", ["-u", "SWIFT_BACKTRACE"] + build, errors: folder.path("errors"))
    try blockUntil("the build writes") {
      !process.isRunning || FileManager.default.fileExists(atPath: folder.path("out/.packtool/staging/0"))
    }
    process.signal(number)
    #expect(process.waitForEnd() == .signal(number))
    #expect(try folder.read("errors").isEmpty)
    #expect(FileManager.default.fileExists(atPath: folder.path("out/.packtool/staging")))
    expectNextBuild(in: folder, "\(name)")
  }

  /// Memory limits in KiB, from just enough to load the program up to sufficient memory.
  private static let memoryLimits: Result<StrideTo<Int>, any Error> = Result {
    let program = try packtoolProgram()
    let least = try stride(from: 20_000, to: 200_000, by: 1_000).first { limit in
      try run("sh", ["-c", "ulimit -v \(limit); \"$0\" --version", program]).status == 0
    }
    let first = try #require(least)
    return stride(from: first, to: first + 60_000, by: 5_000)
  }

  @Test(.enabled(if: !isSanitized, "a sanitizer needs more memory than there is"))
  func `a build without memory ends with status 3 and leaves the old build`() throws {
    let folder = try project(files: 2)
    #expect(runTool("build", folder.path, "-o", folder.path("out"), "-q").status == .done)
    let old = try folder.files(below: "out").filter { !$0.key.hasPrefix(".packtool") }
    var failures = 0
    for limit in try Self.memoryLimits.get() {
      try folder.write("Assets/a/0", "\(limit)\(Self.text)")
      let result = try build(folder, behind: "unset SWIFT_BACKTRACE; ulimit -v \(limit)")
      #expect([0, 3].contains(result.status), "\(limit): \(result.status) \(result.errors)")
      if result.status == 3 {
        failures += 1
        // There may be messages of the Swift runtime before the last line.
        let last = result.errors.split(separator: "\n").last ?? ""
        #expect(last.hasPrefix("packtool: error: "), "\(limit): \(result.errors)")
        let left = try folder.files(below: "out").filter { !$0.key.hasPrefix(".packtool") }
        #expect(old.areAll { left[$0.key] == $0.value }, "\(limit)")
        #expect(runTool("verify", folder.path("out")).status == .done, "\(limit)")
      }
      expectNextBuild(in: folder, "\(limit)")
      try folder.write("Assets/a/0", "0\(Self.text)")
      expectNextBuild(in: folder, "\(limit)")
    }
    #expect(failures > 2)
  }

  /// The same test as for builds, but with commands that read a build.
  @Test(
    .enabled(if: !isSanitized, "a sanitizer needs more memory than there is"),
    arguments: [["verify", "out"], ["inspect", "out"], ["plan"], ["unpack", "out", "--all", "-o", "new"]])
  func `a reader without memory ends with status 3`(words: [String]) throws {
    let folder = try project(files: 2)
    #expect(runTool("build", folder.path, "-o", folder.path("out"), "-q").status == .done)
    let program = try packtoolProgram()
    func run(_ words: [String], _ limit: Int) throws -> ProgramResult {
      let shell = "unset SWIFT_BACKTRACE; ulimit -v \(limit); exec \"$@\""
      return try Support.run("sh", ["-c", shell, "sh", program] + words, in: folder.path)
    }
    for limit in try Self.memoryLimits.get() {
      try? FileManager.default.removeItem(atPath: folder.path("new"))
      let result = try run(words, limit)
      #expect([0, 3].contains(result.status), "\(limit): \(result.status) \(result.errors)")
      if result.status == 0 { continue }
      let last = result.errors.split(separator: "\n").last ?? ""
      #expect(last.hasPrefix("packtool: error: "), "\(limit): \(result.errors)")
      // Unpacked files get their names after all of them are complete. So no unpacked file remains, as after
      // a kill.
      let left = (try? folder.files(below: "new")) ?? [:]
      for (path, content) in left where !path.hasPrefix(".packtool-unpack/") {
        #expect(try content == folder.read("Assets/\(path)"), "\(limit)")
      }
    }
  }

  @Test(.enabled(if: !isThreadSanitized, "the thread sanitizer maps a file of its own beyond the limit"))
  func `a file above the limit of the shell is reported`() throws {
    let folder = try project()
    let result = try build(folder, behind: "ulimit -f 100")
    #expect(result.status == 3)
    #expect(
      result.errors
        == "packtool: error: cannot write \"out/.packtool/staging/0\": file too large: the file is larger than \"ulimit -f\" or the file system allows\n"
    )
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  @Test(.enabled(if: !isThreadSanitized, "the thread sanitizer maps a file of its own beyond the limit"))
  func `an unpacked file above the limit of the shell is reported`() throws {
    let folder = try project()
    #expect(try build(folder, behind: ":").status == 0)
    let result = try run(
      "sh",
      [
        "-c", "ulimit -f 100; \"$@\"", "sh", try packtoolProgram(), "unpack", "out", "--all", "-o", "new",
        "-q",
      ],
      in: folder.path)
    #expect(result.status == 3)
    #expect(
      result.errors.contains(
        ": file too large: the file is larger than \"ulimit -f\" or the file system allows\n"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test(arguments: [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
  func `closed streams are no files`(redirecting: String) throws {
    let folder = try project()
    let result = try run(
      "sh", ["-c", "\"$@\" \(redirecting)", "sh", try packtoolProgram(), "build", "-v", "-o", "out"],
      in: folder.path)
    #expect(result.status == 0)
    #expect(try folder.read("out/.packtool/lock").isEmpty)
    #expect(runTool("verify", folder.path("out"), "--strict").status == .done)
  }

  @Test(arguments: ["packtool", "xcode", "hosted", "background-assets"])
  func `rights do not depend on who builds`(
    layout: String
  ) throws {
    let folder = try project()
    let flags =
      layout == "packtool"
      ? ""
      : "--layout \(layout)"
        + (layout == "background-assets" ? "" : " --url-prefix https://example.com/")
    var listings: [String] = []
    for mask in ["022", "077"] {
      try? FileManager.default.removeItem(atPath: folder.path("out"))
      #expect(try build(folder, behind: "umask \(mask)", redirecting: flags).status == 0)
      let find =
        [
          "out", "-not", "-path", "out/.packtool*", "(", "-type", "f", "-o", "-path", "out/*/*", ")",
          "-printf", "%p %m\\n",
        ]
      listings.append(
        try run("find", find, in: folder.path).output.split(separator: "\n").sorted().joined(separator: "\n"))
    }
    #expect(listings[0] == listings[1])
    #expect(listings[0].contains(" 644"))
  }
}
