import Findings
import Flags
import PackKit

/// What every form of the list of checks tells.
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
    var table = TextTable([.left, .left, .left])
    for check in Check.all { table.add(check.id, check.listedSeverity, check.summary) }
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
