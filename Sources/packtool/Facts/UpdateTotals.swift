import Findings
import PackKit
import Releases

/// One figure of two releases, before and after an update.
struct UpdateTotal: Sendable {
  let title: String
  /// Bytes of files, or for a count its number.
  let size: (before: Int64, after: Int64)
  /// Bytes of archives; nil where one is not built, and for what is never packed.
  let packed: (before: Int64, after: Int64)?
  /// Whether it is a number of packs, not bytes.
  var isCount = false

  /// Every figure: the deliveries, all packs, their number, and what is untagged.
  static func all(of update: Comparison) -> [UpdateTotal] {
    let (old, new) = (update.old.release, update.new.release)
    let areBuilt = old.hasPackedSizes && new.hasPackedSizes
    func both(_ before: Int64?, _ after: Int64?) -> (before: Int64, after: Int64)? {
      areBuilt ? before.flatMap { before in after.map { (before, $0) } } : nil
    }
    var totals = Delivery.allCases.map { delivery in
      UpdateTotal(
        title: delivery.title, size: (old.count(of: delivery).size, new.count(of: delivery).size),
        packed: both(old.packedSize(of: delivery), new.packedSize(of: delivery)))
    }
    totals.append(
      UpdateTotal(
        title: "all packs", size: (old.total.size, new.total.size),
        packed: both(old.packedSize(of: old.packs.indices), new.packedSize(of: new.packs.indices))))
    totals.append(
      UpdateTotal(
        title: "packs", size: (Int64(old.packs.count), Int64(new.packs.count)), packed: nil, isCount: true))
    totals.append(UpdateTotal(title: "untagged", size: (old.untagged.size, new.untagged.size), packed: nil))
    return totals
  }

  /// A value of the figure as text.
  func text(_ value: Int64) -> String { isCount ? grouped(value) : ByteSize.text(value) }

  /// `+1.2 MB (+3.4 %)`, `±0`.
  static func change(_ values: (before: Int64, after: Int64), _ text: (Int64) -> String) -> String {
    let (difference, overflows) = values.after.subtractingReportingOverflow(values.before)
    if overflows { return "" }
    if difference == 0 { return "±0" }
    let sign = difference > 0 ? "+" : "-"
    let magnitude = Int64(clamping: difference.magnitude)
    return sign + text(magnitude) + " (\(percent(difference, of: values.before)))"
  }

  /// `+3.4 %`, with one decimal below 100; `new` for a change from nothing.
  private static func percent(_ difference: Int64, of before: Int64) -> String {
    if before <= 0 { return "new" }
    let share = Double(difference.magnitude) / Double(before) * 100
    let sign = difference > 0 ? "+" : "-"
    if share >= 100 { return "\(sign)\(grouped(Int64(min(share.rounded(), 1e15)))) %" }
    let tenths = Int((share * 10).rounded())
    return tenths == 0 ? "\(sign)<0.1 %" : "\(sign)\(tenths / 10).\(tenths % 10) %"
  }
}

/// The limits and budgets of the newer of two releases.
struct UpdateBounds: Sendable {
  var limits: [LimitUse] = []
  var budgets: [BudgetUse] = []
}

/// How much of one budget an update or a release uses.
struct BudgetUse: Sendable {
  let title: String
  /// Bytes, uncompressed.
  let used: Int64
  let most: Int64

  /// Every budget of a comparison.
  static func all(_ budgets: Budgets, on update: Comparison) -> [BudgetUse] {
    var uses: [BudgetUse] = []
    if let budget = budgets.updateSize {
      let used = update.download(of: .everything).byPacks
      uses.append(BudgetUse(title: "update", used: used, most: budget.value))
    }
    if let budget = budgets.growth {
      let most = budget.value.part(of: update.old.size)
      let used = max(0, update.new.size - update.old.size)
      uses.append(BudgetUse(title: "growth of all packs", used: used, most: most))
    }
    for (name, budget) in budgets.packs {
      let pack = update.new.packs.first { $0.tags.joined(separator: "+") == name }
      guard let pack else { continue }
      uses.append(BudgetUse(title: "pack \(setNotation(pack.tags))", used: pack.size, most: budget.value))
    }
    return uses
  }
}
