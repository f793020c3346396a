@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the facts about a tree that spare checks from reading all paths.
@Suite struct ScanFlagTests {
  /// Returns the tree of these files, where a rule takes the folder `a`.
  private func tree(_ files: [String], to destination: String? = nil) throws -> AssetTree {
    let site = try ScanSite()
    for file in files { try site.write(file) }
    return try tree(site, to: destination)
  }

  private func tree(_ site: ScanSite, to destination: String? = nil) throws -> AssetTree {
    let manifest = try site.manifest([TestRule(path: "a", tags: ["A"], destination: destination)])
    return try #require(try AssetScan(of: manifest, leavingOut: nil, jobs: 1).tree)
  }

  @Test(
    arguments: [(["a/x", "a/x."], false), (["a/.x"], true), (["a/.x/y"], false), (["b/.x", "a/x"], false)]
      as [([String], Bool)])
  func `files with a dot are told apart`(files: [String], expected: Bool) throws {
    #expect(try tree(files).mayHaveHiddenFiles == expected)
  }

  @Test(
    arguments: [
      (["a/x.bak"], true), (["a/x"], false), (["a/node_modules/x"], true), (["a/id_rsa"], true),
      (["a/x.back", "b/x.bak"], false),
    ] as [([String], Bool)])
  func `unlikely names are told apart`(files: [String], expected: Bool) throws {
    #expect(try tree(files).mayHaveUnlikelyNames == expected)
  }

  @Test(
    arguments: [
      (["a/C.xcassets/x"], true), (["a/C.xcassets2/x"], false), (["a/xcassets/x"], false),
    ] as [([String], Bool)])
  func `catalogs are told apart`(files: [String], expected: Bool) throws {
    #expect(try tree(files).mayHaveCatalogs == expected)
  }

  @Test(
    arguments: [
      (["a/x", "a/X"], true), (["a/x", "a/y"], false), (["a/y", "b/x", "b/X"], false),
      (["a/y", "a/z/x", "a/z/X"], true), (["a/y/x", "a/z/X"], false),
    ] as [([String], Bool)])
  func `similar names are told apart`(files: [String], expected: Bool) throws {
    #expect(try tree(files).mayHaveClashes == expected)
  }

  @Test func `names for Windows are told apart`() throws {
    #expect(try tree(["a/x"]).mayHaveUnportableNames == false)
    #expect(try tree(["a/aux.txt"]).mayHaveUnportableNames)
    #expect(try tree(["a/aux/x"]).mayHaveUnportableNames)
    #expect(try tree(["a/x", "b/aux"]).mayHaveUnportableNames == false)
    // A destination can contain such a name.
    #expect(try tree(["a/x"], to: "d").mayHaveUnportableNames)
    let site = try ScanSite("aux/d/1", "aux/d/2")
    let scan = try site.scan(.glob("**/[12]", "A"))
    #expect(scan.tree?.mayHaveUnportableNames == true && scan.files.count == 2)
  }

  @Test func `only links and destinations change the order of paths`() throws {
    let site = try ScanSite("a/1", "b/2")
    #expect(try tree(site).isInPackOrder)
    #expect(try tree(site, to: "d").isInPackOrder == false)
    try site.link("a/link", to: "1")
    #expect(try tree(site).isInPackOrder)
    try site.link("a/folder", to: "../b")
    #expect(try tree(site).isInPackOrder == false)
    #expect(try tree(site, to: "d").isInPackOrder == false)
  }

  /// `.ignored` also means that folders in which no rule can match are not read.
  @Test func `untagged files are ignored, counted or listed`() throws {
    let site = try ScanSite("a/1", "b/22", "b/c/333", "4444")
    try site.link("link", to: "b")
    let manifest = try site.manifest([.path("a", "A"), .glob("d/*.x", "X")])
    func scan(_ untagged: UntaggedListing) throws -> AssetTree {
      try #require(try AssetScan(of: manifest, leavingOut: nil, jobs: 1, untagged: untagged).tree)
    }
    func folders(_ tree: AssetTree) -> [String] { tree.folders.map { String(decoding: $0, as: UTF8.self) } }
    let ignored = try scan(.ignored)
    #expect(folders(ignored) == ["", "a"])
    #expect(ignored.untagged == FileCount() && ignored.untaggedFiles.isEmpty)
    let counted = try scan(.counted)
    #expect(folders(counted) == ["", "a", "b", "b/c"])
    #expect(counted.untagged == FileCount(files: 3, size: 4 + 4 + 7) && counted.untaggedFiles.isEmpty)
    #expect(counted.untaggedInFolders.map(\.files) == [1, 0, 1, 1])
    #expect(counted.untaggedInFolders.map(\.size) == [4, 0, 4, 7])
    let listed = try scan(.listed)
    #expect(folders(listed) == ["", "a", "b", "b/c"] && listed.untagged == counted.untagged)
    #expect(listed.untaggedFiles.map(\.path) == ["4444", "b/22", "b/c/333"])
    #expect(listed.untaggedFiles.map(\.size) == [4, 4, 7])
  }

  @Test func `folders are read to the deepest level, and no deeper`() throws {
    let site = try ScanSite("a/1", "a/b/2", "a/b/c/3", "a/b/c/d/4")
    func scan(_ rule: TestRule, _ deepest: Int) throws -> (paths: [String], findings: [Diagnostic]) {
      let scanner = try AssetScanner(site.manifest([rule]), leavingOut: nil, deepestLevel: deepest)
      let (tree, found) = try scanner.scan(jobs: 1)
      return (tree.files.map(\.path), found.found.findings)
    }
    let (paths, findings) = try scan(.path(".", "A"), 2)
    #expect(paths == ["a/1", "a/b/2"])
    #expect(findings.map(\.facts) == [#"error [unreadable-file] "a/b/c" 2"#])
    #expect(findings.map(\.place) == [Place(site.folder.path("Assets/a/b/c"))])
    #expect(try scan(.path(".", "A"), 0).findings.map(\.facts) == [#"error [unreadable-file] "a" 0"#])
    let whole = try scan(.path(".", "A"), 4)
    #expect(whole.paths.count == 4 && whole.findings.isEmpty)
    // No rule can match in this folder.
    #expect(try scan(.path("a/1", "A"), 1).findings.map(\.facts) == [#"warning [unreadable-file] "a/b" 1"#])
  }

  @Test func `the limit of folders behind links is exact`() throws {
    let site = try ScanSite("d2/file")
    for number in 0..<2 {
      for name in ["left", "right"] { try site.link("d\(number)/\(name)", to: "../d\(number + 1)") }
    }
    let manifest = try site.manifest([.path("d0", "A")])
    func scan(_ limit: Int) throws -> (files: Int, findings: [Diagnostic]) {
      let scan = try AssetScanner(manifest, leavingOut: nil, maxLinkedFolders: limit).scan(jobs: 1)
      return (scan.tree.files.count, scan.findings.found.findings)
    }
    let (files, findings) = try scan(6)
    #expect(files == 4 && findings.isEmpty)
    let (fewer, errors) = try scan(5)
    #expect(fewer == 3 && errors.map(\.check) == [.linkLoop])
    #expect(errors.map(\.place) == [Place(manifest.rootPath)] && errors.first?.names("5") == true)
  }

  @Test func `an error that is not about rights ends the scan`() throws {
    let site = try ScanSite("a/1")
    let scanner = try AssetScanner(site.manifest([.path(".", "A")]), leavingOut: nil)
    let identity = try scanner.root.status().identity
    let task = AssetScanner.Task(
      number: 0, path: Array(repeating: UInt8(ascii: "n"), count: 300), state: scanner.rules.root,
      identity: identity, isLinked: false)
    var worker = ScanWorker(scanner)
    let error = #expect(throws: SystemError.self) { _ = try worker.read(task) }
    #expect(error?.isTooLong == true && worker.findings.found.findings.isEmpty)
  }

  @Test func `of a long path the place has the start`() throws {
    let (folder, name) = (String(repeating: "f", count: 200), String(repeating: "n", count: 200))
    let site = try ScanSite("\(folder)/1")
    try site.link("\(folder)/\(name)", to: "nowhere")
    let found = try AssetScan(of: site.manifest([.path(".", "A")]), leavingOut: nil, jobs: 1).diagnostics
    #expect(found.map(\.check) == [.danglingLink])
    #expect(found.map(\.place.path) == [site.folder.path("Assets/\(folder)/\(name.prefix(99))…")])
  }

  @Test func `below a folder with a wrong name each file that a glob matches is reported`() throws {
    let site = try ScanSite("x\u{1}/1", "x\u{1}/2", "x\u{1}/3", "y\\/1")
    let scan = try site.scan(.glob("**/[12]", "A"))
    #expect(scan.files == [])
    #expect(
      scan.findings == [
        #"Assets/x\u{1}/1: error [invalid-name] "x\u{1}/1""#,
        #"Assets/x\u{1}/2: error [invalid-name] "x\u{1}/2""#, #"Assets/y\\/1: error [invalid-name] "y\\/1""#,
      ])
  }
}

/// Tests files that the run uses for something else, and links that lead to them.
@Suite struct ScanOtherUseTests {
  private func inScope<Value>(
    naming files: [String] = [], following: Bool = false, _ body: () throws -> Value
  ) rethrows -> Value {
    var scope = RunScope()
    scope.followsSymlinks = following
    scope.files = files.map { RunScope.NamedFile(name: "--report", path: $0) }
    return try RunScope.$current.withValue(scope, operation: body)
  }

  @Test func `a link to the manifest is not packed`() throws {
    let site = try ScanSite("a/1")
    try site.link("a/manifest", to: "../../Manifest.json")
    let scan = try site.scan(.path("Assets/a", "A"), root: ".")
    #expect(scan.files == ["Assets/a/1 [A]"] && scan.findings == [] && scan.untagged.files == 0)
  }

  /// A rule without a path below the link can still match other files, so the link is followed.
  @Test func `a link that only leads on is not packed`() throws {
    let site = try ScanSite("b/1.png", "c")
    try site.link("link", to: "c")
    try site.link("b/2.txt", to: "../c")
    let scan = try site.scan(.glob("?*/*.png", "A"))
    #expect(scan.files == ["b/1.png [A]"] && scan.findings == [] && scan.untagged.files == 1)
  }

  @Test func `a link to the app is not packed`() throws {
    let site = try ScanSite("a/1", "App/binary", "b")
    try site.link("a/app", to: "../App")
    try site.folder.writeManifest([.path("Assets/a", "A")], members: #""appBundle": {"path": "Assets/App"}"#)
    let manifest = try #require(try ManifestReader(argument: site.folder.path).manifest)
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 1)
    #expect(scan.tree?.files.map(\.path) == ["Assets/a/1"] && scan.diagnostics == [])
    #expect(scan.tree?.untagged == FileCount(files: 1, size: 1))
  }

  /// The resources of an Xcode project are listed in the project.
  @Test func `untagged files can be those of a list`() throws {
    let site = try ScanSite("a/1", "a/2", "other")
    var manifest = try site.manifest([.path("a", "A").except("a/2")])
    manifest.bundledFiles = [
      UntaggedFile(path: "a/1", size: 3), UntaggedFile(path: "a/2", size: 50),
      UntaggedFile(path: "c", size: 700),
    ]
    for untagged in [UntaggedListing.counted, .listed] {
      let tree = try #require(try AssetScan(of: manifest, leavingOut: nil, jobs: 1, untagged: untagged).tree)
      #expect(tree.untagged == FileCount(files: 2, size: 750))
      #expect(tree.untaggedFiles.map(\.path) == (untagged == .listed ? ["a/2", "c"] : []))
    }
  }

  @Test func `followed links to the manifest and to named files do not count`() throws {
    let site = try ScanSite("a/1")
    try site.folder.write("other", "1234")
    try site.folder.write("report", "12345")
    try site.link("m", to: "SITE/Manifest.json")
    try site.link("o", to: "SITE/other")
    try site.link("r", to: "SITE/report")
    let scan = try inScope(naming: [site.folder.path("report")], following: true) {
      try site.scan(.path("a", "A"))
    }
    #expect(scan.files == ["a/1 [A]"] && scan.findings == [])
    #expect(scan.untagged == FileCount(files: 1, size: 4))
  }

  @Test func `untagged files in a followed folder do not count`() throws {
    let site = try ScanSite("a/1")
    try site.folder.write("elsewhere/1.png", "")
    try site.folder.write("elsewhere/plain", "12")
    try site.folder.write("store/3", "123")
    try site.folder.link("elsewhere/linked", to: "../store/3")
    try site.link("b", to: "../elsewhere")
    let scan = try inScope(following: true) { try site.scan(.glob("b/*.png", "B"), .path("a", "A")) }
    #expect(scan.files == ["a/1 [A]", "b/1.png [B]"] && scan.findings == [])
    #expect(scan.untagged == FileCount())
  }

  /// No rule can match below this link, so its folder is not entered.
  @Test func `an untagged link to a folder is not entered`() throws {
    let site = try ScanSite("a/1")
    try site.folder.write("elsewhere/plain", "12")
    try site.link("b", to: "../elsewhere")
    let scan = try inScope(following: true) { try site.scan(.path("a", "A")) }
    #expect(scan.tree?.folders.map { String(decoding: $0, as: UTF8.self) } == ["", "a"])
  }

  @Test func `named files are an error if tagged, and do not count otherwise`() throws {
    let site = try ScanSite("a/1", "a/2", "b/333", "b/4")
    let files = ["Assets/a/2", "Assets/b/333", "Assets/missing"].map { site.folder.path($0) }
    let (scan, named) = try inScope(naming: files) {
      (try site.scan(.path("a", "A"), jobs: 1), RunScope.current.namedAssets.change { $0 })
    }
    #expect(scan.files == ["a/1 [A]"])
    #expect(scan.findings == [#"Assets/a/2: error [run-file-in-pack] "a" "a/2" "--report" "exclude""#])
    #expect(scan.untagged == FileCount(files: 1, size: 3))
    #expect(named == [files[0]])
  }

  @Test func `a named folder is reported for each tagged file in it`() throws {
    let site = try ScanSite("a/old/x/1", "a/2")
    let scan = try inScope(naming: [site.folder.path("Assets/a/old")]) {
      try site.scan(.path("a", "A"), jobs: 1)
    }
    #expect(scan.files == ["a/2 [A]"])
    #expect(
      scan.findings == [#"Assets/a/old/x/1: error [run-file-in-pack] "a" "a/old/x/1" "--report" "exclude""#])
  }

  /// A file that only a folder's name shares with a glob is not one that the glob matches.
  @Test func `only files make rules with except or otherwise used`() throws {
    let site = try ScanSite("a/1", "b/2")
    let rest = try site.scan(.glob("*", "rest").forTheRest, .path("a", "A"), .path("b", "B"))
    #expect(rest.findings == [#"Manifest.json: error [no-match] "*" "a" "*/**""#])
    let except = try site.scan(.glob("*/[12]", "A").except("a/1"), .path("a", "B"))
    #expect(except.files == ["a/1 [B]", "b/2 [A]"] && except.findings == [])
    let folder = try site.scan(.glob("{b,b/*}", "A").except("b"), .path("a", "B"), .path("b", "C"))
    #expect(folder.findings == [#"Manifest.json: error [no-match] "except" "{b,b/*}""#])
    let idle = try site.scan(.glob("{b,a/1}", "A").except("b"), .path("b", "C"))
    #expect(idle.findings == [#"Manifest.json: warning [unused-except] "b" "{b,a/1}""#])
  }
}

/// Tests how pointers are read while files change.
@Suite struct PointerReadTests {
  private let folder: TemporaryFolder
  private let root: Folder

  init() throws {
    folder = try TemporaryFolder()
    root = try Folder(folder.path)
  }

  private func status(_ name: String) throws -> FileStatus {
    try root.status(of: Array(name.utf8), symlinks: .notFollowed)
  }

  private func pointer(_ name: String, _ status: FileStatus) throws -> AssetPointer? {
    try root.pointer(inFile: Array(name.utf8), status: status)
  }

  private static let key = "SHA256E-s7--" + String(repeating: "0123456789abcdef", count: 4)

  @Test func `a pointer has at most 1,024 bytes`() throws {
    let start = "/annex/objects/\(Self.key)."
    for (size, isPointer) in [(1024, true), (1025, false)] {
      try folder.write("x", start + String(repeating: "e", count: size - start.utf8.count))
      #expect(try (pointer("x", status("x")) != nil) == isPointer)
    }
    try folder.write("x", "\(start)png\n")
    let found = try #require(try pointer("x", status("x")))
    #expect(found.size == 7 && !found.isLink && found.digest.hex.hasPrefix("0123456789abcdef01"))
    try folder.write("x", "")
    #expect(try pointer("x", status("x")) == nil)
    // A file of this size cannot be read as a whole.
    try folder.writeSparse("x", size: 1 << 40)
    #expect(try pointer("x", status("x")) == nil)
  }

  @Test func `a file that has grown or was replaced is not a pointer`() throws {
    try folder.write("x", Self.key)
    let old = try status("x")
    #expect(try pointer("x", old)?.size == 7)
    // The inode stays the same.
    try folder.write("x", "\(Self.key).m")
    #expect(try pointer("x", old) == nil && pointer("x", status("x")) != nil)
    try folder.write("y", "\(Self.key).m")
    #expect(try pointer("y", status("x")) == nil)
    #expect(try pointer("missing", status("x")) == nil)
  }

  @Test func `a link is read by its target`() throws {
    try folder.link("annex", to: "../.git/annex/objects/\(Self.key)/\(Self.key)")
    try folder.link("other", to: "../.git/annex/objects/MD5-s7--00")
    try folder.write("file", Self.key)
    func pointer(_ name: String) throws -> AssetPointer? { try root.pointer(inLink: Array(name.utf8)) }
    let found = try #require(try pointer("annex"))
    #expect(found.size == 7 && found.isLink)
    for name in ["other", "file", "missing"] { #expect(try pointer(name) == nil, "\(name)") }
    let error = #expect(throws: SystemError.self) { _ = try pointer(String(repeating: "n", count: 300)) }
    #expect(error?.isTooLong == true)
  }
}
