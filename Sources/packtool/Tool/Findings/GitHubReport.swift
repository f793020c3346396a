import Findings
import System

/// Findings as GitHub's workflow commands, which show them at the lines concerned.
struct GitHubReport {
  let base: PathBase

  /// The number of annotations of one kind that GitHub shows for a step; it drops others silently.
  private static let mostShown = 10

  func text(_ findings: Findings) -> Written<GitHubForm> {
    Severity.allCases.map { severity -> Written<GitHubForm> in
      let all = findings.diagnostics.filter { $0.severity == severity }
      if all.count <= Self.mostShown { return all.map(command).joined() }
      let shown = all.prefix(Self.mostShown - 1)
      let rest = all.dropFirst(Self.mostShown - 1)
      let more =
        "\(grouped(rest.count)) more \(severity.rawValue)s are not shown here; the log has all of them"
      return shown.map(command).joined() + "::\(Self.name(of: severity))::\(more)\n"
        + Written(TextReport(isColored: false).text(rest), by: Self.uncommanded)
    }.joined()
  }

  /// Text in which no line begins like a command, as a file's path may.
  private static func uncommanded(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.drop(while: \.isWhitespace).hasPrefix("::") ? "./\(line)" : String(line)
    }.joined(separator: "\n")
  }

  private func command(_ diagnostic: Diagnostic) -> Written<GitHubForm> {
    let path = diagnostic.place.path
    // GitHub finds files by their paths in its workspace, also where a step runs in a folder of that.
    let shown = base.isWorkspace ? base.relative(path) ?? path : path
    var properties: Written<GitHubForm> = "file=\(Self.property(shown))"
    if let position = diagnostic.place.position {
      properties += ",line=\(position.line),col=\(position.column)"
    }
    properties += ",title=\(Self.property(diagnostic.check.id))"
    let message = ([diagnostic.message] + diagnostic.notes.map { "note: \($0.message)" }).joined(
      separator: "\n")
    return "::\(Self.name(of: diagnostic.severity)) \(properties)::\(message)\n"
  }

  private static func name(of severity: Severity) -> String {
    severity == .note ? "notice" : severity.rawValue
  }

  /// The value of a property.
  private static func property(_ outside: String) -> Written<GitHubForm> {
    Written("\(outside)" as Written<GitHubPropertyForm>) { $0 }
  }
}

/// GitHub's commands: a command ends at the end of its line.
enum GitHubForm: WrittenForm {
  static func escaped(_ text: String) -> String {
    replacing(["%": "%25", "\r": "%0D", "\n": "%0A"], in: text)
  }
}

/// The properties of commands, which colons and commas separate.
private enum GitHubPropertyForm: WrittenForm {
  static func escaped(_ text: String) -> String {
    replacing(["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"], in: text)
  }
}

private func replacing(_ escapes: [Unicode.Scalar: String], in text: String) -> String {
  text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
}
