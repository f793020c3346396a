import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import Testing

/// Content that several packs contain.
@Suite struct DuplicateContentTests {
  private static let rules = [
    #"{"path": "a", "tags": ["A"]}"#, #"{"path": "b", "tags": ["B"]}"#, #"{"path": "c", "tags": ["C"]}"#,
  ]

  /// Content of this size that differs from other content in one byte.
  private func content(_ size: Int, _ mark: UInt8 = 0, at place: Int = 0) -> Data {
    var data = Data(repeating: 7, count: size)
    data[place] = mark
    return data
  }

  private func prepared(_ files: [String: Data], links: [String: String] = [:]) throws -> PreparedFolder {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.write("\(name)/own", name) }
    for (path, data) in files { try folder.write(path, data) }
    for (path, target) in links { try folder.link(path, to: target) }
    let prepared = try PreparedFolder(folder, rules: Self.rules[0], Self.rules[1], Self.rules[2])
    #expect(prepared.lines == prepared.lines(of: "duplicate-content"))
    return prepared
  }

  private func lines(_ files: [String: Data], links: [String: String] = [:]) throws -> [String] {
    try prepared(files, links: links).lines
  }

  /// Returns the number of bytes that the check reads and hashes for two files.
  private func reads(
    _ first: Data, _ second: Data, severity: String? = nil, chosen: [String: SeverityChoice] = [:]
  ) throws -> ReadCounter.Count {
    let folder = try prepared(["a/x": first, "b/y": second]).folder
    if let severity {
      let text = String(decoding: try folder.read("Manifest.json"), as: UTF8.self)
      try folder.write(
        "Manifest.json", text.dropLast(2) + ", \"severity\": {\"duplicate-content\": \"\(severity)\"}}")
    }
    var request = Preparation.Request(argument: folder.path, jobs: 1)
    request.severities = chosen
    // The bytes that the inspection of contents reads are not counted here.
    request.inspector = .caller
    let prepared = try Preparation(request)
    let found = try prepared.planFindings(jobs: 1)
    #expect(
      found.contains { $0.check.id == "duplicate-content" }
        == (first == second && severity == nil && chosen.isEmpty))
    return prepared.readCounter.count
  }

  @Test func `nothing is read if nobody wants to know`() throws {
    let same = content(20_000)
    #expect(try reads(same, same).hashed == 40_000)
    #expect(try reads(same, same, severity: "ignore") == ReadCounter.Count(read: 0, hashed: 0))
    let chosen = try reads(same, same, chosen: ["duplicate-content": .ignore])
    #expect(chosen == ReadCounter.Count(read: 0, hashed: 0))
  }

  /// The check compares 16 samples, so it distinguishes large files that have the same start and end.
  @Test(arguments: [1, 40, 800]) func `large files are sampled`(blocks: Int) throws {
    let size = 20_000 + blocks * 4096
    let (first, last) = (content(size), Data(repeating: 7, count: 8192))
    let second = last + Data((0..<size - 16_384).map { UInt8($0 % 251) }) + last
    let count = try reads(first.dropFirst(0), second)
    #expect(count.hashed == 0 && count.read <= 2 * 16 * 4096)
  }

  @Test func `waste and shared tags are named`() throws {
    let same = content(20_000)
    #expect(
      try lines(["a/x": same, "b/y": same]) == [
        #"a/x: note [duplicate-content] "A" "B" 2 20,000 bytes "A" "B""#
      ])
  }

  @Test func `the other files have their places`() throws {
    let same = content(20_000)
    let found = try prepared(["b/y": same, "a/x": same, "c/z": same])
    #expect(found.findings.count == 1)
    #expect(
      found.findings.first?.notes.map { "\($0.place?.path.suffix(4) ?? ""): \($0.namedValues)" } == [
        "/b/y: \"B\"", "/c/z: \"C\"",
      ])
  }

  @Test func `a megabyte is also named as one`() throws {
    let same = content(1_200_000)
    let found = try lines(["a/x": same, "b/y": same, "c/z": same])
    #expect(
      found.first?.names("3 2,400,000 bytes 2.40 MB") == true, "\(found)")
  }

  @Test func `each content is a finding`() throws {
    let (small, large) = (content(20_000), content(30_000))
    let found = try lines([
      "a/1": small, "b/1": small, "c/1": small, "a/2": large, "b/2": large, "c/2": large,
    ])
    #expect(found.map { $0.prefix(9) } == ["a/1: note", "a/2: note"])
    #expect(found.first?.names("3 40,000 bytes") == true)
    #expect(found.last?.names("3 60,000 bytes") == true)
  }

  @Test func `files of one pack count too`() throws {
    let same = content(20_000)
    let found = try lines(["a/1": same, "a/2": same, "b/1": same])
    #expect(found.first?.names("3 40,000 bytes") == true, "\(found)")
  }

  @Test func `of many files some are named`() throws {
    let same = content(20_000)
    let files = Dictionary(uniqueKeysWithValues: (10..<30).map { ("\($0 < 20 ? "a" : "b")/\($0)", same) })
    let notes = try prepared(files).findings.first?.notes ?? []
    #expect(notes.count == 8)
    #expect(notes.last?.namedValues == "12")
  }

  /// The threshold is 0.1 percent: 20,000 bytes of 20 MB.
  @Test(arguments: [(19_000, 0), (21_000, 1)]) func `little of much is quiet`(size: Int, findings: Int) throws
  {
    let found = try lines(["a/all": content(20_000_000, 1), "a/x": content(size), "b/x": content(size)])
    #expect(found.count == findings)
  }

  /// Twelve groups of duplicates, with 18 kB each, waste more than 1 percent of 20 MB.
  @Test(arguments: [(9, 0), (12, 1)]) func `much of little is one finding`(groups: Int, findings: Int) throws
  {
    var files = ["a/all": content(20_000_000, 1)]
    for group in 0..<groups {
      for folder in ["a", "b"] { files["\(folder)/\(group)"] = content(18_000 + group, 9) }
    }
    let found = try lines(files)
    #expect(found.count == findings)
    if findings > 0 {
      #expect(
        found[0].hasPrefix(
          "a/11: note [duplicate-content] 12 216,066 bytes 18,011 bytes"), "\(found)")
    }
  }

  /// The check compares complete files, and not only the samples.
  @Test(arguments: [0, 5000, 10_000, 19_999]) func `one other byte is other content`(place: Int) throws {
    #expect(try lines(["a/x": content(20_000, 1, at: place), "b/x": content(20_000, 2, at: place)]) == [])
  }

  @Test func `small files are not compared`() throws {
    let (below, from) = (content(16_383), content(16_384))
    #expect(try lines(["a/x": below, "b/x": below]) == [])
    #expect(try lines(["a/x": from, "b/x": from]).count == 1)
  }

  @Test func `one pack may hold content twice`() throws {
    #expect(try lines(["a/x": content(20_000), "a/y": content(20_000)]) == [])
  }

  /// A symlink is packed as the content of its target, once in each pack.
  @Test func `links to one file are its content`() throws {
    let found = try lines(["a/x": content(20_000)], links: ["b/x": "../a/x"])
    #expect(found.count == 1)
    #expect(found.first?.names("2 20,000 bytes") == true)
  }

  /// The file is sparse and too large to read during a test.
  ///
  /// If several symlinks lead to one file, the check does not have to read it.
  @Test(.noHang) func `links to one large file are not read`() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("a/x", size: 1 << 40)
    try folder.link("b/x", to: "../a/x")
    let prepared = try PreparedFolder(folder, rules: Self.rules[0], Self.rules[1])
    #expect(prepared.lines(of: "duplicate-content").count == 1)
  }
}
