import Foundation
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests what packtool reads from pointers, that is, from texts or symlink targets that stand for other
/// files.
@Suite struct PointerTextTests {
  private static let hex = String(repeating: "0123456789abcdef", count: 4)
  private static let lfs = "version https://git-lfs.github.com/spec/v1\noid sha256:\(hex)\nsize 98765\n"

  private static let pointers: [(String, Int64)] = [
    (lfs, 98765), (lfs.replacing("98765", with: "0"), 0),
    (lfs.replacing("98765", with: "1099511627776"), 1_099_511_627_776),
    (lfs.replacing("98765", with: "90"), 90),
    ("\u{feff}\(lfs)", 98765), (lfs.replacing("git-lfs", with: "hawser"), 98765),
    ("\u{feff}\(lfs.replacing("git-lfs", with: "hawser"))", 98765),
    ("/annex/objects/SHA256E-s31390--\(hex).mp3\n", 31390), ("/annex/objects/SHA256E-s5--\(hex).tar.gz", 5),
    ("/annex/objects/SHA256-s7--\(hex)\n", 7), ("SHA256E-s8--\(hex)", 8), ("SHA256-s9--\(hex)\n", 9),
  ]

  private static let others: [String] = [
    "\u{feff}", "\u{feff}\u{feff}\(lfs)", lfs.replacing("git-lfs", with: "hawsers"),
    "", "\n", "v", "version https://git-lfs.github.com/spec/v1", lfs + "\n", lfs + "x", " " + lfs,
    String(lfs.dropLast()), lfs.replacing("\n", with: "\r\n"), lfs.replacing("spec/v1", with: "spec/v2"),
    lfs.replacing("sha256", with: "sha512"), lfs.replacing("abcdef\n", with: "abcde\n"),
    lfs.replacing("abcdef\n", with: "abcdef0\n"), lfs.replacing("abcdef\n", with: "ABCDEF\n"),
    lfs.replacing("98765", with: "-1"), lfs.replacing("98765", with: "+1"),
    lfs.replacing("98765", with: "012"), lfs.replacing("98765", with: "01"),
    "/annex/objects/MD5E-x5--0123", "/annex/objects/MD5E-s--0123", "/annex/objects/MD5E-sx--0123",
    "/annex/objects/-MD5E--x", "/annex/objects/MD5E-s5-x6--0123", "/annex/objects/MD5E-s5--",
    lfs.replacing("98765", with: ""),
    lfs.replacing("98765", with: "1099511627777"), lfs.replacing("98765", with: "99999999999999999999999"),
    lfs.replacing("98765", with: "1 "), lfs.replacing("98765", with: "٣"),
    lfs.replacing("oid ", with: "oid  "), lfs.replacing("oid", with: "ext-0-foo sha256:\(hex)\noid"),
    "/annex/objects/", "/annex/objects/\n", "/annex/objects/SHA256E-s5--\(hex)x", "SHA256-s5--\(hex).png",
    "/annex/objects/SHA256E-s5--\(hex).", "/annex/objects/SHA256E-s5--\(hex).a/b",
    "/annex/objects/SHA256E-s5--\(hex).png\n\n", "/annex/objects/SHA256E-s5--\(hex).png\nmore",
    "/annex/objects/SHA256E-s05--\(hex)", "/annex/objects/SHA256E-s1099511627777--\(hex)",
    "/annex/objects/SHA256E-s5-m6--\(hex)", "/annex/objects/SHA256E-s5-S2-C1--\(hex)",
    "/annex/objects/SHA256E-s--\(hex)", "/annex/objects/SHA256E-s5-\(hex)",
    "/annex/objects/sha256e-s5--\(hex)",
    "/annex/objects/SHA256E-s5--\(hex.dropLast())", "/annex/objects/SHA256E-s5--\(hex).\u{1}",
    "annex/objects/SHA256E-s5--\(hex)", "MD5E-s5--0123.png", "URL--http:", "A--b", "--", "-s5--x",
    "/annex/objects/SHA256E-s5--\(hex)." + String(repeating: "a", count: 1024),
  ]

  private func pointer(_ text: String) -> PointerText? { PointerText(contents: Array(text.utf8)) }

  private func size(_ text: PointerText?) throws -> Int64 {
    guard case .file(let digest, let size) = text else { return -1 }
    #expect(digest.hex == Self.hex)
    return size
  }

  @Test(arguments: pointers) func `pointers name a digest and a size`(text: String, expected: Int64) throws {
    #expect(try size(pointer(text)) == expected)
  }

  @Test(arguments: others) func `other texts are no pointers`(text: String) {
    #expect(pointer(text) == nil)
  }

  @Test(arguments: [
    "/annex/objects/MD5E-s5--d41d8cd98f00b204e9800998ecf8427e.png\n",
    "/annex/objects/WORM-s3-m1289672605--file",
    "/annex/objects/URL--http&c%%example.com%a", "/annex/objects/SHA512E-s4--00.b",
    "/annex/objects/SHA256E--\(hex).png", "/annex/objects/SHA3_256-s5--\(hex)",
  ]) func `other keys of git-annex are known for what they are`(text: String) {
    #expect(pointer(text) == .otherKey)
  }

  /// packtool reads every possible pointer of at most 1,024 bytes without a crash.
  @Test func `damaged pointers never trap`() {
    var seed: UInt64 = 7
    let samples = [Self.lfs, "/annex/objects/SHA256E-s31390--\(Self.hex).mp3\n"].map { Array($0.utf8) }
    for round in 0..<4000 {
      var bytes = samples[round % 2]
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let place = Int(seed >> 33) % bytes.count
      if round % 3 == 0 {
        bytes.removeSubrange(place...)
      } else {
        bytes[place] = UInt8(truncatingIfNeeded: seed >> 40)
      }
      if case .file(_, let size) = PointerText(contents: bytes) {
        #expect(size >= 0 && size <= AssetFile.largest)
      }
      _ = PointerText(linkTarget: bytes)
    }
  }

  @Test func `the last component of a link's target is a key`() throws {
    func target(_ text: String) -> PointerText? { PointerText(linkTarget: Array(text.utf8)) }
    let key = "SHA256E-s31390--\(Self.hex).mp3"
    #expect(try size(target("../../.git/annex/objects/Mq/f8/\(key)/\(key)")) == 31390)
    #expect(try size(target(key)) == 31390)
    #expect(target("../.git/annex/objects/a/b/MD5E-s3--00.png/MD5E-s3--00.png") == .otherKey)
    for other in ["", "/", "\(key)/", "\(key)/x", "a--b", "../MD5E-s3--00.png", "lost.png"] {
      #expect(target(other) == nil, "\(other)")
    }
  }
}
