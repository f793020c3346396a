import Spelling

extension [Command] {
  /// The command of a name.
  func named(_ name: String) -> Command? { first { $0.name == name } }

  /// What other tools call a command, for "did you mean".
  private static var otherNames: [String: String] {
    [
      "check": "validate", "lint": "validate", "test": "validate", "pack": "build", "package": "build",
      "make": "build", "create": "build", "dry-run": "plan", "list": "plan", "ls": "plan",
      "extract": "unpack",
      "unzip": "unpack", "compare": "diff", "why": "explain", "show": "inspect", "info": "inspect",
      "convert": "import", "migrate": "import", "play": "simulate", "rules": "checks", "version": "--version",
    ]
  }

  /// The command that a word was meant to be; nil where none is likely.
  ///
  /// Words that only look alike, such as "report" and "import", are no guess: their first letters differ.
  func guess(for word: String, among more: [String] = []) -> String? {
    let names = map(\.name) + more
    if let name = Self.otherNames[word.lowercased()], names.contains(name) { return name }
    let begun = names.filter { $0.hasPrefix(word) }
    if word.utf8.count > 2, begun.count == 1 { return begun[0] }
    guard let near = nearest(to: word, in: names) else { return nil }
    // The first letter is rarely wrong, but may be swapped with the second.
    let starts = [word, near].map { Set($0.lowercased().filter { $0 != "-" }.prefix(2)) }
    let hasSameStart = word.lowercased().first == near.first || starts[0] == starts[1]
    return hasSameStart ? near : nil
  }
}
