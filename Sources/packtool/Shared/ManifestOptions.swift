import Formats
import Inspect
import Model
import Packing
import Pipeline
import System

/// The options of commands that plan the packs of a manifest: build, validate and plan.
struct ManifestOptions: Sendable {
  var baseline: String?
  var budgets = Budgets()
  var project = ProjectChoice()
  var acceptsPointers = false
  /// The device class to plan for; nil for all devices.
  var device: DeviceClass?
  /// The layout for which the packs are planned.
  var choice = LayoutChoice()
  /// The flags of the layout on the command line that have a default value.
  var givenFlags: Set<String> = []
  var shared = SharedOptions()

  static let flags: [Flag<ManifestOptions>] =
    [
      .pointers(into: \.acceptsPointers),
      .value(
        "--baseline", valueName: "INDEX", kind: .path,
        summary:
          "an earlier release that users have, a built folder or its index: checks removed tags and budgets "
          + "for updates",
        into: \.baseline),
      .optionalBaseline(into: \.shared.severities),
    ] + Budgets.flags.lifted(into: \.budgets) + projectFlags.lifted(into: \.project)
    + SharedOptions.flags(in: \.shared, about: [.limits, .scans])

  /// The flags of commands that read a manifest, and do not check its limits and budgets.
  static let readingFlags: [Flag<ManifestOptions>] =
    [.pointers(into: \.acceptsPointers)] + projectFlags.lifted(into: \.project)
    + SharedOptions.flags(in: \.shared)

  /// The first mistake in the flags that do not depend on the layout.
  var mistake: String? {
    guard baseline == nil, budgets.needBaseline else { return nil }
    let key = budgets.updateSize == nil ? "budgets.growth" : "budgets.updateSize"
    return "setting \(quoted(key)) needs an earlier release: --baseline INDEX"
  }

  func input(_ argument: String?) throws(SystemError) -> Preparation.Request {
    let found = if let argument { argument } else { try ManifestSource.search() }
    var request = Preparation.Request(
      argument: found, project: project, profile: shared.profile,
      budgets: budgets, jobs: shared.workers, scanJobs: shared.scanWorkers)
    let severity = shared.severities[Check.untaggedFile.id]
    request.severities = shared.severities
    request.reportsUntagged = severity != nil && severity != .ignore
    request.acceptsPointers = acceptsPointers
    request.device = device
    applyTarget(to: &request)
    return request
  }

  /// Prints the notes of `--verbose` about a manifest and its files.
  func printNotes(about prepared: Preparation, session: Session) {
    if shared.isVerbose { session.printProgress(prepared.notes(jobs: shared.workers), options: shared) }
  }

  /// Reads a manifest, plans its packs and runs all checks, for commands that do not write packs.
  func prepareAndCheck(
    manifestAt argument: String?, session: Session, untagged: UntaggedListing = .counted
  ) throws -> (Preparation, [Diagnostic]) {
    var request = try input(argument)
    request.listsUntagged = untagged == .listed
    let prepared = try Preparation(request)
    if let plan = prepared.plan { session.keep(plan) }
    printNotes(about: prepared, session: session)
    var findings = prepared.diagnostics
    findings += try prepared.planFindings(jobs: shared.workers)
    findings += try targetFindings(about: prepared)
    let (update, mistakes) = try self.update(to: prepared, unchangedFiles: .nothing)
    printDownload(of: update, session: session)
    findings += mistakes + self.findings(on: update, of: prepared)
    findings += prepared.unusedAcceptances(in: findings)
    return (prepared, findings)
  }
}

extension ManifestOptions {
  private func baselineReading(for prepared: Preparation) -> ReleaseReader.Options {
    ReleaseReader.Options(
      acceptsPointers: acceptsPointers, device: prepared.slice?.device, scanJobs: shared.scanWorkers)
  }

  private func unchecked(_ budgets: Budgets, in manifest: Manifest) -> [Diagnostic] {
    guard budgets.needBaseline else { return [] }
    let offset = budgets.updateSize?.offset ?? budgets.growth?.offset
    let place = offset.map { manifest.text.place(at: $0) } ?? Place(manifest.text.path)
    let message =
      "packtool cannot check this budget without an earlier release; pass the release that users have with "
      + "--baseline INDEX, or use --severity unchecked-budget=note before the first release"
    return [Diagnostic(.uncheckedBudget, message: message, at: place)]
  }

  /// Returns the reason why there is nothing to compare with; nil if the baseline exists.
  ///
  /// A cache that was not restored can leave an empty folder.
  private func lack(ofBaseline path: String) throws(SystemError) -> String? {
    guard let status = try FileOperations.statusIfThere(path) else { return "does not exist" }
    if status.kind != .folder { return nil }
    return try FileOperations.names(in: path).isEmpty ? "is an empty folder" : nil
  }

  /// Compares the baseline with the plan.
  ///
  /// Returns nil if there is no baseline. In some of these cases, there are findings.
  func update(
    to prepared: Preparation, unchangedFiles unchanged: UnchangedFiles
  ) throws -> (comparison: Comparison?, diagnostics: [Diagnostic]) {
    guard let manifest = prepared.manifest else { return (nil, []) }
    guard let baseline else { return (nil, unchecked(manifest.budgets, in: manifest)) }
    // The reader explains why it cannot read from a web address.
    if !isWebAddress(baseline), let lack = try lack(ofBaseline: baseline) {
      let message =
        "the earlier release \(lack), so packtool does not check the update; before the first release, "
        + "use --severity missing-baseline=note"
      return (nil, [Diagnostic(.missingBaseline, message: message, at: Place(baseline))])
    }
    let reader = try ReleaseReader(
      baseline, options: baselineReading(for: prepared), jobs: shared.workers)
    guard let release = reader.release else { return (nil, reader.diagnostics) }
    if release.release.bundleIdentifier != manifest.bundleIdentifier {
      let message =
        "the earlier release is a release of \(quoted(release.release.bundleIdentifier)), not of "
        + "\(quoted(manifest.bundleIdentifier)); pass a release of this app"
      return (nil, [Diagnostic(.foreignBaseline, message: message, at: Place(reader.path))])
    }
    let devices = [(name: baseline, device: release.release.device)]
    if let mistake = deviceMistake(
      in: devices + [(prepared.path, prepared.slice?.device.map { ReleaseDevice($0) })])
    {
      return (nil, [Diagnostic(.missingIndex, message: mistake, at: Place(reader.path))])
    }
    return try prepared.update(from: release, unchanged: unchanged, jobs: shared.workers)
  }

  /// Prints how much devices download for an update; nothing if there is no update.
  func printDownload(of update: Comparison?, session: Session) {
    guard let update, !shared.isQuiet else { return }
    let download = update.download(forUserWith: .everything)
    let patched = download.patched.map { "\(ByteSize.text($0)) with patches, " } ?? ""
    let rest = download.patched == nil ? "" : " without patches,"
    session.printProgress(
      "update from \(displayed(update.old.name)): devices download "
        + "\(patched)\(ByteSize.text(download.byPacks))\(rest) of "
        + "\(ByteSize.text(update.new.size))\n", options: shared)
  }

  /// Returns findings about removed tags and exceeded budgets of an update; none if there is no update.
  func findings(on update: Comparison?, of prepared: Preparation) -> [Diagnostic] {
    guard let manifest = prepared.manifest, let update else { return [] }
    return update.removedTags.findings(in: manifest, path: prepared.path)
      + BudgetFindings(manifest.budgets, manifestText: manifest.text, fallbackPath: prepared.path).findings(
        on: update)
  }
}

// The budgets of a command line, for commands that check packs and updates.
extension Budgets {
  static let flags: [Flag<Budgets>] = .helpGroup(
    under: "budgets, overriding the manifest's",
    flags: [
      .parsed(
        "--budget-update", valueName: "SIZE", summary: "maximum download of an update, such as \"20 MB\"",
        parse: { text throws(FlagMistake) in Budget(try size(text)) }, into: \.updateSize
      ).asSetting("budgets.updateSize"),
      .parsed(
        "--budget-growth", valueName: "PART",
        summary: "maximum growth of all packs together, such as \"5 %\"",
        parse: { text throws(FlagMistake) in
          guard let part = Percentage(text) else {
            throw FlagMistake("needs a percentage such as \"5 %\", not \(quoted(text))")
          }
          return Budget(part)
        }, into: \.growth
      ).asSetting("budgets.growth"),
      .each(
        "--budget-pack", valueName: "TAGS=SIZE",
        summary: "maximum size of the pack with these tags, joined with \"+\"; can be repeated", parse: pack,
        add: { budgets, pack in
          budgets.packs.removeAll { $0.name == pack.name }
          budgets.packs.append((pack.name, Budget(pack.size)))
        }
      ).asSetting("budgets.packs", separator: "."),
    ])

  private static func size(_ text: String) throws(FlagMistake) -> Int64 {
    if let size = Int64(text) ?? ByteSize.bytes(in: text), size >= 0 { return size }
    throw FlagMistake("needs a number of bytes or a size such as \"20 MB\", not \(quoted(text))")
  }

  private static func pack(_ text: String) throws(FlagMistake) -> (name: String, size: Int64) {
    guard let equals = text.utf8.lastIndex(of: UInt8(ascii: "=")), equals > text.startIndex else {
      throw FlagMistake("accepts TAGS=SIZE, such as \"Level 1=60 MB\", not \(quoted(text))")
    }
    let size = try size(String(text[text.utf8.index(after: equals)...]))
    return (String(text[..<equals]), size)
  }
}

let projectFlags: [Flag<ProjectChoice>] =
  [.root(into: \.root)]
  + [Flag<ProjectChoice>].helpGroup(
    under: "flags for Xcode projects",
    flags: [
      .value(
        "--target", valueName: "NAME", summary: "the target whose resources to pack (default: the only app)",
        into: \.target
      ).asSetting("xcode.target"),
      .value(
        "--configuration", valueName: "NAME",
        summary: "the configuration whose build settings to use (default: that of command-line builds)",
        into: \.configuration
      ).asSetting("xcode.configuration"),
      .choice(
        "--sdk", valueName: "SDK",
        summary:
          "the SDK for conditions of settings and for platform filters (default: the target's)",
        into: \.sdk
      ).asSetting("xcode.sdk"),
    ])

extension Flag {
  /// The flag `--root` of every command that reads manifests.
  ///
  /// Code that reads files gets the flag's value from `RunScope.current`.
  static func root(into target: Target<String?>) -> Flag {
    .value(
      RunScope.rootFlag, valueName: "DIR", kind: .folder,
      summary:
        "the folder that must contain a manifest's root, or the files of an Xcode project (default: the "
        + "checkout)",
      into: target
    ).using(.checkout)
  }
}

/// The flags of a command line that apply to manifests but not to built folders.
struct ManifestFlags: ExpressibleByDictionaryLiteral {
  /// The names of those flags that are on the command line.
  private var given: [String]

  /// Makes the list from pairs of a flag's name and a Boolean.
  ///
  /// The Boolean is true if the flag is on the command line.
  init(dictionaryLiteral flags: (String, Bool)...) { given = flags.filter(\.1).map(\.0) }

  static func + (first: ManifestFlags, second: ManifestFlags) -> ManifestFlags {
    var sum = first
    sum.given += second.given
    return sum
  }

  /// Throws an error for the first of these flags that is on the command line.
  func refuse(forBuilt path: String) throws(FlagMistake) {
    guard let flag = given.first else { return }
    let hint = flag == "--baseline" ? "; to compare built folders, use packtool diff" : ""
    throw FlagMistake("flag \(quoted(flag)) needs a manifest, but \(quoted(path)) is a built folder\(hint)")
  }
}

extension ProjectChoice {
  var flagsOfManifests: ManifestFlags {
    [
      "--root": root != nil, "--set xcode.target": target != nil,
      "--set xcode.configuration": configuration != nil, "--set xcode.sdk": sdk != nil,
    ]
  }
}

extension Preparation {
  func notes(jobs: Int) -> PlainText {
    guard let manifest else { return "" }
    let read: PlainText = "read \(displayed(path)): \(counted(manifest.rules.count, of: "rule"))\n"
    guard let tree = plan?.tree else { return read }
    return read
      + "scanned \(counted(tree.folders.count, of: "folder")) below \(displayed(manifest.rootPath)) on "
      + "\(counted(jobs, of: "thread")): \(counted(tree.files.count, of: "tagged file")), "
      + "\(counted(tree.untagged.files, of: "untagged file"))\n"
  }
}

/// Returns a message if two releases are for different devices, or if a release is not for the given device;
/// otherwise nil.
func deviceMistake(
  in releases: [(name: String, device: ReleaseDevice?)], named device: DeviceClass? = nil
) -> String? {
  func shown(_ device: ReleaseDevice?) -> String { device.map { quoted($0.name) } ?? "all devices" }
  if let device, let other = releases.first(where: { $0.device?.name != device.name }) {
    return
      "\(quoted(other.name)) is built for \(shown(other.device)), not for \(quoted(device.name)); build it "
      + "again with --device"
  }
  guard let first = releases.first,
    let other = releases.first(where: { $0.device?.name != first.device?.name })
  else { return nil }
  return
    "\(quoted(first.name)) is for \(shown(first.device)), but \(quoted(other.name)) is for "
    + "\(shown(other.device)); choose the device class with --device"
}

extension Flag {
  static func pointers(into target: Target<Bool>) -> Flag {
    .toggle(
      "--pointers",
      summary: "accept a Git LFS pointer or git-annex key instead of the file that it stands for",
      sets: target)
  }

  /// The flag of the commands that write an output folder.
  static func noState(into target: Target<Bool>) -> Flag {
    .toggle(
      "--no-state",
      summary: "leave only published files in DIR: no \".packtool\" folder with the lock and the build cache",
      sets: target
    ).using(.state)
  }

  /// The flag that accepts a build before the first release.
  static func optionalBaseline(into severities: Target<[String: SeverityChoice]>) -> Flag {
    Flag(
      FlagDescription(
        ["--baseline-optional"], valueName: nil, kind: .text,
        summary: "report an earlier release that does not exist yet as a note, not as an error")
    ) { options, _ in
      for check in [Check.missingBaseline, .uncheckedBudget] {
        options[keyPath: severities][check.id] = .note
      }
    }.asDeprecated(successor: "--severity missing-baseline=note")
  }

  static func device(summary: String, into target: Target<DeviceClass?>) -> Flag {
    .parsed(
      "--device", valueName: "CLASS|PRODUCT", kind: .named(.device), summary: summary,
      parse: { word throws(FlagMistake) -> DeviceClass? in
        guard let device = DeviceClass.named(word) else {
          throw FlagMistake("has no valid device class: \(DeviceClass.mistake(in: word))")
        }
        return device
      }, into: target)
  }
}
