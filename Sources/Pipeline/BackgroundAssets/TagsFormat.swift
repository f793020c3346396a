package import Formats
package import Model
import System

/// The format of `tags.json`, a file of the `background-assets` layout.
///
/// It lists the packs of each tag, with their sizes and digests.
package enum TagsFormat {
  /// The format version.
  package static let version = 1
  /// The maximum size of the file in bytes.
  package static let maxSize = 8 << 20

  /// The JSON text of the whole file, for a release whose packs are published.
  package static func json(of release: Release, ids: [String]) -> JSONText {
    let packs = zip(release.packs, ids).map { pack, id in
      let digest = pack.published.map { JSONText.string($0.digest.prefixed) }
      let members = ["size": .integer(pack.size), "tags": .strings(pack.tags), "digest": digest]
      return (id, JSONText.object(known: members))
    }
    let tags = release.tags.map { tag in
      (tag.name, JSONText.strings(tag.packs.map { ids[$0] }.sorted { $0.precedesInBytes($1) }))
    }
    return .object(known: [
      "formatVersion": .integer(version), "packs": .object(Dictionary(packs) { first, _ in first }),
      "tags": .object(Dictionary(tags) { first, _ in first }),
      "ownLimits": IndexFormat.ownLimits(release.ownLimits),
    ])
  }
}
