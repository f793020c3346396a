@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests that there is one pack for each tag set, and that it contains all files with these tags.
@Suite struct GroupingTests {
  @Test func `a pack holds the files of exactly its tags`() throws {
    let plan = try makePlan([
      PlannedFile("a", ["A"], size: 1), PlannedFile("b", ["A", "B"], size: 20),
      PlannedFile("c", ["B", "A"], size: 300), PlannedFile("d", ["B"], size: 4000),
      PlannedFile("e", ["A"], size: 0),
    ])
    let byTags = Dictionary(uniqueKeysWithValues: plan.packs.map { ($0.tags, $0) })
    #expect(byTags.count == 3)
    #expect(byTags[["A"]]?.files == [0, 4])
    #expect(byTags[["A"]]?.size == 1)
    #expect(byTags[["A", "B"]]?.files == [1, 2])
    #expect(byTags[["A", "B"]]?.size == 320)
    #expect(byTags[["B"]]?.files == [3])
    #expect(byTags[["B"]]?.size == 4000)
  }

  @Test func `a plan without files has no pack`() throws {
    let plan = try makePlan([], initial: ["A"])
    #expect(plan.packs.isEmpty && plan.tags.isEmpty)
  }

  @Test func `files go by their place in the pack, in byte order`() throws {
    let plan = try makePlan([
      PlannedFile("a/z", ["A"]), PlannedFile("b", ["A"], destination: "a/é"),
      PlannedFile("c", ["A"], destination: "a.b"),
      PlannedFile("d", ["A"], destination: "a/e\u{301}"), PlannedFile("e", ["A"], destination: "B"),
    ])
    let places = plan.packs[0].files.map { plan.tree.files[$0].packPath }
    #expect(places == ["B", "a.b", "a/e\u{301}", "a/z", "a/é"])
  }

  @Test func `a tag downloads all packs that carry it`() throws {
    let plan = try makePlan(
      [
        PlannedFile("a", ["é"], size: 1), PlannedFile("b", ["é", "B"], size: 20),
        PlannedFile("c", ["B"], size: 300),
        PlannedFile("d", ["a"], size: 4000),
      ], initial: ["B"], prefetch: ["é"])
    #expect(plan.tags.map(\.name) == ["B", "a", "é"])
    #expect(plan.tags.map(\.size) == [320, 4000, 21])
    #expect(plan.tags.map(\.delivery) == [.initialInstall, .onDemand, .prefetch])
    #expect(
      plan.tags.map { Set($0.packs.map { plan.packs[$0].tags }) } == [
        [["B", "é"], ["B"]], [["a"]], [["B", "é"], ["é"]],
      ])
  }

  @Test func `deliveries count their files and bytes`() throws {
    let plan = try makePlan(
      [
        PlannedFile("a", ["I"], size: 1), PlannedFile("b", ["I", "P"], size: 20),
        PlannedFile("c", ["P"], size: 300),
        PlannedFile("d", ["x"], size: 4000), PlannedFile("e", ["x", "y"], size: 50_000),
      ], initial: ["I"], prefetch: ["P"])
    #expect(Delivery.allCases.map { Release(of: plan).count(of: $0).files } == [2, 1, 2])
    #expect(Delivery.allCases.map { Release(of: plan).count(of: $0).size } == [21, 300, 54_000])
  }

  @Test func `every file and tag lands in exactly one pack of exactly its set`() throws {
    var random = SeededRandom(seed: 11)
    for _ in 0..<200 {
      let tags = (0..<Int.random(in: 1...12, using: &random)).map { "tag \($0)" }
      let files = (0..<Int.random(in: 0...120, using: &random)).map { number in
        let count = Int.random(in: 1...tags.count, using: &random)
        let size = Int64.random(in: 0...1000, using: &random)
        return PlannedFile("f\(number)", Array(tags.shuffled(using: &random).prefix(count)), size: size)
      }
      let plan = try makePlan(files)
      let packed = plan.packs.flatMap { pack in pack.files.map { (file: $0, tags: pack.tags) } }
      #expect(packed.map(\.file).sorted() == Array(files.indices))
      #expect(packed.allSatisfy { $0.tags == files[$0.file].tags.sorted() })
      #expect(plan.packs.count == Set(files.map { Set($0.tags) }).count)
      #expect(plan.packs.allSatisfy { pack in pack.size == pack.files.reduce(0) { $0 + files[$1].size } })
      #expect(plan.packs.reduce(0) { $0 + $1.size } == files.reduce(0) { $0 + $1.size })
    }
  }
}

/// Tests the storage of tag sets.
///
/// Each set has a number and is stored only once, even if many files have it.
@Suite struct TagSetsTests {
  @Test func `a set is kept once, in whatever order its tags come`() {
    var sets = TagSets(of: ["b", "a", "c", "a"])
    let first = sets.id(of: ["a", "b"])
    #expect(sets.id(of: ["b", "a"]) == first)
    #expect(sets.id(of: ["b", "a", "b"]) == first)
    #expect(sets.id(of: ["a"]) != first)
    #expect(sets.count == 2)
    #expect(sets.tags(of: first) == ["a", "b"])
  }

  @Test func `a union is the set of all tags`() {
    var sets = TagSets(of: ["a", "b", "c", "d"])
    let (ab, bc, d) = (sets.id(of: ["a", "b"]), sets.id(of: ["c", "b"]), sets.id(of: ["d"]))
    let (abc, abd) = (sets.union(ab, bc), sets.union(d, ab))
    #expect(sets.tags(of: abc) == ["a", "b", "c"])
    #expect(sets.tags(of: abd) == ["a", "b", "d"])
    #expect([sets.union(bc, ab), sets.union(abc, ab), sets.union(bc, abc)] == [abc, abc, abc])
    #expect(sets.union(ab, ab) == ab)
    #expect(sets.count == 5)
  }

  @Test func `100,000 files of ten tags are as many sets as there are different ones`() throws {
    let tags = (0..<60).map { "tag \($0)" }
    let sets = (0..<50).map { Array(tags[$0..<$0 + 10]) }
    let plan = try makePlan((0..<100_000).map { PlannedFile("f\($0)", sets[$0 % 50]) })
    #expect(plan.tree.tagSets.count == 50)
    #expect(plan.packs.count == 50)
    #expect(plan.packs.allSatisfy { $0.files.count == 2000 })
  }

  @Test func `100,000 unions of three sets are seven sets at most`() {
    var sets = TagSets(of: ["a", "b", "c"])
    let ids = [["a"], ["b"], ["c"]].map { sets.id(of: $0) }
    var random = SeededRandom(seed: 5)
    var union = ids[0]
    for _ in 0..<100_000 { union = sets.union(union, ids[Int.random(in: 0..<3, using: &random)]) }
    #expect(sets.count <= 7)
    #expect(sets.tags(of: union) == ["a", "b", "c"])
  }
}
