import PackKit
package import System

/// The expected files of one pack, by the list of files; identified by their index in the pack.
package struct ExpectedFiles: Sendable {
  private let contents: PublishedContents
  private let numbers: ArraySlice<Int32>

  package init(of pack: Int, in contents: PublishedContents) {
    self.contents = contents
    numbers = contents.files(of: pack)
  }

  package var count: Int { numbers.count }

  private func number(_ place: Int) -> Int { Int(numbers[numbers.startIndex + place]) }

  package func path(_ place: Int) -> ArraySlice<UInt8> { contents.path(number(place)) }
  package func size(_ place: Int) -> Int64 { contents.size(number(place)) }
  /// The size in bytes inside the archive; nil where the list does not say it.
  package func packedSize(_ place: Int) -> Int64? { contents.packedSize(number(place)) }
  package func digest(_ place: Int) -> Digest { contents.digest(number(place)) }

  /// The size of all files in bytes; nil on overflow.
  package var size: Int64? { (0..<count).lazy.map(size).exactSum }

  /// The index of a path; `guess` is the most likely one.
  package func place(of path: some Collection<UInt8>, guess: Int) -> Int? {
    if guess < count, self.path(guess).elementsEqual(path) { return guess }
    let place = (0..<count).partitioningIndex { !self.path($0).lexicographicallyPrecedes(path) }
    return place < count && self.path(place).elementsEqual(path) ? place : nil
  }

  /// Whether any file is below a folder.
  package func hasFiles(below folder: [UInt8]) -> Bool {
    let prefix = folder + [UInt8(ascii: "/")]
    let place = (0..<count).partitioningIndex { !path($0).lexicographicallyPrecedes(prefix) }
    return place < count && path(place).starts(with: prefix)
  }

  /// The digest of the pack's contents as in an index.
  package var contentsDigest: Digest {
    var digest = ContentsDigest()
    for place in 0..<count { digest.add(path(place), size: size(place), self.digest(place)) }
    return digest.finish()
  }
}
