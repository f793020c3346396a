extension StringProtocol {
  /// The form in which file systems that ignore case compare names.
  ///
  /// Each character is replaced by the lower case of its upper case, as Unicode's simple case folding does
  /// (CaseFolding.txt, statuses C and S). `lowercased()` alone keeps "ς" and "σ" apart, although both have the
  /// upper case "Σ". Mappings to several characters are left out, because file systems do not apply them.
  package var caseFolded: String {
    if utf8.allSatisfy({ $0 < 0x80 }) { return lowercased() }
    var folded = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      // Unicode folds the dotless "ı" only to itself, although its upper case is "I".
      let upper = scalar == "\u{131}" ? scalar : Self.single(scalar.properties.uppercaseMapping) ?? scalar
      folded.append(Self.single(upper.properties.lowercaseMapping) ?? upper)
    }
    return String(folded)
  }

  /// The only scalar of a mapping; nil if the mapping has several scalars.
  private static func single(_ mapping: String) -> Unicode.Scalar? {
    mapping.unicodeScalars.count == 1 ? mapping.unicodeScalars.first : nil
  }
}
