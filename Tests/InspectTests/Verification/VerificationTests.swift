@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// A built folder held against its index.
@Suite(.endsInTime) struct VerificationTests {
  @Test(arguments: Container.allCases, [1, 3]) func `what was built is whole`(container: Container, jobs: Int)
    throws
  {
    let built = try BuiltSite(container)
    #expect(try built.findings(jobs: jobs).map(\.message) == [])
  }

  /// The two are equal as strings, but stand in an order as bytes.
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

  @Test func `what is wrong in a damaged pack is told by its file`() throws {
    let built = try BuiltSite()
    let pack = try built.pack("A")
    var bytes = try built.site.folder.read("out/\(pack.archive.path)")
    // The first entry, whose 5,000 bytes are stored.
    bytes[1000] ^= 1
    try built.site.folder.write("out/\(pack.archive.path)", bytes)
    let finding = try #require(try built.findings().first)
    #expect(finding.message.hasPrefix("the pack of {\"A\"} has the digest sha256:"))
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

  /// Who gives another file may give one of any length: reading this one would take hours.
  @Test(arguments: [Int64(1), 1 << 43]) func `a pack of another size is not read`(size: Int64) throws {
    let built = try BuiltSite()
    let path = "out/\(try built.pack("C").archive.path)"
    try FileOperations.remove(built.site.folder.path(path))
    try built.site.folder.writeSparse(path, size: size)
    let findings = try built.findings()
    #expect(findings.map(\.check) == [.damagedPack])
    #expect(findings.first?.message.contains(ByteSize.exact(size)) == true)
  }

  /// Packs of two tags have these sorted.
  @Test func `tags that are not sorted are said once`() throws {
    let built = try BuiltSite()
    for tags in [["B", "A"], ["A", "A"], []] {
      var index = built.index
      let number = try #require(index.packs.firstIndex { $0.tags == ["A", "B"] })
      let pack = index.packs[number]
      index.packs[number] = PublishedIndex.Pack(
        id: pack.id, name: pack.name, tags: tags, delivery: pack.delivery, priority: pack.priority,
        fileCount: pack.fileCount, size: pack.size, published: pack.published, offset: pack.offset)
      let found = IndexConsistency(index, nil).diagnostics.filter {
        $0.message.contains("are not some tags, each once and sorted")
      }
      #expect(found.count == 1, "\(tags)")
      // What follows from the tags is not said of such a pack as well.
      #expect(
        !IndexConsistency(index, nil).diagnostics.contains { $0.message.contains("its tags make it \"") })
    }
  }

  @Test func `a fifo in the place of a pack does not make verifying wait`() throws {
    let built = try BuiltSite()
    let path = "\(built.path)/\(try built.pack("C").archive.path)"
    try FileOperations.remove(path)
    try #require(mkfifo(path, 0o644) == 0)
    #expect(try built.findings().map(\.check) == [.damagedPack])
  }

  /// libarchive composes what it reads from a zip.
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
    ("a/3", "x", "\"a/3\" has 1 byte and the list says 3"),
    ("a/3", "a/4", "\"a/3\" has other content: its digest is sha256:"),
    ("a/3", "longer than it was", "\"a/3\" has more than the 3 bytes that the list says"),
    ("a/extra", "", "it holds \"a/extra\", which the list of files does not have"),
    ("more/extra", "", "it holds the folder \"more\", which the list of files does not have"),
  ])
  func `folders are looked at file by file`(file: String, content: String, message: String) throws {
    let built = try BuiltSite(.folder)
    let path = "out/\(try built.pack("A").archive.path)"
    try built.site.folder.write("\(path)/\(file)", content)
    let finding = try #require(try built.findings().first)
    let notes = finding.notes.map(\.message).joined(separator: "\n")
    #expect(finding.check == .damagedPack)
    #expect(notes.contains(message), "\(notes)")
  }

  @Test func `links and missing files in folders are found`() throws {
    let built = try BuiltSite(.folder)
    let path = "out/\(try built.pack("A").archive.path)"
    try FileOperations.remove(built.site.folder.path("\(path)/a/3"))
    try built.site.folder.link("\(path)/a/3", to: "2/deep")
    try FileOperations.remove(built.site.folder.path("\(path)/a/1.bin"))
    let notes = try #require(try built.findings().first).notes.map(\.message)
    #expect(notes == ["\"a/3\" is no plain file in it", "\"a/1.bin\" is missing in it"])
  }

  @Test func `limits are held against the figures of the index`() throws {
    let built = try BuiltSite()
    try built.changeIndex("\"limits\": \"app-store\"", to: "\"limits\": \"background-assets\"")
    #expect(try built.findings().allSatisfy { $0.check == .submissionCount })
    let tight = LimitProfile(
      name: "tight", summary: "", limits: [.packSize: .exactly(10), .packCount: .exactly(3)])
    let findings = try built.findings(profile: tight)
    #expect(Set(findings.map(\.check)) == [.packSize, .packCount])
    #expect(findings.allSatisfy { $0.standing == .breaksStoreLimit && $0.place.path.hasSuffix("index.json") })
    #expect(findings.flatMap(\.notes).map(\.message).joined().contains("\"a/é.txt\" with 70,000 bytes"))
  }

  @Test(arguments: [
    ("com.example.test\"", "com.example.tess\"", "no pack's identifier begins with the bundle identifier"),
    ("\"limits\": \"app-store\"", "\"limits\": \"app-stare\"", "is unknown; did you mean \"app-store\"?"),
    (
      "\"priority\": 0.95", "\"priority\": 0.94",
      "the priorities of the prefetched packs come from no one list of tags"
    ),
    ("\"priority\": 0.05", "\"priority\": 0.9500000000000001", "should be prefetched before that of"),
    ("\"priority\": 1.0", "\"priority\": 0.5", "is initial install and has the priority 0.5"),
    ("\"priority\": 1.0", "\"priority\": 1.00", "from here on the bytes are not those that a build writes"),
    ("\"fileCount\": 4", "\"fileCount\": 5", "has 5 files, the list of files has 4"),
    (
      "\"delivery\": \"prefetch\"", "\"delivery\": \"onDemand\"",
      "lists other packs than those of this delivery"
    ),
    ("\"untagged\": {", "\"untagged\":  {", "from here on the bytes are not those that a build writes"),
    ("\"tags\": [\n        \"C\"\n", "\"tags\": [\n        \"B\"\n", "its tags make it"),
    (".zip\"", ".gz\"", "should be named"),
    ("\"C\": {", "\"K\": {", "the tag \"C\" of packs is not among the tags"),
  ])
  func `figures of the index that cannot be are found`(old: String, new: String, message: String) throws {
    let built = try BuiltSite()
    try built.changeIndex(old, to: new)
    let findings = try built.findings()
    let texts = findings.filter { $0.check == .damagedIndex }.map(\.message).joined(separator: "\n")
    #expect(texts.contains(message), "\(texts)")
  }

  /// One byte more than that cannot be asked for.
  @Test func `a list may claim as many bytes as there are numbers`() throws {
    let built = try BuiltSite(.folder)
    let digest = SHA256.digest(of: [UInt8]().span.bytes)
    var contents = PublishedContents()
    contents.append(path: Array("a/3".utf8)[...], size: .max, digest: digest, pack: 0)
    contents.group(into: 1)
    let path = "\(built.path)/\(try built.pack("A").archive.path)"
    let inspection = try PackInspection(ExpectedFiles(of: 0, in: contents), at: path, nil)
    let said = inspection.faults.notes.map(\.message).joined(separator: "\n")
    #expect(said.contains("\"a/3\" has 3 bytes and the list says 9,223,372,036,854,775,807"), "\(said)")
  }
}

extension VerificationTests {
  /// A key that somebody put into a pack with lists that fit it, as another program than packtool may.
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
