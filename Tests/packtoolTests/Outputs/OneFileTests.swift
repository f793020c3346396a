import Foundation
@testable import Model
@testable import Pipeline
@testable import System
@testable import packtool
import Support
import Testing

/// Tests commands that write a single file: `import -o` and `--depfile`.
@Suite struct OneFileTests {
  private static let project = "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj"

  private func manifest() throws -> String {
    let run = runTool("import", Self.project, "-q")
    #expect(run.status == .done)
    return run.output
  }

  private func importing(to output: String) -> [String] {
    ["import", Self.project, "-q", "--force", "-o", output]
  }

  @Test func `a dash is standard output`() throws {
    let folder = try TemporaryFolder()
    #expect(try runTool(words: importing(to: "-")).output == manifest())
    try folder.writeManifest([.path("a", "A")])
    try folder.write("a", "")
    let run = runTool("build", folder.path, "-o", folder.path("out"), "-q", "--depfile", "-")
    #expect(run.output.hasPrefix("\(folder.path)/out/index.json: \\\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "Manifest.json", "a", "out",
      ])
  }

  @Test(arguments: [["report", "-o"], ["tags", "--swift"]]) func `inputs are not replaced`(words: [String])
    throws
  {
    let folder = try TemporaryFolder()
    let manifest = #"{"bundleIdentifier": "a.b", "resources": [{"path": "a", "tags": ["A"]}]}"#
    try folder.write("a", "a")
    try folder.write("Manifest.json", manifest)
    for input in [folder.path, folder.path("Manifest.json")] {
      let run = runTool(words: [words[0], input, words[1], folder.path("Manifest.json")])
      #expect(
        run.status == .usage && run.errors.refuses(naming: folder.path("Manifest.json")), "\(run.errors)")
    }
    #expect(try folder.read("Manifest.json") == Data(manifest.utf8))
  }

  @Test(.enabled(if: MountNamespace.isPossible, "\(MountNamespace.hindrance)"))
  func `device files such as dev null are written to and not replaced`() throws {
    let folder = try TemporaryFolder(on: .disk)
    try folder.write("p/a", "a")
    try folder.writeManifest([.path("a", "A")], to: "p/Manifest.json")
    let commands = """
      mount -t tmpfs t /dev; mknod -m 666 /dev/null c 1 3; ln -s /proc/self/fd /dev/fd; ln -s /proc/self/fd/1 /dev/stdout
      "$@" -o /dev/null; test -c /dev/null
      "$@" -o /dev/stdout; test -L /dev/stdout
      "$1" build p -o p/out -q --depfile /dev/null; test -c /dev/null
      (echo before; "$@" -o /dev/stdout; echo behind) > file; head -n 1 file; tail -n 1 file
      """
    let run = try MountNamespace.run(
      commands, [try packtoolProgram(), "import", Self.project, "-q"], in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.output == manifest() + "before\nbehind\n")
    #expect(try folder.files().filter { !$0.key.hasPrefix("p/") }.count == 1)
  }

  @Test func `a FIFO is written to and stays`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("fifo")
    #expect(mkfifo(path, 0o644) == 0)
    let result = try run(
      "sh", ["-c", "\"$@\" & cat fifo; wait $!", "sh", try packtoolProgram()] + importing(to: "fifo"),
      in: folder.path)
    #expect(try result.status == 0 && result.output == manifest())
    #expect(try FileOperations.status(of: path, symlinks: .notFollowed).kind == .fifo)
  }

  @Test func `the file that a link leads to is written`() throws {
    let folder = try TemporaryFolder()
    try folder.write("real/file", "old")
    #expect(chmod(folder.path("real/file"), 0o640) == 0)
    try folder.link("link", to: "second")
    try folder.link("second", to: "real/file")
    try folder.link("dangling", to: "real/new")
    for link in ["link", "dangling"] {
      #expect(runTool(words: importing(to: folder.path(link))).status == .done)
      #expect(try FileOperations.status(of: folder.path(link), symlinks: .notFollowed).kind == .link)
    }
    #expect(try folder.read("real/file").starts(with: Data("{\n  \"$schema\"".utf8)))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("real")).sorted() == ["file", "new"])
    let mode =
      try FileManager.default.attributesOfItem(atPath: folder.path("real/file"))[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test func `a name may be as long as names can be`() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "n", count: 255)
    #expect(runTool(words: importing(to: folder.path(name))).status == .done)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
  }

  @Test func `several imports to one file at once all end well`() throws {
    let folder = try TemporaryFolder()
    let failed = Monitor<[String]>([])
    let rounds = sample(8, of: 40)
    for round in 0..<rounds {
      onThreads(8) { _ in
        let run = runTool(words: importing(to: folder.path("\(round).json")))
        if run.status != .done { failed.change { $0.append(run.errors) } }
      }
    }
    #expect(failed.change { $0 } == [])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == rounds)
  }
}
