import Foundation
@testable import PackKit
import Support
import Testing

/// Content that several packs hold, each for itself.
@Suite struct DuplicateContentTests {
  private static let rules = [
    #"{"path": "a", "tags": ["A"]}"#, #"{"path": "b", "tags": ["B"]}"#, #"{"path": "c", "tags": ["C"]}"#,
  ]

  /// Bytes that differ at one place from others of their length.
  private func content(_ size: Int, _ mark: UInt8 = 0, at place: Int = 0) -> Data {
    var data = Data(repeating: 7, count: size)
    data[place] = mark
    return data
  }

  private func lines(_ files: [String: Data], links: [String: String] = [:]) throws -> [String] {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c"] { try folder.write("\(name)/own", name) }
    for (path, data) in files { try folder.write(path, data) }
    for (path, target) in links { try folder.link(path, to: target) }
    let prepared = try PreparedFolder(folder, rules: Self.rules[0], Self.rules[1], Self.rules[2])
    #expect(prepared.lines == prepared.lines(of: "duplicate-content"))
    return prepared.lines
  }

  @Test func wasteAndSharedTagsAreNamed() throws {
    let same = content(20_000)
    #expect(
      try lines(["a/x": same, "b/y": same]) == [
        "Manifest.json:4:28: note: the packs of {\"A\"} and {\"B\"} hold the same file, 20,000 bytes more than needed, "
          + "such as \"a/x\" and \"b/y\"; one file with the tags {\"A\", \"B\"} would be shared [duplicate-content]"
      ])
  }

  @Test func filesOfTheSamePacksAreOneFinding() throws {
    let (small, large) = (content(20_000), content(30_000))
    #expect(
      try lines(["a/1": small, "b/1": small, "c/1": small, "a/2": large, "b/2": large, "c/2": large]) == [
        "Manifest.json:4:28: note: the packs of {\"A\"} and {\"B\"} and {\"C\"} hold the same 2 files, 100,000 bytes "
          + "more than needed, such as \"a/2\", \"b/2\" and \"c/2\"; one file with the tags {\"A\", \"B\", \"C\"} would "
          + "be shared [duplicate-content]"
      ])
  }

  @Test func eachSetOfPacksIsAFinding() throws {
    let (first, second) = (content(20_000), content(30_000))
    let found = try lines(["a/1": first, "b/1": first, "b/2": second, "c/2": second])
    #expect(found.count == 2)
    #expect(found.first?.contains("{\"A\"} and {\"B\"}") == true)
    #expect(found.last?.contains("{\"B\"} and {\"C\"}") == true)
  }

  /// Front, middle and end are compared, not only the samples.
  @Test(arguments: [0, 5000, 10_000, 19_999]) func oneOtherByteIsOtherContent(place: Int) throws {
    #expect(try lines(["a/x": content(20_000, 1, at: place), "b/x": content(20_000, 2, at: place)]) == [])
  }

  @Test func smallFilesAreNotCompared() throws {
    let (below, from) = (content(16_383), content(16_384))
    #expect(try lines(["a/x": below, "b/x": below]) == [])
    #expect(try lines(["a/x": from, "b/x": from]).count == 1)
  }

  @Test func onePackMayHoldContentTwice() throws {
    #expect(try lines(["a/x": content(20_000), "a/y": content(20_000)]) == [])
  }

  /// A link is packed as its target, once in each pack.
  @Test func linksToOneFileAreItsContent() throws {
    let found = try lines(["a/x": content(20_000)], links: ["b/x": "../a/x"])
    #expect(found.count == 1)
    #expect(
      found.first?.contains("the same file, 20,000 bytes more than needed, such as \"a/x\" and \"b/x\";")
        == true)
  }

  /// Sparse files of a size that nobody could read within a test: links to one file need not be read.
  @Test(.timeLimit(.minutes(5))) func linksToOneLargeFileAreNotRead() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("a/x", size: 1 << 40)
    try folder.link("b/x", to: "../a/x")
    let prepared = try PreparedFolder(folder, rules: Self.rules[0], Self.rules[1])
    #expect(prepared.lines(of: "duplicate-content").count == 1)
  }
}
