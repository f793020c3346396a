@testable import Formats
import Foundation
import Support
import Testing

/// Tests the hunks that show edits: the text of each hunk, and the result of applying the hunks with `patch`.
@Suite struct LineHunkTests {
  private func edited(_ text: String, _ edits: TextEdit...) -> EditedText {
    EditedText(SourceText(path: "a", bytes: Array(text.utf8)), edits: edits)
  }

  /// Returns a hunk in the format of unified diffs.
  private func text(_ hunk: LineHunk) -> String {
    let signs: [LineHunk.Change: String] = [.kept: " ", .removed: "-", .added: "+"]
    return "@@ -\(hunk.oldStart),\(hunk.oldCount) +\(hunk.newStart),\(hunk.newCount) @@\n"
      + hunk.lines.map {
        "\(signs[$0.change]!)\($0.text)\n\($0.hasEnd ? "" : "\\ No newline at end of file\n")"
      }.joined()
  }

  private let letters = "abcdefghijklmnopqrst".map { "\($0)\n" }.joined()

  @Test func `lines around a change are shown`() {
    let hunks = edited(letters, TextEdit(10..<11, replacement: "F")).hunks
    #expect(hunks.map(text) == ["@@ -3,7 +3,7 @@\n c\n d\n e\n-f\n+F\n g\n h\n i\n"])
  }

  @Test func `far changes are two hunks`() {
    let hunks = edited(
      letters, TextEdit(0..<2, replacement: ""), TextEdit(14..<14, replacement: "x\n"),
      TextEdit(38..<40, replacement: "t")
    ).hunks
    #expect(
      hunks.map(text) == [
        "@@ -1,10 +1,10 @@\n-a\n b\n c\n d\n e\n f\n g\n+x\n h\n i\n j\n",
        "@@ -17,4 +17,4 @@\n q\n r\n s\n-t\n+t\n\\ No newline at end of file\n",
      ])
  }

  @Test func `lines that stay are not shown as changed`() {
    #expect(
      edited("a\n  b\n", TextEdit(1..<4, replacement: "\n")).hunks.map(text) == [
        "@@ -1,2 +1,2 @@\n a\n-  b\n+b\n"
      ])
    #expect(edited("", TextEdit(0..<0, replacement: "a\n")).hunks.map { $0.lines.map(\.text) } == [["a"]])
  }

  /// Makes random edits in random texts.
  ///
  /// `patch` must produce the same result as the edits.
  @Test(arguments: 0..<20) func `patch agrees`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let old = (0..<60).map { _ in
      ["a", "b", "", "cc"].randomElement(using: &random)!
        + (Int.random(in: 0..<9, using: &random) == 0 ? "x" : "\n")
    }.joined()
    var edits: [TextEdit] = []
    var place = 0
    while place < old.utf8.count {
      let end = min(old.utf8.count, place + Int.random(in: 0...3, using: &random))
      let new = ["", "y", "\n", "z\nz"].randomElement(using: &random)!
      if !old.utf8.dropFirst(place).prefix(end - place).elementsEqual(new.utf8) {
        edits.append(TextEdit(place..<end, replacement: new))
      }
      place = end + Int.random(in: 1...25, using: &random)
    }
    let edited = EditedText(SourceText(path: "a", bytes: Array(old.utf8)), edits: edits)
    let folder = try TemporaryFolder()
    try folder.write("a", old)
    try folder.write("diff", "--- a\n+++ a\n" + edited.hunks.map(text).joined())
    let result = try run("patch", ["-s", "a", "diff"], in: folder.path)
    #expect(result.status == 0, "\(result.output)")
    #expect(try folder.read("a") == Data(edited.bytes))
  }
}
