import Foundation
import Support
import Testing

@testable import packtool

/// Tests a disk that finds names in any case and Unicode normalization, like Apple's disks.
@Suite(.enabled(if: FoldingDisk.isPossible, "only root may mount a disk, with python3-fusepy"))
struct FoldingDiskTests {
  private func disk(_ rules: String, _ files: String...) throws -> FoldingDisk {
    let disk = try FoldingDisk()
    for file in files { try disk.write("Assets/\(file)", "content of \(file)") }
    try disk.write(
      "Manifest.json",
      "{\"bundleIdentifier\": \"com.example.game\", \"root\": \"Assets\", \"resources\": [\(rules)]}")
    return disk
  }

  @Test(arguments: [
    [], ["--layout", "xcode", "--url-prefix", "https://example.com/"],
    ["--layout", "hosted", "--url-prefix", "https://example.com/"],
    ["--layout", "background-assets"],
  ])
  func `builds are whole and follow renames of case`(layout: [String]) throws {
    // If tags differ only in case, the names of their packs also differ only in case.
    let disk = try disk(
      """
      {"path": "a", "tags": ["Level"]}, {"path": "b", "tags": ["level"]}, {"path": "c", "tags": ["B\u{FC}hne"]}
      """, "a/1", "b/x", "b/y", "c/\u{E4}")
    func build(_ output: String) -> String {
      let run = runTool(words: ["build", disk.path, "-o", "\(disk.path)/\(output)"] + layout)
      #expect(run.status == .done, "\(run.errors)")
      return run.output
    }
    _ = build("out")
    #expect(runTool("verify", "\(disk.path)/out").status == .done)
    #expect(build("OUT").contains("is up to date"))
    #expect(rename("\(disk.path)/Assets/b/x", "\(disk.path)/Assets/b/X") == 0)
    #expect(!build("out").contains("is up to date"))
    #expect(runTool("verify", "\(disk.path)/out").status == .done)
    let folder = layout.isEmpty ? "out" : "out/.packtool"
    let lists = try FileManager.default.contentsOfDirectory(atPath: "\(disk.path)/\(folder)")
    let list = try #require(lists.first { $0.hasPrefix("contents.") })
    let contents = try String(contentsOfFile: "\(disk.path)/\(folder)/\(list)", encoding: .utf8)
    #expect(contents.contains("\"b/X\"") && !contents.contains("\"b/x\""))
  }

  @Test func `a finding about a rule in another spelling uses the name on the disk`() throws {
    let disk = try disk(
      #"{"path": "CASTLE", "tags": ["A"]}, {"path": "castle/a\u0308", "tags": ["B"]}"#, "castle/\u{E4}")
    let run = runTool("validate", disk.path)
    #expect(run.errors.hasFacts(#""CASTLE" "castle""#))
    #expect(run.errors.hasFacts("\"castle/\u{E4}\""))
  }

  @Test func `unpacking never makes one file of two`() throws {
    let folder = try TemporaryFolder()
    for file in ["d/x", "D/X"] { try folder.write("Assets/\(file)", "content of \(file)") }
    try folder.writeManifest([.path("d", "A"), .path("D", "B")], root: "Assets")
    #expect(runTool("build", folder.path, "-o", folder.path("out")).status == .done)
    let disk = try FoldingDisk()
    let run = runTool("unpack", folder.path("out"), "--all", "-o", "\(disk.path)/new")
    #expect(run.status == .machineFailed && run.errors.hasSuffix(": file exists\n"), "\(run.errors)")
    #expect(runTool("unpack", folder.path("out"), "--tag", "A", "-o", "\(disk.path)/a").status == .done)
    #expect(try String(contentsOfFile: "\(disk.path)/A/D/X", encoding: .utf8) == "content of d/x")
  }
}

/// A folder mounted with `Tests/Faults/folding`.
///
/// It is unmounted when the test releases this object.
private final class FoldingDisk {
  private let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("disk")
    for name in ["backing", "disk"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    let mounted = try run("\(packageFolder)/Tests/Faults/folding", [folder.path("backing"), path])
    guard mounted.status == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  deinit { _ = try? run("umount", ["-l", path]) }

  func write(_ name: String, _ text: String) throws { try folder.write("disk/\(name)", text) }

  static let isPossible = (try? FoldingDisk()) != nil
}
