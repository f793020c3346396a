@testable import Inspect
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests which files should be in a separate pack according to the history of releases.
@Suite struct VolatileSplitTests {
  private func splits(_ releases: [[String: String]]) throws -> [VolatileSplit] {
    let site = try TwoReleases([:], [:])
    for (number, files) in releases.enumerated() { try site.write("\(number)", files) }
    let names = releases.indices.map { site.folder.path("\($0)") }
    let readers = try ReleaseReader.read(names, jobs: 2)
    return History(try readers.map { try #require($0.release) }).splits
  }

  private static let rest = String(repeating: "r", count: 1000)

  /// A large file changed only once, and a text file changes in each update.
  ///
  /// The large file costs less if it stays with the other files than if it is with the text file.
  @Test func `a file that changed once stays with the rest`() throws {
    let large = (1...2).map { String(repeating: "\($0)", count: 5000) }
    let splits = try splits([
      ["A/text": "1", "A/large": large[0], "A/rest": Self.rest],
      ["A/text": "2", "A/large": large[0], "A/rest": Self.rest],
      ["A/text": "3", "A/large": large[0], "A/rest": Self.rest],
      ["A/text": "4", "A/large": large[1], "A/rest": Self.rest],
    ])
    #expect(splits.map(\.files) == [["text"]])
    // In two updates, only the text file changes, which has 1 byte. In the update in which the large file
    // changes as well, the whole pack is downloaded.
    let split = try #require(splits.first)
    #expect(split.download == 3 * 6001 && split.possible == 1 + 1 + 6001 && split.saving == 12_000)
  }

  @Test func `what changed once is no history`() throws {
    #expect(try splits([["A/x": "1", "A/rest": Self.rest], ["A/x": "2", "A/rest": Self.rest]]).isEmpty)
  }

  @Test func `a pack that always changes whole is left`() throws {
    #expect(
      try splits([["A/x": "1", "A/y": "1"], ["A/x": "2", "A/y": "2"], ["A/x": "3", "A/y": "3"]]).isEmpty)
  }

  /// The proposed tag has a name that no other tag has.
  @Test func `the proposed tag is new`() throws {
    let splits = try splits(
      (1...3).map { ["A/x": "\($0)", "A/rest": Self.rest, "A volatile/y": "", "A volatile 2/z": ""] })
    #expect(splits.map(\.proposedTag) == ["A volatile 3"])
  }
}
