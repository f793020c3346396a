package import Formats
package import Model
package import System

/// Finds the variants among the files of a tree.
///
/// Catalogs, rules and file names can define variants.
package struct VariantScan: Sendable {
  package private(set) var variants = AssetVariants()
  /// All findings.
  package var diagnostics: [Diagnostic] { findings.findings }
  private var findings = FindingList()

  /// Finds the variants of a tree.
  ///
  /// `root` is the tree's open root folder. There are findings about each Contents.json that cannot be read.
  package init(of tree: AssetTree, manifest: Manifest, root: Folder, jobs: Int) throws(SystemError) {
    if let scan = CatalogScan(tree, root: root, rootPath: manifest.rootPath) {
      try add(scan, jobs: jobs, rootPath: manifest.rootPath)
    }
    let rules = RuleTraits(of: tree, by: manifest, jobs: jobs)
    findings.add(rules.findings)
    add(rules.assets, of: tree, in: manifest)
    variants.alternatives = rules.alternatives
    if manifest.hasVariantSuffixes {
      let names = nameVariants(of: tree, rules: rules)
      findings.add(
        names.conflicts.lazy.map { file in
          Diagnostic(
            .conflictingTraits,
            message:
              "the name of \(quoted(file.path)) contains another scale or idiom than its rules specify; "
              + "packtool uses the values of the rules",
            at: Place(joined(manifest.rootPath, file.path)), severity: .warning)
        })
      add(names.assets, of: tree, in: manifest)
    }
  }

  private mutating func add(_ scan: CatalogScan, jobs: Int, rootPath: String) throws(SystemError) {
    var layer = AssetVariants.Layer()
    for set in try scan.sets(jobs: jobs) {
      findings.add(set.findings)
      let place = Place(joined(rootPath, "\(set.path)/\(CatalogContents.fileName)"))
      guard let entries = scan.variants(of: set) else {
        let message =
          "the entries of this file list the files of a folder more than \(CatalogScan.maxNames) times each"
        findings.add(CatalogScan.finding(message, at: place))
        continue
      }
      let present = entries.filter { !$0.entry.isAbsent }
      let assets = inGroups(present.map { ($0.entry.asset, (traits: $0.entry.traits, files: $0.files)) })
      let absent = entries.filter(\.entry.isAbsent).flatMap(\.files)
      if absent.isEmpty && assets.allSatisfy({ $0.count == 1 && $0[0].traits == .none }) { continue }
      let owner = variants.add(
        AssetVariants.Owner(
          name: set.path, place: place, hasUnknownTrait: present.contains(where: \.entry.hasUnknownTrait)))
      layer.assets += assets.map { variants.asset(of: owner, variants: $0) }
      layer.absent += absent
    }
    variants.add(layer)
  }

  /// Adds assets whose variants consist of one file each.
  private mutating func add(_ assets: [LooseAsset], of tree: AssetTree, in manifest: Manifest) {
    var layer = AssetVariants.Layer()
    for asset in assets {
      guard let first = asset.variants.first else { continue }
      let place = Place(joined(manifest.rootPath, tree.files[Int(first.file)].path))
      let owner = variants.add(AssetVariants.Owner(name: asset.name, place: place))
      // A phone gets the variants for the screen of a car in addition to its own variants.
      for isCar in [false, true] {
        let group = asset.variants.filter { ($0.traits.idiom == .car) == isCar }
        if group.isEmpty { continue }
        layer.assets.append(variants.asset(of: owner, variants: group.map { ($0.traits, [$0.file]) }))
      }
    }
    variants.add(layer)
  }
}

/// An asset outside of catalogs.
struct LooseAsset {
  /// The path inside the pack, without suffixes.
  let name: String
  /// The files, by their index in the tree.
  ///
  /// If files have the same traits, the preferred file comes first.
  let variants: [(file: Int32, traits: Traits)]
}

/// Returns the assets outside of catalogs that the suffixes of file names define, and the files whose name
/// contradicts the traits in their rules.
///
/// Names have the form `name[@2x|@3x][~iphone|~ipad].ext`. The file `name.ext` without suffixes also belongs
/// to the asset.
private func nameVariants(
  of tree: AssetTree, rules: RuleTraits
) -> (assets: [LooseAsset], conflicts: [AssetFile]) {
  let loose = tree.files.indices.filter { !isInCatalog(tree.files[$0].path) }
  let names = loose.map { variantName(of: tree.files[$0].packPath) }
  let wanted = Set(names.lazy.filter { $0.traits != .none }.map(\.path))
  var conflicts: [AssetFile] = []
  let files = zip(loose, names).filter { wanted.contains($1.path) }.map { number, name in
    let (traits, differs) = name.traits.adding(rules.traits[Int32(number)] ?? .none)
    if differs { conflicts.append(tree.files[number]) }
    return (name.path, (name: name.path.text, file: Int32(number), traits: traits))
  }
  let assets = inGroups(files).map { group in
    LooseAsset(name: group[0].name, variants: group.map { ($0.file, $0.traits) })
  }
  return (assets, conflicts)
}

/// Returns the values grouped by key.
///
/// The groups are in the order of their first values.
private func inGroups<Key: Hashable, Value>(_ values: [(Key, Value)]) -> [[Value]] {
  let groups = Dictionary(grouping: values.indices) { values[$0].0 }
  return groups.values.sorted { $0[0] < $1[0] }.map { $0.map { values[$0].1 } }
}

private let scaleSuffixes = [("@2x", 2), ("@3x", 3)]
private let idiomSuffixes = [("~iphone", Idiom.phone), ("~ipad", .pad)]

/// Removes the suffixes before a file name's extension, and returns the path and the traits that the suffixes
/// stand for.
private func variantName(of path: String) -> (path: ByteKey, traits: Traits) {
  let name = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8[path.utf8.index(after: $0)...] }
  let bytes = name ?? path.utf8[...]
  guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), bytes.index(after: dot) < bytes.endIndex else {
    return (ByteKey(path), .none)
  }
  var stem = bytes[..<dot]
  var traits = Traits()
  if let (suffix, idiom) = idiomSuffixes.first(where: { stem.ends(in: $0.0) }) {
    traits.idiom = idiom
    stem = stem.dropLast(suffix.utf8.count)
  }
  if let (suffix, scale) = scaleSuffixes.first(where: { stem.ends(in: $0.0) }) {
    traits.scale = scale
    stem = stem.dropLast(suffix.utf8.count)
  }
  // A name that consists only of suffixes is an ordinary name.
  return stem.isEmpty
    ? (ByteKey(path), .none) : (ByteKey(String(path[..<stem.endIndex] + path[dot...])), traits)
}

extension Substring.UTF8View {
  fileprivate func ends(in suffix: String) -> Bool {
    self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
  }
}

struct RuleTraits {
  /// The traits that a rule assigns to a file.
  private struct TraitAssignment {
    /// The index of the file in the tree.
    let file: Int32
    let traits: Traits
    /// The offset of the rule.
    ///
    /// The offset decides the order of variants with the same traits.
    let order: Int
  }

  private struct AssetKey: Hashable {
    let tagSet: TagSets.ID
    let path: ByteKey
  }

  /// The traits of files, by their index in the tree; files without traits are left out.
  private(set) var traits: [Int32: Traits] = [:]
  /// The assets that consist of files with the same path, or of files with traits.
  private(set) var assets: [LooseAsset] = []
  /// The files whose path is also the path of files with other traits.
  private(set) var alternatives: Set<Int32> = []
  private(set) var findings = FindingList()

  private static let batchSize = 1024

  /// Collects the traits that the rules of a manifest assign to a tree's files.
  ///
  /// The result is empty if no rule has traits.
  init(of tree: AssetTree, by manifest: Manifest, jobs: Int) {
    guard manifest.rules.contains(where: { $0.traits != .none }) else { return }
    let (assignments, conflicts) = Self.assignments(on: tree, by: manifest, jobs: jobs)
    findings = conflicts
    for assignment in assignments where assignment.traits != .none {
      traits[assignment.file] = assignment.traits
    }
    let assetKeys = assignments.map { assignment in
      let file = tree.files[Int(assignment.file)]
      return AssetKey(tagSet: file.tagSet, path: ByteKey(file.packPath))
    }
    let wanted = Set(assignments.indices.filter { assignments[$0].traits != .none }.map { assetKeys[$0] })
    for group in inGroups(zip(assetKeys, assignments).filter { wanted.contains($0.0) }) {
      add(group.sorted { ($0.order, $0.file) < ($1.order, $1.file) }, of: tree)
    }
  }

  /// Adds the asset of the files at one path, in the order of their rules.
  private mutating func add(_ assignments: [TraitAssignment], of tree: AssetTree) {
    let name = tree.files[Int(assignments[0].file)].packPath
    assets.append(LooseAsset(name: name, variants: assignments.map { ($0.file, $0.traits) }))
    // This is a mistake, because a phone would get two files with the same path: its own file, and the file
    // for the screen of a car.
    let isCar = assignments[0].traits.idiom == .car
    var seen: Set<Traits> = []
    let different = assignments.filter {
      ($0.traits.idiom == .car) == isCar && seen.insert($0.traits).inserted
    }
    if different.count > 1 { alternatives.formUnion(different.map { $0.file }) }
  }

  private static func assignments(
    on tree: AssetTree, by manifest: Manifest, jobs: Int
  ) -> (assignments: [TraitAssignment], conflicts: FindingList) {
    let index = RuleMatcher(manifest)
    let starts = Array(stride(from: 0, to: tree.files.count, by: batchSize))
    let batches = onThreads(jobs, each: starts) { start in
      var conflicts = FindingList()
      let assignments = (start..<min(start + batchSize, tree.files.count)).map { number in
        let file = tree.files[number]
        return assignment(
          on: number, file: file, rules: index.trace(file.path).rules, manifest: manifest,
          conflicts: &conflicts)
      }
      return (assignments, conflicts)
    }
    return batches.reduce(into: ([], FindingList())) { sum, batch in
      sum.0 += batch.0
      sum.1.add(batch.1)
    }
  }

  private static func assignment(
    on number: Int, file: AssetFile, rules: [ResourceRule], manifest: Manifest,
    conflicts: inout FindingList
  ) -> TraitAssignment {
    var traits = Traits.none
    let giving = rules.filter { $0.traits != .none }
    for rule in giving {
      let sum = traits.adding(rule.traits)
      traits = sum.traits
      if sum.differs { conflicts.add(manifest.conflict(on: file, of: rule, and: giving[0])) }
    }
    let order = (giving.first ?? rules.first)?.text.offset ?? .max
    return TraitAssignment(file: Int32(number), traits: traits, order: order)
  }
}

extension Manifest {
  fileprivate func conflict(
    on file: AssetFile, of rule: ResourceRule, and other: ResourceRule
  ) -> Diagnostic {
    Diagnostic(
      .conflictingTraits,
      message:
        "this rule gives \(quoted(file.path)) the traits \(rule.traits.words), but another rule gives it "
        + "\(other.traits.words)",
      at: text.place(at: rule.text.offset),
      notes: [.init("the other rule is here", at: text.place(at: other.text.offset))])
  }
}
