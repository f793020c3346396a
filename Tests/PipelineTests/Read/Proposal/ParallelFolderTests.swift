@testable import Formats
@testable import Model
@testable import Pipeline
import Testing

/// Tests which folders have the same subfolders, and the tags of these subfolders.
@Suite struct ParallelFolderTests {
  private func parallel(_ folders: [(name: String, inner: [String])], size: Int64 = 1_000_000)
    -> ParallelFolders?
  {
    let files = folders.flatMap { folder in
      folder.inner.map { UntaggedFile(path: "\(folder.name)/\($0)/x", size: size) }
    }
    let tree = FolderTree(of: files)
    return ParallelFolders(in: tree.folders[0], of: tree, sizes: ProposalSizes(whole: 20_000_000))
  }

  private let levels = ["forest", "cave", "city"]

  private func rule(_ folders: [(name: String, inner: [String])]) -> String? {
    parallel(folders).map { found in
      "\(found.rule.rule.text.value) = \(found.rule.rule.templates.map(\.text.value).joined())"
    }
  }

  @Test func `subfolders of one name get one tag`() throws {
    #expect(rule([("images", levels), ("sounds", levels)]) == "{images,sounds}/*/** = Level $1")
    #expect(rule([("images", levels), ("maps", levels)]) == "{images,maps}/*/** = Map $1")
    let found = try #require(parallel([("images", levels), ("other", ["a"]), ("sounds", levels + ["sky"])]))
    #expect(found.paths == ["images", "sounds"] && found.sharedTags.isEmpty && found.firstLanguage == nil)
    let shared = ["common", "shared", "base", "core"]
    #expect(
      parallel([("images", levels + shared), ("sounds", levels + shared)])?.sharedTags
        == ["Level base", "Level common", "Level core", "Level shared"])
    let languages = ["de", "en", "fr"]
    let spoken = try #require(parallel([("images", languages), ("sounds", languages)]))
    #expect(
      spoken.rule.rule.templates.map(\.text.value) == ["Language $1"] && spoken.firstLanguage == "Language en"
    )
    #expect(
      parallel([("images", ["de", "it", "fr"]), ("sounds", ["de", "it", "fr"])])?.firstLanguage == nil)
  }

  @Test func `most subfolders are in both folders`() {
    let more = ["sky", "ice", "sea", "sun"]
    #expect(rule([("images", levels + more.prefix(3)), ("sounds", levels)]) != nil)
    #expect(rule([("images", levels + more), ("sounds", levels)]) == nil)
    #expect(rule([("images", Array(levels.prefix(2))), ("sounds", Array(levels.prefix(2)))]) == nil)
    #expect(rule([("images", levels)]) == nil && rule([("images", levels), ("a,b", levels)]) == nil)
  }

  @Test func `the folders contain what an app requests`() {
    #expect(rule([("bow", levels), ("sword", levels)]) == nil)
    #expect(rule([("images", levels), ("ui", levels)]) != nil)
    // Most of the folders must be media, or parts of an interface.
    #expect(rule([("images", levels), ("bow", levels)]) == nil)
    #expect(
      rule([("images", levels), ("sounds", levels), ("bow", levels)]) == "{bow,images,sounds}/*/** = Level $1"
    )
    #expect(rule([("ui", levels), ("scripts", levels)]) == nil)
    #expect(rule([("images", levels + ["ui", "icons"]), ("sounds", levels + ["ui", "icons"])]) == nil)
    #expect(rule([("images", levels + ["ui"]), ("sounds", levels + ["ui"])]) != nil)
  }

  @Test func `small folders are not worth tags`() {
    let folders = [(name: "images", inner: levels), (name: "sounds", inner: levels)]
    #expect(parallel(folders, size: 333_334) != nil && parallel(folders, size: 333_333) == nil)
  }
}
