import Foundation
import Support
import Testing

/// Tests that the files in Examples/GreatGame/ci work as described.
@Suite(.mostlyWaits) struct CIExampleTests {
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

/// Job arrays, which build one shard with each job.
extension CIExampleTests {
  @Test(.enabled(if: hasYAML, "needs Python's yaml"))
  func `the parallel jobs of GitLab build shards`() throws {
    let folder = try game()
    let program = try packtoolProgram()
    // Each job has a machine, and only its artifacts come back.
    let script = """
      import os, shutil, subprocess, sys, yaml
      jobs = yaml.safe_load(open("game/ci/gitlab-shards.yml"))
      part, packs = jobs["part"], jobs["packs"]
      assert packs["needs"] == ["part"] and part["artifacts"]["paths"] == ["build/parts"]
      def run(job, **variables):
          for line in job["script"]:
              subprocess.run(["bash", "-ec", line], cwd="game", check=True, env=dict(os.environ, **variables))
      for index in range(1, part["parallel"] + 1):
          run(part, CI_NODE_INDEX=str(index), CI_NODE_TOTAL=str(part["parallel"]))
          shutil.copytree("game/build/parts", "artifacts", dirs_exist_ok=True)
          shutil.rmtree("game/build")
      shutil.copytree("artifacts", "game/build/parts")
      run(packs)
      """
    let path =
      "\((program as NSString).deletingLastPathComponent):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let result = try run("python3", ["-c", script], in: folder.path, environment: ["PATH": path])
    #expect(result.status == 0, "\(result.errors)")
    try expectOneBuild(folder, is: "game/build/packs")
  }

  /// Slurm on this host, with a controller, one node, and its own keys and ports.
  private static let slurm = """
    port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
    chmod 755 . && mkdir -p state spool munge && chmod 700 munge
    dd if=/dev/urandom of=munge/key bs=1024 count=1 status=none && chmod 600 munge/key
    cat > slurm.conf <<END
    ClusterName=test
    SlurmctldHost=localhost
    SlurmUser=root
    SlurmdUser=root
    AuthType=auth/munge
    AuthInfo=socket=$PWD/munge/socket
    SlurmctldPort=$(port)
    SlurmdPort=$(port)
    StateSaveLocation=$PWD/state
    SlurmdSpoolDir=$PWD/spool
    SlurmctldPidFile=$PWD/control.pid
    SlurmdPidFile=$PWD/node.pid
    SlurmctldLogFile=$PWD/control.log
    SlurmdLogFile=$PWD/node.log
    ProctrackType=proctrack/linuxproc
    TaskPlugin=task/none
    SelectType=select/cons_tres
    SelectTypeParameters=CR_CPU
    SchedulerParameters=bf_interval=1,sched_interval=1
    ReturnToService=2
    MailProg=/bin/true
    NodeName=node NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
    PartitionName=all Nodes=node Default=YES State=UP
    END
    export SLURM_CONF=$PWD/slurm.conf
    # Munge keeps its pid file, log and socket in this folder, whose parents others can write to.
    munged --force --key-file=munge/key --socket="$PWD/munge/socket" --pid-file="$PWD/munge/pid" \
      --log-file="$PWD/munge/log" --seed-file="$PWD/munge/seed" > munge.out 2>&1
    trap 'kill $(cat node.pid control.pid munge/pid)' EXIT
    slurmctld -c > control.out 2>&1
    slurmd -N node > node.out 2>&1
    for try in $(seq 100); do sinfo --noheader --format=%T | grep -q idle && break; sleep 0.2; done
    """

  @Test(
    .enabled(
      if: ["munged", "slurmctld", "slurmd", "sbatch", "python3"].allSatisfy { isInstalled($0) }
        && getuid() == 0,
      "needs Slurm, and root for its controller"),
    .enabled(if: !isSanitized, "a sanitizer's options do not come along into jobs"))
  func `a job array of Slurm builds shards`() throws {
    let folder = try game()
    // A folder name cannot have spaces in a Slurm configuration, and tests have none.
    func slurm(_ script: String) throws -> ProgramResult {
      try runUnblocked(
        "bash", ["-euc", "\(Self.slurm)\n\(script)"], in: folder.path,
        environment: ["PACKTOOL": try packtoolProgram()])
    }
    let script = """
      game/ci/slurm.sh build/packs 3
      sed -i 's/"Textures"/"Texturs"/' game/Manifest.json
      if game/ci/slurm.sh build/other 3 2> errors; then exit 7; fi
      """
    let result = try slurm(script)
    #expect(result.status == 0, "\(result.errors)")
    try folder.write(
      "game/Manifest.json",
      Data(contentsOf: URL(fileURLWithPath: "\(packageFolder)/Examples/GreatGame/Manifest.json")))
    try expectOneBuild(folder, is: "game/build/packs")
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder.path("game/build/parts"))
    #expect(parts.sorted() == ["1", "2", "3"])
    let errors = try String(decoding: folder.read("errors"), as: UTF8.self)
    #expect(
      errors.reports("no-match") && !FileManager.default.fileExists(atPath: folder.path("game/build/other")))
  }
}

private let hasYAML = (try? run("python3", ["-c", "import yaml"]).status) == 0
