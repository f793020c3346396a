@testable import Formats
@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests the order in which devices download packs.
///
/// If all other criteria are equal, packs are sorted by identifier. According to `md5sum`, the identifiers
/// begin with 0a85 for A:B, 0b1b for A:B:C and 0d61 for C. They begin with 69ab for B:C, 7fc5 for A, 9d5e for
/// B and ec5c for A:C.
@Suite struct PackOrderTests {
  private static let sets = [
    ["C"], ["A", "C"], ["B", "C"], ["A", "B", "C"], ["B"], ["A", "B"], ["A"], ["x"], ["C", "x"],
  ]

  @Test func `the initial install goes by first place, then fewer tags, then identifier`() throws {
    let plan = try makePlan(of: Self.sets, initial: ["B", "A"])
    #expect(
      plan.tagSets(of: .initialInstall) == [
        ["B"], ["A", "B"], ["B", "C"], ["A", "B", "C"], ["A"], ["A", "C"],
      ])
  }

  @Test func `the prefetch order goes the same way`() throws {
    let plan = try makePlan(of: Self.sets, prefetch: ["A", "B"])
    #expect(
      plan.tagSets(of: .prefetch) == [["A"], ["A", "B"], ["A", "C"], ["A", "B", "C"], ["B"], ["B", "C"]])
  }

  @Test func `a pack of the initial install is not in the prefetch order`() throws {
    let plan = try makePlan(of: Self.sets, initial: ["A"], prefetch: ["C", "A", "B"])
    #expect(plan.tagSets(of: .initialInstall) == [["A"], ["A", "B"], ["A", "C"], ["A", "B", "C"]])
    #expect(plan.tagSets(of: .prefetch) == [["C"], ["B", "C"], ["C", "x"], ["B"]])
    #expect(plan.tagSets(of: .onDemand) == [["x"]])
  }

  @Test func `packs on demand and the plan's packs go by identifier`() throws {
    let plan = try makePlan(of: [
      ["A"], ["B"], ["C"], ["A", "B"], ["A", "C"], ["B", "C"], ["A", "B", "C"],
    ])
    let sorted = [["A", "B"], ["A", "B", "C"], ["C"], ["B", "C"], ["A"], ["B"], ["A", "C"]]
    #expect(plan.packs.map(\.tags) == sorted)
    #expect(plan.tagSets(of: .onDemand) == sorted)
    #expect(plan.order(of: .initialInstall).isEmpty && plan.order(of: .prefetch).isEmpty)
  }

  @Test func `a repeated tag counts where it first stands`() throws {
    let plan = try makePlan(of: [["A"], ["B"], ["C"]], initial: ["B", "A", "B"], prefetch: ["C", "C"])
    #expect(plan.tagSets(of: .initialInstall) == [["B"], ["A"]])
    #expect(plan.tagSets(of: .prefetch) == [["C"]])
  }

  @Test func `a listed tag without files brings no pack`() throws {
    let plan = try makePlan(of: [["A"]], initial: ["Z"], prefetch: ["Y", "A"])
    #expect(plan.packs.map(\.tags) == [["A"]])
    #expect(plan.tagSets(of: .prefetch) == [["A"]])
    #expect(plan.order(of: .initialInstall).isEmpty)
  }

  @Test func `the order does not depend on the order of the files`() throws {
    var random = SeededRandom(seed: 3)
    let tags = { try makePlan(of: $0, initial: ["B"], prefetch: ["C", "A"]) }
    let plan = try tags(Self.sets)
    for _ in 0..<50 {
      let other = try tags(Self.sets.shuffled(using: &random))
      #expect(other.packs.map(\.identity) == plan.packs.map(\.identity))
      for delivery in Delivery.allCases {
        #expect(other.tagSets(of: delivery) == plan.tagSets(of: delivery))
      }
    }
  }
}
