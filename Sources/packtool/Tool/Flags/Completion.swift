/// The words that can complete the end of a command line.
///
/// packtool finds these words with the descriptions of the commands.
package struct Completion: Sendable {
  /// A word that can complete the command line, and its meaning.
  package struct Candidate: Sendable {
    package let word: String
    package let summary: String

    package init(_ word: String, summary: String) {
      self.word = word
      self.summary = summary
    }
  }

  /// A name that must be completed and for which packtool must read files, such as a tag.
  package struct Lookup: Sendable {
    package let kind: NameKind
    /// The positional arguments on the command line before the name.
    package let positionals: [String]
  }

  package private(set) var candidates: [Candidate] = []
  /// Which files the shell itself adds to the completions, in the words that the completion script
  /// understands.
  ///
  /// `none` means no files, and `folders` means only folders. `files` means all files. If suffixes follow
  /// `files`, the shell adds only folders and files with one of these suffixes.
  package private(set) var files = "none"
  package private(set) var lookup: Lookup?
  /// The prefix of the candidates, if they follow `--flag=`.
  package private(set) var prefix = ""

  /// Finds the completions of a command line.
  ///
  /// - Parameters:
  ///   - words: The words after the tool's name; the last word is the word to complete, and can be empty.
  ///   - commands: Every command of the tool.
  ///   - toolFlags: The flags that can be used instead of a command.
  package init(of words: [String], commands: [CommandDescription], toolFlags: [Candidate] = []) {
    var before = words.dropLast()
    let word = words.last ?? ""
    while before.first == "-C" {
      before = before.dropFirst(2)
      if words.count == 2 { files = "folders" }
    }
    if files == "folders" { return }
    guard let name = before.first else {
      candidates = commands.map { Candidate($0.name, summary: $0.summary) }
      if word.hasPrefix("-") { candidates += toolFlags }
      select(word)
      return
    }
    guard let command = commands.first(where: { $0.name == name }) else { return }
    var line = CommandLine(command: command)
    for word in before.dropFirst() { line.read(word) }
    complete(word, after: line, of: command)
  }

  private struct CommandLine {
    let command: CommandDescription
    /// The flag whose value comes next; nil if there is no such flag.
    var waiting: FlagDescription?
    var positionals: [String] = []
    var used: Set<String> = []
    var endsFlags = false

    mutating func read(_ word: String) {
      if waiting != nil {
        waiting = nil
      } else if endsFlags || !word.hasPrefix("-") || word == "-" {
        positionals.append(word)
      } else if word == "--" {
        endsFlags = true
      } else {
        let (name, value) = word.splitAtEqualsSign
        readFlags(name.hasPrefix("--") ? [name] : name.dropFirst().map { "-\($0)" }, attached: value)
      }
    }

    /// Reads a long flag or the letters of short flags.
    ///
    /// The characters after a flag that needs a value are its value.
    private mutating func readFlags(_ names: [String], attached value: String?) {
      for (place, name) in names.enumerated() {
        guard let flag = command.flags.first(where: { $0.names.contains(name) }) else { return }
        used.insert(flag.name)
        guard flag.takesValue else { continue }
        if place == names.count - 1, value == nil { waiting = flag }
        return
      }
    }
  }

  private mutating func complete(_ word: String, after line: CommandLine, of command: CommandDescription) {
    if let flag = line.waiting { return offer(flag.kind, word: word, line: line) }
    if !line.endsFlags, word.hasPrefix("-"), word != "-" || !command.flags.isEmpty {
      let (name, value) = word.splitAtEqualsSign
      if value != nil, let flag = command.flags.first(where: { $0.names.contains(name) && $0.takesValue }) {
        prefix = name + "="
        return offer(flag.kind, word: word, line: line)
      }
      let left = command.flags.filter { $0.setting == nil && ($0.addsUp || !line.used.contains($0.name)) }
      candidates = left.flatMap { flag in
        flag.names.map { Candidate($0, summary: flag.summary) }
      }
      return select(word)
    }
    var left = line.positionals.count
    for argument in command.arguments {
      if left < argument.count.upperBound { return offer(argument.kind, word: word, line: line) }
      left -= argument.count.upperBound
    }
  }

  private mutating func offer(_ kind: ValueKind, word: String, line: CommandLine) {
    switch kind {
    case .text, .number: break
    case .file(_, let suffixes): files = (["files"] + suffixes).joined(separator: " ")
    case .folder: files = "folders"
    case .path: files = "files"
    case .setting(let keys): candidates = keys.map { Candidate(prefix + $0, summary: "") }
    case .choice(let names): candidates = names.map { Candidate(prefix + $0, summary: "") }
    case .form(let names):
      candidates = names.map { Candidate(prefix + $0, summary: "") }
      let rest = word.dropFirst(prefix.count)
      if names.contains(where: { rest.hasPrefix($0 + "=") }) { files = "files" }
    case .named(let kind): lookup = Lookup(kind: kind, positionals: line.positionals)
    }
    select(word)
  }

  private mutating func select(_ word: String) { candidates.removeAll { !$0.word.hasPrefix(word) } }

  /// Adds those of the names that begin with the word.
  ///
  /// packtool has looked up these names.
  package mutating func add(_ names: [Candidate], completing word: String) {
    candidates += names.map { Candidate(prefix + $0.word, summary: $0.summary) }.filter {
      $0.word.hasPrefix(word)
    }
  }
}
