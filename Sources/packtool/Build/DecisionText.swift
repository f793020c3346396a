import Formats
import Model
import Packing
import Pipeline

extension PackPlan {
  /// The way in which the text lists packs that were kept.
  enum KeptPacks {
    /// One line with the number of kept packs.
    case counted
    /// A line for each kept pack.
    case listed
  }

  /// Returns a text that explains why packs were written or kept.
  ///
  /// The text has a line for each pack that was written.
  func text(of decisions: [BuildDecision], kept: KeptPacks) -> PlainText {
    let order = Delivery.allCases.flatMap(self.order)
    let lines = order.filter { kept == .listed || decisions[$0].isWrite }.map { number -> PlainText in
      let tags = setNotation(packs[number].tags)
      return switch decisions[number] {
      case .keep(let proof): "kept \(tags): \(Self.words(for: proof))\n"
      case .reuse: "reused \(tags): same contents in the earlier release\n"
      case .write(let reason): "wrote \(tags): \(Self.words(for: reason))\n"
      }
    }
    if kept == .listed { return lines.joined() }
    let reusedPacks = counted(decisions.count { $0 == .reuse }, of: "pack")
    return lines.joined() + Self.keptCount(decisions)
      + (decisions.contains(.reuse) ? "reused \(reusedPacks): same contents in the earlier release\n" : "")
  }

  private static func keptCount(_ decisions: [BuildDecision]) -> PlainText {
    let kept = decisions.count { $0.isKeep }
    if kept == 0 { return "" }
    let compared = decisions.count { $0 == .keep(.digests) }
    let detail =
      switch compared {
      case 0: words(for: .times)
      case kept: words(for: .digests)
      default: "\(grouped(compared)) of them with the same contents, other times"
      }
    return "kept \(counted(kept, of: "pack")): \(detail)\n"
  }

  private static func words(for proof: BuildDecision.Proof) -> String {
    switch proof {
    case .times: "nothing changed"
    case .digests: "same contents, other times"
    }
  }

  private static func words(for reason: BuildDecision.Reason) -> String {
    switch reason {
    case .noRecord: "there is no build cache"
    case .newPack: "the pack is new"
    case .otherSettings(let changes): changes.map(\.words).joined(separator: "; ")
    case .archiveChanged: "the archive is missing or was changed"
    case .renamed: "the pack was published under another name"
    case .recordDamaged: "the entry in the build cache is damaged"
    case .added(let path): "\(quoted(path)) was added"
    case .removed(let path): "\(quoted(path)) was removed"
    case .changed(let path): "\(quoted(path)) changed"
    }
  }
}
