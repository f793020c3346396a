import Foundation
import Support
import Testing

/// Workspaces of Bazel with their own home folder, so that nothing of this machine's Bazel takes part.
///
/// The servers of Bazel end when this object is released.
final class BazelSite {
  let folder: TemporaryFolder
  private var workspaces: [String] = []

  /// Prepares Bazel; `options` are further lines of the user's `.bazelrc`.
  init(options: [String] = []) throws {
    folder = try TemporaryFolder()
    // Bazel 4.2 downloads a tool for coverage before it runs any test. This repository replaces the tool.
    try folder.write("coverage/WORKSPACE", "")
    try folder.write(
      "coverage/BUILD",
      "filegroup(name = \"coverage_report_generator\", visibility = [\"//visibility:public\"])\n")
    let lines = [
      "startup --output_user_root=\(folder.path("output")) --max_idle_secs=60",
      // Each server runs for some seconds only, which is too short for the second compiler of its Java.
      "startup --host_jvm_args=-XX:TieredStopAtLevel=1",
      "build --spawn_strategy=sandboxed --color=no --curses=no --show_progress=no",
      "build --override_repository=remote_coverage_tools=\(folder.path("coverage"))",
    ]
    try folder.write("home/.bazelrc", (lines + options).joined(separator: "\n") + "\n")
  }

  deinit {
    for workspace in workspaces { _ = try? run(in: workspace, "bazel shutdown") }
  }

  /// Copies Examples/Bazel to a folder and adds files to it.
  func addWorkspace(_ name: String, files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(
      atPath: folder.path(name), withIntermediateDirectories: true)
    let copied = try Support.run("cp", ["-R", "\(packageFolder)/Examples/Bazel/.", folder.path(name)])
    try #require(copied.status == 0, "\(copied.errors)")
    workspaces.append(name)
    for (path, text) in files { try folder.write("\(name)/\(path)", text) }
  }

  /// Runs a line of a shell in a workspace, with the packtool of this build in the PATH.
  @discardableResult
  func run(in workspace: String, _ script: String) throws -> ProgramResult {
    let program = try packtoolProgram()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try runUnblocked(
      "bash", ["-euo", "pipefail", "-c", script], in: folder.path(workspace),
      environment: [
        "HOME": folder.path("home"), "PATH": "\((program as NSString).deletingLastPathComponent):\(path)",
        "USER": "tester",
      ])
  }

  /// Builds targets, which must succeed, and returns the actions that did not stay as they were.
  func build(in workspace: String, _ targets: String = ":packs") throws -> [Action] {
    let log = folder.path("log.json")
    let result = try run(in: workspace, "bazel build --execution_log_json_file=\(log) \(targets)")
    try #require(result.status == 0, "\(result.errors)")
    return try Action.read(folder.read("log.json")).filter { !$0.mnemonic.hasPrefix("Bazel") }
  }

  /// The files in a folder of a workspace's output.
  func output(of workspace: String, _ name: String = "packs") throws -> [String: Data] {
    try folder.files(below: "\(workspace)/bazel-bin/\(name)")
  }

  /// Builds a manifest in a workspace without Bazel, and returns the files.
  func buildDirectly(in workspace: String, _ flags: String = "") throws -> [String: Data] {
    let output = "direct-\(UUID())"
    let result = try run(in: workspace, "packtool build -q --no-state -o '\(folder.path(output))' \(flags)")
    try #require(result.status == 0, "\(result.errors)")
    return try folder.files(below: output)
  }

  /// An action in Bazel's execution log.
  struct Action {
    let mnemonic: String
    let inputs: [String]
    let output: String
    let isCached: Bool

    /// The inputs that are not the tool, a manifest or a shard.
    var assets: [String] { inputs.filter { !$0.hasPrefix("bazel-out/") && !$0.hasPrefix("external/") } }

    /// Reads a log, which is a sequence of JSON objects.
    static func read(_ log: Data) throws -> [Action] {
      let text = String(decoding: log, as: UTF8.self).replacingOccurrences(of: "\n}{", with: "\n},{")
      let objects = try JSONSerialization.jsonObject(with: Data("[\(text)]".utf8)) as? [[String: Any]]
      return try #require(objects).map { object in
        func paths(_ key: String) -> [String] {
          (object[key] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
        }
        return Action(
          mnemonic: object["mnemonic"] as? String ?? "", inputs: paths("inputs"),
          output: (object["listedOutputs"] as? [String])?.first ?? "",
          isCached: object["remoteCacheHit"] as? Bool ?? false)
      }
    }
  }
}

/// Runs a program that starts servers, and lets signals end these servers.
///
/// Threads of a test run block signals, and processes that they start inherit the block. `Process` waits until
/// all processes have closed a descriptor that they inherit, so the script closes this descriptor.
func runUnblocked(
  _ program: String, _ arguments: [String], in folder: String, environment: [String: String]
) throws -> ProgramResult {
  let script = """
    import os, signal, sys
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    os.closerange(3, 1000)
    os.execvp(sys.argv[1], sys.argv[1:])
    """
  return try run(
    "python3", ["-c", script, program] + arguments, in: folder, environment: environment)
}
