@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the contents of built packs with other programs.
@Suite struct PackContentTests {
  private static let rules: [TestRule] = [
    .path("a", "A"), .path("b", "B"), .path("shared", "A", "B"), .glob("moved/*", "A", to: "new/place"),
  ]

  /// Files of all kinds, with sizes near all limits.
  private static let files: [String: Data] = [
    "a/empty": Data(), "a/one": Data([1]), "a/text": Sample.text(50_000), "a/noise": Sample.noise(50_000),
    "a/exactly a block": Sample.text(1 << 20), "a/a block and a byte": Sample.text(1 << 20 + 1),
    "a/exactly whole": Sample.noise(4 << 20), "a/cut": Sample.text(4 << 20 + 1),
    "b/large text": Sample.text(5_000_000), "b/large noise": Sample.noise(5_000_000),
    "b/half": Sample.text(2_500_000) + Sample.noise(2_500_000),
    "b/striped": (0..<9).reduce(into: Data()) {
      $0 += $1 % 2 == 0 ? Sample.text(200_000) : Sample.noise(300_000)
    },
    "b/zeros": Data(count: 3_500_000), "b/é/日本語 🎮.json": Sample.text(1000),
    "b/e\u{301}/x": Sample.text(10), "shared/1": Sample.noise(100), "moved/2": Data("moved".utf8),
    "untagged": Data("stays".utf8),
  ]

  private func makeSite() throws -> ScanSite {
    let site = try ScanSite()
    for (name, content) in Self.files { try site.write(name, content) }
    return site
  }

  /// Returns the files that the pack with these tags should contain, by their paths in the pack.
  private func expected(_ tags: [String]) -> [[UInt8]: Data] {
    let prefix = ["A": "a/", "B": "b/", "A+B": "shared/"][tags.joined(separator: "+")] ?? "?"
    var files = Self.files.filter { $0.key.hasPrefix(prefix) }
    if tags == ["A"] { files["new/place/2"] = Self.files["moved/2"] }
    return byBytes(files)
  }

  /// Returns the files by the bytes of their names.
  ///
  /// As strings, two names are equal if only their Unicode normalization differs, but this test must
  /// distinguish them.
  private func byBytes(_ files: [String: Data]) -> [[UInt8]: Data] {
    Dictionary(uniqueKeysWithValues: files.map { (Array($0.utf8), $1) })
  }

  private func composed(_ files: [[UInt8]: Data]) -> [String: Data] {
    // As strings, names that differ only in their Unicode normalization are equal.
    Dictionary(uniqueKeysWithValues: files.map { (String(decoding: $0, as: UTF8.self), $1) })
  }

  @Test(arguments: sample(2, of: Container.allCases))
  func `every reader takes out what was put in`(container: Container) throws {
    let site = try makeSite()
    let outcome = try site.build(Self.rules, .test(container))
    let plan = try #require(outcome.prepared.plan)
    let packs = outcome.packs
    #expect(outcome.findings.areAll { $0.check == .emptyFile })
    #expect(packs.count == 3)
    for (pack, published) in zip(plan.packs, packs) {
      let expected = expected(pack.tags)
      for program in container.readers {
        let contents = byBytes(try site.contents(of: published, by: program))
        if container == .zip && program == "bsdtar" {
          // libarchive composes accents in the names of a zip.
          #expect(composed(contents) == composed(expected), "\(program)")
        } else {
          #expect(contents == expected, "\(program)")
        }
      }
      #expect(published.digest.hex == independentDigest(of: expected))
      let path = "out/\(published.archive.path)"
      if container == .folder {
        #expect(published.archive.file == WrittenFile(size: pack.size, digest: published.digest))
      } else {
        let bytes = Array(try site.folder.read(path))
        #expect(published.archive.file.size == Int64(bytes.count))
        #expect(published.archive.file.digest == SHA256.digest(of: bytes.span.bytes))
      }
      let name = "packs/\(pack.identity.name).\(published.archive.file.digest.short)\(container.suffix)"
      #expect(published.archive.path == name)
    }
  }

  /// Returns the digest of a pack according to the contract.
  ///
  /// The digest is the SHA-256 of the lines `<sha256> <size> <path>`, sorted by the bytes of the paths.
  private func independentDigest(of files: [[UInt8]: Data]) -> String {
    var lines: [UInt8] = []
    for (path, content) in files.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      let digest = SHA256.digest(of: Array(content).span.bytes).hex
      lines += Array("\(digest) \(content.count) ".utf8) + path + [10]
    }
    return SHA256.digest(of: lines.span.bytes).hex
  }

  @Test func `the contents have one digest in every container`() throws {
    let site = try makeSite()
    let digests = try Container.allCases.map { container in
      try site.build(Self.rules, into: container.rawValue, .test(container)).packs.map(\.digest)
    }
    #expect(digests[0].count == 3)
    #expect(Set(digests).count == 1)
  }

  @Test(arguments: sample(2, of: Container.allCases))
  func `bytes do not depend on the number of jobs`(container: Container) throws {
    let site = try makeSite()
    var builds: [[String: Data]] = []
    for jobs in [1, 2, 5] {
      try site.build(Self.rules, into: "out\(jobs)", .test(container), jobs: jobs)
      builds.append(try site.published("out\(jobs)"))
    }
    #expect(builds[0].count > 4)
    #expect(builds[1] == builds[0])
    #expect(builds[2] == builds[0])
  }

  @Test(.enabled(if: isInstalled("python3")), arguments: [Compression.store, .default])
  func `what does not get smaller is stored`(compression: Compression) throws {
    let site = try makeSite()
    let built = (try site.build(Self.rules, .test(.zip, compression)))
    let script = """
      import sys, zipfile
      for path in sys.argv[1:]:
        for info in zipfile.ZipFile(path).infolist():
          assert info.compress_size < info.file_size if info.compress_type else info.compress_size == info.file_size
          print('deflated' if info.compress_type else 'stored', info.filename)
      """
    let archives = built.packs.map { site.folder.path("out/\($0.archive.path)") }
    let result = try run("python3", ["-c", script] + archives)
    #expect(result.errors == "")
    let lines = Set(result.output.split(separator: "\n").map(String.init))
    let text = compression == .store ? "stored" : "deflated"
    for name in [
      "a/text", "a/exactly a block", "a/a block and a byte", "a/cut", "b/large text", "b/zeros", "b/half",
    ] {
      #expect(lines.contains("\(text) \(name)"))
    }
    for name in ["a/empty", "a/one", "a/noise", "a/exactly whole", "b/large noise", "shared/1"] {
      #expect(lines.contains("stored \(name)"))
    }
  }

  @Test(arguments: Container.allCases)
  func `every entry has the time of the settings`(container: Container) throws {
    let site = try ScanSite("a/1", "a/b/2")
    let built = (try site.build([.path("a", "A")], .test(container)))
    let path = site.folder.path("out/\(try #require(built.packs.first).archive.path)")
    if container == .folder {
      for file in ["a/1", "a/b/2"] {
        let status = try FileOperations.status(of: "\(path)/\(file)", symlinks: .notFollowed)
        #expect(status.modified == 1_000_000_000 * 1_000_000_000)
      }
    } else if isInstalled("bsdtar") {
      let listing = try run("bsdtar", ["-tvf", path], environment: ["TZ": "UTC", "LC_ALL": "C"])
      let lines = listing.output.split(separator: "\n")
      #expect(lines.count == 2)
      // For old files, bsdtar shows the date but not the time.
      #expect(lines.areAll { $0.contains(" Sep  9  2001 ") && $0.hasPrefix("-rw-r--r-- ") })
    }
  }
}
