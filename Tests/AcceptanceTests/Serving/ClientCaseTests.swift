import Foundation
import Support
import Testing

@testable import packtool

/// Tests the example client in `Examples/Clients` with good releases and with hostile responses.
@Suite(
  .mostlyWaits,
  .enabled(
    if: isInstalled("python3") && isInstalled("zstd") && isInstalled("minisign"),
    "needs python3, zstd and minisign"))
struct ClientCaseTests {
  private static let runner = "\(packageFolder)/Examples/Clients/run.py"
  private static let client = "\(packageFolder)/Examples/Patches/client.py"

  private func tryClient(_ client: [String], _ flags: [String] = []) throws -> ProgramResult {
    try run("python3", [Self.runner, "--packtool", try packtoolProgram()] + flags + ["--"] + client)
  }

  /// For a push, only every third case is tried.
  @Test func `the example holds`() throws {
    let list = try run("python3", [Self.runner, "--list"]).output.split(separator: "\n")
    let names = list.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.count > 90)
    let chosen = sample(names.count / 3, of: names)
    let run = try tryClient(
      ["python3", Self.client, "--key", "{key}", "{url}", "{store}"], chosen.flatMap { ["--case", $0] })
    let lines = run.output.split(separator: "\n")
    #expect(
      run.status == 0, "\(lines.filter { $0.hasPrefix("FAIL") }.joined(separator: "\n"))\n\(run.errors)")
    #expect(lines.count { $0.hasPrefix("pass") } == chosen.count)
  }

  /// A client without a key must detect everything except mistakes that only a signature shows.
  @Test func `the runner sees what a client lacks`() throws {
    let client = ["python3", Self.client, "{url}", "{store}"]
    func isHeld(_ name: String) throws -> Bool { try tryClient(client, ["--case", name]).status == 0 }
    #expect(try isHeld("archive-one-bit"))
    #expect(try !isHeld("signature-wrong-key"))
    #expect(try !isHeld("index-changed"))
    let other = try tryClient(["echo", "{}"], ["--case", "nothing-new"])
    #expect(other.status == 1 && other.output.contains("FAIL  nothing-new"))
  }
}
