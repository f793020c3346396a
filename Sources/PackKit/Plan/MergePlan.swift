import System

/// How packs are joined, step by step and the cheapest two first, until there are at most a number of packs.
///
/// A step costs what users download for nothing: where a request wants one of the two packs, the other. Each tag counts
/// as one request, and so do the initial install and the prefetch.
package struct MergePlan: Sendable {
  /// A pack as far as joining needs it.
  package struct Pack: Sendable {
    /// The tags, sorted as Swift strings.
    package let tags: [String]
    /// The size of the files in bytes.
    package let size: Int64
    package let delivery: Delivery

    package init(tags: [String], size: Int64, delivery: Delivery) {
      self.tags = tags
      self.size = size
      self.delivery = delivery
    }
  }

  /// One step, after which there is one pack less.
  package struct Step: Sendable {
    /// The packs that are joined, by their index in the input.
    package let packs: [[Int]]
    /// The tags of the joined pack.
    package let tags: [String]
    /// What each request downloads for nothing from then on, in bytes, the largest first.
    package let requests: [(request: Request, size: Int64)]
    /// The sum of these.
    package let size: Int64
    /// The number of packs that are left.
    package let packCount: Int
  }

  /// What makes a device download packs.
  package enum Request: Sendable, Hashable {
    case tag(String)
    case initialInstall
    /// The download right after the installation, which ends with the initial install and the prefetched packs.
    case prefetch
  }

  /// The largest number of packs that are joined; the time grows with its square.
  package static let mostPacks = 2000

  package private(set) var steps: [Step] = []
  /// The packs that become one, by their indices in the input; those that stay alone are not listed.
  package private(set) var groups: [[Int]] = []

  /// Joins packs until there are at most `most`; none if there are more than `mostPacks`.
  package init(of packs: [Pack], most: Int) {
    guard packs.count > most, packs.count <= Self.mostPacks else { return }
    var merging = Merging(packs)
    while merging.count > max(1, most), let step = merging.step() { steps.append(step) }
    groups = merging.groups
  }
}

extension MergePlan {
  /// Joins the packs of a plan.
  package init(of plan: PackPlan, most: Int) {
    self.init(
      of: plan.packs.map { Pack(tags: $0.tags, size: $0.size, delivery: $0.delivery) }, most: most)
  }
}

/// The packs while they are joined.
private struct Merging {
  private struct Entry {
    /// The packs of the input.
    var packs: [Int]
    /// The requests that download it, ascending.
    var requests: [Int]
    var size: Int64
    /// The pack that is the cheapest to join; nil for the only one.
    var nearest: (cost: Cost, other: Int)?
  }

  /// The cost of joining two packs; of equal ones the smaller result.
  private struct Cost: Comparable {
    let forNothing: Int64
    let size: Int64

    static func < (first: Cost, second: Cost) -> Bool {
      (first.forNothing, first.size) < (second.forNothing, second.size)
    }
  }

  private let names: [MergePlan.Request]
  private var entries: [Entry?]
  private(set) var count: Int

  init(_ packs: [MergePlan.Pack]) {
    let tags = Set(packs.flatMap(\.tags)).sorted()
    names = tags.map { .tag($0) } + [.initialInstall, .prefetch]
    let numbers = Dictionary(uniqueKeysWithValues: zip(tags, 0...))
    // The order of the input must not decide between equal costs, since it depends on the app's identifier.
    let order = packs.indices.sorted { packs[$0].tags.lexicographicallyPrecedes(packs[$1].tags) }
    entries = order.map { number in
      var requests = packs[number].tags.compactMap { numbers[$0] }
      if packs[number].delivery == .initialInstall { requests.append(tags.count) }
      if packs[number].delivery != .onDemand { requests.append(tags.count + 1) }
      return Entry(packs: [number], requests: requests, size: packs[number].size)
    }
    count = packs.count
    for place in entries.indices { findNearest(to: place) }
  }

  var groups: [[Int]] { entries.compactMap { $0?.packs.sorted() }.filter { $0.count > 1 } }

  /// Joins the two packs that cost least; nil if there is only one.
  mutating func step() -> MergePlan.Step? {
    let candidates = entries.indices.compactMap { place in
      entries[place]?.nearest.map { ($0.cost, place, $0.other) }
    }
    guard let (_, first, second) = candidates.min(by: { ($0.0, $0.1) < ($1.0, $1.1) }) else { return nil }
    guard let one = entries[first], let other = entries[second] else { return nil }
    let requests = merged(one.requests, other.requests)
    entries[second] = nil
    count -= 1
    entries[first] = Entry(
      packs: one.packs + other.packs, requests: requests, size: one.size.saturatingSum(with: other.size))
    renew(first, second)
    let costs = costs(of: one, other)
    return MergePlan.Step(
      packs: [one.packs.sorted(), other.packs.sorted()], tags: tags(of: requests), requests: costs,
      size: costs.saturatingSum { $0.size }, packCount: count)
  }

  /// Finds the nearest packs anew where they were joined.
  private mutating func renew(_ joined: Int, _ gone: Int) {
    for place in entries.indices {
      guard let entry = entries[place], place != joined else { continue }
      if let nearest = entry.nearest, nearest.other == gone || nearest.other == joined {
        findNearest(to: place)
      } else if let cost = cost(place, joined), entry.nearest.map({ cost < $0.cost }) ?? true {
        entries[place]?.nearest = (cost, joined)
      }
    }
    findNearest(to: joined)
  }

  private mutating func findNearest(to place: Int) {
    var nearest: (cost: Cost, other: Int)?
    for other in entries.indices where other != place {
      guard let cost = cost(place, other) else { continue }
      if nearest.map({ cost < $0.cost }) ?? true { nearest = (cost, other) }
    }
    entries[place]?.nearest = nearest
  }

  private func cost(_ first: Int, _ second: Int) -> Cost? {
    guard let one = entries[first], let other = entries[second] else { return nil }
    let both = commonCount(one.requests, other.requests)
    let forNothing = product(other.size, one.requests.count - both)
      .saturatingSum(with: product(one.size, other.requests.count - both))
    return Cost(forNothing: forNothing, size: one.size.saturatingSum(with: other.size))
  }

  private func costs(of one: Entry, _ other: Entry) -> [(request: MergePlan.Request, size: Int64)] {
    let (own, others) = (Set(one.requests), Set(other.requests))
    let costs =
      one.requests.filter { !others.contains($0) }.map { (names[$0], other.size) }
      + other.requests.filter { !own.contains($0) }.map { (names[$0], one.size) }
    return costs.enumerated().sorted { (-$0.1.1, $0.0) < (-$1.1.1, $1.0) }.map { ($0.1.0, $0.1.1) }
  }

  private func tags(of requests: [Int]) -> [String] {
    requests.compactMap { if case .tag(let tag) = names[$0] { tag } else { nil } }
  }
}

private func product(_ size: Int64, _ count: Int) -> Int64 {
  let (product, overflows) = size.multipliedReportingOverflow(by: Int64(count))
  return overflows ? .max : product
}

/// The number of elements of two ascending lists that are in both.
private func commonCount(_ first: [Int], _ second: [Int]) -> Int {
  var (one, other, count) = (0, 0, 0)
  while one < first.count && other < second.count {
    if first[one] == second[other] { count += 1 }
    let (left, right) = (first[one], second[other])
    if left <= right { one += 1 }
    if right <= left { other += 1 }
  }
  return count
}

/// Two ascending lists as one, without repetition.
private func merged(_ first: [Int], _ second: [Int]) -> [Int] { Set(first).union(second).sorted() }
