@testable import Formats
@testable import Model
@testable import Packing
@testable import Pipeline
@testable import System
import Foundation
import Support
import Testing

/// A site with the app com.company.App.
struct XcodeSite {
  /// Returns the settings of a build whose entries have the time 2001-09-09 01:46:40.
  static func settings(
    _ layout: Layout, _ location: PackLocation = .app, hash: ContentHash = .modtime,
    sourceDate: Int64? = 1_000_000_000
  ) -> TestSettings {
    var choice = LayoutChoice(layout: layout)
    if case .prefix(let prefix) = location { choice.urlPrefix = prefix }
    choice.embedsPacks = location == .app
    choice.contentHash = hash
    return TestSettings(container: .zip, layout: choice, hasSourceDate: sourceDate != nil)
  }

  let site: ScanSite
  var folder: TemporaryFolder { site.folder }

  init(_ files: String...) throws {
    site = try ScanSite()
    for file in files { try site.write(file) }
  }

  func write(_ file: String, _ content: String) throws { try site.write(file, content) }

  func waitForClockTick() { site.waitForClockTick() }

  func writeManifest(_ rules: [TestRule], initial: [String] = []) throws {
    struct Text: Encodable {
      let bundleIdentifier = "com.company.App"
      let root = "Assets"
      let resources: [TestRule]
      let initialInstallTags: [String]
    }
    try folder.write(
      "Manifest.json", JSONEncoder().encode(Text(resources: rules, initialInstallTags: initial)))
  }

  @discardableResult
  func build(_ rules: [TestRule], _ settings: TestSettings, initial: [String] = []) throws -> BuildResult {
    try writeManifest(rules, initial: initial)
    let result = try site.request(settings).run(Policy())
    try #require(!result.decisions.isEmpty, "\(result.findings)")
    return result
  }

  func published() throws -> [String: Data] { try site.published() }

  func hex(_ name: String) throws -> String {
    try folder.read("out/\(name)").map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns the packs of a manifest.
  ///
  /// The manifest is read with Foundation.
  func resources(_ name: String = "AssetPackManifest.plist") throws -> [[String: Any]] {
    let list = try PropertyListSerialization.propertyList(from: try folder.read("out/\(name)"), format: nil)
    return try #require((list as? [String: Any])?["resources"] as? [[String: Any]])
  }

  func contentHash() throws -> String? {
    (try resources()[0]["primaryContentHash"] as? [String: String])?["hash"]
  }

  /// Returns the inodes and times of all published files.
  func stamps() throws -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    for name in try published().keys {
      stamps[name] = FileStamp(
        try FileOperations.status(of: folder.path("out/\(name)"), symlinks: .notFollowed))
    }
    return stamps
  }
}
