import Formats
import Inspect
import Model
import Packing
import Pipeline
import System

struct BuildOptions: ReportingOptions {
  var output: String?
  var keepsOld = false
  var failsIfLocked = false
  var ignoresCache = false
  var leavesNoState = false
  var explains = false
  var showsTimings = false
  var shard: ShardKind?
  var patchFrom: [String] = []
  var depfile: String?
  var result: String?
  var compression: Compression?
  var packages = false
  /// The path of a published release.
  ///
  /// The build reuses the packs of this release instead of writing them again.
  var onto: String?
  /// The file to which the build writes the list of pointers whose files it needs.
  var missing: String?
  var signing = SigningOptions()
  var manifest = ManifestOptions()
  var shared: SharedOptions { manifest.shared }
  private var choice: LayoutChoice { manifest.choice }

  static let flags: [Flag<BuildOptions>] =
    own + SigningOptions.flags.lifted(into: \.signing) + ManifestOptions.targetFlags.lifted(into: \.manifest)
    + packaging + ManifestOptions.flags.lifted(into: \.manifest)

  private static let own: [Flag<BuildOptions>] = [
    .value(
      "--output", "-o", valueName: "DIR", kind: .folder, summary: "the folder to write to", into: \.output
    )
    .required(hint: "name the folder to write to, for example -o build/packs")
    .using(.index, .contents, .packs),
    .choice(
      "--compression", valueName: "LEVEL",
      summary: "compression level; overrides the manifest's \"compression\"",
      into: \.compression
    ).asSetting("compression"),
    .each(
      "--shard", valueName: "I/N|manifest",
      summary: "build one shard for \"packtool merge\": shard I of N, or all packs of a manifest that "
        + "describes only some packs of the release",
      parse: shard,
      add: { $0.shard = $1 }
    ).using(.shard),
    .list(
      "--patch-from", valueName: "OLD", kind: .path,
      summary: "an earlier release, as a built folder with its packs: players who have it download patches",
      into: \.patchFrom
    ).using(.patches),
    .device(
      summary: "build only the packs of one device class, to host them yourself",
      into: \.manifest.device),
    .toggle("--no-cache", summary: "rebuild every pack, ignoring the build cache", sets: \.ignoresCache),
    .noState(into: \.leavesNoState),
    .toggle(
      "--explain", summary: "print for each pack why it was written or kept", sets: \.explains),
    .value(
      "--depfile", valueName: "FILE", kind: .file(.output),
      summary: "write the files that the build depends on, for make and ninja",
      into: \.depfile),
    .value(
      "--result", valueName: "FILE", kind: .file(.output),
      summary: "write the result of the build as JSON, for programs", into: \.result),
    .toggle(
      "--no-wait",
      summary: "fail if another build is writing to the same folder, instead of "
        + "waiting", sets: \.failsIfLocked
    ).asSetting("failIfLocked"),
    .toggle("--timings", summary: "print how long each phase took", sets: \.showsTimings)
      .asDeprecated(successor: "--verbose"),
    .toggle("--keep-old", summary: "keep packs that the new index does not name", sets: \.keepsOld),
    .value(
      "--onto", valueName: "INDEX", kind: .path,
      summary:
        "the published release, a built folder or its index: packs with the same contents are reused from it",
      into: \.onto
    ).using(.elsewhere),
    .value(
      "--missing", valueName: "FILE", kind: .file(.output),
      summary: "write the paths of pointers whose files the build needs, one per line", into: \.missing),
  ]

  func additionalMistakes(_ arguments: [String]) -> [String] {
    ManifestSource.mistake(about: arguments.first ?? (try? ManifestSource.search()) ?? ".").map { [$0] } ?? []
  }

  /// The message about a folder to write to that is written without its flag: `packtool build packs`.
  func combinedMistake(_ arguments: [String]) -> String? {
    guard output == nil, arguments.count == 1, !arguments[0].hasSuffix(".json"),
      !arguments[0].hasSuffix(".xcodeproj"), let reason = Self.reasonAgainst(manifestIn: arguments[0])
    else { return nil }
    return "\(quoted(arguments[0])) \(reason); to write the packs to it, use \(quoted("-o " + arguments[0]))"
  }

  /// Returns the reason why a build cannot read a manifest from a folder, for the middle of a message; nil if
  /// the folder has a manifest, or is the root of one.
  private static func reasonAgainst(manifestIn path: String) -> String? {
    guard let isThere = try? FileOperations.exists(path) else { return nil }
    if !isThere { return "does not exist" }
    guard (try? FileOperations.names(in: path)) != nil, (try? ManifestSource.isSource(folder: path)) == false,
      (try? ManifestSource.isRoot(path)) == false
    else { return nil }
    return (try? BuiltFolder.isNamed(by: path)) == true ? "is the output of a build" : "contains no manifest"
  }

  var mistake: String? {
    firstMistake(packMistakes) ?? signing.mistake ?? firstMistake(layoutMistakes) ?? manifest.targetMistake
      ?? manifest.mistake
  }

  private var packMistakes: Mistakes {
    let (layout, most) = (choice.layout, BuildRequest.maxBaselines)
    return [
      compression != nil && layout == .hosted:
        "setting \"compression\" cannot be used with the layout \"hosted\", which does not compress files",
      manifest.device != nil && shard != nil:
        "flag \"--device\" cannot be used with \"--shard\": build each device class as a whole",
      !patchFrom.isEmpty && !layout.hasIndex:
        "flag \"--patch-from\" can only be used with the layout \"packtool\"",
      !patchFrom.isEmpty && shard != nil:
        "flag \"--patch-from\" cannot be used with \"--shard\": build the release as a whole",
      patchFrom.count > most: "flag \"--patch-from\" can be used at most \(most) times",
      signing.key != nil && !layout.hasIndex:
        "flag \"--sign\" can only be used with the layout \"packtool\", because only its index contains the "
        + "digests of all other files",
      signing.key != nil && shard != nil:
        "flag \"--sign\" cannot be used with \"--shard\": pass it to \"merge\"",
    ]
  }

  func request(_ argument: String?, entryTime: Int64, session: Session) throws(SystemError) -> BuildRequest {
    var request = BuildRequest(try manifest.input(argument), output: output ?? ".", entryTime: entryTime)
    request.layout = choice
    request.compression = compression
    request.hasSourceDate = session.hasSourceDate
    request.keepsOld = keepsOld
    request.usesRecord = !ignoresCache
    request.state = leavesNoState ? .removed : .kept
    request.wantsDepfile = depfile != nil
    request.measuresParts = showsTimings || shared.isVerbose
    request.shard = shard
    if shard == .manifest { request.input.scope = .packs }
    request.patchFrom = patchFrom
    request.lockWait = failsIfLocked ? .fails : session.lockWait(for: output ?? ".", options: shared)
    request.otherInputs = signing.files.map(\.path)
    for release in [manifest.baseline, onto].compactMap(\.self) {
      // Before the first release, the index does not exist. If it were an input in the depfile, every run of
      // make would build again.
      let path = try BuiltFolder.indexPath(of: release)
      if try FileOperations.exists(path) { request.otherInputs.append(path) }
    }
    request.findings = signing.files.compactMap(\.finding)
    if packages, let missing = BackgroundAssetsArchiver.missing(in: session.environment) {
      request.findings.append(missing)
    }
    return request
  }

  private static func shard(_ text: String) throws(FlagMistake) -> ShardKind {
    if text == "manifest" { return .manifest }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], let shard = Shard(number, of: count)
    else {
      throw FlagMistake(
        "accepts I/N with 1 ≤ I ≤ N ≤ \(grouped(Shard.maxShards)), such as 2/8, or \"manifest\", not "
          + quoted(text))
    }
    return .part(shard)
  }
}

extension Session {
  func lockWait(for output: String, options: SharedOptions) -> OutputLock.WaitPolicy {
    .waits { holder in
      let other = holder.map { " (process \($0))" } ?? ""
      self.printProgress(
        "\(Tool.name): waiting for another build\(other) that is writing to \(quoted(output))\n",
        options: options)
    }
  }
}

// The flags that apply only to some layouts, and the flag for the release whose packs are reused.
extension BuildOptions {
  fileprivate static let packaging: [Flag<Self>] = .helpGroup(
    under: ManifestOptions.assetGroup,
    flags: [
      .toggle(
        "--package",
        summary: "make archives of packs for Background Assets with ba-package", sets: \.packages
      ).reading(.searchPath).using(.archives)
    ])

  private var layoutMistakes: Mistakes {
    let layout = choice.layout
    let reason = layout.description.reasonAgainstParts
    return [
      packages && leavesNoState:
        "flag \"--no-state\" cannot be used with \"--package\": ba-package writes other bytes on each machine",
      packages && layout != .backgroundAssets:
        "flag \"--package\" can only be used with the layout \"background-assets\"",
      onto != nil && shard != nil:
        "flag \"--onto\" cannot be used with \"--shard\", because a shard must contain all of its packs; use "
        + "--onto with a whole build",
      shard != nil && reason != nil:
        "flag \"--shard\" cannot be used with the layout \(quoted(layout.rawValue)): \(reason ?? "")",
      onto != nil && !layout.hasIndex:
        "flag \"--onto\" needs the layout \"packtool\", because the lists of \(quoted(layout.rawValue)) do "
        + "not contain digests",
      missing != nil && !manifest.acceptsPointers:
        "flag \"--missing\" can only be used with \"--pointers\"",
    ]
  }

  func addReusedRelease(to request: inout BuildRequest) throws {
    guard let onto else { return }
    let folder = try BuiltFolder(onto)
    let refusal = folder.refusal("and only packs in the layout \"packtool\" can be reused from a release")
    let findings = folder.allFindings + (refusal.map { [$0] } ?? [])
    request.findings += findings
    request.reusedRelease = findings.hasErrors ? nil : folder.release
    try request.signing?.raiseNumber(above: folder.index, ifSignedAt: folder.indexPath)
  }
}
