@testable import Pipeline
@testable import System
import Testing

/// A release's file for a test of the search.
private struct OldFile {
  let path: String
  var size: Int64 = 10
  var pack = 0
}

/// Tests which old file a patch starts from.
@Suite struct SourceSearchTests {
  private func digest(_ number: Int) throws -> Digest {
    let digits = String(number, radix: 16)
    return try #require(Digest(hex: String(repeating: "0", count: 64 - digits.count) + digits))
  }

  private func contents(_ files: [OldFile]) throws -> PublishedContents {
    var contents = PublishedContents()
    for (number, file) in files.enumerated() {
      contents.append(
        path: Array(file.path.utf8)[...], size: file.size, digest: try digest(number), packIndex: file.pack)
    }
    contents.group(into: 2)
    return contents
  }

  /// Returns the number of the old file for a new file of a path; nil if there is none.
  private func source(
    for path: String, size: Int64 = 10, among files: [OldFile], usable: [Int]? = nil,
    preferring preferred: [Bool] = [true, true]
  ) throws -> Int? {
    let contents = try contents(files)
    let search = SourceSearch(
      in: contents, usableFiles: usable ?? Array(contents.indices), packOfFile: files.map { Int32($0.pack) })
    guard let found = search.source(for: Array(path.utf8)[...], size: size, preferringPacks: preferred) else {
      return nil
    }
    return try files.indices.first { try digest($0) == found }
  }

  @Test func `the same path is best, then the same name, then a similar name`() throws {
    let files = [
      OldFile(path: "b/hero2.png"), OldFile(path: "b/hero1.png", size: 1000),
      OldFile(path: "a/hero1.png", size: 99_999),
    ]
    #expect(try source(for: "a/hero1.png", among: files) == 2)
    #expect(try source(for: "a/hero1.png", among: Array(files[..<2])) == 1)
    #expect(try source(for: "a/hero1.png", among: Array(files[..<1])) == 0)
    #expect(try source(for: "a/hero1.png", among: []) == nil)
    #expect(try source(for: "a/hero1.png", among: files, usable: [0, 1]) == 1)
  }

  @Test func `preferred packs come first`() throws {
    let files = [OldFile(path: "a/hero1.png"), OldFile(path: "b/hero2.png", pack: 1)]
    #expect(try source(for: "a/hero1.png", among: files, preferring: [false, true]) == 1)
    #expect(try source(for: "a/hero1.png", among: files, preferring: [true, false]) == 0)
    #expect(try source(for: "a/hero1.png", among: files, preferring: [false, false]) == 0)
  }

  @Test func `of files with the same name, the most similar path is best`() throws {
    let files = [
      OldFile(path: "x/q/map"), OldFile(path: "ab/c/map", size: 12), OldFile(path: "ab/d/map", size: 11),
      OldFile(path: "ab/e/map", size: 9),
    ]
    // The paths of three files share as many bytes, and the sizes of two of them are as near.
    #expect(try source(for: "ab/z/map", among: files) == 2)
    #expect(try source(for: "ab/z/map", size: 12, among: files) == 1)
    #expect(try source(for: "ab/z/map", size: 1, among: files) == 3)
    #expect(try source(for: "x/z/map", size: 9, among: files) == 0)
    // Equal ends count, too, and no byte counts twice.
    let ends = [OldFile(path: "aa/map"), OldFile(path: "a/b/c/map")]
    #expect(try source(for: "q/b/c/map", among: ends) == 1)
    #expect(try source(for: "aaa/map", among: ends) == 0)
  }

  @Test func `empty and very large files are no sources`() throws {
    for (size, isSource) in [(0, false), (1, true), (128 << 20, true), (128 << 20 + 1, false)]
      as [(Int64, Bool)]
    {
      #expect(try source(for: "a", among: [OldFile(path: "a", size: size)]) == (isSource ? 0 : nil))
      #expect(try source(for: "b/a", among: [OldFile(path: "a", size: size)]) == (isSource ? 0 : nil))
    }
  }

  @Test func `a similar file has a similar size, name and extension`() throws {
    func isSimilar(_ old: String, _ oldSize: Int64 = 100, to new: String, _ size: Int64 = 100) throws -> Bool
    {
      try source(for: new, size: size, among: [OldFile(path: old, size: oldSize)]) == 0
    }
    #expect(try isSimilar("hero1.png", to: "hero2.png") && isSimilar("x/hero1.png", to: "y/hero2.png"))
    #expect(try isSimilar("herox", to: "heroy") && !isSimilar("hero1.png", to: "hero1.jpg"))
    #expect(try isSimilar("abcd.png", to: "aefg.png") && !isSimilar("abcd.png", to: "efgh.png"))
    #expect(
      try !isSimilar("hero.png", to: "hero-of-the-day.png")
        && !isSimilar("hero-of-the-day.png", to: "hero.png"))
    #expect(try isSimilar("hero1.png", 400, to: "hero2.png") && !isSimilar("hero1.png", 401, to: "hero2.png"))
    #expect(try isSimilar("hero1.png", 25, to: "hero2.png") && !isSimilar("hero1.png", 24, to: "hero2.png"))
  }

  /// Only the 32 smaller and the 32 larger files of the same extension are compared.
  @Test func `similar files are near in size`() throws {
    for (size, isFound) in [(17, false), (18, true), (81, true), (82, false)] {
      let files = (1...100).map { OldFile(path: $0 == size ? "hero1.png" : "\($0)-map.png", size: Int64($0)) }
      #expect(try source(for: "hero2.png", size: 50, among: files) == (isFound ? size - 1 : nil), "\(size)")
    }
  }

  @Test func `of many files with the same name, the nearest ones are candidates`() throws {
    func candidates(_ count: Int, _ path: String, size: Int64, where isIncluded: (Int) -> Bool) throws
      -> [Int]
    {
      let files = (0..<count).map { number in
        let name = String(1000 + number).dropFirst()
        return OldFile(path: "\(name)/map", size: Int64(number + 1))
      }
      let contents = try contents(files)
      return SameNameFiles(Array(files.indices), in: contents)
        .candidates(for: Array(path.utf8)[...], size: size, in: contents, where: isIncluded)
    }
    #expect(try candidates(64, "032/map", size: 10) { $0 % 9 == 0 } == [0, 9, 18, 27, 36, 45, 54, 63])
    // The files after the place come first, then the ones before it: by path, by the end of the path, by size.
    let many = try candidates(65, "032/map", size: 10) { _ in true }
    let byPath = Array(32...39) + (24...31).reversed()
    let byEnd = [32, 42, 52, 62, 3, 13, 23, 33] + [22, 12, 2, 61, 51, 41, 31, 21]
    let bySize = Array(9...16) + (1...8).reversed()
    #expect(many == byPath + byEnd + bySize)
    #expect(
      try candidates(200, "000/map", size: 1) { $0 >= 100 } == [100, 110, 120, 130, 140, 150, 160, 170])
    #expect(try candidates(65, "064/map", size: 65) { $0 == 0 } == [0, 0, 0])
    #expect(try candidates(66, "065/map", size: 66) { $0 == 1 } == [1, 1, 1])
    #expect(try candidates(66, "065/map", size: 66) { $0 == 0 } == [0])
  }
}

/// Tests the list of a release's files, and the files of one pack.
@Suite struct PublishedContentsTests {
  private func contents(_ files: [(path: String, pack: Int)], packCount: Int) -> PublishedContents {
    var contents = PublishedContents()
    for (number, file) in files.enumerated() {
      contents.append(
        path: Array(file.path.utf8)[...], size: Int64(number),
        compressedSize: number == 3 ? nil : Int64(number * 10),
        digest: SHA256.digest(of: Array(file.path.utf8)), packIndex: file.pack)
    }
    contents.group(into: packCount)
    return contents
  }

  @Test func `each pack has its files`() {
    let contents = contents([("a", 2), ("b", 0), ("c", 2), ("d", 0), ("e", 2)], packCount: 4)
    #expect((0..<4).map { Array(contents.files(of: $0)) } == [[1, 3], [], [0, 2, 4], []])
    #expect(contents.count == 5 && contents.indices == 0..<5)
    #expect(
      contents.indices.map { String(decoding: contents.path(at: $0), as: UTF8.self) } == [
        "a", "b", "c", "d", "e",
      ])
    #expect(contents.indices.map(contents.packedSize) == [0, 10, 20, nil, 40])
    #expect((0..<4).map(contents.packedSizes) == [nil, [], [0, 20, 40], []])
    #expect(contents.repeatedPath == nil)
  }

  @Test func `a path occurs once in a pack`() throws {
    #expect(contents([("a", 0), ("a", 1), ("b", 0)], packCount: 2).repeatedPath == nil)
    let repeated = try #require(
      contents([("a", 0), ("a", 1), ("b", 1), ("b", 1)], packCount: 3).repeatedPath)
    #expect(repeated.pack == 1 && repeated.path.elementsEqual("b".utf8))
    #expect(contents([], packCount: 0).repeatedPath == nil)
  }

  @Test func `the files of a pack are found by their paths`() throws {
    let paths = ["a-", "a/b", "a/c", "ab", "b/c"]
    let contents = contents([("x", 0)] + paths.map { ($0, 1) } + [("y", 2)], packCount: 3)
    let files = ExpectedFiles(ofPack: 1, in: contents)
    #expect(files.count == 5 && files.size == 1 + 2 + 3 + 4 + 5)
    #expect((0..<5).map { String(decoding: files.path(at: $0), as: UTF8.self) } == paths)
    #expect((0..<5).map(files.packedSize) == [10, 20, nil, 40, 50])
    for (number, path) in paths.enumerated() {
      for guess in 0...6 { #expect(files.index(of: Array(path.utf8)[...], guess: guess) == number) }
      #expect(files.digest(at: number) == SHA256.digest(of: Array(path.utf8)))
    }
    for path in ["", "a", "a/bb", "x", "y", "z"] {
      for guess in [0, 4, 5] { #expect(files.index(of: Array(path.utf8)[...], guess: guess) == nil) }
    }
    #expect(["a", "b"].allSatisfy { files.hasFiles(below: Array($0.utf8)) })
    #expect(!["ab", "a/b", "x", "y", "z", ""].contains { files.hasFiles(below: Array($0.utf8)) })
  }

  @Test func `a sum of sizes that overflows is not known`() {
    var contents = PublishedContents()
    for path in ["a", "b"] {
      contents.append(path: Array(path.utf8)[...], size: .max - 1, digest: .zero, packIndex: 0)
    }
    contents.group(into: 1)
    #expect(ExpectedFiles(ofPack: 0, in: contents).size == nil)
  }
}
