package import System

/// What the list of all files of a built folder says: for each its path, size, digest and pack.
///
/// In columns, for there may be a million; files are known by their number in the list.
package struct PublishedContents: Sendable {
  /// All paths, one behind the other.
  private var paths: [UInt8] = []
  /// Where each path ends.
  private var pathEnds: [Int] = []
  private var sizes: [Int64] = []
  private var digests: [Digest] = []
  private var packs: [Int32] = []
  /// The files of each pack, one pack behind the other.
  private var filesByPack: [Int32] = []
  /// Where each pack's files begin, and where the last one's end.
  private var packStarts: [Int] = [0]

  package var count: Int { sizes.count }

  /// The path inside the pack, in UTF-8.
  package func path(_ file: Int) -> ArraySlice<UInt8> {
    paths[(file == 0 ? 0 : pathEnds[file - 1])..<pathEnds[file]]
  }

  package func size(_ file: Int) -> Int64 { sizes[file] }

  package func digest(_ file: Int) -> Digest { digests[file] }

  /// The files of a pack of the index, by its number there, in byte order of their paths.
  package func files(of pack: Int) -> ArraySlice<Int32> {
    filesByPack[packStarts[pack]..<packStarts[pack + 1]]
  }

  init() {}

  mutating func append(path: ArraySlice<UInt8>, size: Int64, digest: Digest, pack: Int) {
    paths += path
    pathEnds.append(paths.count)
    sizes.append(size)
    digests.append(digest)
    packs.append(Int32(pack))
  }

  /// Sorts the files into so many packs, once all have been added; their order in each pack stays.
  mutating func group(into packCount: Int) {
    packStarts = Array(repeating: 0, count: packCount + 1)
    for pack in packs { packStarts[Int(pack) + 1] += 1 }
    for pack in 0..<packCount { packStarts[pack + 1] += packStarts[pack] }
    var next = packStarts
    filesByPack = Array(repeating: 0, count: packs.count)
    for (file, pack) in packs.enumerated() {
      filesByPack[next[Int(pack)]] = Int32(file)
      next[Int(pack)] += 1
    }
  }

  /// The first two files of a pack that have one path; nil where all paths differ.
  var repeatedPath: (pack: Int, path: ArraySlice<UInt8>)? {
    for pack in 0..<packStarts.count - 1 {
      let files = files(of: pack)
      for (first, second) in zip(files, files.dropFirst()) where path(Int(first)) == path(Int(second)) {
        return (pack, path(Int(first)))
      }
    }
    return nil
  }
}
