import Foundation
import Support
import Testing

/// The recipes for CI systems and build tools do what they say, where their programs run or their steps are taken out.
@Suite struct CIRecipeTests {
  private func game() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.copyItem(
      atPath: "\(packageFolder)/Examples/GreatGame", toPath: folder.path("game"))
    try? FileManager.default.removeItem(atPath: folder.path("game/build"))
    try folder.link("bin/packtool", to: packtoolProgram())
    return folder
  }

  /// Runs a script in the game's folder with packtool on its path; the build that it leaves must be packtool's own.
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

  /// The shell lines of a YAML file: what a Python expression makes of it, one script.
  private func steps(_ file: String, _ expression: String) throws -> String {
    let result = try Support.run(
      "python3",
      ["-c", "import yaml; f = yaml.safe_load(open('\(packageFolder)/\(file)')); print(\(expression))"])
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test func gitLabBuildsAndComparesTheSecondTime() throws {
    let folder = try game()
    let script = try steps("Examples/GreatGame/ci/gitlab-ci.yml", "'\\n'.join(f['packs']['script'])")
    try run(script, in: folder)
    try run(script, in: folder)
    #expect(try String(decoding: folder.read("game/build/packtool.xml"), as: UTF8.self).hasPrefix("<?xml"))
  }

  @Test func jenkinsRunsItsSteps() throws {
    let folder = try game()
    let file = try String(
      contentsOfFile: "\(packageFolder)/Examples/GreatGame/ci/Jenkinsfile", encoding: .utf8)
    let steps = file.matches(of: /sh '([^']*)'/).map { String($0.output.1) }
    #expect(steps.count == 3)
    try run(steps.joined(separator: "\n"), in: folder)
  }

  /// What a step of the action did.
  private struct Step: Decodable {
    let step: String
    var status: Int?
    var log: String?
    var skipped: Bool?
    var with: [String: String]?
    var outputs: [String: String]?
  }

  /// What the action is run with, as the runner reads it.
  private struct ActionTask: Encodable {
    let action: String
    let inputs: [String: String]
    let github: [String: String]
    /// The pull request's.
    let number = 7
  }

  /// Runs the whole action in the game's folder, with a `gh` that only writes down what it is asked.
  private func act(
    in folder: TemporaryFolder, on event: String, _ inputs: [String: String] = [:]
  ) throws -> [String: Step] {
    let github = ["event_name": event, "sha": "0123abc", "token": "secret"]
    let task = ActionTask(
      action: "\(packageFolder)/.github/actions/packtool/action.yml", inputs: inputs, github: github)
    try folder.write("task.json", JSONEncoder().encode(task))
    try folder.write(
      "bin/gh",
      "#!/bin/sh\necho \"$@\" >> ../gh.log\nfor a; do if [ \"$a\" = --edit-last ]; then exit 1; fi; done\n")
    _ = chmod(folder.path("bin/gh"), 0o755)
    let search = "\(folder.path("bin")):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
    let result = try Support.run(
      "sh", ["-c", "python3 '\(packageFolder)/Tests/Fixtures/Actions/run.py' < ../task.json"],
      in: folder.path("game"), environment: ["PATH": search])
    try #require(result.status == 0, "\(result.errors)")
    let steps = try result.output.split(separator: "\n").map {
      try JSONDecoder().decode(Step.self, from: Data($0.utf8))
    }
    return Dictionary(uniqueKeysWithValues: steps.map { ($0.step, $0) })
  }

  @Test func theActionBuildsAndComments() throws {
    let folder = try game()
    let first = try act(in: folder, on: "push", ["submission": "true"])
    #expect(first["action"]?.status == 0, "\(first["build"]?.log ?? "")")
    #expect(first["if"]?.skipped == true)
    #expect(first["actions/cache@v4"]?.with?["path"] == "build/packs")
    #expect(first["actions/cache@v4"]?.with?["key"] == "packtool-Linux-0123abc")
    let sarif = try #require(first["github/codeql-action/upload-sarif@v3"]?.with?["sarif_file"])
    #expect(first["action"]?.outputs == ["sarif": sarif])
    let log = try JSONSerialization.jsonObject(with: folder.read("game/\(sarif)")) as? [String: Any]
    #expect(log?["version"] as? String == "2.1.0")
    #expect(first["build"]?.log?.contains("missing-baseline") == true)
    // A pull request is compared with what was built, and gets a comment; there is none to edit yet.
    try run("cp -r build/packs build/baseline", in: folder)
    try folder.write("game/Assets/Levels/1/new.json", "{}")
    let second = try act(in: folder, on: "pull_request")
    #expect(second["action"]?.status == 0 && second["if"]?.status == 0, "\(second["if"]?.log ?? "")")
    let asked = try String(decoding: folder.read("gh.log"), as: UTF8.self).split(separator: "\n")
    #expect(
      asked == [
        "pr comment 7 --edit-last --body-file build/packs.md", "pr comment 7 --body-file build/packs.md",
      ])
    #expect(
      try String(decoding: folder.read("game/build/packs.md"), as: UTF8.self).contains("Levels/1/new.json"))
  }

  @Test func theActionFailsAndStillShowsFindings() throws {
    let folder = try game()
    try folder.write("game/Manifest.json", "{}")
    let steps = try act(in: folder, on: "pull_request", ["comment": "true"])
    #expect(steps["action"]?.status == 1 && steps["if"]?.skipped == true)
    #expect(steps["build"]?.log?.contains("::error file=Manifest.json,line=1,col=1") == true)
    let sarif = try #require(steps["github/codeql-action/upload-sarif@v3"]?.with?["sarif_file"])
    #expect(try String(decoding: folder.read("game/\(sarif)"), as: UTF8.self).contains("missing-key"))
  }

  @Test func theHookOfPreCommitRefusesMistakes() throws {
    let folder = try game()
    let entry = try steps(".pre-commit-hooks.yaml", "f[0]['entry']")
    let local = try steps(
      "Examples/GreatGame/ci/pre-commit-config.yaml", "f['repos'][0]['hooks'][0]['entry']")
    #expect(entry == local)
    try run("\(entry.trimmingCharacters(in: .newlines)) Manifest.json", in: folder, leaves: nil)
    try folder.write("game/Manifest.json", "{}")
    try run("! \(entry.trimmingCharacters(in: .newlines)) Manifest.json", in: folder, leaves: nil)
  }

  @Test func theFormatterOfPreCommitWrites() throws {
    let folder = try game()
    let entry = try steps(".pre-commit-hooks.yaml", "f[1]['entry']").trimmingCharacters(in: .newlines)
    let before = try folder.read("game/Manifest.json")
    try folder.write(
      "game/Manifest.json", String(decoding: before, as: UTF8.self).replacing("\n", with: "\n\t"))
    try run("\(entry) Manifest.json", in: folder, leaves: nil)
    #expect(try folder.read("game/Manifest.json") == before)
  }

  @Test func makeBuildsOnce() throws {
    let folder = try game()
    try run("make PACKTOOL=packtool", in: folder)
    try run("make PACKTOOL=packtool | grep 'Nothing to be done'", in: folder)
  }

  @Test(.enabled(if: CompletionsTests.isInstalled("ninja"), "needs ninja")) func ninjaBuildsOnce() throws {
    let folder = try game()
    try run("ninja -f ci/build.ninja", in: folder)
    try run("ninja -f ci/build.ninja | grep 'no work to do'", in: folder)
    try folder.write("game/Assets/Levels/1/new.json", "{}")
    try run("ninja -f ci/build.ninja | grep 'packs of Manifest.json'", in: folder)
  }

  @Test(.enabled(if: CompletionsTests.isInstalled("cmake"), "needs cmake")) func cmakeBuilds() throws {
    let folder = try game()
    try run("cmake -S ci -B build > log && cmake --build build", in: folder)
  }

  /// Bazel is in no distribution; its genrule's command is run as Bazel would.
  @Test func theGenruleOfBazelMakesAnArchive() throws {
    let folder = try game()
    let file = try String(
      contentsOfFile: "\(packageFolder)/Examples/GreatGame/ci/BUILD.bazel", encoding: .utf8)
    let start = try #require(file.range(of: "cmd = "))
    let end = try #require(file.range(of: "tools = "))
    let command = file[start.upperBound..<end.lowerBound].matches(of: /"([^"]*)"/).map { String($0.output.1) }
      .joined().replacing("$$", with: "$").replacing("$(location Manifest.json)", with: "./Manifest.json")
      .replacing("$(location //tools:packtool)", with: "packtool").replacing("$(RULEDIR)", with: "../out")
      .replacing("$@", with: "../out/packs.tar")
    try run(
      "mkdir ../out && \(command) && mkdir -p build/packs && tar -xf ../out/packs.tar -C build/packs",
      in: folder)
  }
}
