import Formats
package import System

/// Models `elsewhere.<digest>.json`, which lists the packs that an index names but that are published in another folder.
///
/// The digest is that of the index, so a list never speaks for another index; index.json itself stays what a build of
/// all packs writes.
package enum ElsewhereFormat {
  /// The list of a release by its name; nil if all packs are in the folder.
  package static func list(of release: Release) -> (name: String, bytes: ByteBuffer)? {
    let paths = release.packs.compactMap(\.published).filter(\.isElsewhere).map(\.archive.path)
    if paths.isEmpty { return nil }
    let list = JSONText.object(["formatVersion": .integer(IndexFormat.version), "packs": .strings(paths)])
    return (name(forIndex: IndexFormat.bytes(of: release)), list.bytes())
  }

  /// The name of the list that belongs to an index of these bytes.
  package static func name(forIndex bytes: ByteBuffer) -> String {
    PublishedNames.elsewhere(bytes.withBytes { SHA256.digest(of: $0) })
  }
}
