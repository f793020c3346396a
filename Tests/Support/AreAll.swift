extension Sequence {
  /// Whether there is at least one element and all elements satisfy a condition.
  ///
  /// `allSatisfy` is true if there are no elements. So a test with `allSatisfy` would pass even if it
  /// examined nothing.
  package func areAll(_ isTrue: (Element) throws -> Bool) rethrows -> Bool {
    var isEmpty = true
    for element in self {
      isEmpty = false
      if try !isTrue(element) { return false }
    }
    return !isEmpty
  }
}
