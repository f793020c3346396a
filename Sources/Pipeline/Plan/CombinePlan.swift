package import Formats
package import Model
import System

/// Combines packs until there are few enough packs.
///
/// Each step combines the two packs for which this costs least. The cost of a step is the number of bytes
/// that users download unnecessarily. This happens because a request for one of the two packs then also
/// downloads the other pack. Each tag counts as one request. The initial install and the prefetch are also
/// one request each. The prefetch does not download packs that are in the initial install.
package struct CombinePlan: Sendable {
  /// A pack that can be combined with other packs.
  ///
  /// No two packs may have the same tags.
  package struct Pack: Sendable {
    /// The tags, sorted as Swift strings.
    package let tags: [String]
    /// The size in bytes.
    package let size: Int64
    package let delivery: Delivery

    package init(tags: [String], size: Int64, delivery: Delivery) {
      self.tags = tags
      self.size = size
      self.delivery = delivery
    }
  }

  /// One step.
  ///
  /// It combines two packs into one.
  package struct Step: Sendable {
    /// The packs that are combined.
    ///
    /// Each pack is a list of the indices of its packs in the input.
    package let packs: [[Int]]
    /// The tags of the combined pack.
    package let tags: [String]
    /// The requests that download unnecessary bytes because of this step, with the number of these bytes, in
    /// descending order of size.
    package let requests: [(request: Request, size: Int64)]
    /// The total size of these unnecessary downloads in bytes.
    package let size: Int64
    /// The number of packs after the step.
    package let packCount: Int
  }

  /// A reason for a device to download packs.
  package enum Request: Sendable, Hashable {
    case tag(String)
    case initialInstall
    /// The download of the prefetched packs right after the app is installed, without packs of the initial
    /// install.
    case prefetch
  }

  /// The maximum number of packs in the input of `CombinePlan`, because in the worst case every pair of packs
  /// is compared.
  package static let maxPacks = 10_000

  package private(set) var steps: [Step] = []
  /// The groups of packs that are combined into one pack, by their indices in the input.
  ///
  /// A pack that is not combined is in no group.
  package private(set) var groups: [[Int]] = []

  /// Combines packs until there are at most `maxPacks`.
  ///
  /// If there are more than `CombinePlan.maxPacks` packs, it combines no packs.
  package init(of packs: [Pack], maxPacks: Int) {
    guard packs.count > maxPacks, packs.count <= Self.maxPacks else { return }
    var combiner = PackCombiner(packs)
    while combiner.count > max(1, maxPacks), let step = combiner.step() { steps.append(step) }
    groups = combiner.groups
  }
}

extension CombinePlan {
  /// Combines the packs of a plan.
  package init(of plan: PackPlan, maxPacks: Int) {
    self.init(
      of: plan.packs.map { Pack(tags: $0.tags, size: $0.size, delivery: $0.delivery) }, maxPacks: maxPacks)
  }
}

/// The packs while they are being combined.
///
/// One pack of each pair is the owner of the pair. If both packs are packs of the input, the owner is the
/// smaller pack. Otherwise, it is the pack that was combined later. A queue contains the cheapest pair of
/// each owner, or a lower bound of the cost of that pair. Therefore, costs are computed only for the owner
/// with the lowest bound.
///
/// Users combine packs because they have more packs than a store accepts, so thousands of packs are normal.
/// Combining 2,000 packs to 100 takes about 0.03 s. If each step computed the costs of all pairs, it would
/// take 16 s.
struct PackCombiner {
  private struct Entry {
    var packs: [Int]
    var requests: [Int]
    var size: Int64
    /// The rank of the pack, which decides between pairs with equal costs.
    ///
    /// The packs are ranked by their tags. A combined pack has the rank of its first pack.
    var place: Int
    var isLeft = true
  }

  /// The cheapest pair of an owner, or a lower bound of the cost of all its pairs.
  private struct Candidate: Comparable {
    var forNothing: Int64
    /// The total size of the two packs in bytes.
    ///
    /// If two pairs have equal costs, the pair with the smaller size comes first.
    var size: Int64 = 0
    var places = (first: -1, second: -1)
    let owner: Int
    /// The other pack of the pair; nil if the candidate is only a lower bound.
    var other: Int?

    static func < (first: Candidate, second: Candidate) -> Bool {
      (first.forNothing, first.size, first.places.first, first.places.second, first.owner)
        < (second.forNothing, second.size, second.places.first, second.places.second, second.owner)
    }

    static func == (first: Candidate, second: Candidate) -> Bool { !(first < second) && !(second < first) }
  }

  private let names: [CombinePlan.Request]
  private let inputCount: Int
  /// The packs of the input, sorted by size, and then the combined packs in the order in which they were
  /// made.
  private var entries: [Entry]
  /// The remaining packs, sorted by size and then in the order of `entries`.
  private var bySize: [Int]
  /// The packs that each request downloads.
  ///
  /// Some of these packs may have been combined already.
  private var holders: [[Int]]
  private var queue = BinaryHeap<Candidate>()
  /// For each request, whether it downloads the pack whose pairs are being compared.
  private var isRequested: [Bool]

  var count: Int { bySize.count }
  /// The index of the first request that is not for a tag: the initial install.
  private var installRequest: Int { names.count - 2 }
  private var prefetchRequest: Int { names.count - 1 }

  init(_ packs: [CombinePlan.Pack]) {
    let tags = Set(packs.flatMap(\.tags)).sorted()
    names = tags.map { .tag($0) } + [.initialInstall, .prefetch]
    let numbers = Dictionary(uniqueKeysWithValues: zip(tags, 0...))
    // Packs are sorted by their tags. The order of the input must not decide between equal costs, because it
    // depends on the app's identifier.
    let order = packs.indices.sorted { packs[$0].tags.lexicographicallyPrecedes(packs[$1].tags) }
    var entries = order.enumerated().map { place, number in
      var requests = packs[number].tags.compactMap { numbers[$0] }
      switch packs[number].delivery {
      case .initialInstall: requests.append(tags.count)
      case .prefetch: requests.append(tags.count + 1)
      case .onDemand: break
      }
      return Entry(packs: [number], requests: requests, size: packs[number].size, place: place)
    }
    entries.sort { ($0.size, $0.place) < ($1.size, $1.place) }
    inputCount = entries.count
    bySize = Array(entries.indices)
    holders = Array(repeating: [], count: names.count)
    isRequested = Array(repeating: false, count: names.count)
    for (number, entry) in entries.enumerated() {
      for request in entry.requests { holders[request].append(number) }
      // A request for only one of the two packs also downloads the other.
      queue.insert(Candidate(forNothing: entry.size, owner: number))
    }
    self.entries = entries
  }

  var groups: [[Int]] {
    entries.filter { $0.isLeft && $0.packs.count > 1 }.sorted { $0.place < $1.place }.map {
      $0.packs.sorted()
    }
  }

  /// Combines the two packs of the cheapest pair; returns nil if only one pack is left.
  mutating func step() -> CombinePlan.Step? {
    guard let pair = cheapest(), let other = pair.other else { return nil }
    let (one, two) = (remove(pair.owner), remove(other))
    let (first, second) = one.place < two.place ? (one, two) : (two, one)
    var requests = Set(first.requests).union(second.requests).sorted()
    // A pack of the initial install is not prefetched.
    if requests.contains(installRequest) { requests.removeAll { $0 == prefetchRequest } }
    add(
      Entry(
        packs: first.packs + second.packs, requests: requests,
        size: first.size.saturatingSum(with: second.size), place: first.place))
    let costs = costs(of: first, other: second)
    return CombinePlan.Step(
      packs: [first.packs.sorted(), second.packs.sorted()], tags: tags(of: requests), requests: costs,
      size: costs.saturatingSum { $0.size }, packCount: count)
  }

  private mutating func cheapest() -> Candidate? {
    while let least = queue.removeLeast() {
      if !entries[least.owner].isLeft { continue }
      if let other = least.other, entries[other].isLeft { return least }
      // The candidate was only a bound, or the other pack of its pair no longer exists. So the owner's
      // cheapest remaining pair is computed. It costs at least as much as the bound.
      if let candidate = cheapest(ownedBy: least.owner) { queue.insert(candidate) }
    }
    return nil
  }

  private mutating func remove(_ number: Int) -> Entry {
    bySize.remove(at: position(of: number))
    entries[number].isLeft = false
    return entries[number]
  }

  private mutating func add(_ entry: Entry) {
    let number = entries.count
    entries.append(entry)
    bySize.insert(number, at: position(of: number))
    for request in entry.requests { holders[request].append(number) }
    if let candidate = cheapest(ownedBy: number) { queue.insert(candidate) }
  }

  /// Returns the position of a pack in `bySize`, or the position at which the pack would be inserted.
  private func position(of number: Int) -> Int {
    bySize.indices.partitioningIndex { index in
      (entries[bySize[index]].size, bySize[index]) >= (entries[number].size, number)
    }
  }
}

// The pairs of one pack.
extension PackCombiner {
  /// Returns the cheapest pair that a pack owns; nil if it owns no pair.
  private mutating func cheapest(ownedBy owner: Int) -> Candidate? {
    let requests = entries[owner].requests
    for request in requests { isRequested[request] = true }
    defer { for request in requests { isRequested[request] = false } }
    // Packs that share a request with the owner can be cheap, however large they are. If the owner is
    // combined with a pack that shares no request with it, at least `paying` requests download that whole
    // pack unnecessarily.
    let (near, paying) = sharing(requests)
    var best = near.filter { keepsPair(owner, with: $0) }.map { pair(of: owner, with: $0) }.min()
    let start = owner < inputCount ? position(of: owner) + 1 : 0
    for other in bySize[start...] where keepsPair(owner, with: other) {
      if let best, product(entries[other].size, count: paying) > best.forNothing { break }
      let candidate = pair(of: owner, with: other)
      if best.map({ candidate < $0 }) ?? true { best = candidate }
    }
    return best
  }

  /// Returns packs that share requests with a pack, and the minimum number of requests that would
  /// unnecessarily download any other pack.
  ///
  /// If only a few packs share a request with the pack, all of them are returned. Otherwise, only the packs
  /// of the request that downloads the fewest packs are returned.
  private mutating func sharing(_ requests: [Int]) -> (packs: [Int], paying: Int) {
    // The prefetch does not count, because it costs nothing if the other pack is in the initial install.
    let counted = requests.filter { $0 != prefetchRequest }
    for request in requests { holders[request].removeAll { !entries[$0].isLeft } }
    if requests.reduce(0, { $0 + holders[$1].count }) < count {
      return (requests.flatMap { holders[$0] }, counted.count)
    }
    let rarest = counted.min { holders[$0].count < holders[$1].count }
    return (rarest.map { holders[$0] } ?? [], 1)
  }

  private func keepsPair(_ owner: Int, with other: Int) -> Bool {
    owner < inputCount ? owner < other && other < inputCount : other < owner
  }

  /// Returns a pair with its cost.
  ///
  /// Each request that needs only one of the two packs costs the bytes of the other pack.
  private func pair(of owner: Int, with other: Int) -> Candidate {
    let both = entries[other].requests.reduce(0) { isRequested[$1] ? $0 + 1 : $0 }
    let (size, otherSize) = (entries[owner].size, entries[other].size)
    let forNothing = product(
      otherSize, count: payingRequestCount(for: entries[owner], alsoDownloading: entries[other]) - both
    )
    .saturatingSum(
      with: product(
        size, count: payingRequestCount(for: entries[other], alsoDownloading: entries[owner]) - both))
    let (place, otherPlace) = (entries[owner].place, entries[other].place)
    return Candidate(
      forNothing: forNothing, size: size.saturatingSum(with: otherSize),
      places: (min(place, otherPlace), max(place, otherPlace)), owner: owner, other: other)
  }
}

// The description of a step.
extension PackCombiner {
  /// Returns the number of requests for `one` that would then also download `other`.
  ///
  /// A prefetch is not counted if the other pack is in the initial install.
  private func payingRequestCount(for one: Entry, alsoDownloading other: Entry) -> Int {
    let isThere = one.requests.last == prefetchRequest && other.requests.contains(installRequest)
    return one.requests.count - (isThere ? 1 : 0)
  }

  private func costs(of one: Entry, other: Entry) -> [(request: CombinePlan.Request, size: Int64)] {
    let (own, others) = (Set(one.requests), Set(other.requests))
    let costs =
      one.requests.prefix(payingRequestCount(for: one, alsoDownloading: other)).filter {
        !others.contains($0)
      }
      .map { (names[$0], other.size) }
      + other.requests.prefix(payingRequestCount(for: other, alsoDownloading: one)).filter {
        !own.contains($0)
      }
      .map { (names[$0], one.size) }
    return costs.enumerated().sorted { (-$0.1.1, $0.0) < (-$1.1.1, $1.0) }.map { ($0.1.0, $0.1.1) }
  }

  private func tags(of requests: [Int]) -> [String] {
    requests.compactMap { if case .tag(let tag) = names[$0] { tag } else { nil } }
  }
}

private func product(_ size: Int64, count: Int) -> Int64 {
  let (product, overflows) = size.multipliedReportingOverflow(by: Int64(count))
  return overflows ? .max : product
}

/// A pack of a tree that can be combined with other packs.
private struct TreePack {
  let set: TagSets.ID
  /// The tags, joined with `+`.
  let name: String
  let pack: CombinePlan.Pack
}

extension AssetTree {
  /// Returns the tree in which the packs of each group are combined: each file in a group gets the tags of
  /// all packs of the group.
  ///
  /// Code that uses the tree does not have to know that packs were combined. There are findings about names
  /// in groups for which no pack exists.
  package func combined(by manifest: Manifest) -> (AssetTree, [Diagnostic]) {
    guard let rule = manifest.merge else { return (self, []) }
    let packs = mergePacks(of: manifest)
    switch rule {
    case .maxPacks(let maxPacks):
      if packs.count > CombinePlan.maxPacks, packs.count > maxPacks {
        return (self, [manifest.tooManyPacks(packs.count)])
      }
      let plan = CombinePlan(of: packs.map(\.pack), maxPacks: maxPacks)
      return (joining(plan.groups.map { $0.map { packs[$0].set } }), [])
    case .groups(let groups):
      let numbers = Dictionary(packs.enumerated().map { ($1.name, $0) }) { first, _ in first }
      let unknown = groups.joined().filter { numbers[$0.value] == nil }
      let sets = groups.map { $0.compactMap { numbers[$0.value] }.map { packs[$0].set } }
      var guesses = Guesses()
      let findings = unknown.map {
        manifest.unknownPack($0, guess: guesses.nearest(to: $0.value, in: numbers.keys)?.name)
      }
      return (joining(sets), findings)
    }
  }

  /// Returns the packs of the tree, with the ids of their tag sets.
  private func mergePacks(of manifest: Manifest) -> [TreePack] {
    let order = DeliveryOrder(of: manifest)
    var sizes: [TagSets.ID: Int64] = [:]
    for file in files { sizes[file.tagSet] = (sizes[file.tagSet] ?? 0).saturatingSum(with: file.size) }
    return sizes.sorted { $0.key < $1.key }.map { set, size in
      let tags = tagSets.tags(of: set)
      let pack = CombinePlan.Pack(tags: tags, size: size, delivery: order.delivery(of: tags))
      return TreePack(set: set, name: tags.joined(separator: "+"), pack: pack)
    }
  }

  private func joining(_ groups: [[TagSets.ID]]) -> AssetTree {
    var tree = self
    var joined: [TagSets.ID: TagSets.ID] = [:]
    for group in groups {
      // A group can contain the name of a pack that an earlier group has already combined.
      let parts = Set(group.map { joined[$0] ?? $0 })
      guard let first = parts.min() else { continue }
      let union = parts.reduce(first) { tree.tagSets.union($0, $1) }
      for set in group + joined.filter({ parts.contains($0.value) }).keys { joined[set] = union }
    }
    if joined.isEmpty { return self }
    tree.files = FileList(
      files.lazy.map { file in
        var file = file
        file.tagSet = joined[file.tagSet] ?? file.tagSet
        return file
      })
    return tree
  }
}

extension Manifest {
  fileprivate func tooManyPacks(_ count: Int) -> Diagnostic {
    let message =
      "\"merge\" combines at most \(grouped(CombinePlan.maxPacks)) packs, but there are \(grouped(count)); "
      + "list groups of packs instead of a number"
    return Diagnostic(.invalidValue, message: message, at: text.place(at: mergeOffset))
  }

  fileprivate func unknownPack(_ name: Located<String>, guess: String?) -> Diagnostic {
    Diagnostic(
      .unknownPack, message: "no pack has the tags \(quoted(name.value))\(suggestion(guess))",
      at: text.place(at: name.offset))
  }
}
