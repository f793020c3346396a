@testable import Formats
@testable import Model
@testable import Pipeline
@testable import packtool
import Support
import Testing

/// Tests how settings of the user change findings: `severity` in the manifest, `--severity`, `--strict` and
/// `--submission`.
@Suite struct SeverityTests {
  /// Makes a folder with one finding of each kind: an error, a limit of the store, advice, a doubtful limit,
  /// a remark that little space is left, a warning, and a note.
  private static func folder(severity: String? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("Assets/code", "\u{7f}ELF and so on")
    try folder.writeSparse("Assets/big", size: 600_000_000)
    // Add another pack with the tag, so that there is a finding about the tag itself.
    try folder.writeSparse("Assets/more", size: 3)
    try folder.writeSparse("Assets/doubtful", size: 520_000_000)
    try folder.writeSparse("Assets/near", size: 500_000_000)
    try folder.write("Assets/pointer", "version https://git-lfs.github.com/spec/v1\n")
    try folder.write("Assets/empty", "")
    try folder.write("Assets/module", "\0asm and so on")
    let more = "    { \"path\": \"more\", \"tags\": [\"big\", \"more\"] },\n"
    let names = ["big", "code", "doubtful", "empty", "module", "near", "pointer"]
    let rules = names.map { "    { \"path\": \"\($0)\", \"tags\": [\"\($0)\"] }" }.joined(separator: ",\n")
    let members = severity.map { ",\n  \"severity\": \($0)" } ?? ""
    try folder.write(
      "Manifest.json",
      "{\n  \"bundleIdentifier\": \"a\",\n  \"root\": \"Assets\",\n  \"limits\": { \"tagSize\": \"550 MB\" },\n"
        + "  \"appBundle\": { \"size\": 9000000 },\n  \"resources\": [\n\(more)\(rules)\n  ]\(members)\n}\n")
    return folder
  }

  /// Returns the severity of each finding, by the id of its check and the tag that it is about.
  private static func judged(_ folder: TemporaryFolder, _ flags: String...) -> [String: String] {
    let run = runTool(words: ["validate", folder.path] + flags)
    var found: [String: String] = [:]
    for line in run.errors.split(separator: "\n") where line.hasSuffix("]") {
      guard let id = line.split(separator: "[").last?.dropLast(), line.hasPrefix(folder.path),
        let severity = ["error", "warning", "note"].first(where: { line.contains(": \($0): ") })
      else { continue }
      let tags = ["big", "code", "doubtful", "empty", "module", "near", "pointer"]
      let about = tags.first { line.contains("\"\($0)\"") } ?? "?"
      found["\(id) \(about)"] = severity
    }
    #expect(run.status == (found.values.contains("error") ? .inputHasErrors : .done))
    return found
  }

  private static let untouched = [
    "executable-content code": "error", "executable-content module": "note", "pack-size big": "warning",
    "pack-size doubtful": "warning", "pack-size near": "note", "tag-size big": "warning",
    "tag-size near": "note", "lfs-pointer pointer": "error", "empty-file empty": "note",
  ]

  /// Returns the findings with some severities changed, and with some findings removed.
  private func changed(_ changes: [String: String?]) -> [String: String] {
    var result = Self.untouched
    for (key, value) in changes { result[key] = value }
    return result
  }

  @Test func `without settings`() throws {
    #expect(Self.judged(try Self.folder()) == Self.untouched)
  }

  /// With `--quiet`, standard error does not contain notes.
  ///
  /// The counts and the documents still contain them.
  @Test func `quiet hides notes`() throws {
    let folder = try Self.folder()
    #expect(Self.judged(folder, "-q") == Self.untouched.filter { $0.value != "note" })
    let run = runTool("validate", folder.path, "-q", "--diagnostics", "json=\(folder.path("f.json"))")
    #expect(try String(decoding: folder.read("f.json"), as: UTF8.self).contains("\"severity\": \"note\""))
    #expect(runTool("validate", folder.path, "-q").errors.contains(" warnings, 4 notes\n"), "\(run.errors)")
    let noted = try TemporaryFolder()
    try noted.write("a", "")
    try noted.writeManifest([.path("a", "A")])
    #expect(runTool("validate", noted.path).errors.reports("empty-file"))
    #expect(runTool("validate", noted.path, "-q").errors == "")
  }

  @Test func `submission raises what the store refuses`() throws {
    #expect(
      Self.judged(try Self.folder(), "--submission")
        == changed(["pack-size big": "error"]))
  }

  @Test func `strict raises all warnings`() throws {
    var raised = Self.untouched.mapValues { $0 == "warning" ? "error" : $0 }
    // A finding about a recommended size becomes an error only if the user sets its severity.
    raised["tag-size big"] = "warning"
    #expect(Self.judged(try Self.folder(), "--strict") == raised)
    #expect(Self.judged(try Self.folder(), "--strict", "--submission") == raised)
    raised["tag-size big"] = "error"
    #expect(Self.judged(try Self.folder(), "--strict", "--severity", "tag-size=error") == raised)
  }

  /// The severity can be set in the manifest or with a flag.
  ///
  /// The flag has precedence.
  @Test(arguments: ["error", "warning", "note", "ignore"]) func `one check is changed`(level: String) throws {
    let severity = level == "ignore" ? nil : level
    let pointer = changed(["lfs-pointer pointer": severity])
    #expect(Self.judged(try Self.folder(severity: "{ \"lfs-pointer\": \"\(level)\" }")) == pointer)
    #expect(Self.judged(try Self.folder(), "--severity", "lfs-pointer=\(level)") == pointer)
    let other = try Self.folder(severity: "{ \"lfs-pointer\": \"error\", \"empty-file\": \"\(level)\" }")
    #expect(
      Self.judged(other, "--severity=lfs-pointer=\(level)")
        == changed(["lfs-pointer pointer": severity, "empty-file empty": severity]))
  }

  /// If an error is not about the manifest, its severity can be lowered.
  ///
  /// A WebAssembly module stays a remark.
  @Test(
    arguments: [
      ("error", "error", "note"), ("warning", "warning", "note"), ("note", "note", "note"),
      ("ignore", nil, nil),
    ] as [(String, String?, String?)])
  func `executable content`(level: String, code: String?, module: String?) throws {
    #expect(
      Self.judged(try Self.folder(), "--severity", "executable-content=\(level)")
        == changed(["executable-content code": code, "executable-content module": module]))
  }

  /// If the severity of a check is raised, the remark that little space is left is not raised.
  ///
  /// The remark can be lowered and ignored.
  @Test(
    arguments: [
      ("error", "error", "note"), ("warning", "warning", "note"), ("note", "note", "note"),
      ("ignore", nil, nil),
    ] as [(String, String?, String?)])
  func `pack size`(level: String, broken: String?, near: String?) throws {
    let expected = changed(["pack-size big": broken, "pack-size doubtful": broken, "pack-size near": near])
    #expect(Self.judged(try Self.folder(), "--severity", "pack-size=\(level)") == expected)
    // In a submission, the setting does not lower findings about limits of the store.
    let submitted = expected.merging(["pack-size big": "error"]) { $1 }
    #expect(
      Self.judged(try Self.folder(), "--severity", "pack-size=\(level)", "--submission") == submitted)
  }

  @Test func `strict comes last`() throws {
    let folder = try Self.folder(severity: #"{ "empty-file": "warning", "lfs-pointer": "note" }"#)
    let expected = changed([
      "empty-file empty": "error", "lfs-pointer pointer": "note", "pack-size big": "error",
      "pack-size doubtful": "error",
    ])
    #expect(Self.judged(folder, "--strict") == expected)
  }

  @Test func `flags add up and the last wins`() throws {
    let found = Self.judged(
      try Self.folder(), "--severity", "empty-file=error", "--severity", "lfs-pointer=ignore", "--severity",
      "empty-file=warning")
    #expect(found == changed(["empty-file empty": "warning", "lfs-pointer pointer": nil]))
  }
}
