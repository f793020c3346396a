import Foundation
import Support
import Testing
@testable import packtool

/// Tests that every command that reads a manifest finds forbidden contents of packs.
@Suite struct ContentFindingTests {
  /// Forbidden contents of files, with the check that finds each of them.
  private static let contents: [(check: String, bytes: Data)] = [
    ("secret-key", Data(SigningTests.key.utf8)),
    ("lfs-pointer", Data(PointerKind.lfsPointer(to: Data("a".utf8)).utf8)),
    ("executable-content", Data([0x7f, 0x45, 0x4c, 0x46] + Array(repeating: 0, count: 12))),
  ]

  /// The commands that read the manifest of a folder.
  private static let commands = CommandLines.arguments.filter { $0.value.contains("repo") }.keys.sorted()

  private func site() throws -> TemporaryFolder {
    let folder = try CommandLines.checkout()
    for name in ["one", "two"] { try folder.write("repo/\(name).log", "0.1 start a\n0.2 start a\n") }
    return folder
  }

  private func run(_ command: String, _ flags: String..., in folder: TemporaryFolder) -> ToolResult {
    let words = [command] + (CommandLines.arguments[command] ?? []) + flags
    return runTool(words: CommandLines.words(words, in: folder))
  }

  @Test func `every command finds what may not be in a pack`() throws {
    #expect(
      Self.commands == [
        "build", "diff", "explain", "plan", "report", "simulate", "suggest", "tags", "validate",
      ])
    let folder = try site()
    for (check, bytes) in Self.contents {
      try folder.write("repo/A/a", bytes)
      for command in Self.commands {
        let found = run(command, in: folder)
        #expect(found.status == .inputHasErrors, "\(command) \(check): \(found.errors)")
        #expect(found.errors.reports(check, at: "repo/A/a"), "\(command) \(check): \(found.errors)")
        // In `diff`, the manifest is used twice.
        #expect(found.errors.count(of: check) == (command == "diff" ? 2 : 1), "\(command): \(found.errors)")
      }
    }
  }

  @Test func `severities and pointers hold for every command`() throws {
    let folder = try site()
    for (check, bytes) in Self.contents.dropFirst() {
      try folder.write("repo/A/a", bytes)
      for command in Self.commands {
        let run = run(command, "--severity", "\(check)=ignore", in: folder)
        #expect(!run.errors.reports(check), "\(command) \(check): \(run.errors)")
        #expect(run.status == .done, "\(command) \(check): \(run.errors)")
      }
    }
    try folder.write("repo/A/a", Self.contents[1].bytes)
    for command in Self.commands where command != "build" {
      let run = run(command, "--pointers", in: folder)
      #expect(run.status == .done && !run.errors.reports("lfs-pointer"), "\(command): \(run.errors)")
    }
  }
}
