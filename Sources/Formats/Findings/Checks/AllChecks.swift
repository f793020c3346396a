extension Check {
  /// All checks, in the order in which lists show them.
  package static let all: [Check] =
    manifestChecks + projectChecks + fileChecks + variantChecks + packChecks + backgroundChecks
    + outputChecks + builtFolderChecks + budgetChecks + simulationChecks + runChecks

  /// Returns the check that has an ID; nil if no check has this ID.
  package static func named(_ id: String) -> Check? { byID[id] }

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
