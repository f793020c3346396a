import Foundation
import Support
import Testing

@testable import packtool

/// Tests stores of the OnDemand library on a disk that is really full.
@Suite(.noHang, .enabled(if: MountNamespace.isPossible, "\(MountNamespace.hindrance)"))
struct FullStoreDiskTests {
  /// Downloads the packs of tags into a store on a small disk.
  ///
  /// Each tag is downloaded by a new process. `size` is the size of the disk in bytes. Returns the output of
  /// the last process and the files that remain in the folder.
  private func bring(_ tags: [String], onDiskOf size: Int) throws -> ProgramResult {
    let folder = try TemporaryFolder()
    try folder.writeManifest(
      [.path("A", "A"), .path("B", "B")], app: "com.example.full", root: "Assets")
    for (number, tag) in ["A", "B"].enumerated() {
      try folder.write("Assets/\(tag)", Sample.noise(3_000_000 + number))
    }
    let built = runTool("build", folder.path, "-o", folder.path("out"), "--compression", "store")
    #expect(built.status == .done, "\(built.errors)")
    let server = try RunningServer([folder.path("out"), "--port", "0"], in: folder)
    defer { server.end() }
    let commands = """
      mkdir disk && mount -t tmpfs -o size=$1 t disk
      driver=$2 url=$3; shift 3
      for tags in "$@"; do "$driver" disk/store "$url" update $tags > said; done
      cat said; ls disk/store/packs; echo partial; ls disk/store/partial
      """
    let words = ["\(size)", try builtProduct("OnDemandDriver"), server.url]
    return try MountNamespace.run(commands, words + tags, in: folder.path)
  }

  /// The files of a release are small, but they need some space, too.
  @Test func `an update on a full disk fails with its size, and the store stays`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("A", "A")], app: "com.example.full", root: "Assets")
    for version in ["old", "new"] {
      try folder.write("Assets/A", Data("the \(version) contents".utf8))
      let built = runTool("build", folder.path, "-o", folder.path(version))
      #expect(built.status == .done, "\(built.errors)")
    }
    let servers = try ["old", "new"].map { version in
      let place = try TemporaryFolder()
      return (place, try RunningServer([folder.path(version), "--port", "0"], in: place))
    }
    defer { for (_, server) in servers { server.end() } }
    let commands = """
      mkdir disk && mount -t tmpfs -o size=1000000 t disk
      "$1" disk/store "$2" update A && { cat /dev/zero > disk/other 2> /dev/null || true; }
      "$1" disk/store "$3" stage A
      """
    let words = [try builtProduct("OnDemandDriver")] + servers.map(\.1.url)
    let result = try MountNamespace.run(commands, words, in: folder.path)
    let failure = result.output.split(separator: "\n").first { $0.hasPrefix("error stage") } ?? ""
    let needed = failure.split(separator: " ").compactMap { Int($0) }
    #expect(failure.contains("there is no space for") && needed.allSatisfy { $0 > 0 }, "\(result.output)")
    #expect(result.output.split(separator: "\n").count { $0 == "begun A" } == 2, "\(result.output)")
  }

  /// A pack and its archive need 6 MB, so two packs never fit.
  @Test func `packs that nobody holds make room`() throws {
    let result = try bring(["A", "B", "A"], onDiskOf: 8_000_000)
    let lines = result.output.split(separator: "\n")
    #expect(result.status == 0 && lines.contains("begun A"), "\(result.output)\(result.errors)")
    #expect(
      !result.output.contains("error") && lines.count { $0.count == 32 } == 1, "\(result.output)")
  }

  @Test func `packs in use stay, and what does not fit fails with its size`() throws {
    let result = try bring(["A B"], onDiskOf: 8_000_000)
    let lines = result.output.split(separator: "\n")
    #expect(lines.contains("begun A"), "\(result.output)\(result.errors)")
    let failure = lines.first { $0.hasPrefix("error B") }
    #expect(failure?.contains("3000001") == true, "\(result.output)")
    // No part of the pack remains on the full disk.
    #expect(lines.count { $0.count == 32 } == 1, "\(result.output)")
    #expect(lines.last == "partial", "\(result.output)")
  }

  @Test func `a disk that is too small for one pack stays empty`() throws {
    let result = try bring(["A"], onDiskOf: 5_000_000)
    let lines = result.output.split(separator: "\n")
    #expect(
      lines.contains { $0.hasPrefix("error A") && $0.contains("3000000") }, "\(result.output)")
    #expect(lines.last == "partial" && !lines.contains { $0.count == 32 }, "\(result.output)")
  }
}
