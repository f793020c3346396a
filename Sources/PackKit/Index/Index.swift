package import Archiving

/// Models `index.json`: what an app or a server needs to know of a build.
package struct Index: Sendable {
  /// What the file is called in its folder.
  static let name = "index.json"

  package let plan: PackPlan
  /// What was written for each pack of the plan; nil for a plan that is not built.
  package let packs: [PublishedPack]?
  /// The list of all files; nil for a plan that is not built, and in Xcode's layouts.
  package let contents: PublishedFile?

  /// The index of what would be built.
  package init(planned plan: PackPlan) {
    self.plan = plan
    packs = nil
    contents = nil
  }

  /// The index of what was built, the packs in the plan's order.
  init(of plan: PackPlan, packs: [PublishedPack], contents: PublishedFile? = nil) {
    self.plan = plan
    self.packs = packs
    self.contents = contents
  }
}

/// A file of a build that its index names.
package struct PublishedFile: Sendable {
  /// Relative to the folder of the index.
  package let path: String
  package let file: WrittenFile
}

/// A pack of a build.
package struct PublishedPack: Sendable {
  /// The digest of the contents.
  package let digest: Digest
  package let archive: PublishedFile
}
