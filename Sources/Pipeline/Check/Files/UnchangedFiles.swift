package import System

/// The results of an earlier build for a plan's files, which are given by their index in the tree.
package struct UnchangedFiles: Sendable {
  /// Returns the digest of a file; nil if the file is new or might have changed.
  package let digest: @Sendable (Int) -> Digest?
  /// Returns whether an earlier inspection found a problem in the file; nil if the file's current contents
  /// have not been inspected.
  package let hasContentFinding: @Sendable (Int) -> Bool?

  /// Whether nothing is known about any file.
  ///
  /// Callers then do not need to ask for each file.
  private(set) var isNothing = false

  /// No results, for a run without an earlier build.
  package static let nothing = {
    var nothing = UnchangedFiles(digest: { _ in nil }, hasContentFinding: { _ in nil })
    nothing.isNothing = true
    return nothing
  }()

  package init(
    digest: @escaping @Sendable (Int) -> Digest?, hasContentFinding: @escaping @Sendable (Int) -> Bool?
  ) {
    self.digest = digest
    self.hasContentFinding = hasContentFinding
  }

  /// Returns a function like `digest` that also knows the digests of the files that a plan's pointers represent.
  package func digests(of plan: PackPlan) -> @Sendable (Int) -> Digest? {
    { plan.tree.files[$0].pointer?.digest ?? digest($0) }
  }
}
