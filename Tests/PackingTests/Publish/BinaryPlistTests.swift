@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Compares binary property lists with the bytes from another program that uses the same rules.
@Suite struct BinaryPlistTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    let bundleIdentifier: String
    let tags: [String]
    let priority: Double?
    let hex: String

    init(_ bundleIdentifier: String, _ tags: [String], _ priority: Double?, _ hex: String) {
      self.bundleIdentifier = bundleIdentifier
      self.tags = tags
      self.priority = priority
      self.hex = hex
    }

    var testDescription: String { tags.joined(separator: "+") }
  }

  /// The Info.plist files of packs, with their bytes.
  ///
  /// The lists contain names with and without non-ASCII characters, numbers after long counts, two-byte
  /// offsets, and tags that are equal to keys.
  static let packs = [
    Sample(
      "com.company.App", ["foo"], 1.0,
      """
      62706c6973743030d30102030405065f1012434642756e646c654964656e746966696572585072696f72697479545461
      67735f103b636f6d2e636f6d70616e792e4170702e61737365742d7061636b2d61636264313864623463633266383563
      65646566363534666363633461346438233ff0000000000000a10753666f6f080f242d3270797b000000000000010100
      000000000000080000000000000000000000000000007f
      """),
    Sample(
      "com.company.App", ["bar", "foo"], 0.5,
      """
      62706c6973743030d30102030405065f1012434642756e646c654964656e746966696572585072696f72697479545461
      67735f103b636f6d2e636f6d70616e792e4170702e61737365742d7061636b2d38383536333238623939656537383831
      65396266373230353239366530353664233fe0000000000000a207085362617253666f6f080f242d3270797c80000000
      0000000101000000000000000900000000000000000000000000000084
      """),
    Sample(
      "com.company.App", ["Level 1"], nil,
      """
      62706c6973743030d2010203045f1012434642756e646c654964656e74696669657254546167735f103b636f6d2e636f
      6d70616e792e4170702e61737365742d7061636b2d356166616631363739616430383837616465626164646234306530
      6264336637a105574c6576656c2031080d22276567000000000000010100000000000000060000000000000000000000
      000000006f
      """),
    Sample(
      "com.example.game", ["Ægir", "日本"], 0.95,
      """
      62706c6973743030d30102030405065f1012434642756e646c654964656e746966696572585072696f72697479545461
      67735f103c636f6d2e6578616d706c652e67616d652e61737365742d7061636b2d396239353836383939333565626362
      3466323861623762336331366438316231233fee666666666666a207086400c60067006900726265e5672c080f242d32
      717a7d86000000000000010100000000000000090000000000000000000000000000008b
      """),
    Sample(
      "com.example.game",
      [
        "T00", "T01", "T02", "T03", "T04", "T05", "T06", "T07", "T08", "T09", "T10", "T11", "T12", "T13",
        "T14", "T15",
      ], 0.05,
      """
      62706c6973743030d30102030405065f1012434642756e646c654964656e746966696572585072696f72697479545461
      67735f103c636f6d2e6578616d706c652e67616d652e61737365742d7061636b2d353462376539656239666562303266
      3738363835383737306533613633356431233fa999999999999aaf10100708090a0b0c0d0e0f10111213141516535430
      305354303153543032535430335354303453543035535430365354303753543038535430395354313053543131535431
      32535431335354313453543135080f242d32717a8d9195999da1a5a9adb1b5b9bdc1c5c9000000000000010100000000
      00000017000000000000000000000000000000cd
      """),
    Sample(
      "com.example.game", ["Priority", "Tags"], 0.9500000000000001,
      """
      62706c6973743030d30102030405065f1012434642756e646c654964656e746966696572585072696f72697479545461
      67735f103c636f6d2e6578616d706c652e67616d652e61737365742d7061636b2d386438383761623466326161646664
      6165616366323730396437653566343364233fee666666666667a20203080f242d32717a000000000000010100000000
      000000070000000000000000000000000000007d
      """),
    Sample(
      "x", ["A tag of more than fifteen letters"], nil,
      """
      62706c6973743030d2010203045f1012434642756e646c654964656e74696669657254546167735f102d782e61737365
      742d7061636b2d3837313463663432346637343465643232306463656238636133663263346133a1055f102241207461
      67206f66206d6f7265207468616e206669667465656e206c657474657273080d22275759000000000000010100000000
      000000060000000000000000000000000000007e
      """),
  ]

  private func pack(_ sample: Sample) -> AssetPack {
    AssetPack(
      tags: sample.tags, identity: PackIdentity(tags: sample.tags, bundleIdentifier: sample.bundleIdentifier),
      delivery: .onDemand, priority: sample.priority, files: [], size: 0)
  }

  @Test(arguments: packs) func `a pack's Info.plist is Xcode's`(sample: Sample) {
    #expect(hex(pack(sample).info) == joinedHex(sample.hex))
  }

  @Test(.enabled(if: isInstalled("plutil")), arguments: packs)
  func `plutil takes an Info.plist`(sample: Sample) throws {
    let folder = try TemporaryFolder()
    try folder.write("Info.plist", Data(pack(sample).info.array()))
    let lint = try run("plutil", ["-lint", folder.path("Info.plist")])
    #expect(lint.status == 0, "\(lint.output)\(lint.errors)")
  }

  @Test func `a manifest has true, false, numbers of every length, and keys for each pack`() {
    let identity = { (tag: String) in
      PackIdentity(tags: [tag], bundleIdentifier: "com.company.App").identifier
    }
    let hash = "2001-09-09T01:46:40.000Z"
    let prefix = PackLocation.prefix("https://example.com/p?n=")
    let name = PackIdentity(tags: ["bar"], bundleIdentifier: "com.company.App").name + ".assetpack"
    let packs: [DownloadedPack] = [
      .init(identifier: identity("foo"), url: "x", contentHash: hash, size: 70_000, priority: 1),
      .init(
        identifier: identity("bar"), url: prefix.url(ofPackFolder: name, parentPath: []), contentHash: hash,
        size: 3,
        priority: nil),
    ]
    #expect(
      hex(DownloadedPack.manifest(of: packs, asWrittenBy: .build))
        == joinedHex(
          """
          62706c6973743030d10102597265736f7572636573a20312d50405060708090a0b0c115355524c5962756e646c654b65
          795c697353747265616d61626c655f10127072696d617279436f6e74656e74486173685f1010756e636f6d7072657373
          656453697a655f105668747470733a2f2f6578616d706c652e636f6d2f703f6e3d636f6d2e636f6d70616e792e417070
          2e6261722d33376235316431393461373531336534356235366636353234663264353166322e61737365747061636b5f
          103b636f6d2e636f6d70616e792e4170702e61737365742d7061636b2d33376235316431393461373531336534356235
          3666363532346632643531663209d20d0e0f1054686173685873747261746567795f1018323030312d30392d30395430
          313a34363a34302e3030305a576d6f6474696d651003d60405131415161718191a1b1c5f1010646f776e6c6f61645072
          696f726974795c697353747265616d61626c655f10127072696d617279436f6e74656e74486173685f1010756e636f6d
          7072657373656453697a6551785f103b636f6d2e636f6d70616e792e4170702e61737365742d7061636b2d6163626431
          386462346363326638356365646566363534666363633461346438233ff000000000000008d20d0e0f10120001117000
          08000b00150018002300270031003e0053006600bf00fd00fe010301080111012c013401360143015601630178018b01
          8d01cb01d401d501da0000000000000201000000000000001d000000000000000000000000000001df
          """))
  }

  /// The expected bytes were made by a program that reproduces all published manifests of exports.
  @Test func `a manifest for a web server is that of an export`() {
    let hash = "2001-09-09T01:46:40.000Z"
    let name = PackIdentity(tags: ["bar"], bundleIdentifier: "com.company.App").name + ".assetpack"
    let prefix = PackLocation.prefix("https://example.com/p?n=")
    let identity = { (tag: String) in
      PackIdentity(tags: [tag], bundleIdentifier: "com.company.App").identifier
    }
    let packs: [DownloadedPack] = [
      .init(identifier: identity("foo"), url: "x", contentHash: hash, size: 70_000, priority: 1),
      .init(
        identifier: identity("bar"), url: prefix.url(ofPackFolder: name, parentPath: []), contentHash: hash,
        size: 3,
        priority: nil),
    ]
    #expect(
      hex(DownloadedPack.manifest(of: packs, asWrittenBy: .export))
        == joinedHex(
          """
          62706c6973743030d10102597265736f7572636573a20312d50405060708090a0b10115355524c5f1010756e636f6d70
          72657373656453697a655f10127072696d617279436f6e74656e74486173685962756e646c654b65795c697353747265
          616d61626c655f105668747470733a2f2f6578616d706c652e636f6d2f703f6e3d636f6d2e636f6d70616e792e417070
          2e6261722d33376235316431393461373531336534356235366636353234663264353166322e61737365747061636b10
          03d20c0d0e0f54686173685873747261746567795f1018323030312d30392d30395430313a34363a34302e3030305a57
          6d6f6474696d655f103b636f6d2e636f6d70616e792e4170702e61737365742d7061636b2d3337623531643139346137
          3531336534356235366636353234663264353166321001d60413140715161718191a1b1c5f1010756e636f6d70726573
          73656453697a655f10127072696d617279436f6e74656e74486173685c697353747265616d61626c655f1010646f776e
          6c6f61645072696f7269747951781200011170d20c0d0e0f5f103b636f6d2e636f6d70616e792e4170702e6173736574
          2d7061636b2d61636264313864623463633266383563656465663635346663636334613464381000233ff00000000000
          000008000b0015001800230027003a004f0059006600bf00c100c600cb00d400ef00f70135013701440157016c017901
          8c018e0193019801d601d80000000000000201000000000000001d000000000000000000000000000001e1
          """))
  }

  @Test(arguments: [
    ("strategy", true), ("bundleKey", true), ("hash", true), ("URL", true), ("resources", true),
    ("isStreamable", false), ("NSAssetPacks", false), ("é", false), ("quietQQ", true), ("quietQQQ", false),
    ("elation", true), ("elationelat", true), ("elationelati", false), ("elationQ", false),
  ])
  func `short texts are one object in all dictionaries`(key: String, isShared: Bool) {
    let item = PlistItem.array([.dictionary([key: .real(1)]), .dictionary([key: .real(2)])])
    let count = BinaryPlist.bytes(of: item).array().dropLast(16).suffix(8).last
    #expect(count == (isShared ? 6 : 7))
  }

  @Test func `values become the key that came before them`() throws {
    let later = PlistItem.dictionary(["a long key of mine": .array([.string("another long key")])])
    let item = PlistItem.array([.dictionary(["another long key": .bool(true)]), later, later])
    let bytes = BinaryPlist.bytes(of: item).array()
    #expect(bytes.dropLast(16).suffix(8).last == 10)
    #expect(try BinaryPlistReader.read(bytes) == item)
  }

  @Test func `256 objects take references of two bytes`() throws {
    let item = PlistItem.array((0..<255).map { .integer(Int64($0)) })
    let bytes = BinaryPlist.bytes(of: item).array()
    #expect(Array(bytes[8..<15]) == [0xaf, 0x10, 0xff, 0, 1, 0, 2])
    let smaller = BinaryPlist.bytes(of: .array((0..<254).map { .integer(Int64($0)) })).array()
    #expect(Array(smaller[8..<13]) == [0xaf, 0x10, 0xfe, 1, 2])
  }

  @Test(arguments: [
    (Int64(0), "1000"), (255, "10ff"), (256, "110100"), (65_536, "1200010000"),
    (1 << 32, "130000000100000000"),
    (-1, "13ffffffffffffffff"), (-32348, "13ffffffffffff81a4"), (.max, "137fffffffffffffff"),
  ])
  func `numbers take the fewest bytes`(value: Int64, bytes: String) {
    #expect(hex(BinaryPlist.bytes(of: .integer(value))).hasPrefix("62706c6973743030\(bytes)08"))
  }

  @Test func `the metadata of a hosted pack is a property list`() {
    #expect(
      hex(StreamedZipExtras.metadata(recordCount: 4, size: 300))
        == "62706c6973743030d50102030405060708090a5b5265636f7264436f756e745f10165374616e646172644469726563746f727950"
        + "65726d735f10115374616e6461726446696c655065726d735f1016546f74616c556e636f6d7072657373656442797465735756657273"
        + "696f6e10041141ed13ffffffffffff81a411012c100208131f384c656d6f727b7e0000000000000101000000000000000b0000000000"
        + "0000000000000000000080")
  }
}

/// Returns the bytes in hexadecimal.
func hex(_ buffer: ByteBuffer) -> String {
  buffer.array().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
