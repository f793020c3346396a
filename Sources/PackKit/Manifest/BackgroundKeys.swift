package import Formats

extension Manifest {
  /// The keys that only the layout `background-assets` reads, and the one by which packs are joined.
  static let backgroundKeys: [ManifestKey<Manifest>] = [
    ManifestKey(
      "merge",
      "Which packs are joined: a number for at most so many packs, or groups of packs, each by its tags with \"+\" between",
      .either(.positiveNumber, or: .list(of: .list(of: .text(.anything), atLeast: 2), atLeast: 0))
    ) { value, manifest, values in
      manifest.merge = MergeRule(value, values)
      manifest.mergeOffset = value.offset
    },
    ManifestKey(
      "onUpdate",
      "Whether packs of the layout \"background-assets\" that come with the app are also downloaded with its updates",
      .boolean, default: .bool(false)
    ) { value, manifest, _ in
      manifest.downloadsOnUpdate = value.bool ?? false
    },
    ManifestKey(
      "packPrefix", "Whether the files of a pack of that layout are below a folder with the pack's id",
      .boolean, default: .bool(false)
    ) { value, manifest, _ in
      manifest.hasPackPrefix = value.bool ?? false
    },
  ]
}

/// Which packs a manifest joins.
package enum MergeRule: Sendable {
  /// The cheapest ones, until there are at most so many packs.
  case most(Int)
  /// These, each by its sorted tags with "+" between.
  case groups([[Located<String>]])

  init?(_ value: JSONValue, _ values: ManifestValues) {
    if let elements = value.elements {
      self = .groups(elements.map(values.texts))
    } else if let most = values.size(value) {
      self = .most(Int(clamping: most))
    } else {
      return nil
    }
  }
}
