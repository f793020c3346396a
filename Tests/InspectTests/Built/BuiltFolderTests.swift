@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests how a built folder is read.
@Suite struct BuiltFolderTests {
  private static let rules: [TestRule] = [.path("a", "A"), .path("b", "A", "B"), .path("ü \"x\".txt", "B")]

  private func makeSite() throws -> ScanSite {
    let site = try ScanSite("a/1", "a/2/deep", "b/1", "ü \"x\".txt")
    try site.build(Self.rules)
    return site
  }

  private func read(_ site: ScanSite) throws -> BuiltFolder { try BuiltFolder(site.folder.path("out")) }

  /// Replaces the file list of a build, and changes the index so that it refers to the new list.
  private func replaceContents(of site: ScanSite, _ change: (String) -> String) throws {
    let folder = site.folder
    let old = try #require(try read(site).index?.contents)
    let text = Data(change(String(decoding: try folder.read("out/\(old.path)"), as: UTF8.self)).utf8)
    try folder.write("out/\(old.path)", text)
    let digest = try InputFile(folder.path("out/\(old.path)")).digest()
    let index = String(decoding: try folder.read("out/index.json"), as: UTF8.self)
      .replacingOccurrences(of: old.file.digest.prefixed, with: digest.prefixed)
      .replacingOccurrences(of: "\"size\": \(old.file.size)", with: "\"size\": \(text.count)")
    try folder.write("out/index.json", index)
  }

  /// If a build is published while its folder is being read, publishing removes the file list that the old
  /// index refers to.
  @Test(arguments: [0, 1, 3]) func `a folder that changes while it is read is read again`(changes: Int) throws
  {
    let site = try makeSite()
    let path = site.folder.path("out")
    let contents = try #require(try read(site).contents)
    #expect(contents.count == 4)
    let list = try #require(try read(site).index?.contents.path)
    let kept = try site.folder.read("out/\(list)")
    try FileManager.default.removeItem(atPath: site.folder.path("out/\(list)"))
    var reads = 0
    let folder = try BuiltFolder { () throws(SystemError) in
      reads += 1
      let folder = try BuiltFolder(reading: path)
      if reads <= changes {
        // Write another index. After the last change, also write the file list of this index.
        let index = String(decoding: (try? site.folder.read("out/index.json")) ?? Data(), as: UTF8.self)
        try? site.folder.write("out/index.json", index + "\n")
        if reads == changes { try? site.folder.write("out/\(list)", kept) }
      }
      return folder
    }
    #expect(reads == changes + 1)
    #expect(folder.diagnostics.isEmpty == (changes > 0) && (folder.contents?.count == 4) == (changes > 0))
  }

  @Test func `a folder that never comes to rest is read a few times`() throws {
    let site = try makeSite()
    let path = site.folder.path("out")
    let list = try #require(try read(site).index?.contents.path)
    try FileManager.default.removeItem(atPath: site.folder.path("out/\(list)"))
    var reads = 0
    let folder = try BuiltFolder { () throws(SystemError) in
      reads += 1
      let folder = try BuiltFolder(reading: path)
      let index = String(decoding: (try? site.folder.read("out/index.json")) ?? Data(), as: UTF8.self)
      try? site.folder.write("out/index.json", index + "\n")
      return folder
    }
    #expect(reads == BuiltFolder.maxAttempts && folder.diagnostics.hasErrors)
  }

  @Test(arguments: ["", "/", "/index.json"]) func `it is what was built`(suffix: String) throws {
    let site = try ScanSite("a/1", "a/2/deep", "b/1", "ü \"x\".txt")
    let built = try site.build(Self.rules)
    let plan = try #require(built.prepared.plan)
    let folder = try BuiltFolder(site.folder.path("out") + suffix)
    #expect(folder.diagnostics.isEmpty)
    let (index, contents) = (try #require(folder.index), try #require(folder.contents))
    #expect(index.bundleIdentifier == plan.manifest.bundleIdentifier)
    #expect(index.packs.map(\.id) == plan.packs.map(\.identity.identifier))
    #expect(index.packs.map(\.tags) == plan.packs.map(\.tags))
    #expect(index.packs.map(\.digest) == built.packs.map(\.digest))
    #expect(index.packs.map(\.archive.file) == built.packs.map(\.archive.file))
    #expect(index.tags.map(\.name) == ["A", "B"])
    #expect(contents.count == 4)
    for (number, pack) in plan.packs.enumerated() {
      let files = contents.files(of: number).map(Int.init)
      #expect(
        files.map { String(decoding: contents.path(at: $0), as: UTF8.self) }
          == pack.files.map { plan.tree.files[$0].packPath })
      #expect(files.map { contents.size(at: $0) } == pack.files.map { plan.tree.files[$0].size })
    }
  }

  @Test func `any form of the same JSON is read`() throws {
    let site = try makeSite()
    let before = try #require(try read(site).contents)
    try replaceContents(of: site) { text in
      text.replacingOccurrences(of: "\n", with: "\r\n\t")
        .replacingOccurrences(of: "a/1", with: "\\u0061\\/1")
        .replacingOccurrences(of: "ü", with: "\\u00FC")
        .replacingOccurrences(
          of: "\"size\": 3", with: "\"later\": [{}, [1, {\"x\": null}], \"]\"], \"size\":0.3E+1"
        )
        .replacingOccurrences(
          of: "\"formatVersion\": 1", with: "\"more\" : {\"a\": [true, -1.5e3]}, \"formatVersion\": 1.0")
    }
    let folder = try read(site)
    #expect(folder.diagnostics.map(\.message) == [])
    let after = try #require(folder.contents)
    #expect((0..<4).map { after.path(at: $0) } == (0..<4).map { before.path(at: $0) })
    #expect((0..<4).map { after.digest(at: $0) } == (0..<4).map { before.digest(at: $0) })
  }

  @Test(arguments: [
    ("\"a/1\"", "\"/a/1\"", "3:184", #""/a/1""#),
    ("\"a/1\"", "\"a/../1\"", "3:184", #""a/../1""#),
    ("\"a/1\"", "\"z\"", "4:184", #""a/2/deep" "z""#),
    ("\"a/1\"", "\"\\ud800\"", "3:185", ""),
    (
      "\"size\": 3", "\"size\": 99999999999999999999", "3:199",
      "0"
    ),
    ("\"size\": 3", "\"size\": 1, \"size\": 3", "3:202", #""size""#),
    ("\"size\": 3", "\"sixe\": 3", "3:6", #""path" "size" "digest" "pack""#),
    ("asset-pack-", "asset-pock-", "3:99", #""asset-pock-""#),
    ("sha256:", "sha257:", "3:16", #""sha256:""#),
    ("[\n", "[{\"x\": \(String(repeating: "[", count: 300))}\n", "2:275", "256"),
    ("\"formatVersion\": 1", "\"formatVersion\": 2", "8:20", "2"),
    ("\"formatVersion\": 1", "\"formatversion\": 1", "1:1", #""formatVersion""#),
    ("\n  ],", "\n  ", "8:3", #""," "]""#),
  ])
  func `mistakes in the list of files have a place`(
    old: String, new: String, position: String, facts: String
  ) throws {
    let site = try makeSite()
    try replaceContents(of: site) { $0.replacingOccurrences(of: old, with: new) }
    let folder = try read(site)
    #expect(folder.contents == nil)
    let finding = try #require(folder.diagnostics.first)
    #expect(finding.hasFacts("[damaged-index] \(facts)"), "\(finding.facts)")
    #expect(finding.place.position.map { "\($0.line):\($0.column)" } == position)
  }

  @Test(arguments: [
    (
      "\"packs/", "\"../packs/",
      [
        #"26:17: error [damaged-index] "path" "../packs/com.example.test.A+B-0a85c030b916b0c44d958c53335acc7a.33cdd127d3b90db6.zip""#,
        #"43:17: error [damaged-index] "path" "../packs/com.example.test.A-7fc56270e7a70fa81a5935b72eacbe29.7be3da677639afe3.zip""#,
        #"59:17: error [damaged-index] "path" "../packs/com.example.test.B-9d5ed678fe57bcca610140957afab571.a246969b053126b2.zip""#,
      ]
    ),
    (
      "\"packs/", "\"/packs/",
      [
        #"26:17: error [damaged-index] "path" "/packs/com.example.test.A+B-0a85c030b916b0c44d958c53335acc7a.33cdd127d3b90db6.zip""#,
        #"43:17: error [damaged-index] "path" "/packs/com.example.test.A-7fc56270e7a70fa81a5935b72eacbe29.7be3da677639afe3.zip""#,
        #"59:17: error [damaged-index] "path" "/packs/com.example.test.B-9d5ed678fe57bcca610140957afab571.a246969b053126b2.zip""#,
      ]
    ),
    (
      "\"sha256:", "\"SHA256:",
      [
        #"30:17: error [damaged-index] "digest" "sha256:" 64 "SHA256:7d0dd50fc2a50c7a85d4163490778092a8462aafaa6bb20b61e71f62458e2095""#,
        #"25:19: error [damaged-index] "digest" "sha256:" 64 "SHA256:33cdd127d3b90db6842bbf0edf3e84a0e640467f4b30bd758166ee91fa4b5f5a""#,
        #"47:17: error [damaged-index] "digest" "sha256:" 64 "SHA256:4643e49ed37a40569e6cc73d15298ebe109562175f046cf3cce1fbc6e8093095""#,
        #"42:19: error [damaged-index] "digest" "sha256:" 64 "SHA256:7be3da677639afe3885282aab8efc1c6c3138e4aa93008203ed9fda94a203fe7""#,
        #"63:17: error [damaged-index] "digest" "sha256:" 64 "SHA256:d6b0c41df2347e3198d6ae1ddd250a6c6e66476b0c5dba62298d404a2b33f43f""#,
        #"58:19: error [damaged-index] "digest" "sha256:" 64 "SHA256:a246969b053126b231c6a9c5dcc7e772dc9999847ab3f8b8de03374563fe093b""#,
        #"4:15: error [damaged-index] "digest" "sha256:" 64 "SHA256:7757be85e8a9e6798f42b76b4a30c96c9a70baa95ae36e4256b0aea80d217863""#,
      ]
    ),
    ("\"formatVersion\": 1", "\"resources\": []", ["1:1: error [damaged-index]"]),
    (
      "\"fileCount\": 1", "\"fileCount\": -1",
      [
        #"31:20: error [damaged-index] "fileCount" 0 9,223,372,036,854,775,807 "-1""#,
        #"64:20: error [damaged-index] "fileCount" 0 9,223,372,036,854,775,807 "-1""#,
      ]
    ),
    (
      "\"fileCount\": 1", "\"fileCount\": 1, \"fileCount\": 1",
      [
        #"31:23: error [damaged-index] "fileCount""#, "31:7: note",
        #"64:23: error [damaged-index] "fileCount""#, "64:7: note",
      ]
    ),
    (
      "\"onDemand\"", "\"onDemande\"",
      [
        #"1:1: error [damaged-index] "onDemand""#,
        #"79:19: error [damaged-index] "delivery" "initialInstall" "prefetch" "onDemand" "onDemande""#,
        #"87:19: error [damaged-index] "delivery" "initialInstall" "prefetch" "onDemand" "onDemande""#,
        #"29:19: error [damaged-index] "delivery" "initialInstall" "prefetch" "onDemand" "onDemande""#,
        #"46:19: error [damaged-index] "delivery" "initialInstall" "prefetch" "onDemand" "onDemande""#,
        #"62:19: error [damaged-index] "delivery" "initialInstall" "prefetch" "onDemand" "onDemande""#,
      ]
    ),
    (
      "\"name\"", "\"nome\"",
      [
        #"23:5: error [damaged-index] "name""#, #"40:5: error [damaged-index] "name""#,
        #"56:5: error [damaged-index] "name""#,
      ]
    ),
    ("\"formatVersion\": 1", "\"formatVersion\": 7", ["8:20: error [damaged-index] 7 1"]),
  ])
  func `mistakes in the index have a place`(old: String, new: String, expected: [String]) throws {
    let site = try makeSite()
    // Indexes of packtool before version 0.2.0 do not contain the manifest's lists.
    let text = String(decoding: try site.folder.read("out/index.json"), as: UTF8.self)
      .replacing(/,\n    "tags": \[[^\]]*\]/, with: "")
    try site.folder.write("out/index.json", text.replacingOccurrences(of: old, with: new))
    let folder = try read(site)
    #expect(folder.index == nil)
    #expect(folder.diagnostics.areAll { $0.place.path == site.folder.path("out/index.json") })
    #expect(folder.diagnostics.rendered == expected)
  }

  @Test func `keys of later versions are passed over`() throws {
    let site = try makeSite()
    let text = String(decoding: try site.folder.read("out/index.json"), as: UTF8.self)
    try site.folder.write(
      "out/index.json", text.replacingOccurrences(of: "\"name\"", with: "\"slices\": [{}], \"name\""))
    #expect(try read(site).contents?.count == 4)
  }

  @Test func `a changed list of files is found by its digest`() throws {
    let site = try makeSite()
    let name = try #require(try read(site).index?.contents.path)
    let text = try site.folder.read("out/\(name)")
    try site.folder.write("out/\(name)", Data(text.map { $0 == 0x2f ? 0x2e : $0 }))
    #expect(try read(site).diagnostics.contains { $0.hasFacts(#"[damaged-index] "sha256:""#) })
    try site.folder.write("out/\(name)", text.dropLast(3))
    #expect(try read(site).diagnostics.count == 2)
    try FileOperations.remove(site.folder.path("out/\(name)"))
    let gone = try read(site).diagnostics
    #expect(gone.contains { $0.severity == .error && ($0.place.path.hasSuffix(name) || $0.names(name)) })
  }

  @Test(arguments: [
    ("nowhere", Check.missingIndex), ("Assets", .missingIndex), ("Assets/a/1", .missingIndex),
  ])
  func `a folder without an index is named`(name: String, check: Check) throws {
    let site = try makeSite()
    let folder = try BuiltFolder(site.folder.path(name))
    #expect(folder.diagnostics.first?.check == check)
  }

  @Test func `strings may lie across the ends of windows`() throws {
    let folder = try TemporaryFolder()
    var text = "{\"files\": ["
    let hex = String(repeating: "0a", count: 32)
    for number in 0..<9_000 {
      let path = "\(1_000_000 + number)é\\u00e9/\\\"\(String(repeating: "x", count: number % 89))"
      text +=
        (number == 0 ? "" : ",")
        + "\n{\"path\": \"\(path)\", \"size\": \(number), \"digest\": \"sha256:\(hex)\", \"pack\": \"p\"}"
    }
    try folder.write("contents.json", text + "], \"formatVersion\": 1}")
    let result = try ContentsReader.read(InputFile(folder.path("contents.json")), packs: ["o", "p"])
    #expect(result.diagnostics.isEmpty)
    let contents = try #require(result.contents)
    #expect(contents.files(of: 1).count == 9_000 && contents.files(of: 0).isEmpty)
    for number in [0, 4_321, 8_999] {
      let path = "\(1_000_000 + number)éé/\"\(String(repeating: "x", count: number % 89))"
      #expect(Array(contents.path(at: number)) == Array(path.utf8))
      #expect(contents.size(at: number) == Int64(number))
    }
  }
}
