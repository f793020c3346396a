package import Archiving

/// A manifest followed as far as it leads: to a plan, with all that is wrong on the way.
package struct Preparation: Sendable {
  /// The manifest's path as the user would type it.
  package let path: String
  /// Nil where the manifest could not be read.
  package let manifest: Manifest?
  /// The manifest's text, also where it is none; nil where there is nothing to read.
  package let text: SourceText?
  /// Nil where there are no files to plan for.
  package let plan: PackPlan?
  /// In the order in which they are told.
  package let diagnostics: [Diagnostic]
  /// What the last build into the same output says of the plan's files; nil where it says nothing.
  let prior: PriorBuild?
  /// When files began to be looked at, as the file system tells time, in nanoseconds since 1970.
  let scanTime: Int64
  /// Whether the tagged files have been looked into; otherwise a build does so while it packs them.
  let isInspected: Bool
  package let timings = Timings()

  /// How far a manifest is followed.
  package enum Depth: Sendable {
    /// To the plan: for who wants to know what is in which pack.
    case plan
    /// To all checks but those that look into files, which a build does while it packs them.
    case checks
    /// To all checks.
    case files
  }

  /// What a command line says of how a manifest is taken.
  package struct Choices: Sendable {
    /// Limits to check in place of those of the manifest's profile.
    var profile: LimitProfile?
    /// Budgets to hold in place of those of the manifest that have the same name.
    var budgets: Budgets
    /// What is meant where the argument is a project of Xcode's.
    var project: ProjectChoice
    /// The hold on the output folder under which what the last build there knew may spare looks into files; nil
    /// where nothing of it may.
    var claim: OutputClaim?
    var depth: Depth

    package init(
      profile: LimitProfile? = nil, budgets: Budgets = Budgets(), project: ProjectChoice = ProjectChoice(),
      claim: OutputClaim? = nil, depth: Depth = .files
    ) {
      self.profile = profile
      self.budgets = budgets
      self.project = project
      self.claim = claim
      self.depth = depth
    }
  }

  /// Reads a manifest, looks at its files, groups them into packs and holds the packs against all checks.
  ///
  /// `argument` is a manifest, the folder of one, or a project of Xcode's; `output` is where a build would write,
  /// which is never packed.
  package init(
    argument: String, output: OutputFolder? = nil, choices: Choices = Choices(), jobs: Int
  ) throws(SystemError) {
    scanTime = ThisProcess.fileTime
    let isProject = XcodeImporter.isProject(argument)
    path =
      try isProject ? XcodeImporter.projectPath(for: argument) : ManifestReader.manifestPath(for: argument)
    var (manifest, found, text) = try timings.measure(.readManifest) { () throws(SystemError) in
      try isProject
        ? XcodeImporter(argument: argument, choices.project).result
        : ManifestReader(argument: argument).result
    }
    if let profile = choices.profile { manifest?.limits.profile = profile }
    manifest?.budgets.replace(by: choices.budgets)
    self.manifest = manifest
    self.text = text
    var plan: PackPlan?
    var prior: PriorBuild?
    // Files of another folder than the one that is meant would be missed or found for nothing.
    if let manifest, !manifest.isRootUnknown {
      let scan = try timings.measure(.scan) { () throws(SystemError) in
        try AssetScan(of: manifest, output: try output?.identity, jobs: jobs)
      }
      found += scan.diagnostics
      plan = timings.measure(.plan) { scan.tree.map { PackPlan(grouping: $0, of: manifest) } }
    }
    if let plan, choices.depth != .plan {
      prior = choices.claim.flatMap { PriorBuild(of: plan, under: $0) }
      let prior = prior
      found += try timings.measure(.check) { () throws(SystemError) in
        try Self.findings(about: plan, prior, jobs: jobs)
          + (choices.depth == .files ? Self.inspection(of: plan, prior, jobs: jobs) : [])
      }
    }
    self.plan = plan
    self.prior = prior
    isInspected = choices.depth == .files
    diagnostics = found.ordered(manifest: path)
  }

  /// All that the checks of a plan find.
  private static func findings(
    about plan: PackPlan, _ prior: PriorBuild?, jobs: Int
  ) throws(SystemError) -> [Diagnostic] {
    let bundle = try AppBundleMeasure(of: plan.manifest)
    let input = PlanCheck.Input(plan: plan, appBundleSize: bundle.size, jobs: jobs)
    return try bundle.diagnostics + PlanCheck.all.flatMap { $0.find(input) }
      + DuplicateContent(plan: plan, prior: prior).findings(jobs: jobs)
  }

  /// What a look into the tagged files finds, but into those in which the last build found nothing.
  private static func inspection(
    of plan: PackPlan, _ prior: PriorBuild?, jobs: Int
  ) throws(SystemError) -> [Diagnostic] {
    let files = plan.tree.files.indices.filter { prior?.file($0)?.isRemarkable ?? true }
    return try ContentInspection(plan: plan, files: files).findings(jobs: jobs)
  }

  /// What a look into the tagged files finds, where that has been left to a build that will not be.
  package func findingsInFiles(jobs: Int) throws(SystemError) -> [Diagnostic] {
    guard let plan, !isInspected else { return [] }
    return try timings.measure(.check) { () throws(SystemError) in
      try Self.inspection(of: plan, prior, jobs: jobs)
    }
  }
}

extension Preparation {
  /// What is wrong with the folder that a build would write to.
  package func findings(about output: OutputFolder) throws(SystemError) -> [Diagnostic] {
    let place = Place(output.path)
    if let root = try plan?.tree.root.status().identity, root == (try output.identity) {
      let message =
        "the output folder is the root folder of the resources; choose another, such as \"build/packs\""
      return [Diagnostic(.outputIsRoot, message, at: place)]
    }
    if try output.isFile {
      return [
        Diagnostic(.foreignOutput, "\(quoted(output.path)) is a file; choose a folder to write to", at: place)
      ]
    }
    if let other = try output.otherLayout {
      let message =
        "\(quoted(output.path)) holds a build in the layout \(quoted(other.rawValue)); choose another folder"
      return [Diagnostic(.foreignOutput, message, at: place)]
    }
    if try output.isForeign {
      let message = "\(quoted(output.indexPath)) was not written by packtool; choose another folder"
      return [Diagnostic(.foreignOutput, message, at: place)]
    }
    let unsafe = try output.unsafeParts
    if !unsafe.isEmpty { return unsafe.map(\.diagnostic) }
    return plan.map { $0.clashes(withFilesOf: output.layout) } ?? []
  }
}
