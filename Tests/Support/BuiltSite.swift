package import Formats
import Inspect
package import Model
import Packing
package import Pipeline
import System
package import Foundation
import Testing

/// A built folder that a test can damage.
package struct BuiltSite {
  package let site: ScanSite
  package let index: PublishedIndex
  package let container: Container

  private static let rules: [TestRule] = [
    .path("a", "A"), .path("both", "A", "B"), .path("c", "C"), .path("d", "C", "D"),
  ]

  /// Builds a few packs: one for each delivery mode, and one with several files that have different kinds of
  /// names.
  package init(_ container: Container = .zip) throws {
    site = try ScanSite("a/2/deep", "a/3", "both/x", "c", "d")
    self.container = container
    try site.write("a/1.bin", Sample.noise(5000))
    try site.write("a/é.txt", Sample.text(70_000))
    try site.write("Manifest", "")
    let text = TestManifest(
      root: "Assets", resources: Self.rules, exclude: [], container: container.rawValue)
    var manifest = try #require(
      JSONSerialization.jsonObject(with: JSONEncoder().encode(text)) as? [String: Any])
    manifest["initialInstallTags"] = ["B", "A"]
    manifest["prefetchTagOrder"] = ["D", "C"]
    try site.folder.write("Manifest.json", JSONSerialization.data(withJSONObject: manifest))
    _ = try site.request(into: "out", .test(container)).run(Policy())
    index = try #require(try BuiltFolder(site.folder.path("out")).index)
  }

  package var path: String { site.folder.path("out") }

  /// Returns the pack with the given tags.
  package func pack(_ tags: String...) throws -> PublishedIndex.Pack {
    try #require(index.packs.first { $0.tags == tags })
  }

  /// Returns all findings of verifying the folder.
  package func findings(jobs: Int = 2, profile: LimitProfile? = nil) throws -> [Diagnostic] {
    try Verification(of: path, profile: profile, jobs: jobs).diagnostics
  }

  /// Replaces a string everywhere in the index.
  package func changeIndex(_ old: String, to new: String) throws {
    let text = String(decoding: try site.folder.read("out/index.json"), as: UTF8.self)
    try #require(text.contains(old))
    try site.folder.write("out/index.json", text.replacingOccurrences(of: old, with: new))
  }

  /// Replaces a pack's archive with another archive, and updates the size and the digest in the index.
  package func replace(_ pack: PublishedIndex.Pack, by data: Data) throws {
    let old = pack.archive
    try FileOperations.remove("\(path)/\(old.path)")
    try site.folder.write("out/new", data)
    let digest = try InputFile("\(path)/new").digest()
    try FileOperations.rename(
      "\(path)/new",
      to: "\(path)/\(old.path.replacingOccurrences(of: old.file.digest.short, with: digest.short))")
    try changeIndex(old.file.digest.hex, to: digest.hex)
    try changeIndex("\(pack.name).\(old.file.digest.short)", to: "\(pack.name).\(digest.short)")
    let text = String(decoding: try site.folder.read("out/index.json"), as: UTF8.self)
    let place = try #require(text.range(of: "\(digest.short)\(container.suffix)\""))
    let size = try #require(
      text.range(of: "\"size\": \(old.file.size)", range: place.upperBound..<text.endIndex))
    try site.folder.write(
      "out/index.json", text.replacingCharacters(in: size, with: "\"size\": \(data.count)"))
  }

  /// Replaces a pack's archive with the archive that a Python script writes to the file `new`.
  ///
  /// The script can read the original pack as `old`.
  package func replace(_ pack: PublishedIndex.Pack, byPython script: String) throws {
    try FileOperations.write(
      Data(try site.folder.read("out/\(pack.archive.path)")), to: site.folder.path("old"))
    let result = try run("python3", ["-c", script], in: site.folder.path)
    if result.status != 0 { throw SiteFailure(description: result.errors) }
    try replace(pack, by: try site.folder.read("new"))
  }
}

extension FileOperations {
  fileprivate static func write(_ data: Data, to path: String) throws {
    try data.write(to: URL(fileURLWithPath: path))
  }
}
