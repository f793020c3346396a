@testable import Play
import System
import Support
import Testing

/// Compares the packs into which classes of files are grouped with the best possible packs.
@Suite struct GroupingTests {
  @Test func `random classes are near the least`() {
    let seeds = sample(100, of: Array(0..<300))
    let ratios = onThreads(availableProcessors(), each: seeds) { seed in
      let random = RandomClasses(seed: UInt64(seed))
      let least = random.leastCost
      let cost = PackGrouping(of: random.items, costModel: random.costModel).cost
      return least > 1e-9 ? cost / least : cost < 1e-9 ? 1 : 2
    }
    let worst = ratios.max() ?? 2
    #expect(ratios.count == seeds.count && worst <= 1.05)
    print(
      "\(seeds.count) instances, the worst \(worst) times the least cost, \(ratios.count { $0 > 1 + 1e-9 }) above it"
    )
  }
}
