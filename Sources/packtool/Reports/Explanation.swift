import PackKit

/// Why each pack was written or left alone.
enum Explanation {
  static func text(of outcome: Build.Outcome, _ plan: PackPlan) -> String {
    zip(plan.packs, outcome.reasons).map { pack, reason in
      let tags = setNotation(pack.tags)
      return reason.map { "wrote \(tags): \($0)\n" } ?? "kept \(tags): nothing changed\n"
    }.joined()
  }
}
