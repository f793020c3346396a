@testable import Model
@testable import Pipeline
import Support
import Testing

/// Tests when a pack is downloaded, and with which priority.
@Suite struct DeliveryOrderTests {
  /// The results of `(n-1-i)/(n-1)*0.9+0.05` as IEEE doubles, calculated by Python.
  @Test(arguments: [
    [0.5],
    [0.9500000000000001, 0.05],
    [0.9500000000000001, 0.5, 0.05],
    [0.9500000000000001, 0.65, 0.35, 0.05],
    [0.9500000000000001, 0.7250000000000001, 0.5, 0.275, 0.05],
    [
      0.9500000000000001, 0.8214285714285714, 0.692857142857143, 0.5642857142857143, 0.43571428571428567,
      0.3071428571428571, 0.17857142857142855, 0.05,
    ],
  ])
  func `the place in the prefetch order gives the priority`(_ priorities: [Double]) {
    let tags = priorities.indices.map { "tag \($0)" }
    let order = DeliveryOrder(initialInstallTags: [], prefetchTagOrder: tags)
    #expect(tags.map { order.priority(of: [$0]) } == priorities)
  }

  @Test func `the first of its tags in the order counts`() {
    let order = DeliveryOrder(initialInstallTags: [], prefetchTagOrder: ["A", "B", "C"])
    #expect(order.priority(of: ["B", "C"]) == 0.5)
    #expect(order.priority(of: ["A", "B", "C"]) == 0.9500000000000001)
    #expect(order.priority(of: ["C", "x"]) == 0.05)
  }

  @Test func `an initial install tag gives 1, whatever else the pack has`() {
    let order = DeliveryOrder(initialInstallTags: ["I", "J"], prefetchTagOrder: ["A", "B"])
    for tags in [["I"], ["J"], ["I", "J"], ["B", "J"], ["A", "I", "x"]] {
      #expect(order.priority(of: tags) == 1)
    }
  }

  @Test func `without a tag of either list there is no priority`() {
    let order = DeliveryOrder(initialInstallTags: ["I"], prefetchTagOrder: ["A"])
    #expect(order.priority(of: ["x", "y"]) == nil)
    #expect(DeliveryOrder(initialInstallTags: [], prefetchTagOrder: []).priority(of: ["A"]) == nil)
  }

  @Test func `a repeated tag has its first place, but its second lengthens the order`() {
    let order = DeliveryOrder(initialInstallTags: [], prefetchTagOrder: ["A", "B", "A", "C"])
    #expect(["A", "B", "C"].map { order.priority(of: [$0]) } == [0.9500000000000001, 0.65, 0.05])
    let twice = DeliveryOrder(initialInstallTags: [], prefetchTagOrder: ["A", "A"])
    #expect(twice.priority(of: ["A"]) == 0.9500000000000001)
  }

  @Test func `a tag of both lists keeps its place in the prefetch order`() {
    let order = DeliveryOrder(initialInstallTags: ["A"], prefetchTagOrder: ["A", "B", "C"])
    #expect(order.priority(of: ["A"]) == 1)
    #expect(order.priority(of: ["B"]) == 0.5)
  }

  @Test(arguments: [
    (["I"], Delivery.initialInstall), (["A", "I"], .initialInstall), (["I", "x"], .initialInstall),
    (["Both"], .initialInstall), (["A"], .prefetch), (["A", "x"], .prefetch), (["x"], .onDemand),
    (["x", "y"], .onDemand), (["i"], .onDemand), (["a"], .onDemand),
  ])
  func `any tag of a list decides the delivery`(_ tags: [String], _ delivery: Delivery) {
    let order = DeliveryOrder(initialInstallTags: ["I", "Both"], prefetchTagOrder: ["A", "Both"])
    #expect(order.delivery(of: tags) == delivery)
    #expect(order.delivery(of: tags.reversed()) == delivery)
  }

  @Test func `packs of a plan carry delivery and priority`() throws {
    let plan = try makePlan(
      of: [["I"], ["A"], ["B"], ["A", "B"], ["I", "B"], ["x"]], initial: ["I"], prefetch: ["A", "B"])
    let byTags = Dictionary(uniqueKeysWithValues: plan.packs.map { ($0.tags, ($0.delivery, $0.priority)) })
    #expect(try #require(byTags[["I"]]) == (.initialInstall, 1))
    #expect(try #require(byTags[["B", "I"]]) == (.initialInstall, 1))
    #expect(try #require(byTags[["A"]]) == (.prefetch, 0.9500000000000001))
    #expect(try #require(byTags[["A", "B"]]) == (.prefetch, 0.9500000000000001))
    #expect(try #require(byTags[["B"]]) == (.prefetch, 0.05))
    #expect(try #require(byTags[["x"]]) == (.onDemand, nil))
  }
}
