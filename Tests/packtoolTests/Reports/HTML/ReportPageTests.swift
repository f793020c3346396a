import Formats
import Model
import Pipeline
import System
@testable import packtool
import Foundation
import Support
import Testing

/// Tests the files of reports: their size, their bytes, and their contents.
@Suite struct ReportPageTests {
  private static func facts(_ plan: PackPlan) -> ReportFacts {
    ReportFacts(ReportSubject(plan, packs: nil, appSize: 50_000_000), findings: Findings())
  }

  /// Makes a plan with a number of files.
  ///
  /// With `longNames`, their names are as long as file systems allow.
  private static func plan(files count: Int, packs: Int, longNames: Bool = false) throws -> PackPlan {
    let head = (0..<packs).map { "{\"path\": \"p\($0)\", \"tags\": [\"T\($0)\", \"All \($0 % 20)\"]}" }
    let text =
      "{\"bundleIdentifier\": \"com.example.game\", \"resources\": [\(head.joined(separator: ","))], \"initialInstallTags\": [\"T0\", \"All 1\"], \"prefetchTagOrder\": [\"All 2\"]}"
    let folder = try TemporaryFolder()
    try folder.write("Manifest.json", text)
    let manifest = try #require(
      try Preparation(Preparation.Request(argument: folder.path("Manifest.json"), jobs: 1)).manifest)
    var tree = AssetTree(tagSets: TagSets(of: (0..<packs).flatMap { ["T\($0)", "All \($0 % 20)"] }))
    let stamp = FileStamp(try FileOperations.status(of: "/", symlinks: .followed))
    let sets = (0..<packs).map { tree.tagSets.id(of: ["T\($0)", "All \($0 % 20)"]) }
    let long = String(repeating: "<&日\u{202e}", count: 40)
    let assets = (0..<count).map { number in
      let name = "p\(number % packs)/sub\(number % 11)/\(longNames ? long : "")file\(number)"
      return AssetFile(
        path: name, size: Int64(1 + number * 7919 % 1_000_003), stamp: stamp, tagSet: sets[number % packs],
        destination: nil)
    }
    tree.files = FileList(assets.sorted { $0.path.precedesInBytes($1.path) })
    return PackPlan(grouping: tree, of: manifest)
  }

  /// A percentage refers to the number next to it.
  ///
  /// The app together with the initial install is compared with the limit for mobile networks. The initial
  /// install alone is compared with its own limit.
  @Test func `each number has its own limit`() throws {
    let plan = try SyntheticPlan(
      [.init("a", 140_000_000, "A"), .init("b", 60_000_000, "B")], #""initialInstallTags": ["A"]"#
    ).plan
    func figures(appSize: Int64?) -> String {
      ReportFacts(ReportSubject(plan, packs: nil, appSize: appSize), findings: Findings()).figures.text
    }
    let known = figures(appSize: 20_000_000)
    #expect(known.contains("<strong>160 MB</strong> first download"))
    #expect(known.contains(">\(HTML.percent(0.8)) of the advised 200 MB over cellular<"), "\(known)")
    #expect(
      known.contains(">the initial install 140 MB uncompressed, \(HTML.percent(0.07)) of at most 2.00 GB<"))
    let unknown = figures(appSize: nil)
    #expect(unknown.contains("<strong>140 MB</strong> first download") && !unknown.contains("cellular"))
    #expect(unknown.contains(">\(HTML.percent(0.07)) of at most 2.00 GB<"), "\(unknown)")
  }

  @Test(arguments: [(sample(15_000, of: 200_000), 1000, false), (sample(8_000, of: 20_000), 300, true)])
  func `a page stays small`(count: Int, packs: Int, longNames: Bool) throws {
    let bytes = Self.facts(try Self.plan(files: count, packs: packs, longNames: longNames)).page
    #expect(bytes.count <= 1_000_000 && bytes.count > 100_000, "\(bytes.count)")
  }

  @Test func `the treemap has about two thousand rectangles`() throws {
    let facts = Self.facts(try Self.plan(files: 50_000, packs: 100))
    let tree = SizeTree(
      facts.release, names: facts.names, files: facts.files, leafCount: ReportDetail().leaves)
    func leafCount(_ nodes: [SizeTree.Node]) -> Int {
      nodes.reduce(0) { $0 + ($1.children.isEmpty ? 1 : leafCount($1.children)) }
    }
    let leaves = leafCount(tree.nodes)
    #expect((200...2500).contains(leaves), "\(leaves)")
    #expect(tree.nodes.saturatingSum { $0.size } == facts.release.total.size)
    func check(_ node: SizeTree.Node) {
      if node.children.isEmpty { return }
      #expect(node.children.saturatingSum { $0.size } == node.size, "\(node.name)")
      node.children.forEach(check)
    }
    tree.nodes.forEach(check)
  }

  /// The list that the script reads contains every file, including empty files.
  ///
  /// Each file is a line with four fields.
  @Test func `every file is listed`() throws {
    let plan = try SyntheticPlan([
      .init("A/x", 1, "A"), .init("A/empty", 0, "A"), .init("A/sub/a\u{202e}b", 2, "A"), .init("<b>", 3, "B"),
    ]).plan
    let facts = Self.facts(plan)
    let tree = SizeTree(facts.release, names: facts.names, files: facts.files, leafCount: 100)
    let lines = tree.lines(tree.nodes, at: 1).text.split(separator: "\n").map { line in
      line.split(separator: "\u{1f}", omittingEmptySubsequences: false).map(String.init)
    }
    #expect(lines.areAll { $0.count == 4 }, "\(lines)")
    #expect(
      Set(lines.filter { $0[0].hasPrefix("4f") }.map { "\($0[0]) \($0[2])" })
        == ["4f1 x", "4f0 empty", "4f2 a\\u{202e}b", "4f3 <b>"])
    #expect(lines.filter { $0[0].hasPrefix("3d") }.map { $0[2] }.sorted() == [".", "A", "A/sub"])
    let large = Self.facts(try Self.plan(files: 60_000, packs: 300))
    let list = SizeTree.searchList(of: large.release, packNames: large.names, files: large.files)
    #expect((10_000...401_000).contains(list.text.utf8.count), "\(list.text.utf8.count)")
  }

  @Test func `sizes on a page have units of one kind`() {
    #expect(
      "94,371,840 bytes (90 MiB), 27,262,976 (26 MiB) over 67,108,864 (64 MiB) of \"x (1 GiB)\"".onPage
        == "94,371,840 bytes (94.4 MB), 27,262,976 (27.3 MB) over 67,108,864 (67.1 MB) of \"x (1 GiB)\"")
  }

  @Test func `the script is small`() {
    #expect(reportScript.utf8CodeUnitCount <= 10_240)
  }

  @Test func `the same input gives the same bytes`() throws {
    let site = try TwoReleases(
      ["A/x": "x", "A+B/y": "yy", "C/z": "zzz"], ["A/x": "x2", "A+B/y": "yy", "D/z": "zzz"])
    var pages: Set<Data> = []
    for jobs in ["1", "4"] {
      let run = runTool(
        "report", site.new, "--baseline", site.old, "--jobs", jobs, "-o", site.folder.path("r.html"))
      #expect(run.status == .done && run.output.hasPrefix("wrote "), "\(run.errors)")
      pages.insert(try site.folder.read("r.html"))
    }
    #expect(pages.count == 1)
  }

  /// A report includes the facts about earlier releases, compressed sizes and scenarios.
  @Test func `reports have the facts of their flags`() throws {
    let site = try TwoReleases(["A/x": "x", "B/y": "yy"], ["A/x": "x2", "B/y": "yy"])
    let folder = site.folder
    try folder.write(
      "s.json", #"{"link": "3G", "steps": [{"install": true}, {"begin": ["B"], "as": "b"}, {"await": "b"}]}"#)
    #expect(runTool("build", site.new, "-o", folder.path("out"), "-q").status == .done)
    let runs: [([String], String)] = [
      ([site.new, "--baseline", site.old], "Cost of the update"),
      ([folder.path("out"), "--baseline", site.old], "Cost of the update"),
      ([site.new, "--scenario", folder.path("s.json")], "Waits of players"),
      ([site.new, "--built", folder.path("out")], "compressed"),
      ([folder.path("out"), "--scenario", folder.path("s.json")], "Waits of players"),
    ]
    for (words, heading) in runs {
      let path = folder.path("page.html")
      try? FileManager.default.removeItem(atPath: path)
      let run = runTool(words: ["report"] + words + ["-o", path])
      #expect(run.status == .done, "\(words) \(run.errors)")
      let page = String(decoding: try folder.read("page.html"), as: UTF8.self)
      #expect(
        page.hasPrefix("<!DOCTYPE html>") && page.hasSuffix("</html>\n") && page.contains(heading), "\(words)"
      )
    }
    let built = String(decoding: try folder.read("page.html"), as: UTF8.self)
    #expect(!built.contains("compressed sizes unknown"))
  }

  @Test func `mistakes are in the report`() throws {
    let folder = try TemporaryFolder()
    try folder.writeManifest([.path("lost", "<b>")])
    let run = runTool("report", folder.path, "-o", folder.path("r.html"))
    #expect(run.status == .inputHasErrors)
    let page = String(decoding: try folder.read("r.html"), as: UTF8.self)
    #expect(page.contains("<strong>Error.</strong> 1 error, ") && page.contains(/Manifest.json:4:[0-9]+</))
    // Without a manifest, there is nothing to show.
    #expect(runTool("report", folder.path("lost"), "-o", folder.path("r2.html")).status == .inputHasErrors)
    #expect(!FileManager.default.fileExists(atPath: folder.path("r2.html")))
  }

  @Test func `words that do not go together`() throws {
    #expect(runTool("report", ".").status == .usage)
    let same = runTool("report", ".", "-o", "x.html", "--findings", "x.html")
    #expect(same.status == .usage && same.errors.refuses(naming: "x.html"))
  }
}
