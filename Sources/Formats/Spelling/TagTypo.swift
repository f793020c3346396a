/// Decides whether a tag is probably a misspelling of another tag.
package enum TagTypo {
  /// The maximum size in bytes of a tag that is compared with other tags.
  package static let maxSize = 128

  /// How strong the evidence is that a tag is a misspelling of another tag.
  package enum Evidence: Sendable {
    /// The two tags are so similar that nobody would use both on purpose.
    case strong
    /// A letter of a long word is missing, added or different, as in "plants" and "planets".
    case moderate
    /// The tags might differ on purpose, because they differ only in an `s` at the end or in a letter of a
    /// short word.
    case weak
  }

  /// The normalized forms of a tag, which are compared instead of the tag.
  package struct Form: Sendable {
    /// The tag in lower case, with one hyphen between words.
    fileprivate let letters: [Unicode.Scalar]
    /// The tag without hyphens, except between numbers: "World 1-1" is not "World 11".
    fileprivate let compact: [Unicode.Scalar]

    /// Creates the forms of a tag; nil if the tag is too long.
    package init?(_ tag: String) {
      if tag.utf8.count > maxSize { return nil }
      var words: [Unicode.Scalar] = []
      var last: Unicode.Scalar?
      for scalar in tag.unicodeScalars where !isHidden(scalar) {
        let beginsWord = last.map { $0.properties.isLowercase && scalar.properties.isUppercase } ?? false
        if isSeparator(scalar) || beginsWord, words.last != "-", !words.isEmpty { words.append("-") }
        if !isSeparator(scalar) { words += lowered(scalar) }
        last = scalar
      }
      if words.last == "-" { words.removeLast() }
      letters = words
      compact = words.indices.compactMap { index in
        let isBetweenNumbers =
          index > 0 && index + 1 < words.count && isNumber(words[index - 1]) && isNumber(words[index + 1])
        return words[index] != "-" || isBetweenNumbers ? words[index] : nil
      }
    }

    /// All forms of the tag, and all strings that result from removing one letter of a form.
    ///
    /// Two tags that differ by one edit have at least one of these strings in common.
    package var neighbours: Set<String> {
      Set(
        [text(compact), text(letters)] + letters.indices.map { text(letters[..<$0] + letters[($0 + 1)...]) })
    }

    private func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
      String(String.UnicodeScalarView(scalars))
    }
  }

  /// Returns the evidence that one tag is a misspelling of the other.
  ///
  /// The result is nil if the tags differ too much, or if they differ like members of a numbered family.
  package static func evidence(_ first: Form, _ second: Form) -> Evidence? {
    let (long, short) =
      first.letters.count >= second.letters.count
      ? (first.letters, second.letters) : (second.letters, first.letters)
    if first.compact == second.compact { return .strong }
    let start = zip(long, short).prefix { $0 == $1 }.count
    let end = zip(long[start...].reversed(), short[start...].reversed()).prefix { $0 == $1 }.count
    let (changed, against) = (long[start..<long.count - end], short[start..<short.count - end])
    // Members of a family usually differ in numbers, in single letters next to numbers, or in punctuation.
    guard (changed + against).allSatisfy({ $0.properties.isAlphabetic }) else { return nil }
    let range = start..<long.count - end
    let word = word(around: range, in: long)
    let isEndOfWord = range.upperBound == long.count || !long[range.upperBound].properties.isAlphabetic
    if word.allSatisfy(isRoman) { return nil }
    switch (changed.count, against.count) {
    case (2, 2): return changed.elementsEqual(against.reversed()) && word.count >= 4 ? .strong : nil
    case (1, 0):
      if word.count < 4 { return nil }
      if !isEndOfWord, word.count >= 8 || repeatsLetters(at: start, in: long, of: word) { return .strong }
      return changed.first == "s" && isEndOfWord || word.count < 6 ? .weak : .moderate
    case (1, 1): return word.count < 4 ? nil : word.count < 6 ? .weak : .moderate
    default: return nil
    }
  }

  /// Whether a letter is doubled in a way that English words do not have: at the beginning of a word, or
  /// although this letter is rarely doubled.
  private static func repeatsLetters(
    at index: Int, in letters: [Unicode.Scalar], of word: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    // The index is the position after the second of two equal letters, because the common prefix of both
    // words contains both letters.
    guard index > word.startIndex, letters[index - 1] == letters[index], word.count >= 6 else { return false }
    return index == word.startIndex + 1 || "ahijkquvwxy".unicodeScalars.contains(letters[index])
  }

  private static func word(around range: Range<Int>, in letters: [Unicode.Scalar]) -> ArraySlice<
    Unicode.Scalar
  > {
    let before = letters[..<range.lowerBound].reversed().prefix { $0.properties.isAlphabetic }.count
    let after = letters[range.upperBound...].prefix { $0.properties.isAlphabetic }.count
    return letters[range.lowerBound - before..<range.upperBound + after]
  }
}

private func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
  scalar == "_" || scalar == "-" || scalar.properties.isWhitespace
}

private func isNumber(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.numericType != nil }

private func isRoman(_ scalar: Unicode.Scalar) -> Bool { "ivxlcdm".unicodeScalars.contains(scalar) }

/// Whether a character is invisible, such as a zero-width space.
private func isHidden(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .format }

private func lowered(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
  Array(scalar.properties.lowercaseMapping.unicodeScalars)
}
