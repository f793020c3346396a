import Findings
import Flags
import Projects

/// The options that choose a target and configuration of a project.
struct ProjectOptions: Sendable {
  private var target: String?
  private var configuration: String?
  private var sdk: ProjectSDK?
  private var root: String?

  var choice: ProjectChoice {
    ProjectChoice(target: target, configuration: configuration, sdk: sdk, root: root)
  }

  /// The flags, for a command whose options hold these as a part.
  static func flags<Options>(in part: Flag<Options>.Target<ProjectOptions>) -> [Flag<Options>] {
    own.map { $0.lifted(into: part).grouped(under: "flags for Xcode projects") }
  }

  private static let own: [Flag<ProjectOptions>] = [
    .value(
      "--target", valueName: "NAME", summary: "the target whose resources count (default: the only app)",
      into: \.target),
    .value(
      "--configuration", valueName: "NAME",
      summary: "the configuration whose build settings count (default: the one of command-line builds)",
      into: \.configuration),
    .choice(
      "--sdk", valueName: "SDK",
      summary:
        "the SDK for which conditions of settings and platform filters are evaluated (default: the target's)",
      into: \.sdk),
    .value(
      "--root", valueName: "DIR", kind: .folder,
      summary:
        "the folder below which files outside the project's are read and packed (default: that of the repository)",
      into: \.root),
  ]
}
