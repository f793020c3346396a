import Findings
package import Formats
import System

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
