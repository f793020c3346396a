@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Foundation
import Support
import Testing

/// Tests every limit of every profile, in development and in a submission.
///
/// The limit is exceeded, or it is doubtful whether it is exceeded. The tests run whole command lines with
/// files, and check the findings and the exit status.
@Suite struct SubmissionTests {
  /// The cells with a limit in bytes.
  static let cells = LimitCell.all.filter { $0.readings != nil }

  @Test(arguments: sample(6, of: cells)) func `broken limits are errors in submissions`(cell: LimitCell)
    throws
  {
    let (decimal, binary) = try #require(cell.readings)
    let folder = try TemporaryFolder()
    func severities(_ size: Int64, _ flags: String...) throws -> [String] {
      try self.severities(of: cell, at: size, in: folder, flags)
    }
    #expect(try severities(decimal / 10 * 9 - 1) == [])
    #expect(try severities(decimal) == ["note"])
    #expect(try severities(binary) == ["warning"])
    #expect(try severities(binary + 1) == ["warning"])
    #expect(try severities(decimal, "--submission") == ["note"])
    #expect(try severities(decimal + 1, "--submission") == ["warning"])
    #expect(try severities(binary, "--submission") == ["warning"])
    #expect(try severities(binary + 1, "--submission") == [cell.isRefused ? "error" : "warning"])
    let strict = cell.isAdvice ? "warning" : "error"
    #expect(try severities(binary + 1, "--strict") == [strict])
    #expect(try severities(binary + 1, "--strict", "--submission") == [strict])
    #expect(try severities(decimal, "--strict") == ["note"])
    // A recommendation becomes an error only if the user sets its severity. In a submission, findings about
    // limits of the store cannot be lowered, except if the archives are possibly below the limit.
    for level in ["error", "warning", "note", "ignore"] {
      let chosen = try severities(binary + 1, "--submission", "--severity", "\(cell.check)=\(level)")
      #expect(chosen == (cell.isRefused ? ["error"] : level == "ignore" ? [] : [level]))
    }
  }

  /// In the manifest, findings about recommendations can be accepted with a reason.
  ///
  /// In a submission, findings about limits of the store cannot be accepted.
  @Test(arguments: sample(6, of: cells)) func `accept lowers no limit of the store`(cell: LimitCell) throws {
    let (_, binary) = try #require(cell.readings)
    let folder = try TemporaryFolder()
    for accept in [
      #"{"check": "\#(cell.check)", "reason": "x"}"#,
      #"{"check": "\#(cell.check)", "path": "**", "reason": "x"}"#,
    ] {
      func found(_ flags: String...) throws -> [String] {
        try severities(of: cell, at: binary + 1, in: folder, flags, members: #""accept": [\#(accept)],"#)
      }
      let isWhole = !accept.contains("path")
      if isWhole { #expect(try found() == []) }
      if cell.isRefused {
        #expect(try found("--submission") == ["error"])
      } else if isWhole {
        #expect(try found("--submission") == [])
      }
    }
  }

  /// Returns the command lines that the page on CI and the help of `build` recommend.
  private static func recommendedLines() throws -> [[String]] {
    let page = try String(
      contentsOfFile: packageFolder + "/Sources/packtool/packtool.docc/CI.md", encoding: .utf8)
    let help = runTool("help", "build").output
    return try [page, help].map { text in
      let line = try #require(text.firstMatch(of: #/(?:packtool )?(build --submission[^`\n]*?-o packs)/#))
      return line.1.split(separator: " ").map(String.init)
    }
  }

  /// The recommended command does not refuse anything that the store accepts.
  ///
  /// The command refuses sizes that exceed the limit by one byte in every interpretation.
  @Test(arguments: sample(6, of: cells)) func `the recommended line refuses only what the store does`(
    cell: LimitCell
  ) throws {
    let (decimal, binary) = try #require(cell.readings)
    let folder = try TemporaryFolder()
    let lines = try Self.recommendedLines()
    #expect(lines.count == 2 && lines[0] == lines[1])
    let flags = lines[0].dropFirst().filter { $0 != "-o" && $0 != "packs" }
    for size in [decimal, decimal + 1, binary] {
      #expect(try severities(of: cell, at: size, in: folder, flags).contains("error") == false)
    }
    #expect(try severities(of: cell, at: binary + 1, in: folder, flags).contains("error") == cell.isRefused)
  }

  /// Returns the severities of a check's findings.
  ///
  /// The limited size is `size` bytes. The files are sparse.
  private func severities(
    of cell: LimitCell, at size: Int64, in folder: TemporaryFolder, _ flags: [String], members: String = ""
  ) throws -> [String] {
    let isMeasured = ["app-bundle-size", "cellular-size"].contains(cell.check)
    // All files have different sizes, because files of equal size would be read and compared.
    let sizes: [String: Int64] =
      switch cell.check {
      case "prefetch-size": ["first": 1, "next": size - 1, "other": 5]
      case "total-size": ["first": 2, "next": 3, "other": size - 5]
      case "app-bundle-size": ["first": 2, "next": 3, "other": 4]
      case "cellular-size": ["first": size - 8, "next": 3, "other": 4]
      default: ["first": size, "next": 3, "other": 5]
      }
    for (name, size) in sizes { try folder.writeSparse("Assets/\(name)", size: size) }
    let bundle = cell.check == "app-bundle-size" ? size : 8
    try folder.write(
      "Manifest.json",
      """
      { "bundleIdentifier": "com.example.limits", "root": "Assets", "limits": "\(cell.profile)",
        "resources": [{ "path": "first", "tags": ["First"] }, { "path": "next", "tags": ["Next"] },
                      { "path": "other", "tags": ["Other"] }],
        \(members) \(isMeasured ? "\"appBundle\": { \"size\": \(bundle) }," : "")
        "initialInstallTags": ["First"], "prefetchTagOrder": ["Next"] }
      """)
    let run = runTool(words: ["validate", folder.path] + flags)
    let isForGitHub = flags.contains("github")
    let found = run.errors.split(separator: "\n").filter {
      $0.reports("\(cell.check)") || $0.contains("title=\(cell.check)::")
    }
    let severities = found.map { line in
      line.contains(": error: ") || line.hasPrefix("::error ")
        ? "error" : line.contains(": warning: ") || line.hasPrefix("::warning ") ? "warning" : "note"
    }
    let hasErrors = run.errors.contains(": error: ") || (isForGitHub && run.errors.contains("::error "))
    #expect(run.status == (hasErrors ? .inputHasErrors : .done))
    return severities
  }

  /// A placeholder for a file is allowed in development, but not in an upload.
  ///
  /// If the user sets the severity, the setting counts.
  @Test func `stand ins are errors in submissions`() throws {
    let id = "icloud-placeholder"
    let folder = try TemporaryFolder()
    try folder.write("assets/.hero.png.icloud", "x")
    try folder.writeManifest([.path("assets", "T")])
    func run(_ flags: String...) -> packtool.ExitStatus {
      let run = runTool(words: ["build", folder.path, "-o", folder.path("out")] + flags)
      #expect(run.errors.reports(id))
      return run.status
    }
    #expect(run("--submission") == .inputHasErrors)
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    #expect(run("--submission", "--severity", "\(id)=warning") == .done)
    #expect(run() == .done)
    // Packs that are kept are checked as well.
    #expect(run("--submission") == .inputHasErrors)
  }

  /// In the profile `background-assets`, a note states the number of submissions.
  ///
  /// 200 packs are more than some developers could submit.
  @Test(arguments: sample(1, of: [("background-assets", 200, 1, 1), ("app-store", 1000, 0, 1)]))
  func `too many packs are errors in submissions`(profile: String, most: Int, warnings: Int, notes: Int)
    throws
  {
    let folder = try TemporaryFolder()
    let rules = (0...most).map { "{ \"path\": \"\($0)\", \"tags\": [\"T\($0)\"] }" }
    for number in 0...most { try folder.write("\(number)", "x") }
    func run(_ count: Int, _ flags: String...) throws -> (String, packtool.ExitStatus) {
      let list = rules.prefix(count).joined(separator: ", ")
      try folder.writeManifest(rules: list, app: "a", members: #""appBundle": { "size": 9000000 }"#)
      let run = runTool(words: ["validate", folder.path, "--limits", profile] + flags)
      return (run.errors.split(separator: "\n").last.map(String.init) ?? "", run.status)
    }
    let left = warnings == 0 ? "0 notes" : "1 note"
    #expect(
      try run(most, "--submission")
        == ("packtool: 0 errors, \(warnings == 0 ? "0 warnings" : "1 warning"), \(notes) note", .done))
    #expect(try run(most + 1) == ("packtool: 0 errors, 1 warning, \(left)", .done))
    #expect(try run(most + 1, "--submission") == ("packtool: 1 error, 0 warnings, \(left)", .inputHasErrors))
  }

  /// `--limits` replaces the profile.
  ///
  /// Limits that the manifest itself sets are kept.
  @Test func `flag replaces the profile`() throws {
    let folder = try TemporaryFolder()
    try folder.writeSparse("a", size: 600_000_000)
    try folder.writeManifest(
      [.path("a", "T")], members: #""limits": { "profile": "app-store", "totalSize": "500 MB" }"#)
    func found(_ flags: String...) -> [String] {
      let lines = runTool(words: ["validate", folder.path] + flags).errors.split(separator: "\n")
      return ["pack-size", "tag-size", "total-size"].filter { id in lines.contains { $0.reports(id) }
      }
    }
    #expect(found() == ["pack-size", "total-size"])
    #expect(found("--limits", "app-store-ios18") == ["tag-size", "total-size"])
    #expect(found("--limits=background-assets") == ["total-size"])
  }

  @Test func `unknown profiles are guessed`() throws {
    let folder = try TemporaryFolder()
    try folder.write("a", "x")
    let manifest = #"{ "bundleIdentifier": "a", "resources": [{ "path": "a", "tags": ["T"] }], "limits": "#
    try folder.write("Manifest.json", manifest + "\"app-stor-tvos\" }\n")
    let path = folder.path("Manifest.json")
    #expect(
      runTool("validate", path).errors.reports(
        "invalid-value", at: "\(path):1:85", naming: "app-stor-tvos", "app-store-tvos"))
    let run = runTool("validate", path, "--limits", "wwdc17")
    #expect(run.status == .usage)
    #expect(
      run.errors.refuses(
        naming: "--limits", "app-store", "app-store-ios18", "app-store-tvos", "wwdc15", "wwdc16",
        "wwdc16-tvos", "background-assets", "wwdc17"))
  }
}

extension LimitCell {
  /// Whether the store certainly refuses files that exceed the limit.
  ///
  /// The value is false for recommendations, and for limits for which the store counts archives, because
  /// archives may be smaller.
  fileprivate var isRefused: Bool {
    !isAdvice && !(check == "total-size" && profile == "background-assets")
  }
}
