import Model
package import System

/// The files that one pack should have according to the file list.
///
/// A file is identified by its index in the pack.
package struct ExpectedFiles: Sendable {
  private let contents: PublishedContents
  private let numbers: ArraySlice<Int32>

  package init(ofPack pack: Int, in contents: PublishedContents) {
    self.contents = contents
    numbers = contents.files(of: pack)
  }

  package var count: Int { numbers.count }

  private func number(at index: Int) -> Int { Int(numbers[numbers.startIndex + index]) }

  package func path(at index: Int) -> ArraySlice<UInt8> { contents.path(at: number(at: index)) }
  package func size(at index: Int) -> Int64 { contents.size(at: number(at: index)) }
  /// Returns the compressed size of a file in bytes; nil if the list does not state it.
  package func packedSize(at index: Int) -> Int64? { contents.packedSize(at: number(at: index)) }
  package func digest(at index: Int) -> Digest { contents.digest(at: number(at: index)) }

  /// The total size of all files in bytes; nil if the sum overflows.
  package var size: Int64? { (0..<count).lazy.map(size).exactSum }

  /// Returns the index of the file at a path; nil if there is no such file.
  ///
  /// The search begins at `guess`, the most likely index.
  package func index(of path: ArraySlice<UInt8>, guess: Int) -> Int? {
    if guess < count, self.path(at: guess).elementsEqual(path) { return guess }
    let index = first(from: path)
    return index < count && self.path(at: index).elementsEqual(path) ? index : nil
  }

  /// Returns the index of the first path that is equal to `path` or sorts after it.
  private func first(from path: ArraySlice<UInt8>) -> Int {
    (0..<count).partitioningIndex { !self.path(at: $0).lexicographicallyPrecedes(path) }
  }

  /// Whether any file is below a folder.
  package func hasFiles(below folder: [UInt8]) -> Bool {
    let prefix = folder + [UInt8(ascii: "/")]
    let index = first(from: prefix[...])
    return index < count && path(at: index).starts(with: prefix)
  }

  /// The digest of the pack's contents, equal to the digest in an index.
  package var contentsDigest: Digest {
    var digest = ContentsDigest()
    for index in 0..<count {
      digest.add(path: path(at: index), size: size(at: index), fileDigest: self.digest(at: index))
    }
    return digest.finish()
  }
}
