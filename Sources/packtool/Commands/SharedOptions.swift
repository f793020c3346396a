import Archiving
import Flags
import PackKit

/// What the commands that read a manifest have in common.
struct SharedOptions: Sendable {
  var isSubmission = false
  var isStrict = false
  var limits: String?
  var diagnostics = DiagnosticsFormat.text
  var jobs: Int?
  var color = ColorChoice.auto
  var isQuiet = false
  var isVerbose = false

  /// When findings are coloured.
  enum ColorChoice: String, CaseIterable, Sendable {
    case auto
    case always
    case never
  }

  /// How many threads work.
  var workers: Int { jobs ?? availableProcessors() }

  /// Threads that can be asked for.
  private static let jobsRange = 1...1024

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(
    in part: Flag<Options>.Target<SharedOptions>
  ) -> [Flag<Options>] {
    own.map { $0.lifted(into: part).grouped(under: "shared flags") }
  }

  private static let own: [Flag<SharedOptions>] = [
    .toggle("--submission", summary: "limits of the store are errors, not warnings", sets: \.isSubmission),
    .toggle("--strict", summary: "warnings are errors", sets: \.isStrict),
    .value(
      "--limits", valueName: "PROFILE", summary: "the limits to check, in place of the manifest's profile",
      choices: LimitProfile.all.map(\.name), into: \.limits),
    .choice(
      "--diagnostics", valueName: "FORMAT", summary: "how findings are written", into: \.diagnostics),
    .number(
      "--jobs", "-j", summary: "threads that work (default: one a processor)", range: jobsRange, into: \.jobs),
    .choice("--color", valueName: "WHEN", summary: "colour findings", into: \.color),
    .toggle("--quiet", "-q", summary: "print findings and nothing else", sets: \.isQuiet),
    .toggle("--verbose", "-v", summary: "say what is being done", sets: \.isVerbose),
  ]
}

/// The positional argument that names a manifest.
let manifestArgument = Argument(
  "MANIFEST", summary: "a manifest, or a folder with a Manifest.json (default: the current folder)",
  count: 0...1)
