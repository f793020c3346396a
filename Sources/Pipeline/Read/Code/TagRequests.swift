import Formats

/// The tags in one file of app code.
///
/// The tags are strings in calls of `NSBundleResourceRequest`, in calls of the OnDemand library, and in calls
/// of methods that set preservation priorities.
struct TagRequests {
  private static let type = "NSBundleResourceRequest"

  /// The tags that the code requests.
  private(set) var tags: [Located<String>] = []
  /// The tags that the code mentions without requesting them.
  private(set) var named: [Located<String>] = []
  /// Strings that might be requested tags.
  ///
  /// They are uncertain because other libraries have the same calls, or because the code changes the strings.
  /// If such a string is equal to a known tag, the tag counts as used. Otherwise the string is not reported.
  private(set) var possible: [String] = []
  /// The offsets of requests with tags that are known only at run time.
  private(set) var computed: [Int] = []
  private let code: CodeTokens
  /// The strings that the file assigns to names, as in `let tags = ["Level 1"]`, keyed by name.
  private let constants: [String: [Located<String>]]
  /// The names whose strings have already been added to the tags.
  private var addedNames: Set<String> = []
  /// Whether the file uses the OnDemand library.
  ///
  /// If so, calls with short names are certainly calls of this library.
  private let usesOnDemand: Bool
  /// The names of variables whose types load URLs, such as `URLSession`.
  private let urlNames: Set<String>

  /// The maximum number of tokens in a bracketed group or a statement.
  private static let maxTokens = 2000

  init(in code: CodeTokens) {
    self.code = code
    constants = Self.constants(in: code)
    usesOnDemand = code.tokens.indices.contains {
      code.hasWord("OnDemand", at: $0) || code.hasWord("PackStore", at: $0)
    }
    urlNames = Self.urlNames(in: code)
    var number = 0
    while number < code.tokens.count {
      if isType(number), let arguments = arguments(of: number) {
        readArguments(arguments, ofRequestAt: number)
        number = max(number, arguments.upperBound - 1)
      } else if let arguments = impliedArguments(of: number) {
        if isRequest(impliedAt: number) {
          readArguments(arguments, ofRequestAt: number)
        } else {
          addPossible(in: arguments)
        }
        number = max(number, arguments.upperBound - 1)
      } else if let call = TagCall.all.first(where: { code.hasWord($0.name, at: number) }) {
        read(callAt: number, as: call)
      }
      number += 1
    }
    var seen: Set<Int> = []
    tags = tags.filter { seen.insert($0.offset).inserted }
    named = named.filter { seen.insert($0.offset).inserted }
  }

  private func isType(_ number: Int) -> Bool {
    if code.hasWord(Self.type, at: number) { return true }
    return code.language == .json && code.tokens[number].kind == .string
      && code.string(code.tokens[number]) == Self.type
  }

  /// Returns the tokens of the arguments that contain the tags; nil if no arguments follow the type's name.
  private func arguments(of number: Int) -> Range<Int>? {
    var next = number + 1
    if code.language == .json, code.hasSign(":", at: next) {
      let value = next + 1
      return code.hasSign("[", at: value)
        ? value + 1..<end(ofGroup: value) : value..<min(value + 1, code.tokens.count)
    }
    if code.hasWord("alloc", at: next), code.hasSign("]", at: next + 1) {
      guard code.hasWord("initWithTags", at: next + 2), code.hasSign(":", at: next + 3) else { return nil }
      return message(from: next + 4)
    }
    if code.hasSign(".", at: next), code.hasWord("init", at: next + 1) { next += 2 }
    guard code.hasSign("(", at: next) else { return nil }
    return labelled(next + 1..<end(ofGroup: next))
  }

  /// Returns the argument `tags` of `.init(tags: …)`; nil for other tokens.
  ///
  /// The context of such a call determines its type.
  private func impliedArguments(of number: Int) -> Range<Int>? {
    guard code.language == .swift, code.hasWord("init", at: number), code.hasSign(".", at: number - 1),
      code.hasSign("(", at: number + 1), code.hasWord("tags", at: number + 2),
      code.hasSign(":", at: number + 3),
      number < 2 || !code.endsExpression(number - 2)
    else { return nil }
    return labelled(number + 2..<end(ofGroup: number + 1))
  }

  /// Whether `.init` creates a request, because a variable or the result of a function has the type of a
  /// request.
  private func isRequest(impliedAt number: Int) -> Bool {
    var index = number - 2
    let between = ["=", "?", "!", "{"]
    while index >= 0,
      between.contains(where: { code.hasSign(Character($0), at: index) })
        || code.hasWord("return", at: index)
        || code.hasWord("get", at: index)
    {
      index -= 1
    }
    return index >= 0 && isType(index)
  }

  /// Adds all strings in a range of tokens, and the strings that its names stand for, as tags that might be
  /// requested.
  private mutating func addPossible(in range: Range<Int>) {
    for token in code.tokens[range.clamped(to: code.tokens.indices)] {
      if token.kind == .string { possible.append(code.string(token)) }
      if token.kind == .word, addedNames.insert("?\(code.string(token))").inserted {
        possible += constants[code.string(token)]?.map(\.value) ?? []
      }
    }
  }

  /// Returns the index of the token that closes a bracketed group; the end of the file if the group is not
  /// closed.
  private func end(ofGroup open: Int) -> Int {
    code.end(from: open, before: open + Self.maxTokens) { _, depth in depth == 0 }
  }

  /// Returns the argument of an Objective-C message.
  ///
  /// The argument ends before the next part of the message's name or before the closing bracket.
  private func message(from start: Int) -> Range<Int> {
    let end = code.end(from: start, before: start + Self.maxTokens) { number, depth in
      let isNextPart =
        depth == 0 && number > start && code.tokens[number].kind == .word
        && code.hasSign(":", at: number + 1)
      return depth < 0 || isNextPart || code.hasSign(";", at: number)
    }
    return start..<end
  }

  /// Returns the argument with the label `tags`; all arguments if no argument has this label.
  private func labelled(_ all: Range<Int>) -> Range<Int> {
    guard let first = all.first, code.hasWord("tags", at: first),
      code.hasSign(":", at: first + 1) || code.hasSign("=", at: first + 1)
    else { return all }
    let start = min(first + 2, all.upperBound)
    return start..<code.end(from: start, before: all.upperBound) { $1 == 0 && code.hasSign(",", at: $0) }
  }

  private mutating func readArguments(_ arguments: Range<Int>, ofRequestAt request: Int) {
    var isComputed = false
    var number = arguments.lowerBound
    while number < arguments.upperBound {
      let token = code.tokens[number]
      switch token.kind {
      case .string where code.isCompleteValue(number):
        tags.append(Located(code.string(token), at: token.offset))
      case .string:
        isComputed = true
        possible.append(code.string(token))
      case .template: isComputed = true
      case .word:
        let (names, end) = chain(from: number, to: arguments.upperBound)
        number = end - 1
        if names.allSatisfy(CodeTokens.isNeutral) { break }
        // If the string is the argument of a function, the function's result is known only at run time.
        if let call = code.argumentsOfCall(after: end, before: arguments.upperBound) {
          addPossible(in: call)
          number = max(number, call.upperBound - 1)
        }
        let known = names.filter { constants[$0] != nil }
        if known.isEmpty { isComputed = true }
        for name in known where addedNames.insert(name).inserted { tags += constants[name] ?? [] }
      case .sign: break
      }
      number += 1
    }
    if isComputed { computed.append(code.tokens[request].offset) }
  }

  /// Reads the call of a method with tags, if such a call begins at this token.
  private mutating func read(callAt number: Int, as call: TagCall) {
    // Names such as `request` and `remove` have many meanings. The labels of arguments distinguish methods
    // with the same name.
    for call in TagCall.all where call.name == code.string(code.tokens[number]) {
      guard let argument = argument(of: call, at: number), let first = argument.first else { continue }
      let isList =
        code.hasSign("[", at: first)
        || ["Set", "NSSet", "Array", "CollectionOfOne"].contains { code.hasWord($0, at: first) }
      let isKnown = code.tokens[first].kind == .word && constants[code.string(code.tokens[first])] != nil
      let isLiteral = isKnown || (call.takesOneTag ? code.tokens[first].kind == .string : isList)
      // Tags that code makes at run time matter only in calls that request tags.
      if usesOnDemand ? !isLiteral && !call.requestsPacks : !isLiteral || !call.takesList { continue }
      let isSure = call.isUnmistakable || (usesOnDemand && !isOfURLs(callAt: number))
      if !isSure {
        if call.requestsPacks { addPossible(in: argument) }
      } else if call.requestsPacks {
        readArguments(argument, ofRequestAt: number)
      } else {
        for index in argument {
          let token = code.tokens[index]
          if token.kind == .string, code.isCompleteValue(index) {
            named.append(Located(code.string(token), at: token.offset))
          }
          if token.kind == .word { named += constants[code.string(token)] ?? [] }
        }
      }
      return
    }
  }

  /// Whether a method is called on a value that loads URLs, as in `URLSession.shared.request(for:)`.
  private func isOfURLs(callAt number: Int) -> Bool {
    var index = number - 1
    while code.hasSign(".", at: index) {
      index -= 1
      while code.hasSign("?", at: index) || code.hasSign("!", at: index) { index -= 1 }
      guard index >= 0, code.tokens[index].kind == .word else { return false }
      let name = code.string(code.tokens[index])
      if name.hasPrefix("URL") || urlNames.contains(name) { return true }
      index -= 1
    }
    return false
  }

  /// Returns the names of variables and arguments whose type or value begins with `URL`.
  private static func urlNames(in code: CodeTokens) -> Set<String> {
    var names: Set<String> = []
    for number in code.tokens.indices.dropFirst(2)
    where code.tokens[number].kind == .word && code.tokens[number - 2].kind == .word {
      guard code.hasSign(":", at: number - 1) || code.hasSign("=", at: number - 1) else { continue }
      if code.string(code.tokens[number]).hasPrefix("URL") {
        names.insert(code.string(code.tokens[number - 2]))
      }
    }
    return names
  }

  /// Returns the argument that contains the tags in a call of a method; nil if the token is not the method's
  /// name.
  private func argument(of call: TagCall, at number: Int) -> Range<Int>? {
    switch code.language {
    case .swift:
      guard code.hasSign(".", at: number - 1), code.hasSign("(", at: number + 1) else { return nil }
      let all = number + 2..<end(ofGroup: number + 1)
      guard let label = call.label else { return code.hasSign(":", at: number + 3) ? nil : all }
      var depth = 0
      for index in all {
        depth += code.depthChange(index)
        guard depth == 0, code.hasWord(label, at: index), code.hasSign(":", at: index + 1) else { continue }
        let start = min(index + 2, all.upperBound)
        return start..<code.end(from: start, before: all.upperBound) { $1 == 0 && code.hasSign(",", at: $0) }
      }
      return nil
    case .objectiveC, .objectiveCPlus:
      guard let label = call.label, call.isInObjectiveC, code.hasSign(":", at: number + 1) else {
        return nil
      }
      let first = message(from: number + 2)
      // Only a part of the message's name, which a colon follows, is a word at the end of an argument.
      guard code.hasWord(label, at: first.upperBound) else { return nil }
      return message(from: first.upperBound + 2)
    default: return nil
    }
  }

  /// Returns the words of a dotted name that begins at a token, and the index of the token after the last
  /// word.
  private func chain(from start: Int, to limit: Int) -> ([String], Int) {
    var names = [code.string(code.tokens[start])]
    var number = start + 1
    while number + 1 < limit, code.hasSign(".", at: number), code.tokens[number + 1].kind == .word {
      names.append(code.string(code.tokens[number + 1]))
      number += 2
    }
    return (names, number)
  }

  private static func constants(in code: CodeTokens) -> [String: [Located<String>]] {
    var constants: [String: [Located<String>]] = [:]
    var number = 0
    while number < code.tokens.count {
      if code.tokens[number].kind == .word, let start = code.assignment(after: number) {
        let (strings, end) = code.strings(ofStatementAt: start, maxTokens: maxTokens)
        if !strings.isEmpty { constants[code.string(code.tokens[number]), default: []] += strings }
        number = max(number, end - 1)
      }
      number += 1
    }
    return constants
  }
}

/// A method that has tags as arguments.
///
/// The methods of `NSBundleResourceRequest` are not included.
private struct TagCall {
  let name: String
  /// The label of the argument with the tags; nil if the argument has no label.
  let label: String?
  /// Whether the call requests the packs of the tags.
  var requestsPacks = false
  /// Whether a list in the call might contain tags even if the file does not use the OnDemand library.
  var takesList = false
  /// Whether only the OnDemand library has such a method.
  ///
  /// If true, a list of strings in the call can only be a list of tags.
  var isUnmistakable = false
  var isInObjectiveC = false
  /// Whether the argument is one tag instead of a list.
  var takesOneTag = false

  static let all: [TagCall] = [
    TagCall(name: "request", label: "for", requestsPacks: true, takesList: true),
    TagCall(name: "downloadSize", label: "of", takesList: true),
    TagCall(name: "state", label: "of", takesOneTag: true),
    TagCall(name: "remove", label: nil),
    TagCall(name: "setPreservationPriority", label: "for", takesList: true, isUnmistakable: true),
    TagCall(
      name: "setPreservationPriority", label: "forTags", takesList: true, isUnmistakable: true,
      isInObjectiveC: true),
  ]
}

extension CodeTokens {
  /// Whether a word in arguments only helps to make a set, for example the name of a type.
  fileprivate static func isNeutral(_ word: String) -> Bool {
    [
      "Set", "NSSet", "NSArray", "NSString", "Array", "String", "HashSet", "List", "string", "as", "new",
      "nil", "null", "alloc", "init", "setWithObjects", "setWithObject", "setWithArray", "initWithObjects",
      "initWithObject", "initWithArray", "arrayWithObjects", "arrayWithObject", "setOf", "listOf", "arrayOf",
      "hashSetOf", "CollectionOfOne", "mutableSetOf", "arrayLiteral", "array", "objects", "object",
    ].contains(word)
  }

  /// Whether a string is a complete value.
  ///
  /// It is not complete if code joins it to another string, compares it with another string, or changes it
  /// with a method.
  fileprivate func isCompleteValue(_ number: Int) -> Bool {
    func isString(_ index: Int) -> Bool {
      tokens.indices.contains(index) && [.string, .template].contains(tokens[index].kind)
    }
    // In Objective-C, adjacent string literals form one string.
    let before = hasSign("@", at: number - 1) ? number - 2 : number - 1
    let after = hasSign("@", at: number + 1) ? number + 2 : number + 1
    if isString(before) || isString(after) { return false }
    // The string receives a message, as in `[@"a" stringByAppendingString:@"b"]`.
    let isObjectiveC = language == .objectiveC || language == .objectiveCPlus
    if isObjectiveC, tokens.indices.contains(after), tokens[after].kind == .word, hasSign("[", at: before) {
      return false
    }
    if hasSign("=", at: number - 1),
      ["=", "!", "<", ">", "+"].contains(where: { hasSign($0, at: number - 2) })
    {
      return false
    }
    let opening: [Character] = ["[", "(", "{", ",", ":", "?", "@", "$", "=", ";"]
    let closing: [Character] = ["]", ")", "}", ",", ":", "?", ";", "@", "#"]
    let isOpened =
      number == 0 || tokens[number - 1].kind != .sign || opening.contains { hasSign($0, at: number - 1) }
    guard isOpened, number + 1 < tokens.count, tokens[number + 1].kind == .sign else { return isOpened }
    if closing.contains(where: { hasSign($0, at: number + 1) }) { return true }
    // These signs at the beginning of a line continue the current statement. Any other sign begins a new
    // statement.
    let joining: [Character] = ["+", ".", "%", "=", "!", "<", ">", "&", "|"]
    return tokens[number + 1].beginsLine && !joining.contains { hasSign($0, at: number + 1) }
  }

  /// Whether an expression can end with this token.
  ///
  /// If so, a dot after the token accesses a member of the expression.
  fileprivate func endsExpression(_ number: Int) -> Bool {
    if [")", "]", ">"].contains(where: { hasSign($0, at: number) }) { return true }
    return tokens[number].kind == .word
      && !["return", "in", "case", "else", "try", "await", "get"].contains {
        hasWord($0, at: number)
      }
  }

  /// Returns the arguments of a call or subscript whose name ends before this token; nil if there is no call.
  fileprivate func argumentsOfCall(after number: Int, before limit: Int) -> Range<Int>? {
    if hasSign("(", at: number) || (hasSign("[", at: number) && language != .json) {
      return number + 1..<end(from: number, before: limit) { _, depth in depth == 0 }
    }
    // In Objective-C, a word and a colon are a part of a message's name, such as `tagFor:`.
    guard language == .objectiveC || language == .objectiveCPlus, hasSign(":", at: number) else {
      return nil
    }
    let start = number + 1
    return start..<end(from: start, before: limit) { _, depth in depth < 0 }
  }

  /// Returns the index of the first token for which `isEnd` is true; the limit if there is no such token.
  ///
  /// The arguments of `isEnd` are the index of a token, and the token's depth in brackets relative to the
  /// start.
  fileprivate func end(from start: Int, before limit: Int, where isEnd: (Int, Int) -> Bool) -> Int {
    let limit = max(start, min(limit, tokens.count))
    var depth = 0
    for number in start..<limit {
      depth += depthChange(number)
      if isEnd(number, depth) { return number }
    }
    return limit
  }

  fileprivate func depthChange(_ number: Int) -> Int {
    guard tokens[number].kind == .sign else { return 0 }
    switch UnicodeScalar(text.bytes[tokens[number].start]) {
    case "(", "[", "{": return 1
    case ")", "]", "}": return -1
    default: return 0
    }
  }

  /// Returns the index of the token after the equals sign if code assigns a value to a name; otherwise nil.
  fileprivate func assignment(after name: Int) -> Int? {
    var number = name + 1
    // A type can be between the name and the equals sign.
    if hasSign(":", at: number) {
      while number < min(name + 12, tokens.count), !hasSign("=", at: number), !tokens[number].beginsLine {
        number += 1
      }
    }
    guard hasSign("=", at: number), !hasSign("=", at: number + 1) else { return nil }
    return number + 1
  }

  /// Returns the strings of a statement that begins at a token, and the index of the token after the
  /// statement.
  fileprivate func strings(ofStatementAt start: Int, maxTokens longest: Int) -> ([Located<String>], Int) {
    let end = end(from: start, before: start + longest) { number, depth in
      let isBody = hasSign("{", at: number) && !language.listsInBraces
      // A bracket at the beginning of a line does not belong to the statement either.
      let endsLine =
        depth - depthChange(number) == 0 && number > start && tokens[number].beginsLine
        && language.endsStatementsAtLines
      return depth < 0 || hasSign(";", at: number) || isBody || endsLine
    }
    return (values(in: start..<end), end)
  }

  /// Returns the strings in a range that are complete values.
  private func values(in range: Range<Int>) -> [Located<String>] {
    var found: [Located<String>] = []
    var number = range.lowerBound
    while number < range.upperBound {
      let token = tokens[number]
      if token.kind == .string, isCompleteValue(number) {
        found.append(Located(string(token), at: token.offset))
      }
      if token.kind == .word, !Self.isNeutral(string(token)),
        let call = argumentsOfCall(after: number + 1, before: range.upperBound)
      {
        number = max(number, call.upperBound - 1)
      }
      number += 1
    }
    return found
  }
}
