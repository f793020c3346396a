import Model
import Testing

@testable import Serving

/// Tests the URLs of packs in Apple's property lists.
@Suite struct HostedURLTests {
  private func url(_ text: String) -> HostedURL { HostedURL(text: text) }

  @Test(
    arguments: [
      ("https://a/b/c%20d+e", "https://a/b/", "b/c d+e", "c d+e"), ("http://a/c", "http://a/", "c", "c"),
      ("/x/y", "/x/", nil, "y"), ("x", "", nil, nil), ("https://a", "https://", nil, "a"),
      ("https://a/%zz", "https://a/", nil, nil), ("https://a/b/", "https://a/b/", "b/", ""),
    ] as [(String, String, String?, String?)])
  func `parts`(text: String, prefix: String, path: String?, name: String?) {
    #expect(url(text).prefix == prefix && url(text).path?.text == path && url(text).name == name)
  }

  /// The identifier is made from the tags in the order of their bytes.
  ///
  /// In this order, a letter with a combining accent comes before the letters after it.
  @Test(arguments: [["A"], ["A", "B"], ["e\u{301}", "f"], ["a", "a b", "é"]])
  func `the name of a pack contains its tags`(tags: [String]) throws {
    let pack = PackIdentity(tags: tags, bundleIdentifier: "com.example")
    #expect(url("https://a/b/\(pack.name).assetpack").tags(ofPack: pack.identifier) == tags)
    let names = [tags.joined(separator: "+"), tags.reversed().joined(separator: "+")]
    let reversed = pack.name.replacing(names[0], with: names[1])
    #expect(url("https://a/b/\(reversed).assetpack").tags(ofPack: pack.identifier) == tags)
  }

  @Test func `other names contain no tags`() throws {
    let pack = PackIdentity(tags: ["A"], bundleIdentifier: "com.example")
    let other = PackIdentity(tags: ["B"], bundleIdentifier: "com.example")
    let digest = try #require(pack.name.split(separator: "-").last)
    for name in [
      "\(pack.name)", "\(pack.name).zip", "x\(pack.name).assetpack", "\(other.name).assetpack",
      "com.example.-\(digest).assetpack", "com.example-\(digest).assetpack",
      "com.example.B-\(digest).assetpack",
      "%zz.assetpack",
    ] {
      #expect(url("https://a/\(name)").tags(ofPack: pack.identifier) == [], "\(name)")
    }
    let whole = url("https://a/\(pack.name).assetpack")
    #expect(whole.tags(ofPack: pack.identifier) == ["A"])
    for identifier in ["", "com.example", other.identifier, "com.example.asset-pack-"] {
      #expect(whole.tags(ofPack: identifier) == [], "\(identifier)")
    }
  }
}
