@testable import Archiving
@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests in which order files are packed, and which bytes each phase of packing counts.
@Suite struct PackOrderTests {
  /// With one thread, a pack is completed before the next pack begins.
  @Test(arguments: [Container.zip, .tarGzip, .folder])
  func `the largest pack comes first, and equal packs in the order of the plan`(container: Container) throws {
    let site = try ScanSite()
    let large = 4 << 20 + 1
    for (tag, sizes) in [("A", [3, 4]), ("B", [10]), ("C", [7]), ("D", [large, 1]), ("E", [2, 5])] {
      for (number, size) in sizes.enumerated() { try site.write("\(tag)/\(number)", Sample.noise(size)) }
    }
    _ = try site.manifest(["A", "B", "C", "D", "E"].map { .path($0, $0) }, container: container)
    let calls = Monitor<[String]>([])
    let result = try site.request(.test(container), jobs: 1).run(progress: { count, file in
      calls.change { $0.append("\(file.path) \(count)") }
    })
    let plan = try #require(result.plan)
    let equal = plan.packs.map(\.tags).filter { $0 == ["A"] || $0 == ["C"] || $0 == ["E"] }
    let rest = equal.flatMap { tags in
      switch tags[0] {
      case "A": ["A/0 3", "A/1 4"]
      case "C": ["C/0 7"]
      default: ["E/0 2", "E/1 5"]
      }
    }
    let blocks = Array(repeating: "D/0 1048576", count: 4) + ["D/0 1"]
    #expect(calls.change { $0 } == blocks + ["D/1 1", "B/0 10"] + rest)
  }

  /// Returns the bytes that each phase of a build with one thread counts.
  private func bytes(_ site: ScanSite, _ settings: TestSettings) throws -> [Timings.Phase: Int64] {
    _ = try site.manifest([.path("a", "A")], container: settings.container)
    var request = site.request(settings, jobs: 1)
    request.measuresParts = true
    let result = try request.run(Policy())
    #expect(result.release != nil)
    let phases = result.timings.all.filter { $0.key.isPartOfPacking || $0.key == .pack }
    return phases.mapValues(\.bytes)
  }

  /// Returns the sum of the compressed sizes of some files.
  private func packedSize(_ site: ScanSite, _ paths: [String]? = nil) throws -> Int64 {
    let names = try site.published().keys.filter { $0.hasPrefix("contents.") }
    let text = try site.folder.read("out/\(try #require(names.first))")
    let json = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let files = try #require(json["files"] as? [[String: Any]])
    return try files.filter { paths?.contains($0["path"] as? String ?? "") ?? true }
      .reduce(0) { $0 + Int64(try #require($1["packed"] as? Int)) }
  }

  @Test func `the phases of a zip count the bytes of files and of entries`() throws {
    let site = try ScanSite()
    try site.write("a/text", Sample.text(7_000))
    try site.write("a/noise", Sample.noise(5_000))
    let large: Int64 = 4 << 20 + 1
    try site.write("a/x/large", Sample.text(Int(large)))
    try site.write("a/x/large noise", Sample.noise(Int(large)))
    site.waitForClockTick()
    let all = 12_000 + 2 * large
    // The digest of a stored file is computed together with the digest of the archive.
    #expect(
      try bytes(site, .test(.zip)) == [
        .pack: all, .read: all, .compress: 12_000 + large, .hash: 7_000, .write: try packedSize(site) - large,
      ])
    // The next build copies unchanged entries.
    let copied = try packedSize(site, ["a/noise"])
    try site.write("a/text", Sample.text(7_001))
    #expect(
      try bytes(site, .test(.zip)) == [
        .pack: all + 1, .read: copied + 7_001, .compress: 7_001, .hash: 7_001, .write: try packedSize(site),
      ])
  }

  @Test(arguments: [Container.tarGzip, .tarZstandard])
  func `the phases of a tar count the bytes of files`(container: Container) throws {
    let site = try ScanSite()
    try site.write("a/text", Sample.text(7_000))
    try site.write("a/noise", Sample.noise(5_000))
    let large: Int64 = 4 << 20 + 1
    try site.write("a/x/large", Sample.text(Int(large)))
    let all = 12_000 + large
    #expect(
      try bytes(site, .test(container)) == [.pack: all, .read: all, .compress: all, .hash: 12_000])
  }

  /// Only the first bytes of a file show its kind.
  @Test(arguments: Container.allCases)
  func `the contents of a large file are judged by its beginning`(container: Container) throws {
    let site = try ScanSite()
    let program = Data([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
    let block = Sample.noise(1 << 20)
    for name in ["program", "other"] {
      let start = name == "program" ? program : Data(count: 8)
      try site.write(
        "a/\(name)",
        start + block.dropFirst(8) + program + block.dropFirst(8) + block + block + block.prefix(9))
    }
    let result = try site.build([.path("a", "A")], .test(container))
    #expect(result.findings.map(\.check) == [.executableContent])
    #expect(result.findings.map(\.place.path) == [site.folder.path("Assets/a/program")])
  }
}
