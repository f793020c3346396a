@testable import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests how the checks read the contents of files, while files change or are missing.
@Suite(.noHang) struct ContentReadTests {
  private let site: ScanSite

  init() throws { site = try ScanSite("a/1", "b/2") }

  private func prepared() throws -> Preparation {
    _ = try site.manifest([.path("a", "A"), .path("b", "B")])
    var request = Preparation.Request(argument: site.folder.path, jobs: 1)
    request.inspector = .caller
    return try Preparation(request)
  }

  private func remove(_ path: String) throws { try FileOperations.remove(site.folder.path("Assets/\(path)")) }

  private static let program = Data([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])

  @Test func `the first 512 bytes are read, and more if a check asks`() throws {
    try site.write("a/large", Data(repeating: UInt8(ascii: "x"), count: 1000))
    try site.write("a/seven", "1234567")
    try site.write("a/eight", "12345678")
    let prepared = try prepared()
    #expect(try prepared.contentFindings(jobs: 1).isEmpty)
    #expect(prepared.readCounter.count == ReadCounter.Count(read: 512 + 8, hashed: 0))
    var windows = Data("MZ".utf8) + Data(repeating: 0, count: 998)
    windows[60] = 200
    windows[200] = 0x50
    windows[201] = 0x45
    try site.write("b/program", windows)
    let again = try self.prepared()
    #expect(try again.contentFindings(jobs: 1).map(\.check) == [.executableContent])
    #expect(again.readCounter.count.read == 512 + 8 + 512 + 4)
  }

  /// Beyond the first bytes, the checks read only what they compare.
  @Test func `programs and libraries are read only in part`() throws {
    func read(_ name: String, _ bytes: [UInt8]) throws -> Int64 {
      try site.write("a/\(name)", Data(bytes))
      let prepared = try self.prepared()
      #expect(try prepared.contentFindings(jobs: 1).map(\.check) == [.executableContent], "\(name)")
      try remove("a/\(name)")
      return prepared.readCounter.count.read
    }
    // The header is read again, and then its load commands, of which this binary has none.
    let program: [UInt8] = [0xcf, 0xfa, 0xed, 0xfe] + Array(repeating: 0, count: 996)
    #expect(try read("program", program) == 512 + 32)
    // The header and the first four bytes of each member are read.
    let late = try #require(FileSample.executables.first { $0.name == "library whose object comes late" })
    #expect(try read("library", late.bytes) == Int64(late.bytes.count) + 2 * (60 + 4))
    let long = try #require(FileSample.executables.first { $0.name == "bsd object with a long name" })
    #expect(try read("long", long.bytes) == Int64(long.bytes.count) + 60 + 12 + 4)
  }

  @Test func `each file of many is inspected once`() throws {
    // A thread inspects 512 files in one step.
    for number in 100..<700 { try site.write("a/\(number)", "plain text") }
    let bad = [100, 101, 609, 610, 611, 612, 699].map { "a/\($0)" }
    for path in bad { try site.write(path, Self.program) }
    let found = try prepared().contentFindings(jobs: 3)
    #expect(found.map(\.place.path) == bad.map { site.folder.path("Assets/\($0)") })
  }

  @Test func `files that an earlier build inspected are left out`() throws {
    for name in ["a/3", "a/4", "a/5"] { try site.write(name, Self.program) }
    let prepared = try prepared()
    let results: [Int: Bool] = [1: true, 2: false]
    let unchanged = UnchangedFiles(digest: { _ in nil }, hasContentFinding: { results[$0] })
    let found = try prepared.contentFindings(unchanged: unchanged, jobs: 1)
    #expect(found.map(\.place.path.last) == ["3", "5"])
    #expect(try prepared.contentFindings(jobs: 1).count == 3)
  }

  @Test func `a file that is gone when it is inspected has no finding`() throws {
    for name in ["a/3", "a/4", "a/5", "a/6"] { try site.write(name, Self.program) }
    let prepared = try prepared()
    for name in ["a/3", "a/4", "a/5"] { try remove(name) }
    try site.write("a/4/folder", "")
    try site.link("a/5", to: "5")
    #expect(try prepared.contentFindings(jobs: 1).map(\.place.path.last) == ["6"])
  }

  @Test func `other errors of reading are thrown`() throws {
    let file = AssetFile(
      path: String(repeating: "n", count: 300), size: 20_000, stamp: .unknown, tagSet: 0, destination: nil)
    var tree = AssetTree(tagSets: TagSets(of: ["A", "B"]))
    _ = tree.tagSets.id(of: ["A"])
    _ = tree.tagSets.id(of: ["B"])
    var other = file
    other.tagSet = 1
    tree.files = FileList([file, other])
    let plan = PackPlan(grouping: tree, of: try site.manifest([.path("a", "A")]))
    let root = try Folder(site.folder.path("Assets"))
    #expect(throws: SystemError.self) { try plan.contentFindings(root: root, jobs: 1) }
    #expect(throws: SystemError.self) { try plan.contentDigests(of: [0], root: root, jobs: 1) }
    #expect(throws: SystemError.self) { try plan.inspectedDigests(root: root, jobs: 1) }
  }

  /// The digest would not belong to the size that the plan has.
  @Test func `a file that changed since the scan has no digest`() throws {
    for name in ["a/3", "a/4", "a/5", "a/6"] { try site.write(name, "content") }
    let prepared = try prepared()
    let (plan, root) = (try #require(prepared.plan), try #require(prepared.root))
    try site.write("a/3", "longer content")
    // The old file keeps its inode, so the new file has another one.
    try FileOperations.rename(site.folder.path("Assets/a/4"), to: site.folder.path("4"))
    try site.write("a/4", "CONTENT")
    try remove("a/5")
    try remove("a/6")
    try site.write("a/6/folder", "")
    let (digests, found) = try plan.contentDigests(of: Array(plan.tree.files.indices), root: root, jobs: 1)
    #expect(plan.tree.files.map(\.path) == ["a/1", "a/3", "a/4", "a/5", "a/6", "b/2"])
    #expect(digests.map { $0 == .zero } == [false, true, true, true, true, false])
    #expect(digests[0] == sha256(Array("a/1".utf8)) && digests[5] == sha256(Array("b/2".utf8)))
    #expect(found.areAll { $0.check == .fileChanged && $0.severity == .error })
    #expect(found.map(\.place.path.last).sorted { ($0 ?? " ") < ($1 ?? " ") } == ["3", "4", "5", "6"])
  }

  @Test(.enabled(if: canBeNobody)) func `a file that cannot be read has a finding of its own`() throws {
    let prepared = try prepared()
    let (plan, root) = (try #require(prepared.plan), try #require(prepared.root))
    try #require(chmod(site.folder.path("Assets/a/1"), 0) == 0)
    let (digests, found) = try asNobody(in: site) {
      let result = try plan.contentDigests(of: [0, 1], root: root, jobs: 1)
      return (result.digests, result.diagnostics)
    }
    #expect(digests.map { $0 == .zero } == [true, false] && found.map(\.check) == [.unreadableFile])
  }

  @Test func `known digests are not computed`() throws {
    let prepared = try prepared()
    let (plan, root) = (try #require(prepared.plan), try #require(prepared.root))
    let known = sha256([1])
    let unchanged = UnchangedFiles(digest: { $0 == 0 ? known : nil }, hasContentFinding: { _ in nil })
    let counter = ReadCounter()
    let read = try plan.digests(
      ofPacks: [0, 1], root: root, unchanged: unchanged, readCounter: counter, jobs: 1)
    #expect(read.diagnostics.isEmpty && counter.count == ReadCounter.Count(read: 3, hashed: 3))
    let files = plan.packs.map { pack in pack.files.map { $0 == 0 ? known : sha256(Array("b/2".utf8)) } }
    #expect(read.files == files)
    #expect(Set(read.packs).count == 2)
    let turned = try plan.digests(ofPacks: [1, 0], root: root, unchanged: unchanged, jobs: 1)
    #expect(turned.files == files.reversed() && turned.packs == read.packs.reversed())
  }

  @Test func `files are inspected while their digests are computed`() throws {
    try site.write("a/3", Self.program)
    try site.write("b/4", "-----BEGIN PRIVATE KEY-----\n")
    let prepared = try prepared()
    let (plan, root) = (try #require(prepared.plan), try #require(prepared.root))
    let counter = ReadCounter()
    let read = try plan.inspectedDigests(root: root, readCounter: counter, jobs: 1)
    #expect(read.findings.map(\.check) == [.executableContent, .secretKey] && read.unreadable.isEmpty)
    #expect(read.digests.count == 4 && read.digests[1] == sha256(Array(Self.program)))
    // The heads of two files are read again, and the whole key.
    #expect(counter.count == ReadCounter.Count(read: 3 + 8 + 3 + 28 + 8 + 28 + 28, hashed: 3 + 8 + 3 + 28))
  }

  @Test func `errors of an inspection are those of its file`() throws {
    let prepared = try prepared()
    let (plan, root) = (try #require(prepared.plan), try #require(prepared.root))
    func findings(_ code: Int32) throws -> [Diagnostic] {
      try plan.contentDigests(
        of: [0, 1], root: root, unchanged: .nothing, readCounter: ReadCounter(), jobs: 1
      ) { number, _ throws(SystemError) in
        if number == 1 { throw SystemError(during: "read", path: "x", code: code) }
      }.diagnostics
    }
    #expect(try findings(SystemError.truncated).map(\.check) == [.fileChanged])
    #expect(try findings(EACCES).map(\.place.path) == [site.folder.path("Assets/b/2")])
    #expect(throws: SystemError.self) { try findings(EIO) }
  }

  @Test func `pointers are one finding`() {
    func found(_ checks: [Check]) -> [String] {
      checks.enumerated().map { Diagnostic($1, message: "\"\($0)\"", at: Place("\($0)")) }.countingPointers
        .map { "\($0.place.path) \($0.checkAndValues)" }
    }
    #expect(found([.lfsPointer, .secretKey]) == [#"0 [lfs-pointer] "0""#, #"1 [secret-key] "1""#])
    #expect(
      found([.secretKey, .lfsPointer, .emptyFile, .lfsPointer]) == [
        #"0 [secret-key] "0""#, #"2 [empty-file] "2""#, #"1 [lfs-pointer] "1" 2"#,
      ])
    #expect(found([]) == [])
  }

  /// Returns the bytes that the check for duplicate content reads and hashes.
  private func reads(_ first: Data, _ second: Data) throws -> ReadCounter.Count {
    try site.write("a/1", first)
    try site.write("b/2", second)
    let prepared = try prepared()
    let found = try prepared.planFindings(jobs: 1).filter { $0.check == .duplicateContent }
    #expect(found.count == (first == second ? 1 : 0))
    return prepared.readCounter.count
  }

  @Test func `equal files are sampled and then read`() throws {
    // There is one sample for each 64 KiB, at least two and at most 16.
    for (size, samples) in [(20_000, 2), (3 << 16, 3), (16 << 16, 16), (40 << 16, 16)] {
      let content = Data(repeating: 7, count: size)
      let expected = ReadCounter.Count(read: Int64(2 * (samples * 4096 + size)), hashed: Int64(2 * size))
      #expect(try reads(content, content) == expected, "\(size)")
    }
  }

  /// The samples of a file of 196,608 bytes begin at 0, 96,256 and 192,512.
  @Test(arguments: [0, 4095, 96_256, 100_351, 192_512, 196_607]) func `a sample shows a difference`(
    place: Int
  ) throws {
    var other = Data(repeating: 7, count: 3 << 16)
    other[place] = 8
    let count = try reads(Data(repeating: 7, count: 3 << 16), other)
    #expect(count == ReadCounter.Count(read: 2 * 3 * 4096, hashed: 0))
  }

  @Test(arguments: [4096, 96_255, 100_352, 192_511]) func `between samples files are read`(place: Int) throws
  {
    var other = Data(repeating: 7, count: 3 << 16)
    other[place] = 8
    #expect(try reads(Data(repeating: 7, count: 3 << 16), other).hashed == 2 * 3 << 16)
  }

  @Test func `copies that are gone are no duplicates`() throws {
    let content = Data(repeating: 7, count: 20_000)
    for name in ["a/1", "b/2", "b/3", "b/4"] { try site.write(name, content) }
    let prepared = try prepared()
    for name in ["b/2", "b/3"] { try remove(name) }
    try site.write("b/2/folder", "")
    let found = try prepared.planFindings(jobs: 1).filter { $0.check == .duplicateContent }
    #expect(found.map(\.namedValues) == [#""A" "B" 2 20,000 bytes "A" "B""#])
  }

  @Test(.enabled(if: canBeNobody)) func `copies that cannot be read are no duplicates`() throws {
    let content = Data(repeating: 7, count: 20_000)
    for name in ["a/1", "b/2"] { try site.write(name, content) }
    let prepared = try prepared()
    try #require(chmod(site.folder.path("Assets/b/2"), 0) == 0)
    let found = try asNobody(in: site) { try prepared.planFindings(jobs: 1) }
    #expect(!found.contains { $0.check == .duplicateContent })
  }
}
