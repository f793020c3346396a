extension CommandDescription {
  /// The command in one line: `usage: packtool build [MANIFEST] -o DIR [flags]`.
  package func usage(tool: String) -> String {
    let required = flags.filter(\.isRequired).flatMap { flag in
      [flag.names.first(where: isShort) ?? flag.name, flag.valueName ?? ""]
    }
    let words = [tool, name] + arguments.map(\.usage) + required + ["[flags]"]
    return "usage: " + words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// All help for the command, in lines of at most `width` characters unless a word is longer.
  package func help(tool: String, width: Int) -> String {
    let paragraphs = ([summary] + discussion).map { text in
      text.hasPrefix(" ") ? text : wrapped(text, to: max(width, 40)).joined(separator: "\n")
    }
    let sections = HelpSection.text(of: sections(tool: tool), width: width)
    return ([usage(tool: tool)] + paragraphs + [sections]).joined(separator: "\n\n")
  }

  /// The arguments, the command's own flags, each group of flags in the order of its first, and the examples.
  private func sections(tool: String) -> [HelpSection] {
    var groups: [String?] = [nil]
    for flag in flags where !groups.contains(flag.group) { groups.append(flag.group) }
    let argumentRows = arguments.map { (label: $0.valueName, text: $0.summary) }
    return [HelpSection("arguments", argumentRows)]
      + groups.map { group in
        HelpSection(group ?? "flags", flags.filter { $0.group == group }.map(\.helpRow))
      }
      + [HelpSection("examples", examples.map { (label: "\(tool) \($0.words)", text: $0.summary) })]
  }
}

extension FlagDescription {
  /// `-o, --output DIR`, and the summary with the choices.
  fileprivate var helpRow: HelpSection.Row {
    ((names.contains(where: isShort) ? "" : "    ") + spellings, fullSummary)
  }

  /// `-o, --output DIR`.
  package var spellings: String {
    (names.filter(isShort) + names.filter { !isShort($0) }).joined(separator: ", ")
      + (valueName.map { " " + $0 } ?? "")
  }

  /// The summary with the choices.
  package var fullSummary: String {
    summary + (choices.isEmpty ? "" : ": " + choices.joined(separator: ", "))
  }
}

/// `-o` is short, `--output` is not.
private func isShort(_ name: String) -> Bool { name.unicodeScalars.count == 2 }
