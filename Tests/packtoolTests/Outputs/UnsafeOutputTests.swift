import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests output folders that contain files that packtool did not make.
@Suite struct UnsafeOutputTests {
  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("a", "A")], to: "p/Manifest.json", app: "com.example.x", root: "Assets")
    try folder.write("p/Assets/a/1", "one")
    for name in ["staging/precious", "packs/precious", "precious"] {
      try folder.write("home/\(name)", "precious")
    }
    return folder
  }

  private func build(_ folder: TemporaryFolder, _ flags: String...) -> (
    status: packtool.ExitStatus, errors: String
  ) {
    let run = runTool(words: ["build", folder.path("p"), "-o", folder.path("p/out"), "-q"] + flags)
    return (run.status, run.errors)
  }

  @Test func `files next to a depfile stay`() throws {
    let folder = try project()
    try folder.write("p/d.tmp/precious", "precious")
    #expect(build(folder, "--depfile", folder.path("p/d")).status == .done)
    #expect(try folder.read("p/d.tmp/precious") == Data("precious".utf8))
    try folder.write("m.tmp/precious", "precious")
    let run = runTool("import", "\(packageFolder)/Examples/Xcode/Lanterns.xcodeproj", "-o", folder.path("m"))
    #expect(run.status == .done)
    #expect(try folder.read("m.tmp/precious") == Data("precious".utf8))
  }

  @Test(
    arguments: [
      ".packtool", "packs", ".packtool/lock", ".packtool/record", ".packtool/staging", "OnDemandResources",
    ],
    [true, false])
  func `a link in an output is not followed`(name: String, isThere: Bool) throws {
    let folder = try project()
    try folder.link("p/out/\(name)", to: folder.path(isThere ? "home" : "home/nothing"))
    let before = try folder.files(below: "home")
    let flags = name == "OnDemandResources" ? ["--layout", "xcode"] : []
    let run = runTool(words: ["build", folder.path("p"), "-o", folder.path("p/out"), "-q"] + flags)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("unsafe-output", naming: "\(folder.path("p/out/\(name)"))"))
    #expect(run.errors.reports("unsafe-output"))
    #expect(try folder.files(below: "home") == before)
  }

  @Test(arguments: [("lock", "folder"), ("record", "fifo"), ("staging", "file"), ("lock", "fifo")])
  func `what is no builds is named`(name: String, kind: String) throws {
    let folder = try project()
    let path = folder.path("p/out/.packtool/\(name)")
    switch kind {
    case "folder": try folder.write("p/out/.packtool/\(name)/precious", "precious")
    case "file": try folder.write("p/out/.packtool/\(name)", "precious")
    default:
      try folder.write("p/out/.packtool/x", "")
      #expect(mkfifo(path, 0o644) == 0)
    }
    let run = build(folder)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.refuses(naming: path, kind))
    #expect(FileManager.default.fileExists(atPath: path))
  }

  /// In a hostile index, a folder of the user is listed as a pack.
  ///
  /// Another folder has the name of an archive.
  @Test func `only packs are removed with all below`() throws {
    let folder = try project()
    #expect(build(folder).status == .done)
    let kept = ["packs/precious/file", "packs/com.example.x.A.0123456789abcdef.zip/file"]
    for path in kept { try folder.write("p/out/\(path)", "precious") }
    let index = String(decoding: try folder.read("p/out/index.json"), as: UTF8.self)
    let pack = try #require(index.split(separator: "\"").first { $0.hasPrefix("packs/") })
    try folder.write("p/out/index.json", index.replacingOccurrences(of: pack, with: "packs/precious"))
    try folder.write("p/Assets/a/1", "changed")
    #expect(build(folder).status == .done)
    for path in kept { #expect(try folder.read("p/out/\(path)") == Data("precious".utf8)) }
  }

  @Test(
    .enabled(if: MountNamespace.isPossible, "\(MountNamespace.hindrance)"),
    arguments: ["/", "/../", "/tmp/.."])
  func `the top of the file system is refused`(output: String) throws {
    let folder = try project()
    // If packtool tries to write anyway, the write fails.
    let run = try MountNamespace.run(
      "mount --bind / / && mount -o remount,bind,ro / && exec \"$@\"",
      [try packtoolProgram(), "build", folder.path("p"), "-o", output, "-q"], in: folder.path)
    #expect(run.status == 1)
    #expect(run.errors.reports("unsafe-output"))
  }
}
