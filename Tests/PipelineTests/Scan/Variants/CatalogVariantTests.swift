@testable import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support
import System
import Testing

/// Tests variants in asset catalogs.
@Suite struct CatalogVariantTests {
  private let site: VariantSite

  init() throws { site = try VariantSite() }

  private func names(_ device: String, below folder: String) throws -> [String] {
    try site.plan().plan.files(for: device).filter { $0.hasPrefix(folder + "/") }.map {
      String($0.dropFirst(folder.count + 1))
    }
  }

  @Test func `an image set is sliced by scale and idiom`() throws {
    let set = "C.xcassets/Hero.imageset"
    try site.write(
      set: set, "images", #"{"idiom": "universal", "scale": "1x", "filename": "1.png"}"#,
      #"{"idiom": "universal", "scale": "2x", "filename": "2.png"}"#,
      #"{"idiom": "universal", "scale": "3x", "filename": "3.png"}"#,
      #"{"idiom": "ipad", "scale": "2x", "filename": "pad.png"}"#, #"{"idiom": "iphone", "scale": "3x"}"#)
    try site.site.write("\(set)/notes.txt", "no entry names it")
    let common = ["Contents.json"]
    #expect(try names(newPhone, below: set) == ["3.png"] + common + ["notes.txt"])
    #expect(try names(oldPhone, below: set) == ["2.png"] + common + ["notes.txt"])
    #expect(try names(newPad, below: set) == common + ["notes.txt", "pad.png"])
    #expect(try names(oldPad, below: set) == ["1.png"] + common + ["notes.txt"])
  }

  @Test func `a data set is sliced by memory and graphics`() throws {
    let set = "C.xcassets/Levels/Map.dataset"
    try site.write(
      set: set, "data", #"{"idiom": "universal", "filename": "any"}"#,
      #"{"idiom": "universal", "filename": "2GB", "memory": "2GB"}"#,
      #"{"filename": "2GB metal4", "memory": "2GB", "graphics-feature-set": "metal4v1"}"#,
      #"{"filename": "12GB", "memory": "12GB"}"#)
    #expect(try names(newPhone, below: set) == ["2GB metal4", "Contents.json"])
    #expect(try names(oldPhone, below: set) == ["Contents.json", "any"])
    #expect(try names("iPad6,3", below: set) == ["2GB", "Contents.json"])
    #expect(try names("iPad17,1-A", below: set) == ["12GB", "Contents.json"])
  }

  /// The entry of a texture refers to a folder, and the whole folder is the variant.
  @Test func `a texture is a whole folder`() throws {
    let set = "C.xcassets/Rock.textureset"
    for folder in ["Wide", "Narrow"] {
      try site.site.write("\(set)/\(folder).mipmapset/0/a.ktx")
      try site.site.write("\(set)/\(folder).mipmapset/Contents.json", #"{"levels": []}"#)
    }
    try site.site.write(
      "\(set)/Contents.json",
      #"""
      {"textures": [{"filename": "Wide.mipmapset", "display-gamut": "display-P3"},
                    {"filename": "Narrow.mipmapset", "display-gamut": "sRGB"}]}
      """#)
    let wide = ["Contents.json", "Wide.mipmapset/0/a.ktx", "Wide.mipmapset/Contents.json"]
    let narrow = ["Contents.json", "Narrow.mipmapset/0/a.ktx", "Narrow.mipmapset/Contents.json"]
    #expect(try names(newPhone, below: set) == wide)
    #expect(try names(oldPhone, below: set) == narrow)
  }

  /// Entries with another appearance or size, or with unknown values, are separate assets, not variants.
  @Test(arguments: [
    #""appearances": [{"appearance": "luminosity", "value": "dark"}]"#, #""width-class": "compact""#,
    #""height-class": "regular""#, #""language-direction": "right-to-left""#, #""locale": "fr""#,
    #""subtype": "736h""#, #""screen-width": "<=145""#, #""size": "60x60""#, #""role": "settings""#,
    #""extent": "full-screen""#, #""orientation": "portrait""#, #""minimum-system-version": "8.0""#,
    #""platform": "ios""#, #""scale": "4x""#, #""memory": "much""#, #""display-gamut": "wide""#,
  ]) func `other assets of one set`(member: String) throws {
    let set = "C.xcassets/Icon.appiconset"
    try site.write(
      set: set, "images", #"{"idiom": "universal", "scale": "3x", "filename": "own.png"}"#,
      #"{"idiom": "universal", "scale": "2x", "filename": "own2.png"}"#,
      #"{"idiom": "universal", \#(member), "filename": "other.png"}"#)
    #expect(try names(newPhone, below: set) == ["Contents.json", "other.png", "own.png"])
    #expect(try names(oldPhone, below: set) == ["Contents.json", "other.png", "own2.png"])
  }

  /// The order of the keys and of the appearances in an entry does not matter.
  @Test func `equal appearances are one asset`() throws {
    let set = "C.xcassets/Hero.imageset"
    try site.write(
      set: set, "images",
      #"{"filename": "2", "scale": "2x", "locale": "fr", "appearances": [{"appearance": "contrast", "value": "high"}, {"appearance": "luminosity", "value": "dark"}]}"#,
      #"{"appearances": [{"value": "dark", "appearance": "luminosity"}, {"value": "high", "appearance": "contrast"}], "locale": "fr", "scale": "3x", "filename": "3"}"#
    )
    #expect(try names(newPhone, below: set) == ["3", "Contents.json"])
    #expect(try names(oldPhone, below: set) == ["2", "Contents.json"])
  }

  @Test func `marketing and unassigned are in no slice`() throws {
    let set = "C.xcassets/Icon.appiconset"
    try site.write(
      set: set, "images", #"{"idiom": "ios-marketing", "filename": "store.png"}"#,
      #"{"idiom": "watch-marketing", "filename": "watch.png"}"#,
      #"{"unassigned": true, "filename": "old.png"}"#, #"{"unassigned": true, "filename": "used.png"}"#,
      #"{"unassigned": false, "filename": "used.png"}"#)
    for device in [newPhone, oldPad] {
      #expect(try names(device, below: set) == ["Contents.json", "used.png"])
    }
    #expect(try site.plan().plan.packs.flatMap(\.files).count == 5)
  }

  /// Phones get the variant for car displays in addition to their own variant.
  @Test func `cars are an asset of phones`() throws {
    let set = "C.xcassets/Go.imageset"
    try site.write(
      set: set, "images", #"{"idiom": "universal", "scale": "2x", "filename": "2"}"#,
      #"{"idiom": "universal", "scale": "3x", "filename": "3"}"#,
      #"{"idiom": "car", "scale": "2x", "filename": "car2"}"#,
      #"{"idiom": "car", "scale": "3x", "filename": "car3"}"#)
    #expect(try names(newPhone, below: set) == ["3", "Contents.json", "car3"])
    #expect(try names(oldPhone, below: set) == ["2", "Contents.json", "car2"])
    #expect(try names(newPad, below: set) == ["2", "Contents.json"])
    #expect(site.lines(try site.plan().findings) == [])
  }

  /// If several entries match a device equally well, the first entry is picked.
  @Test func `the first of equals wins`() throws {
    let set = "C.xcassets/Hero.imageset"
    try site.write(
      set: set, "images", #"{"scale": "2x", "filename": "b"}"#, #"{"scale": "2x", "filename": "a"}"#)
    #expect(try names(newPhone, below: set) == ["Contents.json", "b"])
  }

  /// A name can be in decomposed Unicode form on the disk and in composed form in `Contents.json`.
  ///
  /// A missing file is not a variant.
  @Test func `names are found in either form`() throws {
    let set = "C.xcassets/Hero.imageset"
    try site.site.write("\(set)/e\u{301}.png")
    try site.site.write(
      "\(set)/Contents.json",
      "{\"images\": [{\"scale\": \"2x\", \"filename\": \"\u{e9}.png\"}, {\"scale\": \"3x\", \"filename\": \"no.png\"}]}"
    )
    #expect(try names(newPhone, below: set) == ["Contents.json", "e\u{301}.png"])
    #expect(try site.plan().plan.tree.variants.isEmpty == false)
  }

  /// `Contents.json` defines the variants even if it has no tag.
  ///
  /// A symlink with this name is ignored.
  @Test func `an untagged contents counts`() throws {
    let set = "C.xcassets/Hero.imageset"
    try site.write(
      set: set, "images", #"{"scale": "2x", "filename": "2.png"}"#, #"{"scale": "3x", "filename": "3.png"}"#)
    let rule = #"{"glob": "**/*.png", "tags": ["A"]}"#
    #expect(try site.plan(rule).plan.files(for: newPhone) == ["\(set)/3.png"])
    try site.site.folder.write("outside.json", #"{"images": [{"scale": "2x", "filename": "2.png"}]}"#)
    try site.site.python(
      "import os; os.remove('\(set)/Contents.json'); os.symlink('../../../outside.json', '\(set)/Contents.json')"
    )
    #expect(try site.plan(rule).plan.files(for: newPhone).count == 2)
  }

  @Test func `folders elsewhere are no sets`() throws {
    for set in ["Hero.imageset", "xcassets/Hero.imageset", ".xcassets/Hero.imageset", "C.xcassets"] {
      try site.write(
        set: set, "images", #"{"scale": "2x", "filename": "2.png"}"#, #"{"scale": "3x", "filename": "3.png"}"#
      )
    }
    let plan = try site.plan().plan
    #expect(plan.tree.variants.isEmpty)
    #expect(try plan.files(for: newPhone).count == 12)
  }

  /// Only sets from which a device does not get some file are assets with variants.
  @Test(arguments: [
    (#"{"filename": "1"}"#, 0), (#"{"filename": "1"}, {"filename": "2", "locale": "fr"}"#, 0),
    (#"{"filename": "1", "scale": "2x"}"#, 1), (#"{"filename": "1"}, {"filename": "2"}"#, 1),
    (#"{"filename": "1"}, {"filename": "2", "unassigned": true}"#, 1),
    (#"{"filename": "1", "unassigned": true}"#, 1),
    (#"{"filename": "1", "scale": "4x"}"#, 0), (#"{"filename": "missing", "scale": "2x"}"#, 0),
    (#"{"filename": "1", "scale": "2x"}, {"filename": "2", "locale": "fr"}"#, 1),
  ])
  func `sets with variants are known`(entries: String, owners: Int) throws {
    let set = "C.xcassets/Hero.imageset"
    for name in ["1", "2"] { try site.site.write("\(set)/\(name)") }
    try site.site.write("\(set)/Contents.json", "{\"images\": [\(entries)]}")
    let variants = try site.plan().plan.tree.variants
    #expect(variants.owners.map(\.name) == Array(repeating: set, count: owners))
    #expect(variants.isEmpty == (owners == 0))
    #expect(
      variants.owners.allSatisfy { $0.place == Place(site.site.folder.path("Assets/\(set)/Contents.json")) })
  }

  @Test func `an entry names a file of its own set`() throws {
    let set = "C.xcassets/Hero.imageset"
    try site.site.write("\(set)/sub/2.png")
    try site.site.write("\(set)/3.png")
    try site.site.write(
      "\(set)/Contents.json",
      #"{"images": [{"scale": "2x", "filename": "sub/2.png"}, {"scale": "3x", "filename": "3.png"}]}"#)
    #expect(try names(oldPhone, below: set) == ["3.png", "Contents.json", "sub/2.png"])
    #expect(try site.plan().plan.tree.variants.kinds.map(\.count) == [1])
  }

  @Test func `a file can be in many entries`() throws {
    let set = "C.xcassets/Hero.imageset"
    let entries = (0..<200).map { #"{"scale": "2x", "filename": "1", "locale": "\#($0)"}"# }
    try site.site.write("\(set)/1")
    try site.site.write("\(set)/Contents.json", "{\"images\": [\(entries.joined(separator: ","))]}")
    let (plan, findings) = try site.plan()
    #expect(plan.tree.variants.layers.map(\.assets.count) == [200])
    #expect(findings.allSatisfy { $0.check != .unknownTrait })
  }

  /// Bazel lays out the inputs of an action as symlinks.
  @Test func `followed symlinks lead to the contents`() throws {
    let set = "C.xcassets/Hero.imageset"
    for name in ["2.png", "3.png"] { try site.site.write("\(set)/\(name)") }
    let text = #"{"images": [{"scale": "2x", "filename": "2.png"}, {"scale": "3x", "filename": "3.png"}]}"#
    try site.site.folder.write("outside.json", text)
    try site.site.link("\(set)/Contents.json", to: "SITE/outside.json")
    let rule = #"{"glob": "**/*.png", "tags": ["A"]}"#
    #expect(try site.plan(rule).plan.files(for: newPhone).count == 2)
    var scope = RunScope()
    scope.followsSymlinks = true
    let files = try RunScope.$current.withValue(scope) { try site.plan(rule).plan.files(for: newPhone) }
    #expect(files == ["\(set)/3.png"])
  }

  @Test func `entries are read with their traits`() throws {
    let text = #"""
      {"data": [{"filename": "d", "memory": "2MB"}], "images": [
        {"filename": "a", "idiom": "universal", "scale": "2x", "memory": "3GB", "display-gamut": "display-P3"},
        {"filename": "b", "idiom": "car", "scale": "1x", "locale": "fr", "role": "x"},
        {"filename": "", "scale": "2x"}, {"idiom": "tv"}, {"filename": "c", "idiom": "ios-marketing"},
        {"filename": "e", "unassigned": "true", "memory": "1024GB"}, {"filename": "f", "memory": "1025GB"},
        {"filename": "g", "role": "x", "locale": "fr", "unknown": 1}
      ]}
      """#
    var reader = CatalogEntryReader(SourceText(path: "Contents.json", bytes: Array(text.utf8)))
    let read = reader.read()
    let entries = try #require(read)
    #expect(entries.map(\.fileName) == ["a", "b", "c", "e", "f", "g", "d"])
    #expect(entries.map(\.isAbsent) == [false, false, true, false, false, false, false])
    #expect(entries.map(\.hasUnknownTrait) == [false, false, false, false, true, false, true])
    #expect(entries[0].traits == Traits(scale: 2, memory: 3, gamut: .p3) && entries[0].asset.isEmpty)
    #expect(entries[1].traits == Traits(idiom: .car, scale: 1) && entries[3].traits == Traits(memory: 1024))
    #expect(entries[4].traits == .none && entries[6].traits == .none)
    #expect(
      entries[1].asset != entries[5].asset && entries[5].asset.contains("locale")
        && entries[5].traits == .none)
    let findings = reader.findings.findings
    #expect(findings.count == 2 && findings[0].names("\"1025GB\"") && findings[1].names("\"2MB\""))
    var broken = CatalogEntryReader(SourceText(path: "Contents.json", bytes: Array("[".utf8)))
    let nothing = broken.read()
    #expect(nothing == nil && broken.findings.findings.map(\.check) == [.unknownTrait])
  }
}
