package import Formats
package import Model
import System

extension PublishedContents {
  /// Returns findings about equal files in different packs of a built folder.
  ///
  /// The contents list has the digest of every file, so no pack is read. `release` is the release of the
  /// built folder.
  package func duplicateFindings(in release: Release) -> [Diagnostic] {
    var groups: [Digest: [Copies.File]] = [:]
    for (number, pack) in release.packs.enumerated() {
      for file in files(of: number).map(Int.init) where size(at: file) >= Copies.minFileSize {
        let path = String(decoding: path(at: file), as: UTF8.self)
        groups[digest(at: file), default: []].append(
          Copies.File(
            path: path, size: size(at: file), pack: number, tags: pack.tags, place: Place(path)))
      }
    }
    let copies = groups.values.filter { files in files.contains { $0.pack != files[0].pack } }.map(
      Copies.init)
    return copies.findings(total: release.total.size)
  }
}
