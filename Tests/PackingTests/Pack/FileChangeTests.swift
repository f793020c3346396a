@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests files that change after the scan and before they are packed.
@Suite(.noHang) struct FileChangeTests {
  /// A possible change to a file.
  enum Change: String, CaseIterable {
    case otherContent, sameSizeAndTime, shorter, longer, empty, gone, folder, fifo, danglingLink, loop

    func happen(to path: String) throws {
      let files = FileManager.default
      let content = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
      let time = try FileOperations.status(of: path, symlinks: .notFollowed).modified
      // The test keeps the old file, so that its inode is not used for the new file.
      try FileOperations.rename(path, to: path + ".old")
      switch self {
      case .otherContent: try write(content.reversed(), to: path)
      case .sameSizeAndTime:
        // Like some editors, the test writes a new file and renames it. With the same size and time, only the
        // identity of the file differs.
        try write(content.reversed(), to: path + ".new")
        var times = [timespec](repeating: timespec(), count: 2)
        times[1] = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
        utimensat(AT_FDCWD, path + ".new", times, 0)
        try FileOperations.rename(path + ".new", to: path)
      case .shorter: try write(content.dropLast(), to: path)
      case .longer: try write(content + [1], to: path)
      case .empty: try write([], to: path)
      case .gone: break
      case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .fifo: mkfifo(path, 0o644)
      case .danglingLink: try files.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
      case .loop: try files.createSymbolicLink(atPath: path, withDestinationPath: path)
      }
    }

    private func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
      #expect(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
    }
  }

  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "B")]

  private func makeSite() throws -> ScanSite {
    let site = try ScanSite("a/1", "a/2", "b/3")
    try site.write("a/large", Sample.text(2_500_000))
    return site
  }

  /// Returns whether there is exactly one finding for each of these files, and whether it reports that the
  /// file changed.
  private func areChanges(_ findings: [Diagnostic], of files: String..., in site: ScanSite) -> Bool {
    findings.map(\.facts) == files.map { "error [file-changed] \"\($0)\"" }
      && findings.map(\.place) == files.map { Place(site.folder.path("Assets/\($0)")) }
  }

  @Test(arguments: sample(2, of: Container.allCases), Change.allCases)
  func `a changed file is reported, and nothing is published`(container: Container, change: Change) throws {
    let site = try makeSite()
    let outcome = try site.build(Self.rules, .test(container)) {
      try change.happen(to: site.folder.path("Assets/a/2"))
    }
    #expect(outcome.release == nil)
    #expect(areChanges(outcome.findings, of: "a/2", in: site), "\(outcome.findings)")
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")))
  }

  @Test(arguments: Container.allCases, [1, 4])
  func `a changed large file is reported once`(container: Container, jobs: Int) throws {
    let site = try makeSite()
    let outcome = try site.build(Self.rules, .test(container), jobs: jobs) {
      try Change.shorter.happen(to: site.folder.path("Assets/a/large"))
    }
    #expect(outcome.release == nil)
    #expect(areChanges(outcome.findings, of: "a/large", in: site), "\(outcome.findings)")
  }

  /// Bytes that were read and hashed, but then discarded, are not counted as hashed.
  @Test(arguments: [Container.tarGzip, .tarZstandard])
  func `a changed file in a tar counts as not hashed`(container: Container) throws {
    let site = try ScanSite()
    try site.write("a/1", "12345")
    try site.write("a/2", "abc")
    let outcome = try site.build([.path("a", "A")], .test(container), jobs: 1) {
      try Change.otherContent.happen(to: site.folder.path("Assets/a/2"))
    }
    #expect(areChanges(outcome.findings, of: "a/2", in: site), "\(outcome.findings)")
    #expect(outcome.reads.hashed == 5)
  }

  @Test(arguments: [Container.zip, .folder])
  func `every changed file is reported`(container: Container) throws {
    let site = try makeSite()
    let outcome = try site.build(Self.rules, .test(container)) {
      for file in ["a/1", "a/large", "b/3"] { try Change.gone.happen(to: site.folder.path("Assets/\(file)")) }
    }
    let ordered = outcome.findings.ordered(manifest: "")
    #expect(areChanges(ordered, of: "a/1", "a/large", "b/3", in: site), "\(ordered)")
  }

  @Test(arguments: Container.allCases)
  func `the build before stays as it was`(container: Container) throws {
    let site = try makeSite()
    try site.build(Self.rules, .test(container))
    let before = try site.published()
    try site.write("a/1", "other")
    try site.write("b/3", "other, too")
    let outcome = try site.build(Self.rules, .test(container)) {
      try Change.longer.happen(to: site.folder.path("Assets/b/3"))
    }
    #expect(outcome.release == nil)
    #expect(areChanges(outcome.findings, of: "b/3", in: site), "\(outcome.findings)")
    #expect(try site.published() == before)
  }

  @Test(.enabled(if: canBeNobody))
  func `a file that becomes unreadable during a build is reported`() throws {
    let site = try makeSite()
    _ = try site.manifest(Self.rules)
    let request = site.request(jobs: 1)
    let outcome = try asNobody(in: site) {
      try request.run(afterCheck: { try takeRights(from: site.folder.path("Assets/a/2")) })
    }
    #expect(outcome.release == nil)
    #expect(outcome.findings.map(\.check) == [.unreadableFile])
    let command = "chmod a+r \(site.folder.path("Assets/a/2"))"
    #expect(outcome.findings.map(\.namedValues) == ["\"a/2\" \"\(command)\""])
  }

  /// The build runs in a separate process that can write only 1 MB per file.
  ///
  /// The build must end; no thread may wait forever.
  @Test(.mostlyWaits, arguments: Container.allCases)
  func `a disk that is full ends the build with an error`(container: Container) async throws {
    let site = try ScanSite()
    try site.write("a/noise", Sample.noise(9_000_000))
    _ = try site.manifest([.path("a", "A")], container: container)
    let path = site.folder.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 1_000_000, rlim_max: 1_000_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      var request = BuildRequest(
        Preparation.Request(argument: path, jobs: 4), output: "\(path)/out", entryTime: 1_000_000_000)
      request.compression = .default
      let build = request
      let error = #expect(throws: SystemError.self) { try build.run(Policy()) }
      #expect(error?.code == EFBIG)
    }
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("out/index.json")))
  }

  /// A build finds these changes while it packs the files.
  ///
  /// So the inspection of contents, which runs earlier, does not report them.
  @Test(arguments: Change.allCases) func `a look into files that changed is no failure`(change: Change) throws
  {
    let site = try makeSite()
    _ = try site.manifest(Self.rules)
    let prepared = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 2))
    try change.happen(to: site.folder.path("Assets/a/large"))
    #expect(try prepared.contentFindings(jobs: 2).isEmpty)
  }
}
