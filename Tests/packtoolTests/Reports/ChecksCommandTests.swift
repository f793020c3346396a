@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// `packtool checks` and what each check says of itself.
@Suite struct ChecksCommandTests {
  /// The contract's rule ids of manifests, files and packs, and the checks that issue 3 brings.
  private static let ids = [
    // Manifest
    "json-syntax", "duplicate-key", "unknown-key", "missing-key", "wrong-type", "invalid-value",
    "invalid-tag",
    "invalid-path", "path-escapes-root", "no-match", "duplicate-rule", "unknown-tag", "repeated-tag",
    "tag-in-both-lists",
    // Files
    "executable-content", "special-file", "link-escapes-root", "dangling-link", "link-loop",
    "unreadable-file",
    "invalid-name", "path-clash", "path-in-two-packs", "empty-file", "file-changed",
    // Packs
    "identifier-collision", "pack-size", "pack-count", "initial-install-size", "prefetch-size", "total-size",
    "app-bundle-size", "tag-size", "in-use-size", "cellular-size",
    // Issue 3
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
    #expect(columns.contains(["pack-size", "warning", "a pack is larger than the store takes"]))
    #expect(
      columns.contains(["lfs-pointer", "error", "a Git LFS or git-annex pointer in place of the real file"])
    )
    #expect(columns.contains(["executable-content", "error", "a file that holds machine code"]))
  }

  @Test(arguments: ids) func `each is explained`(id: String) throws {
    let run = runTool("checks", id)
    #expect(run.status == .done)
    #expect(run.errors == "")
    let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false)
    let check = try #require(Check.named(id))
    #expect(lines.first == "\(id): \(check.summary)")
    #expect(lines.dropFirst(2).first == "")
    // Why, and what to do: more than the summary says again.
    let text = lines.dropFirst(3).joined(separator: " ")
    #expect(text.hasSuffix(". ") && text.count > 30)
    #expect(lines.areAll { $0.count <= 100 })
  }

  @Test(arguments: [
    ("pack-size", "a warning, an error with --submission"),
    ("tag-size", "a warning unless \"severity\" says otherwise"),
    ("executable-content", "an error unless \"severity\" says otherwise"),
    ("empty-file", "a note unless \"severity\" says otherwise"),
    ("unknown-tag", "an error of the manifest, which cannot be lowered"),
  ])
  func `severity is said`(id: String, text: String) {
    #expect(runTool("checks", id).output.split(separator: "\n").dropFirst().first == text[...])
  }

  /// Ids are what scripts hold on to: lower case and hyphens; summaries are no sentences.
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
