@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the ids of Background Assets packs.
@Suite struct AssetPackIDTests {
  /// The digits are the first digits of the MD5 of the tags with colons between them, according to `md5sum`.
  @Test(
    arguments: [
      (["foo"], "foo-acbd18db"), (["bar", "foo"], "bar-foo-8856328b"), (["Level 1"], "Level-1-5afaf167"),
      (["日本"], "pack-4dbed2e6"), (["a:b"], "a-b-d8160c9b"), (["--a--b--"], "a-b-403555b0"),
      (["ä b"], "b-529a59d0"),
      ([String(repeating: "x", count: 50)], String(repeating: "x", count: 40) + "-62f01267"),
    ] as [([String], String)])
  func `an id has the tags and digits of their MD5`(tags: [String], id: String) {
    #expect(AssetPackID.made(of: tags) == id)
    #expect(AssetPackID.mistake(in: id) == nil)
  }

  /// An id, and whether packs on each server can have it.
  struct Case: Sendable {
    let id: String
    var isForApple = true
    var isForOwnServer = true

    static func own(_ id: String) -> Case { Case(id: id, isForApple: false) }
    static func neither(_ id: String) -> Case { Case(id: id, isForApple: false, isForOwnServer: false) }
  }

  @Test(arguments: [
    Case(id: "a"), Case(id: "a-b-1"), Case(id: String(repeating: "x", count: 200)), .own("-a"), .own("a-"),
    .own("-"), .own("a.b"), .own("a_b"), .neither(""), .neither(".a"), .neither("a/b"), .neither("é"),
    .neither("a b"), .neither(String(repeating: "x", count: 201)),
  ])
  func `each host has its own rules`(example: Case) {
    #expect((AssetPackID.mistake(in: example.id) == nil) == example.isForApple)
    #expect((AssetPackID.mistake(in: example.id, host: .ownServer) == nil) == example.isForOwnServer)
    #expect(AssetPackID.isName(example.id) == example.isForOwnServer)
  }

  @Test func `each mistake has its own words`() {
    let ids = ["", "-a", "a_b", String(repeating: "x", count: 201)]
    let mistakes = ids.compactMap { AssetPackID.mistake(in: $0) }
    #expect(Set(mistakes).count == 4 && mistakes.last?.names("200") == true)
  }
}

/// Tests which ids the packs of a plan get.
@Suite struct AssetPackIDsTests {
  private let plan: PackPlan

  init() throws { plan = try makePlan(of: [["A"], ["B"], ["A", "B"]]) }

  private func ids(_ ids: AssetPackIDs, of plan: PackPlan) -> [String: String] {
    Dictionary(uniqueKeysWithValues: plan.packs.map { ($0.tags.joined(separator: ","), ids.id(of: $0)) })
  }

  private static let made = ["A": "A-7fc56270", "B": "B-9d5ed678", "A+B": "A-B-0a85c030"]

  @Test func `without a lockfile all ids are new`() {
    let found = AssetPackIDs(of: plan)
    #expect(ids(found, of: plan) == ["A": "A-7fc56270", "B": "B-9d5ed678", "A,B": "A-B-0a85c030"])
    #expect(found.map == Self.made && found.hasNew && found.diagnostics.isEmpty)
  }

  @Test func `ids of a lockfile stay`() {
    let found = AssetPackIDs(of: plan, map: ["A": "mine", "C": "old"])
    #expect(ids(found, of: plan) == ["A": "mine", "B": "B-9d5ed678", "A,B": "A-B-0a85c030"])
    #expect(found.map == ["A": "mine", "B": "B-9d5ed678", "A+B": "A-B-0a85c030", "C": "old"])
    #expect(found.hasNew && found.diagnostics.isEmpty)
    let all = AssetPackIDs(of: plan, map: Self.made)
    #expect(all.map == Self.made && !all.hasNew)
    #expect(AssetPackIDs(of: plan, map: [:]).map == Self.made)
  }

  /// The id of a removed pack stays its own.
  ///
  /// Case does not matter, because ids are names of folders.
  @Test func `a new id differs from all ids of the lockfile`() {
    let map = ["C": "a-7FC56270", "D": "A-7fc56270-2", "E": "B-9d5ed678"]
    let found = AssetPackIDs(of: plan, map: map)
    #expect(ids(found, of: plan) == ["A": "A-7fc56270-3", "B": "B-9d5ed678-2", "A,B": "A-B-0a85c030"])
    #expect(found.diagnostics.isEmpty)
  }

  @Test func `two packs with the same id are an error`() throws {
    let found = AssetPackIDs(of: plan, map: ["A": "x", "B": "X"])
    #expect(found.diagnostics.map(\.check) == [.identifierCollision])
    let tags = try #require(found.diagnostics.first)
    #expect(tags.names("\"A\"", "\"B\"") && tags.message.lowercased().contains("\"x\""))
  }

  /// In a lockfile, the tags are joined with "+".
  @Test func `tags with a plus sign can make two packs one`() throws {
    let plan = try makePlan(of: [["a", "b", "c"], ["a+b", "c"], ["a", "b+c"], ["d"]])
    let found = AssetPackIDs(of: plan, map: [:])
    #expect(found.diagnostics.map(\.check) == [.identifierCollision, .identifierCollision])
    #expect(found.diagnostics.areAll { $0.names("\"a+b+c\"") })
    let given = ids(found, of: plan).filter { !$0.value.isEmpty }
    #expect(given.keys.sorted() == ["a,b,c", "d"])
  }

  @Test func `files can be below a folder named like the id`() throws {
    let plan = try makePlan([
      PlannedFile("x", ["A"]), PlannedFile("y", ["B"], destination: "z/y"), PlannedFile("w", ["A"]),
    ])
    let prefixed = plan.prefixed(by: AssetPackIDs(of: plan, map: ["A": "a", "B": "b"]))
    #expect(prefixed.tree.files.map(\.packPath) == ["a/x", "b/z/y", "a/w"])
    #expect(prefixed.packs.map(\.tags) == plan.packs.map(\.tags))
    #expect(prefixed.packs.first { $0.tags == ["A"] }?.files == [2, 0])
  }
}
