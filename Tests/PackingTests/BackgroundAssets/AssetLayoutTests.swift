@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests the findings of the layout `background-assets` about a plan.
@Suite struct AssetLayoutTests {
  private func choice(
    _ version: AssetBundleVersion = .v27, isSelfHosted: Bool = false, base: PackURLPrefix? = nil
  ) -> BackgroundAssetsChoice {
    var choice = BackgroundAssetsChoice()
    choice.version = version
    choice.isSelfHosted = isSelfHosted
    choice.base = base
    return choice
  }

  private func findings(_ plan: PackPlan, _ choice: BackgroundAssetsChoice? = nil) throws -> [Diagnostic] {
    try BackgroundAssetsLayout(choice ?? self.choice(), plan: plan, in: nil).findings(about: plan)
  }

  /// Makes a plan with a pack for each tag, and languages for some tags, in the order of their offsets.
  private func plan(languages: [(tag: String, language: String)], sets: [[String]]) throws -> PackPlan {
    var manifest = Manifest(
      text: SourceText(path: "Manifest.json", bytes: Array(repeating: 0x20, count: 100)), folder: ".")
    manifest.bundleIdentifier = "com.example.game"
    manifest.appBundle = .size(sizeOfTestApp)
    for (number, (tag, language)) in languages.enumerated() {
      manifest.languages[tag] = Located(language, at: 10 * number + 10)
    }
    return try makePlan(sets.enumerated().map { PlannedFile("f\($0)", $1) }, manifest)
  }

  @Test func `the order of several prefetched packs is lost`() throws {
    func lost(_ prefetched: String...) throws -> [String] {
      try findings(makePlan(of: [["A"], ["B"], ["C"]], prefetch: prefetched)).map {
        "\($0.check.id) \($0.namedValues)"
      }
    }
    #expect(try lost() == ["lost-in-background-assets "] && lost("A") == ["lost-in-background-assets "])
    #expect(try lost("A", "B") == ["lost-in-background-assets 2"])
    #expect(try lost("A", "B", "C") == ["lost-in-background-assets 3"])
    #expect(try findings(makePlan([])).isEmpty)
  }

  @Test func `a pack of empty files is a mistake`() throws {
    let plan = try makePlan([
      PlannedFile("a", ["A"], size: 0), PlannedFile("b", ["B"], size: 0), PlannedFile("c", ["B"], size: 1),
      PlannedFile("d", ["C", "D"], size: 0), PlannedFile("e", ["C", "D"], size: 0),
    ])
    let empty = try findings(plan).filter { $0.check == .emptyPack }
    #expect(Set(empty.map(\.namedValues)) == ["\"A\"", "\"C\" \"D\""])
  }

  @Test func `languages are checked in the order of the manifest`() throws {
    let plan = try plan(
      languages: [("B", "german"), ("A", "de"), ("C", "x"), ("D", "pt-BR")],
      sets: [["A"], ["B"], ["C"], ["D"]])
    func found(_ choice: BackgroundAssetsChoice) throws -> [String] {
      try findings(plan, choice).filter { $0.check == .invalidLanguage }.map {
        "\($0.severity) \($0.place.position?.column ?? 0) \(values(in: $0.message))"
      }
    }
    let invalid = ["error 11 \"german\" \"pt-BR\"", "error 31 \"x\" \"pt-BR\""]
    #expect(try found(choice(.v27)) == invalid)
    #expect(try found(choice(.v26)).dropLast() == invalid[...])
    #expect(try found(choice(.v26)).last?.hasPrefix("warning 11 26") == true)
    #expect(try found(choice(.v27, isSelfHosted: true)).dropLast() == invalid[...])
    #expect(try found(choice(.v27, isSelfHosted: true)).last == "warning 11 ")
    #expect(try found(choice(.v26, isSelfHosted: true)).last?.hasPrefix("warning 11 26") == true)
    let none = try self.plan(languages: [], sets: [["A"]])
    #expect(try findings(none, choice(.v26)).map(\.check) == [.lostInBackgroundAssets])
  }

  @Test func `a pack has one language`() throws {
    let plan = try plan(
      languages: [("A", "de"), ("B", "en"), ("C", "DE"), ("D", "fr")],
      sets: [["A"], ["A", "B"], ["A", "C"], ["A", "B", "D"], ["X"]])
    let found = try findings(plan).filter { $0.check == .invalidLanguage }
    #expect(found.map(\.place.position?.column) == [21, 21] && found.areAll { $0.severity == .error })
    #expect(
      Set(found.map { values(in: $0.message) }) == [
        "\"A\" \"B\" \"de\" \"en\"", "\"A\" \"B\" \"D\" \"de\" \"en\" \"fr\"",
      ])
  }

  @Test func `the URL of archives must be one that devices can download from`() throws {
    let plan = try makePlan(of: [["A"], ["B"]])
    func found(_ choice: BackgroundAssetsChoice) throws -> [Diagnostic] {
      try findings(plan, choice).filter { $0.check == .doubtfulURLPrefix }
    }
    let bad = try found(choice(isSelfHosted: true, base: "http://example.com/a"))
    let id = AssetPackIDs(of: plan, map: nil).id(of: plan.packs[0])
    #expect(bad.count == 1 && bad[0].message.contains("\"http://example.com/a/\(id)\""))
    #expect(try found(choice(isSelfHosted: true, base: "https://example.com/a")).isEmpty)
    #expect(try found(choice(isSelfHosted: true)).isEmpty)
    #expect(try found(choice(base: "http://example.com/a")).isEmpty)
    #expect(choice(base: "https://x.y/a").url(ofPack: "p") == "https://x.y/a/p")
    #expect(choice().url(ofPack: "p") == "/p")
  }

  @Test func `languages are written for packs that Apple hosts`() {
    #expect(choice(.v27).writesLanguages && !choice(.v26).writesLanguages)
    #expect(!choice(.v27, isSelfHosted: true).writesLanguages)
    var layout = LayoutChoice(layout: .backgroundAssets)
    func code(_ platforms: [AssetPlatform]) -> CodeRule? {
      layout.assets.platforms = platforms
      return layout.rules.code
    }
    #expect(code([]) == .refusedForMacOS && code([.macOS]) == .refusedForMacOS)
    #expect(code([.iOS, .macOS]) == .refusedForMacOS && code([.iOS, .tvOS]) == .accepted)
    layout.assets.version = .v27
    #expect(layout.rules.writesLanguages && layout.rules.sharesPaths)
    layout.assets.isSelfHosted = true
    #expect(!layout.rules.writesLanguages)
    #expect(
      LayoutChoice(layout: .xcode).rules.code == .refused && !LayoutChoice(layout: .xcode).rules.sharesPaths)
    #expect(LayoutChoice().rules.code == nil && !LayoutChoice().rules.writesLanguages)
  }

  @Test func `the settings of a layout come from the flags, then from the project`() throws {
    var manifest = Manifest(text: SourceText(path: "Manifest.json", bytes: []), folder: ".")
    var choice = LayoutChoice(layout: .hosted)
    #expect(throws: MissingURLPrefix.self) { try choice.settings(for: manifest, sourceDate: nil) }
    for layout in [Layout.packtool, .xcode, .backgroundAssets] {
      #expect(
        try LayoutChoice(layout: layout).settings(for: manifest, sourceDate: nil).location == .buildFolder)
    }
    manifest.embedsPacks = true
    #expect(try LayoutChoice(layout: .xcode).settings(for: manifest, sourceDate: 7).location == .app)
    manifest.embedsPacks = false
    choice = LayoutChoice(layout: .xcode)
    choice.embedsPacks = true
    #expect(try choice.settings(for: manifest, sourceDate: 7).location == .app)
    manifest.packURLPrefix = "https://x/"
    let found = try choice.settings(for: manifest, sourceDate: 7)
    #expect(found.location == .prefix("https://x/") && found.sourceDate == 7 && found.contentHash == .sha256)
    choice.urlPrefix = "https://y/"
    choice.contentHash = .modtime
    manifest.hasOwnPackManifest = true
    let flags = try choice.settings(for: manifest, sourceDate: nil)
    #expect(flags.location == .prefix("https://y/") && flags.contentHash == .modtime && flags.hasOwnManifest)
  }
}

/// Tests when the lists of a build for Background Assets are written again.
@Suite struct AssetListTests {
  private let site: ScanSite

  init() throws {
    site = try ScanSite("a/1", "b/2")
    site.waitForClockTick()
  }

  private func build(isSelfHosted: Bool = true) throws -> BuildResult {
    var layout = LayoutChoice(layout: .backgroundAssets)
    layout.urlPrefix = "https://example.com/packs"
    layout.assets.isSelfHosted = isSelfHosted
    if isSelfHosted { layout.assets.ledger = site.folder.path("ledger.json") }
    return try site.build(
      [.path("a", "A"), .path("b", "B")], TestSettings(container: .folder, layout: layout))
  }

  @Test func `lists that are gone or changed are written again`() throws {
    let first = try build()
    #expect(first.release != nil && first.changes.isListWritten)
    let before = try site.published()
    #expect(try build().isUnchanged)
    let manifest = try #require(before.keys.sorted().first { $0.hasPrefix("manifests/") })
    for name in ["AssetTags.swift", "package.sh", manifest, "download-manifest.json"] {
      for damage in name == "download-manifest.json" ? [nil] : [nil, "x"] {
        try FileOperations.removeFile(site.folder.path("out/\(name)"))
        if let damage { try site.folder.write("out/\(name)", damage) }
        let again = try build()
        #expect(again.changes.isListWritten && again.decisions.areAll(\.isKeep), "\(name)")
        #expect(!again.isUnchanged && again.changes.written == [], "\(name)")
        #expect(try site.published() == before, "\(name)")
      }
    }
    #expect(try build().isUnchanged)
  }

  @Test func `only packs on an own server have a download manifest`() throws {
    _ = try build()
    let path = site.folder.path("out/download-manifest.json")
    #expect(try FileOperations.exists(path))
    #expect(try build(isSelfHosted: false).release != nil && !FileOperations.exists(path))
    #expect(try build(isSelfHosted: false).isUnchanged)
    try site.folder.write("out/download-manifest.json", "left")
    #expect(try build(isSelfHosted: false).release != nil && !FileOperations.exists(path))
  }
}
