@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests that all mistakes of every manifest in BadManifests are reported.
@Suite struct ManifestMistakeTests {
  @Test(arguments: BadManifest.all)
  func `every mistake is reported at its place`(_ manifest: BadManifest) {
    let findings = readManifest(manifest.bytes).diagnostics.ordered(manifest: manifestPath)
    #expect(findings.rendered == manifest.findings)
    #expect(findings.areAll { $0.place.path == manifestPath })
  }

  @Test func `the tables are large, and their rows differ`() {
    #expect(BadManifest.all.count >= 120)
    #expect(Set(BadManifest.all.map(\.name)).count == BadManifest.all.count)
    #expect(Set(BadManifest.all.map(\.bytes)).count == BadManifest.all.count)
  }
}
