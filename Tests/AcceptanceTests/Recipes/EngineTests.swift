import Foundation
import Support
import Testing

@testable import packtool

/// Tests that game engines can mount packs without changes.
///
/// The test runs the examples with Debian's versions of the engines.
@Suite(.mostlyWaits) struct EngineTests {
  private static let folder = "\(packageFolder)/Examples/Engines"

  /// Files of many kinds, each with its own tag.
  ///
  /// There are stored, deflated and empty files, and names with a space or with letters outside ASCII.
  private static let files: [(path: String, tag: String, content: Data)] = [
    ("one/deflated.txt", "One", Data(String(repeating: "the same again\n", count: 500).utf8)),
    ("one/short.txt", "One", Data("short".utf8)), ("one/with space.txt", "One", Sample.text(2_000)),
    ("two/größe/þ.txt", "Two", Sample.text(3_000)), ("both/shared.txt", "Two", Sample.text(100)),
  ]

  private func packs(_ compression: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.writeManifest(
      [.path("one", "One"), .path("two", "Two"), .path("both", "One", "Two")], app: "com.example.engines",
      root: "Assets")
    for file in Self.files { try folder.write("Assets/\(file.path)", file.content) }
    let run = runTool("build", folder.path, "-o", folder.path("out"), "--compression", compression)
    #expect(run.status == .done, "\(run.errors)")
    return folder
  }

  private static let environment = ["LC_ALL": "C.UTF-8", "HOME": "/tmp"]

  @Test(.enabled(if: isInstalled("godot3-server"), "needs godot3-server"), arguments: ["store", "best"])
  func `Godot`(compression: String) throws {
    let folder = try packs(compression)
    func read(_ path: String, _ tag: String) throws -> ProgramResult {
      try run(
        "godot3-server",
        [
          "--path", "\(Self.folder)/Godot", "--script", "main.gd", "--packs=\(folder.path("out"))",
          "--tag=\(tag)", "--file=\(path)",
        ], environment: Self.environment)
    }
    for file in Self.files {
      let read = try read(file.path, file.tag)
      // The content of the file comes after the engine's own output.
      let text = String(decoding: file.content, as: UTF8.self)
      #expect(read.status == 0 && read.output.hasSuffix("\n\(text)\n"), "\(file.path): \(read.errors)")
    }
    #expect(try read("two/größe/þ.txt", "One").status == 1, "the pack of another tag is not mounted")
  }

  @Test(.enabled(if: isInstalled("love"), "needs love"), arguments: ["store", "best"])
  func `love`(compression: String) throws {
    let folder = try packs(compression)
    func read(_ path: String, _ tag: String) throws -> ProgramResult {
      try run(
        "love", ["\(Self.folder)/LOVE", folder.path("out"), tag, path], environment: Self.environment)
    }
    for file in Self.files {
      let read = try read(file.path, file.tag)
      #expect(read.output == String(decoding: file.content, as: UTF8.self), "\(file.path): \(read.errors)")
    }
    let other = try read("two/größe/þ.txt", "One")
    #expect(other.status != 0 && other.output.isEmpty)
  }

  @Test(
    .enabled(
      if: isInstalled("cc") && FileManager.default.fileExists(atPath: "/usr/include/physfs.h")
        && FileManager.default.fileExists(atPath: "/usr/include/cjson/cJSON.h"),
      "needs a C compiler, libphysfs-dev and libcjson-dev"), arguments: ["store", "best"])
  func `physics FS`(compression: String) throws {
    let folder = try packs(compression)
    let program = folder.path("packs")
    let words = ["-Wall", "-Wextra", "-Werror", "\(Self.folder)/PhysicsFS/packs.c", "-o", program]
    let compiled = try run("cc", words + ["-lphysfs", "-lcjson"])
    #expect(compiled.status == 0, "\(compiled.errors)")
    for file in Self.files {
      let read = try run(program, [folder.path("out"), file.tag, file.path])
      #expect(read.output == String(decoding: file.content, as: UTF8.self), "\(file.path): \(read.errors)")
    }
    #expect(try run(program, [folder.path("out"), "One", "two/größe/þ.txt"]).status == 1)
    #expect(try run(program, [folder.path("out"), "Three", "one/short.txt"]).status == 1)
  }
}
