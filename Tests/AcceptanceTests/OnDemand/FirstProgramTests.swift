import Foundation
import Support
import Testing

@testable import packtool

/// Tests `FirstProgram.md`, the tutorial of the library, exactly as it is published.
@Suite(.mostlyWaits, .noHang) struct FirstProgramTests {
  private struct Block {
    let language: Substring
    let text: String
  }

  /// Returns the code blocks of the page, in order.
  private static func blocks() throws -> [Block] {
    let page = "\(packageFolder)/Sources/OnDemand/OnDemand.docc/FirstProgram.md"
    let text = try String(contentsOf: URL(fileURLWithPath: page), encoding: .utf8)
    return text.matches(of: #/(?ms)^```(\w+)\n(.*?)^```$/#).map {
      Block(language: $0.output.1, text: String($0.output.2))
    }
  }

  @Test func `the code compiles as printed`() throws {
    let blocks = try Self.blocks()
    #expect(blocks.map(\.language) == ["sh", "swift", "swift", "sh", "sh"])
    let folder = try TemporaryFolder()
    try folder.write("main.swift", Data(blocks[2].text.utf8))
    try folder.write("Package.swift", Data(Self.package(blocks[1]).utf8))
    let modules = try builtProduct("Modules")
    let libraries = ["CZlib", "CZstandard", "CCrypto", "CLibrary"].flatMap {
      ["-I", "\(packageFolder)/Sources/\($0)"]
    }
    let words =
      ["-typecheck", "-swift-version", "6", "-I", modules] + libraries + [folder.path("main.swift")]
    let checked = try run("swiftc", words)
    #expect(checked.status == 0, "\(checked.errors)")
  }

  /// SwiftPM must be able to resolve the package on the page.
  ///
  /// It is the package of an app for iOS 18 and macOS 15 that depends on this package.
  @Test func `a package for phones resolves`() throws {
    let folder = try TemporaryFolder()
    let package = Self.package(try Self.blocks()[1])
    #expect(package.contains(".macOS(.v15), .iOS(.v18)"))
    try folder.write("Package.swift", Data(package.utf8))
    try folder.write("Sources/Game/main.swift", Data())
    let environment = ["PACKTOOL_ACCEPTANCE": ""]
    let own = try run("swift", ["package", "dump-package"], in: folder.path, environment: environment)
    #expect(own.status == 0, "\(own.errors)")
    let resolved = try run(
      "env",
      [
        "-u", "PACKTOOL_ACCEPTANCE", "swift", "package", "--disable-sandbox", "show-dependencies", "--format",
        "json",
      ],
      in: folder.path)
    #expect(resolved.status == 0 && resolved.output.contains("\"packtool\""), "\(resolved.errors)")
    // The app's minimum system versions are not lower than the library's minimum versions.
    let mine = try Self.platforms(of: own.output)
    // A separate build folder is used, because the test run has locked the build folder of the package.
    let scratch = ["--package-path", packageFolder, "--scratch-path", folder.path("scratch")]
    let words = ["package"] + scratch + ["dump-package"]
    let theirs = try Self.platforms(of: try run("swift", words).output)
    #expect(mine.allSatisfy { theirs[$0.key].map { Double($0) ?? 99 } ?? 99 <= Double($0.value) ?? 0 })
    #expect(mine.count == 2 && theirs.count >= 4, "\(mine) \(theirs)")
  }

  /// Returns the minimum versions of platforms, by the platform's name.
  private static func platforms(of dump: String) throws -> [String: String] {
    struct Package: Decodable {
      struct Platform: Decodable { let platformName: String, version: String }
      let platforms: [Platform]
    }
    let package = try JSONDecoder().decode(Package.self, from: Data(dump.utf8))
    return Dictionary(uniqueKeysWithValues: package.platforms.map { ($0.platformName, $0.version) })
  }

  /// Returns the package manifest on the page, with the path of this checkout inserted.
  private static func package(_ block: Block) -> String {
    block.text.replacing("../../packtool", with: packageFolder)
  }

  /// Follows the whole tutorial, beginning with an empty folder.
  ///
  /// A complete build of the library takes more than a minute.
  @Test(.enabled(if: isWhole, "builds OnDemand once more, in the nightly run"))
  func `the commands do what the page says`() throws {
    let blocks = try Self.blocks()
    let folder = try TemporaryFolder()
    let programFolder = URL(fileURLWithPath: try packtoolProgram()).deletingLastPathComponent().path
    let port = try run(
      "python3",
      ["-c", "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])"]
    ).output.trimmingCharacters(in: .whitespacesAndNewlines)
    // The script kills the program after some bytes have been downloaded, so the test also works on a slow
    // machine.
    let some = "until find store/partial -size +8k | grep -q .; do sleep 0.1; done"
    try folder.write("Package.swift", Data(Self.package(blocks[1]).utf8))
    try folder.write("main.swift", Data(blocks[2].text.utf8))
    let script = """
      export PATH=\(programFolder):$PATH
      unset PACKTOOL_ACCEPTANCE
      trap 'kill $(jobs -p) 2> /dev/null' EXIT
      \(blocks[0].text)
      mkdir -p Sources/Game && mv ../main.swift Sources/Game && mv ../Package.swift .
      echo '== first'; swift run --disable-sandbox Game
      \(blocks[3].text)
      echo '== second'; swift run --disable-sandbox Game
      echo '== killed'
      \(blocks[4].text.replacing("sleep 4", with: some))
      """.replacing("8080", with: port)
    #expect(script.contains(some))
    let result = try run("bash", ["-c", script], in: folder.path)
    let parts = result.output.components(separatedBy: "== ")
    try #require(parts.count == 4, "\(result.output)\(result.errors)")
    #expect(
      parts[1].contains("update of [\"Level 1\"]") && parts[1].contains("100 %"),
      "\(parts[1])\(result.errors)")
    #expect(parts[1].contains("{\"name\": \"Meadow\"}"))
    #expect(
      parts[2].contains("update of [\"Level 1\"]") && parts[2].contains("{\"name\": \"Forest\"}"),
      "\(parts[2])")
    // The killed program has not written its output to the pipe, so this is the output of the next run.
    let last = parts[3]
    #expect(last.contains("{\"name\": \"Forest\"}"), "\(last)\(result.errors)")
    let steps = last.split(separator: "\n").compactMap { Int($0.replacing(" %", with: "")) }
    #expect(steps.first ?? 0 > 0 && steps.last == 100, "\(last)")
  }
}
