/// Guesses about the unknown names of one input: each compares a name with all that are known, so that of many
/// unknown names only the first have one.
package struct Guesses: Sendable {
  /// How many guesses an input gets.
  package static let maxGuesses = 100
  private var left = maxGuesses

  package init() {}

  /// The candidate that a name was most likely meant to be; nil where none is near, and for all names after the first
  /// hundred.
  package mutating func nearest(to name: String, in candidates: some Sequence<String>) -> NearestName? {
    if left == 0 { return nil }
    left -= 1
    return NearestName(to: name, in: candidates)
  }
}

/// The only name that begins with the first word of another, as `bundleIdentifier` does for `bundleID`; nil if there is
/// none, or more than one.
package func onlyName(beginningAs name: String, in names: [String]) -> String? {
  let word = name.prefix { $0.isLowercase }
  if word.count < 4 { return nil }
  let same = names.filter { other in
    other.hasPrefix(word) && !(other.dropFirst(word.count).first?.isLowercase ?? false)
  }
  return same.count == 1 ? same.first : nil
}
