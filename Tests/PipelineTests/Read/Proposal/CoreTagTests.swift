@testable import Formats
@testable import Model
@testable import Pipeline
import Testing

/// Tests which tags of a proposal devices download before an app starts, and which folders stay in the app.
@Suite struct CoreTagTests {
  private func proposal(_ folders: [(name: String, size: Int64)]) -> RuleProposal {
    // The folders have nothing in common, so they are not a family.
    let files = folders.enumerated().map { number, folder in
      UntaggedFile(path: "\(folder.name)/file \(number).f\(number)", size: folder.size)
    }
    return RuleProposal(FolderTree(of: files), of: files, noun: "Part")
  }

  /// Devices download at most 170 MB before an app starts.
  @Test func `the initial install has a limit`() {
    let sizes: [(name: String, size: Int64)] = [
      ("alpha", 50_000_000), ("beta", 50_000_000), ("delta", 20_000_000),
    ]
    let all = proposal(sizes + [("gamma", 50_000_000)])
    #expect(all.initialInstallTags == ["Alpha", "Beta", "Delta", "Gamma"] && all.prefetchTagOrder.isEmpty)
    let less = proposal(sizes + [("gamma", 50_000_001)])
    #expect(less.initialInstallTags == ["Alpha", "Beta", "Delta"] && less.prefetchTagOrder == ["Gamma"])
    #expect(less.mainTag == "Gamma" && all.mainTag == "Alpha")
    // Files that stay in the app are downloaded, too.
    let kept = proposal(sizes + [("gamma", 50_000_000), ("omega", 1)])
    #expect(kept.initialInstallTags == ["Alpha", "Beta", "Delta"] && kept.prefetchTagOrder == ["Gamma"])
    // A tag that is too large does not keep a smaller one from the list.
    let middle = proposal([
      ("alpha", 57_000_000), ("beta", 57_000_000), ("delta", 57_000_000), ("gamma", 50_000_000),
    ])
    #expect(middle.initialInstallTags == ["Alpha", "Beta", "Gamma"] && middle.prefetchTagOrder == ["Delta"])
  }

  @Test func `small and essential folders stay in the app`() {
    func kept(_ folders: [(name: String, size: Int64)]) -> [String] {
      proposal(folders + [("alpha", 40_000_000)]).kept.map { "\($0.path) \($0.reason)" }
    }
    #expect(kept([("fonts", 9_999_999)]).count == 1 && kept([("fonts", 10_000_000)]).isEmpty)
    #expect(kept([("beta", 1_999_999)]) == ["beta small"] && kept([("beta", 2_000_000)]).isEmpty)
    #expect(kept([("docs", 30_000_000), ("tests", 30_000_000)]).count == 2)
  }

  @Test func `music and optional things are not in the initial install`() {
    let found = proposal([("music", 20_000_000), ("mods", 20_000_000), ("alpha", 20_000_000)])
    #expect(found.initialInstallTags == ["Alpha"] && found.prefetchTagOrder.isEmpty)
    #expect(found.rules.map { $0.rule.tags.first?.value } == ["Alpha", "Mods", "Music"])
  }
}
