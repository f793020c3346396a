import Formats
import Inspect
import Model
import Packing
import Pipeline
import Serving
import Foundation
import Support
import Testing

@testable import OnDemand

/// Tests that all parts use the same rules for names: every reader must accept every name that a build
/// accepts.
@Suite struct PathRuleTests {
  /// Names with a special meaning for a system, an archive format, a URL or a shell.
  private static let odd = [
    "a:b.txt", "C:", "::", "CON", "con.txt", "Nul", "COM1.bin", "LPT¹", "aux .x", "x.", "x ", " x", "...",
    "..x", "%41", "%",
    "100%.txt", "a?b", "a#b", "a&b", "a+b", "a b", "*", "|", "<x>", "\"q\"", "'", "`id`", "$HOME", "~", "-rf",
    "--", ";",
    "x;1", "=", "@", "é", "e\u{301}x", "\u{301}x", "日本", "😀", "\u{200d}", "\u{feff}x", "\u{2028}", "\u{a0}",
    "\u{202e}",
    "META-INF", "_CodeSignature", "index.json", "patch.json", "list", "files", "mimetype", "{x}", "[x]",
    "(x)", "!", "^", ",",
    String(repeating: "n", count: 255), String(repeating: "é", count: 127), "x.tar.gz", "x.zip",
  ]
  /// Names that a build must reject.
  private static let refused = ["a\\b", "a\nb", "a\u{7f}b", "a\u{85}b"]

  /// Paths that use each odd name as a file, as a folder, and together with another odd name.
  private static var paths: [String] {
    var dice = Dice(seed: 3)
    return odd.indices.flatMap { number -> [String] in
      let (name, other) = (odd[number], odd[dice.below(odd.count)])
      return ["f\(number)/\(name)", "g\(number)/\(name)/x", "h\(number)/\(other)/\(name)"]
    }
  }

  /// Makes a project with a file at each path.
  ///
  /// In addition, each odd name without a slash is a tag.
  private static func site(_ container: Container = .zip) throws -> ScanSite {
    let site = try ScanSite()
    try write(version: 1, to: site)
    let tags = (odd + ["back\\slash"]).filter { !$0.allSatisfy(\.isWhitespace) }
    for number in tags.indices { try site.write("t/\(number)/x", "\(number)") }
    let rules =
      [TestRule.glob("{f,g,h}*/**", "all", "every")] + tags.enumerated().map { .path("t/\($0)", $1) }
    _ = try site.manifest(rules, container: container)
    return site
  }

  /// Writes files to all paths.
  ///
  /// In a second version, the files differ in a few bytes.
  private static func write(version: Int, to site: ScanSite) throws {
    for (number, path) in paths.enumerated() {
      try site.write(path, Sample.noise(1600, seed: UInt64(number)) + Data("version \(version)".utf8))
    }
  }

  private static func build(
    _ site: ScanSite, into output: String, _ container: Container, from old: [String] = []
  ) throws -> BuildResult {
    var request = site.request(into: output, .test(container))
    request.patchFrom = old.map { site.folder.path($0) }
    return try request.run(Policy())
  }

  /// Returns the contents of the project's files by their paths.
  private static func contents(_ site: ScanSite) throws -> [String: Data] {
    try site.folder.files(below: "Assets")
  }

  @Test(arguments: Container.allCases) func `verify unpack and inspect take all names`(container: Container)
    throws
  {
    let site = try Self.site(container)
    let result = try Self.build(site, into: "out", container)
    #expect(result.release != nil, "\(result.findings.rendered)")
    let out = site.folder.path("out")
    #expect(
      try Verification(of: out, profile: nil, jobs: 2).diagnostics.filter { $0.severity == .error } == [])
    let unpacked = try Unpacking(
      out, tags: nil, to: site.folder.path("unpacked"), replacesFiles: false, jobs: 2)
    #expect(unpacked.diagnostics.isEmpty, "\(unpacked.diagnostics.rendered)")
    #expect(try site.folder.files(below: "unpacked") == Self.contents(site))
    let index = try #require(try BuiltFolder(out).index)
    for pack in index.packs {
      let listing = try PackListing("\(out)/\(pack.archive.path)")
      #expect(listing.damage == [] && listing.digest == pack.digest, "\(pack.name)")
    }
  }

  @Test func `diff compares files and packs of every name`() throws {
    let site = try Self.site()
    _ = try Self.build(site, into: "1", .zip)
    try Self.write(version: 2, to: site)
    site.waitForClockTick()
    _ = try Self.build(site, into: "2", .zip)
    let (one, two) = (site.folder.path("1"), site.folder.path("2"))
    // Compare the first build with the second build, and with the project of a manifest. In the second case,
    // the files of the project are read.
    for (old, new) in [(one, two), (one, site.folder.path)] {
      let readers = try ReleaseReader.read([old, new], jobs: 2)
      for reader in readers { #expect(!reader.diagnostics.hasErrors, "\(reader.diagnostics.rendered)") }
      let releases = try readers.map { try #require($0.release) }
      let update = Comparison(old: releases[0], new: releases[1])
      let changed = update.packs.flatMap { $0.files }
      #expect(changed.allSatisfy { $0.change == .changed })
      let paths = changed.compactMap(\.new).map { releases[1].path($0) }
      #expect(paths.sorted() == Self.paths.sorted())
      // The packs whose paths contain only one odd name are unchanged. Their names contain only their tags.
      let same = update.packs.filter { $0.status == .unchanged }
      #expect(same.count == update.packs.count - 1 && same.count > 50)
    }
  }

  @Test func `serve has every pack by its encoded path`() throws {
    let site = try Self.site()
    _ = try Self.build(site, into: "out", .zip)
    let index = try #require(try BuiltFolder(site.folder.path("out")).index)
    let table = try #require(try BuiltTable(site.folder.path("out")).table)
    let base = try #require(URL(string: "http://host"))
    for pack in index.packs {
      let url = try #require(base.appending(published: pack.archive.path)).absoluteString
      let target = url.dropFirst("http://host".count)
      #expect(
        target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"+?#&;:\"\\".utf8.contains($0) }, "\(target)")
      #expect(table[try RequestPath(Array(target.utf8))] != nil, "\(pack.archive.path)")
    }
  }

  /// The server reads a plus in a path as a space.
  ///
  /// The files are downloaded in archives and also in patches.
  @Test(.mostlyWaits) func `on demand loads every name`() async throws {
    let built = try Self.site()
    _ = try Self.build(built, into: "1", .zip)
    try Self.write(version: 2, to: built)
    built.waitForClockTick()
    let second = try Self.build(built, into: "2", .zip, from: ["1"])
    #expect(second.release?.patches.first?.packs.isEmpty == false)
    let patched = [built.folder.path("1")]
    #expect(
      try Verification(of: built.folder.path("2"), profile: nil, patchedFrom: patched, jobs: 2).diagnostics
        .filter { $0.severity == .error } == [])
    let site = try StoreSite(built.folder.path("1"))
    let store = try await site.updated()
    let tags = try #require(try BuiltFolder(built.folder.path("1")).index).packs.flatMap(\.tags)
    try await store.request(for: tags).beginAccessing()
    site.server.serve(built.folder.path("2"))
    try await store.takeUpdate()
    let request = store.request(for: tags)
    try await request.beginAccessing()
    for (path, content) in try Self.contents(built) {
      let file = try? store.url(for: path)
      #expect(try file.map { try Data(contentsOf: $0) } == content, "\(path)")
    }
    #if Patches
      #expect(site.server.paths.contains { $0.hasPrefix("patches/") && $0.hasSuffix(".zip") })
      #expect(site.server.paths.count { $0.contains("/com.example.test.all+every-") } == 1)
    #endif
    request.endAccessing()
    await store.close()
  }

  @Test(arguments: refused) func `what a build refuses is one error`(name: String) throws {
    let site = try ScanSite("a/x")
    try site.write("a/\(name)")
    _ = try site.manifest([.path("a", "A")])
    let result = try Self.build(site, into: "out", .zip)
    let errors = result.findings.filter { $0.severity == .error }
    #expect(errors.map(\.check) == [.invalidName] && result.release == nil)
  }

  /// packtool and the library each have a copy of the rules.
  ///
  /// Both copies must accept the same paths.
  @Test func `both copies of the rules agree`() {
    var dice = Dice(seed: 5)
    let parts =
      Self.odd + Self.refused + [
        "", ".", "..", "/", "//", "\\", "\0", "conin$", "CONOUT$ .x", "com0", "com10", "lpt9.a.b", "nul.",
      ]
    var counts: [Bool: Int] = [:]
    for _ in 0..<5_000 {
      let path = (0..<dice.below(4)).map { _ in dice.pick(parts) }.joined(
        separator: dice.pick(["/", "", "."]))
      let bytes = Array(path.utf8)
      #expect(PackPath.isPublished(path) == PublishedPath.isPlain(path), "\(path.debugDescription)")
      let names = bytes.split(separator: UInt8(ascii: "/"))
      #expect(
        PackPath.isStorableOnWindows(path) == names.allSatisfy { WindowsNames.canStore($0) },
        "\(path.debugDescription)")
      #if !os(Windows)
        #expect(PackPath.isInPack(path) == PublishedPath.isInPack(path), "\(path.debugDescription)")
      #endif
      // If a manifest or a scan accepts a path, all readers must accept it.
      if let own = try? RelativePath(path), !own.isRoot {
        #expect(PackPath.isPublished(own.text), "\(path.debugDescription)")
        counts[PackPath.isStorableOnWindows(own.text), default: 0] += 1
      }
    }
    #expect(PackPath.maxSize == RelativePath.maxSize)
    #expect(counts.values.min() ?? 0 > 500, "\(counts)")
  }
}
