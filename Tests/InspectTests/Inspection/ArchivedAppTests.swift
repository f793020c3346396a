@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the parts of an .ipa that packtool reads.
@Suite struct ArchivedAppTests {
  /// An archive in a folder that is removed together with this value.
  private struct Archive {
    let folder: TemporaryFolder
    var path: String { folder.path("App.ipa") }

    func read() throws -> ArchivedApp { try ArchivedApp(path) }

    func export(reading contents: XcodeExport.Contents = .listsAndPacks) throws -> XcodeExport {
      try XcodeExport(path, reading: contents, jobs: 1)
    }
  }

  /// Makes an archive with the given entries in order.
  ///
  /// Python writes the archive. The contents of an entry are a property list or a string.
  private func archive(_ entries: String...) throws -> Archive {
    let folder = try TemporaryFolder()
    let script = """
      import plistlib, zipfile
      def plist(**members): return plistlib.dumps(members)
      def info(tag): return plist(CFBundleIdentifier='x.asset-pack-' + tag, Tags=[tag])
      ipa = zipfile.ZipFile('App.ipa', 'w', zipfile.ZIP_DEFLATED)
      for path, content in [\(entries.joined(separator: ", "))]: ipa.writestr(path, content)
      ipa.close()
      """
    let result = try run("python3", ["-c", script], in: folder.path)
    try #require(result.status == 0, "\(result.errors)")
    return Archive(folder: folder)
  }

  @Test func `packs are sorted by their paths`() throws {
    let made = try archive(
      "('b.assetpack/Info.plist', info('b'))", "('a.assetpack/z', 'z')", "('c.assetpack/', '')",
      "('a.assetpack/Info.plist', info('a'))", "('c.assetpack/Info.plist', info('c'))",
      "('a.assetpack/A', 'A')")
    let export = try made.export()
    #expect(
      export.packs.map { String($0.path.split(separator: "/").last ?? "") } == [
        "a.assetpack", "b.assetpack", "c.assetpack",
      ])
    #expect(export.packs.map(\.tags) == [["a"], ["b"], ["c"]])
    #expect(export.packs[0].files.map(\.path) == ["A", "Info.plist", "z"])
    #expect(export.packs.areAll { $0.damage.isEmpty })
  }

  /// Property lists of extensions, and of apps inside apps, are not lists of the app.
  @Test(arguments: [
    ("OnDemandResources.plist", true), ("App.app/OnDemandResources.plist", true),
    ("Payload/App.app/OnDemandResources.plist", true), ("Payload/OnDemandResources.plist", false),
    ("Payload/App.app/Watch/OnDemandResources.plist", false),
    ("Payload/x/App.app/OnDemandResources.plist", false), ("Payload/App.app/Other.plist", false),
    ("Payload/App.app/OnDemandResources.plist/", false),
  ])
  func `lists lie at the top or directly in an app`(place: String, isRead: Bool) throws {
    let made = try archive("('\(place)', plist(a=1) if '\(place)'[-1] != '/' else '')")
    let archive = try made.read()
    #expect(archive.lists.keys.sorted() == (isRead ? [place] : []))
    #expect(archive.faults.isEmpty && archive.appInfo == nil)
  }

  @Test(arguments: [
    ("Payload/App.app/Info.plist", true), ("Info.plist", false), ("App.app/Info.plist", false),
    ("Payload/App/Info.plist", false), ("Other/App.app/Info.plist", false),
    ("Payload/App.app/PlugIns/Info.plist", false), ("Payload/App.app/Other.plist", false),
    ("Payload/App.app/Info.plist/", false),
  ])
  func `the app's own description is at one place`(place: String, isRead: Bool) throws {
    let made = try archive("('\(place)', 'text' if '\(place)'[-1] != '/' else '')")
    let archive = try made.read()
    #expect(archive.appInfo.map { String(decoding: $0, as: UTF8.self) } == (isRead ? "text" : nil))
    #expect(archive.lists.isEmpty)
  }

  @Test func `two lists of one name are an error, and the first counts`() throws {
    let made = try archive(
      "('Payload/B.app/OnDemandResources.plist', plist(b=1))",
      "('Payload/A.app/OnDemandResources.plist', plist(a=1))")
    let export = try made.export(reading: .lists)
    #expect(export.lists.keys.sorted() == ["OnDemandResources.plist"])
    #expect(export.lists["OnDemandResources.plist"]?["a"]?.number == 1)
    let found = export.diagnostics.map {
      "\($0.place.path): \($0.facts)".replacing(made.folder.path, with: "SITE")
    }
    let places = ["B", "A"].map { "SITE/App.ipa/Payload/\($0).app/OnDemandResources.plist" }
    #expect(
      found == [
        #"\#(places[0]): error [damaged-index] "SITE/App.ipa" "OnDemandResources.plist" "\#(places[1])""#
      ])
  }

  @Test func `a list that is none is an error where it lies`() throws {
    let made = try archive("('Payload/A.app/OnDemandResources.plist', 'no list')")
    let export = try made.export(reading: .lists)
    #expect(export.lists.isEmpty)
    #expect(export.diagnostics.map(\.check) == [.damagedIndex])
    #expect(export.diagnostics[0].place.path == "\(made.path)/Payload/A.app/OnDemandResources.plist")
  }

  @Test func `an archive that is not there cannot be read`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: SystemError.self) { try XcodeExport(folder.path("none.ipa"), jobs: 1) }
    #expect(error?.isMissing == true)
  }

  @Test func `a pack that is an archive in the archive is damaged`() throws {
    let made = try archive("('x.assetpack', 'PK')", "('y.assetpack/Info.plist', info('y'))")
    let packs = try made.read().packs
    #expect(packs.map(\.damage.count) == [1, 0])
    #expect(packs.map(\.files.count) == [0, 1])
  }

  /// The property lists of a real app are much smaller than 64 MiB, but an archive of 64 KiB can be
  /// decompressed to that size.
  @Test func `lists of more than 64 MiB together are not read`() throws {
    let made = try archive(
      "('App.app/OnDemandResources.plist', b' ' * (40 << 20))",
      "('App.app/AssetPackManifest.plist', b' ' * (24 << 20))",
      "('OnDemandResources.plist', b' ')")
    let archive = try made.read()
    let sizes: [String: Int] = [
      "App.app/OnDemandResources.plist": 40 << 20, "App.app/AssetPackManifest.plist": 24 << 20,
    ]
    #expect(archive.lists.mapValues(\.count) == sizes)
    #expect(archive.faults.map { values(in: $0) } == ["\"OnDemandResources.plist\""])
  }
}

/// Tests which kinds of files and folders `inspect` recognizes.
@Suite struct InspectionTests {
  private func kind(of path: String) throws -> String {
    do {
      switch try Inspection(path) {
      case .pack: return "pack"
      case .patch: return "patch"
      case .list(let name, _): return "list \(name)"
      case .export: return "export"
      case .builtFolder: return "built folder"
      }
    } catch let refusal as Inspection.Refusal {
      return refusal.diagnostics.map(\.check.id).joined(separator: ", ")
    }
  }

  @Test func `the kind of a file or folder is recognized by its contents`() throws {
    let built = try BuiltSite()
    let folder = built.site.folder
    try folder.write("list.plist", "<plist version=\"1.0\"><dict/></plist>")
    try folder.write("text", "text")
    try folder.write("broken.json", "{")
    try folder.write("broken.zip", "PK\u{3}\u{4}")
    try folder.write("Empty/x", "x")
    try folder.write("Pack/Info.plist", "<plist version=\"1.0\"><dict/></plist>")
    try folder.write("named.assetpack/index.json", "{")
    try folder.write("Lists/OnDemandResources.plist", "<plist version=\"1.0\"><dict/></plist>")
    try folder.write("Damaged/OnDemandResources.plist", "no list")
    try folder.write("Broken/index.json", "{")
    try folder.python("import zipfile; zipfile.ZipFile('App.ipa', 'w').writestr('Payload/A.app/x', 'x')")
    try folder.writeSparse("long", size: Int64(PropertyList.maxSize) + 1)
    try #require(mkfifo(folder.path("fifo"), 0o644) == 0)
    for (path, expected) in [
      ("out", "built folder"), ("out/", "built folder"), ("out/index.json", "built folder"),
      ("out/\(try built.pack("A").archive.path)", "pack"), ("list.plist", "list list.plist"),
      ("text", "unknown-file"), ("long", "unknown-file"), ("fifo", "unknown-file"), ("none", "unknown-file"),
      ("broken.zip", "pack"), ("Empty", "pack"), ("Pack", "pack"), ("named.assetpack", "pack"),
      ("App.ipa", "export"), ("none.ipa", "unknown-file"), ("Lists", "export"), ("Damaged", "damaged-index"),
      ("Broken", "damaged-index"),
      ("broken.json", "damaged-index"),
    ] {
      let found = try kind(of: folder.path(path))
      #expect(found == expected, "\(path)")
    }
  }

  @Test func `the kind of a folder of packs is recognized by its lists`() throws {
    let folder = try TemporaryFolder()
    try folder.write("own/index.json", "{}")
    try folder.write("own/OnDemandResources.plist", "")
    try folder.write("apple/OnDemandResources.plist", "")
    try folder.write("apple/tags.json", "{}")
    try folder.write("packs/OnDemandResources/x.assetpack/1", "")
    try folder.write("assets/tags.json", "{}")
    try folder.write("assets/manifests/x.json", "")
    try folder.write("tags/tags.json", "{}")
    try folder.write("file.ipa", "")
    try folder.write("folder.ipa/index.json", "{}")
    for (path, expected) in [
      ("own", BuiltFolderKind.packtool), ("apple", .apple), ("packs", .apple), ("assets", .backgroundAssets),
      ("tags", .packtool), ("file.ipa", .apple), ("folder.ipa", .packtool), ("none.ipa", .packtool),
      ("none", .packtool),
    ] {
      #expect(try BuiltFolderKind(of: folder.path(path)) == expected, "\(path)")
    }
  }
}

/// Tests the listings of packs that were made in several ways.
@Suite struct PackListingTests {
  @Test func `what no pack holds is damage`() throws {
    let folder = try TemporaryFolder()
    try folder.write("pack/Info.plist", "no list")
    try folder.link("pack/link", to: "Info.plist")
    try folder.write("pack/b", "b")
    try folder.write("pack/a/1", "1")
    let listing = try PackListing(folder.path("pack"))
    #expect(listing.files.map(\.path) == ["Info.plist", "a/1", "b"])
    #expect(listing.folders == ["a"])
    #expect(listing.damage.count == 2)
    #expect(listing.damage.contains { values(in: $0) == "\"link\"" })
    #expect(listing.info == nil)
    // The Info.plist is not a valid property list, so it counts as content like every other file.
    #expect(listing.contents.map(\.path) == ["Info.plist", "a/1", "b"])
  }

  /// Reading ends at the first damaged entry, because the bytes after the damage cannot be trusted.
  @Test func `a damaged entry ends the listing`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.python(
      """
      import zipfile
      with zipfile.ZipFile('a.zip', 'w') as file:
          for name in ['1', '2', '3']: file.writestr(name, name * 100)
      data = bytearray(open('a.zip', 'rb').read())
      data[data.index(b'2' * 101) + 50] ^= 1
      open('a.zip', 'wb').write(data)
      """)
    let listing = try PackListing(folder.path("a.zip"))
    #expect(listing.damage.count == 1)
    #expect(listing.files.map(\.path) == ["1"])
  }

  @Test func `only so many faults are named, and the rest counted`() throws {
    let folder = try TemporaryFolder()
    for number in 0..<FindingList.maxPerCheck { try folder.link("pack/\(number)", to: "x") }
    #expect(try PackListing(folder.path("pack")).damage.count == FindingList.maxPerCheck)
    for number in 0..<2 { try folder.link("pack/more\(number)", to: "x") }
    let damage = try PackListing(folder.path("pack")).damage
    #expect(damage.count == FindingList.maxPerCheck + 1)
    #expect(damage.last.map { values(in: $0) } == "2")
  }

  @Test func `signatures and metadata are no content`() throws {
    let folder = try TemporaryFolder()
    try folder.write("pack/Info.plist", "<plist version=\"1.0\"><dict/></plist>")
    for path in ["META-INF/x", "_CodeSignature/x", "META-INFO", "a/_CodeSignature"] {
      try folder.write("pack/\(path)", "12345")
    }
    let listing = try PackListing(folder.path("pack"))
    #expect(listing.contents.map(\.path) == ["META-INFO", "a/_CodeSignature"])
    let info = try folder.read("pack/Info.plist").count
    #expect(listing.size == Int64(info + 10))
  }

  @Test func `names and descriptions have limits`() throws {
    let budget = NameBudget()
    #expect(budget.reserve(NameBudget.maxBytes - 128))
    #expect(!budget.reserve(0))
    let exact = NameBudget()
    #expect(!exact.reserve(NameBudget.maxBytes - 127))
    #expect(exact.reserve(NameBudget.maxBytes / 2 - 128) && exact.reserve(NameBudget.maxBytes / 2 - 128))
    #expect(!exact.reserve(0))
    let folder = try TemporaryFolder()
    try folder.write("pack/x", "x")
    let listing = try PackListing(folder.path("pack"), budget: exact)
    #expect(listing.files.isEmpty && listing.damage.count == 1 && !listing.hasBudgetLeft)
  }
}
