import Findings
import Foundation
import PackKit
import Packing
import Releases
import Support
import System
import Testing

@testable import Serving

@Suite(.serialized) struct LiveReleaseTests {
  @Test func aNewBuildIsServedAndAnOldDownloadEnds() throws {
    let site = try ServedSite()
    let pack = try site.built.pack("A")
    let path = ServedSite.encoded(pack.archive.path)
    try site.built.site.write("a/large.bin", Sample.noise(30_000_000))
    _ = try site.built.site.request(into: "out", .test(.zip)).run(Policy())
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
    _ = try site.built.site.request(into: "out", .test(.zip)).run(Policy())
    #expect(try site.get(ServedSite.encoded(file)).status == 404)
    answer += client.readAll()
    #expect(try #require(Answer(answer)).body == old)
  }

  @Test func aDamagedIndexLeavesTheBuildBefore() throws {
    let site = try ServedSite()
    let index = try site.published("index.json")
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(site.built.path)/index.json"), options: .atomic)
    #expect(try site.get("index.json").body == index)
    try FileManager.default.removeItem(atPath: "\(site.built.path)/index.json")
    #expect(try site.get("index.json").body == index)
  }

  @Test func missingPacksAreSaid() throws {
    let built = try BuiltSite()
    let (gone, changed) = (try built.pack("A"), try built.pack("C"))
    try FileOperations.remove("\(built.path)/\(gone.archive.path)")
    try Data("x".utf8).write(to: URL(fileURLWithPath: "\(built.path)/\(changed.archive.path)"))
    let reading = try BuiltTable(built.path)
    #expect(reading.diagnostics.map(\.check.id) == ["damaged-pack", "missing-pack"])
    let paths = try #require(reading.table).paths
    #expect(!paths.contains(gone.archive.path) && !paths.contains(changed.archive.path))
  }

  /// A link in the folder may lead to anything.
  @Test func linksAreNotFollowed() throws {
    let built = try BuiltSite()
    let pack = try built.pack("A")
    let path = "\(built.path)/\(pack.archive.path)"
    try FileManager.default.moveItem(atPath: path, toPath: built.site.folder.path("elsewhere"))
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: built.site.folder.path("elsewhere"))
    #expect(try !#require(BuiltTable(built.path).table).paths.contains(pack.archive.path))
  }

  @Test func folderThatIsNoneIsSaid() throws {
    let folder = try TemporaryFolder()
    let reading = try BuiltTable(folder.path)
    #expect(reading.table == nil && reading.diagnostics.map(\.check.id) == ["missing-index"])
  }
}
