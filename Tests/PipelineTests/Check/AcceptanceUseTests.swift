import Formats
import Model
import Pipeline
import Support
import Testing

/// Acceptances that nothing needs, and those that something else than this run may need.
@Suite struct AcceptanceUseTests {
  /// The checks of acceptances that are reported as unused.
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
    // Another profile has other limits.
    #expect(try unused(checks, members: warning, profile: .backgroundAssets) == Array(all.dropFirst()))
    let ignoring = #", "severity": {"duplicate-content": "ignore"}"#
    #expect(try unused(checks, members: warning + ignoring) == [all[0], all[2], all[3]])
    #expect(try unused(checks, members: #", "untagged": "allow""#) == [all[0], all[1], all[3]])
    #expect(try unused(checks, members: warning, besides: [.unportableName]) == Array(all.dropLast()))
    // Without all files nothing is known of what they would need.
    #expect(try unused(checks, file: "missing") == [])
  }
}
