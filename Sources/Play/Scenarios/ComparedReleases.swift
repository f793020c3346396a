import Formats
import Model
import Pipeline
import System

/// The releases of a scenario, with their packs compared by contents.
///
/// Two packs have the same `content` if and only if their files have the same contents; the times of files do
/// not matter.
struct ComparedReleases {
  /// The releases in the order in which they were given.
  private(set) var releases: [SimulatedRelease] = []
  /// Findings about files that could not be read.
  private(set) var diagnostics: [Diagnostic] = []
  /// The counter for the bytes that were read to compare contents.
  let readCounter = ReadCounter()

  /// Compares releases that were read without errors.
  ///
  /// The files of a planned pack are read only if another release has a pack with the same identifier, paths
  /// and sizes. Without such a pack, the contents cannot be equal.
  init(_ readers: [SimulatedReleaseReader], jobs: Int) throws(SystemError) {
    let outlines = readers.map { $0.outlines }
    var counts: [Digest: Int] = [:]
    for outline in outlines.flatMap({ Set($0) }) { counts[outline, default: 0] += 1 }
    for (number, reader) in readers.enumerated() {
      guard var release = reader.release else { continue }
      if case .planned(let plan, let root)? = reader.files {
        // The packs of each release get a different string as their content, so packs of different releases
        // differ. An update to the same release keeps its packs, because their string is the same.
        for pack in release.packs.indices { release.packs[pack].content = "only in release \(number)" }
        let shared = release.packs.indices.filter { counts[outlines[number][$0], default: 0] > 1 }
        let read = try plan.digests(ofPacks: shared, root: root, readCounter: readCounter, jobs: jobs)
        for (pack, digest) in zip(shared, read.packs) { release.packs[pack].content = digest.prefixed }
        diagnostics += read.diagnostics
      }
      releases.append(release)
    }
  }
}

extension SimulatedReleaseReader {
  /// For each pack of the release, a digest of its identifier and of the paths and sizes of its files.
  fileprivate var outlines: [Digest] {
    let ids = release?.packs.map(\.id) ?? []
    switch files {
    case .planned(let plan, _):
      return ids.indices.map { number in
        var lines = outline(of: ids[number])
        for file in plan.packs[number].files.lazy.map({ plan.tree.files[$0] }) {
          lines.append("\(file.size) \(file.packPath)\n")
        }
        return lines.withBytes { SHA256.digest(of: $0) }
      }
    case .built(let contents):
      return ids.indices.map { number in
        var lines = outline(of: ids[number])
        for file in contents.files(of: number) {
          lines.append("\(contents.size(at: Int(file))) ")
          lines.append(contents.path(at: Int(file)))
          lines.append("\n")
        }
        return lines.withBytes { SHA256.digest(of: $0) }
      }
    case nil: return []
    }
  }

  private func outline(of id: String) -> ByteBuffer {
    var lines = ByteBuffer()
    lines.append("\(id)\n")
    return lines
  }
}
