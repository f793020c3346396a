package import Findings
package import Formats
package import PackKit
package import System

/// A manifest, its files, the plan made of them, and every finding so far.
package struct Preparation: Sendable {
  /// The manifest's path as the user would type it.
  package let path: String
  /// Nil where the manifest could not be read.
  package let manifest: Manifest?
  /// The text that was read, even if it is no valid manifest; nil if there is no file.
  package let text: SourceText?
  /// Nil where there are no files to plan for.
  package let plan: PackPlan?
  /// The open root folder; nil where there is no plan.
  package let root: Folder?
  /// Findings of reading and scanning; no check has been run.
  package let diagnostics: [Diagnostic]
  /// When files began to be looked at, as the file system tells time, in nanoseconds since 1970.
  package let scanTime: Int64

  /// What is prepared, and what a command line changes about it.
  package struct Request: Sendable {
    /// A manifest, the folder of one, or a project.
    package var argument: String
    /// What is meant where the argument is a project of Xcode's.
    package var project: ProjectChoice
    /// Limits to check in place of those of the manifest's profile.
    package var profile: LimitProfile?
    /// Budgets in place of those of the manifest that have the same name.
    package var budgets: Budgets
    /// Threads that work.
    package var jobs: Int

    package init(
      _ argument: String, project: ProjectChoice = ProjectChoice(), profile: LimitProfile? = nil,
      budgets: Budgets = Budgets(), jobs: Int
    ) {
      self.argument = argument
      self.project = project
      self.profile = profile
      self.budgets = budgets
      self.jobs = jobs
    }
  }

  /// Reads a manifest, looks at its files and groups them into packs.
  ///
  /// `output` is the folder that a build writes to, which is never packed; `timings` is told how long each step took.
  ///
  /// - Throws: where the machine fails; what is wrong with the input is a finding.
  package init(
    _ request: Request, leavingOut output: FileIdentity? = nil, timings: Timings = Timings()
  ) throws(SystemError) {
    scanTime = ThisProcess.fileTime
    let source = ManifestSource(argument: request.argument)
    path = try source.path(for: request.argument)
    let reading = try timings.measure(.readManifest) { () throws(SystemError) in
      try source.read(request.argument, request.project)
    }
    text = reading.text
    manifest = reading.manifest.map { manifest in
      var manifest = manifest
      if let profile = request.profile { manifest.limits.profile = profile }
      manifest.budgets.replace(by: request.budgets)
      return manifest
    }
    // Files of another folder than the one that is meant would be missed or found for nothing.
    guard let manifest, !manifest.isRootUnknown else {
      plan = nil
      root = nil
      diagnostics = reading.findings
      return
    }
    let scan = try timings.measure(.scan) { () throws(SystemError) in
      try AssetScan(of: manifest, output: output, jobs: request.jobs)
    }
    plan = timings.measure(.plan) { scan.tree.map { PackPlan(grouping: $0, of: manifest) } }
    root = scan.root
    diagnostics = reading.findings + scan.diagnostics
  }

  /// The checks of the plan; nil where there is none.
  package func checks(known: KnownFiles = .nothing, jobs: Int) -> PlanChecks? {
    guard let plan, let root else { return nil }
    return PlanChecks(of: plan, root: root, known: known, jobs: jobs)
  }
}
