import Findings
import PackKit
import Published
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
    var heavy: [HeavyFile] = []
    // No file that is smaller is among the largest of those that were looked at.
    var least = Int64.min
    func keep(_ files: [ReportFiles.File], of pack: Int?) {
      for file in files where file.size >= least {
        heavy.append(HeavyFile(file: file, pack: pack))
        if heavy.count >= 2 * most + 100 {
          heavy = Array(heavy.sorted { $0.precedes($1) }.prefix(most))
          least = heavy.last?.file.size ?? .max
        }
      }
    }
    for (number, files) in files.packs.enumerated() { keep(files, of: number) }
    keep(files.untagged, of: nil)
    return Array(heavy.sorted { $0.precedes($1) }.prefix(most))
  }

  private func precedes(_ other: HeavyFile) -> Bool {
    if file.size != other.file.size { return file.size > other.file.size }
    if !file.path.isSameInBytes(as: other.file.path) { return file.path.precedesInBytes(other.file.path) }
    return (pack ?? .max) < (other.pack ?? .max)
  }
}
