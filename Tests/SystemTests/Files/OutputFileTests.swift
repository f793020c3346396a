import Foundation
import Support
@testable import System
import Testing

@Suite struct OutputFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Sizes near the number of bytes that are collected for one write.
  private static let sizes = [
    0, 1, 100, 5000, 262_143, 262_144, 262_145, 700_000, 1_048_575, 1_048_576, 1_048_577, 2_500_000,
  ]

  @Test func `a file without a byte`() throws {
    let written = try OutputFile(creating: folder.path("file")).finish()
    #expect(written == WrittenFile(size: 0, digest: sha256([])))
    #expect(try folder.bytes(of: "file") == [])
  }

  @Test(arguments: sample(5, of: sizes), sample(5, of: sizes))
  func `two writes stand one behind the other`(_ first: Int, _ second: Int) throws {
    let bytes = Content.random.bytes(first + second)
    for use in OutputFile.Use.allCases {
      var file = try OutputFile(creating: folder.path("\(use)"), nextRead: use)
      try file.write(Array(bytes[..<first]))
      #expect(file.size == Int64(first))
      try file.write(Array(bytes[first...]))
      #expect(file.size == Int64(first + second))
      #expect(try file.finish() == WrittenFile(size: Int64(bytes.count), digest: sha256(bytes)))
      #expect(try folder.bytes(of: "\(use)") == bytes)
    }
  }

  @Test(arguments: OutputFile.Use.allCases, 0..<UInt64(sample(10, of: 40)))
  func `the digest is that of the file after any writes, pauses and patches`(
    use: OutputFile.Use, seed: UInt64
  ) throws {
    var random = SeededRandom(seed: seed)
    var file = try OutputFile(creating: folder.path("file"), nextRead: use)
    var expected: [UInt8] = []
    var pausedAt: Int?
    for _ in 0..<Int.random(in: 1...14, using: &random) {
      switch Int.random(in: 0...5, using: &random) {
      case 0, 1:
        let bytes = random.bytes(Self.sizes.randomElement(using: &random)!)
        try file.write(bytes)
        expected += bytes
      case 2:
        // If the digest is already paused, another pause has no effect.
        file.pauseDigest()
        pausedAt = pausedAt ?? expected.count
      case 3:
        try file.resumeDigest()
        pausedAt = nil
      default:
        guard let start = pausedAt, start < expected.count else { continue }
        let offset = Int.random(in: start..<expected.count, using: &random)
        let patch = random.bytes(Int.random(in: 0...min(expected.count - offset, 1000), using: &random))
        expected.replaceSubrange(offset..<offset + patch.count, with: patch)
        try file.patch(patch.span.bytes, at: Int64(offset))
      }
      #expect(file.size == Int64(expected.count))
    }
    #expect(try file.finish() == WrittenFile(size: Int64(expected.count), digest: sha256(expected)))
    #expect(try folder.bytes(of: "file") == expected)
  }

  @Test func `a patch reaches bytes that are not on the disk yet`() throws {
    var file = try OutputFile(creating: folder.path("file"))
    file.pauseDigest()
    try file.write([1, 2, 3, 4])
    try file.patch(([9, 9] as [UInt8]).span.bytes, at: 1)
    try file.write([5])
    #expect(try file.finish() == WrittenFile(size: 5, digest: sha256([1, 9, 9, 4, 5])))
    #expect(try folder.bytes(of: "file") == [1, 9, 9, 4, 5])
  }

  @Test(arguments: [0, 315_532_800, 1_700_000_001, 5_000_000_000] as [Int64])
  func `a file gets a time`(seconds: Int64) throws {
    var file = try OutputFile(creating: folder.path("file"))
    try file.write([1])
    _ = try file.finish(modifiedSeconds: seconds)
    let status = try FileOperations.status(of: folder.path("file"), symlinks: .notFollowed)
    #expect(status.modified == seconds * 1_000_000_000)
  }

  @Test func `everyone may read a new file, its owner may write it`() throws {
    _ = try OutputFile(creating: folder.path("file")).finish()
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("file"))[.posixPermissions]
    #expect((mode as? NSNumber)?.intValue == 0o644)
  }

  @Test(arguments: ["file", "link", "dangling", "folder"])
  func `what is there is neither written over nor followed`(name: String) throws {
    try folder.write("file", "mine")
    try folder.link("link", to: "file")
    try folder.link("dangling", to: "nowhere")
    try folder.write("folder/x", "")
    #expect(throws: SystemError(during: "create", path: folder.path(name), code: EEXIST)) {
      _ = try OutputFile(creating: folder.path(name))
    }
    #expect(try folder.read("file") == Data("mine".utf8))
    #expect(!FileManager.default.fileExists(atPath: folder.path("nowhere")))
  }

  @Test func `a missing folder is reported`() throws {
    #expect(throws: SystemError(during: "create", path: folder.path("no/file"), code: ENOENT)) {
      _ = try OutputFile(creating: folder.path("no/file"))
    }
  }

  /// Runs in a separate process, whose files cannot grow beyond 100,000 bytes.
  @Test(.mostlyWaits) func `a write that fails is an error that names the file`() async throws {
    let path = folder.path("file")
    await #expect(processExitsWith: .success) { [path = path as String] in
      limitFileSize(to: 100_000)
      var file = try OutputFile(creating: path)
      try file.write(Content.zeros.bytes(50_000))
      #expect(throws: SystemError(during: "write", path: path, code: EFBIG)) {
        try file.write(Content.zeros.bytes(400_000))
      }
      var small = try OutputFile(creating: path + "2")
      try small.write(Content.zeros.bytes(200_000))
      do throws(SystemError) {
        _ = try small.finish()
        Issue.record("what was gathered does not fit either")
      } catch {
        #expect(error == SystemError(during: "write", path: path + "2", code: EFBIG))
      }
    }
  }

  /// Runs in a separate process, whose files cannot grow beyond 2,500,000 bytes.
  @Test(.mostlyWaits, arguments: [2_600_000, 4_000_000, 20_000_000])
  func `a failed write of a large file is reported, at the end at the latest`(size: Int) async throws {
    let path = folder.path("file")
    await #expect(processExitsWith: .success) { [path = path as String, size = size as Int] in
      limitFileSize(to: 2_500_000)
      var file = try OutputFile(creating: path, nextRead: .later)
      do throws(SystemError) {
        for _ in 0..<size / 100_000 { try file.write(Content.random.bytes(100_000)) }
        _ = try file.finish()
        Issue.record("so much does not fit")
      } catch {
        #expect(error == SystemError(during: "write", path: path, code: EFBIG))
      }
    }
  }
}
