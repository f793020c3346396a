import Findings
import Flags
import Projects

/// The flags that choose a target and configuration of a project.
let projectFlags: [Flag<ProjectChoice>] = .grouped(
  under: "flags for Xcode projects",
  [
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
  ])
