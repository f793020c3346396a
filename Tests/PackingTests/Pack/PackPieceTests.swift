@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests how packs are split into pieces.
///
/// A worker processes one piece at a time.
@Suite struct PackPieceTests {
  private static let block: Int64 = 1 << 20

  /// Returns descriptions of the pieces for files with these sizes.
  ///
  /// `copied` has the number of bytes that are copied from an older archive.
  private func pieces(_ sizes: [Int64], copied: [Int: Int64] = [:]) -> [String] {
    let stamp = FileStamp(modified: 0, changed: 0, identity: FileIdentity(device: 0, inode: 0))
    let files = sizes.map { AssetFile(path: "", size: $0, stamp: stamp, tagSet: 0, destination: nil) }
    return PackPiece.pieces(of: files) { copied[$0] }.map { piece in
      switch piece {
      case .batch(let range): "files \(range)"
      case .block(let file, let range): "\(file): \(range)"
      case .copy(let file, let range): "copy \(file): \(range)"
      }
    }
  }

  @Test func `small files go together up to a block`() {
    #expect(pieces([]) == [])
    #expect(pieces([0]) == ["files 0..<1"])
    #expect(pieces([Self.block]) == ["files 0..<1"])
    #expect(pieces([Self.block - 1, 1, 0, 0]) == ["files 0..<4"])
    #expect(pieces([Self.block - 1, 2, 3]) == ["files 0..<1", "files 1..<3"])
    #expect(pieces([Self.block, 1]) == ["files 0..<1", "files 1..<2"])
    #expect(pieces([1, Self.block]) == ["files 0..<1", "files 1..<2"])
  }

  @Test func `a file of up to four blocks is taken whole, alone`() {
    #expect(pieces([4 * Self.block]) == ["files 0..<1"])
    #expect(
      pieces([5, 6, Self.block + 1, 7, 4 * Self.block, 8]) == [
        "files 0..<2", "files 2..<3", "files 3..<4", "files 4..<5", "files 5..<6",
      ])
  }

  @Test func `a larger file is cut`() {
    let blocks = (0..<4).map { "\(Int64($0) * Self.block)..<\(Int64($0 + 1) * Self.block)" }
    #expect(pieces([4 * Self.block + 1]) == blocks.map { "0: \($0)" } + ["0: 4194304..<4194305"])
    #expect(
      pieces([5, 6, 4 * Self.block + 1, 7]) == ["files 0..<2"] + blocks.map { "2: \($0)" }
        + ["2: 4194304..<4194305", "files 3..<4"])
  }

  @Test func `no batch has more than 512 files`() {
    #expect(pieces(Array(repeating: 1, count: 512)) == ["files 0..<512"])
    #expect(pieces(Array(repeating: 0, count: 513)) == ["files 0..<512", "files 512..<513"])
    #expect(pieces(Array(repeating: 1, count: 1025)).count == 3)
  }

  @Test func `what an older archive has is copied in pieces of its compressed size`() {
    let large = 10 * Self.block
    #expect(pieces([large], copied: [0: 5]) == ["copy 0: 0..<5"])
    #expect(
      pieces([1, large, large, 2], copied: [0: 1, 1: Self.block + 1]).prefix(4) == [
        "files 0..<1", "copy 1: 0..<1048576", "copy 1: 1048576..<1048577", "2: 0..<1048576",
      ])
  }

  @Test(arguments: [512, 513])
  func `files at the limit of a batch all arrive`(count: Int) throws {
    let site = try ScanSite()
    for number in 0..<count { try site.write("a/\(number)") }
    let built = (try site.build([.path("a", "A")]))
    let pack = try #require(built.packs.first)
    let names = try run("bsdtar", ["-tf", site.folder.path("out/\(pack.archive.path)")]).output
    #expect(names == (0..<count).map { "a/\($0)\n" }.sorted().joined())
    #expect(built.prepared.plan?.packs.map(\.files.count) == [count])
  }
}
