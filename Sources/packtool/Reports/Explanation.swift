import PackKit

/// Why each pack was written or left alone.
enum Explanation {
  static func text(of outcome: Build.Outcome, _ plan: PackPlan) -> String {
    Delivery.allCases.flatMap(plan.order).map { number in
      let tags = setNotation(plan.packs[number].tags)
      return outcome.reasons[number].map { "wrote \(tags): \($0)\n" } ?? "kept \(tags): nothing changed\n"
    }.joined()
  }
}
