import System
import Findings
import Flags
import Formats
import PackKit
import Spelling

extension Command {
  private struct ChecksOptions: Sendable {
    var form = ResultForm.text
  }

  /// The command `packtool checks [ID]`.
  static let checks = Command(
    CommandSyntax<ChecksOptions>(
      name: "checks", summary: "list all checks, or explain one",
      examples: [
        .init("checks tag-size", "what a finding means, and how severe it is")
      ],
      arguments: [
        Argument(
          "ID", summary: "the id of a check, as findings have it in brackets", kind: .named("check"),
          count: 0...1)
      ], flags: [.resultForm(of: "list", into: \.form)]
    ),
    ChecksOptions.init
  ) { options, arguments, session in
    guard let id = arguments.first else {
      let table = Table(Check.all, .text { $0.id }, .text { $0.listedSeverity }, .text { $0.summary })
      try session.print(options.form, table.text(), json(of: Check.all))
      return .done
    }
    guard let check = Check.named(id) else {
      let guess = didYouMean(nearest(to: id, in: Check.all.map(\.id)))
      let hint = guess.isEmpty ? "; \"\(Tool.name) checks\" lists them all" : guess
      session.complain("unknown check \(quoted(id))\(hint)")
      return .usage
    }
    try session.print(
      options.form, check.explanation(width: session.width(of: .output)), json(of: [check]))
    return .done
  }

  private static func json(of checks: [Check]) -> JSONText {
    .object(["formatVersion": .integer(1), "checks": .array(checks.map(\.json))])
  }
}

extension Check {
  fileprivate var json: JSONText {
    .object([
      "id": .string(id), "severity": .string(severity.rawValue), "summary": .string(summary),
      "explanation": .string(explanation), "isErrorInSubmission": .bool(isErrorInSubmission),
      "canBeLowered": .bool(canBeLowered), "isOffByDefault": .bool(isOffByDefault),
    ])
  }

  /// All about the check, in lines of a width.
  fileprivate func explanation(width: Int) -> PlainText {
    let rating =
      if isOffByDefault {
        "off; a \(severity.rawValue) on request, or what \"severity\" says"
      } else if isErrorInSubmission {
        "a \(severity.rawValue), an error with --submission"
      } else if isManifestError {
        "an error of the manifest, which cannot be lowered"
      } else if let reason = fixedBecause {
        "\(reason), which cannot be lowered"
      } else {
        "\(severity == .error ? "an" : "a") \(severity.rawValue) unless \"severity\" says otherwise"
      }
    let lines = wrapped(explanation, to: width).map { "\($0)\n" as PlainText }.joined()
    return "\(id): \(summary)\n\(rating)\n\n" + lines
  }
}
