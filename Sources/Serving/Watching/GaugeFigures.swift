import Formats
import PackKit
import System

/// The state of each tag for a debug gauge.
struct GaugeFigures: Sendable, Equatable {
  /// One tag.
  struct Row: Sendable, Equatable {
    let tag: String
    let packs: Int
    let size: Int64
    /// Bytes of its packs that were fetched.
    let fetched: Int64
  }

  /// The key that differs when another build is served.
  let release: String
  let rows: [Row]

  init(_ table: ServedTable) {
    release = "\(table.index.stamp.identity.inode).\(table.index.stamp.changed)"
    let fetched = table.packs.indices.map { table.fetchedSize(ofPack: $0) }
    rows = table.tags.map { tag in
      Row(
        tag: tag.name, packs: tag.packs.count, size: tag.packs.saturatingSum { table.packs[$0].size },
        fetched: tag.packs.saturatingSum { fetched[$0] })
    }
  }

  /// A message to a page that shows these rows.
  var json: JSONText {
    .object(["release": .string(release), "fetched": .array(rows.map { .integer($0.fetched) })])
  }
}
