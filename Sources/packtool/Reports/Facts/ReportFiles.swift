import Findings
import PackKit
import Releases
import System

/// The files of a release as a report counts them: those of each pack, and those without tags.
struct ReportFiles: Sendable {
  /// One file.
  struct File: Sendable {
    /// The path inside its pack, or below the root.
    let path: String
    /// Bytes.
    let size: Int64
    /// Bytes inside the pack's archive; nil where that is not known.
    let packedSize: Int64?

    /// The path of its folder; "." at the top.
    var folder: String {
      path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
    }
  }

  /// By the number of the release's pack.
  let packs: [[File]]
  /// Files without tags, as far as they were listed.
  let untagged: [File]

  /// No files.
  init() {
    packs = []
    untagged = []
  }

  /// The files of a plan; `release` is that of the plan, with the packs that are built.
  init(_ plan: PackPlan, _ release: Release) {
    packs = zip(plan.packs, release.packs).map { pack, published in
      let packed = published.published?.packedSizes
      return pack.files.enumerated().map { place, number in
        let file = plan.tree.files[number]
        return File(path: file.packPath, size: file.size, packedSize: packed?[place])
      }
    }
    untagged = plan.tree.untaggedFiles.map { File(path: $0.path, size: $0.size, packedSize: nil) }
  }

  /// The files of a built folder.
  init(_ contents: PublishedContents, packCount: Int) {
    packs = (0..<packCount).map { pack in
      contents.files(of: pack).map { number in
        File(
          path: String(decoding: contents.path(Int(number)), as: UTF8.self), size: contents.size(Int(number)),
          packedSize: contents.packedSize(Int(number)))
      }
    }
    untagged = []
  }
}

/// One of the largest files, with its pack.
struct HeavyFile: Sendable {
  let file: ReportFiles.File
  /// The number of its pack in the release; nil where it has no tags.
  let pack: Int?

  /// The largest files of all, the largest first; of equal ones the first by path.
  static func all(of files: ReportFiles, atMost most: Int) -> [HeavyFile] {
    let all =
      files.packs.enumerated().flatMap { number, files in files.map { HeavyFile(file: $0, pack: number) } }
      + files.untagged.map { HeavyFile(file: $0, pack: nil) }
    // Only those at least as large as the last one need to be in order.
    let least = all.count > most ? all.map(\.file.size).sorted(by: >)[most - 1] : 0
    return Array(all.filter { $0.file.size >= least }.sorted { $0.precedes($1) }.prefix(most))
  }

  private func precedes(_ other: HeavyFile) -> Bool {
    if file.size != other.file.size { return file.size > other.file.size }
    if !file.path.isSameInBytes(as: other.file.path) { return file.path.precedesInBytes(other.file.path) }
    return (pack ?? .max) < (other.pack ?? .max)
  }
}
