extension Range<Int> {
  /// The first number from which on a claim holds, found by halving: it must hold for none before, and all behind.
  package func lowest(where holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
