import Archiving
import Formats
import Model
import Foundation
import Support
import System
import Testing

@testable import Serving

/// Tests which files a table opens, and the encodings of a file.
@Suite struct ServedFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func draft() throws -> TableDraft { try TableDraft(.packtool, in: folder.path) }

  /// Returns a text file that the server can send in both encodings.
  private func text() throws -> ServedFile {
    try folder.write("a.json", String(repeating: "text ", count: 1000))
    var draft = try draft()
    return try #require(try draft.add(fileAt: "a.json", caching: .revalidated, content: .text))
  }

  @Test(
    arguments: [
      ("gzip", .gzip), ("GZIP", .gzip), ("zstd", .zstd), ("gzip, zstd", .zstd), ("*", .zstd), ("br", nil),
      ("", nil),
      ("gzip;q=0", nil), ("gzip;q=0.0", nil), ("gzip;q=1", .gzip), ("gzip;q=0.001", .gzip), ("gzip;q=x", nil),
      ("gzip;q=", nil), ("gzip; q=0", nil), ("gzip ;\tq=0", nil), ("\tgzip\t;q=1 ", .gzip),
      ("gzip;x=1", .gzip),
      ("gzip;x=1;q=0", nil), ("gzip;q=0;q=1", nil), ("gzip;q=1;q=0", .gzip), ("gzip;q=0, gzip", nil),
      ("gzip, gzip;q=0", .gzip), ("*;q=0", nil), ("*;q=0, gzip", .gzip), ("gzip, zstd;q=0", .gzip),
      ("zstd;q=0, *", .gzip), ("gzip;q=0, *", .zstd), ("q=1;gzip", nil), ("identity, gzip;q=0.5", .gzip),
      (",gzip", .gzip), (";gzip", .gzip),
    ] as [(String, ContentCoding?)])
  func `a client gets the best encoding that it accepts`(header: String, coding: ContentCoding?) throws {
    let file = try text()
    #expect(file.variants.map(\.coding) == [.zstd, .gzip] && file.coding == nil)
    let sent = file.variant(forAcceptEncoding: [header])
    #expect(sent.coding == coding && (coding != nil || sent === file))
    // A header with several encodings has the same meaning as several headers.
    let headers = header.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    #expect(file.variant(forAcceptEncoding: headers) === sent)
  }

  @Test func `an encoding has the path of its file, and its own tag`() throws {
    let file = try text()
    let digest = try file.bytesDigest().hex
    #expect(file.size == 5000 && file.entityTag == "\"\(digest)\"")
    for variant in file.variants {
      let digest = try variant.bytesDigest().hex
      #expect(variant.path == "a.json" && variant.caching == .revalidated && variant.size < 100)
      #expect(variant.entityTag == "\"\(digest)\"" && variant.variants.isEmpty)
    }
    #expect(Set(([file] + file.variants).map(\.entityTag)).count == 3)
  }

  /// Each zero adds a byte to a file, but nearly nothing to its compressed bytes.
  ///
  /// So there is a file of which both sizes are equal.
  @Test(arguments: ContentCoding.allCases)
  func `an encoding must save bytes`(coding: ContentCoding) throws {
    let noise = Array(Sample.noise(96))
    let equal = try #require(
      (0..<200).map { noise + Array(repeating: UInt8(0), count: $0) }.first {
        coding.compressed($0.span.bytes).count == $0.count
      })
    try folder.write("equal", Data(equal))
    try folder.write("longer", Data(equal + Array(repeating: 0, count: 20)))
    var draft = try draft()
    let first = try #require(try draft.add(fileAt: "equal", caching: .revalidated, content: .text))
    #expect(!first.variants.contains { $0.coding == coding })
    let second = try #require(try draft.add(fileAt: "longer", caching: .revalidated, content: .text))
    #expect(second.variants.contains { $0.coding == coding })
    let other = try #require(try draft.add(fileAt: "longer", caching: .revalidated))
    #expect(other.variants.isEmpty)
  }

  @Test func `only regular files below the folder get a path`() throws {
    try folder.write("out/a", "12345")
    try folder.write("out/b/c", "")
    try folder.write("secret", "secret")
    try folder.link("out/link", to: "../secret")
    try folder.link("out/d", to: "b")
    var draft = try TableDraft(.packtool, in: folder.path("out"))
    for path in ["b", "none", "../secret", "b/../a", "./a", "/a", "link", "d/c", "", "a/", "b//c"] {
      #expect(try draft.add(fileAt: path, caching: .immutable) == nil, "\(path)")
    }
    #expect(try draft.add(fileAt: "a", expectedSize: 4, caching: .immutable) == nil)
    #expect(try draft.add(fileAt: "a", expectedSize: 6, caching: .immutable) == nil)
    #expect(draft.files.isEmpty)
    let file = try #require(try draft.add(fileAt: "a", expectedSize: 5, caching: .immutable, pack: 7))
    #expect(file.size == 5 && file.pack == 7 && file.caching == .immutable)
    #expect(try draft.add(fileAt: "b/c", expectedSize: 0, caching: .immutable)?.size == 0)
    #expect(draft.files.keys.map(\.text).sorted() == ["a", "b/c"])
  }

  /// A file can have several paths, but it does not replace another file.
  @Test func `other paths of a file lead to it if they are free`() throws {
    for name in ["a", "b"] { try folder.write(name, name) }
    var draft = try draft()
    let first = try #require(try draft.add(fileAt: "a", caching: .immutable))
    let others = ["a", "x/y"].map(RequestPath.init(decoded:))
    let second = try #require(try draft.add(fileAt: "b", caching: .immutable, alsoAt: others))
    let table = ServedTable(draft, index: first)
    #expect(table.paths == ["a", "b", "x/y"])
    #expect(table[RequestPath(decoded: "a")] === first && table[RequestPath(decoded: "x/y")] === second)
    #expect(table[RequestPath(decoded: "b")] === second && table[RequestPath(decoded: "x")] == nil)
  }

  @Test(arguments: [
    ("index.json", "application/json"), ("a.zip", "application/zip"), ("a.tar.gz", "application/gzip"),
    ("a.tar.zst", "application/zstd"), ("a.plist", "application/x-plist"),
    ("index.json.minisig", "text/plain"),
    ("a.gz", "application/octet-stream"), ("json", "application/octet-stream"),
    ("a.json.x", "application/octet-stream"),
  ])
  func `the media type comes from the name`(name: String, type: String) throws {
    try folder.write(name, "x")
    var draft = try draft()
    #expect(try draft.add(fileAt: name, caching: .immutable)?.type == type)
  }

  /// A pack can have several tags, and several files.
  @Test func `a table counts the bytes of each pack`() throws {
    for name in ["a", "b", "c", "index"] { try folder.write(name, "12345") }
    var draft = try draft()
    draft.packs = [
      .init(id: "0", tags: ["é", "B"], size: 10), .init(id: "1", tags: ["B"], size: 5),
      .init(id: "2", tags: ["a"], size: 7),
    ]
    var files: [ServedFile] = []
    for (name, pack) in [("a", 0), ("b", 0), ("c", 1)] {
      let others = [RequestPath(decoded: "x/\(name)")]
      let file = try draft.add(fileAt: name, caching: .immutable, pack: pack, alsoAt: others)
      files.append(try #require(file))
    }
    let index = try #require(try draft.add(fileAt: "index", caching: .revalidated))
    let table = ServedTable(draft, index: index, prefix: "p")
    #expect(table.size == 22 && table.index === index && table.prefix == "p" && table.layout == .packtool)
    #expect(table.tags.map(\.name) == ["B", "a", "é"] && table.tags.map(\.packs) == [[0, 1], [2], [0]])
    #expect(table.fetchedSizes == [0, 0, 0])
    for file in [index] + files { file.fetched.change { $0.add(1..<3) } }
    files[0].fetched.change { $0.add(0..<5) }
    #expect(table.fetchedSizes == [7, 2, 0])
    let figures = GaugeFigures(table)
    #expect(figures.rows.map(\.tag) == ["B", "a", "é"] && figures.rows.map(\.packs) == [2, 1, 1])
    #expect(figures.rows.map(\.size) == [15, 7, 10] && figures.rows.map(\.fetched) == [9, 0, 7])
  }
}
