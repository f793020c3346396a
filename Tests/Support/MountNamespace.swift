import Foundation

/// Runs shell commands in a separate mount namespace.
///
/// There, tests can replace devices and write to `/` without harm.
package enum MountNamespace {
  /// Whether this process can create a mount namespace.
  ///
  /// Only root can do this, but not in every container.
  package static let isPossible: Bool = {
    guard geteuid() == 0 else { return false }
    return (try? run("mount -t tmpfs t /dev && mknod -m 666 /dev/null c 1 3", [], in: "/").status) == 0
  }()

  /// The reason why tests that need a mount namespace are skipped.
  package static let hindrance = "only root may mount, and not in every container"

  /// Runs shell commands.
  ///
  /// In the commands, `$1`, `$2` and so on are the arguments.
  package static func run(
    _ commands: String, _ arguments: [String], in folder: String
  ) throws -> ProgramResult {
    try Support.run("unshare", ["-m", "sh", "-ec", commands, "sh"] + arguments, in: folder)
  }
}
