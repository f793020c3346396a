import Formats
@testable import packtool
import Foundation
import Support
import Testing

/// Tests the numbers that reports show in a browser.
///
/// The numbers must be equal to the numbers in the JSON, and their sums must be right.
@Suite(
  .mostlyWaits, .serialized,
  .enabled(if: Browser.isInstalled, "no chromium and chromedriver here: .ci/setup --acceptance installs them")
)
struct ReportNumberTests {
  private func site() throws -> ReportSite { try ReportSite.shared.get() }

  @Test func `numbers are those of the JSON`() throws {
    let site = try site()
    let script = """
      function numbers(id, key) { return Object.fromEntries(Array.from(document.querySelectorAll('#' + id + ' tbody tr')).map(function (row) {
        return [key(row), Array.from(row.querySelectorAll('[data-v]')).map(function (cell) { return +cell.dataset.v })] })) }
      return { packs: numbers('packs', function (row) { return row.dataset.id }),
        tags: numbers('tags', function (row) { return row.cells[0].textContent }),
        limits: numbers('limits', function (row) { return row.cells[0].textContent }) }
      """
    let results = try Browser.visit(
      ["update.html", "plain.html", "game.html"].map { .init(page: $0, script: script) }, in: site.folder)
    for (result, source) in zip(results, ["built2", "2", "game2"]) {
      let plan = try plan(site.folder.path(source))
      let packs = try #require(plan["packs"] as? [[String: Any]])
      for pack in packs {
        let (id, packed) = (try #require(pack["id"] as? String), pack["packed"] as? Int)
        let row = result.value["packs"][id].list.map(\.number)
        #expect(row.prefix(2) == [pack["fileCount"] as? Int, pack["size"] as? Int])
        #expect(packed == nil || row[2] == packed)
      }
      #expect(packs.contains { $0["packed"] != nil } == (source == "built2"))
      for (name, tag) in try #require(plan["tags"] as? [String: [String: Any]]) {
        let row = result.value["tags"][name].list.map(\.number)
        #expect(row.prefix(2) == [(tag["packs"] as? [Any])?.count, tag["size"] as? Int])
      }
      let initial = (plan["initialInstall"] as? [String: Any])?["size"] as? Int
      #expect(result.value["limits"]["initial install"].list.first?.number == initial)
    }
  }

  /// The smallest and the largest size of each pack must be sizes of device classes in the JSON.
  @Test func `devices are those of the JSON`() throws {
    let script = """
      return Array.from(document.querySelectorAll('#devices table')[0].tBodies[0].rows).map(function (row) {
        return [row.cells[0].textContent, +row.cells[1].dataset.v, row.cells[2].textContent, +row.cells[3].dataset.v, row.cells[4].textContent] })
      """
    let rows = try Browser.visit([.init(page: "devices.html", script: script)], in: try site().folder)[0]
      .value.list.map(\.list)
    let plan = try plan("\(packageFolder)/Examples/Devices", "--devices")
    let devices = try #require(plan["devices"] as? [[String: Any]])
    func sizes(_ size: ([String: Any]) throws -> Int) rethrows -> [String: Int] {
      Dictionary(uniqueKeysWithValues: try devices.map { ($0["name"] as! String, try size($0)) })
    }
    func check(_ title: String, _ sizes: [String: Int]) {
      let row = rows.first { $0[0].text == title } ?? []
      #expect(row[1].number == sizes.values.min() && row[3].number == sizes.values.max(), "\(title)")
      #expect(sizes[row[2].text] == row[1].number && sizes[row[4].text] == row[3].number, "\(title)")
    }
    for (key, title) in [
      ("initialInstall", "initial install"), ("prefetch", "prefetch"), ("onDemand", "on demand"),
    ] {
      check(title, sizes { ($0[key] as! [String: Int])["size"]! })
    }
    for pack in try #require(plan["packs"] as? [[String: Any]]) {
      let (id, tags) = (pack["id"] as! String, pack["tags"] as! [String])
      check(tags.joined(separator: " + "), sizes { ($0["packs"] as! [String: Int])[id] ?? 0 })
    }
    check("all packs", sizes { ($0["packs"] as! [String: Int]).values.reduce(0, +) })
    #expect(rows.count == 7)
  }

  /// Tests the report on a game of 20,000 files with three releases.
  ///
  /// The report must summarize the changes and the unnecessary downloads, and be at most one MB large.
  @Test func `a game of many files is summed up`() throws {
    let folder = try site().folder
    #expect(try folder.read("game.html").count <= 1_000_000)
    let script = """
      return [document.querySelectorAll('#map g.f').length, document.querySelectorAll('#map g.r').length,
        Array.from(document.querySelectorAll('#update table')).pop().tBodies[0].rows.length,
        Array.from(document.querySelectorAll('#update table')[0].tBodies[0].rows).map(function (row) { return [row.cells[0].textContent, +row.cells[1].dataset.v, +row.cells[2].dataset.v] })]
      """
    let value = try Browser.visit([.init(page: "game.html", script: script)], in: folder)[0].value.list
    #expect((50...2000).contains(value[0].number ?? 0) && value[1].number ?? 0 > 20, "\(value)")
    #expect(value[2].number == 2)
    let plans = try ["game1", "game2"].map { try plan(folder.path($0)) }
    #expect(
      ((plans[1]["packs"] as? [[String: Any]]) ?? []).map { $0["fileCount"] as! Int }.reduce(0, +) > 20_000)
    for (key, title) in [("initialInstall", "initial install"), ("onDemand", "on demand")] {
      let sizes = plans.map { ($0[key] as? [String: Any])?["size"] as? Int }
      #expect(
        value[3].list.contains { $0.list[0].text == title && $0.list.dropFirst().map(\.number) == sizes })
    }
  }

  private func plan(_ words: String...) throws -> [String: Any] {
    let run = runTool(words: ["plan"] + words + ["--format", "json"])
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func files(_ site: ReportSite, _ built: String) throws -> [(
    path: String, size: Int, packed: Int, pack: String
  )] {
    let folder = try site.folder.files(below: built)
    let list = try #require(folder.first { $0.key.hasPrefix("contents.") }?.value)
    let json = try #require(JSONSerialization.jsonObject(with: list) as? [String: Any])
    return try #require(json["files"] as? [[String: Any]]).map {
      ($0["path"] as! String, $0["size"] as! Int, $0["packed"] as! Int, $0["pack"] as! String)
    }
  }

  @Test func `search sums what matches`() throws {
    let site = try site()
    let script = """
      var out = document.querySelector('#find output');
      return [+out.dataset.n, +out.dataset.v, +out.dataset.z, out.textContent,
        Array.from(document.querySelectorAll('tr.file')).filter(function (row) { return !row.hidden }).length]
      """
    let visits = ["MUSIC", "levels/1", "nothing of the kind"].map {
      Browser.Visit(page: "update.html", actions: [["type", "input[type=search]", $0]], script: script)
    }
    let results = try Browser.visit(visits, in: site.folder)
    for (visit, result) in zip(visits, results) {
      let hits = try files(site, "built2").filter {
        $0.path.lowercased().contains(visit.actions[0][2].lowercased())
      }
      let sums = [hits.count, hits.map(\.size).reduce(0, +), hits.map(\.packed).reduce(0, +)]
      #expect(result.value.list.prefix(3).map(\.number) == sums)
      #expect(result.value.list[4].number == hits.count)
      #expect(
        result.value.list[3].text.contains(ByteSize.text(Int64(sums[1]))), "\(result.value.list[3].text)")
    }
    #expect(results[0].value.list[0].number == 5)
  }

  /// The search must find even the smallest files of a large game.
  ///
  /// A click on a result must show the pack with all its files.
  @Test func `all files are found and drawn`() throws {
    let folder = try site().folder
    let name = "elves/archer-attack-7.png"
    let found = """
      return [+document.querySelector('#find output').dataset.n, document.querySelector('#find li').textContent,
        document.querySelectorAll('#map g:not(.dim) > rect').length,
        document.querySelectorAll('#map g.f').length, document.querySelectorAll('#map g.r').length]
      """
    let search = ["type", "input[type=search]", name]
    let visits: [Browser.Visit] = [
      .init(page: "game.html", actions: [search], script: found),
      .init(page: "game.html", actions: [search, ["click", "#find li button"]], script: found),
    ]
    let values = try Browser.visit(visits, in: folder).map(\.value)
    #expect(values[0].list[0].number == 1 && values[0].list[1].text.hasPrefix("images/units/\(name), "))
    let packs = try #require(plan(folder.path("game2"))["packs"] as? [[String: Any]])
    let pack = try #require(packs.first { $0["tags"] as? [String] == ["Core", "elves"] })
    #expect(
      values[1].list[3].number == pack["fileCount"] as? Int && values[1].list[4].number == 0, "\(values)")
  }

  @Test func `chosen tags say what a request downloads`() throws {
    let site = try site()
    let script = """
      var out = document.querySelector('#choice output');
      return [+out.dataset.n, +out.dataset.v, +out.dataset.along, document.querySelectorAll('.matrix th.on').length, document.querySelectorAll('.matrix th.along').length]
      """
    let plan = try plan(site.folder.path("built2"))
    let packs = try #require(plan["packs"] as? [[String: Any]])
    // The tags that share packs with other tags, with the largest shared packs first.
    let shared = packs.filter { ($0["tags"] as! [String]).count > 1 }
    let sizes = shared.reduce(into: [String: Int]()) { sizes, pack in
      for tag in pack["tags"] as! [String] { sizes[tag, default: 0] += pack["size"] as! Int }
    }
    let order = sizes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    try #require(order.count > 3)
    for chosen in [[0], [0, 1], [2, 3]] {
      let visit = Browser.Visit(
        page: "update.html",
        actions: chosen.map { ["click", ".matrix tbody tr:nth-child(\($0 + 1)) input"] }, script: script)
      let result = try Browser.visit([visit], in: site.folder)[0]
      let tags = Set(chosen.map { order[$0] })
      let hit = packs.filter { !tags.isDisjoint(with: $0["tags"] as! [String]) }
      let along = hit.filter { !tags.isSuperset(of: $0["tags"] as! [String]) }
      func size(of packs: [[String: Any]]) -> Int { packs.reduce(0) { $0 + ($1["size"] as! Int) } }
      let expected: [Int?] = [
        hit.count, size(of: hit), size(of: along), hit.count - along.count, along.count,
      ]
      #expect(result.value.list.map(\.number) == expected)
    }
  }
}
