extension Range<Int> {
  /// Returns the first index for which the predicate is true, using binary search.
  ///
  /// The predicate must be false for all indices before some index and true from that index on.
  package func partitioningIndex(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
