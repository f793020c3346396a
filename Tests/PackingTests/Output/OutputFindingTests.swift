@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// Tests which output folders a build refuses or warns about.
@Suite struct OutputFindingTests {
  private let site: ScanSite

  init() throws { site = try ScanSite("a/1", "b/2") }

  /// Returns the findings about an output folder, as the ids of checks and the values in messages.
  private func findings(
    _ output: String, _ layout: Layout = .packtool, scope: LayoutFiles.Scope = .whole,
    root: String = "Assets",
    readsFiles: Bool = true
  ) throws -> [String] {
    _ = try site.manifest([.path(root == "." ? "Assets/a" : "a", "A")], root: root)
    let prepared = try Preparation(Preparation.Request(argument: site.folder.path, jobs: 1))
    let path = output.contains("://") ? output : site.folder.path(output)
    let folder = OutputFolder(path, layout: layout)
    let found = try folder.findings(
      about: prepared.plan, root: readsFiles ? prepared.root : nil, scope: scope)
    #expect(found.allSatisfy { $0.place.path == folder.path || $0.place.path.hasPrefix("\(folder.path)/") })
    return found.map { "\($0.check.id) \($0.namedValues)".replacing("\(site.folder.path)/", with: "") }
  }

  @Test func `a new folder next to the root is right`() throws {
    #expect(try findings("out") == [] && findings("out/deep/er") == [] && findings("Assets2") == [])
    try FileOperations.makeFolder(site.folder.path("out"))
    for layout in Layout.allCases { #expect(try findings("out", layout) == []) }
    #expect(try findings("out", scope: .shard) == [])
  }

  @Test func `the root and folders in it are no output folders`() throws {
    #expect(try findings("Assets") == ["output-is-root \"build/packs\""])
    #expect(try findings("Assets/.") == ["output-is-root \"build/packs\""])
    #expect(try findings("Assets/out") == ["output-in-root \"Assets\""])
    #expect(try findings("Assets/out/deep") == ["output-in-root \"Assets\""])
    #expect(try findings("Assets/out", readsFiles: false) == [])
    #expect(try findings("Assets/out", scope: .shard) == [])
    try site.folder.link("link", to: "Assets/a")
    #expect(try findings("link/out") == ["output-in-root \"Assets\""])
    // The root is the folder of the manifest, so it is the folder of a project.
    #expect(try findings("out", root: ".") == [])
  }

  @Test func `a folder with sources is no output folder, unless it has a build`() throws {
    #expect(try findings(".") == ["output-in-root \"Manifest.json\" \"build/packs\""])
    #expect(try findings(".", readsFiles: false) == [] && findings(".", scope: .shard) == [])
    try site.write("inner/a/3", "3")
    // This folder has the root, but not the manifest.
    #expect(
      try findings("Assets", root: "Assets/inner") == ["output-in-root \"Assets/inner\" \"build/packs\""])
    for (name, layout) in [("tags.json", Layout.backgroundAssets), ("index.json", .packtool)] {
      try site.folder.write(
        name, #"{"formatVersion": 1, "tags": {}, "bundleIdentifier": "com.example.test", "packs": []}"#)
      try FileOperations.makeFolder(site.folder.path(layout == .packtool ? "packs" : "manifests"))
      #expect(try findings(".", layout) == [])
      try FileOperations.removeFile(site.folder.path(name))
    }
    try site.folder.write("shard.json", "{}")
    #expect(try findings(".").map { $0.prefix(14) } == ["foreign-output"])
  }

  @Test func `files and addresses are no folders`() throws {
    try site.folder.write("file", "")
    #expect(try findings("file") == ["foreign-output \"file\""])
    #expect(try findings("https://example.com/x") == ["foreign-output \"https://example.com/x\""])
  }

  @Test func `a build of another kind is not replaced`() throws {
    let marks: [(layout: Layout, marks: [String])] = [
      (.packtool, ["index.json", "packs/x"]), (.xcode, ["OnDemandResources/x"]),
      (.hosted, ["AssetPackManifest.plist"]), (.backgroundAssets, ["tags.json", "manifests/x"]),
    ]
    for (layout, files) in marks {
      try FileOperations.remove(site.folder.path("out"))
      for file in files {
        #expect(try Layout.found(in: OutputFolder(site.folder.path("out"))) == nil)
        try site.folder.write(
          "out/\(file)",
          #"{"formatVersion": 1, "tags": {}, "bundleIdentifier": "com.example.test", "packs": []}"#)
      }
      #expect(try Layout.found(in: OutputFolder(site.folder.path("out"))) == layout)
      for other in Layout.allCases {
        let expected = other == layout ? [] : ["foreign-output \"out\" \"\(layout.rawValue)\""]
        #expect(try findings("out", other) == expected, "\(layout) \(other)")
      }
    }
  }

  @Test func `a shard and a whole build do not replace each other`() throws {
    try site.folder.write("out/shard.json", "{}")
    #expect(try findings("out") == ["foreign-output \"out\""] && findings("out", scope: .shard) == [])
    try FileOperations.removeFile(site.folder.path("out/shard.json"))
    // For a shard, the folder of a whole build has the file that a build publishes last.
    let index = #"{"formatVersion": 1, "bundleIdentifier": "com.example.other", "packs": []}"#
    try site.folder.write("out/index.json", index)
    try FileOperations.makeFolder(site.folder.path("out/packs"))
    #expect(try findings("out") == ["foreign-output \"out\" \"com.example.other\" \"com.example.test\""])
    #expect(try findings("out", scope: .shard) == ["foreign-output \"out\""])
    let whole = OutputFolder(site.folder.path("out"))
    #expect(try whole.findings(about: nil, root: nil).isEmpty)
  }

  @Test func `files of other programs are not replaced`() throws {
    try site.folder.write("out/index.json", "{}")
    #expect(try findings("out") == ["foreign-output \"out/index.json\""])
    #expect(try findings("out", .xcode) == ["foreign-output \"out/index.json\""])
    #expect(try findings("out", .backgroundAssets) == [])
    try FileOperations.removeFile(site.folder.path("out/index.json"))
    try site.folder.write("out/packs", "")
    #expect(try findings("out").map { $0.prefix(13) } == ["unsafe-output"])
    #expect(try findings("out", .xcode) == [])
  }
}
