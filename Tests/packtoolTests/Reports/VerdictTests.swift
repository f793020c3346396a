@testable import Formats
@testable import Model
@testable import Pipeline
import System
@testable import packtool
import Foundation
import Support
import Testing

/// Tests that `validate`, `plan`, `build` and `verify` have the same findings for the same input and flags.
///
/// The findings must depend only on the input and the target, but not on the command.
@Suite struct VerdictTests {
  /// The findings of a command about an input.
  struct Verdict: Sendable {
    let status: packtool.ExitStatus
    /// The ids of all checks with a finding.
    let ids: Set<String>
    /// The ids of all checks with an error.
    let errors: Set<String>

    init(_ words: [String]) {
      let run = runTool(words: words + ["--diagnostics", "json", "--jobs", "1"])
      status = run.status
      let document = try? JSONSerialization.jsonObject(with: Data(run.errors.utf8)) as? [String: Any]
      let findings = document?["diagnostics"] as? [[String: Any]] ?? []
      ids = Set(findings.compactMap { $0["id"] as? String })
      errors = Set(
        findings.filter { $0["severity"] as? String == "error" }.compactMap { $0["id"] as? String })
    }
  }

  /// The findings of the commands about one project.
  struct Outcome: Sendable {
    /// The ids of all checks that `validate`, `plan` or `build` reported.
    var ids: Set<String> = []
    /// Descriptions of the differences between the commands.
    var disagreements: [String] = []
  }

  /// A check whose findings only builds can report, because no other command reads the output folder.
  struct CheckOfOutput {
    let id: String
    /// The flag without which the check has nothing to report.
    let flag: String

    static let all = [
      // Whether a pack must be written depends on the packs in the folder. Only for packs that are written,
      // the contents must be on this machine.
      CheckOfOutput(id: Check.missingContent.id, flag: "--pointers"),
      // The folder shows whether the archives of the packs exist.
      CheckOfOutput(id: Check.unknownDownloadSize.id, flag: "--self-hosted"),
    ]
  }

  /// Returns the findings of the commands about one input with the same flags.
  ///
  /// The output folder of the build must not exist yet.
  ///
  /// `verifyFlags` are flags for the severities that the manifest sets. `verify` needs them, because a built
  /// folder does not contain severities.
  private static func outcome(
    of argument: String, _ flags: [String], severityFlags: [String] = [], verifyFlags: [String] = [],
    output: String
  ) -> Outcome {
    let validated = Verdict(["validate", argument] + flags + severityFlags)
    let planned = Verdict(["plan", argument] + flags + severityFlags)
    let built = Verdict(["build", argument, "-o", output] + flags + severityFlags)
    var outcome = Outcome()
    outcome.ids = validated.ids.union(planned.ids).union(built.ids)
    func compare(_ name: String, _ verdict: Verdict, mayFind ofOutput: Set<String> = []) {
      let own = verdict.errors.intersection(ofOutput)
      let status = own.isEmpty ? validated.status : .inputHasErrors
      if verdict.errors.subtracting(own) == validated.errors, verdict.status == status { return }
      outcome.disagreements.append(
        "validate \(validated.status) \(validated.errors.sorted()), \(name) \(verdict.status) \(verdict.errors.sorted())"
      )
    }
    compare("plan", planned)
    let ofOutput = CheckOfOutput.all.filter { flags.contains($0.flag) }.map(\.id)
    compare("build", built, mayFind: Set(ofOutput))
    outcome.disagreements += verified(output, after: built, severityFlags + verifyFlags)
    return outcome
  }

  /// Returns a description of the difference if a build succeeded but `verify` refuses the result.
  private static func verified(_ output: String, after built: Verdict, _ flags: [String]) -> [String] {
    guard built.status == .done else { return [] }
    let verdict = Verdict(["verify", output] + flags)
    return verdict.status == .done ? [] : ["build done, verify \(verdict.status) \(verdict.errors.sorted())"]
  }

  // Tests with a fault for every check.

  @Test(arguments: Check.all) func `every check has a fault, or a reason why none makes it`(check: Check)
    throws
  {
    let faults = ProjectFault.all.filter { $0.check == check }
    let fault = try #require(faults.first, "no fault in Tests/Support/ProjectFault.swift makes \(check.id)")
    #expect(faults.count == 1)
    if case .never(let reason) = fault.origin { #expect(!reason.isEmpty) }
  }

  // Tests with random projects.

  /// Two releases that are used as baselines.
  struct Baselines: Sendable {
    let own: String
    let foreign: String

    init(in folder: TemporaryFolder) throws {
      for (name, app) in [("own", RandomProject.bundleIdentifier), ("foreign", "com.example.foreign")] {
        var dice = Dice(seed: 1)
        var project = RandomProject(&dice)
        project.members["bundleIdentifier"] = "\"\(app)\""
        // The files of the baselines have one byte, so that the project itself is always larger than its
        // baseline.
        project.files = project.files.mapValues { _ in Data([1]) }
        try project.write(to: folder.path(name))
        let status = runTool(words: ["build", folder.path(name), "-o", folder.path("\(name)/out")]).status
        try #require(status == .done)
      }
      own = folder.path("own/out")
      foreign = folder.path("foreign/out")
    }
  }

  private static func outcome(ofSeed seed: Int, in site: TemporaryFolder, _ baselines: Baselines) throws
    -> Outcome
  {
    let project = RandomProject(seed: seed)
    let folder = site.path("\(seed)")
    try project.write(to: folder)
    defer { try? FileOperations.remove(folder) }
    func placed(_ flags: [String]) -> [String] {
      flags.map {
        $0.replacingOccurrences(of: RandomProject.site, with: folder)
          .replacingOccurrences(of: RandomProject.baseline, with: baselines.own)
          .replacingOccurrences(of: RandomProject.foreignBaseline, with: baselines.foreign)
      }
    }
    let argument = project.project == nil ? folder : "\(folder)/\(project.argument)"
    let flags = placed(project.targetFlags + project.flags)
    var outcome = outcome(
      of: argument, flags, severityFlags: project.severityFlags, verifyFlags: project.ownSeverity,
      output: "\(folder)/out")
    if !project.validateFlags.isEmpty {
      let words = ["validate", argument] + flags + project.severityFlags + placed(project.validateFlags)
      outcome.ids.formUnion(Verdict(words).ids)
    }
    if let next = project.nextBuild {
      try? next.change(folder)
      let output = "\(folder)/\(next.output)"
      let words = ["build", argument, "-o", output] + flags + project.severityFlags + placed(next.flags)
      let built = Verdict(words)
      outcome.ids.formUnion(built.ids)
      outcome.disagreements += verified(output, after: built, project.severityFlags + project.ownSeverity)
    }
    let faults = project.faults.map(\.id).joined(separator: ", ")
    outcome.disagreements = outcome.disagreements.map {
      "seed \(seed) (\(faults)) \(project.allFlags.joined(separator: " ")) \(project.ownSeverity.joined(separator: " ")): \($0)"
    }
    return outcome
  }

  @Test func `commands agree about random projects`() throws {
    let site = try TemporaryFolder()
    let baselines = try Baselines(in: site)
    // In some turns, a fault is hidden by other faults. There are enough turns to have 20 turns for each
    // fault in which it is not hidden.
    let all = ProjectFault.turns.count * 22
    // The run for a push uses only some of the turns.
    let count = sample(60, of: all)
    let outcomes = try onThreads(2, each: Array(0..<count)) { number in
      try Self.outcome(ofSeed: number * (all / count), in: site, baselines)
    }
    let disagreements = outcomes.flatMap(\.disagreements)
    #expect(
      disagreements.isEmpty,
      "\(disagreements.count) disagreements:\n\(disagreements.prefix(40).joined(separator: "\n"))")
    var counts: [String: Int] = [:]
    for id in outcomes.flatMap(\.ids) { counts[id, default: 0] += 1 }
    for fault in ProjectFault.all {
      let found = counts[fault.check.id] ?? 0
      switch fault.origin {
      case .made: #expect(!isWhole || found >= 20, "\(fault.check.id) occurs \(found) times")
      // Sometimes, the flags of two faults cannot be used together.
      case .never where fault.check == .wrongCommandLine: break
      case .never(let reason): #expect(found == 0, "\(fault.check.id) occurs \(found) times: \(reason)")
      }
    }
    if isWhole {
      let lines = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      print("checks in \(count) random projects:\n\(lines.joined(separator: "\n"))")
    }
  }

  // Tests with the projects of the repository.

  /// Returns the manifests and Xcode projects below a folder of the repository.
  private static func projects(below folder: String) throws -> [String] {
    let root = "\(packageFolder)/\(folder)"
    return try FileManager.default.subpathsOfDirectory(atPath: root).sorted().compactMap { path in
      let whole = "\(root)/\(path)"
      if path.hasSuffix(".xcodeproj") { return whole }
      guard path.hasSuffix(".json") || path.hasSuffix(".jsonc"),
        let text = try? String(contentsOfFile: whole, encoding: .utf8), text.contains("\"bundleIdentifier\""),
        text.contains("\"resources\"")
      else { return nil }
      return whole
    }
  }

  @Test func `commands agree about examples and fixtures`() throws {
    let site = try TemporaryFolder()
    let all = try Self.projects(below: "Examples") + Self.projects(below: "Tests/Fixtures")
    #expect(all.count >= 8)
    let targets = sample(1, of: RandomProject.Target.allCases)
    let cases = all.flatMap { path in targets.map { (path: path, target: $0) } }
    let disagreements = onThreads(2, each: Array(cases.indices)) { number -> [String] in
      let (path, target) = cases[number]
      let found = Self.outcome(of: path, target.flags, output: site.path("\(number)"))
      return found.disagreements.map { "\(path) \(target.rawValue): \($0)" }
    }.flatMap(\.self)
    #expect(disagreements.isEmpty, "\(disagreements.joined(separator: "\n"))")
  }
}
