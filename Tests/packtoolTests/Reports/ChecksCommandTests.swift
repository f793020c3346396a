@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests `packtool checks`, and the summary and explanation of each check.
@Suite struct ChecksCommandTests {
  /// The check ids of the contract for manifests, files and packs, and ids that were added later.
  private static let ids = [
    // Checks of manifests.
    "json-syntax", "duplicate-key", "unknown-key", "missing-key", "wrong-type", "invalid-value",
    "invalid-tag",
    "invalid-path", "path-escapes-root", "no-match", "duplicate-rule", "unknown-tag", "repeated-tag",
    "tag-in-both-lists",
    // Checks of files.
    "executable-content", "special-file", "link-escapes-root", "dangling-link", "link-loop",
    "unreadable-file",
    "invalid-name", "path-clash", "path-in-two-packs", "empty-file", "file-changed",
    // Checks of packs.
    "identifier-collision", "pack-size", "pack-count", "initial-install-size", "prefetch-size", "total-size",
    "app-bundle-size", "tag-size", "in-use-size", "cellular-size",
    // Checks that were added later.
    "duplicate-content", "redundant-tag", "everything-initial", "lfs-pointer", "icloud-placeholder",
  ]

  @Test func `list has every check once`() {
    let run = runTool("checks")
    #expect(run.status == .done)
    #expect(run.errors == "")
    let listed = run.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(Set(Self.ids).subtracting(listed) == [])
    #expect(Set(listed).count == listed.count)
    #expect(listed == Check.all.map(\.id))
  }

  @Test func `list is a table`() {
    let lines = runTool("checks").output.split(separator: "\n")
    let columns = lines.map { line in
      line.split(separator: " ", maxSplits: 2).map { $0.trimmingCharacters(in: .whitespaces) }
    }
    #expect(columns.contains(["pack-size", "warning", "a pack is larger than the store allows"]))
    #expect(
      columns.contains(["lfs-pointer", "error", "a Git LFS or git-annex pointer instead of the real file"])
    )
    #expect(columns.contains(["executable-content", "error", "a file that contains machine code"]))
  }

  @Test(arguments: ids) func `each is explained`(id: String) throws {
    let run = runTool("checks", id)
    #expect(run.status == .done)
    #expect(run.errors == "")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    let check = try #require(Check.named(id))
    #expect(lines.first == "\(id): \(check.summary)")
    #expect(lines.dropFirst(2).first == "")
    // An explanation must state the reason and the remedy, and not only repeat the summary.
    let text = lines.dropFirst(3).joined(separator: " ")
    #expect(text.hasSuffix(". ") && text.count > 30)
    #expect(lines.areAll { $0.count <= 100 })
  }

  @Test(arguments: [
    ("pack-size", "a warning, but an error with --submission"),
    ("tag-size", "a warning, unless \"severity\" sets another level"),
    ("executable-content", "an error, unless \"severity\" sets another level"),
    ("empty-file", "a note, unless \"severity\" sets another level"),
    ("unknown-tag", "an error in the manifest; its severity cannot be lowered"),
  ])
  func `the severity is printed`(id: String, text: String) {
    #expect(runTool("checks", id).output.split(separator: "\n").dropFirst().first == text[...])
  }

  /// Scripts rely on ids, so ids have only lower-case letters and hyphens.
  ///
  /// Summaries are not sentences.
  @Test(arguments: Check.all.map(\.id)) func `form is kept`(id: String) throws {
    let check = try #require(Check.named(id))
    #expect(id.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    #expect(check.summary.wholeMatch(of: /[a-z].*[^.]/) != nil)
    #expect(check.explanation.wholeMatch(of: /(packtool|[A-Z"`]).*\./) != nil)
  }

  @Test func `unknown IDs are guessed`() {
    let run = runTool("checks", "pack-sise")
    #expect(run.status == .usage)
    #expect(run.output == "")
    #expect(run.errors.findings.map(\.facts) == [#"packtool: error "pack-sise" "pack-size""#])
    #expect(
      runTool("checks", "nonsense").errors.findings.map(\.facts) == [
        #"packtool: error "nonsense" "packtool checks""#
      ])
  }
}
