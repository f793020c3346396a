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

  /// Reads a manifest, looks at its files, groups them into packs and holds the packs against all checks.
  ///
  /// - Parameters:
  ///   - argument: a manifest or the folder of one.
  ///   - output: where a build would write, which is never packed.
  ///   - profile: limits to check in place of those of the manifest's profile.
  ///   - jobs: how many threads work.
  /// - Throws: where the machine fails.
  package init(
    argument: String, output: OutputFolder? = nil, profile: LimitProfile? = nil, jobs: Int
  ) throws(SystemError) {
    path = ManifestReader.manifestPath(for: argument)
    let reader = try ManifestReader(argument: argument)
    var found = reader.diagnostics
    var manifest = reader.manifest
    if let profile { manifest?.limits.profile = profile }
    self.manifest = manifest
    var plan: PackPlan?
    if let manifest {
      let scan = try AssetScan(of: manifest, output: output?.identity, jobs: jobs)
      found += scan.diagnostics
      plan = scan.tree.map { PackPlan(grouping: $0, of: manifest) }
    }
    if let plan {
      let bundle = try AppBundleMeasure(of: plan.manifest, jobs: jobs)
      let input = PlanCheck.Input(plan: plan, appBundleSize: bundle.size)
      found += bundle.diagnostics + PlanCheck.all.flatMap { $0.find(input) }
      found += try ContentInspection(plan: plan).findings(jobs: jobs)
      found += try DuplicateContent(plan: plan).findings()
    }
    self.plan = plan
    diagnostics = found.ordered(manifest: path)
  }
}

extension Preparation {
  /// What is wrong with the folder that a build would write to.
  package func findings(about output: OutputFolder) -> [Diagnostic] {
    let place = Place(output.path)
    if let root = try? plan?.tree.root.status().identity, root == output.identity {
      let message =
        "the output folder is the root folder of the resources; choose another, such as \"build/packs\""
      return [Diagnostic(.outputIsRoot, message, at: place)]
    }
    if output.isForeign {
      let message =
        "\(quoted(joined(output.path, "index.json"))) was not written by packtool; choose another folder"
      return [Diagnostic(.foreignOutput, message, at: place)]
    }
    return []
  }
}

/// A plan turned into packs and an index.
package struct Build: Sendable {
  package let plan: PackPlan
  package let output: OutputFolder
  package let settings: PackSettings
  package let jobs: Int
  /// Whether packs stay that the new index does not name.
  package let keepsOld: Bool

  package init(
    of plan: PackPlan, into output: OutputFolder, settings: PackSettings, jobs: Int, keepsOld: Bool
  ) {
    self.plan = plan
    self.output = output
    self.settings = settings
    self.jobs = jobs
    self.keepsOld = keepsOld
  }

  /// Writes the packs beside the published ones, then publishes all by the rename of the index.
  ///
  /// The index is nil, and nothing is published, where files changed meanwhile. `progress` is told, from
  /// any thread, how many bytes more have been packed.
  package func run(
    progress: (@Sendable (Int64) -> Void)? = nil
  ) throws -> (index: Index?, diagnostics: [Diagnostic]) {
    try output.prepare()
    let job = PackJob(plan, settings, progress: progress)
    let queue = PackQueue(Array(plan.packs.indices), of: job, staging: output.stagingPath)
    let written = try queue.writeAll(jobs: jobs)
    guard job.diagnostics.isEmpty else {
      try output.clearStaging()
      return (nil, job.diagnostics)
    }
    var digests = Array(repeating: Digest.zero, count: plan.tree.files.count)
    var packs: [PublishedPack] = []
    for (number, pack) in plan.packs.enumerated() {
      guard let made = written[number] else { preconditionFailure("every pack is written") }
      for (file, digest) in zip(pack.files, made.fileDigests) { digests[file] = digest }
      packs.append(try output.publish(made, named: pack.identity.name, in: settings.container))
    }
    let contents = try output.publish(ContentsFormat(plan: plan, digests: digests))
    let index = Index(of: plan, packs: packs, contents: contents)
    try output.publish(index)
    try output.clearStaging()
    if !keepsOld { try output.removeOld(except: index) }
    return (index, [])
  }
}
