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

  @Test func theActionBuildsWithAndWithoutABaseline() throws {
    let folder = try game()
    let step = try steps(
      ".github/actions/packtool/action.yml",
      "'\\n'.join(s['run'] for s in f['runs']['steps'] if s.get('id') == 'build')")
    let inputs = "export MANIFEST=. OUTPUT=build/packs BASELINE=build/baseline SUBMISSION=true\n"
    try run(inputs + step, in: folder)
    try run("cp -r build/packs build/baseline\n" + inputs + step, in: folder)
    #expect(try String(decoding: folder.read("outputs"), as: UTF8.self).contains("sarif=build/packs.sarif\n"))
    let log = try JSONSerialization.jsonObject(with: folder.read("game/build/packs.sarif")) as? [String: Any]
    #expect(log?["version"] as? String == "2.1.0")
    let comment = try steps(
      ".github/actions/packtool/action.yml", "f['runs']['steps'][-1]['run'].replace('gh pr', 'echo gh pr')")
    try run("export OUTPUT=build/packs BASELINE=build/baseline NUMBER=1\n" + comment, in: folder)
    #expect(try !folder.read("game/build/packs.md").isEmpty)
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
