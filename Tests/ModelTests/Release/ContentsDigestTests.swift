@testable import Formats
@testable import Model
@testable import System
import Support
import Testing

/// Tests the digest of a pack's contents, and the texts of patches.
@Suite struct ContentsDigestTests {
  private static let digest = SHA256.digest(of: Array("a".utf8))

  /// Many files have more lines than are kept before they are hashed.
  @Test(arguments: [0, 1, 2, 900, 3_000]) func `the digest is that of all lines`(count: Int) {
    let lines = (0..<count).map { "\(Self.digest.hex) \($0) f/\($0)\n" }.joined()
    let expected = SHA256.digest(of: Array(lines.utf8))
    var texts = ContentsDigest()
    var bytes = ContentsDigest()
    for number in 0..<count {
      texts.add(path: "f/\(number)", size: Int64(number), fileDigest: Self.digest)
      bytes.add(path: Array("f/\(number)".utf8)[...], size: Int64(number), fileDigest: Self.digest)
    }
    let (digestOfTexts, digestOfBytes) = (texts.finish(), bytes.finish())
    #expect(digestOfTexts == expected)
    #expect(digestOfBytes == expected)
  }

  @Test func `a recipe has one line and names the contents that it needs`() throws {
    let (old, new) = (SHA256.digest(of: Array("old".utf8)), SHA256.digest(of: Array("new".utf8)))
    let file = { (path: String, digest: Digest, method: PatchRecipe.Method) in
      PatchRecipe.File(path: Array(path.utf8), size: 3, digest: digest, method: method)
    }
    let files = [
      file("a", old, .same), file("b", new, .patch(from: old)), file("c", Self.digest, .whole),
      file("d", new, .patch(from: old)),
    ]
    let recipe = PatchRecipe(pack: "p", digest: Self.digest, files: files)
    #expect(recipe.entries == [new, Self.digest].sorted { $0.hex < $1.hex })
    #expect(files.map(\.source) == [old, old, nil, old])
    var contents = ContentsDigest()
    for file in files { contents.add(path: file.path[...], size: 3, fileDigest: file.digest) }
    let expected = contents.finish()
    #expect(recipe.contentsDigest == expected)
    let line = recipe.bytes().array()
    #expect(line.dropLast().count { $0 == UInt8(ascii: "\n") } == 0)
    let value = try #require(JSONReader.read(SourceText(path: "", bytes: line)).value)
    let members = value.member("files")?.elements?.map { file in
      ["as", "from", "path"].map { file.member($0)?.string }
    }
    #expect(
      members == [
        ["same", old.prefixed, "a"], ["patch", old.prefixed, "b"], ["whole", nil, "c"],
        ["patch", old.prefixed, "d"],
      ])
  }

  @Test func `a signature's comment states the index`() {
    let comment = PublishedNames.signatureComment(releaseNumber: 42, indexDigest: Self.digest)
    let parts = PublishedNames.parts(ofSignatureComment: comment)
    #expect(parts?.number == 42 && parts?.index == Self.digest)
    for other in [
      "F" + comment.dropFirst(), comment + "\t1", comment.replacing("42", with: "x"),
      comment.replacing("sha256:", with: "sha257:"), "",
    ] {
      #expect(PublishedNames.parts(ofSignatureComment: other) == nil, "\(other)")
    }
  }

  @Test func `own limits are read as they are written`() throws {
    let read = { (text: String) in
      JSONReader.read(SourceText(path: "", bytes: Array(text.utf8))).value.flatMap {
        IndexFormat.ownLimits(of: $0)
      }
    }
    let found = try #require(read(#"{"packSize": 5, "packCount": null, "future": [], "tagSize": 0}"#))
    #expect(found.mapValues { $0.limit } == [.packSize: .exactly(5), .packCount: nil, .tagSize: .exactly(0)])
    #expect(found.mapValues(\.offset) == [.packSize: 13, .packCount: 29, .tagSize: 60])
    let written = try #require(IndexFormat.ownLimits(found))
    #expect(
      String(decoding: written.line.array(), as: UTF8.self)
        == #"{"packCount": null, "packSize": 5, "tagSize": 0}"#)
    #expect(read("{}")?.isEmpty == true && IndexFormat.ownLimits([:]) == nil)
    for wrong in [#"{"packSize": "5"}"#, #"{"packSize": -1}"#, #"{"packSize": []}"#, "[]", "1", "null"] {
      #expect(read(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `a shard is a folder with its file and no index`() throws {
    let folder = try TemporaryFolder()
    try folder.write("out/x", "")
    #expect(try PublishedNames.hint(onShard: folder.path("out")) == nil)
    try folder.write("out/\(PublishedNames.shardFile)", "{}")
    let hint = try #require(try PublishedNames.hint(onShard: folder.path("out")))
    #expect(hint.names(folder.path("out"), "packtool merge"))
    #expect(try PublishedNames.hint(onBuild: folder.path("out")) == hint)
    try folder.write("out/\(PublishedNames.index)", "{}")
    #expect(try PublishedNames.hint(onShard: folder.path("out")) == nil)
    #expect(try PublishedNames.hint(onBuild: folder.path("out")) == nil)
  }

  @Test func `layouts are known by the folders of their packs`() {
    #expect(Layout(indexingPacksIn: "packs") == .packtool)
    #expect(Layout(indexingPacksIn: "other") == .packtool)
    #expect(Layout.allCases.map(\.hasIndex) == [true, false, false, false])
    #expect(Layout.allCases.map(\.hasAppleLists) == [false, true, true, false])
    #expect(
      Layout.allCases.map(\.packsFolder) == ["packs", "OnDemandResources", ".", "packs"])
  }

  @Test(arguments: [
    ("com.example.asset-pack-0a1b", "0a1b"), ("a-b-", ""), ("plain", "plain"),
  ]) func `a patch is named by the end of its pack's id`(id: String, mark: String) {
    let (old, patch) = (SHA256.digest(of: [1]), SHA256.digest(of: [2]))
    #expect(
      PublishedNames.patchPath(ofPack: id, fromIndex: old, patchDigest: patch)
        == "patches/\(mark).\(old.short).\(patch.short).zip")
    #expect(
      PublishedNames.patchListPath(fromIndex: old, listDigest: patch)
        == "patches/\(old.short).\(patch.short).json")
  }
}
