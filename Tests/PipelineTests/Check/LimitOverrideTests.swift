@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests limits in a manifest that replace the limits of its profile.
@Suite struct LimitOverrideTests {
  /// A limit in the manifest is exact: it has only one interpretation, and one byte more exceeds it.
  @Test(arguments: [
    ("1000", 1000), ("\"64 MB\"", 64_000_000), ("\"64 MiB\"", 67_108_864), ("\"1.5 GiB\"", 1_610_612_736),
    ("\"8GB\"", 8_000_000_000), ("\"2 kB\"", 2000), ("\"2 KiB\"", 2048), ("\"7 B\"", 7), ("7e3", 7000),
  ])
  func `sizes are exact`(text: String, bytes: Int64) throws {
    func lines(_ size: Int64) throws -> [String] {
      try SyntheticPlan([.init("a", size, "A")], "\"limits\": {\"packSize\": \(text)}").lines(of: "pack-size")
    }
    let nearest = bytes - bytes / 10
    #expect(try lines(nearest - 1) == [])
    #expect(
      try lines(nearest) == [
        #"4:28: note [pack-size] "A" \#(values(in: ByteSize.exact(nearest)))"#
          + (bytes / 10 == 0
            ? "" : " " + values(in: "\(ByteSize.number(bytes / 10)) \(ByteSize.number(bytes))"))
      ])
    #expect(
      try lines(bytes) == [#"4:28: note [pack-size] "A" \#(values(in: ByteSize.exact(bytes)))"#])
    #expect(
      try lines(bytes + 1).first
        == #"4:28: warning [pack-size] "A" \#(values(in: "\(ByteSize.exact(bytes + 1)) 1 \(ByteSize.number(bytes))"))"#
    )
  }

  /// Each key of the manifest, the check whose limit it changes, and a plan that exceeds the new limit.
  @Test(arguments: [
    ("packSize", "pack-size"), ("packCount", "pack-count"), ("initialInstallSize", "initial-install-size"),
    ("prefetchSize", "prefetch-size"), ("totalSize", "total-size"), ("appBundleSize", "app-bundle-size"),
    ("tagSize", "tag-size"), ("inUseSize", "in-use-size"), ("cellularSize", "cellular-size"),
  ])
  func `every key has its check`(key: String, id: String) throws {
    let files: [SyntheticPlan.File] = [.init("a", 50, "A"), .init("b", 50, "B")]
    let lists = "\"initialInstallTags\": [\"A\"]"
    func ids(_ limits: String) throws -> Set<String> {
      let findings = try SyntheticPlan(files, lists, "\"limits\": \(limits)").findings(appBundle: 50)
      return Set(findings.filter { $0.severity == .warning }.map(\.check.id))
    }
    #expect(try ids("{\"\(key)\": 1}") == [id])
    #expect(try ids("{\"\(key)\": null}") == [])
    #expect(try ids("{}") == [])
  }

  /// Xcode's limit is lower than the store's limit.
  ///
  /// The limit of App Store Connect is lower than the limit for the total size with iOS 18.
  @Test(arguments: [
    ("app-store", "xcode-prefetch", Int64(2) << 30, "note"),
    ("app-store-ios18", "variant-size", Int64(30) << 30, "warning"),
  ])
  func `a finding names the overridden limit`(profile: String, id: String, most: Int64, severity: String)
    throws
  {
    func lines(_ size: Int64, _ profile: String) throws -> [String] {
      try SyntheticPlan(
        [.init("a", size, "A")], "\"prefetchTagOrder\": [\"A\"]", "\"limits\": \"\(profile)\""
      ).findings().filter { $0.check.id == id && ($0.names("1") || $0.names(grouped(most + 1))) }.map(\.facts)
    }
    #expect(try lines(most, profile) == [])
    let found = try lines(most + 1, profile)
    #expect(found.count == 1 && found[0].hasPrefix("\(severity) [\(id)]"))
    #expect(try lines(most + 1, "app-store-tvos") == [])
  }

  @Test func `null lifts only its limit`() throws {
    let files: [SyntheticPlan.File] = [.init("a", 600_000_000, "A")]
    let lifted = try SyntheticPlan(files, "\"limits\": {\"packSize\": null}").findings()
    #expect(Set(lifted.map(\.check.id)) == ["tag-size", "raised-limit", "app-bundle-size", "cellular-size"])
  }

  @Test func `overrides stand on any profile`() throws {
    let limits = "\"limits\": {\"profile\": \"background-assets\", \"packCount\": 3, \"packSize\": \"1 kB\"}"
    let plan = try SyntheticPlan((1...4).map { .init("\($0)", 2000, "T\($0)") }, limits)
    #expect(plan.findings().count { $0.check.id == "pack-size" } == 4)
    #expect(plan.lines(of: "pack-count").first == "3:16: warning [pack-count] 4 1 3")
  }

  @Test func `counts are near from nine tenths on`() throws {
    func lines(_ count: Int) throws -> [String] {
      try SyntheticPlan((1...count).map { .init("\($0)", 9, "T\($0)") }, "\"limits\": {\"packCount\": 15}")
        .lines(of: "pack-count")
    }
    // The note appears from 90 percent of 15, that is, from 13.5.
    #expect(try lines(13) == [])
    #expect(try lines(14) == ["3:16: note [pack-count] 14 1 15"])
  }

  @Test(
    arguments: [
      (
        "\"64 Mb\"",
        #""64 Mb" "64 MB""#
      ),
      ("-5", #""packSize" "-5""#),
      ("1.5", #""packSize" 0 9,223,372,036,854,775,807 "1.5""#),
      ("\"9000000 TB\"", nil),
      (
        "\"10000000 TB\"",
        #""10000000 TB" "64 MB" "1.5 GiB""#
      ),
    ] as [(String, String?)])
  func `wrong sizes are mistakes`(value: String, named: String?) {
    let text =
      "{\"bundleIdentifier\": \"a\", \"resources\": [{\"path\": \"A\", \"tags\": [\"T\"]}], "
      + "\"limits\": {\"packSize\": \(value)}}"
    let reader = ManifestReader(text: SourceText(path: "M", bytes: Array(text.utf8)))
    #expect(reader.diagnostics.map(\.namedValues) == (named.map { [$0] } ?? []))
    #expect(reader.diagnostics.allSatisfy { $0.check.id == "invalid-value" && $0.severity == .error })
  }
}
