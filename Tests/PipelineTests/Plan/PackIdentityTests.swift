@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests that the identifiers and names of packs are exactly those of Xcode.
@Suite struct PackIdentityTests {
  /// The MD5 values are from `md5sum`, for the sorted tags with colons between them.
  @Test(arguments: [
    (["foo"], "foo", "acbd18db4cc2f85cedef654fccc4a4d8"),
    (["bar", "foo"], "bar+foo", "8856328b99ee7881e9bf7205296e056d"),
    (["foo", "bar"], "bar+foo", "8856328b99ee7881e9bf7205296e056d"),
    (["Level 1"], "Level 1", "5afaf1679ad0887adebaddb40e0bd3f7"),
    (["Level 2", "Level 1"], "Level 1+Level 2", "78de188e716813120baff0ac7d1ca923"),
    (["日本語"], "日本語", "00110af8b4393ef3f72c50be5b332bec"),
    (["a:b"], "a:b", "d8160c9b3dc20d4e931aeb4f45262155"),
    (["b", "a"], "a+b", "d8160c9b3dc20d4e931aeb4f45262155"),
  ])
  func `identifier and name come from the sorted tags`(_ tags: [String], _ joined: String, _ md5: String)
    throws
  {
    let pack = try #require(try makePlan(of: [tags]).packs.first)
    #expect(pack.identity.identifier == "com.example.game.asset-pack-\(md5)")
    #expect(pack.identity.name == "com.example.game.\(joined)-\(md5)")
  }

  @Test func `the contract's examples in full`() throws {
    let packs = try makePlan(of: [["foo"], ["foo", "bar"]]).packs
    #expect(
      packs.map(\.identity.identifier) == [
        "com.example.game.asset-pack-8856328b99ee7881e9bf7205296e056d",
        "com.example.game.asset-pack-acbd18db4cc2f85cedef654fccc4a4d8",
      ])
    #expect(
      packs.map(\.identity.name) == [
        "com.example.game.bar+foo-8856328b99ee7881e9bf7205296e056d",
        "com.example.game.foo-acbd18db4cc2f85cedef654fccc4a4d8",
      ])
  }

  @Test(arguments: [
    // Capital letters come first, and digits are compared as characters.
    (["a", "B"], ["B", "a"], "bafef6042849ef5aaf14e0a0715a1589"),
    (["Level 2", "Level 10"], ["Level 10", "Level 2"], "a8404b3f4cf98dd2265fd966f30b4385"),
    // Swift sorts "e" with a combining accent like "é", that is, after "z". In byte order, it comes before
    // "z".
    (["e\u{301}", "z"], ["z", "e\u{301}"], "c604190b39f26b95aa4cd269ecc2825b"),
    // In the order of UTF-16, the emoji would be first.
    (["😀", "ａ"], ["ａ", "😀"], "a25152000f7ce2e877ef266600414198"),
  ])
  func `tags sort as Swift strings`(_ tags: [String], _ sorted: [String], _ md5: String) throws {
    let pack = try #require(try makePlan(of: [tags]).packs.first)
    #expect(pack.tags == sorted)
    #expect(pack.identity.identifier == "com.example.game.asset-pack-\(md5)")
  }

  @Test func `a tag's bytes are kept, whatever their Unicode form`() {
    let composed = PackIdentity(tags: ["\u{e9}"], bundleIdentifier: "a").identifier
    let decomposed = PackIdentity(tags: ["e\u{301}"], bundleIdentifier: "a").identifier
    #expect(composed == "a.asset-pack-66ddcd97cfdeabb2f6fb8a999b4bc76f")
    #expect(decomposed == "a.asset-pack-5526861fbb1e71a1bda6ac364310a807")
  }
}

/// Tests where a long name is cut.
///
/// With ".assetpack", a name has at most 240 bytes.
@Suite struct PackNameLengthTests {
  /// The number of bytes for a tag.
  ///
  /// The tag is between "com.example.game." and the end of the name: "-", 32 digits and ".assetpack".
  private static let room = 180

  @Test func `the longest name that fits is whole, a letter more is cut`() {
    let whole = PackIdentity(tags: [letters(180)], bundleIdentifier: "com.example.game").name
    #expect(whole == "com.example.game.\(letters(180))-d02fc763d51613066561b266735be92f")
    #expect("\(whole).assetpack".utf8.count == 240)
    let cut = PackIdentity(tags: [letters(181)], bundleIdentifier: "com.example.game").name
    #expect(cut == "com.example.game.\(letters(180))-d5d8d839fa546b88e940367559eee7c3")
  }

  @Test(arguments: [
    "é", "e\u{301}", "日", "😀", "👍🏽", "🇩🇪", "👩‍🚀", "🏴‍☠️", "👨‍👩‍👧‍👦", "o\u{308}\u{304}\u{331}", "각",
  ])
  func `whole characters are cut`(_ character: String) {
    let length = character.utf8.count
    for fitting in 0...length {
      let front = letters(Self.room - fitting)
      let name = PackIdentity(tags: [front + character + "z"], bundleIdentifier: "com.example.game").name
      let kept = fitting == length ? front + character : front
      #expect(name.utf8.count == 17 + kept.utf8.count + 33)
      #expect(name.utf8.starts(with: "com.example.game.\(kept)-".utf8), "\(fitting) of \(length) bytes fit")
    }
  }

  @Test func `many tags are cut behind the sign between them or within one`() {
    let tags = (0..<50).map { "tag\($0 + 10)" }
    let name = PackIdentity(tags: tags, bundleIdentifier: "com.example.game").name
    let front = "com.example.game." + tags.prefix(30).joined(separator: "+") + "+"
    #expect(front.utf8.count == 197)
    #expect(name == front + "-" + name.suffix(32))
  }

  @Test func `a long bundle identifier is cut too`() {
    let identity = PackIdentity(tags: ["foo"], bundleIdentifier: "com." + letters(300))
    #expect(identity.name == "com.\(letters(193))-acbd18db4cc2f85cedef654fccc4a4d8")
    #expect(identity.identifier == "com.\(letters(300)).asset-pack-acbd18db4cc2f85cedef654fccc4a4d8")
  }

  @Test func `a character larger than the room is cut whole`() {
    let name = PackIdentity(
      tags: ["e" + String(repeating: "\u{301}", count: 200)], bundleIdentifier: "com.example.game"
    ).name
    #expect(name.hasPrefix("com.example.game.-"))
    #expect(name.utf8.count == 17 + 33)
  }

  private func letters(_ count: Int) -> String { String(repeating: "x", count: count) }
}
