import Support
import Testing

/// Tests the checks of tags and of the packs that result from them.
@Suite struct TagCheckTests {
  @Test func `collision names both tag sets`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "a", "b"), .init("2", 9, "c"), .init("3", 9, "a:b")])
    #expect(
      plan.lines(of: "identifier-collision") == [
        #"6:28: error [identifier-collision] "a" "b" "a:b" "com.example.game.asset-pack-d8160c9b3dc20d4e931aeb4f45262155" ":""#
      ])
  }

  @Test func `three sets collide in pairs`() throws {
    let plan = try SyntheticPlan([
      .init("1", 9, "a", "b", "c"), .init("2", 9, "a:b", "c"), .init("3", 9, "a", "b:c"), .init("4", 9, "d"),
    ])
    #expect(plan.lines(of: "identifier-collision").count == 2)
  }

  @Test func `colon alone is no collision`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "a:b"), .init("2", 9, "a"), .init("3", 9, "b", "c")])
    #expect(plan.lines(of: "identifier-collision") == [])
  }

  @Test func `tags that occur only together`() throws {
    let plan = try SyntheticPlan([
      .init("1", 9, "a", "b"), .init("2", 9, "b", "c", "a"), .init("3", 9, "d"), .init("4", 9, "e", "f"),
    ])
    #expect(
      plan.lines(of: "redundant-tag") == [
        #"4:28: note [redundant-tag] "a" "b" 2"#,
        #"7:28: note [redundant-tag] "e" "f" 1"#,
      ])
  }

  @Test func `three tags are one finding`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "c", "a", "b")])
    #expect(
      plan.lines(of: "redundant-tag") == [
        #"4:33: note [redundant-tag] "a" "b" "c" 1"#
      ])
  }

  /// With `merge` in the manifest, a combined pack has the tags of all its original packs.
  @Test func `joined packs are no evidence`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "a"), .init("2", 9, "b")], "\"merge\": 1")
    #expect(plan.lines(of: "redundant-tag") == [])
  }

  @Test func `listed tags that no file has`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "a")], "\"tags\": [\"a\", \"desert\"]")
    #expect(plan.lines(of: "ungiven-tag") == [#"6:17: note [ungiven-tag] "tags" "desert""#])
  }

  /// A tag is not redundant if it belongs to only some of the files of another tag.
  @Test func `tag within another is not redundant`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "a"), .init("2", 9, "a", "b")])
    #expect(plan.findings(appBundle: 1) == [])
  }

  @Test func `everything in the initial install`() throws {
    let plan = try SyntheticPlan(
      [.init("1", 9, "a"), .init("2", 9, "b"), .init("3", 9, "c", "a")],
      "\"initialInstallTags\": [\"a\", \"b\"]")
    #expect(
      plan.lines(of: "everything-initial") == [
        "8:26: note [everything-initial] 3"
      ])
  }

  @Test(arguments: ["\"initialInstallTags\": [\"a\"]", "\"initialInstallTags\": []"])
  func `something on demand is fine`(lists: String) throws {
    let plan = try SyntheticPlan([.init("1", 9, "a"), .init("2", 9, "b")], lists)
    #expect(plan.lines(of: "everything-initial") == [])
  }

  /// The check is about apps that can choose between packs.
  ///
  /// With one pack, there is no choice.
  @Test func `one pack is no choice`() throws {
    let plan = try SyntheticPlan([.init("1", 9, "a")], "\"initialInstallTags\": [\"a\"]")
    #expect(plan.findings(appBundle: 1) == [])
  }

  /// A plan without problems has no findings.
  @Test func `nothing is found where nothing is wrong`() throws {
    let plan = try SyntheticPlan(
      [.init("1/a", 9, "a"), .init("2/b", 9, "b"), .init("3/ab", 9, "a", "b"), .init("4", 9, "c")],
      "\"initialInstallTags\": [\"a\"]", "\"prefetchTagOrder\": [\"b\"]", "\"appBundle\": {\"size\": 1000}")
    #expect(plan.findings(appBundle: 1000) == [])
  }
}
