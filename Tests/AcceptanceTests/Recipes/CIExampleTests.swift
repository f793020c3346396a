import Foundation
import Support
import Testing

/// The files in Examples/GreatGame/ci do what they say.
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

  /// Two hosts that are reached by ssh, each a server of its own on loopback.
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

  /// Runs the `run` steps of the workflow in order, with its expressions replaced as GitHub does.
  private static let runner = """
    import re, subprocess, sys, yaml
    flow = yaml.safe_load(open("game/ci/github-actions.yml"))
    env = flow["env"]
    def steps(job, **matrix):
        for step in flow["jobs"][job]["steps"]:
            if "run" not in step or "github.event_name" in step.get("if", ""):
                continue
            known = {f"env.{k}": str(v) for k, v in env.items()} | {f"matrix.{k}": str(v) for k, v in matrix.items()}
            text = re.sub(r"\\$\\{\\{ *([\\w.]+) *\\}\\}", lambda m: known[m[1]], step["run"])
            subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], check=True, cwd="game")
    parts = flow["jobs"]["part"]["strategy"]["matrix"]["part"]
    assert parts == list(range(1, env["SHARDS"] + 1)), parts
    for part in parts:
        steps("part", part=part)
    # upload-artifact leaves hidden files out.
    subprocess.run("rm -r game/build/part-*/.packtool", shell=True, check=True)
    steps("packs")
    """

  @Test(.enabled(if: isInstalled("python3") && hasYAML, "needs Python's yaml"))
  func `the workflow for GitHub builds parts and merges them`() throws {
    let folder = try game()
    try FileManager.default.createDirectory(atPath: folder.path("bin"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("bin/packtool"), withDestinationPath: try packtoolProgram())
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let result = try run(
      "python3", ["-c", Self.runner], in: folder.path, environment: ["PATH": "\(folder.path("bin")):\(path)"])
    #expect(result.status == 0, "\(result.errors)")
    try expectOneBuild(folder, is: "game/build/packs")
    let log =
      try JSONSerialization.jsonObject(with: folder.read("game/build/packtool.sarif")) as? [String: Any]
    #expect(log?["version"] as? String == "2.1.0")
  }
}

private let hasYAML = (try? run("python3", ["-c", "import yaml"]).status) == 0
