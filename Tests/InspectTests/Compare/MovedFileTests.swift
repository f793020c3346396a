@testable import Formats
@testable import Inspect
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests files that move between packs because their tags change.
@Suite struct MovedFileTests {
  private func release(_ files: [(file: String, tag: String)]) throws -> ReleaseContents {
    let plan = try makePlan(files.map { PlannedFile($0.file, [$0.tag], size: 10, destination: "same") })
    let digests = plan.tree.files.map { SHA256.digest(of: Array($0.path.utf8).span.bytes) }
    return ReleaseContents(named: "release", plan: plan, fileDigests: digests)
  }

  /// Several packs have a file at the same path.
  ///
  /// The first file that was removed from a pack is matched with the first file that was added to another
  /// pack. The order is the order of the file list.
  @Test func `files at one path move in the order of the list`() throws {
    for number in 0..<12 {
      let old = try release([("1", "Old \(number)"), ("2", "Old \(number + 1)")])
      let new = try release([("1", "New \(number)"), ("2", "New \(number + 1)")])
      let update = Comparison(old: old, new: new)
      let moves = update.moves.map { [old.packs[$0.oldPack].tags, new.packs[$0.newPack].tags] }
      let places = [old, new].map { release in
        (0..<release.contents.count).map { file in
          release.packs.indices.first { release.contents.files(of: $0).contains(Int32(file)) } ?? -1
        }
      }
      let expected = zip(places[0], places[1]).map { [old.packs[$0].tags, new.packs[$1].tags] }
      #expect(moves == expected, "\(number)")
    }
  }

  /// A file system error must not be reported as a damaged pack.
  @Test func `a pack that the disk does not give is an error`() throws {
    #expect(throws: SystemError.self) { try PackListing("/proc/self/mem") }
  }
}
