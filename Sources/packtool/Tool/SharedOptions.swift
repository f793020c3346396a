import Findings
import Flags
import PackKit
import Spelling
import System

/// The options that all commands with findings share.
struct SharedOptions: Sendable {
  var isSubmission = false
  var isStrict = false
  var limits: String?
  /// The severities of checks by id, which take precedence over the manifest's.
  var severities: [String: SeverityChoice] = [:]
  var outputs = FindingOutputs()
  var jobs: Int?
  /// The number of threads that read folders, if it is another.
  var scanJobs: Int?
  var color = ColorChoice.auto
  var isQuiet = false
  var isVerbose = false

  enum ColorChoice: String, CaseIterable, Sendable {
    case auto
    case always
    case never
  }

  /// The limit profile that overrides the manifest's.
  var profile: LimitProfile? { limits.flatMap(LimitProfile.named) }

  /// The number of threads.
  ///
  /// Slightly more than processors, as in ninja, so that others work while one waits for the disk. On two
  /// processors, packing 200,000 files outside the page cache took 10 s with four threads and 14 s with two; in
  /// the page cache both took equally long.
  var workers: Int {
    let processors = availableProcessors()
    return jobs ?? min(2 * processors, processors + 4)
  }

  var scanWorkers: Int { scanJobs ?? workers }

  private static let jobsRange = 1...1024

  /// The flags, for a command whose options hold these as a part; those about limits only if it checks limits, those
  /// about scans only if it reads the folders of a manifest.
  static func flags<Options>(
    in part: Flag<Options>.Target<SharedOptions>, checksLimits: Bool = false, scans: Bool = false
  ) -> [Flag<Options>] {
    ((checksLimits ? forLimits : []) + own + (scans ? forScans : [])).map {
      $0.lifted(into: part).grouped(under: "shared flags")
    }
  }

  private static let forLimits: [Flag<SharedOptions>] = [
    .toggle("--submission", summary: "limits of the store are errors, not warnings", sets: \.isSubmission),
    .value(
      "--limits", valueName: "PROFILE", kind: .choice(LimitProfile.all.map(\.name)),
      summary: "the limits to check, in place of the manifest's profile", into: \.limits),
  ]

  private static let forScans: [Flag<SharedOptions>] = [
    .number(
      "--scan-jobs", summary: "threads that read folders, such as 16 on a network disk (default: as --jobs)",
      range: jobsRange, into: \.scanJobs)
  ]

  private static let own: [Flag<SharedOptions>] =
    [
      .toggle("--strict", summary: "warnings are errors", sets: \.isStrict),
      .each(
        "--severity", valueName: "ID=LEVEL", kind: .named("severity"),
        summary: "how severe a check's findings are: error, warning, note or ignore", parse: severity,
        add: { $0.severities[$1.id] = $1.choice }),
    ]
    + FindingOutputs.flags.lifted(into: \.outputs) + [
      .number(
        "--jobs", "-j", summary: "threads that work (default: some more than processors)", range: jobsRange,
        into: \.jobs),
      .choice("--color", valueName: "WHEN", summary: "colour findings", into: \.color),
      .toggle("--quiet", "-q", summary: "print findings and nothing else", sets: \.isQuiet),
      .toggle("--verbose", "-v", summary: "say what is being done", sets: \.isVerbose),
    ]

  private static func severity(_ text: String) throws(FlagMistake) -> (id: String, choice: SeverityChoice) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let choice = SeverityChoice(rawValue: parts[1]) else {
      let levels = SeverityChoice.allCases.map(\.rawValue)
      let guess = parts.count == 2 ? nearest(to: parts[1], in: levels + ["warn", "off"]) : nil
      let level = ["warn": "warning", "off": "ignore"][guess ?? ""] ?? guess
      throw FlagMistake(
        "takes ID=LEVEL with a level of \(levels.joined(separator: ", ")), not \(quoted(text))"
          + suggestion(level.map { "\(parts[0])=\($0)" }))
    }
    guard let check = Check.named(parts[0]) else {
      let guess = didYouMean(nearest(to: parts[0], in: Check.all.map(\.id)))
      throw FlagMistake("names the check \(quoted(parts[0])), which does not exist\(guess)")
    }
    if let reason = check.fixedBecause, choice != .error {
      throw FlagMistake("cannot lower \(quoted(check.id)), \(reason)")
    }
    return (check.id, choice)
  }
}

let manifestArgument = Argument(
  "MANIFEST",
  summary:
    "a manifest, the folder of one (default: the current folder or the nearest above), or App.xcodeproj",
  kind: .path, count: 0...1)

let builtFolderArgument = Argument("DIR", summary: "a folder that packtool has built", kind: .folder)
