import Findings
import Formats
import PackKit
import System

/// The check of the files in packs against the sub-paths that OnDemandResources.plist gives for each pack.
///
/// A sub-path is a file or a folder. Of what Xcode builds instead of copying it, it gives the folder of the product: ""
/// at the top of the pack, or `de.lproj`.
struct SubPathCheck {
  /// All findings.
  var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()

  init(of export: XcodeExport, _ variants: [String: [PackListing]]) {
    guard let list = export.lists[PublishedNames.onDemandResources] else { return }
    let all = list["NSBundleResourceRequestAssetPacks"]?.members ?? [:]
    for (identifier, packs) in variants.sorted(by: { $0.key < $1.key }) {
      for pack in packs { check(pack, against: Set(all[identifier]?.strings ?? [])) }
    }
  }

  private mutating func check(_ pack: PackListing, against said: Set<String>) {
    var covering: Set<String> = []
    for folder in pack.folders {
      if let cover = Self.cover(of: folder, in: said) { covering.insert(cover) }
    }
    for file in pack.contents {
      if let cover = Self.cover(of: file.path, in: said) {
        covering.insert(cover)
      } else if file.path != "Assets.car" {
        report(
          "the pack has the file \(quoted(file.path)), which OnDemandResources.plist does not name", pack)
      }
    }
    for missing in said.subtracting(covering).sorted() {
      report("the pack lacks \(quoted(missing)), which OnDemandResources.plist names", pack)
    }
  }

  /// The sub-path that names a file, or a folder that contains it.
  private static func cover(of path: String, in said: Set<String>) -> String? {
    let folders = foldersAbove(path)
    if let cover = ([path] + folders).first(where: said.contains) { return cover }
    let isLocalized = (folders.first ?? path).hasSuffix(".lproj")
    return !isLocalized && said.contains("") ? "" : nil
  }

  private mutating func report(_ message: String, _ pack: PackListing) {
    findings.add(Diagnostic(.wrongContents, message, at: Place(pack.path)))
  }
}
