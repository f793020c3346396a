import Findings
import Flags
import PackKit
import Projects
import Spelling
import System

extension Command {
  private struct ChecksOptions: Sendable {}

  /// The command `packtool checks [ID]`.
  static let checks = Command(
    CommandSyntax<ChecksOptions>(
      name: "checks", summary: "list all checks, or explain one",
      arguments: [
        Argument(
          "ID", summary: "the id of a check, as findings have it in brackets", kind: .named("check"),
          count: 0...1)
      ]
    ),
    ChecksOptions.init
  ) { _, arguments, session in
    guard let id = arguments.first else {
      try session.print(list)
      return .done
    }
    guard let check = Check.named(id) else {
      let guess = didYouMean(nearest(to: id, in: Check.all.map(\.id)))
      let hint = guess.isEmpty ? "; \"\(Tool.name) checks\" lists them all" : guess
      session.complain("unknown check \(quoted(id))\(hint)")
      return .usage
    }
    try session.print(explanation(of: check, width: session.width(of: .output)))
    return .done
  }

  private static var list: String {
    var table = TextTable([.left, .left, .left])
    for check in Check.all { table.add(check.id, check.severity.rawValue, check.summary) }
    return table.text()
  }

  private static func explanation(of check: Check, width: Int) -> String {
    let severity =
      if check.isStoreLimit {
        "a \(check.severity.rawValue), an error with --submission"
      } else if check.isManifestError {
        "an error of the manifest, which cannot be lowered"
      } else if let reason = check.fixedBecause {
        "\(reason), which cannot be lowered"
      } else {
        "\(check.severity == .error ? "an" : "a") \(check.severity.rawValue) unless \"severity\" says otherwise"
      }
    return
      "\(check.id): \(check.summary)\n\(severity)\n\n\(wrapped(check.explanation, to: width).joined(separator: "\n"))\n"
  }
}
