@testable import Formats
@testable import Inspect
@testable import Model
@testable import Packing
@testable import Pipeline
import Foundation
import Support
import Testing

/// Tests archives that are small on the disk but would need much memory.
@Suite struct HostileNameTests {
  private func listing(_ script: String) throws -> PackListing {
    let folder = try TemporaryFolder()
    let result = try run("python3", ["-c", script], in: folder.path)
    try #require(result.status == 0, "\(result.errors)")
    return try PackListing(folder.path("p.tar.gz"))
  }

  @Test func `a name of 900 kB is not kept`() throws {
    let listing = try listing(
      """
      import tarfile
      with tarfile.open("p.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as t:
        for n in ["short", "a/" + "n" * 900_000, "b/" + "n" * 900_000]: t.addfile(tarfile.TarInfo(n))
      """)
    #expect(listing.files.map(\.path) == ["short"])
    #expect(listing.damage.map { values(in: $0) } == ["900002 bytes 65535"])
  }

  @Test func `1,000 of 3,000 links are reported`() throws {
    let listing = try listing(
      """
      import tarfile
      with tarfile.open("p.tar.gz", "w:gz", compresslevel=1) as t:
        for n in range(3000):
          i = tarfile.TarInfo("l%d" % n)
          i.type, i.linkname = tarfile.SYMTYPE, "x"
          t.addfile(i)
      """)
    #expect(listing.damage.count == 1001)
    #expect(listing.damage.last.map { values(in: $0) } == "2,000")
  }

  @Test func `names end where there is no more room`() {
    let budget = NameBudget()
    let taken = (0..<10_000).prefix { _ in budget.reserve(65_535) }.count
    #expect(taken == (256 << 20) / (65_535 + 128))
  }

  /// bsdtar converts the names in a zip to the composed Unicode form, so one of these two files would be
  /// lost.
  @Test func `one name in two Unicode forms is found`() throws {
    let folder = try TemporaryFolder()
    for name in ["caf\u{e9}/1", "cafe\u{301}/1", "A", "a"] { try folder.write("Assets/\(name)", name) }
    try folder.writeManifest(
      [.glob("**/*", "A")], app: "a.b", root: "Assets", members: #""severity": {"path-clash": "ignore"}"#)
    let request = BuildRequest(
      Preparation.Request(argument: folder.path, jobs: 1), output: folder.path("out"), entryTime: 0)
    #expect(try request.run(Policy()).release != nil)
    let found = try Verification(of: folder.path("out"), profile: nil, jobs: 1).diagnostics
    #expect(found.map(\.check) == [.pathClash])
    #expect(found.first?.namedValues == "\"caf\u{e9}/1\"")
  }
}
