import Foundation
import Support
import Testing
@testable import packtool

/// Tests runs of the program on a machine that lacks memory, descriptors or files in /proc.
@Suite struct ShortageTests {
  private func project(_ container: String = "zip") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      "Manifest.json",
      #"{"bundleIdentifier": "a.b", "container": "CONTAINER", "root": "Assets", "resources": [{"path": "a", "tags": ["A"]}, {"path": "b", "tags": ["B"]}]}"#
        .replacingOccurrences(of: "CONTAINER", with: container))
    for name in ["a/1", "b/1"] { try folder.write("Assets/\(name)", name) }
    return folder
  }

  /// If the machine has too few descriptors, packtool reports this, and does not report a shard as damaged.
  @Test(arguments: ["zip", "folder"]) func `merge with few descriptors`(container: String) throws {
    let folder = try project(container)
    let parts = ["1", "2"].map { folder.path("part\($0)") }
    for (number, part) in parts.enumerated() {
      let shard = "\(number + 1)/2"
      #expect(runTool("build", folder.path, "--shard", shard, "-o", part, "-q").status == .done)
    }
    for limit in 5...14 {
      let script = "ulimit -n \(limit); exec \"$@\""
      let words = [try packtoolProgram(), "merge"] + parts + ["-o", folder.path("out"), "--jobs", "1"]
      let result = try run("sh", ["-c", script, "sh"] + words, in: folder.path)
      #expect(result.status != 1, "\(limit): \(result.errors)")
    }
  }

  @Test(
    .enabled(if: MountNamespace.isPossible, "\(MountNamespace.hindrance)"),
    .disabled(if: isPortable, "Swift's own library reads /proc, and POSIX has no other way"))
  func `without proc the command line is read`() throws {
    let folder = try project()
    let result = try MountNamespace.run(
      "mount -t tmpfs t /proc; \"$1\" validate .; \"$1\" fmt Manifest.json", [try packtoolProgram()],
      in: folder.path)
    #expect(result.status == 0 && !result.errors.contains("usage:"), "\(result.errors)")
    // Without /proc, an unnamed file cannot get a name later. Therefore the new file has a temporary name
    // while it is written, and this name must not remain.
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["Assets", "Manifest.json"])
  }
}
