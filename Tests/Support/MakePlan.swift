import Formats
package import Model
package import Pipeline
import System

/// A file of a plan.
///
/// It does not exist on a disk.
package struct PlannedFile {
  package let path: String
  package let tags: [String]
  package var size: Int64 = 1
  package var destination: String?

  package init(_ path: String, _ tags: [String], size: Int64 = 1, destination: String? = nil) {
    self.path = path
    self.tags = tags
    self.size = size
    self.destination = destination
  }
}

/// The size of the app in the manifests of tests.
///
/// Without this size, there would be notes that list the limits that were not checked.
package let sizeOfTestApp: Int64 = 1_000_000

/// Plans packs for the given files, in the given order.
///
/// The files do not exist on a disk.
package func makePlan(
  _ files: [PlannedFile], initial: [String] = [], prefetch: [String] = [],
  bundleIdentifier: String = "com.example.game"
) throws -> PackPlan {
  var manifest = Manifest(text: SourceText(path: "Manifest.json", bytes: []), folder: ".")
  manifest.bundleIdentifier = bundleIdentifier
  manifest.appBundle = .size(sizeOfTestApp)
  manifest.initialInstallTags = initial.map { Located($0, at: 0) }
  manifest.prefetchTagOrder = prefetch.map { Located($0, at: 0) }
  return try makePlan(files, manifest)
}

package func makePlan(_ files: [PlannedFile], _ manifest: Manifest) throws -> PackPlan {
  let stamp = FileStamp(try FileOperations.status(of: "/", symlinks: .followed))
  var tagSets = TagSets(of: files.flatMap(\.tags))
  let assets = files.map { file in
    AssetFile(
      path: file.path, size: file.size, stamp: stamp, tagSet: tagSets.id(of: file.tags),
      destination: file.destination)
  }
  return PackPlan(grouping: AssetTree(files: FileList(assets), tagSets: tagSets), of: manifest)
}

/// Plans packs for files.
///
/// There is one file for each tag set.
package func makePlan(of sets: [[String]], initial: [String] = [], prefetch: [String] = []) throws -> PackPlan
{
  let files = sets.enumerated().map { PlannedFile("file\($0)", $1) }
  return try makePlan(files, initial: initial, prefetch: prefetch)
}

extension PackPlan {
  /// Returns the tag sets of all packs that have the given delivery mode, in the order in which devices
  /// download the packs.
  package func tagSets(of delivery: Delivery) -> [[String]] { order(of: delivery).map { packs[$0].tags } }
}
