import Foundation
import Support
import Testing

/// Tests that a sample of a check reports each sentence of a finding, so that the sentence is in a snapshot.
///
/// This ensures that every new sentence is tested. The sentences are string literals of the targets that the
/// packtool target uses. Sentences that no sample provokes yet are in `Unsampled.txt`. Do not add lines to
/// this file: a new sentence needs a sample, or a variant in `CheckVariant`. With `UPDATE_SNAPSHOTS=1`, the
/// test removes the lines that are out of date.
@Suite struct CheckSentenceTests {
  private static let targets = ["Formats", "Model", "Pipeline", "Packing", "Inspect", "Play"]
  private static let list = "Tests/packtoolTests/Checks/Unsampled.txt"

  /// Texts that are not findings: the summaries and explanations of checks, which `packtool checks` prints, and
  /// the types of keys in the manual.
  private static let otherTexts = ["Formats/Findings/Checks/", "Model/Manifest/ManifestReference.swift"]

  private static func sentences() throws -> [SourceSentence] {
    try SourceSentence.all.get().filter { sentence in
      targets.contains { sentence.file.hasPrefix("\($0)/") }
        && !otherTexts.contains(where: sentence.file.hasPrefix)
    }
  }

  /// Returns whether there is a line in the texts that contains all parts of a sentence, in order.
  private static func isSaid(_ sentence: SourceSentence, in texts: NSString) -> Bool {
    let longest = sentence.parts.max { $0.utf8.count < $1.utf8.count } ?? ""
    var start = 0
    while true {
      let rest = NSRange(location: start, length: texts.length - start)
      let found = texts.range(of: longest, options: .literal, range: rest)
      if found.location == NSNotFound { return false }
      let line = texts.lineRange(for: found)
      var place = line.location
      let end = line.location + line.length
      let isWhole = sentence.parts.allSatisfy { part in
        if part.isEmpty { return true }
        let next = texts.range(
          of: part, options: .literal, range: NSRange(location: place, length: end - place))
        place = next.location == NSNotFound ? end : next.location + next.length
        return next.location != NSNotFound
      }
      if isWhole { return true }
      start = found.location + found.length
    }
  }

  @Test func `a sample reports each sentence of a finding`() throws {
    let texts = try CheckWords.all.values.map { try $0.get() }.joined(separator: "\n") as NSString
    let all = try Self.sentences().filter(\.isOfFindings)
    #expect(all.count > 500)
    let missing = Set(all.filter { !Self.isSaid($0, in: texts) }.map(\.line))
    let path = "\(packageFolder)/\(Self.list)"
    let known = Set(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init))
    if ProcessInfo.processInfo.environment["UPDATE_SNAPSHOTS"] == "1" {
      let text = known.intersection(missing).sorted().map { "\($0)\n" }.joined()
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }
    let new = missing.subtracting(known).sorted()
    #expect(new == [], "no sample provokes \(new.count) sentences; write variants, see CheckVariant.swift")
    #expect(
      known.subtracting(missing).sorted() == [], "these have samples now; UPDATE_SNAPSHOTS=1 removes them")
  }

  @Test func `literals are found with what is joined to them`() {
    let source = ##"""
      // "no"
      let a = "one \(f("x", 1)) two" + "three \u{e9}"
      /* "no" */ let b = #"raw "\#(a)" \(b)"#, c = /"/
      let d = ["x" + y]
      """##
    let found = SourceLiterals.sentences(of: "f", in: Array(source.utf8)).map { $0.parts }
    #expect(found == [["one ", " twothree é"], ["raw \"", "\" \\(b)"], ["x"]])
  }
}
