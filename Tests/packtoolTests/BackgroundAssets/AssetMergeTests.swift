import Foundation
@testable import Model
@testable import Pipeline
@testable import System
@testable import packtool
import Support
import Testing

/// Tests which packs are combined by `plan --merge` and the manifest's key `merge`, and at which cost.
@Suite struct AssetMergeTests {
  private func pack(_ size: Int64, _ tags: String..., delivery: Delivery = .onDemand) -> CombinePlan.Pack {
    CombinePlan.Pack(tags: tags.sorted(), size: size, delivery: delivery)
  }

  /// Combining two packs has a cost: users who need only one of them download the other as well.
  @Test func `the cheapest are joined first`() {
    let packs = [pack(1000, "A"), pack(10, "A", "B"), pack(20, "B"), pack(500, "C")]
    let plan = CombinePlan(of: packs, maxPacks: 2)
    #expect(plan.groups == [[0, 1, 2]] || plan.groups == [[1, 2, 3]])
    #expect(plan.steps[0].packs == [[1], [2]])
    #expect(plan.steps[0].size == 20 && plan.steps[0].requests.map(\.size) == [20])
    #expect(plan.steps.map(\.packCount) == [3, 2])
  }

  @Test func `the request that costs most is named first`() {
    let plan = CombinePlan(of: [pack(1000, "A"), pack(10, "B")], maxPacks: 1)
    #expect(plan.steps[0].requests.map(\.request) == [.tag("B"), .tag("A")])
    #expect(plan.steps[0].requests.map(\.size) == [1000, 10])
  }

  /// Packs that come with the app are downloaded by every user, so this counts as a request.
  @Test func `deliveries are requests too`() {
    let packs = [
      pack(100, "A", delivery: .initialInstall), pack(10, "B"), pack(10, "C", delivery: .prefetch),
    ]
    let steps = CombinePlan(of: packs, maxPacks: 1).steps
    #expect(steps.map(\.packs) == [[[1], [2]], [[0], [1, 2]]])
    #expect(steps[0].requests.map(\.request) == [.tag("B"), .tag("C"), .prefetch])
    #expect(steps[1].requests.map(\.request).contains(.initialInstall))
  }

  /// The cost of a step is the number of bytes that requests download unnecessarily because of the step.
  ///
  /// The test computes this number from the packs.
  @Test(arguments: 1...8) func `costs are what is downloaded more`(seed: Int) {
    var random = Lottery(seed: seed)
    var sets: Set<[String]> = []
    while sets.count < 24 {
      sets.insert(Array(Set((0...random.next(3)).map { _ in "T\(random.next(9))" })).sorted())
    }
    let packs: [CombinePlan.Pack] = sets.sorted { $0.lexicographicallyPrecedes($1) }.map {
      CombinePlan.Pack(
        tags: $0, size: Int64(random.next(5000)),
        delivery: $0.contains("T0") ? .initialInstall : $0.contains("T1") ? .prefetch : .onDemand)
    }
    func total(_ group: [Int]) -> Int64 { group.reduce(0) { $0 + packs[$1].size } }
    func has(_ group: [Int], _ delivery: Delivery) -> Bool {
      group.contains { packs[$0].delivery == delivery }
    }
    // Returns the number of unnecessary bytes: those of the other group, for all requests that need only one
    // of the two groups.
    func forNothing(_ one: [Int], _ other: [Int]) -> Int64 {
      let tags = Set(one.flatMap { packs[$0].tags }).subtracting(other.flatMap { packs[$0].tags }).count
      let installs = has(one, .initialInstall) && !has(other, .initialInstall)
      let prefetches =
        !has(one, .initialInstall) && has(one, .prefetch)
        && !has(other, .initialInstall) && !has(other, .prefetch)
      return Int64(tags + (installs ? 1 : 0) + (prefetches ? 1 : 0)) * total(other)
    }
    var groups = packs.indices.map { [$0] }
    for step in CombinePlan(of: packs, maxPacks: 5).steps {
      let joined = step.packs.flatMap(\.self).sorted()
      groups = groups.filter { !joined.contains($0[0]) } + [joined]
      let (one, other) = (step.packs[0], step.packs[1])
      #expect(forNothing(one, other) + forNothing(other, one) == step.size)
      #expect(groups.count == step.packCount && step.requests.reduce(0) { $0 + $1.size } == step.size)
    }
    #expect(groups.count <= 5)
  }

  /// With the queue, the same pairs are found as with a comparison of all pairs, even if many costs are
  /// equal.
  @Test(arguments: 1...12) func `no pair is cheaper`(seed: Int) {
    var random = Lottery(seed: seed)
    var sets: Set<[String]> = []
    while sets.count < 40 {
      sets.insert(Array(Set((0...random.next(4)).map { _ in "T\(random.next(12))" })).sorted())
    }
    let packs: [CombinePlan.Pack] = sets.sorted { $0.lexicographicallyPrecedes($1) }.map {
      // There are only a few different sizes, including 0, so that many costs are equal.
      CombinePlan.Pack(
        tags: $0, size: [0, 1, 1, 5, 1000, 1001, 1 << 40][random.next(7)],
        delivery: $0.contains("T0") ? .initialInstall : $0.contains("T1") ? .prefetch : .onDemand)
    }
    #expect(CombinePlan(of: packs, maxPacks: 1).steps.map(\.packs) == AllPairs(packs).steps)
  }

  /// With this many packs, it would take minutes to compare all pairs in each step.
  @Test func `many packs are joined at once`() {
    var random = Lottery(seed: 7)
    let packs: [CombinePlan.Pack] = (0..<1200).map { number in
      CombinePlan.Pack(
        tags: (["N\(number)"] + (0..<random.next(4)).map { _ in "T\(random.next(300))" }).sorted(),
        size: Int64(1) << random.next(30) + Int64(random.next(1000)), delivery: .onDemand)
    }
    let plan = CombinePlan(of: packs, maxPacks: 200)
    #expect(plan.steps.count == 1000 && plan.steps.last?.packCount == 200)
  }

  @Test func `huge sizes do not overflow`() {
    let packs = (0..<5).map { pack(.max - Int64($0), "A\($0)", "B\($0)") }
    #expect(CombinePlan(of: packs, maxPacks: 1).steps.last?.packCount == 1)
    let many = (0...CombinePlan.maxPacks).map { pack(1, "\($0)") }
    #expect(CombinePlan(of: many, maxPacks: 5).steps.isEmpty)
  }

  private static let rules = """
    {"path": "1", "tags": ["A"]}, {"path": "2", "tags": ["A", "B"]}, {"path": "3", "tags": ["B"]}, {"path": "4", "tags": ["C"]}
    """

  private func site(_ keys: String) throws -> AssetSite {
    let site = try AssetSite(rules: Self.rules, keys: keys)
    for (number, size) in [1000, 10, 20, 50_000].enumerated() {
      try site.folder.write("Assets/\(number + 1)", Data(repeating: UInt8(number), count: size))
    }
    return site
  }

  @Test func `a plan tells steps and costs`() throws {
    let site = try site("\"container\": \"zip\"")
    let text = runTool("plan", site.folder.path, "--merge", "3").output
    #expect(
      text.contains(
        "combine to at most 3 packs: 1 step, 4 → 3 packs, 20 bytes downloaded unnecessarily if each tag is requested once"
      ))
    #expect(text.contains("{\"A\", \"B\"} with {\"B\"}") && text.contains("\"A\" 20 bytes"), "\(text)")
    #expect(
      runTool("plan", site.folder.path, "--merge", "9").output.contains(
        "combine: the plan has 4 packs, which is at most 9\n")
    )
    let json = try #require(
      try JSONSerialization.jsonObject(
        with: Data(runTool("plan", site.folder.path, "--merge", "3", "--format", "json").output.utf8))
        as? [String: Any])
    let merge = try #require(json["merge"] as? [String: Any])
    #expect(merge["packs"] as? Int == 3 && merge["groups"] as? [[String]] == [["A+B", "B"]])
    #expect((merge["steps"] as? [[String: Any]])?.first?["forNothing"] as? Int == 20)
    #expect(runTool("plan", site.folder.path, "--merge", "0").status == .usage)
  }

  /// The manifest's key combines the packs that the plan proposed.
  ///
  /// The key is a number, or the groups of the plan.
  @Test(arguments: ["3", "[[\"A+B\", \"B\"]]"]) func `the manifest joins`(merge: String) throws {
    let site = try site("\"merge\": \(merge)")
    #expect(site.build().status == .done)
    #expect(site.names("packs").count == 3)
    #expect(try site.folder.files(below: "out/packs/\(site.id(of: "A", "B"))").keys.sorted() == ["2", "3"])
    let tags = try #require(try site.json("out/tags.json")["tags"] as? [String: [String]])
    #expect(tags["A"]?.count == 2 && tags["B"]?.count == 1)
    #expect(site.verify().status == .done)
    // Other layouts have the same packs.
    #expect(runTool("plan", site.folder.path).output.contains(": 3 packs, 4 files"))
  }

  @Test(arguments: [
    ("[[\"A+B\", \"Bx\"]]", #"[unknown-pack] "Bx""#),
    ("0", "[invalid-value] 1"), ("[[\"A\"]]", "[invalid-value] 2"),
    ("\"3\"", "[wrong-type]"),
    ("[[1, 2]]", "[wrong-type]"),
  ])
  func `keys that are wrong`(merge: String, facts: String) throws {
    let site = try site("\"merge\": \(merge)")
    let run = runTool("validate", site.folder.path)
    #expect(run.status == .inputHasErrors && run.errors.hasFacts(facts), "\(run.errors)")
  }

  /// If two groups have a pack in common, they become one group.
  @Test func `groups may overlap`() throws {
    let site = try site("\"merge\": [[\"A\", \"B\"], [\"B\", \"C\"]]")
    #expect(site.build().status == .done)
    #expect(try site.id(of: "A", "B", "C").isEmpty == false)
    #expect(site.names("packs").count == 2)
  }
}

/// Random numbers that are the same in every run.
private struct Lottery {
  private var state: UInt64

  init(seed: Int) {
    state = UInt64(seed)
  }

  mutating func next(_ count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % count
  }
}

/// Combines packs by comparing all pairs in each step.
private struct AllPairs {
  private struct Group {
    var packs: [Int]
    var requests: Set<String>
    var size: Int64
  }

  /// The groups of packs after each step.
  ///
  /// The index is the number of packs.
  var steps: [[[Int]]] = []

  init(_ packs: [CombinePlan.Pack]) {
    var groups = packs.enumerated().sorted {
      $0.element.tags.lexicographicallyPrecedes($1.element.tags)
    }.map { number, pack in
      let install = pack.delivery == .initialInstall ? ["+install"] : []
      let prefetch = pack.delivery == .prefetch ? ["+prefetch"] : []
      return Group(packs: [number], requests: Set(pack.tags + install + prefetch), size: pack.size)
    }
    while groups.count > 1 {
      var best: (cost: [Int64], first: Int, second: Int)?
      for first in groups.indices {
        for second in groups.indices where second > first {
          let cost = Self.cost(groups[first], groups[second])
          if best.map({ cost.lexicographicallyPrecedes($0.cost) }) ?? true { best = (cost, first, second) }
        }
      }
      guard let best else { return }
      let (one, two) = (groups[best.first], groups[best.second])
      steps.append([one.packs.sorted(), two.packs.sorted()])
      groups[best.first] = Group(
        packs: one.packs + two.packs, requests: one.requests.union(two.requests), size: one.size + two.size)
      if groups[best.first].requests.contains("+install") { groups[best.first].requests.remove("+prefetch") }
      groups.remove(at: best.second)
    }
  }

  private static func cost(_ one: Group, _ two: Group) -> [Int64] {
    func paying(_ one: Group, _ two: Group) -> Int64 {
      let isThere = two.requests.contains("+install")
      return Int64(one.requests.subtracting(two.requests).subtracting(isThere ? ["+prefetch"] : []).count)
    }
    return [two.size * paying(one, two) + one.size * paying(two, one), one.size + two.size]
  }
}
