package import Findings
package import System

/// What is known of a plan's files from an earlier look, by their number in the tree.
package struct KnownFiles: Sendable {
  /// A file's digest; nil where the file is new, or may have changed.
  package let digest: @Sendable (Int) -> Digest?
  /// Whether inspecting the file found something; nil where it was not inspected as it is now.
  package let hasContentFinding: @Sendable (Int) -> Bool?

  /// Nothing is known.
  package static let nothing = KnownFiles(digest: { _ in nil }, hasContentFinding: { _ in nil })

  package init(
    digest: @escaping @Sendable (Int) -> Digest?, hasContentFinding: @escaping @Sendable (Int) -> Bool?
  ) {
    self.digest = digest
    self.hasContentFinding = hasContentFinding
  }
}

/// All checks of a plan.
package struct PlanChecks: Sendable {
  private let plan: PackPlan
  private let root: Folder
  private let known: KnownFiles
  private let jobs: Int

  /// The checks of a plan whose files lie below an open root folder.
  package init(of plan: PackPlan, root: Folder, known: KnownFiles = .nothing, jobs: Int) {
    self.plan = plan
    self.root = root
    self.known = known
    self.jobs = jobs
  }

  /// What is wrong with the plan, as far as that shows without inspecting contents.
  package func findings() throws(SystemError) -> [Diagnostic] {
    let bundle = try AppBundleMeasure(of: plan.manifest)
    let input = PackCheck.Input(
      release: Release(of: plan), limits: plan.manifest.limits, budgets: plan.manifest.budgets,
      appBundleSize: bundle.size, places: ReleasePlaces(of: plan.manifest)
    ) { [plan] in plan.split(ofPack: $0, limit: $1) }
    let files = FileCheck.Input(plan: plan, jobs: jobs)
    return try bundle.diagnostics + PackCheck.all.flatMap { $0.find(input) }
      + FileCheck.all.flatMap { $0.find(files) }
      + DuplicateContent(plan: plan, root: root, known: known.digest).findings(jobs: jobs)
  }

  /// What inspecting the files finds, but those in which an earlier inspection found nothing.
  package func contentFindings() throws(SystemError) -> [Diagnostic] {
    try ContentInspection(
      of: plan.tree.files.indices.filter { known.hasContentFinding($0) ?? true }, in: plan, root: root
    ).findings(jobs: jobs).map(\.finding)
  }
}
