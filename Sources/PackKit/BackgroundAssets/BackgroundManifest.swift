import Findings
package import Formats
import Spelling
import System

/// Models the manifest of one Background Assets pack, as `ba-package` takes it: `manifests/<id>.json`.
package struct BackgroundManifest: Sendable {
  /// When a device downloads a pack.
  package enum Policy: Sendable, Hashable {
    /// With the app, at these events.
    case essential(Set<InstallationEvent>)
    /// Right after the app, at these events.
    case prefetch(Set<InstallationEvent>)
    /// When the app asks for it.
    case onDemand
  }

  /// An event at which a device downloads a pack with the app; the raw value is its name in a manifest.
  package enum InstallationEvent: String, Sendable, CaseIterable {
    case firstInstallation
    case subsequentUpdate
  }

  /// Which files a pack has; paths are relative to the source root, or without one to the working directory.
  package enum Selector: Sendable, Hashable {
    case file(String)
    /// A folder with all below it.
    case directory(String)
    case filePattern(String)
    case fileSource(String, destination: String)
    case directorySource(String, destination: String)
    /// Files that no other selector brings.
    case fileExclusion(String)
  }

  package var id: String
  package var policy: Policy
  package var selectors: [Selector]
  /// The platforms by their names; none for all.
  package var platforms: [String] = []
  /// The folder that selectors are relative to, itself relative to the manifest's.
  package var sourceRoot: String?
  /// The language of a localized pack.
  package var language: String?
  /// Data for the app, which packs hosted by Apple lose.
  package var userInfo: JSONText?

  package init(id: String, policy: Policy, selectors: [Selector]) {
    self.id = id
    self.policy = policy
    self.selectors = selectors
  }

  /// The whole file.
  package var json: JSONText {
    var members: [String: JSONText] = [
      "assetPackID": .string(id), "downloadPolicy": policy.json,
      "fileSelectors": .array(selectors.map(\.json)), "platforms": .strings(platforms),
    ]
    members["sourceRoot"] = sourceRoot.map(JSONText.string)
    members["language"] = language.map(JSONText.string)
    members["userInfo"] = userInfo
    return .object(members)
  }
}

extension BackgroundManifest.Policy {
  /// The policy of packs of a delivery.
  package init(_ delivery: Delivery, onUpdate: Bool) {
    let events: Set<BackgroundManifest.InstallationEvent> =
      onUpdate ? [.firstInstallation, .subsequentUpdate] : [.firstInstallation]
    switch delivery {
    case .initialInstall: self = .essential(events)
    case .prefetch: self = .prefetch(events)
    case .onDemand: self = .onDemand
    }
  }

  /// When packs of the policy are downloaded, in packtool's words.
  package var delivery: Delivery {
    switch self {
    case .essential: .initialInstall
    case .prefetch: .prefetch
    case .onDemand: .onDemand
    }
  }

  /// The events; none of a pack that is downloaded on demand.
  package var events: Set<BackgroundManifest.InstallationEvent> {
    switch self {
    case .essential(let events), .prefetch(let events): events
    case .onDemand: []
    }
  }

  package var json: JSONText {
    let names = BackgroundManifest.InstallationEvent.allCases.filter(events.contains).map(\.rawValue)
    let events = JSONText.object(["installationEventTypes": .strings(names)])
    return switch self {
    case .essential: .object(["essential": events])
    case .prefetch: .object(["prefetch": events])
    case .onDemand: .object(["onDemand": .object([:])])
    }
  }
}

extension BackgroundManifest.Selector {
  fileprivate var json: JSONText {
    switch self {
    case .file(let path): .object(["file": .string(path)])
    case .directory(let path): .object(["directory": .string(path)])
    case .filePattern(let glob): .object(["filePattern": .string(glob)])
    case .fileSource(let path, let destination):
      .object(["fileSource": .string(path), "fileDestination": .string(destination)])
    case .directorySource(let path, let destination):
      .object(["directorySource": .string(path), "directoryDestination": .string(destination)])
    case .fileExclusion(let path): .object(["fileExclusion": .string(path)])
    }
  }
}

/// A platform of Background Assets packs; the raw value is its name in a manifest.
package enum AssetPlatform: String, Sendable, CaseIterable {
  case iOS
  case macOS
  case tvOS
  case visionOS

  /// The mistake in a name, with a hint; nil if it is a platform.
  package static func mistake(in name: String) -> String? {
    if AssetPlatform(rawValue: name) != nil { return nil }
    let names = allCases.map(\.rawValue)
    if ["ipados", "ipad"].contains(name.lowercased()) {
      return "is no platform of Background Assets: packs for iPads are those of \"iOS\""
    }
    let guess = names.first { $0.lowercased() == name.lowercased() } ?? nearest(to: name, in: names)
    let hint = guess.map { "did you mean \"\($0)\"?" } ?? "take \(names.joined(separator: ", "))"
    return "is no platform of Background Assets; \(hint)"
  }
}

/// Languages of Background Assets packs, by BCP 47.
package enum AssetLanguage {
  /// Whether a text is a language with or without script and region; variants are none of `ba-package`.
  package static func isOne(_ text: String) -> Bool {
    text.wholeMatch(of: #/[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?/#) != nil
  }
}

/// The version of Background Assets, and of `ba-package`, that manifests are for; the raw value is its name in flags.
package enum AssetBundleVersion: String, Sendable, CaseIterable {
  /// Files are selected by their paths in the working directory.
  case v26 = "26"
  /// Files may have a source root, and another path in the pack.
  case v27 = "27"
}

/// Models `tags.json`: the packs of each tag in the layout `background-assets`, with their sizes and digests.
package enum TagsFormat {
  /// The format version.
  package static let version = 1
  /// The largest size of the file in bytes.
  package static let longest = 8 << 20

  /// The whole file of a release whose packs are published.
  package static func json(of release: Release, ids: [String]) -> JSONText {
    let packs = zip(release.packs, ids).map { pack, id in (id, json(of: pack)) }
    let tags = release.tags.map { tag in
      (tag.name, JSONText.strings(tag.packs.map { ids[$0] }.sorted { $0.precedesInBytes($1) }))
    }
    return .object([
      "formatVersion": .integer(version), "packs": .object(Dictionary(packs) { first, _ in first }),
      "tags": .object(Dictionary(tags) { first, _ in first }),
    ])
  }

  private static func json(of pack: Release.Pack) -> JSONText {
    var members: [String: JSONText] = ["size": .integer(pack.size), "tags": .strings(pack.tags)]
    if let published = pack.published { members["digest"] = .string(published.digest.prefixed) }
    return .object(members)
  }
}
