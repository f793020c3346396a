import Foundation

/// Runs shell commands where mounts are the commands' own, so that devices and `/` can be put at stake.
package enum MountNamespace {
  /// Whether this process may have one; root may, but not in every container.
  package static let isPossible: Bool = {
    guard geteuid() == 0 else { return false }
    return (try? run("mount -t tmpfs t /dev && mknod -m 666 /dev/null c 1 3", [], in: "/").status) == 0
  }()

  /// Why tests are skipped that need one.
  package static let hindrance = "only root may mount, and not in every container"

  /// Runs commands of a shell, which finds `arguments` as `$1` and so on.
  package static func run(
    _ commands: String, _ arguments: [String], in folder: String
  ) throws -> ProgramResult {
    try Support.run("unshare", ["-m", "sh", "-ec", commands, "sh"] + arguments, in: folder)
  }
}
