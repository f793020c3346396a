import Formats

/// A flag of an earlier version, with advice for users who still pass it.
struct RemovedFlag: Sendable {
  let name: String
  let takesValue: Bool
  /// The commands that had the flag; empty if all commands had it.
  let commands: Set<String>
  /// Advice for users of the flag, for the end of a message.
  let successor: String

  private init(_ name: String, takesValue: Bool = true, of commands: Set<String> = [], successor: String) {
    self.name = name
    self.takesValue = takesValue
    self.commands = commands
    self.successor = successor
  }

  /// Returns the removed flag of a command; nil if the command never had such a flag.
  static func named(_ name: String, of command: String) -> RemovedFlag? {
    all(of: command).first { $0.name == name }
  }

  /// Returns all removed flags of a command.
  static func all(of command: String) -> [RemovedFlag] {
    all.filter { $0.commands.isEmpty || $0.commands.contains(command) }
  }

  /// Returns the command line that writes the report that another command wrote.
  private static func reportLine(insteadOf command: String) -> String {
    switch command {
    case "build": "packtool report DIR -o FILE after the build"
    case "diff": "packtool report NEW --baseline OLD -o FILE"
    case "simulate": "packtool report MANIFEST --scenario FILE -o FILE"
    default: "packtool report MANIFEST -o FILE"
    }
  }

  static let all: [RemovedFlag] = general + reports + ofTags + withoutEffect

  private static let general = [
    RemovedFlag(
      "--output-file",
      successor: "use --diagnostics text=FILE, or another format such as --diagnostics json=FILE")
  ]

  private static let reports = ["build", "diff", "plan", "simulate", "validate"].map {
    RemovedFlag("--report", of: [$0], successor: "use \(reportLine(insteadOf: $0))")
  }

  private static let ofTags =
    [
      "--baseline": true, "--baseline-optional": false, "--budget-update": true, "--budget-growth": true,
      "--budget-pack": true, "--submission": false, "--limits": true,
    ].sorted { $0.key < $1.key }.map { name, takesValue in
      RemovedFlag(
        name, takesValue: takesValue, of: ["tags"], successor: "check limits and budgets with \"validate\"")
    }
    + [
      RemovedFlag(
        "--scan-jobs", of: ["tags"], successor: "--jobs also sets the number of threads that read folders")
    ]

  /// The flags of commands in which they changed nothing.
  private static let withoutEffect =
    ["fmt", "init", "inspect", "unpack"].map { command in
      RemovedFlag(
        "--strict", takesValue: false, of: [command],
        successor: "\(quoted(command)) does not fail because of warnings; use it with \"validate\"")
    }
    + ["init", "inspect", "unpack"].map { command in
      RemovedFlag(
        "--severity", of: [command],
        successor:
          "the result of \(quoted(command)) does not depend on severities; use it with \"validate\"")
    }
    + ["fmt", "inspect", "serve"].flatMap { command in
      ["--jobs", "-j"].map { name in
        RemovedFlag(
          name, of: [command],
          successor: "the number of threads would change nothing for \(quoted(command))")
      }
    }
}
