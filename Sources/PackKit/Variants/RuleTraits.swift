import Findings
import Formats
import System

/// The traits that rules give to files.
struct RuleTraits {
  /// What the rules of one file say of it.
  private struct Claim: Sendable {
    let file: Int32
    let traits: Traits
    /// The offset of the rule that counts for the order of equal variants.
    let order: Int
  }

  /// A place in a pack.
  private struct Spot: Hashable {
    let tagSet: TagSets.ID
    let path: ByteKey
  }

  /// The traits of the files that have some, by their index in the tree.
  private(set) var traits: [Int32: Traits] = [:]
  /// The assets of files that share a place, or have traits.
  private(set) var assets: [LooseAsset] = []
  /// The files that share a place with others of other traits.
  private(set) var alternatives: Set<Int32> = []
  private(set) var findings = FindingList()

  /// The number of files that a thread takes at once.
  private static let batchSize = 1024

  /// The traits of a tree's files by the rules of a manifest; none if no rule has any.
  init(of tree: AssetTree, by manifest: Manifest, jobs: Int) {
    guard manifest.rules.contains(where: { $0.traits != .none }) else { return }
    let (claims, conflicts) = Self.claims(on: tree, by: manifest, jobs: jobs)
    findings = conflicts
    for claim in claims where claim.traits != .none { traits[claim.file] = claim.traits }
    let spots = claims.map { claim in
      let file = tree.files[Int(claim.file)]
      return Spot(tagSet: file.tagSet, path: ByteKey(file.packPath))
    }
    let wanted = Set(claims.indices.filter { claims[$0].traits != .none }.map { spots[$0] })
    let groups = Dictionary(grouping: claims.indices.filter { wanted.contains(spots[$0]) }) { spots[$0] }
    for (_, group) in groups.sorted(by: { $0.value[0] < $1.value[0] }) {
      add(group.map { claims[$0] }.sorted { ($0.order, $0.file) < ($1.order, $1.file) }, of: tree)
    }
  }

  /// Adds the asset of the files at one place, in the order of their rules.
  private mutating func add(_ claims: [Claim], of tree: AssetTree) {
    let name = tree.files[Int(claims[0].file)].packPath
    assets.append(LooseAsset(name: name, variants: claims.map { ($0.file, $0.traits) }))
    // A phone would get what is for a car's screen at the same place as its own.
    let isCar = claims[0].traits.idiom == .car
    var seen: Set<Traits> = []
    let different = claims.filter { ($0.traits.idiom == .car) == isCar && seen.insert($0.traits).inserted }
    if different.count > 1 { alternatives.formUnion(different.map(\.file)) }
  }

  private static func claims(
    on tree: AssetTree, by manifest: Manifest, jobs: Int
  ) -> (claims: [Claim], conflicts: FindingList) {
    let tracer = RuleTracer(manifest)
    let starts = Array(stride(from: 0, to: tree.files.count, by: batchSize))
    let batches = onThreads(jobs, each: starts) { start in
      var conflicts = FindingList()
      let claims = (start..<min(start + batchSize, tree.files.count)).map { number in
        let file = tree.files[number]
        return claim(on: number, file, tracer.trace(file.path).rules, manifest, &conflicts)
      }
      return (claims, conflicts)
    }
    return batches.reduce(into: ([], FindingList())) { sum, batch in
      sum.0 += batch.0
      sum.1.add(batch.1)
    }
  }

  private static func claim(
    on number: Int, _ file: AssetFile, _ rules: [ResourceRule], _ manifest: Manifest,
    _ conflicts: inout FindingList
  ) -> Claim {
    var traits = Traits.none
    let giving = rules.filter { $0.traits != .none }
    for rule in giving {
      let sum = traits.adding(rule.traits)
      traits = sum.traits
      if sum.differs { conflicts.add(manifest.conflict(on: file, of: rule, and: giving[0])) }
    }
    let order = (giving.first ?? rules.first)?.text.offset ?? .max
    return Claim(file: Int32(number), traits: traits, order: order)
  }
}

extension Manifest {
  fileprivate func conflict(
    on file: AssetFile, of rule: ResourceRule, and other: ResourceRule
  ) -> Diagnostic {
    Diagnostic(
      .conflictingTraits,
      "this rule gives \(quoted(file.path)) the traits \(rule.traits.words), another \(other.traits.words)",
      at: text.place(at: rule.text.offset),
      notes: [.init("the other rule is here", at: text.place(at: other.text.offset))])
  }
}
