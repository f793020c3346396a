package import Formats
import Model
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
    path: ArraySlice<UInt8>, size: Int64, packed: Int64? = nil, digest: Digest, pack: Int
  ) {
    paths += path
    pathEnds.append(paths.count)
    sizes.append(size)
    packedSizes.append(packed ?? -1)
    digests.append(digest)
    packs.append(Int32(pack))
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

/// The expected files of one pack, by the list of files; identified by their index in the pack.
package struct ExpectedFiles: Sendable {
  private let contents: PublishedContents
  private let numbers: ArraySlice<Int32>

  package init(of pack: Int, in contents: PublishedContents) {
    self.contents = contents
    numbers = contents.files(of: pack)
  }

  package var count: Int { numbers.count }

  private func number(at index: Int) -> Int { Int(numbers[numbers.startIndex + index]) }

  package func path(at index: Int) -> ArraySlice<UInt8> { contents.path(at: number(at: index)) }
  package func size(at index: Int) -> Int64 { contents.size(at: number(at: index)) }
  /// The size in bytes inside the archive; nil where the list does not say it.
  package func packedSize(at index: Int) -> Int64? { contents.packedSize(at: number(at: index)) }
  package func digest(at index: Int) -> Digest { contents.digest(at: number(at: index)) }

  /// The size of all files in bytes; nil on overflow.
  package var size: Int64? { (0..<count).lazy.map(size).exactSum }

  /// The index of a path; `guess` is the most likely one.
  package func index(of path: ArraySlice<UInt8>, guess: Int) -> Int? {
    if guess < count, self.path(at: guess).elementsEqual(path) { return guess }
    let index = first(from: path)
    return index < count && self.path(at: index).elementsEqual(path) ? index : nil
  }

  /// The index of the first path that does not come before another.
  private func first(from path: ArraySlice<UInt8>) -> Int {
    (0..<count).partitioningIndex { !self.path(at: $0).lexicographicallyPrecedes(path) }
  }

  /// Whether any file is below a folder.
  package func hasFiles(below folder: [UInt8]) -> Bool {
    let prefix = folder + [UInt8(ascii: "/")]
    let index = first(from: prefix[...])
    return index < count && path(at: index).starts(with: prefix)
  }

  /// The digest of the pack's contents as in an index.
  package var contentsDigest: Digest {
    var digest = ContentsDigest()
    for index in 0..<count {
      digest.add(path(at: index), size: size(at: index), file: self.digest(at: index))
    }
    return digest.finish()
  }
}

/// The packs that a built folder says are published in another folder.
package struct PacksElsewhere: Sendable {
  /// The name of the list; nil if the folder has none for its index.
  package private(set) var name: String?
  /// The paths of the archives, relative to the folder.
  package private(set) var paths: Set<String> = []
  package private(set) var diagnostics: [Diagnostic] = []

  /// Reads the list that belongs to a folder's index.
  package init(of folder: BuiltFolder, index: PublishedIndex) throws(SystemError) {
    var bytes = ByteBuffer()
    bytes.append(index.text.bytes[...])
    let name = ElsewhereFormat.name(forIndex: bytes)
    let path = joined(folder.path, name)
    switch try FileContents(of: path, limit: IndexFormat.maxSize) {
    case .bytes(let bytes):
      self.name = name
      read(SourceText(path: path, bytes: bytes))
    case .missing: break
    case .noFile: report("\(quoted(path)) is no file; build again", at: Place(path))
    case .tooLong:
      report("the list is longer than \(ByteSize.exact(IndexFormat.maxSize)); build again", at: Place(path))
    }
  }

  /// Reads a list from its text.
  package init(_ text: SourceText) { read(text) }

  private mutating func read(_ text: SourceText) {
    let (value, mistakes) = JSONReader.read(text)
    diagnostics += mistakes.map { $0.of(.damagedIndex) }
    guard let value, mistakes.isEmpty else { return }
    let list = value.member("packs")?.elements?.map(\.string) ?? [nil]
    guard let version = value.member("formatVersion")?.wholeNumber, list.allSatisfy({ $0 != nil }) else {
      let message =
        "a list of packs in other folders needs \"formatVersion\" and \"packs\", an array of paths"
      return report("\(message); build again", at: text.place(at: value.offset))
    }
    guard version == IndexFormat.version else {
      return report(versionMistake(version), at: text.place(at: value.offset))
    }
    paths = Set(list.compactMap(\.self))
  }

  private mutating func report(_ message: String, at place: Place) {
    diagnostics.append(Diagnostic(.damagedIndex, message: message, at: place))
  }
}
