import Formats

/// The requests for tags in one file of app code: the strings in calls of `NSBundleResourceRequest`.
struct TagRequests {
  private static let type = "NSBundleResourceRequest"

  /// The requested tags, at the offset of the string.
  private(set) var tags: [Located<String>] = []
  /// The offsets of requests whose tags are not all known before the app runs.
  private(set) var computed: [Int] = []
  private let code: CodeTokens

  init(in code: CodeTokens) {
    self.code = code
    for number in code.tokens.indices {
      guard isType(number), let arguments = arguments(of: number) else { continue }
      read(arguments, of: number)
    }
    var seen: Set<Int> = []
    tags = tags.filter { seen.insert($0.offset).inserted }
  }

  private func isType(_ number: Int) -> Bool {
    if code.isWord(number, Self.type) { return true }
    return code.language == .json && code.tokens[number].kind == .string
      && code.string(code.tokens[number]) == Self.type
  }

  /// The tokens of the arguments that say which tags; nil where the type is only named.
  private func arguments(of number: Int) -> Range<Int>? {
    var next = number + 1
    if code.language == .json, code.isSign(next, ":") { return value(at: next + 1) }
    if code.isWord(next, "alloc"), code.isSign(next + 1, "]") {
      guard code.isWord(next + 2, "initWithTags"), code.isSign(next + 3, ":") else { return nil }
      return message(from: next + 4)
    }
    if code.isSign(next, "."), code.isWord(next + 1, "init") { next += 2 }
    guard code.isSign(next, "(") else { return nil }
    return labelled(next + 1..<end(ofGroup: next))
  }

  /// The value of a JSON key.
  private func value(at number: Int) -> Range<Int> {
    code.isSign(number, "[") ? number + 1..<end(ofGroup: number) : number..<min(number + 1, code.tokens.count)
  }

  /// The number of the sign that closes a group, or of the end of the file.
  private func end(ofGroup open: Int) -> Int {
    var depth = 0
    for number in open..<code.tokens.count {
      depth += depthChange(number)
      if depth == 0 { return number }
    }
    return code.tokens.count
  }

  private func depthChange(_ number: Int) -> Int {
    if "([{".contains(where: { code.isSign(number, $0) }) { return 1 }
    return ")]}".contains(where: { code.isSign(number, $0) }) ? -1 : 0
  }

  /// The argument of a message up to the next part of its name, or to the bracket that ends the message.
  private func message(from start: Int) -> Range<Int> {
    var depth = 0
    for number in start..<code.tokens.count {
      depth += depthChange(number)
      let isNextPart = depth == 0 && number > start && code.tokens[number].kind == .word && code.isSign(number + 1, ":")
      if depth < 0 || isNextPart || code.isSign(number, ";") { return start..<number }
    }
    return start..<code.tokens.count
  }

  /// The argument `tags` of a call where it is named, else all arguments.
  private func labelled(_ all: Range<Int>) -> Range<Int> {
    guard let first = all.first, code.isWord(first, "tags"), code.isSign(first + 1, ":") || code.isSign(first + 1, "=")
    else { return all }
    var depth = 0
    for number in first + 2..<max(first + 2, all.upperBound) {
      depth += depthChange(number)
      if depth == 0, code.isSign(number, ",") { return first + 2..<number }
    }
    return min(first + 2, all.upperBound)..<all.upperBound
  }

  private mutating func read(_ arguments: Range<Int>, of request: Int) {
    var isComputed = false
    var number = arguments.lowerBound
    while number < arguments.upperBound {
      let token = code.tokens[number]
      switch token.kind {
      case .string: tags.append(Located(code.string(token), at: token.offset))
      case .template: isComputed = true
      case .word:
        let (names, end) = chain(from: number, to: arguments.upperBound)
        number = end - 1
        if names.allSatisfy(Self.isNeutral) { break }
        let values = names.flatMap { self.values(of: $0, before: request) }
        if values.isEmpty { isComputed = true }
        tags += values
      case .sign: break
      }
      number += 1
    }
    if isComputed { computed.append(code.tokens[request].offset) }
  }

  /// The words that are joined by dots from a token on, and the number behind the last.
  private func chain(from start: Int, to limit: Int) -> ([String], Int) {
    var names = [code.string(code.tokens[start])]
    var number = start + 1
    while number + 1 < limit, code.isSign(number, "."), code.tokens[number + 1].kind == .word {
      names.append(code.string(code.tokens[number + 1]))
      number += 2
    }
    return (names, number)
  }

  /// Whether a word in arguments is part of how a set is made.
  private static func isNeutral(_ word: String) -> Bool {
    [
      "Set", "NSSet", "NSArray", "NSString", "Array", "String", "HashSet", "List", "string", "as", "new", "nil", "null",
      "alloc", "init", "setWithObjects", "setWithObject", "setWithArray", "initWithObjects", "initWithObject",
      "initWithArray", "arrayWithObjects", "arrayWithObject", "setOf", "listOf", "arrayOf", "hashSetOf", "mutableSetOf",
      "arrayLiteral", "array", "objects", "object",
    ].contains(word)
  }

  /// The strings that the file gives a name, as in `let tags = ["Level 1"]`.
  private func values(of name: String, before request: Int) -> [Located<String>] {
    var values: [Located<String>] = []
    for number in code.tokens.indices where number != request && code.isWord(number, name) {
      guard let start = assignment(behind: number) else { continue }
      values += strings(ofStatement: start)
    }
    return values
  }

  /// The first token of what a name is set to; nil if it is not set there.
  private func assignment(behind name: Int) -> Int? {
    var number = name + 1
    // A type may stand between.
    if code.isSign(number, ":") {
      while number < min(name + 12, code.tokens.count), !code.isSign(number, "="), !code.tokens[number].beginsLine {
        number += 1
      }
    }
    guard code.isSign(number, "="), !code.isSign(number + 1, "="), number + 1 < code.tokens.count else { return nil }
    return number + 1
  }

  private func strings(ofStatement start: Int) -> [Located<String>] {
    var depth = 0
    var strings: [Located<String>] = []
    for number in start..<code.tokens.count {
      let token = code.tokens[number]
      depth += depthChange(number)
      if depth < 0 || code.isSign(number, ";") { break }
      if depth == 0, number > start, token.beginsLine, code.language.endsStatementsAtLines { break }
      if token.kind == .string { strings.append(Located(code.string(token), at: token.offset)) }
      if strings.count > 1000 { break }
    }
    return strings
  }
}
