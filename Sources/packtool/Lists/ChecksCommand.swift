import System
import Findings
import Flags
import Formats
import PackKit
import Spelling

extension Command {
  private struct ChecksOptions: Sendable {
    var form = forms[0]

    static let forms: [ResultWriter<ChecksReport>] = [
      .text { $0.text },
      .json { $0.json },
    ]
  }

  /// The command `packtool checks [ID]`.
  static let checks = Command(
    CommandSyntax<ChecksOptions>(
      name: "checks", summary: "list all checks, or explain one",
      examples: [
        .init("checks tag-size", "what a finding means, and how severe it is"),
      ],
      arguments: [
        Argument(
          "ID", summary: "the id of a check, as findings have it in brackets", kind: .named("check"),
          count: 0...1)
      ], flags: [.resultForm(of: "list", in: ChecksOptions.forms, into: \.form)]
    ),
    ChecksOptions.init
  ) { options, arguments, session in
    guard let id = arguments.first else {
      try session.print(ChecksReport.list, with: options.form)
      return .done
    }
    guard let check = Check.named(id) else {
      let guess = didYouMean(nearest(to: id, in: Check.all.map(\.id)))
      let hint = guess.isEmpty ? "; \"\(Tool.name) checks\" lists them all" : guess
      session.complain("unknown check \(quoted(id))\(hint)")
      return .usage
    }
    try session.print(ChecksReport.one(check, width: session.width(of: .output)), with: options.form)
    return .done
  }
}

extension ChecksReport {
  /// For programs.
  fileprivate var json: JSONText {
    .object(["formatVersion": .integer(1), "checks": .array(checks.map(Self.json))])
  }

  private static func json(of check: Check) -> JSONText {
    .object([
      "id": .string(check.id), "severity": .string(check.severity.rawValue),
      "summary": .string(check.summary), "explanation": .string(check.explanation),
      "isErrorInSubmission": .bool(check.isErrorInSubmission), "canBeLowered": .bool(check.canBeLowered),
      "isOffByDefault": .bool(check.isOffByDefault),
    ])
  }
}

/// The result of `checks`.
enum ChecksReport {
  /// All checks.
  case list
  /// One check, explained in lines of a width.
  case one(Check, width: Int)

  var checks: [Check] {
    switch self {
    case .list: Check.all
    case .one(let check, _): [check]
    }
  }

  /// For people.
  var text: PlainText {
    switch self {
    case .list: Self.table
    case .one(let check, let width): Self.explanation(of: check, width: width)
    }
  }

  private static var table: PlainText {
    let table = Table(Check.all, .text { $0.id }, .text { $0.listedSeverity }, .text { $0.summary })
    return table.text()
  }

  private static func explanation(of check: Check, width: Int) -> PlainText {
    let severity =
      if check.isOffByDefault {
        "off; a \(check.severity.rawValue) on request, or what \"severity\" says"
      } else if check.isErrorInSubmission {
        "a \(check.severity.rawValue), an error with --submission"
      } else if check.isManifestError {
        "an error of the manifest, which cannot be lowered"
      } else if let reason = check.fixedBecause {
        "\(reason), which cannot be lowered"
      } else {
        "\(check.severity == .error ? "an" : "a") \(check.severity.rawValue) unless \"severity\" says otherwise"
      }
    let explanation = wrapped(check.explanation, to: width).map { "\($0)\n" as PlainText }.joined()
    return "\(check.id): \(check.summary)\n\(severity)\n\n" + explanation
  }
}
