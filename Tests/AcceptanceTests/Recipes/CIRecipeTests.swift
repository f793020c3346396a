import Foundation
import Support
import Testing

/// Tests that the recipes for CI systems and build tools work as described.
///
/// The tests run the recipe's own program, or extract the steps from the recipe and run them.
@Suite(.mostlyWaits) struct CIRecipeTests {
  private func game() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(packageFolder)/Examples/GreatGame", toPath: folder.path("game"))
    try? FileManager.default.removeItem(atPath: folder.path("game/build"))
    try folder.link("bin/packtool", to: packtoolProgram())
    return folder
  }

  /// Runs a script in the game's folder with packtool on the search path, and checks that the result is the
  /// same as a build by packtool.
  private func run(_ script: String, in folder: TemporaryFolder, leaves packs: String? = "build/packs") throws
  {
    let search = "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let result = try Support.run(
      "bash", ["-euo", "pipefail", "-c", script], in: folder.path("game"),
      environment: ["PATH": search, "GITHUB_OUTPUT": folder.path("outputs"), "PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    guard let packs else { return }
    let own = try Support.run(packtoolProgram(), ["build", "game", "-o", "own", "-q"], in: folder.path)
    #expect(own.status == 0)
    let difference = try Support.run(
      "diff", ["-r", "--exclude=.packtool", "own", "game/\(packs)"], in: folder.path)
    #expect(difference.status == 0, "\(difference.output)")
  }

  /// Returns the shell lines that a Python expression extracts from a YAML file, as one script.
  private func steps(_ file: String, _ expression: String) throws -> String {
    let result = try Support.run(
      "python3",
      ["-c", "import yaml; f = yaml.safe_load(open('\(packageFolder)/\(file)')); print(\(expression))"])
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// Runs a recipe of another CI system on a branch with a program that replaces this system, and returns its
  /// log.
  private func pipeline(
    _ system: String, _ file: String, of branch: String, in folder: TemporaryFolder, token: String = ""
  ) throws -> String {
    let search = "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let result = try Support.run(
      "python3",
      [
        "\(packageFolder)/Tests/Fixtures/Actions/\(system).py",
        "\(packageFolder)/Examples/GreatGame/ci/\(file)", folder.path("state"), branch,
      ], in: folder.path("game"), environment: ["PATH": search, "BASELINE_TOKEN": token])
    try #require(result.status == 0, "\(result.output)\(result.errors)")
    return result.output + result.errors
  }

  @Test(arguments: ["", "own"]) func `git lab compares with what the default branch built`(token: String)
    throws
  {
    let folder = try game()
    // Only the default branch leaves a baseline, so the build of a topic branch must not be used as one.
    _ = try pipeline("gitlab", "gitlab-ci.yml", of: "topic", in: folder)
    let first = try pipeline("gitlab", "gitlab-ci.yml", of: "main", in: folder)
    #expect(first.contains("no baseline: no pipeline of main left one"))
    #expect(first.contains("[missing-baseline]"))
    try folder.write("game/Assets/Levels/1/new.json", "{}")
    let second = try pipeline("gitlab", "gitlab-ci.yml", of: "topic", in: folder, token: token)
    #expect(!second.contains("no baseline") && !second.contains("[missing-baseline]"), "\(second)")
    #expect(second.contains("Levels/1/new.json"), "\(second)")
    let baseline = try Support.run(
      "bsdtar", ["-tf", folder.path("state/gitlab/main/packs-baseline.zip")]
    ).output.split(separator: "\n").filter { $0.hasSuffix(".json") }
    #expect(baseline.count == 2, "\(baseline)")
    #expect(try String(decoding: folder.read("state/packtool.xml"), as: UTF8.self).hasPrefix("<?xml"))
    let quality = try JSONSerialization.jsonObject(with: folder.read("state/codequality.json"))
    let issues = try #require(quality as? [[String: Any]])
    // The game has no findings.
    #expect(issues.isEmpty)
  }

  @Test func `jenkins compares with what main built`() throws {
    let folder = try game()
    let first = try pipeline("jenkins", "Jenkinsfile", of: "main", in: folder)
    #expect(first.contains("no baseline: main has no successful build yet"))
    try FileManager.default.removeItem(atPath: folder.path("game/build"))
    try folder.write("game/Assets/Levels/1/new.json", "{}")
    let second = try pipeline("jenkins", "Jenkinsfile", of: "PR-7", in: folder)
    #expect(!second.contains("[missing-baseline]") && second.contains("Levels/1/new.json"), "\(second)")
  }

  /// Runs the whole action in the game's folder.
  ///
  /// Later runs see the state of the server that earlier runs left.
  private func act(
    in folder: TemporaryFolder, on event: String, of branch: String, fork: Bool = false,
    _ inputs: [String: String] = [:]
  ) throws -> [String: GitHubRun.Step] {
    var task = GitHubRun(event: event, branch: branch)
    task.action = "\(packageFolder)/.github/actions/packtool/action.yml"
    task.inputs = ["version": "none"].merging(inputs) { $1 }
    task.fork = fork
    return try task.run(in: folder)
  }

  /// A comment in the state of the server that replaces GitHub.
  private struct Comment: Codable, Equatable {
    let id: Int
    let issue: Int
    let user: [String: String]
    let body: String
  }

  private func comments(in folder: TemporaryFolder) throws -> [Comment] {
    try JSONDecoder().decode([Comment].self, from: folder.read("state/comments.json"))
  }

  @Test func `the action compares with what the default branch built`() throws {
    let folder = try game()
    let first = try act(in: folder, on: "push", of: "main", ["submission": "true"])
    #expect(first["action"]?.status == 0, "\(first["build"]?.log ?? "")")
    #expect(first["comment"]?.skipped == true)
    #expect(first["actions/cache"]?.with?["path"] == "build/packs")
    #expect(first["actions/cache"]?.with?["key"] == "packtool-Linux-0123abc")
    #expect(
      first["baseline"]?.log == """
        ::notice title=packtool::no baseline: no successful run on main left one, so updates are not compared

        """)
    #expect(first["build"]?.log?.contains("missing-baseline") == true)
    #expect(first["actions/upload-artifact"]?.with?["name"] == "packtool-baseline")
    let sarif = try #require(first["github/codeql-action/upload-sarif"]?.with?["sarif_file"])
    #expect(first["action"]?.outputs == ["sarif": sarif])
    let log = try JSONSerialization.jsonObject(with: folder.read("game/\(sarif)")) as? [String: Any]
    #expect(log?["version"] as? String == "2.1.0")
    // The second pipeline starts with the state that the first pipeline left, so it publishes nothing.
    try FileManager.default.removeItem(atPath: folder.path("game/build"))
    try folder.write("game/Assets/Levels/1/new.json", "{}")
    let second = try act(in: folder, on: "pull_request", of: "topic")
    #expect(second["action"]?.status == 0, "\(second["build"]?.log ?? "")")
    #expect(second["baseline"]?.log == "baseline: packtool-baseline of run 1\n")
    #expect(second["build"]?.log?.contains("missing-baseline") == false)
    #expect(second["actions/upload-artifact"]?.skipped == true)
    let body = try #require(try comments(in: folder).first?.body)
    #expect(body.contains("Levels/1/new.json") && body.hasSuffix("<!-- packtool diff -->"))
    #expect(try String(decoding: folder.read("state/summary"), as: UTF8.self).contains("Levels/1/new.json"))
  }

  @Test func `the action rewrites its own comment alone`() throws {
    let folder = try game()
    _ = try act(in: folder, on: "push", of: "main")
    // A hundred other comments, so that the action's own comment is on the second page. One of these comments
    // quotes the action's comment, and one is from the same bot.
    let others = (1...100).map { number in
      Comment(
        id: number, issue: 7, user: ["login": number == 1 ? "github-actions[bot]" : "someone"],
        body: number == 2 ? "<!-- packtool-baseline -->\n<!-- packtool diff -->" : "coverage: 80 %")
    }
    try folder.write("state/comments.json", JSONEncoder().encode(others))
    try folder.write("game/Assets/Levels/1/new.json", "{}")
    for name in ["one", "two"] {
      try folder.write("game/Assets/Levels/1/\(name).json", "{}")
      let steps = try act(in: folder, on: "pull_request", of: "topic")
      #expect(steps["comment"]?.status == 0 && steps["comment"]?.log == "", "\(steps["comment"]?.log ?? "")")
    }
    let after = try comments(in: folder)
    #expect(after.count == 101 && Array(after.prefix(100)) == others)
    #expect(after.last?.body.contains("Levels/1/two.json") == true)
    // The token of a fork has no permission to write. The action must report this and must not fail.
    let fork = try act(in: folder, on: "pull_request", of: "topic", fork: true)
    #expect(fork["action"]?.status == 0)
    #expect(fork["comment"]?.log?.contains("::notice title=packtool::no comment") == true)
  }

  /// Branches and events from strangers must not make the action use another workflow, and must not leave a
  /// baseline.
  @Test func `the action asks for its own workflow`() throws {
    let folder = try game()
    for event in ["issue_comment", "workflow_run", "pull_request_target", "push"] {
      let steps = try act(in: folder, on: event, of: "main")
      #expect(steps["actions/upload-artifact"]?.skipped == (event == "push" ? nil : true), "\(event)")
    }
    for branch in ["x/evil.yml@y", "release@2", "dependabot/@types/node"] {
      let steps = try act(in: folder, on: "pull_request", of: branch)
      #expect(steps["baseline"]?.log == "baseline: packtool-baseline of run 4\n", "\(branch)")
    }
  }

  @Test func `each manifest has one name of its baseline`() throws {
    let folder = try game()
    var names: [String: String] = [:]
    for path in [
      "Apps/one", "Apps-one", "./Apps/one/", "Apps//one", "x", "./x", "x/.", ".", "./", "-x", "a b", "a-b",
    ] {
      names[path] = try act(in: folder, on: "push", of: "main", ["manifest": path])["baseline"]?.outputs?[
        "name"]
    }
    #expect(names["."] == "packtool-baseline" && names["./"] == names["."])
    #expect(names["x"] == "packtool-baseline-x" && names["./x"] == names["x"] && names["x/."] == names["x"])
    #expect(names["Apps-one"] == "packtool-baseline-Apps-one" && names["Apps/one"] != names["Apps-one"])
    #expect(names["./Apps/one/"] == names["Apps/one"] && names["Apps//one"] == names["Apps/one"])
    #expect(names["a b"] != names["a-b"])
    #expect(names.values.areAll { $0.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil }, "\(names)")
  }

  /// An artifact in the state of the server that replaces GitHub.
  private struct Artifact: Codable {
    let id: Int
    var name = "packtool-baseline"
    let run: Int
    var expired = false
  }

  @Test func `the action takes no baseline of others`() throws {
    let folder = try game()
    // Only a push to the default branch leaves a baseline.
    _ = try act(in: folder, on: "push", of: "topic")
    _ = try act(in: folder, on: "pull_request", of: "main", fork: true)
    #expect(!FileManager.default.fileExists(atPath: folder.path("state/artifacts.json")))
    _ = try act(in: folder, on: "push", of: "main")
    // None of the newer artifacts may be used as the baseline. They are from a fork whose branch is also
    // named main, from a topic branch, from a failed run, and from another manifest. One has expired.
    _ = try act(in: folder, on: "pull_request", of: "main", fork: true)
    _ = try act(in: folder, on: "push", of: "topic")
    let manifest = try folder.read("game/Manifest.json")
    try folder.write("game/Manifest.json", "{}")
    _ = try act(in: folder, on: "push", of: "main")
    try folder.write("game/Manifest.json", manifest)
    _ = try act(in: folder, on: "push", of: "main", ["manifest": "Manifest.json"])
    _ = try act(in: folder, on: "push", of: "main")
    let list = [
      Artifact(id: 4, run: 4), Artifact(id: 5, run: 5), Artifact(id: 6, run: 6),
      Artifact(id: 2, name: "packtool-baseline-Manifest.json", run: 7),
      Artifact(id: 3, run: 8, expired: true),
      Artifact(id: 1, run: 3),
    ]
    try folder.write("state/artifacts.json", JSONEncoder().encode(list))
    let steps = try act(in: folder, on: "pull_request", of: "topic")
    #expect(steps["baseline"]?.log == "baseline: packtool-baseline of run 3\n")
    let other = try act(in: folder, on: "pull_request", of: "topic", ["manifest": "Manifest.json"])
    #expect(other["baseline"]?.log == "baseline: packtool-baseline-Manifest.json of run 7\n")
  }

  @Test func `the action fails and still shows findings`() throws {
    let folder = try game()
    try folder.write("game/Manifest.json", "{}")
    let steps = try act(in: folder, on: "pull_request", of: "topic")
    #expect(steps["action"]?.status == 1 && steps["comment"]?.skipped == true)
    #expect(steps["build"]?.log?.contains("::error file=Manifest.json,line=1,col=1") == true)
    let sarif = try #require(steps["github/codeql-action/upload-sarif"]?.with?["sarif_file"])
    #expect(try String(decoding: folder.read("game/\(sarif)"), as: UTF8.self).contains("missing-key"))
    let quiet = try act(in: folder, on: "pull_request", of: "topic", ["sarif": "false"])
    #expect(quiet["github/codeql-action/upload-sarif"]?.skipped == true)
  }

  @Test func `the action passes arguments`() throws {
    let folder = try game()
    let inputs = ["args": "--layout 'xcode' --url-prefix \"https://example.com/a%20b/\"", "strict": "true"]
    let steps = try act(in: folder, on: "push", of: "main", inputs)
    #expect(steps["action"]?.status == 0, "\(steps["build"]?.log ?? "")")
    let list = try String(
      decoding: folder.read("game/build/packs/AssetPackManifest.plist"), as: UTF8.self)
    #expect(list.contains("https://example.com/a%20b/"))
    // A doubtful URL prefix is a warning. With `--strict`, it is an error.
    let doubtful = "--layout xcode --url-prefix http://example.com/"
    for (strict, status) in [("false", 0), ("true", 1)] {
      let steps = try act(in: folder, on: "push", of: "main", ["args": doubtful, "strict": strict])
      #expect(steps["action"]?.status == status, "\(steps["build"]?.log ?? "")")
    }
  }

  @Test(arguments: ["latest", "0.9.0", "v0.9.0"]) func `the action installs a release`(version: String) throws
  {
    let folder = try game()
    try folder.addRelease()
    let steps = try act(in: folder, on: "push", of: "main", ["version": version])
    #expect(steps["action"]?.status == 0, "\(steps["install"]?.log ?? "")")
    let asked = try String(decoding: folder.read("apt.log"), as: UTF8.self).split(separator: "\n")
    #expect(asked.count == 3 && asked[1] == "update --quiet" && asked[0] == asked[2], "\(asked)")
    #expect(asked[0].hasPrefix("install --yes ") && asked[0].contains(" ./packtool_0.9.0_"))
  }

  @Test func `the action installs nothing that is not what was released`() throws {
    let folder = try game()
    try folder.addRelease()
    let missing = try act(in: folder, on: "push", of: "main", ["version": "0.8.0"])
    #expect(missing["install"]?.log?.contains("::error title=packtool::no release at http") == true)
    #expect(missing["action"]?.status == 1 && missing["build"]?.skipped == true)
    #expect(missing["github/codeql-action/upload-sarif"]?.skipped == true)
    let sums = try String(decoding: folder.read("state/releases/v0.9.0/SHA256SUMS"), as: UTF8.self)
    try folder.write(
      "state/releases/v0.9.0/SHA256SUMS",
      sums.replacing(/[0-9a-f]{64}/, with: String(repeating: "0", count: 64)))
    let other = try act(in: folder, on: "push", of: "main", ["version": "latest"])
    #expect(other["install"]?.log?.contains("FAILED") == true && other["action"]?.status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path("apt.log")))
  }

  @Test func `the action installs nothing without an attestation`() throws {
    let folder = try game()
    try folder.addRelease()
    try folder.writeProgram("bin/gh", "#!/bin/sh\necho \"$@\" >> \"$ROOT/gh.log\"\nexit 1\n")
    let steps = try act(in: folder, on: "push", of: "main", ["version": "0.9.0"])
    #expect(steps["action"]?.status == 1 && steps["build"]?.skipped == true)
    let asked = try String(decoding: folder.read("gh.log"), as: UTF8.self)
    #expect(
      asked.hasPrefix("attestation verify packtool_0.9.0_") && asked.hasSuffix(" --repo own/packtool\n"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("apt.log")))
  }

  @Test func `the hook of pre commit refuses mistakes`() throws {
    let folder = try game()
    let entry = try steps(".pre-commit-hooks.yaml", "f[0]['entry']")
    let local = try steps(
      "Examples/GreatGame/ci/pre-commit-config.yaml", "f['repos'][0]['hooks'][0]['entry']")
    #expect(entry == local)
    let hook = entry.trimmingCharacters(in: .newlines)
    try run("git init -q . && git add . && \(hook)", in: folder, leaves: nil)
    // The commit renames an asset, and does not change the manifest.
    try run("git mv Assets/Levels/1 Assets/Levels/one && ! \(hook)", in: folder, leaves: nil)
    try run("git mv Assets/Levels/one Assets/Levels/1 && \(hook)", in: folder, leaves: nil)
    try folder.write("game/Manifest.json", "{}")
    try run("! { \(hook); }", in: folder, leaves: nil)
    for file in [".pre-commit-hooks.yaml", "Examples/GreatGame/ci/pre-commit-config.yaml"] {
      let list = file.hasPrefix(".") ? "f[0]" : "f['repos'][0]['hooks'][0]"
      #expect(try steps(file, "(\(list)['always_run'], \(list)['pass_filenames'])") == "(True, False)\n")
    }
  }

  /// File names must not be treated as flags.
  ///
  /// pre-commit appends the file names of a commit to the command.
  @Test(arguments: [".pre-commit-hooks.yaml", "Examples/GreatGame/ci/pre-commit-config.yaml"])
  func `the hooks take names for names`(file: String) throws {
    let folder = try game()
    let list = file.hasPrefix(".") ? "f" : "f['repos'][0]['hooks']"
    let entries = try steps(file, "'\\n'.join(hook['entry'] for hook in \(list))").split(separator: "\n")
    for entry in entries {
      try folder.write("game/A/Manifest.json", "kept")
      try folder.write("game/--findings=A/Manifest.json", "{}")
      // The hook that checks all manifests gets no names, but finds the file with Git.
      let names = entry.hasPrefix("sh ") ? "" : "--findings=A/Manifest.json"
      try run("git init -q . && git add -A && { \(entry) \(names) || true; }", in: folder, leaves: nil)
      #expect(try folder.read("game/A/Manifest.json") == Data("kept".utf8), "\(entry)")
    }
  }

  @Test func `what is taken from others is pinned`() throws {
    let folder = try TemporaryFolder()
    try folder.write(".ci/pin", Data(contentsOf: URL(fileURLWithPath: "\(packageFolder)/.ci/pin")))
    let file = ".github/workflows/a.yml"
    try folder.write("Sources/packtool/packtool.docc/GitHub.md", "")
    func pin(_ text: String, _ flags: String = "") throws -> ProgramResult {
      try folder.write(file, text)
      return try Support.run(
        "bash", ["-ec", "git init -q . 2> /dev/null; git add .github; bash .ci/pin \(flags)"],
        in: folder.path,
        environment: ["ORIGIN": folder.path("origin")])
    }
    #expect(try pin("      - uses: own/tool@v1\n", "--check").status == 1)
    #expect(try pin("    image: swift:6.3\n", "--check").status == 1)
    #expect(try pin("          repository: own/tool\n          path: x\n", "--check").status == 1)
    let origin = """
      mkdir -p origin/own && git init -q origin/own/tool && cd origin/own/tool
      git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m one
      git -c user.name=a -c user.email=a@example.com tag -a -m v1 v1
      git rev-parse HEAD
      """
    let commit = try Support.run("bash", ["-ec", origin], in: folder.path).output.trimmingCharacters(
      in: .newlines)
    #expect(try pin("      - uses: own/tool/sub@v1\n          ref: v1 # pin: own/tool\n").status == 0)
    #expect(
      try String(decoding: folder.read(file), as: UTF8.self)
        == "      - uses: own/tool/sub@\(commit) # v1\n          ref: \(commit) # v1\n")
    #expect(try pin(String(decoding: folder.read(file), as: UTF8.self), "--check").status == 0)
    let own = try Support.run("\(packageFolder)/.ci/pin", ["--check"])
    #expect(own.status == 0, "\(own.errors)")
  }

  @Test func `the formatter of pre commit writes`() throws {
    let folder = try game()
    let entry = try steps(".pre-commit-hooks.yaml", "f[1]['entry']").trimmingCharacters(in: .newlines)
    let before = try folder.read("game/Manifest.json")
    try folder.write(
      "game/Manifest.json", String(decoding: before, as: UTF8.self).replacing("\n", with: "\n\t"))
    try run("\(entry) Manifest.json", in: folder, leaves: nil)
    #expect(try folder.read("game/Manifest.json") == before)
  }

  @Test func `make builds once`() throws {
    let folder = try game()
    try run("make PACKTOOL=packtool", in: folder)
    try run("make PACKTOOL=packtool | grep 'Nothing to be done'", in: folder)
  }

  @Test(.enabled(if: CompletionsTests.isInstalled("ninja"), "needs ninja")) func `ninja builds once`() throws
  {
    let folder = try game()
    try run("ninja -f ci/build.ninja", in: folder)
    try run("ninja -f ci/build.ninja | grep 'no work to do'", in: folder)
    try folder.write("game/Assets/Levels/1/new.json", "{}")
    try run("ninja -f ci/build.ninja | grep 'packs of Manifest.json'", in: folder)
  }

  @Test(.enabled(if: CompletionsTests.isInstalled("cmake"), "needs cmake")) func `cmake builds`() throws {
    let folder = try game()
    try run("cmake -S ci -B build > log && cmake --build build", in: folder)
  }
}
