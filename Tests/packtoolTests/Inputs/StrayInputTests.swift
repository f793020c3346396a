import Flags
import Foundation
import Support
import System
import Testing
@testable import packtool

/// Input files that are symlinks out of the checkout: every kind of input is tried with one file that holds a secret.
@Suite struct StrayInputTests {
  private static let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
  private static let forms = DiagnosticsFormat.allCases.map(\.rawValue)

  /// The usual checkout, and the secret beside it.
  private func checkout() throws -> TemporaryFolder {
    let folder = try CommandLines.checkout()
    try folder.write("token", "\(Self.token)\n")
    return folder
  }

  /// Command lines that name the link `repo/link`: one for each flag and each argument that names a file to read.
  private static func linesWithLink() throws -> [[String]] {
    var lines: [[String]] = []
    for command in Command.all {
      let description = command.description
      let flags = description.flags.filter { $0.readsFile }
      let arguments = description.arguments.indices.filter { description.arguments[$0].kind.readsFile }
      if flags.isEmpty && arguments.isEmpty { continue }
      let base = try #require(
        CommandLines.arguments[command.name], "the new command \(command.name) has no line")
      // Read for builds for Background Assets only, as the one of "build".
      for flag in flags where command.name != "verify" || flag.name != "--ledger" {
        lines.append(try CommandLines.line(of: command, flag, naming: "repo/link"))
      }
      for place in arguments {
        var words = base
        words[place] = "repo/link"
        lines.append([command.name] + words)
      }
    }
    return lines
  }

  /// Whether the file is not opened at all: a simulation takes the flags of a build, but plays without ids and versions.
  private static func isUnread(_ line: [String]) -> Bool {
    line[0] == "simulate" && line.contains { ["--id-map", "--ledger"].contains($0) }
  }

  private func run(_ line: [String], in folder: TemporaryFolder, form: String) -> (
    packtool.ExitStatus, String
  ) {
    let words = CommandLines.words(line, in: folder) + ["--diagnostics", form]
    let run = runTool(words: words)
    return (run.status, run.output + run.errors)
  }

  @Test func noFlagOrArgumentReadsThroughALinkOutOfTheCheckout() throws {
    let folder = try checkout()
    let lines = try Self.linesWithLink()
    #expect(lines.count > 25)
    try folder.link("repo/link", to: "../token")
    for (number, line) in lines.enumerated() {
      // Every form for some, one for each of the others, since forms differ for all kinds alike.
      for form in number % 5 == 0 ? Self.forms : [Self.forms[number % Self.forms.count]] {
        let (status, text) = run(line, in: folder, form: form)
        #expect(!text.contains(Self.token), "\(line) \(form): \(text)")
        if Self.isUnread(line) {
          #expect(status == .done, "\(line) \(form): \(text)")
          continue
        }
        #expect(status == .inputHasErrors, "\(line) \(form): \(text)")
        #expect(text.contains("link-escapes-checkout"), "\(line) \(form): \(text)")
      }
    }
  }

  /// Files that packtool finds by their names, each with a command line that reads it.
  static let conventions: [(file: String, line: [String])] = [
    ("repo/Manifest.json", ["validate", "repo"]), ("repo/Manifest.json", ["fmt", "repo"]),
    ("repo/Manifest.json", ["diff", "repo/built", "repo"]),
    ("repo/p/App.xcodeproj/project.pbxproj", ["validate", "repo/p/App.xcodeproj"]),
    ("repo/p/App.xcodeproj/project.pbxproj", ["import", "repo/p/App.xcodeproj"]),
    ("repo/w/A.xcworkspace/contents.xcworkspacedata", ["validate", "repo/w/A.xcworkspace"]),
    ("repo/built/index.json", ["verify", "repo/built"]),
    ("repo/built/index.json", ["inspect", "repo/built"]),
    ("repo/built/index.json", ["diff", "repo/built", "repo"]),
    ("repo/built/index.json", ["unpack", "repo/built", "-o", "repo/u", "--all"]),
    ("repo/built/index.json", ["validate", "repo", "--baseline", "repo/built"]),
    ("repo/built/index.json", ["build", "repo", "-o", "repo/out", "--onto", "repo/built"]),
    ("repo/built/index.json", ["build", "repo", "-o", "repo/out", "--patch-from", "repo/built"]),
    ("repo/built/index.json", ["report", "repo/built", "-o", "repo/r.html"]),
    ("repo/shard/shard.json", ["merge", "repo/shard", "-o", "repo/out"]),
  ]

  @Test(arguments: conventions)
  func noFileThatIsFoundByItsNameIsReadThroughALink(file: String, line: [String]) throws {
    let folder = try checkout()
    try? FileManager.default.removeItem(atPath: folder.path(file))
    try folder.link(file, to: folder.path("token"))
    for form in ["text", "json"] {
      let (status, text) = run(line, in: folder, form: form)
      #expect(status == .inputHasErrors, "\(text)")
      #expect(!text.contains(Self.token) && text.contains("link-escapes-checkout"), "\(text)")
    }
  }

  @Test func filesOfAProjectAreNotReadThroughALink() throws {
    let folder = try TemporaryFolder()
    try folder.write("token", "\(Self.token)\n")
    try folder.write("repo/.git", "gitdir: elsewhere\n")
    let project = "\(packageFolder)/Examples/Xcode"
    #expect(try Support.run("cp", ["-R", project, folder.path("repo/x")]).status == 0)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("repo/x"))
    let inputs = names.filter {
      $0.hasSuffix(".xcconfig") || $0.hasSuffix("Contents.json") || $0.hasSuffix(".plist")
    }
    #expect(!inputs.isEmpty)
    for name in inputs {
      try FileManager.default.removeItem(atPath: folder.path("repo/x/\(name)"))
      try folder.link("repo/x/\(name)", to: folder.path("token"))
    }
    let line = ["validate", "repo/x/Lanterns.xcodeproj", "--sources", "repo/x"]
    for form in Self.forms {
      let (_, text) = run(line, in: folder, form: form)
      #expect(!text.contains(Self.token), "\(form): \(text)")
    }
  }

  @Test func whatTheUserNamesOutsideWithoutALinkIsRead() throws {
    let folder = try checkout()
    try folder.write("elsewhere/s.json", #"{"link": "3G", "steps": [{"install": true}]}"#)
    let words = ["simulate", folder.path("elsewhere/s.json"), folder.path("repo"), "-q"]
    #expect(runTool(words: words).status == .done)
    // A link inside of the checkout, and one outside of any.
    try folder.link("repo/inside.json", to: "s.json")
    try folder.link("link.json", to: "repo/s.json")
    for scenario in ["repo/inside.json", "link.json"] {
      #expect(runTool("simulate", folder.path(scenario), folder.path("repo"), "-q").status == .done)
    }
  }

  @Test func aFlagLetsLinksLeadAnywhereButNothingOutsideIsQuoted() throws {
    let folder = try checkout()
    try folder.link("repo/link", to: "../token")
    try folder.write("good", #"{"link": "3G", "steps": [{"install": true}]}"#)
    try folder.link("repo/good.json", to: "../good")
    let good = ["simulate", folder.path("repo/good.json"), folder.path("repo"), "-q"]
    #expect(runTool(words: good).status == .inputHasErrors)
    #expect(runTool(words: good + ["--symlinks", "follow"]).status == .done)
    try folder.write("project", "{ archiveVersion = 1; /* \(Self.token) */ }\n")
    try FileManager.default.removeItem(atPath: folder.path("repo/p/App.xcodeproj/project.pbxproj"))
    try folder.link("repo/p/App.xcodeproj/project.pbxproj", to: folder.path("project"))
    let run = runTool("validate", folder.path("repo/p/App.xcodeproj"), "--symlinks", "follow")
    #expect(run.errors.reports("damaged-project"), "\(run.errors)")
    #expect(!run.errors.contains(Self.token), "\(run.errors)")
  }

  @Test func anOutputFolderMayBeBehindALink() throws {
    let folder = try checkout()
    try FileManager.default.createDirectory(
      atPath: folder.path("disk"), withIntermediateDirectories: true)
    try folder.link("repo/build", to: "../disk")
    let words = ["build", folder.path("repo"), "-o", folder.path("repo/build/packs"), "-q"]
    for flags in [[], [], ["--sign", folder.path("repo/secret.key")], ["--no-cache"]] {
      let signs = flags == ["--no-cache"] ? ["--sign", folder.path("repo/secret.key")] : []
      let run = runTool(words: words + flags + signs + ["--report", folder.path("repo/r.html")])
      #expect(run.status == .done, "\(flags): \(run.errors)")
    }
  }

  @Test(arguments: ["../token", "sub/link", "sub/../../token"])
  func anUpdateStaysInTheFolderOfItsScenario(update: String) throws {
    let folder = try checkout()
    try folder.link("repo/sub/link", to: "../../token")
    try folder.write(
      "repo/u.json", #"{"link": "3G", "steps": [{"install": true}, {"update": "\#(update)"}]}"#)
    let scenario = folder.path("repo/u.json")
    for line in [
      ["simulate", scenario, folder.path("repo")],
      ["validate", folder.path("repo"), "--scenario", scenario],
      ["report", folder.path("repo"), "-o", folder.path("r.html"), "--scenario", scenario],
    ] {
      let run = runTool(words: line)
      #expect(run.status == .inputHasErrors && run.errors.reports("invalid-path"), "\(run.errors)")
      #expect(run.errors.contains("u.json:1:"), "\(run.errors)")
      #expect(!(run.output + run.errors).contains(Self.token), "\(run.errors)")
    }
  }

  @Test func anUpdateBelowTheScenarioIsPlayed() throws {
    let folder = try checkout()
    try folder.write("repo/u.json", #"{"link": "3G", "steps": [{"install": true}, {"update": "built"}]}"#)
    let run = runTool("simulate", folder.path("repo/u.json"), folder.path("repo"), "-q")
    #expect(run.status == .done, "\(run.errors)")
  }
}

extension FlagDescription {
  fileprivate var readsFile: Bool { kind.readsFile }
}

extension ValueKind {
  /// Whether a value of this kind names a file that is read, or a folder with files that are.
  fileprivate var readsFile: Bool {
    switch self {
    case .file(.input, _), .file(.lockfile, _), .path: true
    case .file, .folder, .form, .text, .choice, .number, .named: false
    }
  }
}
