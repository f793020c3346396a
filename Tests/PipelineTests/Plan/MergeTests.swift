@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests packs that are combined because of the key `merge` in the manifest.
@Suite struct MergeTests {
  /// Returns the packs for files with these sizes and tags, after `merge` has combined packs.
  private func packs(_ files: [(size: Int64, tags: [String])], maxPacks: Int) throws -> [[String]] {
    let rules = Set(files.flatMap(\.tags)).sorted()
      .map { "{\"path\": \"\($0)\", \"tags\": [\"\($0)\"]}" }.joined(separator: ", ")
    let text =
      "{\"bundleIdentifier\": \"com.example.game\", \"resources\": [\(rules)], \"merge\": \(maxPacks)}"
    let reader = ManifestReader(text: SourceText(path: "Manifest.json", bytes: Array(text.utf8)))
    let manifest = try #require(reader.manifest, "\(reader.diagnostics)")
    var tree = AssetTree(tagSets: TagSets(of: files.flatMap(\.tags)))
    let assets = files.enumerated().map { number, file in
      AssetFile(
        path: "\(1000 + number)", size: file.size, stamp: .unknown, tagSet: tree.tagSets.id(of: file.tags),
        destination: nil)
    }
    tree.files = FileList(assets)
    let (merged, findings) = tree.combined(by: manifest)
    #expect(findings.isEmpty)
    return PackPlan(grouping: merged, of: manifest).packs.map(\.tags).sorted { $0.joined() < $1.joined() }
  }

  /// If A and B are combined, requests download 100 and 401 bytes unnecessarily.
  ///
  /// If A is combined with the pack of C, D and E, requests download 200 bytes once and 100 bytes three times
  /// unnecessarily.
  @Test func `the sums of sizes are exact`() throws {
    let files: [(size: Int64, tags: [String])] = [
      (60, ["A"]), (40, ["A"]), (400, ["B"]), (1, ["B"]), (200, ["C", "D", "E"]),
    ]
    #expect(try packs(files, maxPacks: 2) == [["A", "C", "D", "E"], ["B"]])
    var other = files
    other[2].size = 398
    #expect(try packs(other, maxPacks: 2) == [["A", "B"], ["C", "D", "E"]])
    #expect(try packs(files, maxPacks: 3).count == 3)
    #expect(try packs(files, maxPacks: 1) == [["A", "B", "C", "D", "E"]])
  }
}

/// Tests the steps in which packs are combined.
@Suite struct CombineStepTests {
  private func pack(_ size: Int64, _ tags: String..., delivery: Delivery = .onDemand) -> CombinePlan.Pack {
    CombinePlan.Pack(tags: tags, size: size, delivery: delivery)
  }

  @Test func `a step has sorted tags and requests`() throws {
    let packs = [pack(10, "Z", "a"), pack(10, "M", "z"), pack(10_000, "B")]
    let plan = CombinePlan(of: packs, maxPacks: 2)
    let step = try #require(plan.steps.first)
    #expect(plan.steps.count == 1 && plan.groups == [[0, 1]] && step.packs == [[1], [0]])
    #expect(step.tags == ["M", "Z", "a", "z"] && step.packCount == 2 && step.size == 40)
    #expect(step.requests.map(\.request) == [.tag("M"), .tag("z"), .tag("Z"), .tag("a")])
    #expect(step.requests.map(\.size) == [10, 10, 10, 10])
    let all = CombinePlan(of: packs, maxPacks: 1)
    #expect(all.groups == [[0, 1, 2]] && all.steps.map(\.packCount) == [2, 1])
    #expect(CombinePlan(of: packs, maxPacks: 0).groups == [[0, 1, 2]])
    #expect(
      CombinePlan(of: packs, maxPacks: 3).steps.isEmpty && CombinePlan(of: [], maxPacks: 1).groups == [])
  }

  /// The order of the packs of a plan depends on the identifier of the app.
  @Test func `the order of the packs does not matter`() {
    let names = (0..<12).map { "t\($0)" }
    let packs = names.indices.map { number in
      let tags = [names[number], names[(number * 5 + 3) % 12]].sorted()
      let delivery: Delivery = number % 4 == 0 ? .initialInstall : number % 4 == 1 ? .prefetch : .onDemand
      return CombinePlan.Pack(tags: tags, size: Int64(number % 3) * 100, delivery: delivery)
    }
    func result(_ packs: [CombinePlan.Pack]) -> [[[String]]] {
      CombinePlan(of: packs, maxPacks: 4).groups.map {
        $0.map { packs[$0].tags }.sorted { $0.joined() < $1.joined() }
      }
    }
    var random = SeededRandom(seed: 4)
    let expected = result(packs)
    #expect(expected.count >= 1 && expected.joined().count >= 8)
    for _ in 0..<20 { #expect(result(packs.shuffled(using: &random)) == expected) }
  }

  @Test func `a pack of the initial install is not prefetched`() throws {
    let packs = [
      pack(10, "A", delivery: .initialInstall), pack(20, "B", delivery: .prefetch),
      pack(30, "C", delivery: .prefetch),
    ]
    let steps = CombinePlan(of: packs, maxPacks: 1).steps
    #expect(steps.map(\.packs) == [[[0], [1]], [[0, 1], [2]]])
    #expect(steps[0].requests.map(\.request) == [.tag("A"), .initialInstall, .tag("B")])
    #expect(steps[0].requests.map(\.size) == [20, 20, 10] && steps[0].tags == ["A", "B"])
    #expect(steps[1].requests.map(\.request) == [.tag("A"), .tag("B"), .initialInstall, .tag("C")])
    #expect(steps[1].requests.map(\.size) == [30, 30, 30, 30])
  }

  @Test func `ten thousand packs can be combined`() {
    func steps(_ count: Int, _ maxPacks: Int) -> Int {
      let packs = (0..<count).map { pack(Int64($0), "\($0)") }
      return CombinePlan(of: packs, maxPacks: maxPacks).steps.count
    }
    #expect(steps(CombinePlan.maxPacks, CombinePlan.maxPacks - 1) == 1)
    #expect(steps(CombinePlan.maxPacks + 1, CombinePlan.maxPacks) == 0)
  }

  @Test func `too many packs are an error`() throws {
    func findings(_ count: Int, maxPacks: Int) throws -> [Diagnostic] {
      let text = """
        {"bundleIdentifier": "com.example.game", "resources": [{"path": "a", "tags": ["A"]}],
        "merge": \(maxPacks)}
        """
      let manifest = try #require(readManifest(text).manifest)
      let tags = (0..<count).map { "\($0)" }
      var tree = AssetTree(tagSets: TagSets(of: tags))
      let files = tags.map { tag in
        AssetFile(path: tag, size: 1, stamp: .unknown, tagSet: tree.tagSets.id(of: [tag]), destination: nil)
      }
      tree.files = FileList(files)
      return tree.combined(by: manifest).1
    }
    let found = try findings(CombinePlan.maxPacks + 1, maxPacks: 5)
    #expect(found.map(\.facts) == [#"error [invalid-value] "merge" 10,000 10,001"#])
    #expect(found.map(\.place.position?.line) == [2])
    #expect(try findings(CombinePlan.maxPacks + 1, maxPacks: CombinePlan.maxPacks + 1) == [])
    #expect(try findings(CombinePlan.maxPacks, maxPacks: CombinePlan.maxPacks) == [])
  }
}
