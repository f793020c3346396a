import Archiving
@testable import Formats
@testable import Inspect
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests how `verify` compares a built folder with its index.
@Suite(.noHang) struct VerificationTests {
  @Test(arguments: Container.allCases, [1, 3]) func `what was built is whole`(container: Container, jobs: Int)
    throws
  {
    let built = try BuiltSite(container)
    #expect(try built.findings(jobs: jobs).map(\.message) == [])
  }

  /// The two paths are equal as Swift strings.
  ///
  /// As bytes, they are different and can be sorted.
  @Test(arguments: Container.allCases)
  func `a build whose packs hold two Unicode forms of one path is whole`(container: Container) throws {
    let site = try ScanSite("1", "2", "3")
    let rules: [TestRule] = [
      .path("1", "A", to: "\u{e9}"), .path("2", "B", to: "e\u{301}"), .path("3", "B", to: "f"),
    ]
    try site.build(rules, .test(container))
    let verification = try Verification(of: site.folder.path("out"), profile: nil, jobs: 1)
    #expect(verification.diagnostics.map(\.message) == [])
  }

  /// A container's format follows from its name, so the compiler does not ask for it.
  @Test(arguments: Container.allCases) func `every archive has a known format`(container: Container) throws {
    #expect((container.format == nil) == (container == .folder))
    guard let format = container.format else { return }
    let built = try BuiltSite(container)
    let archive = try InputFile(built.site.folder.path("out/\(built.index.packs[0].archive.path)"))
    #expect(try ArchiveReader.Format(of: archive) == format)
  }

  @Test(arguments: [Container.zip, .tarGzip, .tarZstandard])
  func `a bit that was flipped is found, wherever it is`(container: Container) throws {
    let built = try BuiltSite(container)
    let pack = try built.pack("A", "B")
    let path = "out/\(pack.archive.path)"
    let whole = try built.site.folder.read(path)
    for place in sample(30, of: Array(whole.indices)) {
      var bytes = whole
      bytes[place] ^= 1 << UInt8(place % 8)
      try built.site.folder.write(path, bytes)
      let findings = try built.findings(jobs: 1)
      #expect(findings.map(\.check) == [.damagedPack] && findings.first?.place.path.hasSuffix(path) == true)
    }
  }

  @Test func `findings about a damaged pack name its damaged files`() throws {
    let built = try BuiltSite()
    let pack = try built.pack("A")
    var bytes = try built.site.folder.read("out/\(pack.archive.path)")
    // Byte 1,000 belongs to the first entry, whose 5,000 bytes are not compressed.
    bytes[1000] ^= 1
    try built.site.folder.write("out/\(pack.archive.path)", bytes)
    let finding = try #require(try built.findings().first)
    #expect(finding.check == .damagedPack && finding.names("{\"A\"}", "sha256:"))
    #expect(finding.notes.map(\.message).joined().contains("\"a/1.bin\""))
  }

  @Test(arguments: Container.allCases) func `packs that are not there are missing`(container: Container)
    throws
  {
    let built = try BuiltSite(container)
    try FileOperations.remove("\(built.path)/packs")
    let findings = try built.findings()
    #expect(findings.map(\.check) == Array(repeating: .missingPack, count: 4))
    #expect(findings.allSatisfy { $0.severity == .error })
  }

  @Test(arguments: [Container.zip, .folder]) func `a pack of another kind is damaged`(container: Container)
    throws
  {
    let built = try BuiltSite(container)
    let path = "out/\(try built.pack("C").archive.path)"
    try FileOperations.remove(built.site.folder.path(path))
    if container == .zip {
      try FileOperations.makeFolder(built.site.folder.path(path))
    } else {
      try built.site.folder.write(path, "c")
    }
    #expect(try built.findings().map(\.check) == [.damagedPack])
  }

  /// A file in the place of a pack can have any size.
  ///
  /// Reading a file of the larger size would take hours.
  @Test(arguments: [Int64(1), 1 << 43]) func `a pack of another size is not read`(size: Int64) throws {
    let built = try BuiltSite()
    let path = "out/\(try built.pack("C").archive.path)"
    try FileOperations.remove(built.site.folder.path(path))
    try built.site.folder.writeSparse(path, size: size)
    let findings = try built.findings()
    #expect(findings.map(\.check) == [.damagedPack])
    #expect(findings.first?.message.contains(ByteSize.exact(size)) == true)
  }

  /// The tags of a pack must be sorted in the index.
  @Test func `tags that are not sorted are reported once`() throws {
    let built = try BuiltSite()
    for tags in [["B", "A"], ["A", "A"], []] {
      var index = built.index
      let number = try #require(index.packs.firstIndex { $0.tags == ["A", "B"] })
      let pack = index.packs[number]
      index.packs[number] = PublishedIndex.Pack(
        id: pack.id, name: pack.name, tags: tags, delivery: pack.delivery, priority: pack.priority,
        fileCount: pack.fileCount, size: pack.size, published: pack.published, offset: pack.offset)
      // The unsorted tags cause no further findings about the pack.
      let found = IndexConsistency(index, contents: nil).diagnostics.filter { $0.names("\"\(pack.id)\"") }
      #expect(found.map(\.checkAndValues) == ["[damaged-index] \"\(pack.id)\""], "\(tags)")
    }
  }

  @Test func `a fifo in the place of a pack does not make verifying wait`() throws {
    let built = try BuiltSite()
    let path = "\(built.path)/\(try built.pack("C").archive.path)"
    try FileOperations.remove(path)
    try #require(mkfifo(path, 0o644) == 0)
    #expect(try built.findings().map(\.check) == [.damagedPack])
  }

  /// libarchive converts the names that it reads from a zip to the composed Unicode form.
  @Test(arguments: Container.allCases) func `accents behind their letters are whole`(container: Container)
    throws
  {
    let site = try ScanSite("a/e\u{301}", "e\u{301}/z")
    try site.build([.path(".", "A")], .test(container))
    let path = site.folder.path("out")
    #expect(try Verification(of: path, profile: nil, jobs: 1).diagnostics.map(\.message) == [])
  }

  @Test func `a pack whose tag has a backslash is whole`() throws {
    let site = try ScanSite("a")
    try site.build([.path("a", "A\\B")])
    #expect(try Verification(of: site.folder.path("out"), profile: nil, jobs: 1).diagnostics == [])
  }

  @Test func `what the index does not name is a warning`() throws {
    let built = try BuiltSite()
    try built.site.folder.write("out/packs/old.zip", "")
    try built.site.folder.write("out/contents.0123456789abcdef.json", "")
    try built.site.folder.write("out/README", "")
    let findings = try built.findings()
    #expect(findings.map(\.check) == [.notInIndex, .notInIndex, .notInIndex])
    #expect(findings.allSatisfy { $0.severity == .warning })
  }

  @Test(arguments: [
    ("a/3", "x", #""a/3" 1 byte 3"#),
    ("a/3", "a/4", #""a/3""#),
    ("a/3", "longer than it was", #""a/3" 3 bytes"#),
    ("a/extra", "", #""a/extra""#),
    ("more/extra", "", #""more""#),
  ])
  func `folders are looked at file by file`(file: String, content: String, facts: String) throws {
    let built = try BuiltSite(.folder)
    let path = "out/\(try built.pack("A").archive.path)"
    try built.site.folder.write("\(path)/\(file)", content)
    let finding = try #require(try built.findings().first)
    #expect(finding.hasFacts("[damaged-pack] \(facts)"), "\(finding)")
  }

  @Test func `links and missing files in folders are found`() throws {
    let built = try BuiltSite(.folder)
    let path = "out/\(try built.pack("A").archive.path)"
    try FileOperations.remove(built.site.folder.path("\(path)/a/3"))
    try built.site.folder.link("\(path)/a/3", to: "2/deep")
    try FileOperations.remove(built.site.folder.path("\(path)/a/1.bin"))
    let notes = try #require(try built.findings().first).notes.map(\.namedValues)
    #expect(notes == [#""a/3""#, #""a/1.bin""#])
  }

  @Test func `limits are held against the figures of the index`() throws {
    let built = try BuiltSite()
    try built.changeIndex("\"limits\": \"app-store\"", to: "\"limits\": \"background-assets\"")
    #expect(try built.findings().allSatisfy { $0.check == .submissionCount })
    let tight = LimitProfile(
      name: "tight", summary: "", limits: [.packSize: .exactly(10), .packCount: .exactly(3)])
    let findings = try built.findings(profile: tight)
    #expect(Set(findings.map(\.check)) == [.packSize, .packCount])
    #expect(
      findings.allSatisfy { $0.severityRule == .breaksStoreLimit && $0.place.path.hasSuffix("index.json") })
    #expect(findings.flatMap(\.notes).map(\.message).joined().contains("\"a/é.txt\" with 70,000 bytes"))
  }

  @Test(arguments: [
    ("com.example.test\"", "com.example.tess\"", [#"1:1: error [damaged-index] "com.example.tess""#]),
    (
      "\"limits\": \"app-store\"", "\"limits\": \"app-stare\"",
      [#"16:13: error [damaged-index] "app-stare" "app-store""#]
    ),
    ("\"priority\": 0.95", "\"priority\": 0.94", ["57:5: error [damaged-index]"]),
    ("\"priority\": 0.05", "\"priority\": 0.9500000000000001", [#"40:5: error [damaged-index] "C" "C" "D""#]),
    (
      "\"priority\": 1.0", "\"priority\": 0.5",
      [#"22:5: error [damaged-index] "A" "B" 0.5"#, #"75:5: error [damaged-index] "A" 0.5"#]
    ),
    ("\"priority\": 1.0", "\"priority\": 1.00", ["33:22: error [damaged-index]"]),
    ("\"fileCount\": 4", "\"fileCount\": 5", [#"75:5: error [damaged-index] "A" 5 4"#]),
    (
      "\"delivery\": \"prefetch\"", "\"delivery\": \"onDemand\"",
      [
        #"17:15: error [damaged-index] "onDemand""#, #"40:5: error [damaged-index] "C" 0.05"#,
        #"57:5: error [damaged-index] "C" "D" 0.9500000000000001"#,
        #"93:15: error [damaged-index] "prefetch""#,
      ]
    ),
    ("\"untagged\": {", "\"untagged\":  {", ["132:15: error [damaged-index]"]),
    (
      "\"tags\": [\n        \"C\"\n", "\"tags\": [\n        \"B\"\n",
      [
        #"40:5: error [damaged-index] "B""#,
        #"40:5: error [damaged-index] "B" "com.example.test.asset-pack-0d61f8370cad1d412f80b84d143e1257" "com.example.test.asset-pack-9d5ed678fe57bcca610140957afab571""#,
        #"40:5: error [damaged-index] "B" "com.example.test.C-0d61f8370cad1d412f80b84d143e1257" "com.example.test.B-9d5ed678fe57bcca610140957afab571""#,
        #"40:5: error [damaged-index] "B""#, #"109:5: error [damaged-index] "B""#,
        #"116:5: error [damaged-index] "C""#,
      ]
    ),
    (
      ".zip\"", ".gz\"",
      [
        #"22:5: error [damaged-index] "packs/com.example.test.A+B-0a85c030b916b0c44d958c53335acc7a.4fa022f2f2bf2add.gz" "packs/com.example.test.A+B-0a85c030b916b0c44d958c53335acc7a.4fa022f2f2bf2add""#,
        #"22:5: error [damaged-index] "A" "B""#,
        #"40:5: error [damaged-index] "packs/com.example.test.C-0d61f8370cad1d412f80b84d143e1257.35224c10462ed309.gz" "packs/com.example.test.C-0d61f8370cad1d412f80b84d143e1257.35224c10462ed309""#,
        #"40:5: error [damaged-index] "C""#,
        #"57:5: error [damaged-index] "packs/com.example.test.C+D-74bbc3b2b4dc7a1d807ad0b0865f5fda.c2844750b937998f.gz" "packs/com.example.test.C+D-74bbc3b2b4dc7a1d807ad0b0865f5fda.c2844750b937998f""#,
        #"57:5: error [damaged-index] "C" "D""#,
        #"75:5: error [damaged-index] "packs/com.example.test.A-7fc56270e7a70fa81a5935b72eacbe29.1426e1494b375f6c.gz" "packs/com.example.test.A-7fc56270e7a70fa81a5935b72eacbe29.1426e1494b375f6c""#,
        #"75:5: error [damaged-index] "A""#,
      ]
    ),
    (
      "\"C\": {", "\"K\": {",
      [
        #"1:1: error [damaged-index] "C""#, #"40:5: error [damaged-index] "C""#,
        #"116:5: error [damaged-index] "K""#,
      ]
    ),
  ])
  func `figures of the index that cannot be are found`(old: String, new: String, expected: [String]) throws {
    let built = try BuiltSite()
    // Indexes of packtool before version 0.2.0 do not contain the manifest's lists.
    let index = "\(built.path)/index.json"
    let text = try String(contentsOfFile: index, encoding: .utf8)
    try text.replacing(/,\n    "tags": \[[^\]]*\]/, with: "").write(
      toFile: index, atomically: false, encoding: .utf8)
    try built.changeIndex(old, to: new)
    let findings = try built.findings().filter { $0.check == .damagedIndex }
    #expect(findings.rendered.map { $0.replacing(built.path, with: "SITE") } == expected)
  }

  /// The verifier reads one byte more than the stated size.
  ///
  /// It must not compute this number, because the sum would overflow.
  @Test func `a list may claim as many bytes as there are numbers`() throws {
    let built = try BuiltSite(.folder)
    let digest = SHA256.digest(of: [UInt8]().span.bytes)
    var contents = PublishedContents()
    contents.append(path: Array("a/3".utf8)[...], size: .max, digest: digest, packIndex: 0)
    contents.group(into: 1)
    let path = "\(built.path)/\(try built.pack("A").archive.path)"
    let inspection = try PackContentVerifier(ExpectedFiles(ofPack: 0, in: contents), at: path, format: nil)
    let said = inspection.faults.notes.map(\.namedValues)
    #expect(said.contains { $0.hasPrefix(#""a/3" 3 bytes 9,223,372,036,854,775,807"#) }, "\(said)")
  }
}

extension VerificationTests {
  /// A build reports other findings about contents, and a manifest can accept them.
  @Test func `a program in a pack is no error`() throws {
    let site = try ScanSite()
    try site.write("c/1", "\u{7f}ELF, or so it says")
    _ = try site.manifest([.path("c", "C")])
    let policy = Policy(severities: ["executable-content": .ignore])
    #expect(try site.request(into: "out", .test(.zip)).run(policy).release != nil)
    #expect(try Verification(of: site.folder.path("out"), profile: nil, jobs: 2).diagnostics.isEmpty)
  }

  /// Another program could put a secret key into a pack and write lists that agree with the pack.
  @Test func `a secret key in a pack is an error`() throws {
    let key = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----\n"
    let site = try ScanSite()
    try site.write("c/1", String(repeating: "x", count: key.utf8.count))
    try site.build([.path("c", "C")], .test(.folder))
    let index = try #require(try BuiltFolder(site.folder.path("out")).index)
    let pack = index.packs[0].archive.path
    #expect(try Verification(of: site.folder.path("out"), profile: nil, jobs: 2).diagnostics.isEmpty)

    func digest(_ text: String) -> String { SHA256.digest(of: Array(text.utf8).span.bytes).hex }
    func replace(_ old: String, by new: String, in file: String) throws {
      let text = String(decoding: try site.folder.read(file), as: UTF8.self)
      try site.folder.write(
        file, text.replacing(old, with: new).replacing(old.prefix(16), with: new.prefix(16)))
    }
    let contents = "out/\(index.contents.path)"
    let before = [digest(String(repeating: "x", count: key.utf8.count)), index.packs[0].digest.hex]
    let after = [digest(key), digest("\(digest(key)) \(key.utf8.count) c/1\n")]
    try replace(before[0], by: after[0], in: contents)
    let list = String(decoding: try site.folder.read(contents), as: UTF8.self)
    try replace(before[1], by: after[1], in: "out/index.json")
    try replace(index.contents.file.digest.hex, by: digest(list), in: "out/index.json")
    try FileOperations.rename(
      site.folder.path(contents), to: site.folder.path("out/contents.\(digest(list).prefix(16)).json"))
    let moved = pack.replacing(before[1].prefix(16), with: after[1].prefix(16))
    try FileOperations.rename(site.folder.path("out/\(pack)"), to: site.folder.path("out/\(moved)"))
    try FileOperations.remove(site.folder.path("out/\(moved)/c/1"))
    try site.folder.write("out/\(moved)/c/1", key)

    let found = try Verification(of: site.folder.path("out"), profile: nil, jobs: 2).diagnostics
    #expect(found.map(\.check.id) == ["secret-key"], "\(found.map(\.message))")
    #expect(found.first?.names("\"c/1\"") == true)
  }
}
