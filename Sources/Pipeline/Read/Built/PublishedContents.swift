package import System

/// The list of all files of a built folder, with the path, size, digest and pack of each file.
///
/// The values are stored in columns, because there can be a million files. The index of a file in the list
/// identifies the file.
package struct PublishedContents: Sendable {
  /// All paths, concatenated.
  private var paths: [UInt8] = []
  private var pathEnds: [Int] = []
  private var sizes: [Int64] = []
  /// The compressed size of each file; negative if the list does not state the size.
  private var packedSizes: [Int64] = []
  private var digests: [Digest] = []
  private var packs: [Int32] = []
  private var filesByPack: [Int32] = []
  /// For each pack, the position of its first file in `filesByPack`.
  ///
  /// The last element is the end of the last pack's files.
  private var packStarts: [Int] = [0]

  package var count: Int { sizes.count }

  /// Returns the path of a file inside its pack, in UTF-8.
  package func path(at file: Int) -> ArraySlice<UInt8> {
    paths[(file == 0 ? 0 : pathEnds[file - 1])..<pathEnds[file]]
  }

  package var indices: Range<Int> { sizes.indices }

  package func size(at file: Int) -> Int64 { sizes[file] }

  /// Returns the compressed size in bytes of a file in its pack's archive; nil if the list does not state the
  /// size.
  package func packedSize(at file: Int) -> Int64? { packedSizes[file] < 0 ? nil : packedSizes[file] }

  /// Returns the compressed sizes of all files of a pack; nil if one of the sizes is not known.
  package func packedSizes(ofPack pack: Int) -> [Int64]? {
    let sizes = files(of: pack).compactMap { packedSize(at: Int($0)) }
    return sizes.count == files(of: pack).count ? sizes : nil
  }

  package func digest(at file: Int) -> Digest { digests[file] }

  /// Returns the files of a pack in byte order of their paths.
  ///
  /// `pack` is the pack's position in the index.
  package func files(of pack: Int) -> ArraySlice<Int32> {
    filesByPack[packStarts[pack]..<packStarts[pack + 1]]
  }

  /// Creates an empty list.
  package init() {}

  /// Adds a file of a pack.
  ///
  /// `packIndex` is the pack's position in the index.
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

  /// Groups the files by pack.
  ///
  /// Call this function after all files have been added. The order of the files in each pack does not change.
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
