import Formats
@testable import Model
import Support
import Testing

/// Tests traits of variants, and the properties of layouts and limits.
@Suite struct TraitsTests {
  private static let whole = Traits(idiom: .pad, scale: 2, memory: 4, graphics: .apple3, gamut: .p3)

  /// A value and another value of each trait.
  private static let single: [(one: Traits, other: Traits)] = [
    (Traits(idiom: .pad), Traits(idiom: .tv)), (Traits(scale: 2), Traits(scale: 3)),
    (Traits(memory: 4), Traits(memory: 8)), (Traits(graphics: .apple3), Traits(graphics: .apple4)),
    (Traits(gamut: .p3), Traits(gamut: .sRGB)),
  ]

  @Test(arguments: single.indices) func `traits are added one by one`(index: Int) {
    let (one, other) = Self.single[index]
    #expect(Traits.none.adding(one).traits == one && !Traits.none.adding(one).differs)
    #expect(one.adding(.none).traits == one && !one.adding(.none).differs)
    #expect(one.adding(other).traits == other && one.adding(other).differs)
    #expect(!Self.whole.adding(one).differs && Self.whole.adding(one).traits == Self.whole)
    #expect(Self.whole.adding(other).differs && Self.whole.adding(other).traits != Self.whole)
    let sum = Self.single.reduce(Traits.none) { $0.adding($1.one).traits }
    #expect(sum == Self.whole)
  }

  @Test func `traits are listed in order`() {
    #expect(Self.whole.words == "pad, 2x, 4 GB, APPLE3, P3")
    #expect(Traits(memory: 4).words == "4 GB" && Traits.none.words == "")
  }

  @Test(arguments: [
    ("iPhne17,1", #""iPhne17,1" "iPhone17,1""#),
    ("phone 3x P3 8 GB APLE9", #""phone 3x P3 8 GB APLE9" "phone 3x P3 8 GB APPLE9""#),
    ("PHONE 3X P3 8 GB APPLE9", #""PHONE 3X P3 8 GB APPLE9" "phone 3x P3 8 GB APPLE9""#),
  ]) func `a similar device class is suggested`(word: String, facts: String) {
    #expect(values(in: DeviceClass.mistake(in: word)) == facts)
  }

  @Test func `a class has its own graphics first`() throws {
    let device = try #require(DeviceClass.named("iPhone7,1"))
    #expect(device.graphicsName == "MTL2,2" && device.fallbackNames == ["MTL1,2", "GLES2,0"])
    #expect(device.graphics == [.apple2, .apple1, .gles2] && device.graphicsClass == .apple2)
    #expect(device.name == "phone 3x sRGB 1 GB MTL2,2" && device.products == ["iPhone7,1"])
  }

  @Test(
    arguments: [
      ("iOS", nil), ("ios", #""iOS""#), ("iPadOS", #""iOS""#), ("IPAD", #""iOS""#), ("macOs", #""macOS""#),
      ("tvOSS", #""tvOS""#), ("toaster", ""),
    ] as [(String, String?)]) func `a platform is suggested`(name: String, facts: String?)
  {
    #expect(AssetPlatform.mistake(in: name).map { values(in: $0) } == facts)
  }

  @Test func `a layout decides before the profile`() {
    var rules = LayoutCapabilities()
    rules.add(.appStore)
    #expect(!rules.sharesPaths && rules.code == nil)
    rules.add(.backgroundAssets)
    #expect(rules.sharesPaths && rules.code == .doubtfulForMacOS && !rules.writesLanguages)
    var own = LayoutCapabilities()
    own.code = .refused
    own.add(.backgroundAssets)
    #expect(own.code == .refused)
  }

  /// The severity of each combination; `error` stands for that of the check.
  @Test func `code is judged by store and system`() {
    let platforms: [CodePlatform] = [.macOS, .otherApple, .unknownApple, .nonApple]
    let verdicts = [CodeRule.refused, .refusedForMacOS, .doubtfulForMacOS, .accepted].map { rule in
      platforms.map { platform in
        rule.verdict(onCodeFor: platform, describedAs: "code").map { verdict in
          #expect(verdict.statement.hasPrefix("is code"))
          return verdict.severity.map { "\($0)" } ?? "error"
        }
      }
    }
    #expect(
      verdicts == [
        ["error", "error", "error", "error"], ["error", nil, "warning", "note"],
        ["warning", nil, "warning", "note"], ["note", nil, nil, "note"],
      ])
  }

  @Test func `limits are raised above the higher number`() {
    let raised = { (limit: Limit?) in
      LimitSettings(overrides: [.packSize: .init(limit)]).raisedKinds == [.packSize]
    }
    #expect(!raised(.exactly(512_000_000)) && !raised(.exactly(512 << 20)) && !raised(.megabytes(512)))
    #expect(raised(.exactly(512_000_001)) && raised(.exactly((512 << 20) + 1)) && raised(nil))
    let unlimited = LimitSettings(
      profile: .backgroundAssets, overrides: [.packSize: .init(.exactly(1 << 50))])
    #expect(unlimited.raisedKinds == [])
    #expect(Limit.gigabytes(3) == Limit(doubtful: 3_000_000_000, certain: 3_221_225_472))
    #expect(Limit.megabytes(3) == Limit(doubtful: 3_000_000, certain: 3_145_728))
  }

  @Test func `a limit's date is told unless the manifest sets the limit`() {
    let own = LimitSettings(profile: .backgroundAssets, overrides: [.packCount: .init(.exactly(1))])
    #expect(own.readOn(.packCount) == "" && own.readOn(.totalSize) == own.readOn && !own.readOn.isEmpty)
    #expect(own.limit(.packCount) == .exactly(1) && own.limit(.totalSize) == .gigabytes(200))
    #expect(LimitSettings().readOn == "")
  }
}
