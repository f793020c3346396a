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
