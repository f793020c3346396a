import Findings
import Formats
import PackKit

/// The checks of a plan that only Background Assets need.
struct BackgroundAssetsCheck {
  private let plan: PackPlan

  init(_ plan: PackPlan) {
    self.plan = plan
  }

  var findings: [Diagnostic] { emptyPacks + lost }

  private var emptyPacks: [Diagnostic] {
    plan.packs.compactMap { pack in
      if pack.size > 0 { return nil }
      let message =
        "the pack of \(setNotation(pack.tags)) has no byte; give its files content, or exclude them"
      return Diagnostic(.emptyPack, message, at: plan.place(ofTags: pack.tags))
    }
  }

  private var lost: [Diagnostic] {
    if plan.packs.isEmpty { return [] }
    var lost: [String] = []
    let prefetched = plan.order(of: .prefetch).count
    if prefetched > 1 { lost.append("the order of the \(grouped(prefetched)) prefetched packs") }
    lost.append("preservation priorities")
    lost.append("slices for devices")
    let list = lost.dropLast().joined(separator: ", ") + " and " + (lost.last ?? "")
    let message = "Background Assets do not have \(list); an app removes packs itself"
    return [
      Diagnostic(
        .lostInBackgroundAssets, message, at: plan.manifest.text.place(at: plan.manifest.rulesOffset))
    ]
  }
}
