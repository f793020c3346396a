@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests files of releases that cannot be read, and packs that are damaged.
@Suite struct ReadFailureTests {
  #if os(Linux)
    /// The kernel cannot read a process's memory at offset 0, but it opens the file.
    @Test func `failures of the disk are not mistakes in files`() throws {
      let folder = "/proc/\(getpid())"
      var stream = JSONStream(try InputFile("\(folder)/mem"))
      var isFailure = false
      do throws(JSONStream.Failure) {
        _ = try stream.skipSpace()
      } catch {
        if case .machine = error { isFailure = true }
      }
      #expect(isFailure)
      var contents = PublishedContents()
      contents.append(path: Array("mem".utf8)[...], size: 1, digest: .zero, packIndex: 0)
      contents.group(into: 1)
      let expected = ExpectedFiles(ofPack: 0, in: contents)
      var isThrown = false
      do throws(SystemError) {
        _ = try PackContentVerifier(expected, at: folder, format: nil).faults
      } catch {
        isThrown = true
      }
      #expect(isThrown)
    }
  #endif

  /// The largest packs come first, because other threads then have work until the end.
  @Test func `damaged packs are reported from the largest one on`() throws {
    let names = ["a", "b", "c", "d", "e", "f"]
    let sizes = [3, 6, 1, 5, 2, 4].map { $0 * 1000 }
    let site = try ScanSite()
    for (name, size) in zip(names, sizes) { try site.write(name, Sample.noise(size)) }
    try site.build(names.map { .path($0, $0.uppercased()) })
    let index = try #require(try BuiltFolder(site.folder.path("out")).index)
    for pack in index.packs {
      let path = "out/\(pack.archive.path)"
      try site.folder.write(path, try site.folder.read(path).flipped(at: 500))
    }
    try site.folder.write("staging/x", "")
    let digests = Set(sizes.map { SHA256.digest(of: Array(Sample.noise($0))) })
    let baseline = try PatchBaseline(site.folder.path("out"))
    let found = try baseline.unpack(contents: digests, into: site.folder.path("staging"), jobs: 1)
    #expect(found.sources.isEmpty)
    let order = index.packs.sorted { $0.size > $1.size }.map { site.folder.path("out/\($0.archive.path)") }
    #expect(found.diagnostics.map(\.place.path) == order && order.count == 6)
    #expect(found.diagnostics.allSatisfy { $0.check == .damagedPack && !$0.notes.isEmpty })
  }
}
