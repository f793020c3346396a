package import System

/// The list of all files of a built folder: path, size, digest and pack of each.
///
/// Stored in columns, since there may be a million files, which are identified by their index in the list.
package struct PublishedContents: Sendable {
  /// All paths, concatenated.
  private var paths: [UInt8] = []
  private var pathEnds: [Int] = []
  private var sizes: [Int64] = []
  /// Below 0 where the list does not say it.
  private var packedSizes: [Int64] = []
  private var digests: [Digest] = []
  private var packs: [Int32] = []
  private var filesByPack: [Int32] = []
  /// The offset of each pack's files, and the end of the last one's.
  private var packStarts: [Int] = [0]

  package var count: Int { sizes.count }

  /// The path inside the pack, in UTF-8.
  package func path(at file: Int) -> ArraySlice<UInt8> {
    paths[(file == 0 ? 0 : pathEnds[file - 1])..<pathEnds[file]]
  }

  package var indices: Range<Int> { sizes.indices }

  package func size(at file: Int) -> Int64 { sizes[file] }

  /// The size in bytes inside the pack's archive; nil where the list does not say it.
  package func packedSize(at file: Int) -> Int64? { packedSizes[file] < 0 ? nil : packedSizes[file] }

  /// The same of all files of a pack; nil where it is not known of one.
  package func packedSizes(ofPack pack: Int) -> [Int64]? {
    let sizes = files(of: pack).compactMap { packedSize(at: Int($0)) }
    return sizes.count == files(of: pack).count ? sizes : nil
  }

  package func digest(at file: Int) -> Digest { digests[file] }

  /// The files of a pack, by its position in the index, in byte order of their paths.
  package func files(of pack: Int) -> ArraySlice<Int32> {
    filesByPack[packStarts[pack]..<packStarts[pack + 1]]
  }

  /// An empty list.
  package init() {}

  /// Adds a file of a pack, which is identified by its position in the index.
  package mutating func append(
    path: ArraySlice<UInt8>, size: Int64, compressedSize: Int64? = nil, digest: Digest, packIndex: Int
  ) {
    paths += path
    pathEnds.append(paths.count)
    sizes.append(size)
    packedSizes.append(compressedSize ?? -1)
    digests.append(digest)
    packs.append(Int32(packIndex))
  }

  /// Groups the files by pack once all have been added; their order in each pack is kept.
  package mutating func group(into packCount: Int) {
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

  /// The first path that occurs twice in a pack; nil if all paths differ.
  var repeatedPath: (pack: Int, path: ArraySlice<UInt8>)? {
    for pack in 0..<packStarts.count - 1 {
      let files = files(of: pack)
      for (first, second) in zip(files, files.dropFirst()) where path(at: Int(first)) == path(at: Int(second))
      {
        return (pack, path(at: Int(first)))
      }
    }
    return nil
  }
}
