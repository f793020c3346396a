import Formats
@testable import Model
@testable import Pipeline
@testable import System
import Support
import Testing

/// Tests how manifests are found from other files and folders.
@Suite struct ManifestSourceTests {
  /// A manifest with the root `Assets`, whose only rule matches `Assets/Levels`.
  private func site() throws -> ScanSite {
    let site = try ScanSite("Levels/1", "Levels/deep/2", "Other/x")
    _ = try site.manifest([.path("Levels", "A")])
    try site.folder.write("code/a", "a")
    return site
  }

  /// Whether a path that was found is the one of the site's manifest.
  private func isManifest(_ path: String?, of site: ScanSite) throws -> Bool {
    guard let path else { return false }
    return try FileOperations.realPath(of: path)
      == FileOperations.realPath(of: site.folder.path("Manifest.json"))
  }

  @Test func `a manifest is found from its root and from the folders that it packs`() throws {
    let site = try site()
    func isPacked(_ folder: String) throws -> Bool {
      let found = try ManifestSource.manifest(packingFolder: site.folder.path(folder))
      #expect(try found == nil || isManifest(found, of: site))
      return found != nil
    }
    #expect(try isPacked("Assets") && isPacked("Assets/Levels") && isPacked("Assets/Levels/deep"))
    #expect(try !isPacked("Assets/Other") && !isPacked("code"))
    let roots = ["Assets", "Assets/Levels", "code", "Assets/Levels/1", "none"].map { site.folder.path($0) }
    #expect(try roots.map { try ManifestSource.isRoot($0) } == [true, false, false, false, false])
    // Without its root, the manifest packs nothing.
    try FileOperations.rename(site.folder.path("Assets"), to: site.folder.path("Files"))
    #expect(try !isPacked("Files") && !isPacked("code"))
  }

  @Test func `a manifest is found from the files that it packs`() throws {
    let site = try site()
    func found(_ file: String, excluding others: Set<FileIdentity> = []) throws -> String? {
      try ManifestSource.manifest(packing: site.folder.path(file), excluding: others)
    }
    #expect(try isManifest(found("Assets/Levels/1"), of: site))
    #expect(try isManifest(found("Assets/Levels/deep/2"), of: site))
    #expect(try found("Assets/Other/x") == nil && found("code/a") == nil)
    let own = try #require(try FileOperations.statusIfThere(site.folder.path("Manifest.json"))?.identity)
    #expect(try found("Assets/Levels/1", excluding: [own]) == nil)
    let other = try #require(try FileOperations.statusIfThere(site.folder.path("code/a"))?.identity)
    #expect(try isManifest(found("Assets/Levels/1", excluding: [other]), of: site))
    try site.folder.write("Assets/Manifest.json", "{}")
    #expect(try found("Assets/Levels/1") == nil)
  }

  @Test func `folders with a manifest and projects are sources`() throws {
    let site = try site()
    for folder in ["Game.xcodeproj", "commented"] { try site.folder.write("\(folder)/x", "") }
    try site.folder.write("commented/Manifest.jsonc", "{}")
    let folders = [".", "Game.xcodeproj", "commented", "code", "none"].map { site.folder.path($0) }
    #expect(
      try folders.map { try ManifestSource.isSource(folder: $0) } == [true, true, true, false, false])
  }

  @Test func `only arguments without a file are mistakes`() throws {
    let site = try site()
    #expect(ManifestSource.mistake(about: site.folder.path) == nil)
    #expect(ManifestSource.mistake(about: site.folder.path("Manifest.json")) == nil)
    let folder = try #require(ManifestSource.mistake(about: site.folder.path("code")))
    #expect(
      folder.names(site.folder.path("code/Manifest.json")) || folder.names(site.folder.path("code")),
      "\(folder)")
    // The hint for the root names its manifest, and the hint for a typo names the file that is near.
    let root = try #require(ManifestSource.mistake(about: site.folder.path("Assets")))
    #expect(root.names(site.folder.path("Assets")), "\(root)")
    let typo = try #require(ManifestSource.mistake(about: site.folder.path("Manifst.json")))
    #expect(typo.names(site.folder.path("Manifest.json")), "\(typo)")
  }

  @Test func `a text without mistakes gets its style unless it is too long`() throws {
    let site = try site()
    let path = site.folder.path("Manifest.json")
    let count = try site.folder.read("Manifest.json").count
    let right = try ManifestStyle(site.folder.path, maxTextSize: count)
    #expect(right.path == path && right.findings.isEmpty && right.otherKind == nil)
    let edited = try #require(right.edited)
    #expect(!edited.edits.isEmpty && edited.bytes != edited.text.bytes)
    #expect(right.remarks.map(\.check) == [.otherStyle])
    let long = try ManifestStyle(path, maxTextSize: count - 1)
    #expect(long.edited == nil && long.text != nil && long.remarks.isEmpty)
    #expect(long.findings.map(\.check) == [.jsonSyntax] && long.findings.map(\.place) == [Place(path)])
    // Mistakes are the only findings, and other mistakes than those of the syntax do not matter.
    try site.folder.write("Manifest.json", "{\n  \"resources\": [}\n")
    let wrong = try ManifestStyle(path)
    #expect(wrong.edited == nil && wrong.findings.map(\.check) == [.jsonSyntax])
    #expect(wrong.findings.map(\.place.position?.line) == [2])
    try site.folder.write("Manifest.json", "{\n  \"resources\": 1\n}\n")
    let other = try ManifestStyle(path)
    #expect(other.findings.isEmpty && other.remarks.isEmpty && other.otherKind == nil)
    let none = try ManifestStyle(site.folder.path("None.json"))
    #expect(none.text == nil && none.edited == nil && none.findings.count == 1)
  }

  @Test func `the schema is next to the manifest or in a folder above`() throws {
    let site = try site()
    try site.folder.write("code/deep/Manifest.json", "{}")
    let manifest = site.folder.path("code/deep/Manifest.json")
    let expected = [(nil, "Manifest.schema.json"), ("", "../../"), ("code/", "../"), ("code/deep/", "")]
    for (place, path) in expected {
      if let place { try site.folder.write("\(place)Manifest.schema.json", "{}") }
      let found = try schemaPath(relativeTo: manifest)
      let real = place == nil ? path : path + "Manifest.schema.json"
      #expect(found == real || found == "./\(real)", "\(found)")
    }
  }
}
