import Formats
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
