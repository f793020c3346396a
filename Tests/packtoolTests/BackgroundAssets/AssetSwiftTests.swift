import Foundation
import Support
import Testing
@testable import packtool

/// Compiles AssetTags.swift and the constants of `packtool tags`.
///
/// A module with the names of Apple's framework replaces the framework.
@Suite struct AssetSwiftTests {
  /// Returns code that replaces the framework.
  ///
  /// It has a shared manager, packs by id, and the function that makes packs available. From iOS 27 on, this
  /// function also accepts a set.
  private static func framework(_ version: String) -> String {
    """
    public struct AssetPack: Hashable, Sendable { public let id: String }
    public actor AssetPackManager {
      public static let shared = AssetPackManager()
      public var requested: [String] = []
      public func assetPack(withID id: String) async throws -> AssetPack { AssetPack(id: id) }
      public func ensureLocalAvailability(of pack: AssetPack) async throws { requested.append(pack.id) }
      \(version == "27" ? "public func ensureLocalAvailability(of packs: Set<AssetPack>, requireLatestVersions: Bool = false) async throws { requested += packs.map(\\.id) }" : "")
      public func remove(assetPackWithID id: String) async throws {}
    }
    """
  }

  private static let oddTags = [
    "Level 1", "level-1", "1", "default", "self", "Type", "init", "ö", "\\(x)", "a\"b", "back\\slash", "#if",
    "日本", "👩‍👩‍👧",
    "zero\u{200b}width", "right\u{202e}left", "no\u{a0}break", "e\u{301}", "packIDs", "allCases", "rawValue",
    "hashValue",
    "*> let x = 1 <*", "a+b", "$0", "`tick`", "tab key", String(repeating: "long ", count: 200),
  ]

  private func site() throws -> AssetSite {
    let rules = Self.oddTags.enumerated().map { number, tag in
      let text = String(decoding: (try? JSONEncoder().encode(tag)) ?? Data(), as: UTF8.self)
      return "{\"path\": \"\(number)\", \"tags\": [\(text), \"Shared\"]}"
    }
    let site = try AssetSite(rules: rules.joined(separator: ","))
    for number in Self.oddTags.indices { try site.folder.write("Assets/\(number)", "content \(number)") }
    return site
  }

  /// Compiles a program with the generated file, runs it, and returns its output.
  private func output(of main: String, _ source: String, in folder: TemporaryFolder, version: String?) throws
    -> String
  {
    try folder.write("main.swift", main)
    var flags = [
      "-swift-version", "6", "-warnings-as-errors", "-o", folder.path("program"), folder.path("main.swift"),
      source,
    ]
    if let version {
      try folder.write("BackgroundAssets.swift", Self.framework(version))
      let built = try run(
        "swiftc",
        [
          "-swift-version", "6", "-parse-as-library", "-emit-library", "-emit-module", "-module-name",
          "BackgroundAssets",
          "BackgroundAssets.swift", "-o", "libBackgroundAssets.so",
        ], in: folder.path)
      try #require(built.status == 0, "\(built.errors)")
      flags += [
        "-I", folder.path, "-L", folder.path, "-lBackgroundAssets", "-Xlinker", "-rpath", "-Xlinker",
        folder.path,
      ]
    }
    let result = try run("swiftc", flags, in: folder.path)
    try #require(result.status == 0, "\(result.errors)\(result.output)")
    return try run(folder.path("program"), []).output
  }

  private static let printTags = """
    import Foundation
    let texts = try JSONEncoder().encode(AssetTag.allCases.map(\\.rawValue))
    print(String(decoding: texts, as: UTF8.self))

    """

  private func expectTags(_ line: Substring) throws {
    let tags = try JSONDecoder().decode([String].self, from: Data(line.utf8))
    let expected = Self.oddTags + ["Shared"]
    // Compare bytes, because Swift treats different Unicode forms of a string as equal.
    #expect(
      tags.map { Data($0.utf8) } == expected.map { Data($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    )
  }

  @Test(arguments: sample(1, of: ["26", "27"])) func `the file of a build compiles`(version: String) throws {
    let site = try site()
    #expect(site.build("--bundle-version", version).status == .done)
    let main =
      Self.printTags + """
        let tag = AssetTag(rawValue: "Level 1")!
        try await AssetTag.ensureLocalAvailability(of: [tag])
        print(await AssetPackManager.shared.requested.sorted().joined(separator: " "))
        print(tag.packIDs.joined(separator: " "))
        print(AssetTag(rawValue: "Shared")!.packIDs.count)
        """
    let lines = try output(
      of: "import BackgroundAssets\n" + main, site.folder.path("out/AssetTags.swift"), in: TemporaryFolder(),
      version: version
    ).split(separator: "\n")
    try #require(lines.count == 4)
    try expectTags(lines[0])
    #expect(lines[1] == lines[2])
    #expect(try String(lines[1]) == site.id(of: "Level 1", "Shared"))
    #expect(lines[3] == "\(Self.oddTags.count)")
  }

  @Test func `constants compile alone`() throws {
    let site = try site()
    let path = site.folder.path("Tags.swift")
    #expect(runTool("tags", site.folder.path, "--swift", path).output == "wrote \(path): 29 tags\n")
    let lines = try output(of: Self.printTags, path, in: TemporaryFolder(), version: nil).split(
      separator: "\n")
    try expectTags(lines[0])
  }

  @Test func `constants say what a tag costs`() throws {
    let site = try AssetSite()
    let plain = runTool("tags", site.folder.path, "--swift", "-").output
    #expect(plain.contains("Sendable {\n  /// prefetch\n  case boss = \"Boss\"\n  /// initial install\n"))
    let run = runTool("tags", site.folder.path, "--swift", "-", "--sizes")
    #expect(
      run.output == """
        // Made by packtool; do not edit.

        /// The tags of the app's assets.
        enum AssetTag: String, CaseIterable, Sendable {
          /// 16 bytes, prefetch
          case boss = "Boss"
          /// 31 bytes, initial install
          case level1 = "Level 1"
          /// 16 bytes, on demand
          case level2 = "Level 2"
          /// 14 bytes, on demand
          case musik = "Musik"
        }

        """, "\(run.errors)")
    #expect(runTool("tags", site.folder.path).status == .usage)
    try site.folder.write("Manifest.json", "{}")
    #expect(
      runTool("tags", site.folder.path, "--swift", site.folder.path("x.swift")).status == .inputHasErrors)
    #expect(!FileManager.default.fileExists(atPath: site.folder.path("x.swift")))
  }

  /// If the new content of a file is the same as the old content, the file keeps its times.
  ///
  /// So nothing is compiled again.
  @Test func `constants are touched only by changes`() throws {
    let site = try AssetSite()
    let path = site.folder.path("Tags.swift")
    _ = runTool("tags", site.folder.path, "--swift", path)
    let inode = try site.inode("Tags.swift")
    _ = runTool("tags", site.folder.path, "--swift", path)
    #expect(try site.inode("Tags.swift") == inode)
  }
}
