import Model
import Packing
import Pipeline
import Play
@testable import packtool
import Foundation
import Support
import Testing

/// Tests the checks that are less strict in some layouts.
///
/// The findings of `build`, `validate` and `plan` must agree with the built packs.
@Suite struct LayoutRuleTests {
  private static let layout = ["--layout", "background-assets"]
  private static let commands = ["build", "validate", "plan"]

  /// Returns the ids of the findings of a command about a manifest's folder.
  private static func findings(
    _ command: String, _ folder: TemporaryFolder, _ flags: [String]
  ) -> (status: packtool.ExitStatus, severities: [String: [String]]) {
    let output = command == "build" ? ["-o", folder.path("out")] : []
    let run = ToolRun([command, folder.path] + output + flags)
    return (run.status, Dictionary(grouping: run.all, by: \.id).mapValues { $0.map(\.severity).sorted() })
  }

  /// Makes a project in which packs of two languages have a file at the same path.
  private static func languages() throws -> AssetSite {
    try AssetSite(
      "de/1", "en/1",
      rules: """
        {"path": "de", "tags": ["Voices German"], "destination": "voices"},
        {"path": "en", "tags": ["Voices English"], "destination": "voices"}
        """, keys: #""languages": {"Voices German": "de", "Voices English": "en"}"#)
  }

  @Test(arguments: commands) func `languages count where they are written`(command: String) throws {
    let site = try Self.languages()
    let unwritten = Self.findings(command, site.folder, Self.layout)
    #expect(unwritten.status == .inputHasErrors)
    #expect(unwritten.severities["path-in-two-packs"] == ["error"], "\(unwritten)")
    let written = Self.findings(command, site.folder, Self.layout + ["--bundle-version", "27"])
    #expect(written.status == .done && written.severities["path-in-two-packs"] == nil, "\(written)")
    if command == "build" { #expect(site.verify().status == .done) }
  }

  /// If only the limits are those of Background Assets, packs have no language.
  @Test func `limits write no language`() throws {
    let site = try Self.languages()
    let found = Self.findings("validate", site.folder, ["--limits", "background-assets"])
    #expect(found.severities["path-in-two-packs"] == ["error"])
  }

  /// Returns a Mach-O binary with the load command for its platform.
  ///
  /// If the platform is 0, the command is left out.
  private static func binary(_ platform: UInt32) -> [UInt8] {
    func word(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    let commands = platform == 0 ? [] : [0x32, 24, platform, 0, 0, 0].flatMap(word)
    let header: [UInt32] = [
      0xfeed_facf, 0x0100_000c, 0, 6, platform == 0 ? 0 : 1, UInt32(commands.count), 0, 0,
    ]
    return header.flatMap(word) + commands + Array(repeating: 0, count: 64)
  }

  /// Returns a universal binary that contains other binaries.
  private static func universal(_ binaries: [[UInt8]]) -> [UInt8] {
    func word(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
    var bytes: [UInt8] = [0xca, 0xfe, 0xba, 0xbe] + word(binaries.count)
    var offset = 4096
    for binary in binaries {
      bytes += word(0x0100_000c) + word(0) + word(offset) + word(binary.count) + word(12)
      offset += 4096
    }
    for binary in binaries {
      bytes += Array(repeating: 0, count: 4096 - bytes.count % 4096) + binary
    }
    return bytes
  }

  private static let macOS: UInt32 = 1
  private static let iOS: UInt32 = 2

  enum Code: String, CaseIterable {
    case macOS, iOS, unknownApple, both, elf

    var bytes: [UInt8] {
      switch self {
      case .macOS: LayoutRuleTests.binary(LayoutRuleTests.macOS)
      case .iOS: LayoutRuleTests.binary(LayoutRuleTests.iOS)
      case .unknownApple: LayoutRuleTests.binary(0)
      case .both:
        LayoutRuleTests.universal(
          [LayoutRuleTests.iOS, LayoutRuleTests.macOS].map(LayoutRuleTests.binary))
      case .elf: [0x7f, 0x45, 0x4c, 0x46] + Array(repeating: 1, count: 60)
      }
    }
  }

  /// For each list of flags, the severity of each kind of code; nil if there is no finding.
  private static let rules: [(flags: [String], severities: [Code: String])] = [
    ([], [.macOS: "error", .iOS: "error", .unknownApple: "error", .both: "error", .elf: "error"]),
    (layout, [.macOS: "error", .unknownApple: "warning", .both: "error", .elf: "note"]),
    (
      layout + ["--platforms", "macOS,iOS"],
      [.macOS: "error", .unknownApple: "warning", .both: "error", .elf: "note"]
    ),
    (layout + ["--platforms", "iOS"], [.macOS: "note", .both: "note", .elf: "note"]),
    (
      ["--limits", "background-assets"],
      [.macOS: "warning", .unknownApple: "warning", .both: "warning", .elf: "note"]
    ),
  ]

  @Test(arguments: Code.allCases) func `machine code`(code: Code) throws {
    let site = try AssetSite("a", rules: #"{"path": ".", "tags": ["T"]}"#, keys: #""onUpdate": false"#)
    try site.folder.write("Assets/code", Data(code.bytes))
    for (flags, severities) in Self.rules {
      for command in Self.commands {
        let found = Self.findings(command, site.folder, flags)
        let expected = severities[code].map { [$0] }
        #expect(found.severities["executable-content"] == expected, "\(command) \(flags) \(code)")
        #expect((found.status == .done) == (severities[code] != "error"), "\(command) \(flags) \(code)")
        try? FileManager.default.removeItem(atPath: site.folder.path("out"))
      }
    }
  }

  /// If the platforms of a build change, packs that are kept are checked again.
  @Test func `kept packs are held to the platforms`() throws {
    let site = try AssetSite("a", rules: #"{"path": ".", "tags": ["T"]}"#, keys: #""onUpdate": false"#)
    try site.folder.write("Assets/code", Data(Self.binary(Self.macOS)))
    #expect(site.build("--platforms", "iOS").status == .done)
    #expect(site.build("--platforms", "macOS").status == .inputHasErrors)
    try site.folder.write("Assets/code", Data(Self.binary(0)))
    #expect(site.build("--platforms", "iOS").status == .done)
    #expect(Self.findings("build", site.folder, Self.layout).severities["executable-content"] == ["warning"])
  }

  /// Makes an app of 100 MB with three packs: two packs of 60 MB, each for one language, and a pack of 10 MB
  /// for all languages.
  private static func voices() throws -> AssetSite {
    let site = try AssetSite(
      rules: """
        {"path": "de", "tags": ["German"]}, {"path": "en", "tags": ["English"]}, {"path": "all", "tags": ["All"]}
        """,
      keys: """
        "languages": {"German": "de", "English": "en"}, "appBundle": {"size": 100000000},
        "initialInstallTags": ["All", "English", "German"]
        """)
    for (name, size) in [("de", 60_000_000), ("en", 60_000_001), ("all", 10_000_000)] as [(String, Int64)] {
      try site.folder.writeSparse("Assets/\(name)/1", size: size)
    }
    return site
  }

  /// A device downloads the packs of only one language.
  ///
  /// The limits and the commands `plan`, `report` and `simulate` must use this rule.
  @Test(arguments: [("26", true), ("27", false)])
  func `a device gets one language`(version: String, exceeds: Bool) throws {
    let site = try Self.voices()
    let flags = Self.layout + ["--bundle-version", version]
    for command in ["validate", "plan"] {
      let found = Self.findings(command, site.folder, flags)
      #expect((found.severities["cellular-size"] != nil) == exceeds, "\(found)")
    }
    let install: Int64 = exceeds ? 130_000_001 : 70_000_001
    var options = ManifestOptions()
    options.choice.layout = .backgroundAssets
    options.choice.assets.version = exceeds ? .v26 : .v27
    var request = Preparation.Request(argument: site.folder.path, jobs: 2)
    options.applyTarget(to: &request)
    let release = Release(of: try #require(try Preparation(request).plan))
    #expect(release.sizeOnDevice(of: .initialInstall) == install)
    #expect(LoadTimeline(release, appSize: nil).initialEnd == install)
    request.layoutRules = options.choice.rules
    let simulated = try #require(try SimulatedReleaseReader(request).release)
    #expect(simulated.initialInstall.reduce(0) { $0 + simulated.packs[$1].size } == install)
    let plan = runTool(words: ["plan", site.folder.path] + flags).output
    #expect(plan.contains("a device gets only one language, at most 70.0 MB") == !exceeds, "\(plan)")
  }

  /// If all packs have a language, a device gets only one pack.
  ///
  /// The output must not look as if this pack were everything that the app could download on demand.
  @Test(arguments: [("26", true), ("27", false)])
  func `one language is not everything`(version: String, isFound: Bool) throws {
    let site = try AssetSite(
      "de/1", "en/1",
      rules: #"{"path": "de", "tags": ["German"]}, {"path": "en", "tags": ["English"]}"#,
      keys: #""languages": {"German": "de", "English": "en"}, "initialInstallTags": ["German", "English"]"#)
    let found = Self.findings("validate", site.folder, Self.layout + ["--bundle-version", version])
    #expect((found.severities["everything-initial"] != nil) == isFound, "\(found)")
  }
}
