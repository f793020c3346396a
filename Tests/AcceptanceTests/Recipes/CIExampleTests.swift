import Foundation
import Support
import Testing

/// Tests that the files in Examples/GreatGame/ci work as described.
@Suite struct CIExampleTests {
  private func game() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(packageFolder)/Examples/GreatGame", toPath: folder.path("game"))
    try? FileManager.default.removeItem(atPath: folder.path("game/build"))
    return folder
  }

  private func expectOneBuild(_ folder: TemporaryFolder, is merged: String) throws {
    let built = try run(try packtoolProgram(), ["build", "game", "-o", "one", "-q"], in: folder.path)
    #expect(built.status == 0)
    func published(_ output: String) throws -> [String: Data] {
      try folder.files(below: output).filter { !$0.key.hasPrefix(".packtool/") }
    }
    #expect(try published("one") == published(merged))
  }

  @Test(.enabled(if: isInstalled("parallel") && isInstalled("rsync"), "needs GNU parallel and rsync"))
  func `parts are built by local jobs of GNU parallel`() throws {
    let folder = try game()
    let result = try run(
      folder.path("game/ci/shards.sh"), ["build/packs", ":", ":", ":"], in: folder.path,
      environment: ["PACKTOOL": try packtoolProgram()])
    #expect(result.status == 0, "\(result.errors)")
    try expectOneBuild(folder, is: "game/build/packs")
  }

  /// A script that starts two hosts which are reached over ssh.
  ///
  /// Each host is a separate server on the loopback address.
  private static let hosts = """
    mkdir -p /run/sshd
    ssh-keygen -q -t ed25519 -N '' -f key
    for number in 1 2; do
      ssh-keygen -q -t ed25519 -N '' -f host$number
      port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
      cat > sshd$number <<END
    ListenAddress 127.0.0.1:$port
    HostKey $PWD/host$number
    AuthorizedKeysFile $PWD/key.pub
    PidFile $PWD/pid$number
    StrictModes no
    UsePAM no
    PermitRootLogin yes
    END
      cat >> config <<END
    Host one$number
      HostName 127.0.0.1
      Port $port
      IdentityFile $PWD/key
      StrictHostKeyChecking no
      UserKnownHostsFile /dev/null
      LogLevel ERROR
    END
      /usr/sbin/sshd -f $PWD/sshd$number
    done
    trap 'kill $(cat pid1 pid2)' EXIT
    for try in 1 2 3 4 5 6 7 8 9; do ssh -F config one2 true && ssh -F config one1 true && break; sleep 0.2; done
    """

  @Test(
    .enabled(
      if: ["parallel", "rsync", "sshd", "ssh", "ssh-keygen", "python3"].allSatisfy { isInstalled($0) },
      "needs GNU parallel, rsync and OpenSSH's server"),
    .enabled(if: !isSanitized, "a sanitizer's options do not come along over ssh"))
  func `parts are built on two hosts over ssh`() throws {
    let folder = try game()
    let script = "\(Self.hosts)\nSSH=\"ssh -F $PWD/config\" game/ci/shards.sh build/packs one1 one2"
    let result = try run(
      "bash", ["-euc", script], in: folder.path, environment: ["PACKTOOL": try packtoolProgram()])
    #expect(result.status == 0, "\(result.errors)")
    try expectOneBuild(folder, is: "game/build/packs")
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder.path("game/build/parts"))
    #expect(parts.sorted() == ["1", "2"])
  }

  /// Runs all jobs of the GitHub workflow, and returns the steps of the last job.
  private func pipeline(
    in folder: TemporaryFolder, on event: String, of branch: String
  ) throws -> [String: GitHubRun.Step] {
    // Each job runs on its own machine, so the output of the previous job is removed.
    try? FileManager.default.removeItem(atPath: folder.path("game/build"))
    var task = GitHubRun(event: event, branch: branch)
    task.workflow = "\(packageFolder)/Examples/GreatGame/ci/github-actions.yml"
    task.job = "part"
    for part in 1...4 {
      task.matrix = ["part": "\(part)"]
      let steps = try task.run(in: folder)
      #expect(steps["action"]?.status == 0, "\(steps)")
      try FileManager.default.removeItem(atPath: folder.path("game/build"))
    }
    task.job = "packs"
    return try task.run(in: folder)
  }

  @Test(.enabled(if: hasYAML, "needs Python's yaml"))
  func `the workflow for GitHub builds parts, merges them and compares`() throws {
    let folder = try game()
    try folder.addRelease()
    let first = try pipeline(in: folder, on: "push", of: "main")
    #expect(first["action"]?.status == 0, "\(first)")
    #expect(first["baseline"]?.log?.contains("::notice title=packtool::no baseline") == true)
    try expectOneBuild(folder, is: "game/build/packs")
    let log =
      try JSONSerialization.jsonObject(with: folder.read("game/build/packtool.sarif")) as? [String: Any]
    #expect(log?["version"] as? String == "2.1.0")
    try folder.write("game/Assets/Levels/1/new.json", "{}")
    let second = try pipeline(in: folder, on: "pull_request", of: "topic")
    #expect(second["action"]?.status == 0, "\(second)")
    #expect(second["baseline"]?.log?.hasPrefix("baseline: packtool-baseline of run ") == true)
    let comments = try String(decoding: folder.read("state/comments.json"), as: UTF8.self)
    #expect(comments.contains("Levels/1/new.json"))
  }
}

private let hasYAML = (try? run("python3", ["-c", "import yaml"]).status) == 0
