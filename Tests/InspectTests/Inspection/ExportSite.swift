@testable import Formats
@testable import Inspect
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// A build in an Apple layout.
///
/// Tests can change the lists and packs of the build.
struct ExportSite {
  /// The keys and values of a property list.
  typealias List = [String: Any]

  let site: ScanSite
  var folder: TemporaryFolder { site.folder }
  var path: String { folder.path("out") }

  static let manifest = "AssetPackManifest.plist"
  static let tags = "OnDemandResources.plist"

  /// Builds two packs.
  ///
  /// The pack of the tag A has a file in a folder and a file at the top level; the pack of B has one file.
  init(_ layout: Layout = .xcode) throws {
    site = try ScanSite("a/deep/1", "2", "b")
    var choice = LayoutChoice(layout: layout)
    if layout == .hosted { choice.urlPrefix = "https://x.y/" } else { choice.embedsPacks = true }
    try site.build(
      [.path("a", "A"), .path("2", "A"), .path("b", "B")],
      TestSettings(container: .zip, layout: choice, hasSourceDate: true))
    try FileOperations.remove(folder.path("out/.packtool"))
  }

  /// Returns the identifier of the pack with the given tags.
  func identifier(_ tags: String...) -> String {
    PackIdentity(tags: tags, bundleIdentifier: "com.example.test").identifier
  }

  /// Returns the path of the pack with the given tags, relative to the folder of the site.
  func pack(_ tags: String..., in packs: String = "out/OnDemandResources") -> String {
    "\(packs)/\(PackIdentity(tags: tags, bundleIdentifier: "com.example.test").name).assetpack"
  }

  /// Changes a property list.
  func edit(_ path: String, _ change: (inout List) throws -> Void) throws {
    let bytes = try folder.read(path)
    var list = try #require(try PropertyListSerialization.propertyList(from: bytes, format: nil) as? List)
    try change(&list)
    try write(list, to: path)
  }

  func write(_ list: List, to path: String) throws {
    try folder.write(
      path, try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0))
  }

  /// Changes the manifest's resource for the pack with the tag A.
  func editResource(_ change: (inout List) -> Void) throws {
    let key = identifier("A")
    try edit("out/\(Self.manifest)") { list in
      var resources = list["resources"] as? [List] ?? []
      let number = try #require(resources.firstIndex { $0["bundleKey"] as? String == key })
      change(&resources[number])
      list["resources"] = resources
    }
  }

  /// Moves the lists into the app `Build/App.app`, and the packs to a folder next to the app.
  func moveIntoApp(identifier: String) throws {
    try FileOperations.makeFolder(folder.path("Build/App.app"))
    for list in [Self.manifest, Self.tags] {
      try FileOperations.rename(folder.path("out/\(list)"), to: folder.path("Build/App.app/\(list)"))
    }
    try FileOperations.rename(
      folder.path("out/OnDemandResources"), to: folder.path("Build/OnDemandResources"))
    try write(["CFBundleIdentifier": identifier], to: "Build/App.app/Info.plist")
  }

  /// Returns the findings as `file: severity [check] values`, with short names for the identifiers of the
  /// packs.
  func findings(at path: String = "out") throws -> [String] {
    try XcodeExport(folder.path(path), jobs: 1).diagnostics.map { finding in
      var text = "\(finding.place.path): \(finding.facts)".replacing("\(folder.path)/", with: "")
      for tag in ["A", "B"] {
        let identity = PackIdentity(tags: [tag], bundleIdentifier: "com.example.test")
        text = text.replacing("\(identity.name).assetpack", with: "PACK-\(tag)")
          .replacing(identity.identifier, with: "ID-\(tag)")
      }
      return text
    }
  }

  /// Checks that exactly the given findings are reported.
  func expect(
    _ expected: [String], at path: String = "out", what: String = "",
    in location: SourceLocation = #_sourceLocation
  ) throws {
    let found = try findings(at: path)
    #expect(found == expected, "\(what)", sourceLocation: location)
  }
}
