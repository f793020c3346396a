import Findings
import PackKit
import Packing

/// The reasons why packs were written or kept.
enum Explanation {
  static func text(of decisions: [BuildDecision], _ plan: PackPlan) -> String {
    Delivery.allCases.flatMap(plan.order).map { number in
      let tags = setNotation(plan.packs[number].tags)
      return switch decisions[number] {
      case .keep: "kept \(tags): nothing changed\n"
      case .write(let reason): "wrote \(tags): \(words(for: reason))\n"
      }
    }.joined()
  }

  private static func words(for reason: BuildDecision.Reason) -> String {
    switch reason {
    case .noRecord: "there is no record of a build"
    case .newPack: "it is new"
    case .otherSettings(let settings): "the settings or versions are others: \(settings)"
    case .archiveChanged: "its archive is missing or was changed"
    case .added(let path): "\(quoted(path)) was added"
    case .removed(let path): "\(quoted(path)) was removed"
    case .changed(let path): "\(quoted(path)) changed"
    case .young(let path): "\(quoted(path)) was as young as the last build and is read again"
    }
  }
}
