import Findings
import Flags
import PackKit

/// The result of `plan`.
struct PlanReport {
  /// The plan; nil where errors leave nothing.
  let release: Release?
  let findings: Findings
  /// The files without tags; nil unless they are asked for.
  let untagged: [UntaggedFile]?
  /// The slices; nil unless they are asked for.
  let slices: SlicesReport?
  var view = PlanView()
  /// How to come to at most so many packs; nil unless it is asked for.
  var merge: (plan: MergePlan, most: Int)?
}

/// In which order packs are shown, and how many of each delivery.
struct PlanView: Sendable {
  /// The order; nil for that of the downloads, and of the tags where there is none.
  var sort: Sort?
  /// How many packs are shown of each delivery; nil for all.
  var most: Int?

  /// The sort key of packs.
  enum Sort: String, CaseIterable, Sendable {
    case size
    case name
    case tags
  }

  /// The flags of these options.
  static let flags: [Flag<PlanView>] = [
    .choice(
      "--sort", valueName: "ORDER",
      summary: "the order of packs (default: of their download, and of their tags where they are on demand)",
      into: \.sort),
    .number(
      "--top", summary: "show only the first N packs of each delivery, with --sort size the largest",
      range: 1...1_000_000, into: \.most),
  ]

  /// The packs of a delivery that are shown, and how many are not.
  func packs(of delivery: Delivery, in release: Release) -> (shown: [Int], left: Int) {
    let all = ordered(release.order(of: delivery), delivery, release)
    let shown = all.prefix(most ?? .max)
    return (Array(shown), all.count - shown.count)
  }

  private func ordered(_ numbers: [Int], _ delivery: Delivery, _ release: Release) -> [Int] {
    let packs = release.packs
    switch sort ?? (delivery == .onDemand ? .tags : nil) {
    case nil: return numbers
    case .size:
      return numbers.sorted { first, second in
        let sizes = (
          packs[first].packedSize ?? packs[first].size, packs[second].packedSize ?? packs[second].size
        )
        return sizes.0 == sizes.1 ? first < second : sizes.0 > sizes.1
      }
    case .name: return numbers.sorted { packs[$0].name.precedesInBytes(packs[$1].name) }
    case .tags:
      return numbers.sorted { first, second in
        packs[first].tags.lexicographicallyPrecedes(packs[second].tags) { $0.precedesInBytes($1) }
      }
    }
  }
}
