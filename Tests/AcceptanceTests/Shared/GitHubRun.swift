import Foundation
import Support
import Testing

/// A run of the action, or of a job in a workflow, described as for GitHub's runner.
///
/// A local server answers requests to GitHub and stores them. The server keeps its state in a folder, so
/// later runs see the results of earlier runs.
struct GitHubRun: Encodable {
  var action: String?
  var inputs: [String: String]?
  var workflow: String?
  var job: String?
  var matrix: [String: String]?
  let event: String
  let branch: String
  /// The Git ref if it is not a branch, such as a tag.
  var ref: String?
  var fork = false
  var state = ""

  init(event: String, branch: String) {
    self.event = event
    self.branch = branch
  }

  /// The result of a step.
  struct Step: Decodable {
    let step: String
    var status: Int?
    var log: String?
    var skipped: Bool?
    var with: [String: String]?
    var outputs: [String: String]?
  }

  /// Runs the job in the folder of the game, with the programs in `bin` on the search path.
  ///
  /// Returns the steps by name.
  func run(in folder: TemporaryFolder) throws -> [String: Step] {
    var task = self
    task.state = folder.path("state")
    try folder.write("task.json", JSONEncoder().encode(task))
    let search = "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let result = try Support.run(
      "sh", ["-c", "python3 '\(packageFolder)/Tests/Fixtures/Actions/run.py' < ../task.json"],
      in: folder.path("game"), environment: ["PATH": search, "ROOT": folder.path])
    try #require(result.status == 0, "\(result.errors)")
    let steps = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Step.self, from: Data($0.utf8))
    }
    return Dictionary(steps.map { ($0.step, $0) }) { first, _ in first }
  }
}

extension TemporaryFolder {
  /// Adds a release to the server.
  ///
  /// The release is a package with a program that starts the program of this build. The test replaces
  /// `apt-get`, because it must not install packages on this machine. The replacement installs the package
  /// into the folder, and only at the second attempt.
  func addRelease() throws {
    try? FileManager.default.removeItem(atPath: path("bin/packtool"))
    try write("bin/sudo", "#!/bin/sh\nexec \"$@\"\n")
    try write(
      "bin/apt-get",
      """
      #!/bin/sh
      echo "$@" >> "$ROOT/apt.log"
      test "$1" = install || exit 0
      grep -q update "$ROOT/apt.log" || exit 100
      for last; do :; done
      dpkg-deb --fsys-tarfile "$last" | tar -xf - -C "$ROOT/bin" --strip-components 3 ./usr/bin/packtool
      """)
    let script = """
      chmod +x bin/sudo bin/apt-get
      mkdir -p tree/DEBIAN tree/usr/bin state/releases/v0.9.0
      printf '#!/bin/sh\nexec "%s" "$@"\n' '\(try packtoolProgram())' > tree/usr/bin/packtool
      chmod +x tree/usr/bin/packtool
      architecture=$(dpkg --print-architecture)
      printf 'Package: packtool\nVersion: 0.9.0\nArchitecture: %s\nMaintainer: a <a@example.com>\nDescription: a\n' \
        "$architecture" > tree/DEBIAN/control
      dpkg-deb --root-owner-group --build tree "state/releases/v0.9.0/packtool_0.9.0_$architecture.deb" > /dev/null
      cd state/releases/v0.9.0
      echo other > packtool_0.9.0_s390x.deb
      sha256sum *.deb > SHA256SUMS
      """
    let made = try run("bash", ["-euo", "pipefail", "-c", script], in: path)
    try #require(made.status == 0, "\(made.errors)")
  }
}
