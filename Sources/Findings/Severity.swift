/// The severity of a finding, the worst first.
package enum Severity: String, Sendable, CaseIterable, Comparable {
  case error
  case warning
  case note

  package static func < (first: Severity, second: Severity) -> Bool { first.rank < second.rank }

  private var rank: Int {
    switch self {
    case .error: 0
    case .warning: 1
    case .note: 2
    }
  }
}

/// The severity that a user sets for a check.
package enum SeverityChoice: String, Sendable, CaseIterable {
  case error
  case warning
  case note
  case ignore
}
