package import Formats
package import Model
package import System

/// A manifest, its files, the plan that was made from them, and all findings so far.
package struct Preparation: Sendable {
  /// The manifest's path as the user would type it.
  package let path: String
  /// The manifest; nil if the manifest file could not be read.
  package let manifest: Manifest?
  /// The text of the manifest, even if it is not a valid manifest; nil if the file does not exist.
  package let text: SourceText?
  /// The plan for all devices; nil if the files could not be scanned.
  package let plan: PackPlan?
  /// The slice of the requested device class; the whole plan if no device class was requested.
  package let slice: PackPlan?
  /// The device classes for which limits are checked.
  package let devices: [DeviceClass]
  /// The open root folder; nil if there is no plan.
  package let root: Folder?
  /// Findings from reading the manifest and scanning its files.
  package private(set) var scanDiagnostics: [Diagnostic]
  /// Findings about the contents of the plan's files; empty if the caller inspects the contents.
  package private(set) var contentDiagnostics: [Diagnostic] = []
  /// All findings so far: those from reading and scanning, and those about contents.
  ///
  /// No check of the plan has run yet.
  package var diagnostics: [Diagnostic] { scanDiagnostics + contentDiagnostics }
  /// The time at which the scan began, from the clock of the file system, in nanoseconds since 1970.
  package let scanTime: Int64
  /// The counter for the bytes of assets that checks and packing read.
  package let readCounter = ReadCounter()
  /// Whether a pointer is treated like the file that it represents.
  package let acceptsPointers: Bool
  private let hasOwnLimits: Bool

  /// The code that inspects the files for content that must not be in a pack, such as secret keys and
  /// pointers.
  ///
  /// Both inspectors inspect the same files and report the same findings, so every command reports the same
  /// problems.
  package enum Inspector: Sendable {
    /// The preparation inspects the files and reads only the first bytes of each file.
    case preparation
    /// The caller inspects the files, because it reads whole files, or because it has another preparation of
    /// the same manifest.
    case caller
  }

  /// The source of the manifest, and the values with which the command line overrides it.
  package struct Request: Sendable {
    /// A manifest, a folder with a manifest, or a project.
    package var argument: String
    /// The target and configuration, if the argument is an Xcode project.
    package var project: ProjectChoice
    /// The limit profile that overrides the manifest's profile.
    package var profile: LimitProfile?
    /// The severities of checks, by the check's id.
    ///
    /// They override the manifest's severities. If the severity of a check is `ignore`, the check reads no
    /// files.
    package var severities: [String: SeverityChoice] = [:]
    /// Budgets that override the manifest's budgets.
    package var budgets: Budgets
    /// The device class to plan for; nil to plan for all devices.
    package var device: DeviceClass?
    /// Whether a pointer is treated like the file that it represents.
    package var acceptsPointers = false
    /// The properties of the layout that affect the results of checks.
    package var layoutRules = LayoutCapabilities()
    /// The code that inspects the contents of the files.
    package var inspector = Inspector.preparation
    /// The share of the release that the manifest describes.
    package var scope = ManifestScope.release
    /// The number of threads to use.
    package var jobs: Int
    /// The number of threads to use for reading folders.
    package var scanJobs: Int
    /// Whether untagged files are listed individually instead of only counted.
    package var listsUntagged = false
    /// Whether each file without tags is a finding.
    package var reportsUntagged = false

    package init(
      argument: String, project: ProjectChoice = ProjectChoice(), profile: LimitProfile? = nil,
      budgets: Budgets = Budgets(), jobs: Int, scanJobs: Int? = nil
    ) {
      self.argument = argument
      self.project = project
      self.profile = profile
      self.budgets = budgets
      self.jobs = jobs
      self.scanJobs = scanJobs ?? jobs
    }
  }

  /// Reads a manifest, scans its files and groups them into packs.
  ///
  /// `output` is the folder that a build writes to. It is never packed. `timings` records the duration of
  /// each step.
  ///
  /// - Throws: if the system fails. Mistakes in the input are not thrown; they are findings.
  package init(
    _ request: Request, leavingOut output: FileIdentity? = nil, timings: Timings = Timings()
  ) throws(SystemError) {
    let scanTime = ThisProcess.fileTime
    let source = ManifestSource(argument: request.argument)
    let path = try source.path(for: request.argument)
    let reading = try timings.measure(.readManifest) { () throws(SystemError) in
      var project = request.project
      project.root = project.root ?? RunScope.current.root
      return try source.read(request.argument, choice: project, scope: request.scope)
    }
    try self.init(
      request, of: reading, from: source, at: path, since: scanTime, leavingOut: output, timings: timings)
    // A fix is an edit of a manifest's JSON text, so it cannot be applied to an Xcode project.
    if source == .xcodeProject { scanDiagnostics = scanDiagnostics.map(\.withoutFix) }
  }

  /// Scans the files of a manifest that has already been read, and groups them into packs.
  ///
  /// `path` is the manifest's path in messages. `scanTime` is a time before the first file was read.
  init(
    _ request: Request, of reading: ManifestSource.Reading, from source: ManifestSource = .manifest,
    at path: String, since scanTime: Int64, leavingOut output: FileIdentity? = nil,
    timings: Timings = Timings()
  ) throws(SystemError) {
    self.scanTime = scanTime
    self.path = path
    hasOwnLimits = request.profile == nil
    acceptsPointers = request.acceptsPointers
    text = reading.text
    let read = reading.manifest.map { manifest in
      var manifest = manifest
      if let profile = request.profile { manifest.limits.profile = profile }
      manifest.budgets.replace(by: request.budgets)
      manifest.severities.merge(request.severities) { _, chosen in chosen }
      manifest.layoutRules = request.layoutRules
      manifest.layoutRules.add(manifest.limits.profile)
      if manifest.hasPackPrefix { manifest.layoutRules.sharesPaths = false }
      let severity = manifest.severities[Check.untaggedFile.id]
      if manifest.untagged == .allow, request.reportsUntagged || (severity != nil && severity != .ignore) {
        manifest.untagged = .warn
      }
      return manifest
    }
    let rootFinding = try source == .manifest ? read?.rootFinding(outside: RunScope.current.root) : nil
    // If the root folder is wrong, a scan would only cause wrong findings.
    guard let read, !read.isRootUnknown, rootFinding == nil else {
      (manifest, plan, slice, root, devices) = (read, nil, nil, nil, [])
      scanDiagnostics = reading.findings + (rootFinding.map { [$0] } ?? [])
      return
    }
    let scanned = try timings.measure(.scan) { () throws(SystemError) in
      try Self.scan(read, request: request, leavingOut: output)
    }
    let manifest = scanned.manifest
    self.manifest = manifest
    let merged = timings.measure(.plan) { scanned.tree?.combined(by: manifest) }
    let plan = timings.measure(.plan) { merged.map { PackPlan(grouping: $0.0, of: manifest) } }
    self.plan = plan
    slice = plan.map { plan in request.device.map(plan.thinned) ?? plan }
    let hasVariants = plan?.tree.variants.isEmpty == false
    devices = request.device.map { [$0] } ?? manifest.deviceClasses(hasVariants: hasVariants)
    root = scanned.root
    let neighbours = DuplicateRules(of: manifest, tree: scanned.tree, root: scanned.root)
    scanDiagnostics =
      (neighbours?.completed(reading.findings) ?? reading.findings) + scanned.findings + (merged?.1 ?? [])
    if request.inspector == .preparation {
      contentDiagnostics = try timings.measure(.check) { () throws(SystemError) in
        try contentFindings(jobs: request.jobs)
      }
    }
  }

  /// The result of a scan.
  private struct Scanned {
    /// The manifest.
    ///
    /// Its paths have the same spelling as the paths of the files.
    let manifest: Manifest
    /// The files, and the variants among them; nil if the files could not be scanned.
    let tree: AssetTree?
    /// The open root folder.
    let root: Folder?
    let findings: [Diagnostic]
  }

  /// Scans the files of a manifest, and finds the variants among them.
  private static func scan(
    _ manifest: Manifest, request: Request, leavingOut output: FileIdentity?
  ) throws(SystemError) -> Scanned {
    let scan = try AssetScan(
      of: manifest, leavingOut: output, acceptsPointers: request.acceptsPointers, jobs: request.scanJobs,
      untagged: manifest.scope == .packs
        ? .ignored : request.listsUntagged || manifest.untagged != .allow ? .listed : .counted)
    guard var tree = scan.tree, let root = scan.root else {
      return Scanned(manifest: scan.manifest, tree: nil, root: scan.root, findings: scan.diagnostics)
    }
    let variants = try VariantScan(of: tree, manifest: scan.manifest, root: root, jobs: request.jobs)
    tree.variants = variants.variants
    return Scanned(
      manifest: scan.manifest, tree: tree, root: root, findings: scan.diagnostics + variants.diagnostics)
  }

  /// Returns the findings of those checks of the plan that do not inspect contents; empty if there is no
  /// plan.
  package func planFindings(unchanged: UnchangedFiles = .nothing, jobs: Int) throws(SystemError)
    -> [Diagnostic]
  {
    guard let plan, let root else { return [] }
    if plan.manifest.scope == .packs {
      return try plan.fileFindings(
        for: devices, root: root, unchanged: unchanged, readCounter: readCounter, jobs: jobs,
        dependentChecks: .skipped)
    }
    return try plan.findings(
      for: devices, root: root, unchanged: unchanged, readCounter: readCounter, jobs: jobs,
      dependentChecks: isIncomplete ? .skipped : .run)
  }

  /// Returns findings about the contents of the plan's files.
  ///
  /// The function is for callers that inspect the contents themselves. All findings about pointers are
  /// combined into one.
  package func contentFindings(unchanged: UnchangedFiles = .nothing, jobs: Int) throws(SystemError)
    -> [Diagnostic]
  {
    guard let plan, let root else { return [] }
    return try plan.contentFindings(root: root, unchanged: unchanged, readCounter: readCounter, jobs: jobs)
      .countingPointers
  }

  /// Whether rules or files are missing.
  ///
  /// If so, conclusions from the remaining rules and files might be wrong.
  private var isIncomplete: Bool {
    scanDiagnostics.contains {
      ($0.check.isManifestError || $0.check == .unreadableFile) && $0.severity == .error
    }
  }

  /// Returns warnings about `accept` elements that accept none of these findings.
  ///
  /// `findings` must contain all findings, except those about contents. There are no warnings for checks that
  /// might find something with other flags or on another machine.
  package func unusedAcceptances(in findings: [Diagnostic], excluding later: Set<Check> = []) -> [Diagnostic]
  {
    guard let manifest, plan != nil, !isIncomplete else { return [] }
    var checks = Set(Check.manifestChecks + Check.fileChecks + Check.packChecks).filter {
      !$0.isIncompleteInput
    }
    if !hasOwnLimits { checks.subtract(PackCheck.limits.flatMap(\.kinds)) }
    if manifest.untagged == .allow { checks.remove(.untaggedFile) }
    // A check whose severity is `ignore` does not run.
    if manifest.severities[Check.duplicateContent.id] == .ignore { checks.remove(.duplicateContent) }
    return manifest.unusedAcceptances(in: findings, of: checks.subtracting(later))
  }
}

extension Manifest {
  /// Reports a root folder that is neither in the checkout of the manifest nor below `requestedRoot`, the
  /// folder that the user specifies.
  ///
  /// Without this error, the manifest alone would decide which files of the machine are packed and published.
  /// The result is nil if the root is right, or if there is no checkout.
  fileprivate func rootFinding(outside requestedRoot: String?) throws(SystemError) -> Diagnostic? {
    let bounds = try InputBounds(ofInputsIn: self.folder, requestedRoot: requestedRoot)
    // This check runs before any access to the root. A message can therefore reveal nothing about a folder
    // outside the checkout except its path.
    guard let outer = bounds.outer, let target = try FollowedPath(rootPath)?.target, !bounds.contains(target)
    else {
      return nil
    }
    let message =
      "the root folder \(quoted(rootPath)) leads to \(quoted(target.text)), which is outside "
      + (requestedRoot.map { "\(quoted($0)), the folder of \"--root\"; name a folder that contains the root" }
        ?? "the checkout \(quoted(outer.text)); name a folder that contains the root with \"--root DIR\"")
    return Diagnostic(.invalidPath, message: message, at: text.place(at: root.offset))
  }
}
