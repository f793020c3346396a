extension Sequence {
  /// Whether there are elements and all satisfy a condition.
  ///
  /// `allSatisfy` is true without elements, so a test with it cannot fail once it has nothing to look at.
  package func areAll(_ isTrue: (Element) throws -> Bool) rethrows -> Bool {
    var isEmpty = true
    for element in self {
      isEmpty = false
      if try !isTrue(element) { return false }
    }
    return !isEmpty
  }
}
