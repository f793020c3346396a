@testable import Formats
@testable import Model
@testable import Pipeline
import System
import Support
import Testing

/// Tests conditions that every slice of every plan must meet.
@Suite struct SliceTests {
  /// Returns a plan for a folder tree with random catalogs, rules and names.
  private static func plan(seed: UInt64) throws -> (plan: PackPlan, findings: [Diagnostic]) {
    var random = SeededRandom(seed: seed)
    let site = try VariantSite("plain/a.txt")
    for set in 0..<8 {
      let entries = (0..<Int.random(in: 1...5, using: &random)).map { number -> String in
        var members = ["\"filename\": \"\(number)\""]
        func add(_ key: String, _ values: [String]) {
          if Bool.random(using: &random) {
            members.append("\"\(key)\": \"\(values.randomElement(using: &random) ?? "")\"")
          }
        }
        add("scale", ["1x", "2x", "3x"])
        add("idiom", ["universal", "iphone", "ipad", "tv", "mac", "car", "ios-marketing"])
        add("memory", ["1GB", "2GB", "4GB", "8GB"])
        add("graphics-feature-set", ["metal1v2", "metal3v1", "apple7"])
        add("display-gamut", ["sRGB", "display-P3"])
        add("locale", ["fr", "de"])
        return "{\(members.joined(separator: ", "))}"
      }
      let path = "C.xcassets/\(set).imageset"
      try site.site.write("\(path)/Contents.json", "{\"images\": [\(entries.joined(separator: ", "))]}")
      for number in entries.indices {
        try site.site.write("\(path)/\(number)", String(repeating: "x", count: number * 7))
      }
    }
    for folder in ["hd", "sd"] {
      for file in ["a", "b@2x.c", "b@3x.c"] { try site.site.write("\(folder)/\(file)") }
    }
    return try site.plan(
      #"{"path": "C.xcassets", "tags": ["A"]}, {"path": "plain", "tags": ["B"]},"#
        + #"{"path": "hd", "tags": ["B"], "destination": "t", "traits": {"memory": 3, "gamut": "P3"}},"#
        + #"{"path": "sd", "tags": ["B"], "destination": "t"}"#,
      #", "variantSuffixes": true, "devices": "all""#)
  }

  @Test(arguments: 1...12) func `slices are parts and their union is all that any gets`(seed: UInt64) throws {
    let (plan, findings) = try Self.plan(seed: seed)
    let slices = Slices(of: plan, for: DeviceClass.all)
    var union: Set<Int> = []
    for (number, device) in DeviceClass.all.enumerated() {
      let slice = plan.thinned(for: device)
      for pack in slice.packs {
        let whole = try #require(plan.packs.first { $0.identity == pack.identity })
        #expect(Set(pack.files).isSubset(of: whole.files))
        #expect(
          pack.files == pack.files.sorted { plan.tree.files[$0].packPath < plan.tree.files[$1].packPath })
        #expect(pack.size == pack.files.reduce(0) { $0 + plan.tree.files[$1].size })
        #expect((pack.delivery, pack.priority) == (whole.delivery, whole.priority))
        let paths = pack.files.map { plan.tree.files[$0].packPath }
        #expect(Set(paths).count == paths.count)
        union.formUnion(pack.files)
      }
      // The fast count for all device classes must agree with the slice of each device class.
      let counts = slices.slice(number).packs
      let sizes = Dictionary(uniqueKeysWithValues: zip(plan.packs.map(\.identity.identifier), counts))
      #expect(Set(slice.packs.map(\.identity.identifier)) == Set(sizes.filter { $0.value.files > 0 }.keys))
      for pack in slice.packs {
        #expect(sizes[pack.identity.identifier]?.size == pack.size)
        #expect(sizes[pack.identity.identifier]?.files == pack.files.count)
      }
    }
    // If no device gets a file, the file is a variant that is never picked, or a variant for the store.
    for number in plan.tree.files.indices where !union.contains(number) {
      #expect(plan.tree.variants.isMember(Int32(number)))
    }
    // If there is no variant of an asset for some device, there is a finding about the asset.
    let reported = findings.filter { $0.check == .noVariant }
    for owner in plan.tree.variants.owners {
      let lacks = DeviceClass.all.contains { device in
        let picks = plan.tree.variants.picks(on: device)
        let own = plan.tree.variants.layers.flatMap(\.assets).filter { asset in
          plan.tree.variants.owners[Int(asset.owner)].name == owner.name
            && !plan.tree.variants.kinds[Int(asset.kind)].allSatisfy { $0.idiom == .car }
        }
        return !own.isEmpty && own.allSatisfy { picks[Int($0.kind)] == nil }
      }
      #expect(reported.contains { $0.names("\"\(owner.name)\"") } == lacks, "\(owner.name)")
    }
  }

  /// A device never gets a variant that it cannot use.
  @Test(arguments: 13...16) func `every variant in a slice is usable`(seed: UInt64) throws {
    let variants = try Self.plan(seed: seed).plan.tree.variants
    for device in DeviceClass.all {
      for (kind, pick) in zip(variants.kinds, variants.picks(on: device)) {
        if let pick {
          #expect(device.canUse(kind[pick]))
        } else {
          #expect(!kind.contains(where: device.canUse))
        }
      }
    }
  }

  @Test func `a tree without variants is the same for all`() throws {
    let plan = try makePlan([PlannedFile("a", ["A"]), PlannedFile("b", ["B"])], initial: ["A"])
    let slice = plan.thinned(for: DeviceClass.all[0])
    #expect(slice.packs.map(\.files) == plan.packs.map(\.files))
    #expect(slice.order(of: .initialInstall) == plan.order(of: .initialInstall))
    #expect(Slices(of: plan, for: DeviceClass.all).distinct.count == 1)
    #expect(plan.manifest.deviceClasses(hasVariants: false).isEmpty)
  }

  @Test func `tvs count only where they are meant`() {
    func count(_ text: String) -> Int? {
      let text = #"{"bundleIdentifier": "a", "resources": [{"path": "x", "tags": ["A"]}]\#(text)}"#
      return readManifest(text).manifest?.deviceClasses(hasVariants: true).count
    }
    #expect(count("") == 51)
    #expect(count(#", "limits": "app-store-tvos""#) == 55)
    #expect(count(#", "devices": "all""#) == 55)
    #expect(count(#", "devices": ["iPhone17,1", "phone 3x P3 8 GB APPLE9", "AppleTV11,1"]"#) == 2)
    #expect(count(#", "devices": []"#) == 0)
  }
}
