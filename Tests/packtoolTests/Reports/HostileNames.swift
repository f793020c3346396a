/// Names with which an attacker might control a terminal, give commands to a CI service, or break out of a
/// document.
enum HostileNames {
  /// Strings that have a special meaning for a terminal, a log or a format.
  private static let payloads = [
    "\u{1b}[31m", "\u{1b}]0;t\u{7}", "\u{1b}[2J\u{1b}[H", "\u{9b}31m", "\u{7f}", "\u{8}\u{8}\u{8}", "\r",
    "\n", "\r\n",
    "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\u{2029}", "\u{202e}", "\u{2066}", "\u{200e}", "\u{61c}",
    "\u{feff}",
    "\u{200b}", "\u{a0}", "\u{3000}", "\t", "::error file=a,line=1::", "\n::error::", " ::stop-commands::x",
    "##[error]", "##vso[task.setvariable variable=a]", "##teamcity[buildStop]", "\"", "\\", "\\u0000", "'",
    "\"}]}", "</failure><failure>", "]]>", "<!--", "&amp;", "&#x1b;", "<img src=x onerror=a>", "| a | b |",
    "`a`",
    "[a](https://example.com)", "![a](b)", "@everyone", "# a", "**a**", "~~a~~", "%0A::error::", "%1b[31m",
    "\u{e000}", "\u{10ffff}", "\u{fffe}", "\u{1f468}\u{200d}\u{1f469}", "e\u{301}", "$(id)", "`id`",
    ": note: ",
    ":1:1: error: ", "[damaged-pack]", "-", "--help", "*?[a]{b,c}", "日本語", "\u{1}\u{2}\u{1f}",
    "\u{e0041}\u{e0042}",
  ]

  /// If a line begins with this string, a name has forged the line.
  static let mark = "FORGED"

  /// 200 different names that a file system accepts.
  static let all: [String] = (0..<200).map { number in
    let payload = payloads[number % payloads.count]
    switch number / payloads.count {
    case 0: return "\(payload)\(mark)\(number)"
    case 1: return "a\(number)\(payload)\(mark)"
    case 2: return "n\(number)\(payload)\(payload)\(mark)\(payload)"
    default: return "\(payload)\(number)\n\(mark)\(payload)"
    }
  }
}
