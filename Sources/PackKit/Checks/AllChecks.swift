package import Findings

extension Check {
  /// Every kind of finding, in the order in which lists show them.
  package static let all: [Check] = {
    let listed =
      manifestChecks + projectChecks + fileChecks + packChecks + outputChecks + builtFolderChecks
      + budgetChecks
      + simulationChecks
    var seen: Set<Check> = []
    return (listed + FileCheck.all.flatMap(\.kinds) + PackCheck.all.flatMap(\.kinds)).filter {
      seen.insert($0).inserted
    }
  }()

  /// The check of an id.
  package static func named(_ id: String) -> Check? { byID[id] }

  private static let byID = Dictionary(uniqueKeysWithValues: all.map { ($0.id, $0) })
}
