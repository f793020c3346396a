import Foundation
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests budgets in manifests and flags.
///
/// The size of an update is compared with them.
@Suite struct BudgetTests {
  private static let old = [
    "A/x": String(repeating: "x", count: 60), "B/y": String(repeating: "y", count: 40),
  ]
  private static let new = [
    "A/x": String(repeating: "x", count: 60), "A/new": "12345", "B/y": String(repeating: "y", count: 40),
  ]

  private func site(budgets: String) throws -> TwoReleases {
    let site = try TwoReleases(Self.old, [:])
    try site.write("new", Self.new, members: ",\n\"budgets\": \(budgets)")
    return site
  }

  /// Returns the findings with the quoted lines.
  ///
  /// The name of the folder is removed.
  private func errors(_ errors: String, _ site: TwoReleases) -> [String] {
    errors.replacing(site.folder.path + "/", with: "").split(separator: "\n")
      .compactMap { ReportedFinding(line: $0) }.filter { ["error", "note", "detail"].contains($0.severity) }
      .map(\.facts)
  }

  @Test func `a baseline may be missing once`() throws {
    let site = try site(budgets: "{ \"updateSize\": 64 }")
    let missing = site.folder.path("none")
    #expect(runTool("validate", site.new, "--baseline", missing).status == .inputHasErrors)
    let first = runTool("validate", site.new, "--baseline", missing, "--severity", "missing-baseline=note")
    #expect(first.status == .done)
    #expect(errors(first.errors, site) == ["none: note [missing-baseline]"])
    // If the baseline exists, it is used.
    #expect(
      runTool(
        "validate", site.new, "--baseline", site.old, "--severity", "missing-baseline=note"
      ).status == .inputHasErrors)
    let without = runTool("validate", site.new, "--submission", "--severity", "unchecked-budget=note")
    #expect(without.status == .done && without.errors.reports("unchecked-budget"))
  }

  @Test(arguments: ["validate", "plan", "build", "diff"])
  func `budgets of the manifest are held`(command: String) throws {
    let site = try site(
      budgets: "{ \"updateSize\": 64, \"packs\": { \"A\": \"0.06 kB\", \"B\": 40 }, \"growth\": \"4 %\" }")
    let arguments =
      switch command {
      case "diff": ["diff", site.old, site.new]
      case "build": ["build", site.new, "-o", site.folder.path("out"), "--baseline", site.old]
      default: [command, site.new, "--baseline", site.old]
      }
    let run = runTool(words: arguments)
    #expect(run.status == .inputHasErrors)
    let found = errors(run.errors, site)
    let wanted = [
      "new/Manifest.json:6:28: error [update-size] \"\(site.old)\" 65 bytes 1 64",
      "new/Manifest.json:6:43: error [pack-budget] \"A\" 65 bytes 5 60",
      "new/Manifest.json:6:80: error [growth] 100 105 bytes 5 % 1 byte 4 %",
    ]
    #expect(
      found.filter { $0.contains(": error [") }
        == wanted.map { $0.replacing(site.folder.path + "/", with: "") })
    #expect(found.contains { $0.hasSuffix(#"detail "new" 5 bytes"#) })
    #expect(
      found.contains {
        $0.hasSuffix(#"detail "x" 60 bytes "new" 5 bytes"#)
      })
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")))
  }

  @Test func `what is within its budget is fine`() throws {
    let site = try site(budgets: "{ \"updateSize\": 65, \"packs\": { \"A\": 65 }, \"growth\": \"5%\" }")
    for arguments in [["validate", site.new, "--baseline", site.old], ["diff", site.old, site.new]] {
      let run = runTool(words: arguments)
      #expect(run.status == .done, "\(run.errors)")
    }
    // Without a baseline, there is no update to check.
    let run = runTool("validate", site.new)
    #expect(
      run.status == .done && run.errors.reports("unchecked-budget"), "\(run.errors)")
    #expect(
      runTool("validate", site.new, "--submission").errors.findings.contains {
        $0.check == "unchecked-budget" && $0.severity == "error"
      })
  }

  @Test func `a baseline of another app is an error`() throws {
    let site = try site(budgets: "{ \"updateSize\": 1000 }")
    let manifest = String(decoding: try site.folder.read("old/Manifest.json"), as: UTF8.self)
    try site.folder.write(
      "old/Manifest.json", manifest.replacing("com.example.test", with: "com.example.other"))
    let run = runTool("validate", site.new, "--baseline", site.old)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("foreign-baseline", naming: "com.example.other", "com.example.test"))
  }

  @Test func `flags replace the manifests budgets`() throws {
    let site = try site(budgets: "{ \"updateSize\": 64, \"packs\": { \"A\": 10, \"B\": 10 } }")
    let run = runTool(
      "diff", site.old, site.new, "--set", "budgets.updateSize=1 kB", "--set", "budgets.packs.A=65",
      "--set=budgets.packs.B=39")
    #expect(run.status == .inputHasErrors)
    #expect(
      errors(run.errors, site) == [
        #"new/Manifest.json: error [pack-budget] "B" 40 bytes 1 39"#,
        #"detail "y" 40 bytes"#,
      ])
  }

  @Test func `a budget for no pack is a mistake`() throws {
    let site = try site(budgets: "{ \"packs\": { \"AB\": 10 } }")
    let run = runTool("validate", site.new)
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("unknown-pack", at: "6:25", naming: "AB"))
  }

  @Test func `severity is the teams`() throws {
    let site = try site(budgets: "{ \"updateSize\": 64 }")
    let run = runTool("validate", site.new, "--baseline", site.old, "--severity", "update-size=warning")
    #expect(run.status == .done)
    #expect(run.errors.findings.contains { $0.check == "update-size" && $0.severity == "warning" })
  }

  @Test(arguments: [
    (["--set", "budgets.updateSize=20"], #""budgets.updateSize" --baseline"#),
    (["--set", "budgets.growth=5 %"], #""budgets.growth" --baseline"#),
    (["--set", "budgets.growth=5"], #""--set budgets.growth" 5 % 5"#),
    (["--set", "budgets.updateSize=-5"], "20 MB -5"),
    (["--set=budgets.updateSize=x"], #"20 MB "x""#),
    (["--set", "budgets.packs.A"], #""--set budgets.packs" "Level 1=60 MB" "A""#),
    (["--set", "budgets.packs.=5"], #""--set budgets.packs""#),
  ])
  func `flags that make no sense`(flags: [String], facts: String) throws {
    let run = runTool(words: ["validate", try site(budgets: "{}").new] + flags)
    #expect(run.status == .usage)
    #expect(run.errors.hasFacts(facts), "\(run.errors)")
  }

  @Test func `a baseline that is none is reported`() throws {
    let site = try site(budgets: "{}")
    let run = runTool(
      "build", site.new, "-o", site.folder.path("out"), "--baseline", site.folder.path("none"))
    #expect(run.status == .inputHasErrors)
    #expect(run.errors.reports("missing-baseline"))
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("out")))
  }

  /// The next build uses the build cache to find unchanged files, and reads only the changed files.
  @Test func `a build into its own baseline is held`() throws {
    let site = try site(budgets: "{ \"updateSize\": 64 }")
    let out = site.folder.path("out")
    #expect(runTool("build", site.old, "-o", out).status == .done)
    let before = try site.folder.files(below: "out")
    #expect(runTool("build", site.new, "-o", out, "--baseline", out).status == .inputHasErrors)
    #expect(try site.folder.files(below: "out") == before)
    #expect(runTool("build", site.new, "-o", out, "--baseline", out, "--budget-update", "65").status == .done)
  }
}
