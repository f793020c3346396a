package import Findings

/// A check of a plan's files: of their names, tags and places inside packs.
package struct FileCheck: Sendable {
  /// What a check looks at.
  package struct Input: Sendable {
    package let plan: PackPlan
    /// Threads that a check may use.
    package let jobs: Int

    package init(plan: PackPlan, jobs: Int = 1) {
      self.plan = plan
      self.jobs = jobs
    }
  }

  /// The kinds of findings that it reports.
  package let kinds: [Check]
  /// All that the check finds in a plan.
  package let find: @Sendable (Input) -> [Diagnostic]

  package init(_ kinds: Check..., find: @escaping @Sendable (Input) -> [Diagnostic]) {
    self.kinds = kinds
    self.find = find
  }

  /// Every check of files that needs no look into them.
  package static let all: [FileCheck] = [tooManyTags] + paths
}

extension PackPlan {
  /// Where the manifest first gives one of these tags.
  package func place(ofTags tags: [String]) -> Place { ReleasePlaces(of: manifest).place(ofTags: tags) }

  /// The place of a file, as the user would type it.
  package func place(of file: AssetFile) -> Place { Place(joined(manifest.rootPath, file.path)) }
}
