import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests folders that cannot be written to, or only for a short time, and source files that change during a
/// build.
@Suite struct PlaceTests {
  private func project(noise: Int = 0) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A")], app: "com.example.places", root: "Assets")
    try folder.write("Assets/a/1", "one")
    if noise > 0 { try folder.write("Assets/a/noise", try AcceptanceTests.noise(noise)) }
    return folder
  }

  /// A file system in memory with a fixed size.
  ///
  /// It is unmounted when the test releases this object.
  private final class SmallDisk {
    let path: String

    init(in folder: TemporaryFolder, options: String) throws {
      path = folder.path("disk")
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try run("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path])
    }

    deinit { _ = try? run("umount", ["-l", path]) }

    /// Whether this process is permitted to mount file systems.
    ///
    /// Root is permitted, but not in every container.
    static let isPossible: Bool = {
      guard geteuid() == 0, let folder = try? TemporaryFolder() else { return false }
      guard let result = try? run("mount", ["-t", "tmpfs", "tmpfs", folder.path]) else { return false }
      if result.status == 0 { _ = try? run("umount", [folder.path]) }
      return result.status == 0
    }()
  }

  @Test(
    .enabled(if: SmallDisk.isPossible, "only root may mount a small disk"),
    arguments: ["zip", "folder", "tar.zst"])
  func `a full disk leaves the old build`(container: String) throws {
    let folder = try project()
    let manifest = String(decoding: try folder.read("Manifest.json"), as: UTF8.self)
    try folder.write(
      "Manifest.json",
      manifest.replacingOccurrences(of: "\"root\"", with: "\"container\": \"\(container)\", \"root\""))
    let disk = try SmallDisk(in: folder, options: "size=1m")
    #expect(runTool("build", folder.path, "-o", "\(disk.path)/out").status == .done)
    let before = try folder.files(below: "disk/out")
    try folder.write("Assets/a/noise", try noise(2_000_000))
    let full = runTool("build", folder.path, "-o", "\(disk.path)/out")
    #expect(full.status == .machineFailed)
    #expect(full.errors.contains("error: cannot write \"\(disk.path)/out/.packtool/staging/0"))
    #expect(full.errors.contains(": no space left on device; "))
    // The message says how much the build has to write, and how much fits.
    #expect(full.errors.contains("2,000,0") && full.errors.contains(" free; "), "\(full.errors)")
    #expect(try folder.files(below: "disk/out") == before)
    #expect(runTool("verify", "\(disk.path)/out", "--strict").status == .done)
    try folder.write("Assets/a/noise", "little")
    #expect(runTool("build", folder.path, "-o", "\(disk.path)/out").status == .done)
    #expect(runTool("verify", "\(disk.path)/out", "--strict").status == .done)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root may mount a small disk"))
  func `a disk without free inodes is reported`() throws {
    let folder = try project()
    let disk = try SmallDisk(in: folder, options: "nr_inodes=6")
    let run = runTool("build", folder.path, "-o", "\(disk.path)/out")
    #expect(run.status == .machineFailed)
    #expect(run.errors.contains("no space left on device"))
    #expect(!FileManager.default.fileExists(atPath: "\(disk.path)/out"))
  }

  @Test(.enabled(if: SmallDisk.isPossible, "only root may mount a read-only disk"))
  func `a read-only disk is reported and not changed`() throws {
    let folder = try project()
    let disk = try SmallDisk(in: folder, options: "size=1m")
    #expect(runTool("build", folder.path, "-o", "\(disk.path)/out").status == .done)
    try folder.write("Assets/a/1", "changed")
    #expect(try Support.run("mount", ["-o", "remount,ro", disk.path]).status == 0)
    for output in ["out", "new"] {
      let run = runTool("build", folder.path, "-o", "\(disk.path)/\(output)")
      #expect(run.status == .machineFailed)
      #expect(run.errors.contains("\"\(disk.path)/\(output)"))
      #expect(run.errors.contains(": read-only file system"), "\(run.errors)")
    }
    #expect(runTool("verify", "\(disk.path)/out", "--strict").status == .done)
  }

  @Test(
    .enabled(if: FileManager.default.isWritableFile(atPath: "/dev/shm"), "there is no other file system here")
  )
  func `an output on another file system is like any other`() throws {
    let folder = try project()
    let other = TemporaryFolder.parent == "/tmp" ? "/dev/shm" : "/tmp"
    let output = "\(other)/packtool-test-\(UUID())"
    defer { try? FileManager.default.removeItem(atPath: output) }
    for content in ["one", "two"] {
      try folder.write("Assets/a/1", content)
      #expect(runTool("build", folder.path, "-o", output).status == .done)
      #expect(runTool("verify", output, "--strict").status == .done)
    }
  }

  @Test func `a source folder that vanishes during a build is reported`() throws {
    let folder = try project(noise: 30_000_000)
    let process = try TestProcess(
      packtoolProgram(), ["build", folder.path, "-o", folder.path("out"), "-j", "1"],
      errors: folder.path("errors"))
    try blockUntil("the build writes") {
      !process.isRunning || FileManager.default.fileExists(atPath: folder.path("out/.packtool/staging/0"))
    }
    try FileManager.default.removeItem(atPath: folder.path("Assets/a"))
    #expect(process.waitForEnd() == .status(1))
    #expect(String(decoding: try folder.read("errors"), as: UTF8.self).reports("file-changed"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }
}

/// Bytes that do not compress.
func noise(_ count: Int) throws -> Data {
  let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/urandom"))
  return try #require(try file.read(upToCount: count))
}
