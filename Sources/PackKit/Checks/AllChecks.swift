package import Findings

extension Check {
  /// Every kind of finding, in the order in which lists show them.
  package static let all: [Check] = {
    let listed =
      manifestChecks + projectChecks + sourceChecks + fileChecks + variantChecks + packChecks
      + backgroundChecks
      + outputChecks + builtFolderChecks
      + budgetChecks + traceChecks
      + simulationChecks + runChecks
    var seen: Set<Check> = []
    return (listed + reported).filter { seen.insert($0).inserted }
  }()

  /// The kinds of the checks that are values.
  package static let reported: [Check] =
    FileCheck.all.flatMap(\.kinds) + PackCheck.all.flatMap(\.kinds) + ContentCheck.all.map(\.kind)

  /// The check of an id.
  package static func named(_ id: String) -> Check? { byID[id] }

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
