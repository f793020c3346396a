/// How one tag differs from another that it may be a slip of.
package enum TagSlip {
  /// The longest tag, in bytes, that is compared with others.
  package static let maxSize = 128

  /// The evidence that a tag is a slip of another.
  package enum Evidence: Sendable {
    /// Nobody would write two such tags on purpose.
    case strong
    /// A letter of a long word is missing, added or another, as in "plants" and "planets".
    case moderate
    /// Two tags may differ so on purpose: an `s` at the end, or a letter of a short word.
    case weak
  }

  /// A tag in the forms in which slips are looked for.
  package struct Form: Sendable {
    /// Lower case, with one hyphen between words.
    fileprivate let letters: [Unicode.Scalar]
    /// The same without hyphens, but between numbers: "World 1-1" is not "World 11".
    fileprivate let compact: [Unicode.Scalar]

    /// The forms of a tag; nil for one that is too long.
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

    /// The form and all that lack one letter of it: two forms with one edit between them share one.
    package var neighbours: Set<String> {
      Set(
        [text(compact), text(letters)] + letters.indices.map { text(letters[..<$0] + letters[($0 + 1)...]) })
    }

    private func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
      String(String.UnicodeScalarView(scalars))
    }
  }

  /// The evidence for a slip between two tags; nil where they differ as members of a family do, or by more.
  package static func evidence(_ first: Form, _ second: Form) -> Evidence? {
    let (long, short) =
      first.letters.count >= second.letters.count
      ? (first.letters, second.letters) : (second.letters, first.letters)
    if first.compact == second.compact { return .strong }
    let start = zip(long, short).prefix { $0 == $1 }.count
    let end = zip(long[start...].reversed(), short[start...].reversed()).prefix { $0 == $1 }.count
    let (changed, against) = (long[start..<long.count - end], short[start..<short.count - end])
    // Numbers, letters beside them and signs are how families count.
    guard (changed + against).allSatisfy({ $0.properties.isAlphabetic }) else { return nil }
    let range = start..<long.count - end
    let word = word(around: range, in: long)
    let isEndOfWord = range.upperBound == long.count || !long[range.upperBound].properties.isAlphabetic
    if word.allSatisfy(isRoman) { return nil }
    switch (changed.count, against.count) {
    case (2, 2): return changed.elementsEqual(against.reversed()) && word.count >= 4 ? .strong : nil
    case (1, 0):
      if word.count < 4 { return nil }
      if !isEndOfWord, word.count >= 8 || isStutter(at: start, in: long, of: word) { return .strong }
      return changed.first == "s" && isEndOfWord || word.count < 6 ? .weak : .moderate
    case (1, 1): return word.count < 4 ? nil : word.count < 6 ? .weak : .moderate
    default: return nil
    }
  }

  /// Whether a letter is there twice where no word has it so: at the beginning, or one that is hardly ever doubled.
  private static func isStutter(
    at index: Int, in letters: [Unicode.Scalar], of word: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    // The common start ends behind the second of two equal letters.
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
