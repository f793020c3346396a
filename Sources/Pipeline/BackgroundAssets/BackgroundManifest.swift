package import Model
package import Formats

/// The manifest of one Background Assets pack, `manifests/<id>.json`, in the format that `ba-package` reads.
package struct BackgroundManifest: Sendable {
  /// The rule that decides when a device downloads a pack.
  package struct Policy: Sendable, Hashable {
    package let delivery: Delivery
    /// The events at which a device downloads the pack without a request from the app.
    package let events: Set<InstallationEvent>
  }

  /// An event of the app at which a device downloads a pack; the raw value is its name in a manifest.
  package enum InstallationEvent: String, Sendable, CaseIterable {
    case firstInstallation
    case subsequentUpdate
  }

  /// An entry of a manifest that selects files for a pack.
  ///
  /// Paths are relative to the source root, or to the working directory if there is no source root.
  package struct Selector: Sendable, Hashable {
    /// The kind of selector; the raw value is its key in a manifest.
    package enum Kind: String, Sendable, CaseIterable {
      case file
      /// Selects a folder and everything below it.
      case directory
      case filePattern, fileSource, directorySource
      /// Excludes files, even if another selector matches them.
      case fileExclusion
    }

    package let kind: Kind
    package let path: String
    /// The path inside the pack; nil for kinds of selectors that have no destination.
    package let destination: String?
    /// The offset of the path in the text of the manifest; 0 if the manifest was not read from a file.
    package var offset = 0

    /// Creates a selector for a file that keeps its path in the pack, in the format of this Background Assets
    /// version.
    package static func file(_ path: String, version: AssetBundleVersion) -> Selector {
      switch version {
      case .v26: Selector(kind: .file, path: path, destination: nil)
      case .v27: Selector(kind: .fileSource, path: path, destination: path)
      }
    }

    /// The path of a selected file that keeps its path in the pack; nil for any other selector.
    ///
    /// packtool writes only such selectors.
    package var plainFile: String? {
      kind == .file || (kind == .fileSource && destination == path) ? path : nil
    }
  }

  package var id: String
  package var policy: Policy
  package var selectors: [Selector]
  /// The names of the platforms; an empty list means all platforms.
  package var platforms: [String] = []
  /// The folder that the paths in selectors are relative to.
  ///
  /// The path of this folder is relative to the manifest's folder.
  package var sourceRoot: String?
  /// The language of a localized pack.
  package var language: String?
  /// Data for the app.
  ///
  /// Apple does not deliver this data if Apple hosts the pack.
  package var userInfo: JSONText?
  /// The positions of values in the text that was read from a file.
  package var places = Places()

  /// The offsets of values in the text of a manifest.
  package struct Places: Sendable {
    package var id = 0
    package var policy = 0
    package var platforms = 0
    package var language = 0
    package var userInfo = 0
  }

  package init(id: String, policy: Policy, selectors: [Selector]) {
    (self.id, self.policy, self.selectors) = (id, policy, selectors)
  }

  /// Whether a string is a BCP 47 language tag, with or without script and region.
  ///
  /// `ba-package` does not accept language tags with variants.
  package static func isLanguage(_ text: String) -> Bool {
    text.wholeMatch(of: #/[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?/#) != nil
  }

  /// The JSON text of the whole file.
  package var json: JSONText {
    .object(known: [
      "assetPackID": .string(id), "downloadPolicy": policy.json,
      "fileSelectors": .array(selectors.map(\.json)), "platforms": .strings(platforms),
      "sourceRoot": sourceRoot.map(JSONText.string), "language": language.map(JSONText.string),
      "userInfo": userInfo,
    ])
  }
}

extension BackgroundManifest.Policy {
  /// Creates the policy of packs with a delivery mode.
  package init(_ delivery: Delivery, onUpdate: Bool) {
    self.delivery = delivery
    events = delivery == .onDemand ? [] : Set([.firstInstallation] + (onUpdate ? [.subsequentUpdate] : []))
  }

  package var json: JSONText {
    let names = BackgroundManifest.InstallationEvent.allCases.filter(events.contains).map(\.rawValue)
    let members = delivery == .onDemand ? [:] : ["installationEventTypes": JSONText.strings(names)]
    return .object([delivery.policyName: .object(members)])
  }
}

extension Delivery {
  /// The key of the download policy for packs with this delivery mode.
  var policyName: String { self == .initialInstall ? "essential" : rawValue }
}

extension BackgroundManifest.Selector {
  fileprivate var json: JSONText {
    var members = [kind.rawValue: JSONText.string(path)]
    if let key = kind.destinationKey { members[key] = destination.map(JSONText.string) }
    return .object(members)
  }
}

extension BackgroundManifest.Selector.Kind {
  /// The key of the path inside the pack; nil for kinds that have no such path.
  var destinationKey: String? {
    switch self {
    case .fileSource: "fileDestination"
    case .directorySource: "directoryDestination"
    case .file, .filePattern, .directory, .fileExclusion: nil
    }
  }
}
