@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the proposals for a pack that is too large, and for too many packs.
@Suite struct PackSplitTests {
  private static let limit = "\"limits\": {\"packSize\": 1000}"

  @Test func `folder that could have a tag is proposed`() throws {
    let plan = try SyntheticPlan(
      [
        .init("Levels/1/map", 300, "L"), .init("Levels/1/song", 400, "L"), .init("Levels/2/map", 200, "L"),
        .init("Levels/2/song", 150, "L"), .init("Levels/hero", 50, "L"),
      ], Self.limit)
    #expect(
      plan.lines(of: "pack-size") == [
        #"4:39: warning [pack-size] "L" 1,100 bytes 100 1,000"#,
        #"note "Levels/1/song" 400 bytes "Levels/1/map" 300 bytes "Levels/2/map" 200 bytes"#,
        #"note "Levels/1" 2 700 bytes "Levels/2" 2 350 bytes"#,
        #"note "Levels/1" 2 700 bytes 400 bytes"#,
      ])
  }

  /// If a folder of the pack is too large as well, packtool proposes as many of its subfolders as necessary.
  @Test func `parts of a large folder are proposed`() throws {
    let plan = try SyntheticPlan(
      [
        .init("A/x/1", 900, "L", "M"), .init("A/y/1", 800, "L", "M"), .init("A/y/2", 100, "L", "M"),
        .init("B/1", 700, "L", "M"),
      ], Self.limit)
    #expect(
      plan.lines(of: "pack-size") == [
        #"4:32: warning [pack-size] "L" "M" 2,500 bytes 1,500 1,000"#,
        #"note "A/x/1" 900 bytes "A/y/1" 800 bytes "B/1" 700 bytes"#,
        #"note "A" 3 1,800 bytes "B" 1 700 bytes"#,
        #"note "A/x" 1 900 bytes "A/y" 2 900 bytes 700 bytes"#,
      ])
  }

  @Test func `only four of many parts are shown`() throws {
    let plan = try SyntheticPlan(
      (1...9).map { .init("file \($0)", 500, "L") }, "\"limits\": {\"packSize\": \"1 kB\"}")
    #expect(
      plan.lines(of: "pack-size").last
        == #"note "file 1" 500 bytes "file 2" 500 bytes "file 3" 500 bytes "file 4" 500 bytes 3 1,000 bytes"#
    )
  }

  @Test func `file that is too large cannot be helped`() throws {
    let plan = try SyntheticPlan([.init("a/movie", 1001, "L"), .init("a/text", 5, "L")], Self.limit)
    #expect(
      plan.lines(of: "pack-size") == [
        #"4:34: warning [pack-size] "L" 1,006 bytes 6 1,000"#,
        #"note "a/movie" 1,001 bytes "a/text" 5 bytes"#,
        #"note "a/movie""#,
      ])
  }

  /// If the name of a folder begins with the name of another folder, the folders are still distinguished.
  @Test func `folders are distinguished by whole names`() throws {
    let plan = try SyntheticPlan(
      [.init("Level/1", 600, "L"), .init("Level 2/1", 300, "L"), .init("Level/2/1", 250, "L")], Self.limit)
    #expect(
      plan.lines(of: "pack-size").dropFirst(2).first
        == #"note "Level" 2 850 bytes "Level 2" 1 300 bytes"#
    )
  }

  @Test func `every pack that is too large is found`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 1001, "A"), .init("b", 2000, "B"), .init("c", 899, "C"), .init("ab", 5000, "A", "B")],
      Self.limit)
    #expect(
      plan.lines(of: "pack-size").filter { $0.contains("warning") } == [
        #"4:28: warning [pack-size] "A" "B" 5,000 bytes 4,000 1,000"#,
        #"4:28: warning [pack-size] "A" 1,001 bytes 1 1,000"#,
        #"5:28: warning [pack-size] "B" 2,000 bytes 1,000 1,000"#,
      ])
  }

  /// The numbers of packs multiply: both levels have files in all three languages.
  @Test func `tags that multiply are named`() throws {
    var files: [SyntheticPlan.File] = []
    for level in ["L1", "L2"] {
      files.append(.init("\(level)/all", 9, level))
      for language in ["de", "en", "fr"] { files.append(.init("\(level)/\(language)", 9, level, language)) }
    }
    let plan = try SyntheticPlan(files, "\"limits\": {\"packCount\": 6}")
    #expect(
      plan.lines(of: "pack-count") == [
        "3:16: warning [pack-count] 8 2 6",
        #"note "L1" 4 "L2" 4 "de" 2"#,
        #"note "de" 6"#,
        #"note "L1" "L2" 4"#,
      ])
  }

  /// Files that have no other tag are then in the app bundle, so their pack disappears.
  @Test func `dropping a tag may drop its pack`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 9, "A"), .init("ab", 9, "A", "B"), .init("c", 9, "C")], "\"limits\": {\"packCount\": 1}")
    #expect(
      plan.lines(of: "pack-count").dropFirst() == [
        #"note "A" 2 "B" 1 "C" 1"#,
        #"note "A" 2"#,
        #"note "A" "B" 2"#,
      ])
  }
}

/// Tests the notes about the files and folders of a pack that is too large.
@Suite struct PackSplitNoteTests {
  private func notes(_ sizes: KeyValuePairs<String, Int64>, limit: Int64) -> [String] {
    PackSplit(sizes.map { PackSplit.File(path: $0.key, size: $0.value) }, limit: limit).notes.map(
      \.namedValues)
  }

  private func proposal(_ sizes: KeyValuePairs<String, Int64>, limit: Int64) -> String? {
    notes(sizes, limit: limit).last
  }

  @Test func `the order of the files does not matter`() {
    let expected = [
      #""b/2" 900 bytes "a/1" 500 bytes "b/1" 300 bytes"#, #""b" 2 1,200 bytes "a" 2 700 bytes"#,
      #""b" 2 1,200 bytes 700 bytes"#,
    ]
    #expect(
      notes(["a/1": 500, "a/2": 200, "b/1": 300, "b/2": 900], limit: 1199).dropLast() == expected.dropLast())
    #expect(notes(["b/2": 900, "a/1": 500, "b/1": 300, "a/2": 200], limit: 1200) == expected)
  }

  @Test func `the three largest files are named`() {
    func largest(_ sizes: [Int64]) -> String? {
      let files = sizes.enumerated().map { PackSplit.File(path: "\($0)", size: $1) }
      return PackSplit(files, limit: 1).notes.first?.namedValues
    }
    #expect(largest([9, 8, 1, 5]) == #""0" 9 bytes "1" 8 bytes "3" 5 bytes"#)
    #expect(largest([1, 2, 3, 4, 5]) == #""4" 5 bytes "3" 4 bytes "2" 3 bytes"#)
    #expect(largest([5, 9, 9, 1, 9, 9]) == #""1" 9 bytes "2" 9 bytes "4" 9 bytes"#)
    #expect(largest([7, 7]) == #""0" 7 bytes "1" 7 bytes"# && largest([7]) == #""0" 7 bytes"#)
    #expect(largest([3, 9, 2, 8, 8]) == #""1" 9 bytes "3" 8 bytes "4" 8 bytes"#)
  }

  @Test func `folders with one entry are passed over`() {
    let deep = notes(["a/b/c/1": 600, "a/b/d/2": 500], limit: 1000)
    #expect(
      deep[1] == #""a/b/c" 1 600 bytes "a/b/d" 1 500 bytes"# && deep[2] == #""a/b/c" 1 600 bytes 500 bytes"#)
    #expect(
      notes(["a/b/1": 600, "a/b/2": 500], limit: 1000) == [
        #""a/b/1" 600 bytes "a/b/2" 500 bytes"#, #""a/b/1" 600 bytes 500 bytes"#,
      ])
    #expect(notes(["a/b/1": 1001], limit: 1000) == [#""a/b/1" 1,001 bytes"#, #""a/b/1""#])
  }

  @Test func `as few parts as possible are moved`() {
    #expect(proposal(["a": 500, "b": 500, "c": 500], limit: 1000) == #""a" 500 bytes 1,000 bytes"#)
    #expect(proposal(["a": 500, "b": 500, "c": 501], limit: 1000) == #""c" 501 bytes 1,000 bytes"#)
    #expect(
      proposal(["a": 500, "b": 501, "c": 501], limit: 1000) == #""b" 501 bytes "c" 501 bytes 500 bytes"#)
    // A file or folder of exactly this size can be a pack.
    #expect(proposal(["a": 1000, "b": 5], limit: 1000) == #""a" 1,000 bytes 5 bytes"#)
    #expect(proposal(["a/1": 400, "a/2": 600, "b": 5], limit: 1000) == #""a" 2 1,000 bytes 5 bytes"#)
    #expect(proposal(["a/1": 400, "a/2": 601, "b": 5], limit: 1000) == #""a/2" 601 bytes 405 bytes"#)
    #expect(proposal(["a/b/1": 600, "a/b/2": 500, "c": 5], limit: 1000) == #""a/b/1" 600 bytes 505 bytes"#)
    #expect(proposal(["a": 1001, "b": 5], limit: 1000) == #""a""#)
  }

  @Test func `four parts are named, and more are counted`() {
    func proposal(_ count: Int) -> String? {
      let files = (1...count).map { PackSplit.File(path: "\($0)", size: 100) }
      return PackSplit(files, limit: 100).notes.last?.namedValues
    }
    let four = #""1" 100 bytes "2" 100 bytes "3" 100 bytes "4" 100 bytes"#
    #expect(proposal(5) == "\(four) 100 bytes" && proposal(6) == "\(four) 1 100 bytes")
    #expect(proposal(9) == "\(four) 4 100 bytes" && proposal(2) == #""1" 100 bytes 100 bytes"#)
  }

  /// The proposal for a device is about the files that the device gets.
  @Test func `a slice has its own proposals`() throws {
    let site = try VariantSite()
    for (path, size) in [("hd/a", 900), ("hd/b", 300), ("sd/a", 90), ("sd/b", 30), ("own", 1)] {
      try site.site.write(path, String(repeating: "x", count: size))
    }
    let plan = try site.plan(
      #"{"path": "hd", "tags": ["T"], "destination": "t", "traits": {"memory": 4}},"#
        + #"{"path": "sd", "tags": ["T"], "destination": "t"}, {"path": "own", "tags": ["A"]}"#
    ).plan
    let number = try #require(plan.packs.firstIndex { $0.tags == ["T"] })
    let devices = [newPhone, oldPhone, oldPad].compactMap(DeviceClass.named)
    let slices = Slices(of: plan, for: devices).releases(of: plan)
    #expect(slices.map(\.devices.count) == [1, 2])
    #expect(slices.map { $0.release.packs[number].size } == [1200, 120])
    let notes = slices.map { $0.split(number, 100).map(\.namedValues) }
    #expect(notes[0] == [#""hd/a" 900 bytes "hd/b" 300 bytes"#, #""hd/a""#])
    #expect(notes[1] == [#""sd/a" 90 bytes "sd/b" 30 bytes"#, #""sd/a" 90 bytes 30 bytes"#])
    #expect(slices[1].split(1 - number, 0).map(\.namedValues) == ["\"own\" 1 byte", "\"own\""])
  }
}
