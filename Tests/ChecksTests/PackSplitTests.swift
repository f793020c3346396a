import Support
import Testing

/// What is proposed for a pack that is too large, and for too many packs.
@Suite struct PackSplitTests {
  private static let limit = "\"limits\": {\"packSize\": 1000}"

  @Test func folderThatCouldHaveATagIsProposed() throws {
    let plan = try SyntheticPlan(
      [
        .init("Levels/1/map", 300, "L"), .init("Levels/1/song", 400, "L"), .init("Levels/2/map", 200, "L"),
        .init("Levels/2/song", 150, "L"), .init("Levels/hero", 50, "L"),
      ], Self.limit)
    #expect(
      plan.lines(of: "pack-size") == [
        "4:39: warning: the pack of {\"L\"} is 1,100 bytes, 100 over the limit of 1,000",
        "note: the largest files: \"Levels/1/song\" with 400 bytes, \"Levels/1/map\" with 300 bytes, "
          + "\"Levels/2/map\" with 200 bytes",
        "note: the largest folders: \"Levels/1\" with 2 files and 700 bytes, \"Levels/2\" with 2 files and 350 bytes",
        "note: for example, give a tag of its own to \"Levels/1\" with 2 files and 700 bytes, which leaves 400 bytes "
          + "in this pack",
      ])
  }

  /// A folder that is itself too large is looked into; as many parts are proposed as are needed.
  @Test func partsOfALargeFolderAreProposed() throws {
    let plan = try SyntheticPlan(
      [
        .init("A/x/1", 900, "L", "M"), .init("A/y/1", 800, "L", "M"), .init("A/y/2", 100, "L", "M"),
        .init("B/1", 700, "L", "M"),
      ], Self.limit)
    #expect(
      plan.lines(of: "pack-size") == [
        "4:32: warning: the pack of {\"L\", \"M\"} is 2,500 bytes, 1,500 over the limit of 1,000",
        "note: the largest files: \"A/x/1\" with 900 bytes, \"A/y/1\" with 800 bytes, \"B/1\" with 700 bytes",
        "note: the largest folders: \"A\" with 3 files and 1,800 bytes, \"B\" with 1 file and 700 bytes",
        "note: for example, give a tag of its own to each of \"A/x\" with 1 file and 900 bytes, \"A/y\" with 2 files "
          + "and 900 bytes, which leaves 700 bytes in this pack",
      ])
  }

  @Test func onlyFourOfManyPartsAreShown() throws {
    let plan = try SyntheticPlan(
      (1...9).map { .init("file \($0)", 500, "L") }, "\"limits\": {\"packSize\": \"1 kB\"}")
    #expect(
      plan.lines(of: "pack-size").last
        == "note: for example, give a tag of its own to each of \"file 1\" with 500 bytes, \"file 2\" with 500 bytes, "
        + "\"file 3\" with 500 bytes, \"file 4\" with 500 bytes and 3 more, which leaves 1,000 bytes in this pack"
    )
  }

  @Test func fileThatIsTooLargeCannotBeHelped() throws {
    let plan = try SyntheticPlan([.init("a/movie", 1001, "L"), .init("a/text", 5, "L")], Self.limit)
    #expect(
      plan.lines(of: "pack-size") == [
        "4:34: warning: the pack of {\"L\"} is 1,006 bytes, 6 over the limit of 1,000",
        "note: the largest files: \"a/movie\" with 1,001 bytes, \"a/text\" with 5 bytes",
        "note: the file \"a/movie\" is too large by itself: no tag can help; make it smaller",
      ])
  }

  /// Names that begin alike are not taken for one folder.
  @Test func foldersAreToldApartByWholeNames() throws {
    let plan = try SyntheticPlan(
      [.init("Level/1", 600, "L"), .init("Level 2/1", 300, "L"), .init("Level/2/1", 250, "L")], Self.limit)
    #expect(
      plan.lines(of: "pack-size").dropFirst(2).first
        == "note: the largest folders: \"Level\" with 2 files and 850 bytes, \"Level 2\" with 1 file and 300 bytes"
    )
  }

  @Test func everyPackThatIsTooLargeIsFound() throws {
    let plan = try SyntheticPlan(
      [.init("a", 1001, "A"), .init("b", 2000, "B"), .init("c", 899, "C"), .init("ab", 5000, "A", "B")],
      Self.limit)
    #expect(
      plan.lines(of: "pack-size").filter { $0.contains("warning") } == [
        "4:28: warning: the pack of {\"A\", \"B\"} is 5,000 bytes, 4,000 over the limit of 1,000",
        "4:28: warning: the pack of {\"A\"} is 1,001 bytes, 1 over the limit of 1,000",
        "5:28: warning: the pack of {\"B\"} is 2,000 bytes, 1,000 over the limit of 1,000",
      ])
  }

  /// Four tags that multiply: each of two levels in each of three languages.
  @Test func tagsThatMultiplyAreNamed() throws {
    var files: [SyntheticPlan.File] = []
    for level in ["L1", "L2"] {
      files.append(.init("\(level)/all", 9, level))
      for language in ["de", "en", "fr"] { files.append(.init("\(level)/\(language)", 9, level, language)) }
    }
    let plan = try SyntheticPlan(files, "\"limits\": {\"packCount\": 6}")
    #expect(
      plan.lines(of: "pack-count") == [
        "3:16: warning: the manifest makes 8 packs, 2 over the limit of 6: each set of tags that occurs is a pack; "
          + "drop or merge tags",
        "note: the tags in most tag sets: \"L1\" in 4, \"L2\" in 4, \"de\" in 2",
        "note: without the tag \"de\" there would be 6 packs",
        "note: with \"L1\" and \"L2\" as one tag there would be 4 packs",
      ])
  }

  /// Files whose only tag is dropped stay in the app bundle: their pack goes away.
  @Test func droppingATagMayDropItsPack() throws {
    let plan = try SyntheticPlan(
      [.init("a", 9, "A"), .init("ab", 9, "A", "B"), .init("c", 9, "C")], "\"limits\": {\"packCount\": 1}")
    #expect(
      plan.lines(of: "pack-count").dropFirst() == [
        "note: the tags in most tag sets: \"A\" in 2, \"B\" in 1, \"C\" in 1",
        "note: without the tag \"A\" there would be 2 packs",
        "note: with \"A\" and \"B\" as one tag there would be 2 packs",
      ])
  }
}
