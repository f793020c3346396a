/// An environment variable that packtool reads; the raw value is its name.
///
/// All code names a variable with this type, so this list is complete.
package enum EnvironmentVariable: String, CaseIterable, Sendable {
  case sourceDate = "SOURCE_DATE_EPOCH"
  case noColor = "NO_COLOR"
  case forceColor = "FORCE_COLOR"
  case forceColorInCLI = "CLICOLOR_FORCE"
  case ci = "CI"
  case terminal = "TERM"
  case gitHubCheckout = "GITHUB_WORKSPACE"
  case gitLabCheckout = "CI_PROJECT_DIR"
  case searchPath = "PATH"
  case temporaryFolder = "TMPDIR"
  case backtrace = "SWIFT_BACKTRACE"
}

/// The environment variables of a process.
package struct Environment: Sendable {
  /// All variables, for child processes.
  package let all: [String: String]
  /// Is called for each variable that packtool reads, so that tests can compare them with the manual.
  private let onRead: (@Sendable (EnvironmentVariable) -> Void)?

  package init(_ all: [String: String], onRead: (@Sendable (EnvironmentVariable) -> Void)? = nil) {
    self.all = all
    self.onRead = onRead
  }

  /// The value of a variable; nil if the variable is not set.
  package subscript(variable: EnvironmentVariable) -> String? {
    onRead?(variable)
    return all[variable.rawValue]
  }

  /// Returns the value of a variable; nil if the variable is not set or is empty.
  package func value(of variable: EnvironmentVariable) -> String? {
    self[variable].flatMap { $0.isEmpty ? nil : $0 }
  }
}
