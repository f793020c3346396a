import Formats
import Inspect
import Model
import Packing
import Pipeline
@testable import Serving
import System
import Foundation
import Support
import Testing

@Suite(.serialized, .noHang) struct LiveReleaseTests {
  @Test func `a new build is served and an old download ends`() throws {
    let site = try ServedSite()
    let pack = try site.built.pack("A")
    let path = ServedSite.encoded(pack.archive.path)
    try site.built.site.write("a/large.bin", Sample.noise(30_000_000))
    try site.rebuild()
    let large = try #require(site.release.table.packs.first { $0.tags == ["A"] })
    #expect(large.size > 30_000_000)
    #expect(try site.get(path).status == 404)
    let file = try #require(site.release.table.paths.first { $0.contains(".A-") })
    let old = try site.published(file)
    let client = try TCPClient(site.port)
    client.write(
      Array("GET /\(ServedSite.encoded(file)) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
    var answer = client.read(1000)
    // The next build removes the file that is being sent.
    try site.built.site.write("a/large.bin", Sample.noise(20_000_000, seed: 2))
    try site.rebuild()
    #expect(try site.get(ServedSite.encoded(file)).status == 404)
    answer += client.readAll()
    #expect(try #require(Answer(answer)).body == old)
  }

  /// Builds are published one after another while a hundred clients download packs.
  @Test(arguments: [false, true]) func `no download is mixed`(isHosted: Bool) throws {
    let site = try isHosted ? ServedSite(hosted: "http://localhost/") : ServedSite()
    let faults = Monitor<[String]>([])
    let port = site.port
    let path = isHosted ? site.release.table.paths.first { $0.contains(".A-") } : nil
    let builds = 1...5
    let clients = Threads(numbered: 0..<100) { _ in
      for _ in 0..<4 {
        // If a client reads the index before a build, the packs in this index can be missing after the build.
        // This can happen once for each build.
        var answer: Answer?
        for _ in 0...(isHosted ? 0 : builds.count) {
          guard let url = path ?? Self.packPath(port) else { continue }
          answer = Self.get(ServedSite.encoded(url), port)
          if answer?.status != 404 { break }
        }
        if answer?.status == 200, answer?["ETag"] == "\"\(TestDigest.hex(of: answer?.body ?? []))\"" {
          continue
        }
        faults.change { $0.append("\(answer?.status ?? 0), \(answer?.body.count ?? 0) bytes") }
      }
    }
    for build in builds {
      try site.built.site.write("a/large.bin", Sample.noise(400_000 + build * 1000, seed: UInt64(build)))
      try site.rebuild()
    }
    clients.join()
    #expect(faults.change { $0 } == [])
  }

  /// Returns the path of a pack from the index that is served now.
  private static func packPath(_ port: UInt16) -> String? {
    guard let answer = get("index.json", port),
      let index = try? JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any],
      let packs = index["packs"] as? [[String: Any]]
    else { return nil }
    let pack = packs.first { $0["tags"] as? [String] == ["A"] }
    return (pack?["archive"] as? [String: Any])?["path"] as? String
  }

  private static func get(_ path: String, _ port: UInt16) -> Answer? {
    guard let client = try? TCPClient(port) else { return nil }
    client.write(Array("GET /\(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
    return Answer(client.readAll(seconds: 60))
  }

  @Test func `a damaged index leaves the build before`() throws {
    let site = try ServedSite()
    let index = try site.published("index.json")
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(site.built.path)/index.json"), options: .atomic)
    #expect(try site.get("index.json").body == index)
    try FileManager.default.removeItem(atPath: "\(site.built.path)/index.json")
    #expect(try site.get("index.json").body == index)
  }

  @Test func `missing packs are reported`() throws {
    let built = try BuiltSite()
    let (gone, changed) = (try built.pack("A"), try built.pack("C"))
    try FileOperations.remove("\(built.path)/\(gone.archive.path)")
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(built.path)/\(changed.archive.path)"))
    let reading = try BuiltTable(built.path)
    #expect(reading.diagnostics.map(\.check.id) == ["damaged-pack", "missing-pack"])
    let paths = try #require(reading.table).paths
    #expect(!paths.contains(gone.archive.path) && !paths.contains(changed.archive.path))
  }

  /// If a program copies a build into the folder, it may write the index before the packs.
  @Test func `a half copied build is looked at again`() throws {
    let built = try BuiltSite()
    let pack = try built.pack("A").archive.path
    let aside = built.site.folder.path("aside")
    try FileManager.default.moveItem(atPath: "\(built.path)/\(pack)", toPath: aside)
    let reading = try BuiltTable(built.path)
    let reported = Monitor<[[Diagnostic]]>([])
    let release = LiveRelease(
      built.path, table: try #require(reading.table), indexPath: reading.indexPath,
      alreadyReported: reading.diagnostics
    ) { _, found in reported.change { $0.append(found) } }
    let path = try RequestPath("/\(ServedSite.encoded(pack))".utf8)
    #expect(release.table(at: 1000)[path] == nil && reported.change { $0 } == [])
    try FileManager.default.moveItem(atPath: aside, toPath: "\(built.path)/\(pack)")
    // The server does not check the folder on every request.
    #expect(release.table(at: 1000.1)[path] == nil)
    #expect(release.table(at: 1001)[path] != nil && reported.change { $0 } == [[]])
    #expect(release.table(at: 2000) === release.table(at: 3000))
  }

  /// While a build is incomplete, the server looks at it at most every 500 ms.
  @Test func `the time of the next look is exact`() throws {
    let built = try BuiltSite()
    let pack = try built.pack("A").archive.path
    let aside = built.site.folder.path("aside")
    try FileManager.default.moveItem(atPath: "\(built.path)/\(pack)", toPath: aside)
    let reading = try BuiltTable(built.path)
    let reports = Monitor(0)
    let release = LiveRelease(
      built.path, table: try #require(reading.table), indexPath: reading.indexPath,
      alreadyReported: reading.diagnostics
    ) { _, _ in reports.change { $0 += 1 } }
    let path = RequestPath(decoded: pack)
    #expect(release.table(at: 1000)[path] == nil)
    try FileManager.default.moveItem(atPath: aside, toPath: "\(built.path)/\(pack)")
    #expect(release.table(at: 1000.25)[path] == nil && reports.change { $0 } == 0)
    #expect(release.table(at: 1000.5)[path] != nil && reports.change { $0 } == 1)
  }

  @Test func `a folder without an index is not looked at`() throws {
    let built = try BuiltSite()
    let reading = try BuiltTable(built.path)
    let reports = Monitor(0)
    let table = try #require(reading.table)
    let release = LiveRelease(built.path, table: table, indexPath: reading.indexPath) { _, _ in
      reports.change { $0 += 1 }
    }
    let index = try built.site.folder.read("out/index.json")
    try FileManager.default.removeItem(atPath: "\(built.path)/index.json")
    for time in [1000, 2000.0] { #expect(release.table(at: time) === table) }
    #expect(reports.change { $0 } == 0)
    // An index that cannot be read is reported once. The table stays in use.
    try built.site.folder.write("out/index.json", "{")
    for time in [3000, 4000.0] { #expect(release.table(at: time) === table) }
    #expect(reports.change { $0 } == 1)
    try built.site.folder.write("out/index.json", index)
    let other = release.table(at: 5000)
    #expect(other !== table && other.paths == table.paths && reports.change { $0 } == 2)
    #expect(release.table(at: 6000) === other && reports.change { $0 } == 2)
  }

  /// The number of fetched bytes is counted for a file, not for a release.
  @Test func `what was fetched of files that stay still counts`() throws {
    let site = try ServedSite()
    let (kept, changed) = (try site.built.pack("A"), try site.built.pack("C"))
    for pack in [kept, changed] { _ = try site.get(ServedSite.encoded(pack.archive.path)) }
    let numbers = try [kept, changed].map { pack in
      try #require(site.release.table.packs.firstIndex { $0.id == pack.id })
    }
    let before = site.release.table
    try waitUntilFetched(kept.archive.file.size, numbers[0], of: before)
    try waitUntilFetched(changed.archive.file.size, numbers[1], of: before)
    try site.built.site.write("c", "changed")
    site.built.site.waitForClockTick()
    try site.rebuild()
    let table = site.release.table
    #expect(table !== before)
    #expect(table.fetchedSizes[numbers[0]] == kept.archive.file.size && table.fetchedSizes[numbers[1]] == 0)
    // The folder has not changed since the last check.
    #expect(site.release.table === table)
  }

  /// In the layout for Background Assets, a file keeps its path when its contents change.
  @Test func `what was fetched of a file that changed does not count`() throws {
    let folder = try TemporaryFolder()
    try folder.write("out/a", "first")
    func table() throws -> ServedTable {
      var draft = try TableDraft(.backgroundAssets, in: folder.path("out"))
      draft.packs.append(.init(id: "a", tags: ["A"], size: 5))
      let index = try #require(try draft.add(fileAt: "a", caching: .revalidated, pack: 0))
      return ServedTable(draft, index: index, prefix: nil)
    }
    let old = try table()
    try #require(old[RequestPath(decoded: "a")]).fetched.change { $0.add(0..<5) }
    let same = try table()
    same.adoptFetched(from: old)
    try folder.write("out/a", "other")
    let changed = try table()
    changed.adoptFetched(from: old)
    #expect(old.fetchedSizes == [5] && same.fetchedSizes == [5] && changed.fetchedSizes == [0])
  }

  /// Waits until the server has counted the bytes.
  ///
  /// It counts them only after the response has ended.
  private func waitUntilFetched(_ size: Int64, _ pack: Int, of table: ServedTable) throws {
    try blockUntil("the bytes are counted") { table.fetchedSizes[pack] == size }
  }

  /// If a build cannot be opened, the server reports this and tries again later.
  @Test func `a machine that fails is tried again`() throws {
    let site = try ServedSite(.folder)
    let reported = Monitor<[String]>([])
    let release = LiveRelease(
      site.built.path, table: site.release.table, indexPath: "\(site.built.path)/index.json"
    ) {
      _, found in reported.change { $0 += found.map(\.check.id) }
    }
    try site.built.site.write("a/new", "new")
    try site.rebuild()
    let list = try #require(
      try FileManager.default.contentsOfDirectory(atPath: site.built.path).first { $0.hasPrefix("contents.") }
    )
    let path = "\(site.built.path)/\(list)"
    try FileManager.default.moveItem(atPath: path, toPath: "\(path).aside")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: list)
    #expect(release.table(at: 1000) === site.release.table || reported.change { !$0.isEmpty })
    #expect(reported.change { $0 }.count == 1)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: "\(path).aside", toPath: path)
    #expect(release.table(at: 2000).size > 0 && reported.change { $0 }.count == 1)
    #expect(release.table(at: 2000).paths.contains { $0.hasSuffix("/new") })
  }

  /// Symlinks are not followed, because a symlink in the folder could lead to any file.
  @Test func `links are not followed`() throws {
    let built = try BuiltSite()
    let pack = try built.pack("A")
    let path = "\(built.path)/\(pack.archive.path)"
    try FileManager.default.moveItem(atPath: path, toPath: built.site.folder.path("elsewhere"))
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: built.site.folder.path("elsewhere"))
    #expect(try !#require(BuiltTable(built.path).table).paths.contains(pack.archive.path))
  }

  @Test func `an index that is a symlink is reported`() throws {
    let built = try BuiltSite()
    let path = "\(built.path)/index.json"
    try FileManager.default.moveItem(atPath: path, toPath: "\(built.path)/real.json")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "real.json")
    let reading = try BuiltTable(built.path)
    #expect(reading.diagnostics.map(\.namedValues) == [quoted(path)])
    #expect(reading.diagnostics.allSatisfy { $0.check == .damagedIndex && $0.message.contains("symlink") })
    #expect(reading.table == nil)
  }

  @Test func `a path that is not a folder is reported`() throws {
    let folder = try TemporaryFolder()
    let reading = try BuiltTable(folder.path)
    #expect(reading.table == nil && reading.diagnostics.map(\.check.id) == ["missing-index"])
  }
}
