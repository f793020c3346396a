import Findings
import Flags
import Projects

/// The options that choose a target and configuration of a project.
struct ProjectOptions: Sendable {
  private var target: String?
  private var configuration: String?
  private var root: String?

  var choice: ProjectChoice { ProjectChoice(target: target, configuration: configuration, root: root) }

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
    .value(
      "--root", valueName: "DIR", kind: .folder,
      summary: "the folder below which files of settings are read (default: that of the repository)",
      into: \.root),
  ]
}
