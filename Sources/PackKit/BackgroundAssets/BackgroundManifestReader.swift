package import Findings
package import Formats
import System

/// Reads a manifest of `ba-package` and reports every mistake in it.
package struct BackgroundManifestReader {
  /// The manifest; nil if it lacks an id, a policy or selectors.
  package private(set) var manifest: BackgroundManifest?
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()
  package let text: SourceText

  /// The largest size of a manifest in bytes.
  package static let longest = 64 << 20

  /// Reads a manifest from its text; ids of packs on a server of one's own may be any names.
  package init(text: SourceText, isSelfHosted: Bool = false) {
    self.text = text
    let (value, mistakes) = JSONReader.read(text)
    findings.add(mistakes)
    guard let value else { return }
    var checker = ShapeChecker(text: text)
    checker.check(value, Draft.shape, key: "")
    findings.add(checker.findings)
    var draft = Draft()
    ManifestValues(from: checker).read(value, into: &draft, by: Draft.keys)
    checkNames(in: draft, isSelfHosted)
    guard let id = draft.id, let policy = draft.policy,
      // Packs on a server of one's own may have ids that App Store Connect refuses.
      !findings.findings.contains(where: { $0.severity == .error && $0.check != .invalidPackID })
    else { return }
    var manifest = BackgroundManifest(id: id.value, policy: policy, selectors: draft.selectors)
    manifest.platforms = draft.platforms.map(\.value)
    manifest.sourceRoot = draft.sourceRoot
    manifest.language = draft.language
    manifest.userInfo = draft.userInfo
    self.manifest = manifest
  }

  private mutating func checkNames(in draft: Draft, _ isSelfHosted: Bool) {
    if let id = draft.id, let mistake = AssetPackID.mistake(in: id.value, isSelfHosted: isSelfHosted) {
      report(
        AssetPackID.isName(id.value) ? .invalidPackID : .invalidValue,
        "the id \(quoted(id.value)) \(mistake)", at: id.offset)
    }
    for platform in draft.platforms {
      guard let mistake = AssetPlatform.mistake(in: platform.value) else { continue }
      report(.unknownPlatform, "\(quoted(platform.value)) \(mistake)", at: platform.offset)
    }
    guard let offset = draft.policyOffset else { return }
    if draft.policies > 1 {
      report(.invalidValue, "a pack has one download policy, not \(draft.policies)", at: offset)
    } else if draft.policies == 0 && !findings.findings.hasErrors {
      report(.missingKey, "one of the keys \(listed(Draft.policyNames)) is missing", at: offset)
    }
  }

  private mutating func report(_ check: Check, _ message: String, at offset: Int) {
    findings.add(Diagnostic(check, message, at: text.place(at: offset)))
  }
}

/// A manifest while it is read, which may lack anything.
private struct Draft {
  var id: Located<String>?
  var policy: BackgroundManifest.Policy?
  var policies = 0
  var policyOffset: Int?
  var selectors: [BackgroundManifest.Selector] = []
  var platforms: [Located<String>] = []
  var sourceRoot: String?
  var language: String?
  var userInfo: JSONText?

  static let keys: [ManifestKey<Draft>] = [
    ManifestKey("assetPackID", "The id of the pack", .text(.anything), isRequired: true) {
      value, draft, values in
      draft.id = values.text(value)
    },
    ManifestKey(
      "downloadPolicy", "When devices download the pack", .object(ObjectShape(keys: policies.map(\.shape))),
      isRequired: true
    ) { value, draft, values in
      draft.policyOffset = value.offset
      values.read(value, into: &draft, by: policies)
    },
    ManifestKey(
      "fileSelectors", "Which files the pack has", .list(of: .object(selectorShape), atLeast: 1),
      isRequired: true
    ) { value, draft, values in
      draft.selectors = value.elements?.compactMap { selector($0, values) } ?? []
    },
    ManifestKey(
      "platforms", "The platforms of the pack; none for all", .list(of: .text(.anything), atLeast: 0)
    ) { value, draft, values in
      draft.platforms = values.texts(value)
    },
    ManifestKey("sourceRoot", "The folder that selectors are relative to", .text(.anything)) {
      value, draft, values in
      draft.sourceRoot = values.text(value)?.value
    },
    ManifestKey("language", "The language of a localized pack", .text(.anything)) { value, draft, values in
      draft.language = values.text(value)?.value
    },
    ManifestKey("userInfo", "Data for the app", .anything) { value, draft, _ in
      draft.userInfo = JSONText(value)
    },
  ]

  private static let events = ObjectShape(keys: [
    KeyShape(
      name: "installationEventTypes", summary: "At which events the pack is downloaded",
      shape: .list(of: .choice(BackgroundManifest.InstallationEvent.allCases.map(\.rawValue)), atLeast: 1),
      isRequired: true)
  ])

  static let policyNames = ["essential", "prefetch", "onDemand"]

  private static let policies: [ManifestKey<Draft>] = [
    policy("essential", .object(events)) { .essential($0) },
    policy("prefetch", .object(events)) { .prefetch($0) },
    policy("onDemand", .object(ObjectShape(keys: []))) { _ in .onDemand },
  ]

  private static func policy(
    _ name: String, _ shape: Shape,
    _ make: @escaping @Sendable (Set<BackgroundManifest.InstallationEvent>) -> BackgroundManifest.Policy
  ) -> ManifestKey<Draft> {
    ManifestKey(name, "A download policy", shape) { value, draft, values in
      let names = value.member("installationEventTypes").map(values.texts) ?? []
      draft.policies += 1
      draft.policy = make(Set(names.compactMap { BackgroundManifest.InstallationEvent(rawValue: $0.value) }))
    }
  }

  static let shape = Shape.object(ObjectShape(keys: keys.map(\.shape)))

  private static let selectorNames = [
    "file", "directory", "filePattern", "fileSource", "directorySource", "fileExclusion",
  ]
  /// The keys of a file selector, by which its paths are read.
  private static let selectorKeys: [ManifestKey<[String: String]>] =
    (selectorNames + ["fileDestination", "directoryDestination"]).map { name in
      ManifestKey(name, "A path or pattern", .text(.anything)) { value, paths, values in
        paths[name] = values.text(value)?.value
      }
    }
  private static let selectorShape = ObjectShape(keys: selectorKeys.map(\.shape), oneOf: selectorNames)

  /// The file selector of a value; nil if it lacks a path, which was reported unless it is a destination.
  private static func selector(_ value: JSONValue, _ values: ManifestValues) -> BackgroundManifest.Selector? {
    var paths: [String: String] = [:]
    values.read(value, into: &paths, by: selectorKeys)
    if let path = paths["file"] { return .file(path) }
    if let path = paths["directory"] { return .directory(path) }
    if let glob = paths["filePattern"] { return .filePattern(glob) }
    if let glob = paths["fileExclusion"] { return .fileExclusion(glob) }
    if let path = paths["fileSource"] {
      return .fileSource(path, destination: paths["fileDestination"] ?? path)
    }
    if let path = paths["directorySource"] {
      return .directorySource(path, destination: paths["directoryDestination"] ?? path)
    }
    return nil
  }
}
