@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests what is listed of a pack in a folder or in an archive.
@Suite struct ListingTests {
  private func archive(_ script: String) throws -> PackListing {
    let folder = try TemporaryFolder()
    let result = try run(
      "python3", ["-c", "import zipfile\nz = zipfile.ZipFile('p.zip', 'w')\n\(script)\nz.close()"],
      in: folder.path)
    try #require(result.status == 0, "\(result.errors)")
    return try PackListing(folder.path("p.zip"))
  }

  @Test func `folders are listed without their slashes`() throws {
    let listing = try archive(
      "for n in ['a/', 'a/deep/', 'a/deep/1', 'B']: z.writestr(n, '' if n[-1] == '/' else 'xy')")
    #expect(listing.folders == ["a", "a/deep"] && listing.damage.isEmpty)
    #expect(listing.files.map(\.path) == ["B", "a/deep/1"] && listing.files.map(\.size) == [2, 2])
    let folder = try TemporaryFolder()
    try folder.write("p/a/deep/1", "xy")
    try folder.write("p/B", "xy")
    let same = try PackListing(folder.path("p"))
    #expect(same.folders.sorted() == ["a", "a/deep"] && same.files.map(\.path) == ["B", "a/deep/1"])
    #expect(same.files.map(\.digest) == listing.files.map(\.digest) && same.digest == listing.digest)
    #expect(same.size == 4 && same.info == nil && same.identifier == nil && same.tags == nil)
  }

  /// Metadata and signatures do not count as content.
  @Test func `what describes a pack is not its content`() throws {
    let folder = try TemporaryFolder()
    let info = """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>x.y</string><key>Tags</key>
      <array><string>A</string></array><key>Priority</key><real>0.5</real></dict></plist>
      """
    try folder.write("p/Info.plist", info)
    for path in ["META-INF/x", "META-INFO/x", "_CodeSignature/x", "a/META-INF/x", "z"] {
      try folder.write("p/\(path)", "12")
    }
    let listing = try PackListing(folder.path("p"))
    #expect(listing.identifier == "x.y" && listing.tags == ["A"] && listing.priority == 0.5)
    #expect(listing.contents.map(\.path) == ["META-INFO/x", "a/META-INF/x", "z"])
    #expect(listing.size == Int64(info.utf8.count) + 6 && listing.files.count == 6)
    #expect(["META-INF", "META-INF/", "_CodeSignature"].areAll { PackListing.isAbout($0) })
    #expect(!["META-IN", "META-INFO", "x/META-INF/a", ""].contains { PackListing.isAbout($0) })
  }

  @Test func `an Info.plist of another kind is damage`() throws {
    let folder = try TemporaryFolder()
    try folder.write("p/Info.plist", "no list")
    try folder.write("p/a/Info.plist", "no list")
    let listing = try PackListing(folder.path("p"))
    #expect(listing.damage.count == 1 && listing.info == nil && listing.files.count == 2)
  }
}

/// Tests how `inspect` recognizes files and folders.
@Suite struct InspectionKindTests {
  /// Returns the kind of what is at a path, or the checks and places of its findings.
  private func kind(of path: String) throws -> String {
    do {
      return switch try Inspection(path) {
      case .pack(let pack): "pack of \(pack.files.count)"
      case .patch: "patch"
      case .list(let name, _): "list \(name)"
      case .export: "export"
      case .builtFolder: "built"
      }
    } catch let refusal as Inspection.Refusal {
      return refusal.diagnostics.map { "\($0.check.id) \(lastName(of: $0.place.path))" }
        .joined(separator: ", ")
    }
  }

  @Test func `files and folders are told apart`() throws {
    let built = try BuiltSite()
    let out = built.site.folder.path("out")
    #expect(try kind(of: out) == "built" && kind(of: "\(out)/") == "built")
    #expect(try kind(of: "\(out)/index.json") == "built")
    let archive = "\(out)/\(built.index.packs[0].archive.path)"
    #expect(try kind(of: archive) == "pack of \(built.index.packs[0].fileCount)")
    let export = try ExportSite()
    #expect(try kind(of: export.path) == "export")
    #expect(try kind(of: export.folder.path("out/\(ExportSite.tags)")) == "list \(ExportSite.tags)")
    #expect(try kind(of: export.folder.path(export.pack("B"))).hasPrefix("pack of "))
    #expect(try kind(of: export.folder.path("Assets")) == "pack of 3")
  }

  @Test func `what is nothing of these is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write("text", "text")
    try folder.write("empty", "")
    try folder.write("build/index.json", "[")
    for name in ["none", "text", "empty"] {
      #expect(try kind(of: folder.path(name)) == "unknown-file \(name)")
    }
    let damaged = try kind(of: folder.path("build"))
    #expect(damaged.hasSuffix(" index.json") && !damaged.hasPrefix("unknown-file"))
  }
}

/// Tests files and folders that the user is not permitted to read.
///
/// If the tests run as root, the files are read as the user nobody.
@Suite(.enabled(if: canBeNobody)) struct ReadingRightsTests {
  @Test func `a file of a pack that may not be read is an error`() throws {
    let folder = try TemporaryFolder()
    try folder.write("p/a", "a")
    try folder.write("p/b/c", "c")
    #expect(throws: SystemError.self) {
      try asNobody(in: folder) {
        try takeRights(from: folder.path("p/b/c"))
        return try PackListing(folder.path("p"))
      }
    }
  }

  @Test func `a folder of packs that may not be read is an error`() throws {
    let site = try ExportSite()
    #expect(try asNobody(in: site.folder) { try XcodeExport(site.path, jobs: 1) }.packs.count == 2)
    #expect(throws: SystemError.self) {
      try asNobody(in: site.folder) {
        try takeRights(from: site.folder.path("out/OnDemandResources"))
        return try XcodeExport(site.path, jobs: 1)
      }
    }
  }

  @Test func `a manifest that may not be read is an error`() throws {
    let site = try ScanSite("a")
    _ = try site.manifest([.path("a", "A")])
    #expect(throws: SystemError.self) {
      try asNobody(in: site) {
        try takeRights(from: site.folder.path("Manifest.json"))
        return try ReleaseReader(site.folder.path, jobs: 1)
      }
    }
  }
}
