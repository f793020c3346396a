@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests findings about equal files in different packs.
@Suite struct CopiesTests {
  private func file(_ path: String, _ size: Int64, _ tags: String...) -> Copies.File {
    // Each tag set of these tests has another first letter.
    let pack = tags.first?.utf8.first.map { Int($0) } ?? 0
    return Copies.File(path: path, size: size, pack: pack, tags: tags, place: Place(path))
  }

  /// A group that wastes this number of bytes.
  private func copies(_ name: String, wasting waste: Int64) -> Copies {
    Copies([file("\(name)/1", waste, "A"), file("\(name)/2", waste, "B")])
  }

  private func facts(_ copies: [Copies], total: Int64) -> [String] {
    copies.findings(total: total).map { "\($0.place.path) \($0.namedValues)" }
  }

  @Test func `one finding names the packs, the waste and the shared tags`() {
    let copies = Copies([file("b", 10, "B", "Z"), file("c", 10, "C"), file("a", 10, "A", "Z")])
    #expect(copies.waste == 20 && copies.place == Place("a"))
    #expect(copies.finding.namedValues == #""A" "Z" "B" "Z" "C" 3 20 bytes "A" "B" "C" "Z""#)
    #expect(copies.finding.notes.map(\.place?.path) == ["b", "c"])
    #expect(copies.finding.notes.map(\.namedValues) == [#""B" "Z""#, #""C""#])
    let many = Copies(["A", "B", "C", "D"].map { file($0.lowercased(), 10, $0) })
    #expect(many.finding.namedValues == #"4 4 30 bytes "A" "B" "C" "D""#)
    let three = Copies([file("a", 10, "A"), file("b", 10, "A"), file("c", 10, "C")])
    #expect(three.finding.namedValues == #""A" "C" 3 20 bytes "A" "C""#)
  }

  @Test func `eight other files are named`() {
    func notes(_ count: Int) -> [Diagnostic.AttachedLine] {
      Copies((0..<count).map { file("\(100 + $0)", 10, "A") }).notes
    }
    #expect(notes(9).map(\.place?.path) == (101...108).map { "\($0)" })
    #expect(notes(10).map(\.place?.path) == (101...107).map { "\($0)" } + [nil])
    #expect(notes(10).last?.namedValues == "2" && notes(30).last?.namedValues == "22" && notes(30).count == 8)
    #expect(notes(2).count == 1 && notes(1).isEmpty)
  }

  /// In 100 MB, 0.1 % are 100 kB and 1 % is 1 MB.
  @Test func `large groups have their own finding, and others one together`() {
    let total: Int64 = 100_000_000
    #expect(facts([copies("a", wasting: 100_000)], total: total).count == 1)
    #expect(facts([copies("a", wasting: 99_999)], total: total).isEmpty)
    let small = (0..<10).map { copies("\($0)", wasting: 99_999) }
    #expect(facts(small, total: total).isEmpty)
    #expect(facts(small + [copies("x", wasting: 9)], total: total).isEmpty)
    let together = facts(small + [copies("x", wasting: 10)], total: total)
    #expect(together == ["0/1 11 1,000,000 bytes 1.00 MB 99,999 bytes"])
    let both = facts([copies("l", wasting: 200_000)] + small + [copies("x", wasting: 10)], total: total)
    #expect(both.map { $0.prefix(3) } == ["l/1", "0/1"])
  }

  @Test func `the group that wastes most is named`() {
    let groups = [
      copies("b", wasting: 5), copies("c", wasting: 7), copies("a", wasting: 7), copies("d", wasting: 1),
    ]
    let found = groups.findings(total: 1000)
    #expect(found.map(\.namedValues) == ["4 20 bytes 7 bytes"])
    #expect(found.map(\.place) == [Place("a/1")] && found.first?.notes.map(\.place?.path) == ["a/2"])
    #expect(groups.max()?.place == Place("a/1") && groups.min()?.place == Place("d/1"))
  }

  @Test func `groups without waste are no finding`() {
    #expect(facts([copies("a", wasting: 0)], total: 50).isEmpty)
    #expect(facts([copies("a", wasting: 1)], total: 50).count == 1)
    #expect(facts([], total: 0).isEmpty)
    // Files from 16 KiB on have their own finding in a small release.
    #expect(
      facts([copies("a", wasting: 1 << 14), copies("b", wasting: (1 << 14) - 1)], total: 1 << 15).count == 2)
    #expect(facts([copies("a", wasting: 1 << 14), copies("b", wasting: 1)], total: 1 << 15).count == 1)
  }
}
