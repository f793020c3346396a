import Archiving

/// The files that one pack should hold, by the list of files; known by their place in the pack.
struct ExpectedFiles: Sendable {
  private let contents: PublishedContents
  private let numbers: ArraySlice<Int32>

  init(of pack: Int, in contents: PublishedContents) {
    self.contents = contents
    numbers = contents.files(of: pack)
  }

  var count: Int { numbers.count }

  private func number(_ place: Int) -> Int { Int(numbers[numbers.startIndex + place]) }

  func path(_ place: Int) -> ArraySlice<UInt8> { contents.path(number(place)) }
  func size(_ place: Int) -> Int64 { contents.size(number(place)) }
  func digest(_ place: Int) -> Digest { contents.digest(number(place)) }

  /// Bytes of all files; nil where they are more than can be counted.
  var size: Int64? {
    var sum: Int64 = 0
    for place in 0..<count {
      let (next, overflows) = sum.addingReportingOverflow(size(place))
      if overflows { return nil }
      sum = next
    }
    return sum
  }

  /// The place of a path; `guess` is where it most likely is.
  func place(of path: some Collection<UInt8>, guess: Int) -> Int? {
    if guess < count, self.path(guess).elementsEqual(path) { return guess }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.path(middle).lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low < count && self.path(low).elementsEqual(path) ? low : nil
  }

  /// The digest of the pack's contents, as the index has it.
  var contentsDigest: Digest {
    var digest = ContentsDigest()
    for place in 0..<count { digest.add(path(place), size: size(place), self.digest(place)) }
    return digest.finish()
  }
}
