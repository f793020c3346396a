import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the bytes in the initial install and the prefetch that are there only because their files have other
/// tags in addition.
@Suite struct PulledInPacksTests {
  /// Returns a plan with stamps in three languages.
  ///
  /// One language is in the initial install.
  private func stamps(_ sizes: [Int64], _ lists: String) throws -> SyntheticPlan {
    try SyntheticPlan(
      [
        .init("1", sizes[0], "theme-animals"), .init("2", sizes[1], "lang-en", "theme-animals"),
        .init("3", sizes[2], "lang-el", "theme-animals"), .init("4", sizes[3], "lang-ro", "theme-animals"),
        .init("5", sizes[4], "lang-el", "theme-food"), .init("6", sizes[5], "theme-food"),
      ], lists)
  }

  private static let initial = #""initialInstallTags": ["lang-en", "theme-animals"]"#

  @Test func `the tags and the saving are named`() throws {
    let plan = try stamps([4_000_000, 2_000_000, 1_500_000, 500_000, 9_000_000, 1], Self.initial)
    #expect(
      plan.lines(of: "dragged-in") == [
        #"11:37: note [dragged-in] 2,000,000 bytes 2.00 MB 8,000,000 bytes 8.00 MB "lang-el" 1.50 MB "lang-ro" 500 kB "theme-animals""#,
        #"note "theme-animals" 2,000,000 bytes 2.00 MB"#,
        #"note "lang-el" "theme-animals" 1,500,000 bytes 1.50 MB "lang-ro" "theme-animals" 500,000 bytes "lang-el + theme-animals""#,
      ])
  }

  /// Packs and tags are sorted by size.
  ///
  /// Tags with the same size are sorted by name.
  @Test func `the largest come first`() throws {
    let sizes: [Int64] = [40, 10, 60, 20, 60, 30]
    let files = sizes.enumerated().map { PlannedFile("\($0)", ["L", "U\($0 + 1)"], size: $1) }
    let others = [PlannedFile("m", ["M", "U1"], size: 5), PlannedFile("own", ["L"], size: 1)]
    let release = Release(of: try makePlan(files + others, initial: ["L", "M"]))
    let pulledIn = try #require(release.pulledInPacks.first)
    #expect(release.pulledInPacks.count == 1 && pulledIn.size == 225)
    #expect(pulledIn.packs.map { release.packs[$0].size } == [60, 60, 40, 30, 20, 10, 5])
    #expect(pulledIn.unlisted.map(\.tag) == ["U3", "U5", "U1", "U6", "U4", "U2"])
    #expect(pulledIn.unlisted.map(\.size) == [60, 60, 45, 30, 20, 10])
    #expect(pulledIn.listed.map(\.tag) == ["L", "M"] && pulledIn.listed.map(\.saving) == [220, 5])
  }

  /// The finding is reported from 1 MB, and only if this is at least 25 percent of the download.
  @Test(arguments: [
    ([1, 0, 999_999, 0, 0, 0], 0), ([1, 0, 1_000_000, 0, 0, 0], 1), ([0, 0, 1_000_000, 0, 0, 0], 0),
    ([3_000_004, 0, 1_000_000, 0, 0, 0], 0),
    ([2_999_999, 0, 600_000, 400_000, 0, 0], 1), ([3_000_000, 0, 1_000_000, 0, 0, 0], 1),
  ])
  func `little is quiet`(sizes: [Int64], findings: Int) throws {
    #expect(try stamps(sizes, Self.initial).findings().count { $0.check == .draggedIn } == findings)
  }

  @Test func `the prefetch has its own`() throws {
    let plan = try stamps(
      [1, 1, 2_000_000, 1, 3_000_000, 1],
      #""initialInstallTags": ["lang-en"], "prefetchTagOrder": ["theme-food", "theme-animals"]"#)
    let found = plan.findings().filter { $0.check == .draggedIn }
    #expect(found.map(\.place.position?.line) == [11])
    #expect(
      found.first?.names("5,000,001 bytes", "5.00 MB", "5,000,003 bytes") == true, "\(found)")
    // The finding is at the tag whose removal would save more.
    #expect(found.first?.place.position?.column == 59)
    #expect(
      found.first?.notes.map(\.namedValues).prefix(2) == [
        #""theme-food" 3,000,000 bytes 3.00 MB"#, #""theme-animals" 2,000,001 bytes 2.00 MB"#,
      ])
  }

  /// If a file has several listed tags, it stays in the download when one of these tags is removed.
  @Test func `one tag of two saves nothing`() throws {
    let plan = try SyntheticPlan(
      [.init("1", 2_000_000, "A", "B", "C"), .init("2", 1, "A"), .init("3", 1, "B"), .init("4", 1, "C")],
      #""initialInstallTags": ["A", "B"]"#)
    let pulledIn = try #require(Release(of: plan.plan).pulledInPacks.first)
    #expect(pulledIn.size == 2_000_000)
    #expect(pulledIn.listed.map(\.tag) == ["A", "B"])
    #expect(pulledIn.listed.map(\.saving) == [0, 0])
    #expect(pulledIn.unlisted.map(\.tag) == ["C"])
    #expect(plan.lines(of: "dragged-in").count == 2)
  }

  /// If every pack were pulled in, the list would be empty after following the advice of the note.
  @Test func `a list is not emptied`() throws {
    let files = [SyntheticPlan.File("1", 2_000_000, "rest", "space")]
    let list = #""prefetchTagOrder": ["space"]"#
    #expect(Release(of: try SyntheticPlan(files, list).plan).pulledInPacks.isEmpty)
    #expect(try SyntheticPlan(files, list).lines(of: "dragged-in") == [])
    let more = try SyntheticPlan(files + [.init("2", 1, "space")], list)
    #expect(more.findings().count { $0.check == .draggedIn } == 1)
  }

  /// `diff` proposes such tags for files that change often; "Level 12" is a different level.
  @Test(arguments: [
    ("Level 1 update", true), ("Level 1-music", true), ("Level 12", false), ("level 1 b", false),
  ])
  func `a tag that extends a listed one goes with it`(tag: String, goes: Bool) throws {
    let plan = try SyntheticPlan(
      [.init("1", 9, "Level 1"), .init("2", 9, "Level 1", tag)], #""initialInstallTags": ["Level 1"]"#)
    #expect(Release(of: plan.plan).pulledInPacks.isEmpty == goes)
  }

  /// Tags of the prefetch order are listed tags as well.
  @Test func `listed tags drag nothing`() throws {
    let plan = try stamps(
      [1, 1, 2_000_000, 2_000_000, 1, 1],
      #""initialInstallTags": ["theme-animals"], "prefetchTagOrder": ["lang-el", "lang-ro", "lang-en", "theme-food"]"#
    )
    #expect(Release(of: plan.plan).pulledInPacks.isEmpty)
    #expect(plan.lines(of: "dragged-in") == [])
  }

  @Test func `three tags and three packs are named`() throws {
    let tags = ["L1", "L2", "L3", "L4"]
    let files = tags.enumerated().flatMap { number, tag in
      [
        SyntheticPlan.File("\(tag)/own", 1, tag),
        .init("\(tag)/more", 2_000_000 + Int64(number), tag, "More"),
      ]
    }
    let plan = try SyntheticPlan(files, #""initialInstallTags": ["L1", "L2", "L3", "L4"]"#)
    #expect(
      plan.lines(of: "dragged-in") == [
        #"13:44: note [dragged-in] 8,000,006 bytes 8.00 MB 8,000,010 bytes 8.00 MB "More" 8.00 MB "L4" "L3" 2"#,
        #"note "L4" 2,000,003 bytes 2.00 MB"#, #"note "L3" 2,000,002 bytes 2.00 MB"#,
        #"note "L2" 2,000,001 bytes 2.00 MB"#,
        #"note "L4" "More" 2,000,003 bytes 2.00 MB "L3" "More" 2,000,002 bytes 2.00 MB "L2" "More" 2,000,001 bytes 2.00 MB "L4 + More""#,
      ])
  }
}
