import Foundation
import Support
import Testing

/// The workflow for a tag publishes files that the first command of the page Installing finds.
@Suite struct ReleaseTests {
  private static let needed = ["dpkg-deb", "dpkg-shlibdeps", "patchelf", "strip", "python3", "curl"]

  /// Makes the outputs of the jobs for both architectures.
  ///
  /// The files of the other architecture have the names that its job would choose.
  private func makeParts(in folder: TemporaryFolder) throws {
    let script = """
      mkdir parts parts/two && cp -r '\(try PackageTests.madePackage.get().path("package"))' parts/one && cd parts/one
      for file in packtool*; do
        other=${file/$(uname -m)/other}
        echo other > "../two/${other/$(dpkg --print-architecture)/other}"
      done
      cd ../two && sha256sum packtool* > SHA256SUMS
      """
    try folder.link("game/.ci", to: "\(packageFolder)/.ci")
    let result = try run("bash", ["-euc", script], in: folder.path("game"))
    try #require(result.status == 0, "\(result.output)\(result.errors)")
  }

  /// A replacement for `gh`.
  ///
  /// It copies the files to the releases folder of the server that replaces GitHub.
  private static let gh = """
    #!/bin/sh
    test "$1 $2 $4 $5" = 'release create --verify-tag --notes-file' && test -s "$6" && test -n "$GH_TOKEN" || exit 1
    folder=$ROOT/state/releases/$3
    mkdir -p "$folder"
    shift 6
    cp "$@" "$folder"
    """

  private func publish(_ tag: String, in folder: TemporaryFolder) throws -> [String: GitHubRun.Step] {
    try folder.write("bin/gh", Self.gh)
    _ = chmod(folder.path("bin/gh"), 0o755)
    var task = GitHubRun(event: "push", branch: "main")
    task.workflow = "\(packageFolder)/.github/workflows/release.yml"
    task.job = "publish"
    task.ref = "refs/tags/\(tag)"
    return try task.run(in: folder)
  }

  @Test(.enabled(if: needed.allSatisfy { isInstalled($0) }, "needs .ci/setup --package"))
  func `the first command of Installing installs what a tag's workflow published`() throws {
    let folder = try TemporaryFolder()
    try makeParts(in: folder)
    let version = try run(packtoolProgram(), ["--version"]).output.split(whereSeparator: \.isWhitespace)[1]
    let other = try publish("v9.9.9", in: folder)
    #expect(other["Collect"]?.log?.contains("is not of version 9.9.9") == true)
    #expect(other["Publish"]?.skipped == true)
    try FileManager.default.removeItem(atPath: folder.path("game/release"))
    let steps = try publish("v\(version)", in: folder)
    #expect(steps["action"]?.status == 0, "\(steps)")
    let names = try folder.files(below: "state/releases/v\(version)").keys
    #expect(names.count == 7, "\(names)")
    let sums = try run(
      "sha256sum", ["--check", "--strict", "SHA256SUMS"], in: folder.path("state/releases/v\(version)"))
    #expect(sums.status == 0 && sums.output.split(separator: "\n").count == 6, "\(sums.output)")
    // The page contains the number of this version, whether the version is released or not.
    let location = "\(packageFolder)/Sources/packtool/packtool.docc/Installing.md"
    let page = try String(contentsOfFile: location, encoding: .utf8)
    let block = try #require(page.firstMatch(of: /```sh\n(curl .*\nsudo .*\n)/)?.output.1)
    let architecture = try run("dpkg", ["--print-architecture"]).output.trimmingCharacters(in: .newlines)
    let command = String(block).replacing("amd64", with: architecture)
    try folder.write("bin/sudo", "#!/bin/sh\ntest \"$1 $2\" = 'apt-get install' && dpkg-deb --info \"$3\"\n")
    _ = chmod(folder.path("bin/sudo"), 0o755)
    let script = """
      import subprocess, sys
      sys.dont_write_bytecode = True
      sys.path.insert(0, "\(packageFolder)/Tests/Fixtures/Actions")
      import server
      address = server.serve(server.State("state"))
      subprocess.run(["bash", "-euc", sys.argv[1].replace("https://github.com/OWNER", address + "/own")], check=True)
      """
    let path = "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let result = try run(
      "python3", ["-c", script, command], in: folder.path,
      environment: ["PATH": path])
    #expect(result.status == 0 && result.output.contains("Package: packtool"), "\(result.errors)")
  }

  @Test(
    .enabled(if: isInstalled("actionlint"), "needs actionlint"),
    arguments: [
      ".github/workflows/release.yml", "Examples/GreatGame/ci/github-actions.yml",
    ]) func `workflows are clean`(file: String) throws
  {
    let result = try run("actionlint", [file], in: packageFolder)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test(.enabled(if: isInstalled("shellcheck"), "needs shellcheck")) func `scripts are clean`() throws {
    let script = "shellcheck -x .github/actions/packtool/*.sh .ci/release"
    let result = try run("bash", ["-c", script], in: packageFolder)
    #expect(result.status == 0, "\(result.output)")
  }
}
