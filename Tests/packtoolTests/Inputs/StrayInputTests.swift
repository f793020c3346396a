import System
@testable import packtool
import Foundation
import Support
import Testing

/// Tests input files that are symlinks out of the checkout.
///
/// Every kind of input is tried with a file that contains a secret.
@Suite struct StrayInputTests {
  private static let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
  private static let forms = DiagnosticsFormat.allCases.map(\.rawValue)

  /// Makes the usual checkout, and a file with a secret next to the checkout.
  private func checkout() throws -> TemporaryFolder {
    let folder = try CommandLines.checkout()
    try folder.write("token", "\(Self.token)\n")
    return folder
  }

  /// Returns command lines in which the symlink `repo/link` is the value of a flag or argument.
  ///
  /// There is one for each flag and argument whose value is a file that is read.
  private static func linesWithLink() throws -> [[String]] {
    var lines: [[String]] = []
    for command in CommandGroup.all.commands {
      let description = command.description
      let flags = description.flags.filter { $0.readsFile }
      let arguments = description.arguments.indices.filter { description.arguments[$0].kind.readsFile }
      if flags.isEmpty && arguments.isEmpty { continue }
      let base = try #require(
        CommandLines.arguments[command.name], "the new command \(command.name) has no line")
      for flag in flags {
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

  private func run(_ line: [String], in folder: TemporaryFolder, form: String) -> (
    packtool.ExitStatus, String
  ) {
    let words = CommandLines.words(line, in: folder) + ["--diagnostics", form]
    let run = runTool(words: words)
    return (run.status, run.output + run.errors)
  }

  @Test func `no flag or argument reads through a link out of the checkout`() throws {
    let folder = try checkout()
    let lines = try Self.linesWithLink()
    #expect(lines.count > 25)
    try folder.link("repo/link", to: "../token")
    for (number, line) in lines.enumerated() {
      // For some command lines, try every form of symlink. For the others, one form is enough, because the
      // forms work in the same way for all kinds of input.
      for form in number % 5 == 0 ? Self.forms : [Self.forms[number % Self.forms.count]] {
        let (status, text) = run(line, in: folder, form: form)
        #expect(!text.contains(Self.token), "\(line) \(form): \(text)")
        #expect(status == .inputHasErrors, "\(line) \(form): \(text)")
        #expect(text.contains("link-escapes-checkout"), "\(line) \(form): \(text)")
      }
    }
  }

  /// Files that packtool finds by their names.
  ///
  /// Each file has a command line that reads it.
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
    ("repo/built/index.json", ["serve", "repo/built", "--config", "nginx"]),
    ("repo/assets/tags.json", ["verify", "repo/assets"]),
    ("repo/assets/tags.json", ["serve", "repo/assets", "--config", "nginx"]),
    ("repo/built/index.json", ["plan", "repo", "--built", "repo/built"]),
    ("repo/built/index.json", ["report", "repo", "--built", "repo/built", "-o", "repo/r.html"]),
    ("repo/built/index.json", ["explain", "a", "repo", "--built", "repo/built"]),
    ("repo/app/Info.plist", ["validate", "repo", "--info-plist", "repo/app/Info.plist"]),
  ]

  @Test(arguments: conventions)
  func `no file that is found by its name is read through a link`(file: String, line: [String]) throws {
    let folder = try checkout()
    try? FileManager.default.removeItem(atPath: folder.path(file))
    try folder.link(file, to: folder.path("token"))
    for form in ["text", "json"] {
      let (status, text) = run(line, in: folder, form: form)
      #expect(status == .inputHasErrors, "\(text)")
      #expect(!text.contains(Self.token) && text.contains("link-escapes-checkout"), "\(text)")
    }
  }

  /// The folders in flags and arguments.
  ///
  /// For each folder, there is a file in it that is in `conventions`. The value is nil if the folder is only
  /// written.
  private static let folders: [String: String?] = [
    "build --output": nil, "man --output": nil, "merge --output": nil, "unpack --output": nil,
    "unpack DIR": "repo/built/index.json",
    "verify DIR": "repo/built/index.json", "serve DIR": "repo/built/index.json",
    "merge SHARD": "repo/shard/shard.json", "explain --built": "repo/built/index.json",
    "plan --built": "repo/built/index.json", "report --built": "repo/built/index.json",
    // Symlinks in these folders are skipped.
    "validate --sources": nil, "init FOLDER": nil,
  ]

  @Test func `every folder that is read has a file among the conventions`() {
    var found: Set<String> = []
    for command in CommandGroup.all.commands {
      let description = command.description
      // The folder of --root is not read; it is only compared with paths.
      for flag in description.flags where flag.kind == .folder && flag.name != "--root" {
        found.insert("\(command.name) \(flag.name)")
      }
      for argument in description.arguments where argument.kind == .folder {
        found.insert("\(command.name) \(argument.valueName)")
      }
    }
    #expect(found == Set(Self.folders.keys), "\(found.sorted())")
    for (use, file) in Self.folders {
      guard let file else { continue }
      let command = use.prefix { $0 != " " }
      #expect(Self.conventions.contains { $0.file == file && $0.line[0] == command }, "\(use)")
    }
  }

  @Test func `files of a project are not read through a link`() throws {
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

  @Test func `what the user names outside without a link is read`() throws {
    let folder = try checkout()
    try folder.write("elsewhere/s.json", #"{"link": "3G", "steps": [{"install": true}]}"#)
    let words = ["simulate", folder.path("elsewhere/s.json"), folder.path("repo"), "-q"]
    #expect(runTool(words: words).status == .done)
    // One symlink is inside the checkout, and the other symlink is outside of any checkout.
    try folder.link("repo/inside.json", to: "s.json")
    try folder.link("link.json", to: "repo/s.json")
    for scenario in ["repo/inside.json", "link.json"] {
      #expect(runTool("simulate", folder.path(scenario), folder.path("repo"), "-q").status == .done)
    }
  }

  @Test func `a flag lets links lead anywhere but nothing outside is quoted`() throws {
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

  @Test func `an output folder may be behind a link`() throws {
    let folder = try checkout()
    try FileManager.default.createDirectory(
      atPath: folder.path("disk"), withIntermediateDirectories: true)
    try folder.link("repo/build", to: "../disk")
    let words = ["build", folder.path("repo"), "-o", folder.path("repo/build/packs"), "-q"]
    for flags in [[], [], ["--sign", folder.path("repo/secret.key")], ["--no-cache"]] {
      let signs = flags == ["--no-cache"] ? ["--sign", folder.path("repo/secret.key")] : []
      let run = runTool(words: words + flags + signs + ["--result", folder.path("repo/r.json")])
      #expect(run.status == .done, "\(flags): \(run.errors)")
    }
  }

  @Test(arguments: ["../token", "sub/link", "sub/../../token"])
  func `an update stays in the folder of its scenario`(update: String) throws {
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

  @Test func `an update below the scenario is played`() throws {
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
  /// Whether a value of this kind is the path of a file that is read, or of a folder with such files.
  fileprivate var readsFile: Bool {
    switch self {
    case .file(.input, _), .file(.lockfile, _), .path: true
    case .file, .folder, .form, .text, .choice, .number, .named, .setting: false
    }
  }
}
