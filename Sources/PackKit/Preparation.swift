package import Archiving

/// A manifest followed as far as it leads: to a plan, with all that is wrong on the way.
package struct Preparation: Sendable {
  /// The manifest's path as the user would type it.
  package let path: String
  /// Nil where the manifest could not be read.
  package let manifest: Manifest?
  /// Nil where there are no files to plan for.
  package let plan: PackPlan?
  /// In the order in which they are told.
  package let diagnostics: [Diagnostic]
  /// What the last build into the same output says of the plan's files; nil where it says nothing.
  let prior: PriorBuild?
  /// When files began to be looked at, as the file system tells time, in nanoseconds since 1970.
  let scanTime: Int64
  package let timings = Timings()

  /// Reads a manifest, looks at its files, groups them into packs and holds the packs against all checks.
  ///
  /// - Parameters:
  ///   - argument: a manifest or the folder of one.
  ///   - output: where a build would write, which is never packed.
  ///   - usesCache: whether what the last build into `output` knew may spare looks into files.
  ///   - profile: limits to check in place of those of the manifest's profile.
  ///   - budgets: budgets to hold in place of those of the manifest that have the same name.
  ///   - isChecked: whether the plan is held against all checks, for which every file is opened.
  ///   - jobs: how many threads work.
  /// - Throws: where the machine fails.
  package init(
    argument: String, output: OutputFolder? = nil, usesCache: Bool = true, profile: LimitProfile? = nil,
    budgets: Budgets = Budgets(), isChecked: Bool = true, jobs: Int
  ) throws(SystemError) {
    scanTime = ThisProcess.fileTime
    path = ManifestReader.manifestPath(for: argument)
    let reader = try timings.measure(.readManifest) { () throws(SystemError) in
      try ManifestReader(argument: argument)
    }
    var found = reader.diagnostics
    var manifest = reader.manifest
    if let profile { manifest?.limits.profile = profile }
    manifest?.budgets.replace(by: budgets)
    self.manifest = manifest
    var plan: PackPlan?
    var prior: PriorBuild?
    if let manifest {
      let scan = try timings.measure(.scan) { () throws(SystemError) in
        try AssetScan(of: manifest, output: output?.identity, jobs: jobs)
      }
      found += scan.diagnostics
      plan = timings.measure(.plan) { scan.tree.map { PackPlan(grouping: $0, of: manifest) } }
    }
    if let plan, isChecked {
      if let output, usesCache { prior = PriorBuild(of: plan, in: output) }
      let prior = prior
      found += try timings.measure(.check) { () throws(SystemError) in
        try Self.findings(about: plan, prior, jobs: jobs)
      }
    }
    self.plan = plan
    self.prior = prior
    diagnostics = found.ordered(manifest: path)
  }

  /// All that the checks of a plan find.
  private static func findings(
    about plan: PackPlan, _ prior: PriorBuild?, jobs: Int
  ) throws(SystemError) -> [Diagnostic] {
    let bundle = try AppBundleMeasure(of: plan.manifest, jobs: jobs)
    let input = PlanCheck.Input(plan: plan, appBundleSize: bundle.size)
    return try bundle.diagnostics + PlanCheck.all.flatMap { $0.find(input) }
      + ContentInspection(plan: plan, prior: prior).findings(jobs: jobs)
      + DuplicateContent(plan: plan, prior: prior).findings()
  }
}

extension Preparation {
  /// The files that a look into them found something to say of: the next build looks again.
  var remarkablePaths: Set<String> {
    let checks: Set<Check> = [.executableContent, .lfsPointer]
    return Set(diagnostics.filter { checks.contains($0.check) }.map(\.place.path))
  }

  /// What is wrong with the folder that a build would write to.
  package func findings(about output: OutputFolder) -> [Diagnostic] {
    let place = Place(output.path)
    if let root = try? plan?.tree.root.status().identity, root == output.identity {
      let message =
        "the output folder is the root folder of the resources; choose another, such as \"build/packs\""
      return [Diagnostic(.outputIsRoot, message, at: place)]
    }
    if output.isFile {
      return [
        Diagnostic(.foreignOutput, "\(quoted(output.path)) is a file; choose a folder to write to", at: place)
      ]
    }
    if output.isForeign {
      let message =
        "\(quoted(joined(output.path, "index.json"))) was not written by packtool; choose another folder"
      return [Diagnostic(.foreignOutput, message, at: place)]
    }
    return []
  }
}
