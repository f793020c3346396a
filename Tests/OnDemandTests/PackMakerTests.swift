import Foundation
import Support
import Testing

@testable import OnDemand

/// Tests the files that a store writes, and when it refuses a pack.
@Suite struct PackMakerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.path(name)) }

  private func hex(_ text: String) -> String { SHA256Digest.hex(of: Data(text.utf8)) }

  /// Returns the list of a pack whose files contain the given texts.
  private func list(_ files: KeyValuePairs<String, String>) -> String {
    files.map { "\(hex($0.value)) \($0.value.utf8.count) \($0.key)\n" }.joined()
  }

  private func pack(_ files: KeyValuePairs<String, String>, size: Int64? = nil, count: Int64? = nil)
    -> Catalog.Pack
  {
    Catalog.Pack(
      id: "p", tags: ["T"], size: size ?? files.reduce(0) { $0 + Int64($1.value.utf8.count) },
      fileCount: count ?? Int64(files.count), digest: PublishedDigest(of: list(files)),
      archive: ServerFile(path: "p.zip", size: 1, digest: PublishedDigest(of: "p")))
  }

  private func make(
    _ files: KeyValuePairs<String, String>, as pack: Catalog.Pack, in place: String = "made",
    purpose: PackMaker.Purpose = .store
  ) throws {
    var maker = try PackMaker(pack, in: url(place), purpose: purpose)
    for (path, text) in files {
      try maker.add(path, size: Int64(text.utf8.count)) { try $0.write(Data(text.utf8)) }
    }
    try maker.finish()
  }

  @Test func `a pack has its files and their list`() throws {
    let files: KeyValuePairs = ["a": "one", "a/b": "", "b/c/d": "three"]
    #expect(throws: (any Error).self, "a path cannot be a file and a folder") {
      try make(files, as: pack(files))
    }
    let other: KeyValuePairs = ["a": "one", "b/c/d": "three", "e": ""]
    try make(other, as: pack(other), in: "other")
    let made = try folder.files(below: "other")
    #expect(Set(made.keys) == ["list", "files/a", "files/b/c/d", "files/e"])
    #expect(made["list"] == Data(list(other).utf8) && made["files/b/c/d"] == Data("three".utf8))
    try make(other, as: pack(other), in: "checked", purpose: .check)
    #expect(try folder.files(below: "checked") == ["list": Data(list(other).utf8)])
    try make([:], as: pack([:]), in: "empty")
    #expect(try folder.files(below: "empty") == ["list": Data()])
  }

  @Test func `a pack that differs from its index is refused`() throws {
    let right: KeyValuePairs = ["a": "12", "b": "345"]
    let wrong: [(files: KeyValuePairs<String, String>, pack: Catalog.Pack)] = [
      (right, pack(right, size: 4)), (right, pack(right, size: 6)), (right, pack(right, count: 1)),
      (right, pack(right, count: 3)), (["a": "12", "b": "346"], pack(right)), (["a": "12"], pack(right)),
      (["b": "345", "a": "12"], pack(["b": "345", "a": "12"])),
      (["a": "12", "a": "345"], pack(["a": "12", "a": "345"])),
      (["": "12"], pack(["": "12"])), (["a": "12", "b": "345", "c": ""], pack(right)),
    ]
    for (number, each) in wrong.enumerated() {
      for purpose in [PackMaker.Purpose.store, .check] {
        let place = "\(number)\(purpose)"
        let error = #expect(throws: OnDemandError.self, "\(number)") {
          try make(each.files, as: each.pack, in: place, purpose: purpose)
        }
        if case .damaged? = error { continue }
        Issue.record("\(number): \(String(describing: error))")
      }
    }
  }

  @Test func `a file has exactly its size`() throws {
    let files: KeyValuePairs = ["a": "12345"]
    for text in ["1234", "123456", ""] {
      var maker = try PackMaker(pack(files), in: url("made\(text)"))
      #expect(throws: OnDemandError.self) { try maker.add("a", size: 5) { try $0.write(Data(text.utf8)) } }
    }
    for size in [-1, 6, Int64.max, .min] {
      var maker = try PackMaker(pack(files), in: url("size\(size)"))
      #expect(throws: OnDemandError.self) { try maker.add("a", size: size) { _ in } }
    }
    var maker = try PackMaker(pack(files), in: url("failed"))
    #expect(throws: URLError.self) { try maker.add("a", size: 5) { _ in throw URLError(.timedOut) } }
  }

  @Test func `a file is written in pieces, and can be continued and begun again`() throws {
    let place = url("a/b/file")
    let first = try FileWriter(place)
    #expect(first.size == 0)
    try first.write(Data("12".utf8))
    try first.write(Data())
    try first.write(Array("345".utf8))
    #expect(first.size == 5)
    #expect(try first.finish() == hex("12345"))
    #expect(throws: POSIXError.self) { try FileWriter(place) }
    let second = try FileWriter(place, start: .resumed)
    #expect(second.size == 5)
    try second.write(Data("6".utf8))
    #expect(try second.size == 6 && folder.read("a/b/file") == Data("123456".utf8))
    try second.restart()
    #expect(try second.size == 0 && folder.read("a/b/file") == Data())
    try second.write(Data("78".utf8))
    #expect(try second.finish() == hex("78"))
    #expect(try folder.read("a/b/file") == Data("78".utf8))
    let third = try FileWriter(url("new"), start: .resumed)
    #expect(third.size == 0)
    #expect(try third.finish() == hex(""))
    #expect(throws: POSIXError.self) { try FileWriter(url("none/file"), start: .resumed) }
    let checking = FileWriter()
    try checking.write(Data("12".utf8))
    try checking.restart()
    try checking.write(Data("3".utf8))
    #expect(checking.size == 1)
    #expect(try checking.finish() == hex("3"))
  }

  /// A digest of a long download is computed in pieces.
  @Test(arguments: [(1 << 18) - 1, 1 << 18, (1 << 18) + 1])
  func `a long download is continued`(count: Int) throws {
    let bytes = Content.random.bytes(count)
    try folder.write("part", Data(bytes))
    let writer = try FileWriter(url("part"), start: .resumed)
    #expect(writer.size == count)
    try writer.write([7])
    #expect(try writer.finish() == SHA256Digest.hex(of: bytes + [7]))
    #expect(try folder.read("part") == Data(bytes + [7]))
  }

  @Test(arguments: [
    ("https://a.example", "index.json", "https://a.example/index.json"),
    ("https://a.example/", "b/c.zip", "https://a.example/b/c.zip"),
    ("https://a.example/x", "b", "https://a.example/x/b"),
    ("https://a.example/x/", "b", "https://a.example/x/b"),
    ("https://a.example/x%20y/", "b", "https://a.example/x%20y/b"),
    ("https://a.example:8080/x?k=v", "b", "https://a.example:8080/x/b?k=v"),
    ("https://a.example", "AZaz09-._~", "https://a.example/AZaz09-._~"),
    ("https://a.example", "a b+c?d#e%f", "https://a.example/a%20b%2Bc%3Fd%23e%25f"),
    ("https://a.example", "\u{9}é@[`{:", "https://a.example/%09%C3%A9%40%5B%60%7B%3A"),
  ]) func `a path becomes a URL`(server: String, path: String, expected: String) throws {
    #expect(try #require(URL(string: server)).appending(published: path)?.absoluteString == expected)
  }

  @Test func `the state of a store is read as it was written`() throws {
    var state = SavedState()
    let empty = try SavedState(stored: state.stored)
    #expect(!empty.isInstalled && empty.prefetching == nil && empty.preservation == [:] && empty.uses.isEmpty)
    #expect(empty.held == [] && empty.indexTag == nil)
    state.isInstalled = true
    state.prefetching = "index"
    state.preservation = ["b": 0.25, "a": 1]
    state.uses = ["k": .init(time: -5, wasPurged: true), "l": .init(time: .max, wasPurged: false)]
    state.held = ["l", "k"]
    state.indexTag = SavedState.IndexTag(tag: "t", server: "s", digest: "d")
    let read = try SavedState(stored: state.stored)
    #expect(read.isInstalled && read.prefetching == "index" && read.preservation == ["a": 1, "b": 0.25])
    #expect(read.uses.mapValues(\.time) == ["k": -5, "l": .max])
    #expect(read.uses.mapValues(\.wasPurged) == ["k": true, "l": false])
    #expect(read.held == ["l", "k"] && read.indexTag == state.indexTag)
    for count in 0..<state.stored.count - 1 where count % 3 == 0 {
      #expect(throws: (any Error).self, "\(count)") { try SavedState(stored: state.stored.prefix(count)) }
    }
  }
}
