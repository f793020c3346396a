import Findings
import PackKit
import Packing

/// The reasons why packs were written or kept.
enum Explanation {
  /// A line for each pack that was written, or is to be mentioned although it was kept, and one that counts the rest.
  static func text(of decisions: [BuildDecision], _ plan: PackPlan, listsKept: Bool) -> PlainText {
    let order = Delivery.allCases.flatMap(plan.order)
    let lines = order.filter { listsKept || decisions[$0].isWrite }.map { number -> PlainText in
      let tags = setNotation(plan.packs[number].tags)
      return switch decisions[number] {
      case .keep(let proof): "kept \(tags): \(words(for: proof))\n"
      case .takeOver: "took over \(tags): published with the same contents\n"
      case .write(let reason): "wrote \(tags): \(words(for: reason))\n"
      }
    }
    return lines.joined() + (listsKept ? "" : keptCount(decisions) + takenCount(decisions))
  }

  private static func keptCount(_ decisions: [BuildDecision]) -> PlainText {
    let kept = decisions.count { $0.isKeep }
    if kept == 0 { return "" }
    let compared = decisions.count { $0 == .keep(.digests) }
    let detail =
      switch compared {
      case 0: words(for: .times)
      case kept: words(for: .digests)
      default: "\(grouped(compared)) with the same contents, other times"
      }
    return "kept \(counted(kept, "pack")): \(detail)\n"
  }

  private static func takenCount(_ decisions: [BuildDecision]) -> PlainText {
    let taken = decisions.count { $0 == .takeOver }
    return taken == 0 ? "" : "took over \(counted(taken, "pack")): published with the same contents\n"
  }

  private static func words(for proof: BuildDecision.Proof) -> String {
    switch proof {
    case .times: "nothing changed"
    case .digests: "same contents, other times"
    }
  }

  private static func words(for reason: BuildDecision.Reason) -> String {
    switch reason {
    case .noRecord: "there is no record of a build"
    case .newPack: "it is new"
    case .otherSettings(let changes): changes.map(\.words).joined(separator: "; ")
    case .archiveChanged: "its archive is missing or was changed"
    case .renamed: "it was published under another name"
    case .recordDamaged: "the record of it is damaged"
    case .added(let path): "\(quoted(path)) was added"
    case .removed(let path): "\(quoted(path)) was removed"
    case .changed(let path): "\(quoted(path)) changed"
    }
  }
}
