import Foundation
import Support
import Testing

@testable import packtool

/// Runs `Examples/Player`, that is, the OnDemand library with `packtool serve --link`, and compares it with
/// simulations of the same scenarios.
///
/// The tests do not compare times. `compare.py` without `--order-only` does this.
@Suite(
  .mostlyWaits, .serialized,
  .enabled(
    if: isInstalled("python3") && isInstalled("zstd") && isInstalled("minisign"),
    "needs python3, zstd and minisign"))
struct PlayerLinkTests {
  /// The example's own package is tested separately, because users copy it.
  @Test(.enabled(if: isWhole, "builds OnDemand once more, in the nightly run")) func `the example builds`()
    throws
  {
    let folder = try TemporaryFolder()
    let words = [
      "build", "--package-path", "\(packageFolder)/Examples/Player", "--scratch-path", folder.path,
    ]
    let built = try run("swift", words)
    #expect(built.status == 0, "\(built.output.suffix(2_000))\(built.errors)")
  }

  private func compare(_ flags: String...) throws {
    let script = "\(packageFolder)/Examples/Player/compare.py"
    let programs = ["--packtool", try packtoolProgram(), "--player", try builtProduct("Player")]
    let run = try run("python3", [script] + programs + flags)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains(" scenarios agree, "))
  }

  @Test func `a real run has the order and the errors of a simulation`() throws {
    try compare("--order-only", "--releases", "2", "--scenarios", "2", "--seed", "7")
    try compare("--order-only", "--releases", "1", "--scenarios", "2", "--seed", "8", "--connections", "4")
  }

  /// Sends the hostile responses of `Examples/Clients` to the library that apps use.
  @Test func `on demand holds against hostile answers`() throws {
    let runner = "\(packageFolder)/Examples/Clients/run.py"
    let names = [
      "release-1-to-3", "rollback", "expired", "signature-wrong-key", "signature-comment-changed",
      "index-cut",
      "index-bomb", "archive-one-bit", "archive-404", "archive-endless", "zip-parent", "zip-link",
      "zip-twins",
      "zip-bomb", "zip-lying-size", "patch-404", "patch-parent", "patch-source-path",
    ]
    // Foundation's threads need more address space than a memory limit would allow.
    let words = [runner, "--packtool", try packtoolProgram(), "--memory", "0"]
    let run = try run(
      "python3",
      words + names.flatMap { ["--case", $0] } + [
        "--", try builtProduct("Client"), "{url}", "{store}", "{key}",
      ])
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }
}
