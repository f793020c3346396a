import Formats
import Model
import Pipeline
import System

/// Finds subjects in a plan and collects their facts.
///
/// Data that all subjects need is computed only once.
struct SubjectReader: Sendable {
  let plan: PackPlan
  let root: Folder
  private let index: RuleMatcher
  /// For each pack, by its index, the position in the order of its delivery mode, counted from 1.
  private let places: [Int: Int]
  /// For each tag, its positions in the manifest's lists.
  private let listings: [String: [TagListing]]
  /// The release of the plan, with the packs that are already built.
  private let release: Release
  private let pulledInPacks: [PulledInPacks]
  private let devices: [DeviceClass]
  /// The slices of the device classes; nil if all devices get the same files.
  private let slices: Slices?

  /// Makes a reader for a plan.
  ///
  /// `root` is the plan's open root folder. `built` contains the built packs of the plan, by their index.
  /// `devices` contains the device classes to consider.
  init(_ plan: PackPlan, root: Folder, built: [PublishedPack?]? = nil, for devices: [DeviceClass] = []) {
    self.plan = plan
    self.root = root
    release = Release(of: plan, packs: built)
    self.devices = devices
    slices = plan.tree.variants.isEmpty || devices.isEmpty ? nil : Slices(of: plan, for: devices)
    index = RuleMatcher(plan.manifest)
    places = Dictionary(
      uniqueKeysWithValues: Delivery.allCases.flatMap { zip(plan.order(of: $0), 1...) })
    listings = Self.listings(in: plan.manifest)
    pulledInPacks = release.pulledInPacks
  }

  func facts(ofFile number: Int) -> FileFacts {
    let file = plan.tree.files[number]
    let tags = plan.tree.tagSets.tags(of: file.tagSet)
    let pack = plan.packs.firstIndex { $0.tags == tags }
    let trace = index.trace(file.path)
    return FileFacts(
      file: file, packedSize: pack.flatMap { packedSize(ofFile: number, inPack: $0) }, tags: tags,
      rules: trace.rules.map { facts(of: $0, generatedTags: $0.generatedTags(for: file.path)) },
      passed: trace.passed.map(facts(of:)), pack: pack.map(facts(ofPack:)),
      variant: plan.variantFacts(ofFile: number, for: devices))
  }

  func facts(ofUntagged path: String) -> UntaggedFileFacts {
    let trace = index.trace(path)
    let exclusion = trace.exclude
    let near = exclusion == nil && trace.passed.isEmpty ? NearMiss.all(near: path, in: plan.manifest) : []
    return UntaggedFileFacts(
      path: path, exclusion: exclusion,
      nearRules: near.map { NearRule(rule: facts(of: $0.rule), reason: $0.reason) },
      passed: trace.passed.map(facts(of:)),
      isResource: plan.manifest.bundledFiles?.contains { $0.path.isSameInBytes(as: path) } ?? true)
  }

  func facts(of tag: PackPlan.Tag) -> TagFacts {
    let numbers = Set(tag.packs)
    let order = Delivery.allCases.flatMap(plan.order).filter(numbers.contains)
    return TagFacts(
      tag: tag, fileCount: tag.packs.reduce(0) { $0 + plan.packs[$1].files.count },
      packedSize: release.packedSize(of: tag.packs), listings: listings[tag.name] ?? [],
      packs: order.map(facts(ofPack:)), rules: rules(ofTag: tag.name),
      pulledIn: pulledInPacks.compactMap { pulledInTag(from: $0, with: tag.name) })
  }

  private func pulledInTag(from pulledIn: PulledInPacks, with tag: String) -> PulledInTag? {
    let packs = pulledIn.packs.map { release.packs[$0] }.filter { $0.tags.contains(tag) }
    if packs.isEmpty { return nil }
    let listed = pulledIn.listed.first { $0.tag == tag }
    let others = listed == nil ? pulledIn.listed.map(\.tag) : pulledIn.unlisted.map(\.tag)
    return PulledInTag(
      delivery: pulledIn.delivery, packCount: packs.count, size: packs.saturatingSum { $0.size },
      saving: listed?.saving, others: others.filter { other in packs.contains { $0.tags.contains(other) } })
  }

  func files(ofPack number: Int) -> [MemberFile] {
    let packed = release.packs[number].published?.packedSizes
    return plan.packs[number].files.enumerated().map { place, number in
      let file = plan.tree.files[number]
      return MemberFile(path: file.packPath, size: file.size, packedSize: packed?[place])
    }
  }

  private func packedSize(ofFile file: Int, inPack number: Int) -> Int64? {
    guard let packed = release.packs[number].published?.packedSizes else { return nil }
    return plan.packs[number].files.firstIndex(of: file).map { packed[$0] }
  }
}

// Facts about folders.
extension SubjectReader {
  func facts(ofFolder path: String) -> FolderFacts {
    let all = plan.packs.indices.map { (pack: $0, files: numbers(ofPack: $0, in: path)) }
    let parts = all.filter { !$0.files.isEmpty }.sorted {
      plan.packs[$0.pack].tags.lexicographicallyPrecedes(plan.packs[$1.pack].tags)
    }
    let shares = parts.map { share(ofPack: $0.pack, files: $0.files) }
    let files = parts.flatMap(\.files)
    let untagged = plan.tree.untaggedFiles.filter { path == "." || $0.path.hasPrefix(path + "/") }
    let paths = files.sorted().map { plan.tree.files[$0].path }
    return FolderFacts(
      path: path, fileCount: files.count, size: shares.saturatingSum { $0.fileSize }, shares: shares,
      rules: rules(ofFiles: paths), passed: passedRules(ofFiles: paths + untagged.map(\.path)),
      untagged: untagged,
      exclusion: shares.isEmpty ? index.trace(path + "/x").exclude : nil)
  }

  /// Returns the indices, in the tree, of a pack's files that are in a folder.
  ///
  /// The folder "." is the root.
  private func numbers(ofPack number: Int, in folder: String) -> [Int] {
    let prefix = folder + "/"
    return plan.packs[number].files.filter { folder == "." || plan.tree.files[$0].path.hasPrefix(prefix) }
  }

  private func share(ofPack number: Int, files: [Int]) -> FolderShareOfPack {
    let pack = plan.packs[number]
    let size = files.saturatingSum { plan.tree.files[$0].size }
    return FolderShareOfPack(
      id: pack.identity.identifier, tags: pack.tags, delivery: pack.delivery, fileCount: files.count,
      fileSize: size)
  }

  private func rules(ofFiles paths: [String]) -> [RuleFacts] {
    var offsets: Set<Int> = []
    return paths.flatMap { index.trace($0).rules }.filter {
      offsets.insert($0.text.offset).inserted
    }.map { facts(of: $0) }
  }

  private func passedRules(ofFiles paths: [String]) -> [PassedRuleFacts] {
    if plan.manifest.rules.allSatisfy(\.appliesToAllMatches) { return [] }
    var offsets: Set<Int> = []
    return paths.flatMap { index.trace($0).passed }.filter {
      offsets.insert($0.except?.offset ?? $0.rule.text.offset).inserted
    }.map(facts(of:))
  }
}

// Facts that several subjects share.
extension SubjectReader {
  func facts(ofPack number: Int) -> PackFacts {
    let pack = release.packs[number]
    let place = pack.delivery == .onDemand ? nil : places[number]
    return PackFacts(
      pack: pack, place: place.map { ($0, plan.order(of: pack.delivery).count) },
      sizes: sizes(ofPack: number),
      listings: pack.tags.flatMap { (listings[$0] ?? []).filter { $0.delivery == pack.delivery } },
      pulledInTags: pulledInPacks.lazy.compactMap { $0.unlistedOfPack[number] }.first ?? [])
  }

  /// Returns the smallest and largest size of a pack on devices; nil if all devices get the same files.
  private func sizes(ofPack number: Int) -> DeviceRange? {
    guard let slices else { return nil }
    let range = DeviceRange(on: devices) { slices.slice($0).packs[number].size }
    return range.flatMap { $0.smallest.size == $0.largest.size ? nil : $0 }
  }

  private func rules(ofTag tag: String) -> [RuleFacts] {
    let makers = plan.tree.generatedTags[tag]?.rules ?? []
    return plan.manifest.rules.enumerated().compactMap { number, rule in
      if rule.tags.contains(where: { $0.value == tag }) { return facts(of: rule) }
      return makers.contains(Int32(number)) ? facts(of: rule, generatedTags: [tag]) : nil
    }
  }

  private func facts(of passed: RuleMatcher.PassedRule) -> PassedRuleFacts {
    PassedRuleFacts(rule: facts(of: passed.rule), except: passed.except?.value.text)
  }

  private func facts(of rule: ResourceRule, generatedTags: [String] = []) -> RuleFacts {
    RuleFacts(
      place: plan.manifest.text.place(at: rule.text.offset), key: rule.pattern.key, pattern: rule.text.value,
      tags: rule.tags.map(\.value), templates: rule.templates.map(\.text.value), generated: generatedTags)
  }

  /// Returns the first position of each tag in each of the manifest's two lists.
  private static func listings(in manifest: Manifest) -> [String: [TagListing]] {
    let lists = [
      ("initialInstallTags", Delivery.initialInstall, manifest.initialInstallTags),
      ("prefetchTagOrder", .prefetch, manifest.prefetchTagOrder),
    ]
    var listings: [String: [TagListing]] = [:]
    for (key, delivery, tags) in lists {
      for (index, tag) in tags.enumerated() {
        if listings[tag.value]?.contains(where: { $0.delivery == delivery }) == true { continue }
        let place = manifest.text.place(at: tag.offset)
        listings[tag.value, default: []].append(
          TagListing(place: place, tag: tag.value, key: key, delivery: delivery, number: index + 1))
      }
    }
    return listings
  }
}

/// A rule that almost matches a file, and the reason why it does not match.
private struct NearMiss {
  let rule: ResourceRule
  /// The part of a message that follows the rule's path.
  let reason: String
  /// The distance from a match.
  ///
  /// The lower the distance, the closer the rule is to a match.
  private let distance: Int

  private static let maxNamed = 3

  /// Returns the rules that are closest to matching a path.
  ///
  /// The closest rule comes first.
  static func all(near path: String, in manifest: Manifest) -> [NearMiss] {
    let fileComponents = path.split(separator: "/").map(String.init)
    let near = manifest.rules.compactMap { rule in
      switch rule.pattern {
      case .path(let path): NearMiss(rule, ruleComponents: path.components, fileComponents: fileComponents)
      case .glob(let glob): NearMiss(rule, glob: glob, names: fileComponents)
      }
    }
    let ordered = near.enumerated().sorted { ($0.1.distance, $0.0) < ($1.1.distance, $1.0) }
    return ordered.prefix(maxNamed).map(\.element)
  }

  private init(_ rule: ResourceRule, distance: Int, reason: String) {
    self.rule = rule
    self.distance = distance
    self.reason = reason
  }

  /// Makes a near miss if the rule's path could be a mistyped path of the file, or of a folder that contains
  /// the file; otherwise nil.
  private init?(_ rule: ResourceRule, ruleComponents: [String], fileComponents: [String]) {
    let above = fileComponents.prefix(ruleComponents.count).joined(separator: "/")
    let path = ruleComponents.joined(separator: "/")
    if above == path {
      self.init(rule, distance: 0, reason: "differs from \(quoted(above)) only in Unicode form")
    } else if above.lowercased() == path.lowercased() {
      self.init(rule, distance: 0, reason: "differs from \(quoted(above)) only in upper and lower case")
    } else if ruleComponents.count <= fileComponents.count, nearest(to: path, in: [above]) != nil {
      self.init(rule, distance: 1, reason: "is spelled almost like \(quoted(above))")
    } else {
      let shared = zip(ruleComponents, fileComponents).prefix { $0 == $1 }.count
      guard shared > 0, shared < ruleComponents.count else { return nil }
      self.init(
        rule, distance: 100 - min(shared, 90),
        reason: "matches other paths in \(quoted(ruleComponents.prefix(shared).joined(separator: "/")))")
    }
  }

  /// Makes a near miss if the rule's glob would match after a small change; otherwise nil.
  private init?(_ rule: ResourceRule, glob: Glob, names: [String]) {
    let slash = glob.text.lastIndex(of: "/")
    let folder = slash.map { glob.text[...$0] } ?? ""
    let last = slash.map { glob.text[glob.text.index(after: $0)...] } ?? glob.text[...]
    let path = names.joined(separator: "/")
    if let lowered = try? Glob(glob.text.lowercased()), RuleMatcher(lowered).matches(path.lowercased()) {
      self.init(rule, distance: 0, reason: "would match if upper and lower case were ignored")
    } else if let deep = try? Glob("\(folder)**/\(last)"), RuleMatcher(deep).matches(path) {
      self.init(rule, distance: 2, reason: "does not match in subfolders; \(quoted(deep.text)) would match")
    } else if glob.fixedDepth > 0, let any = try? Glob("\(folder)*"), RuleMatcher(any).matches(path) {
      self.init(rule, distance: 3, reason: "matches other names in the same folder")
    } else {
      let fixed = glob.text.split(separator: "/").prefix(glob.fixedDepth).map(String.init)
      let shared = zip(fixed, names).prefix { $0 == $1 }.count
      guard shared > 0 else { return nil }
      self.init(
        rule, distance: 100 - min(shared, 90),
        reason: "matches other files in \(quoted(fixed.prefix(shared).joined(separator: "/")))")
    }
  }
}
