import Spelling

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

/// The version of Background Assets, and of `ba-package`, that manifests are for; the raw value is its name in flags.
package enum AssetBundleVersion: String, Sendable, CaseIterable {
  /// Files are selected by their paths in the working directory.
  case v26 = "26"
  /// Files may have a source root, and another path in the pack.
  case v27 = "27"
}
