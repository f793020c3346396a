import Formats
import Model
import Pipeline

extension Findings {
  /// Writes findings as GitHub workflow commands.
  ///
  /// GitHub shows these findings at the lines concerned.
  func gitHubCommands(_ base: PathBase) -> Written<GitHubForm> {
    // The maximum number of annotations of one severity that GitHub shows for a step. GitHub ignores further
    // annotations without a message.
    let most = 10
    return Severity.allCases.map { severity -> Written<GitHubForm> in
      let all = diagnostics.filter { $0.severity == severity }
      if all.count <= most { return all.map { $0.command(base) }.joined() }
      let (shown, rest) = (all.prefix(most - 1), all.dropFirst(most - 1))
      let more =
        "\(grouped(rest.count)) more \(severity.rawValue)s are not shown here; the log has all of them"
      return shown.map { $0.command(base) }.joined() + "::\(severity.gitHubName)::\(more)\n"
        + Written(rest.text(), by: Self.withoutCommands)
    }.joined()
  }

  /// Changes lines whose beginning looks like a command, for example because a file's path does.
  private static func withoutCommands(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.drop(while: \.isWhitespace).hasPrefix("::") ? "./\(line)" : String(line)
    }.joined(separator: "\n")
  }
}

extension Diagnostic {
  fileprivate func command(_ base: PathBase) -> Written<GitHubForm> {
    // GitHub needs paths that are relative to its workspace, even if a step runs in a folder below the
    // workspace.
    let shown = base.isWorkspace ? base.relative(place.path) ?? place.path : place.path
    var properties: Written<GitHubForm> = "file=\(Self.property(shown))"
    if let position = place.position {
      properties += ",line=\(position.line),col=\(position.column)"
    }
    properties += ",title=\(Self.property(check.id))"
    let message = ([message] + notes.map { "\($0.kind.rawValue): \($0.message)" }).joined(separator: "\n")
    return "::\(severity.gitHubName) \(properties)::\(message)\n"
  }

  private static func property(_ outside: String) -> Written<GitHubForm> {
    Written("\(outside)" as Written<GitHubPropertyForm>) { $0 }
  }
}

extension Severity {
  fileprivate var gitHubName: String { self == .note ? "notice" : rawValue }
}

/// GitHub workflow commands.
///
/// A command ends at the end of its line.
enum GitHubForm: PrintedForm {
  static let log = LogForm.commands

  static func escaped(_ text: String) -> String {
    replacing(["%": "%25", "\r": "%0D", "\n": "%0A"], in: text)
  }
}

/// The properties of workflow commands, which are separated by colons and commas.
private enum GitHubPropertyForm: WrittenForm {
  static func escaped(_ text: String) -> String {
    replacing(["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"], in: text)
  }
}

private func replacing(_ escapes: [Unicode.Scalar: String], in text: String) -> String {
  text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined()
}
