import Formats
import Model
import Pipeline
import Support
import Testing

/// Tests entries of `accept` that are unnecessary, and entries that another run might need.
@Suite struct AcceptanceUseTests {
  /// Returns the checks of the entries that packtool reports as unused.
  private func unused(
    _ checks: [String], members: String = "", file: String = "a", profile: LimitProfile? = nil,
    besides later: Set<Check> = []
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("a", "a")
    let accepts = checks.map { "{\"check\": \"\($0)\", \"reason\": \"x\"}" }.joined(separator: ", ")
    try folder.write(
      "Manifest.json",
      """
      {"bundleIdentifier": "a.b", "resources": [{"path": "\(file)", "tags": ["A"]}],
      "accept": [\(accepts)]\(members)}
      """)
    var request = Preparation.Request(argument: folder.path, jobs: 1)
    request.profile = profile
    let prepared = try Preparation(request)
    return prepared.unusedAcceptances(in: [], excluding: later).map(\.namedValues)
  }

  @Test func `each acceptance that nothing needs is reported`() throws {
    let checks = ["tag-size", "duplicate-content", "untagged-file", "unportable-name"]
    let all = checks.map { "\"\($0)\"" }
    let warning = #", "untagged": "warn""#
    #expect(try unused(checks, members: warning) == all)
    #expect(try unused([]) == [])
    // Another profile has other limits, so the entry for `tag-size` is not reported with that profile.
    #expect(try unused(checks, members: warning, profile: .backgroundAssets) == Array(all.dropFirst()))
    let ignoring = #", "severity": {"duplicate-content": "ignore"}"#
    #expect(try unused(checks, members: warning + ignoring) == [all[0], all[2], all[3]])
    #expect(try unused(checks, members: #", "untagged": "allow""#) == [all[0], all[1], all[3]])
    #expect(try unused(checks, members: warning, besides: [.unportableName]) == Array(all.dropLast()))
    // If files are missing, packtool cannot know which entries would be needed for them.
    #expect(try unused(checks, file: "missing") == [])
  }
}
