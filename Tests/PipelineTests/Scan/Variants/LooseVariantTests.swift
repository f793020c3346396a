@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests variants for which a rule states the traits, and variants with suffixes in their file names.
@Suite struct LooseVariantTests {
  private static let rules =
    #"{"path": "hd", "tags": ["T"], "destination": "tex", "traits": {"memory": 4, "scale": 3}},"#
    + #"{"path": "sd", "tags": ["T"], "destination": "tex", "traits": {"scale": 2}},"#
    + #"{"path": "ld", "tags": ["T"], "destination": "tex"}"#

  @Test func `rules give traits`() throws {
    let site = try VariantSite("hd/a.ktx", "sd/a.ktx", "ld/a.ktx", "ld/b.ktx", "hd/c.ktx")
    let (plan, findings) = try site.plan(Self.rules)
    #expect(site.lines(findings.filter { $0.check == .pathClash }) == [])
    #expect(try plan.files(for: newPhone) == ["hd/a.ktx", "hd/c.ktx", "ld/b.ktx"])
    #expect(try plan.files(for: oldPhone) == ["ld/b.ktx", "sd/a.ktx"])
    #expect(plan.tree.variants.alternatives.count == 3)
    #expect(plan.packs.map(\.files.count) == [5])
    #expect(
      site.lines(findings).contains {
        $0.hasPrefix("Assets/hd/c.ktx: warning [no-variant] \"tex/c.ktx\"")
      })
  }

  /// Two files with the same path clash if they have the same traits or no traits, or if there is a slice
  /// that contains both.
  @Test(arguments: [
    (#"{"scale": 2}"#, #"{"scale": 2}"#, 1), (#"{"scale": 2}"#, #"{"scale": 3}"#, 0), ("{}", "{}", 1),
    ("{}", #"{"gamut": "P3"}"#, 0), (#"{"idiom": "car"}"#, #"{"idiom": "phone"}"#, 1),
  ]) func `only other traits share a place`(first: String, second: String, clashes: Int) throws {
    let site = try VariantSite("1/a", "2/a")
    let (_, findings) = try site.plan(
      #"{"path": "1", "tags": ["T"], "destination": "x", "traits": \#(first)},"#
        + #"{"path": "2", "tags": ["T"], "destination": "x", "traits": \#(second)}"#)
    #expect(findings.filter { $0.check == .pathClash }.count == clashes)
  }

  /// If several variants match a device equally well, the variant of the first rule is picked, regardless of
  /// the names.
  @Test(arguments: ["12", "21"]) func `rules are in order`(order: String) throws {
    let site = try VariantSite("1/a", "2/a")
    let rules = order.map {
      #"{"path": "\#($0)", "tags": ["T"], "destination": "x", "traits": {"gamut": "\#($0 == "1" ? "sRGB" : "P3")"}}"#
    }
    let plan = try site.plan(rules.joined(separator: ",")).plan
    #expect(try plan.files(for: oldPhone) == ["1/a"])
    #expect(try plan.files(for: newPhone) == ["2/a"])
    let same = order.map {
      #"{"path": "\#($0)", "tags": ["T"], "destination": "x"\#($0 == "1" ? #", "traits": {"gamut": "sRGB"}"# : "")}"#
    }
    #expect(try site.plan(same.joined(separator: ",")).plan.files(for: oldPhone) == ["\(order.prefix(1))/a"])
  }

  @Test func `traits of several rules add up`() throws {
    let site = try VariantSite("a/x", "b/x")
    let plan = try site.plan(
      #"{"path": "a", "tags": ["T"], "destination": "x", "traits": {"idiom": "phone"}},"#
        + #"{"glob": "a/*", "tags": ["T"], "destination": "x", "traits": {"memory": 4}},"#
        + #"{"path": "b", "tags": ["T"], "destination": "x"}"#
    ).plan
    #expect(try plan.files(for: newPhone) == ["a/x"])
    #expect(try plan.files(for: newPad) == ["b/x"])
    #expect(try plan.files(for: oldPhone) == ["b/x"])
  }

  @Test func `rules that disagree are an error`() throws {
    let site = try VariantSite("a/x")
    let (_, findings) = try site.plan(
      #"{"path": "a", "tags": ["T"], "traits": {"scale": 2}}, {"glob": "**", "tags": ["T"], "traits": {"scale": 3}}"#
    )
    let found = findings.filter { $0.check == .conflictingTraits }
    #expect(found.map(\.namedValues) == ["\"a/x\" 3 2"])
    #expect(found.first?.severity == .error)
  }

  @Test func `suffixes of names count if the manifest says so`() throws {
    let site = try VariantSite(
      "a.png", "a@2x.png", "a@3x.png", "a@2x~ipad.png", "a~ipad.png", "b/a@2x.png", "@2x.png", "c@2x",
      "d.x@3x.e",
      "d.x.e")
    #expect(try site.plan().plan.tree.variants.isEmpty)
    let plan = try site.plan(#"{"glob": "**", "tags": ["A"]}"#, #", "variantSuffixes": true"#).plan
    let others = ["@2x.png", "b/a@2x.png", "c@2x"]
    func files(_ device: String) throws -> [String] {
      try plan.files(for: device).filter { !others.contains($0) }
    }
    #expect(try files(newPhone) == ["a@3x.png", "d.x@3x.e"])
    #expect(try files(oldPhone) == ["a@2x.png", "d.x@3x.e"])
    #expect(try files(newPad) == ["a@2x~ipad.png", "d.x@3x.e"])
    #expect(try plan.files(for: newPhone).filter(others.contains) == others)
  }

  /// Names and rules are combined: each device gets one file for each name.
  @Test func `names and rules together`() throws {
    let site = try VariantSite("hd/a@2x.png", "hd/a@3x.png", "sd/a@2x.png", "sd/a@3x.png")
    let plan = try site.plan(
      #"{"path": "hd", "tags": ["A"], "destination": "t", "traits": {"memory": 4}}, {"path": "sd", "tags": ["A"], "destination": "t"}"#,
      #", "variantSuffixes": true"#
    ).plan
    #expect(try plan.files(for: newPhone) == ["hd/a@3x.png"])
    #expect(try plan.files(for: oldPhone) == ["sd/a@2x.png"])
  }

  @Test func `catalogs are not read by names`() throws {
    let site = try VariantSite("C.xcassets/A.imageset/a@2x.png", "C.xcassets/A.imageset/a@3x.png")
    let plan = try site.plan(#"{"glob": "**", "tags": ["A"]}"#, #", "variantSuffixes": true"#).plan
    #expect(plan.tree.variants.isEmpty)
  }

  @Test func `two files with the same traits clash in any order of the rules`() throws {
    let site = try VariantSite("1/a", "2/a")
    for order in ["12", "21"] {
      let rules = order.map {
        #"{"path": "\#($0)", "tags": ["T"], "destination": "x", "traits": {"scale": 2}}"#
      }
      let (plan, findings) = try site.plan(rules.joined(separator: ","))
      #expect(findings.filter { $0.check == .pathClash }.count == 1, "\(order)")
      #expect(plan.tree.variants.alternatives.isEmpty)
    }
  }

  /// The first rule with traits decides, or the first rule if no rule has traits.
  @Test func `among equal variants the first rule decides`() throws {
    let site = try VariantSite("x/a", "y/a", "z/a")
    func rule(_ text: String, _ traits: String) -> String {
      "{\(text), \"tags\": [\"T\"], \"destination\": \"d\"\(traits)}"
    }
    let (scale, none) = (#", "traits": {"scale": 3}"#, "")
    let given = try site.plan(
      [
        rule(#""path": "x""#, scale), rule(#""path": "y""#, scale), rule(#""glob": "x/*""#, scale),
        rule(#""path": "z""#, none),
      ].joined(separator: ",")
    ).plan
    #expect(try given.files(for: newPhone) == ["x/a"])
    let plain = try site.plan(
      [
        rule(#""path": "y""#, none), rule(#""path": "x""#, none), rule(#""glob": "y/*""#, none),
        rule(#""path": "z""#, #", "traits": {"memory": 64}"#),
      ].joined(separator: ",")
    ).plan
    #expect(try plain.files(for: newPhone) == ["y/a"])
  }

  @Test func `assets are in the order of their first files`() throws {
    let names = ["m", "b", "y", "a", "x", "c", "z", "k"]
    let site = try VariantSite("plain.png")
    for name in names { for suffix in ["", "@2x", "~ipad"] { try site.site.write("\(name)\(suffix).png") } }
    let plan = try site.plan(#"{"glob": "**", "tags": ["A"]}"#, #", "variantSuffixes": true"#).plan
    #expect(plan.tree.variants.owners.map(\.name) == names.sorted().map { "\($0).png" })
    #expect(
      plan.tree.variants.owners.map(\.place.path)
        == names.sorted().map { site.site.folder.path("Assets/\($0).png") })
    #expect(plan.tree.variants.kinds.count == 1 && plan.tree.variants.kinds[0].count == 3)
  }

  @Test func `a name without an extension has no suffix`() throws {
    let site = try VariantSite("x.", "x@2x.", "y", "y@2x", "@3x.png", "~ipad.png", "@2x~ipad.png", "dir@2x/z")
    let plan = try site.plan(#"{"glob": "**", "tags": ["A"]}"#, #", "variantSuffixes": true"#).plan
    #expect(plan.tree.variants.isEmpty)
    #expect(try plan.files(for: newPhone).count == 8)
  }

  @Test func `a name that contradicts its rules is a warning`() throws {
    let site = try VariantSite("a@2x.png", "b@2x.png", "c.png")
    let (plan, findings) = try site.plan(
      #"{"path": "a@2x.png", "tags": ["A"], "traits": {"scale": 3}}, {"glob": "[bc]*", "tags": ["A"], "traits": {"scale": 2}}"#,
      #", "variantSuffixes": true"#)
    let found = findings.filter { $0.check == .conflictingTraits }
    #expect(found.map(\.facts) == [#"warning [conflicting-traits] "a@2x.png""#])
    #expect(found.map(\.place.path) == [site.site.folder.path("Assets/a@2x.png")])
    #expect(plan.tree.variants.variants(of: 0).contains { $0.traits.scale == 3 })
  }
}
