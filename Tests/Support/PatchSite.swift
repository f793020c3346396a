package import Formats
import Inspect
package import Model
package import Packing
package import Pipeline
import System
package import Foundation
import Testing

/// Two releases of a small project, with patches from the first to the second.
///
/// The second release contains every kind of change.
package struct PatchSite {
  package let site: ScanSite
  package let container: Container

  /// The rules of the project.
  ///
  /// The pack with the tag F does not change.
  package static let rules: [TestRule] = [
    .path("a", "A"), .path("ab", "A", "B"), .path("c", "C"), .path("d", "D"), .path("e", "E"),
    .path("f", "F"),
  ]

  /// Builds the first release into `old`, then changes the files to those of the second release.
  package init(_ container: Container = .zip) throws {
    site = try ScanSite("a/Z.txt", "a/a.txt", "a/é.txt", "f/same")
    self.container = container
    try site.write("a/changed.bin", Sample.noise(20_000))
    try site.write("a/twin 1", Sample.noise(9_000, seed: 2))
    try site.write("a/old name.bin", Sample.noise(8_000, seed: 3))
    try site.write("a/level-07-map.bin", Sample.noise(7_000, seed: 4))
    try site.write("a/removed", Sample.noise(600, seed: 5))
    try site.write("a/was empty", Data())
    try site.write("ab/moved.bin", Sample.noise(30_000, seed: 6))
    try site.write("ab/stays", Sample.noise(12_000, seed: 7))
    try site.write("c/text.txt", Sample.text(50_000))
    try site.write("d/large.bin", Sample.noise(40_000, seed: 8))
    try site.write("e/all new", Sample.noise(300, seed: 9))
    _ = try build(into: "old", from: [])
    try change()
    // The test waits, because the next build would read files again if they were as new as the first build.
    site.waitForClockTick()
  }

  /// Changes the files of the first release to the files of the second release.
  private func change() throws {
    try site.write("a/changed.bin", Sample.noise(20_000).flipped(at: 700))
    for number in 1...3 {
      try site.write("a/twin \(number)", Sample.noise(9_000, seed: 2).flipped(at: 8_999))
    }
    try FileOperations.rename(
      site.folder.path("Assets/a/old name.bin"), to: site.folder.path("Assets/a/new name"))
    try FileOperations.removeFile(site.folder.path("Assets/a/level-07-map.bin"))
    try site.write("a/level-07-maps.bin", Sample.noise(7_000, seed: 4).flipped(at: 0))
    try FileOperations.removeFile(site.folder.path("Assets/a/removed"))
    try site.write("a/empty now", Data())
    try FileOperations.removeFile(site.folder.path("Assets/ab/moved.bin"))
    try site.write("c/moved.bin", Sample.noise(30_000, seed: 6).flipped(at: 15_000))
    try site.write("d/new", Sample.noise(500, seed: 10))
    try site.write("e/all new", Sample.noise(20_000, seed: 11))
  }

  /// Returns the request for a build with patches from the given releases.
  package func request(
    into output: String = "out", from old: [String] = ["old"], jobs: Int = 2, keepsOld: Bool = false,
    usesCache: Bool = true, _ settings: TestSettings? = nil
  ) throws -> BuildRequest {
    let settings = settings ?? .test(container)
    _ = try site.manifest(Self.rules, container: settings.container)
    var request = site.request(into: output, settings, usesCache: usesCache, jobs: jobs, keepsOld: keepsOld)
    request.patchFrom = old.map { site.folder.path($0) }
    return request
  }

  /// Runs a build.
  ///
  /// It must succeed.
  package func build(
    into output: String = "out", from old: [String] = ["old"], jobs: Int = 2, keepsOld: Bool = false,
    usesCache: Bool = true, _ settings: TestSettings? = nil
  ) throws -> BuildResult {
    let request = try request(
      into: output, from: old, jobs: jobs, keepsOld: keepsOld, usesCache: usesCache, settings)
    let result = try request.run(Policy())
    if result.release == nil {
      throw SiteFailure(description: result.findings.rendered.joined(separator: "\n"))
    }
    return result
  }

  /// Returns all findings of verifying a build.
  ///
  /// The patches are applied to the releases in `old`.
  package func findings(in output: String = "out", from old: [String] = []) throws -> [Diagnostic] {
    try Verification(
      of: site.folder.path(output), profile: nil, patchedFrom: old.map { site.folder.path($0) }, jobs: 1
    ).diagnostics
  }

  /// Returns all published files of a build, or only those in one folder.
  ///
  /// The build cache is left out.
  package func published(_ output: String = "out", below folder: String = "") throws -> [String: Data] {
    try site.published(output).filter { $0.key.hasPrefix(folder) }
  }

  /// Restores the index and the patches of an earlier build.
  package func restorePatches(of files: [String: Data]) throws {
    try FileOperations.remove(site.folder.path("out/patches"))
    for (path, content) in files where path.hasPrefix("patches/") || path == "index.json" {
      try site.folder.write("out/\(path)", content)
    }
  }

  /// Returns the index of a built folder, which must exist.
  package func index(_ output: String = "out") throws -> PublishedIndex {
    try #require(try BuiltFolder(site.folder.path(output)).index)
  }

  /// Returns the patches that are in a build's lists, by the tags of their packs.
  package func patches(_ output: String = "out") throws -> [[String]: TestPatch] {
    let folder = try BuiltFolder(site.folder.path(output))
    let tags = Dictionary(uniqueKeysWithValues: try index(output).packs.map { ($0.id, $0.tags) })
    var patches: [[String]: TestPatch] = [:]
    for pack in folder.patches.flatMap(\.packs) {
      let patch = try TestPatch(pack.patch.path, site.folder.read("\(output)/\(pack.patch.path)"))
      patches[try #require(tags[pack.id])] = patch
    }
    return patches
  }
}

/// A patch that is read as a simple program would read it: entry by entry from the start.
package struct TestPatch {
  /// An entry of a patch, with its position in the file.
  package struct Entry {
    package let name: String
    package let method: Int
    package let time: Int
    /// The range of the entry's content in the file.
    package let range: Range<Int>
  }

  package let path: String
  package let bytes: Data
  package let entries: [Entry]

  /// One file of the recipe.
  package struct File: Equatable {
    package let path: String
    package let size: Int
    package let digest: String
    package let method: String
    package let from: String?
  }

  package init(_ path: String, _ bytes: Data) throws {
    self.path = path
    self.bytes = bytes
    var entries: [Entry] = []
    var offset = 0
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + place + $1]) }
    }
    while number(0, 4) == 0x0403_4b50 {
      let start = offset + 30 + number(26, 2) + number(28, 2)
      let name = String(decoding: bytes[offset + 30..<offset + 30 + number(26, 2)], as: UTF8.self)
      let range = start..<start + number(18, 4)
      entries.append(Entry(name: name, method: number(8, 2), time: number(10, 4), range: range))
      offset = range.upperBound
    }
    self.entries = entries
  }

  /// Returns the content of an entry.
  package func content(_ name: String) throws -> Data {
    bytes[try #require(entries.first { $0.name == name }).range]
  }

  /// The recipe as JSON.
  package var recipe: [String: Any] {
    get throws {
      try #require(try JSONSerialization.jsonObject(with: content("patch.json")) as? [String: Any])
    }
  }

  /// The files of the recipe.
  package var files: [File] {
    get throws {
      try #require(try recipe["files"] as? [[String: Any]]).map { file in
        File(
          path: try #require(file["path"] as? String), size: try #require(file["size"] as? Int),
          digest: try #require(file["digest"] as? String), method: try #require(file["as"] as? String),
          from: file["from"] as? String)
      }
    }
  }
}

extension Data {
  /// Returns the data with one bit changed.
  package func flipped(at place: Int) -> Data {
    var data = self
    data[data.startIndex + place] ^= 4
    return data
  }
}
