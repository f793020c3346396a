import Formats
@testable import Model
@testable import Pipeline
import Foundation
import Support

/// A folder whose files are variants, and the results of a scan.
struct VariantSite {
  let site: ScanSite

  init(_ files: String...) throws {
    site = try ScanSite()
    for file in files { try site.write(file) }
  }

  /// Writes a set of a catalog: its entries and all files to which the entries refer.
  func write(set path: String, _ list: String = "images", _ entries: String...) throws {
    try site.write("\(path)/Contents.json", #"{"\#(list)": [\#(entries.joined(separator: ","))]}"#)
    for entry in entries {
      for match in entry.matches(of: /"filename": ?"([^"]*)"/) { try site.write("\(path)/\(match.output.1)") }
    }
  }

  /// Returns the plan for the rules and all findings except those about empty files.
  ///
  /// The rules are JSON.
  func plan(
    _ rules: String = #"{"glob": "**", "tags": ["A"]}"#, _ members: String = ""
  ) throws -> (plan: PackPlan, findings: [Diagnostic]) {
    try site.folder.write(
      "Manifest.json",
      #"{"bundleIdentifier": "com.example.test", "root": "Assets", "resources": [\#(rules)]\#(members)}"#)
    let reader = try ManifestReader(argument: site.folder.path)
    guard let manifest = reader.manifest, !reader.diagnostics.hasErrors else {
      throw SiteFailure(description: reader.diagnostics.map(\.message).joined(separator: "\n"))
    }
    let scan = try AssetScan(of: manifest, leavingOut: nil, jobs: 2)
    guard var tree = scan.tree, let root = scan.root else { throw SiteFailure(description: "no tree") }
    let variants = try VariantScan(of: tree, manifest: manifest, root: root, jobs: 2)
    tree.variants = variants.variants
    let plan = PackPlan(grouping: tree, of: manifest)
    let input = FileCheck.Input(
      plan: plan, devices: manifest.deviceClasses(hasVariants: !tree.variants.isEmpty))
    return (plan, scan.diagnostics + variants.diagnostics + FileCheck.all.flatMap { $0.find(input) })
  }

  /// Returns the findings as lines, without the path of the folder.
  ///
  /// The note about uncompiled catalogs is left out, because it is reported for every folder with a catalog.
  func lines(_ findings: [Diagnostic]) -> [String] {
    findings.filter { $0.check != .uncompiledCatalog }.map { finding in
      let place = finding.place.position.map { ":\($0.line):\($0.column)" } ?? ""
      let path = finding.place.path.replacingOccurrences(of: "\(site.folder.path)/", with: "")
      return "\(path)\(place): \(finding.facts)"
    }
  }
}

extension PackPlan {
  /// Returns the sorted paths of the files for a device class or a product.
  func files(for device: String) throws -> [String] {
    guard let device = DeviceClass.named(device) else { throw SiteFailure(description: device) }
    let slice = thinned(for: device)
    return slice.packs.flatMap(\.files).map { slice.tree.files[$0].path }.sorted { $0.precedesInBytes($1) }
  }
}

/// The devices are a phone with 3x, 8 GB and P3; a phone with 2x, 1 GB and sRGB; an iPad with 1x; and an iPad
/// with 2x and P3.
let (newPhone, oldPhone, oldPad, newPad) = ("iPhone17,1", "iPhone7,2", "iPad2,1", "iPad13,4")
