/// The words of a text as a shell splits them: by white space, except within quotes or after a backslash.
func shellWords(of text: String) -> [String] {
  var words: [String] = []
  var word = ""
  var isInWord = false
  var quote: UnicodeScalar?
  var scalars = text.unicodeScalars[...]
  while let scalar = scalars.popFirst() {
    switch scalar {
    case "\\" where quote != "'":
      // A backslash at the very end is literal.
      word.unicodeScalars.append(scalars.popFirst() ?? scalar)
      isInWord = true
    case _ where scalar == quote: quote = nil
    case "\"" where quote == nil, "'" where quote == nil:
      quote = scalar
      isInWord = true
    case " " where quote == nil, "\t" where quote == nil, "\n" where quote == nil:
      if isInWord { words.append(word) }
      word = ""
      isInWord = false
    default:
      word.unicodeScalars.append(scalar)
      isInWord = true
    }
  }
  return isInWord ? words + [word] : words
}
