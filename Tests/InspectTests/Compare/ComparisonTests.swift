@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests comparisons of random releases.
///
/// The results are checked with a simple algorithm that uses sets of files.
@Suite struct ComparisonTests {
  /// A file of a release; `content` determines its digest and size.
  private struct Asset: Hashable {
    let path: String
    let content: Int
    let tags: [String]

    var size: Int64 { Int64(content % 7 * 100 + 1) }
  }

  private func release(_ files: [Asset], initial: [String]) throws -> ReleaseContents {
    let plan = try makePlan(
      files.map { PlannedFile($0.path, $0.tags, size: $0.size) }, initial: initial)
    let digests = files.map { asset in
      SHA256.digest(of: Array("\(asset.content)".utf8).span.bytes)
    }
    return ReleaseContents(named: "release", plan: plan, fileDigests: digests)
  }

  private func randomFiles(_ random: inout SeededRandom) -> [Asset] {
    let tags = [["A"], ["B"], ["A", "B"], ["C"]]
    return (0..<12).shuffled(using: &random).prefix(.random(in: 0...12, using: &random)).map { number in
      Asset(
        path: "f\(number)", content: .random(in: 0...9, using: &random),
        tags: tags[.random(in: 0..<tags.count, using: &random)])
    }
  }

  @Test(arguments: 0..<200) func `totals are what sets say`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let (before, after) = (randomFiles(&random), randomFiles(&random))
    let lists = (Bool.random(using: &random) ? ["A"] : ["B"], ["A"])
    let update = Comparison(
      old: try release(before, initial: lists.0), new: try release(after, initial: lists.1))
    let old = Dictionary(grouping: before, by: \.tags).mapValues(Set.init)
    let new = Dictionary(grouping: after, by: \.tags).mapValues(Set.init)
    for change in update.packs {
      let (gone, come) = (old[change.tags], new[change.tags])
      let status: PackChange.Status =
        gone == nil ? .added : come == nil ? .removed : gone == come ? .unchanged : .changed
      #expect(change.status == status)
      #expect(change.size == (come ?? gone ?? []).reduce(0) { $0 + $1.size })
      let paths = (Set((gone ?? []).map(\.path)), Set((come ?? []).map(\.path)))
      #expect(change.count(.added) == paths.1.subtracting(paths.0).count)
      #expect(change.count(.removed) == paths.0.subtracting(paths.1).count)
      #expect(change.fileBytes == (come ?? []).subtracting(gone ?? []).reduce(0) { $0 + $1.size })
    }
    #expect(Set(update.packs.map(\.tags)) == Set(old.keys).union(new.keys))
    for user in [User.everything, .initialInstall, .having(["B"]), .having(["C", "B"])] {
      #expect(update.download(forUserWith: user) == expected(user, old, new, lists))
    }
    #expect(update.packs.map(\.id) == update.packs.map(\.id).sorted { $0.precedesInBytes($1) })
    #expect(update.moves.map { update.new.path($0.file) } == moved(before, after))
    for pack in update.packs {
      #expect(pack.files.map(path(in: update)) == pack.files.map(path(in: update)).sorted())
    }
    expectMoves(in: update, before, after)
    for delivery in update.downloadsByTag {
      let packs = update.packs.filter {
        $0.tags.contains(delivery.tag) && $0.new != nil && $0.status != .unchanged
      }
      #expect(delivery.download.byPacks == packs.reduce(0) { $0 + $1.size })
    }
    #expect(update.downloadsByTag.map(\.tag) == Set(after.flatMap(\.tags)).sorted())
  }

  private func path(in update: Comparison) -> (PackChange.File) -> String {
    { file in
      file.new.map(update.new.path) ?? file.old.map { text(update.old.contents.path(at: Int($0))) } ?? ""
    }
  }

  private func text(_ path: ArraySlice<UInt8>) -> String { String(decoding: path, as: UTF8.self) }

  /// Checks that each moved file is listed with its old and its new pack, and that the comparison states
  /// correctly whether its content changed.
  ///
  /// If any other new file has the same content as an old file, the comparison must refer to this old file.
  private func expectMoves(in update: Comparison, _ before: [Asset], _ after: [Asset]) {
    let old = Dictionary(uniqueKeysWithValues: before.map { ($0.path, $0) })
    let new = Dictionary(uniqueKeysWithValues: after.map { ($0.path, $0) })
    for move in update.moves {
      let path = update.new.path(move.file)
      #expect(update.old.packs[move.oldPack].tags == old[path]?.tags)
      #expect(update.new.packs[move.newPack].tags == new[path]?.tags)
      #expect(move.isChanged == (old[path]?.content != new[path]?.content))
    }
    for file in update.packs.flatMap(\.files) where file.change == .added && file.otherPack == nil {
      let asset = file.new.flatMap { new[update.new.path($0)] }
      let same = before.filter { $0.content == asset?.content }
      let gone = same.filter { new[$0.path] == nil }
      let found = file.sameContent.map { text(update.old.contents.path(at: Int($0))) }
      #expect((found == nil) == same.isEmpty)
      if let found { #expect((gone.isEmpty ? same : gone).map(\.path).contains(found)) }
    }
  }

  /// Returns the paths whose tags changed.
  private func moved(_ before: [Asset], _ after: [Asset]) -> [String] {
    let tags = Dictionary(uniqueKeysWithValues: before.map { ($0.path, $0.tags) })
    return after.filter { tags[$0.path] != nil && tags[$0.path] != $0.tags }.map(\.path).sorted()
  }

  private func expected(
    _ user: User, _ old: [[String]: Set<Asset>], _ new: [[String]: Set<Asset>],
    _ initial: ([String], [String])
  ) -> Download {
    func has(_ tags: [String], _ initial: [String]) -> Bool {
      switch user {
      case .everything: true
      case .initialInstall: !Set(tags).isDisjoint(with: initial)
      case .having(let asked): !Set(tags).isDisjoint(with: initial + asked)
      }
    }
    let held = old.filter { has($0.key, initial.0) }
    let known = Set(held.values.joined().map(\.content))
    var download = Download()
    var fetched: Set<Int> = []
    for (tags, files) in new where has(tags, initial.1) && held[tags] != files {
      download.packs += 1
      download.byPacks += files.reduce(0) { $0 + $1.size }
      let fresh = files.subtracting(held[tags] ?? [])
      download.byFiles += fresh.reduce(0) { $0 + $1.size }
      for file in fresh where !known.contains(file.content) && fetched.insert(file.content).inserted {
        download.byContent += file.size
      }
    }
    // No pack is built in this test, so the compressed sizes are not known.
    if download.packs > 0 { download.packed = nil }
    return download
  }

  /// Compares updates between random releases with the snapshot file.
  ///
  /// After a change of the code, the diff of the snapshot file shows its effects.
  ///
  /// After an intended change, run `UPDATE_SNAPSHOTS=1 swift test`, then read the diff.
  @Test func `updates of random releases`() throws {
    var lines: [String] = []
    for seed in 500..<550 as Range<UInt64> {
      var random = SeededRandom(seed: seed)
      var files = randomFiles(&random)
      let before = files
      if seed % 2 == 0 { files = randomFiles(&random) }
      // Change only a few files, because then a separate tag for them would help.
      for _ in 0..<Int.random(in: 0...2, using: &random) where seed % 2 == 1 && !files.isEmpty {
        files.remove(at: .random(in: 0..<files.count, using: &random))
      }
      if seed % 4 == 1 { files.append(Asset(path: "new", content: 50, tags: ["A"])) }
      let lists = seed % 5 == 0 ? ["A"] : ["B"]
      let update = Comparison(
        old: try release(before, initial: ["A"]), new: try release(files, initial: lists))
      lines += ["", "seed \(seed)"] + self.lines(of: update)
    }
    try expectSnapshot(lines.joined(separator: "\n") + "\n", at: "Tests/Fixtures/Reports/updates.txt")
  }

  private func lines(of update: Comparison) -> [String] {
    var lines = update.packs.map { pack in
      let files = pack.files.map { file in
        "\(file.change)\(file.otherPack == nil ? "" : ">")\(file.sameContent == nil ? "" : "=") \(path(in: update)(file))"
      }
      return "pack \(pack.tags) \(pack.status) \(pack.oldSize)>\(pack.size) \(pack.fileBytes): \(files)"
    }
    lines += update.remarks.map { remark in
      "remark \(remark.kind) \(remark.tags) \(remark.files) \(remark.proposedTag ?? "") \(remark.saving): "
        + values(in: remark.message)
    }
    for user in [User.everything, .initialInstall, .having(["B", "C"])] {
      let download = update.download(forUserWith: user)
      lines.append("\(download.packs) \(download.byPacks) \(download.byFiles) \(download.byContent)")
    }
    var budgets = Budgets()
    budgets.updateSize = Budget(300)
    budgets.growth = Percentage("5 %").map { Budget($0) }
    budgets.packs = [("A", Budget(700)), ("A+B", Budget(500))]
    let found = BudgetFindings(budgets, manifestText: nil, fallbackPath: "index.json")
    lines += (found.findings(on: update) + found.findings(on: update.new)).flatMap(\.lines)
    return lines
  }

  /// An index can state any sizes.
  ///
  /// Sums must not exceed the largest number.
  @Test func `sums do not overflow`() throws {
    let files = (0..<3).map { PlannedFile("f\($0)", ["A"], size: 1 << 62) }
    let old = ReleaseContents(
      named: "old", plan: try makePlan([PlannedFile("f0", ["A"])]), fileDigests: [.zero])
    var contents = PublishedContents()
    for file in files {
      contents.append(path: Array(file.path.utf8)[...], size: file.size, digest: .zero, packIndex: 0)
    }
    contents.group(into: 1)
    var index = PublishedIndex(text: SourceText(path: "index.json", bytes: []))
    index.bundleIdentifier = "com.example.game"
    let archive = PublishedFile(path: "p", file: WrittenFile(size: 1, digest: .zero))
    index.packs = [
      PublishedIndex.Pack(
        id: old.packs[0].id, name: "", tags: ["A"], delivery: .onDemand, priority: nil, fileCount: 3, size: 1,
        published: PublishedPack(digest: .zero, archive: archive), offset: 0)
    ]
    let update = Comparison(old: old, new: ReleaseContents(named: "new", index: index, contents: contents))
    #expect(update.download(forUserWith: .everything).byPacks == .max)
    #expect(update.new.size == .max)
    #expect(!update.remarks.isEmpty || update.packs.count == 1)
    var budgets = Budgets()
    budgets.updateSize = Budget(5)
    budgets.growth = Percentage("5 %").map { Budget($0) }
    budgets.packs = [("A", Budget(7))]
    let findings = BudgetFindings(budgets, manifestText: nil, fallbackPath: "index.json")
    let found = findings.findings(on: update) + findings.findings(on: update.new)
    #expect(found.map(\.check.id) == ["update-size", "growth", "pack-budget"])
  }
}
