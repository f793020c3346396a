@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the contents of manifests for packs of Background Assets.
@Suite struct BackgroundManifestTests {
  private func read(
    id: String = "\"level\"", policy: String = #"{"onDemand": {}}"#,
    selectors: String = #"[{"file": "a"}]"#, more: String = ""
  ) -> BackgroundManifestReader {
    let text =
      "{\"assetPackID\": \(id), \"downloadPolicy\": \(policy), \"fileSelectors\": \(selectors)\(more)}"
    return BackgroundManifestReader(text: SourceText(path: "m.json", bytes: Array(text.utf8)))
  }

  private static let events = #"{"installationEventTypes": ["firstInstallation"]}"#

  @Test func `a manifest has one policy`() {
    for (policy, delivery) in [
      ("{\"essential\": \(Self.events)}", Delivery.initialInstall),
      ("{\"prefetch\": \(Self.events)}", .prefetch), (#"{"onDemand": {}}"#, .onDemand),
    ] {
      let reader = read(policy: policy)
      #expect(reader.diagnostics.isEmpty)
      #expect(reader.manifest?.policy.delivery == delivery && reader.manifest?.id == "level")
    }
    let none = read(policy: "{}")
    #expect(
      none.diagnostics.map(\.checkAndValues) == [#"[missing-key] "essential" "prefetch" "onDemand""#])
    for policy in [
      "{\"essential\": \(Self.events), \"onDemand\": {}}", "{\"onDemand\": {}, \"prefetch\": \(Self.events)}",
    ] {
      let two = read(policy: policy)
      #expect(two.diagnostics.map(\.checkAndValues) == ["[invalid-value] 2"] && two.manifest == nil)
    }
    // There is only one finding about a misspelled policy.
    let misspelled = read(policy: #"{"ondemand": {}}"#)
    #expect(misspelled.diagnostics.map(\.check) == [.unknownKey] && misspelled.manifest == nil)
  }

  @Test func `other values are kept`() throws {
    let more = #", "platforms": ["iOS", "macOS"], "sourceRoot": "x", "language": "de", "userInfo": {"a": 1}"#
    let manifest = try #require(
      read(selectors: #"[{"file": "a"}, {"directory": "b"}]"#, more: more).manifest)
    #expect(
      manifest.platforms == ["iOS", "macOS"] && manifest.sourceRoot == "x" && manifest.language == "de")
    #expect(manifest.userInfo != nil)
    #expect(manifest.selectors.map(\.path) == ["a", "b"])
  }

  @Test func `what is missing or wrong leaves no manifest`() {
    for reader in [
      read(id: "1"), read(selectors: "[]"), read(selectors: "[{}]"),
      read(selectors: #"[{"file": "a", "directory": "b"}]"#), read(policy: "{\"essential\": {}}"),
      read(more: #", "platforms": ["DOS"]"#),
    ] {
      #expect(reader.manifest == nil && reader.diagnostics.hasErrors)
    }
  }
}
