import Foundation
import Support
@testable import System
import Testing

@Suite struct FolderListingTests {
  private let temporary: TemporaryFolder

  init() throws { temporary = try TemporaryFolder() }

  private func names(_ path: String = "") throws -> [String] {
    let listing = try Folder(temporary.path).listing(of: Array(path.utf8))
    return listing.entries.map { String(decoding: listing.name(of: $0), as: UTF8.self) }
  }

  @Test func `an empty folder has no names`() throws {
    #expect(try names() == [])
  }

  /// A folder is sorted by the paths below it: "a-b" < "a.txt" < "a/…" < "a0".
  @Test func `names are in byte order of the paths below them`() throws {
    for path in ["a/x", "a.txt", "a-b", "a0", "A", "Z/x", "a /x", "ab/x", "_", "é", "z", "~/x", "a\u{301}"] {
      try temporary.write(path, "")
    }
    #expect(
      try names() == ["A", "Z", "_", "a ", "a-b", "a.txt", "a", "a0", "ab", "a\u{301}", "z", "~", "é"])
  }

  /// Names are first compared by the eight bytes after their common beginning, and only then as a whole.
  @Test func `long names that begin alike are in byte order`() throws {
    var paths: [String] = []
    for end in [
      "", "1", "12345678", "12345678-", "123456780", "12345678a", "1234567", "é", "~", "-", "123456789/x",
    ] {
      paths += ["the same beginning\(end)", "the same beginning\(end)b/x"]
    }
    for path in paths { try temporary.write(path, "") }
    let walked = try walk([])
    #expect(walked.count == paths.count)
    #expect(walked == walked.sorted { $0.lexicographicallyPrecedes($1) })
  }

  @Test func `walking in this order is walking in byte order of whole paths`() throws {
    var random = SeededRandom(seed: 1)
    let letters = ["a", "b", ".", "-", "0", " ", "é", "~"]
    for _ in 0..<150 {
      var path = ""
      for depth in 0..<Int.random(in: 1...3, using: &random) {
        if depth > 0 { path += "/" }
        let length = Int.random(in: 1...3, using: &random)
        let name = (0..<length).map { _ in letters.randomElement(using: &random)! }.joined()
        path += name.allSatisfy { $0 == "." } ? "x" : name
      }
      // If a path is already a folder because another path is below it, the write fails and the folder stays.
      try? temporary.write(path, "")
    }
    let walked = try walk([])
    #expect(walked.count > 70)
    #expect(walked == walked.sorted { $0.lexicographicallyPrecedes($1) })
    let found = try run("find", [".", "-type", "f"], in: temporary.path).output.split(separator: "\n")
    #expect(Set(walked) == Set(found.map { Array($0.utf8.dropFirst(2)) }))
  }

  private func walk(_ path: [UInt8]) throws -> [[UInt8]] {
    let listing = try Folder(temporary.path).listing(of: path)
    return try listing.entries.flatMap { entry in
      let below = (path.isEmpty ? [] : path + [UInt8(ascii: "/")]) + listing.name(of: entry)
      return entry.status.kind == .folder ? try walk(below) : [below]
    }
  }

  @Test func `names are any bytes but zero and slash`() throws {
    let script = """
      for byte in set(range(1, 256)) - {46, 47}:
        open(bytes([byte]), 'w')
      open(b'\\xff' * 255, 'w')
      """
    try temporary.python(script)
    let listing = try Folder(temporary.path).listing()
    let bytes: [UInt8] = (1...255).filter { $0 != 46 && $0 != 47 }
    let expected: [[UInt8]] = bytes.map { [$0] } + [Array(repeating: 255, count: 255)]
    #expect(listing.entries.map { Array(listing.name(of: $0)) } == expected)
  }

  @Test func `every entry has its own status, links that of the link`() throws {
    try temporary.write("a-file", "123")
    try temporary.write("b-folder/x", "")
    try temporary.link("c-link", to: "a-file")
    try temporary.link("d-dangling", to: "nowhere")
    #expect(mkfifo(temporary.path("e-fifo"), 0o600) == 0)
    let listing = try Folder(temporary.path).listing()
    #expect(listing.entries.map(\.status.kind) == [.file, .folder, .link, .link, .fifo])
    #expect(listing.entries[0].status.size == 3)
  }

  @Test func `a folder below is listed, through links too`() throws {
    try temporary.write("a/b/c", "")
    try temporary.link("link", to: "a")
    #expect(try names("a") == ["b"])
    #expect(try names("a/b") == ["c"])
    #expect(try names("link/b") == ["c"])
    try temporary.write("file", "")
    #expect(throws: SystemError(during: "open the folder", path: temporary.path("file"), code: ENOTDIR)) {
      try names("file")
    }
  }

  @Test func `many names are all there`() throws {
    try temporary.python("for i in range(1000): open('%04d' % i, 'w')")
    let listing = try Folder(temporary.path).listing()
    #expect(listing.entries.count == 1000)
    #expect(Array(listing.name(of: listing.entries[987])) == Array("0987".utf8))
  }
}
