import System

/// An effect of environment variables, for the manual and the page about the environment.
///
/// A flag or a command that reads the variables declares the effect.
struct VariableUse: Sendable, Hashable {
  /// The variables, each of which has the effect.
  let variables: [EnvironmentVariable]
  /// The effect as one or more sentences without the last full stop; code is in backticks.
  let effect: String

  private init(_ variables: EnvironmentVariable..., effect: String) {
    self.variables = variables
    self.effect = effect
  }

  static let entryTime = VariableUse(
    .sourceDate,
    effect: "the time of every file and entry in packs, in seconds since 1970 (default: 1980-01-01). A wrong "
      + "value is an error with exit status \(ExitStatus.usage.rawValue)")
  static let expiryStart = VariableUse(
    .sourceDate,
    effect: "if you pass a duration with `--expires`, the duration starts at this time, in seconds since "
      + "1970, instead of now")
  static let noColor = VariableUse(
    .noColor, effect: "if it is not empty, packtool prints findings without colors")
  static let forcedColor = VariableUse(
    .forceColor, .forceColorInCLI,
    effect: "if one of them is set, but not to `0` or an empty text, packtool prints findings with colors, "
      + "even to a file or pipe. `NO_COLOR` overrides these variables, and the flag `--color` overrides all "
      + "variables")
  static let colorInCI = VariableUse(
    .ci, effect: "if it is not empty, packtool prints no colors, because the output is a log")
  static let progressInCI = VariableUse(
    .ci, effect: "`build` also shows its progress as lines instead of a bar")
  static let plainTerminal = VariableUse(
    .terminal, effect: "if it is `dumb`, packtool prints no colors and no progress bar")
  static let checkout = VariableUse(
    .gitHubCheckout, .gitLabCheckout,
    effect: "the folder of the checkout in a GitHub or GitLab job. If the current folder is inside the "
      + "checkout, paths in the formats `github`, `sarif` and `codequality` are relative to the checkout")
  static let searchPath = VariableUse(
    .searchPath, effect: "`build --package` searches this list of folders for Apple's `ba-package`")
  static let temporaryFolder = VariableUse(
    .temporaryFolder, effect: "`verify --patch-from` puts temporary files into this folder (default: `/tmp`)")
  static let backtrace = VariableUse(
    .backtrace,
    effect: "if it is set, Swift prints a backtrace after a crash. Otherwise, packtool ends immediately")

  /// All effects, in the order of the page.
  static let all = [
    entryTime, expiryStart, noColor, forcedColor, colorInCI, progressInCI, plainTerminal, checkout,
    searchPath,
    temporaryFolder, backtrace,
  ]
}

extension [VariableUse] {
  /// The variables and their effects, in the order of `VariableUse.all`.
  ///
  /// Effects of the same variables are in one row.
  var rows: [HelpRow] {
    var rows: [HelpRow] = []
    for use in VariableUse.all where contains(use) {
      let label = use.variables.map(\.rawValue).joined(separator: ", ")
      guard let last = rows.last, last.label == label else {
        rows.append(HelpRow(label, text: use.effect))
        continue
      }
      let sentence = use.effect.prefix(1).uppercased() + use.effect.dropFirst()
      rows[rows.count - 1] = HelpRow(label, text: "\(last.text). \(sentence)")
    }
    return rows
  }
}
